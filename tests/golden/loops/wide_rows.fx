# test: print --form=loops
class GraphModule(torch.nn.Module):
    def forward(self, init: "f32[8192]", xs: "f32[2000, 8192]", decay: "f32[8192]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [xs], (decay,))
        getitem: "f32[8192]" = scan[0]
        getitem_1: "f32[2000, 8192]" = scan[1]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[8192]", x: "f32[8192]", decay: "f32[8192]"):
            mul: "f32[8192]" = torch.ops.aten.mul.Tensor(c, decay)
            add: "f32[8192]" = torch.ops.aten.add.Tensor(mul, x)
            clone: "f32[8192]" = torch.ops.aten.clone.default(add)
            return [add, clone]
# ----
# x86-64-v3, contiguous operands
kernel scanc_k_scan(length, lanes, x.t, y0.t)
  in c: f32[8192] strides [1]
  in x: f32[length, 8192] strides [x.t, 1]
  in decay: f32[8192] strides [1]
  out last0: f32[8192] strides [1]
  out y0: f32[length, 8192] strides [y0.t, 1]
  for i < 8192 parallel lanes 8 unroll 4, steps by 8192
    %0.c: f32 = load c[i]
    %1.decay: f32 = load decay[i]
    for t < length sequential carry %2.c = %0.c
      %4.mul: f32 = mul.f32 %2.c, %1.decay
      %5.x: f32 = load x[t, i]
      %6.add: f32 = add.f32 %4.mul, %5.x
      store y0[t, i] = %6.add
      next %2.c = %6.add, last %3.last0
    store last0[i] = %3.last0
