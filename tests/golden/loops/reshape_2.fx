# test: print --form=loops
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[s0]", x: "f32[s3, s0]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x], ())
        getitem: "f32[s0]" = scan[0]
        getitem_1: "f32[s3, (s0//4)]" = scan[1]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[s0]", x: "f32[s0]"):
            view: "f32[(s0//4), 4]" = torch.ops.aten.view.default(c, [-1, 4])
            select: "f32[(s0//4)]" = torch.ops.aten.select.int(view, 1, 2)
            unsqueeze: "f32[(s0//4), 1]" = torch.ops.aten.unsqueeze.default(select, 1)
            view_1: "f32[(s0//4), 4]" = torch.ops.aten.view.default(x, [-1, 4])
            add: "f32[(s0//4), 4]" = torch.ops.aten.add.Tensor(view_1, unsqueeze)
            view_2: "f32[s0]" = torch.ops.aten.view.default(add, [-1])
            return [view_2, select]
# ----
# x86-64-v3, contiguous operands
kernel scanc_k_scan(length, lanes, c.d1, c.i, x.t, x.d2, x.i, last0.d1, last0.i, y0.t)
  in c: f32[4, lanes] strides [c.d1, c.i]
  in x: f32[length, 4, lanes] strides [x.t, x.d2, x.i]
  out last0: f32[4, lanes] strides [last0.d1, last0.i]
  out y0: f32[length, lanes] strides [y0.t, 1]
  for i < lanes parallel lanes 8 unroll 1
    %0.c: f32 = load c[0, i]
    %1.c: f32 = load c[1, i]
    %2.c: f32 = load c[2, i]
    %3.c: f32 = load c[3, i]
    for t < length sequential carry %4.c = %0.c, %6.c = %1.c, %8.c = %2.c, %10.c = %3.c
      %12.x: f32 = load x[t, 0, i]
      %13.add: f32 = add.f32 %12.x, %8.c
      %14.x: f32 = load x[t, 1, i]
      %15.add: f32 = add.f32 %14.x, %8.c
      %16.x: f32 = load x[t, 2, i]
      %17.add: f32 = add.f32 %16.x, %8.c
      %18.x: f32 = load x[t, 3, i]
      %19.add: f32 = add.f32 %18.x, %8.c
      store y0[t, i] = %8.c
      next %4.c = %13.add, last %5.last0
      next %6.c = %15.add, last %7.last0
      next %8.c = %17.add, last %9.last0
      next %10.c = %19.add, last %11.last0
    store last0[0, i] = %5.last0
    store last0[1, i] = %7.last0
    store last0[2, i] = %9.last0
    store last0[3, i] = %11.last0
