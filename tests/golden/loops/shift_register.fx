# test: print --form=loops
class GraphModule(torch.nn.Module):
    def forward(self, taps: "f32[16, 3]", xs: "f32[100, 16]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [taps], [xs], ())
        getitem: "f32[16, 3]" = scan[0]
        getitem_1: "f32[100, 16]" = scan[1]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[16, 3]", x: "f32[16]"):
            unsqueeze: "f32[16, 1]" = torch.ops.aten.unsqueeze.default(x, 1)
            slice_1: "f32[16, 2]" = torch.ops.aten.slice.Tensor(c, 1, 0, 2)
            cat: "f32[16, 3]" = torch.ops.aten.cat.default([unsqueeze, slice_1], 1)
            select: "f32[16]" = torch.ops.aten.select.int(cat, 1, 0)
            select_1: "f32[16]" = torch.ops.aten.select.int(cat, 1, 2)
            sub: "f32[16]" = torch.ops.aten.sub.Tensor(select, select_1)
            return [cat, sub]
# ----
# x86-64-v3, contiguous operands
kernel scanc_k_scan(length, lanes, c.d1, c.i, x.t, last0.d1, last0.i, y0.t)
  in c: f32[3, 16] strides [c.d1, c.i]
  in x: f32[length, 16] strides [x.t, 1]
  out last0: f32[3, 16] strides [last0.d1, last0.i]
  out y0: f32[length, 16] strides [y0.t, 1]
  for i < 16 parallel lanes 8 unroll 2
    %0.c: f32 = load c[0, i]
    %1.c: f32 = load c[1, i]
    %2.c: f32 = load c[2, i]
    for t < length sequential carry %3.c = %0.c, %5.c = %1.c, %7.c = %2.c
      %9.x: f32 = load x[t, i]
      %10.sub: f32 = sub.f32 %9.x, %5.c
      store y0[t, i] = %10.sub
      next %3.c = %9.x, last %4.last0
      next %5.c = %3.c, last %6.last0
      next %7.c = %5.c, last %8.last0
    store last0[0, i] = %4.last0
    store last0[1, i] = %6.last0
    store last0[2, i] = %8.last0
