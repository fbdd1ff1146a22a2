# test: print --form=loops
class GraphModule(torch.nn.Module):
    def forward(self, h: "f32[s1, 3]", xs: "f32[s0, s1, 3]", w: "f32[3, 3]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [h], [xs], (w,));  scan_combine_graph_0 = h = xs = w = None
        getitem: "f32[s1, 3]" = scan[0]
        getitem_1: "f32[s0, s1]" = scan[1];  scan = None
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, arg0_1: "f32[s1, 3]", arg1_1: "f32[s1, 3]", arg2_1: "f32[3, 3]"):
            mm: "f32[s1, 3]" = torch.ops.aten.mm.default(arg0_1, arg2_1)
            add: "f32[s1, 3]" = torch.ops.aten.add.Tensor(mm, arg1_1)
            amax: "f32[s1]" = torch.ops.aten.amax.default(add, [1])
            return [add, amax]
# ----
# x86-64-v3, contiguous operands
kernel scanc_k_scan(length, lanes, arg0_1.d1, arg0_1.i, arg1_1.t, arg1_1.d2, arg1_1.i, arg2_1.d0, arg2_1.d1, last0.d1, last0.i, y0.t)
  in arg0_1: f32[3, lanes] strides [arg0_1.d1, arg0_1.i]
  in arg1_1: f32[length, 3, lanes] strides [arg1_1.t, arg1_1.d2, arg1_1.i]
  in arg2_1: f32[3, 3] strides [arg2_1.d0, arg2_1.d1]
  out last0: f32[3, lanes] strides [last0.d1, last0.i]
  out y0: f32[length, lanes] strides [y0.t, 1]
  for i < lanes parallel lanes 8 unroll 2
    %0.arg0_1: f32 = load arg0_1[0, i]
    %1.arg0_1: f32 = load arg0_1[1, i]
    %2.arg0_1: f32 = load arg0_1[2, i]
    %3.arg2_1: f32 = load arg2_1[0, 0]
    %4.arg2_1: f32 = load arg2_1[0, 1]
    %5.arg2_1: f32 = load arg2_1[0, 2]
    %6.arg2_1: f32 = load arg2_1[1, 0]
    %7.arg2_1: f32 = load arg2_1[1, 1]
    %8.arg2_1: f32 = load arg2_1[1, 2]
    %9.arg2_1: f32 = load arg2_1[2, 0]
    %10.arg2_1: f32 = load arg2_1[2, 1]
    %11.arg2_1: f32 = load arg2_1[2, 2]
    %12: f32 = const 0
    %13: f32 = const 0
    %14: f32 = const 0
    for t < length sequential carry %15.arg0_1 = %0.arg0_1, %17.arg0_1 = %1.arg0_1, %19.arg0_1 = %2.arg0_1
      %21: f32 = mul.f32 %15.arg0_1, %3.arg2_1
      %22: f32 = add.f32 %12, %21
      %23: f32 = mul.f32 %17.arg0_1, %6.arg2_1
      %24: f32 = add.f32 %22, %23
      %25: f32 = mul.f32 %19.arg0_1, %9.arg2_1
      %26: f32 = add.f32 %24, %25
      %27: f32 = mul.f32 %15.arg0_1, %4.arg2_1
      %28: f32 = add.f32 %13, %27
      %29: f32 = mul.f32 %17.arg0_1, %7.arg2_1
      %30: f32 = add.f32 %28, %29
      %31: f32 = mul.f32 %19.arg0_1, %10.arg2_1
      %32: f32 = add.f32 %30, %31
      %33: f32 = mul.f32 %15.arg0_1, %5.arg2_1
      %34: f32 = add.f32 %14, %33
      %35: f32 = mul.f32 %17.arg0_1, %8.arg2_1
      %36: f32 = add.f32 %34, %35
      %37: f32 = mul.f32 %19.arg0_1, %11.arg2_1
      %38: f32 = add.f32 %36, %37
      %39.arg1_1: f32 = load arg1_1[t, 0, i]
      %40.add: f32 = add.f32 %26, %39.arg1_1
      %41.arg1_1: f32 = load arg1_1[t, 1, i]
      %42.add: f32 = add.f32 %32, %41.arg1_1
      %43.arg1_1: f32 = load arg1_1[t, 2, i]
      %44.add: f32 = add.f32 %38, %43.arg1_1
      %45: f32 = maximum.f32 %40.add, %44.add
      %46: f32 = maximum.f32 %45, %42.add
      store y0[t, i] = %46
      next %15.arg0_1 = %40.add, last %16.last0
      next %17.arg0_1 = %42.add, last %18.last0
      next %19.arg0_1 = %44.add, last %20.last0
    store last0[0, i] = %16.last0
    store last0[1, i] = %18.last0
    store last0[2, i] = %20.last0
