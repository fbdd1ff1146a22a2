# test: print --form=loops
class GraphModule(torch.nn.Module):
    def forward(self, init: "f32[s1]", xs: "f32[s0, s2, s1]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [xs], ())
        getitem: "f32[s1]" = scan[0]
        getitem_1: "f32[s0, s2, s1]" = scan[1]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[s1]", x: "f32[s2, s1]"):
            scan_combine_graph_1 = self.scan_combine_graph_1
            scan = torch.ops.higher_order.scan(scan_combine_graph_1, [c], [x], ())
            getitem: "f32[s1]" = scan[0]
            getitem_1: "f32[s2, s1]" = scan[1]
            add: "f32[s2, s1]" = torch.ops.aten.add.Tensor(getitem_1, getitem)
            return [getitem, add]

        class scan_combine_graph_1(torch.nn.Module):
            def forward(self, c: "f32[s1]", x: "f32[s1]"):
                mul: "f32[s1]" = torch.ops.aten.mul.Tensor(c, x)
                clone: "f32[s1]" = torch.ops.aten.clone.default(mul)
                return [mul, clone]
# ----
# x86-64-v3, contiguous operands
kernel scanc_k_scan(length, lanes, x.t, y0.t)
  in c: f32[lanes] strides [1]
  in x: f32[length, lanes] strides [x.t, 1]
  out last0: f32[lanes] strides [1]
  out y0: f32[length, lanes] strides [y0.t, 1]
  for i < lanes parallel lanes 8 unroll 8
    %0.c: f32 = load c[i]
    for t < length sequential carry %1.c = %0.c
      %3.x: f32 = load x[t, i]
      %4.mul: f32 = mul.f32 %1.c, %3.x
      store y0[t, i] = %4.mul
      next %1.c = %4.mul, last %2.last0
    store last0[i] = %2.last0
scan scan: interpreted: node scan: results along an inner scan that need its last carry have no lowering yet
