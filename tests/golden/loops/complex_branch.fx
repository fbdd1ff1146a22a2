# test: print --form=loops
class GraphModule(torch.nn.Module):
    def forward(self, init: "c64[8]", xs: "c64[100, 8]", flags: "b8[100]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [xs, flags], ())
        getitem: "c64[8]" = scan[0]
        return (getitem,)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "c64[8]", x: "c64[8]", flag: "b8[]"):
            true_graph_0 = self.true_graph_0
            false_graph_0 = self.false_graph_0
            cond = torch.ops.higher_order.cond(flag, true_graph_0, false_graph_0, (c, x))
            getitem: "c64[8]" = cond[0]
            return [getitem, None]

        class true_graph_0(torch.nn.Module):
            def forward(self, c: "c64[8]", x: "c64[8]"):
                mul: "c64[8]" = torch.ops.aten.mul.Tensor(c, x)
                return (mul,)

        class false_graph_0(torch.nn.Module):
            def forward(self, c: "c64[8]", x: "c64[8]"):
                sub: "c64[8]" = torch.ops.aten.sub.Tensor(c, x)
                return (sub,)
# ----
# x86-64-v3, contiguous operands
kernel scanc_k_scan(length, lanes, c.i, x.t, x.i, flag.t, last0.i)
  in c: f32[8, 2] strides [c.i, 1]
  in x: f32[length, 8, 2] strides [x.t, x.i, 1]
  in flag: b8[length] strides [flag.t]
  out last0: f32[8, 2] strides [last0.i, 1]
  for i < 8 parallel lanes 8 unroll 1
    %0.c: f32 = load c[i, 0]
    %1.c: f32 = load c[i, 1]
    for t < length sequential carry %2.c = %0.c, %4.c = %1.c
      %6.x: f32 = load x[t, i, 0]
      %7: f32 = mul.f32 %2.c, %6.x
      %8.x: f32 = load x[t, i, 1]
      %9: f32 = mul.f32 %4.c, %8.x
      %10: f32 = sub.f32 %7, %9
      %11: f32 = mul.f32 %2.c, %8.x
      %12: f32 = mul.f32 %4.c, %6.x
      %13: f32 = add.f32 %11, %12
      %14: f32 = sub.f32 %2.c, %6.x
      %15: f32 = sub.f32 %4.c, %8.x
      %16.flag: b8 = load flag[t]
      %17.cond: f32 = where.f32 %16.flag, %10, %14
      %18.cond: f32 = where.f32 %16.flag, %13, %15
      next %2.c = %17.cond, last %3.last0
      next %4.c = %18.cond, last %5.last0
    store last0[i, 0] = %3.last0
    store last0[i, 1] = %5.last0
