# test: print --form=loops
class GraphModule(torch.nn.Module):
    def forward(self, init: "f32[64]", xs: "f32[2000, 64]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [xs], ())
        getitem: "f32[64]" = scan[0]
        getitem_1: "f32[2000, 64]" = scan[1]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[64]", x: "f32[64]"):
            add: "f32[64]" = torch.ops.aten.add.Tensor(c, x)
            clone: "f32[64]" = torch.ops.aten.clone.default(add)
            return [add, clone]
# ----
# x86-64-v3, contiguous operands
kernel scanc_k_scan(length, lanes, x.t, y0.t)
  in c: f32[64] strides [1]
  in x: f32[length, 64] strides [x.t, 1]
  out last0: f32[64] strides [1]
  out y0: f32[length, 64] strides [y0.t, 1]
  for i < 64 parallel lanes 8 unroll 8
    %0.c: f32 = load c[i]
    for t < length sequential carry %1.c = %0.c
      %3.x: f32 = load x[t, i]
      %4.add: f32 = add.f32 %1.c, %3.x
      store y0[t, i] = %4.add
      next %1.c = %4.add, last %2.last0
    store last0[i] = %2.last0
