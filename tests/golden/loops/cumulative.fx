# test: print --form=loops
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[6, 100, 64]"):
        cumsum: "f32[6, 100, 64]" = torch.ops.aten.cumsum.default(x, 1)
        cummax = torch.ops.aten.cummax.default(cumsum, 2)
        getitem: "f32[6, 100, 64]" = cummax[0]
        cummin = torch.ops.aten.cummin.default(cumsum, 0)
        getitem_1: "f32[6, 100, 64]" = cummin[0]
        getitem_2: "i64[6, 100, 64]" = cummin[1]
        return (getitem, getitem_1, getitem_2)
# ----
# x86-64-v3, contiguous operands
kernel scanc_k_cumsum(steps, outer0, lanes, x.t, x.o0, y.t, y.o0)
  in x: f32[steps + 1, outer0, 64] strides [x.t, x.o0, 1]
  out y: f32[steps + 1, outer0, 64] strides [y.t, y.o0, 1]
  for o0 < outer0 parallel
    for i < 64 parallel lanes 4 unroll 8
      %0.x: f32 = load x[0, o0, i]
      %1: f64 = cast %0.x
      %2: f64 = const 0
      %3: f64 = add.f64 %1, %2
      %4: f32 = cast %3
      store y[0, o0, i] = %4
      for t < steps prefix carry %5.state = %3
        %7.x: f32 = load x[t + 1, o0, i]
        %8: f64 = cast %7.x
        %9: f64 = add.f64 %8, %2
        %10: f64 = add.f64 %5.state, %9
        %11: f32 = cast %10
        store y[t + 1, o0, i] = %11
        next %5.state = %10, last %6
kernel scanc_k_cummax(steps, lanes, x.t, x.i, y.t, y.i)
  in x: f32[steps + 1, 600] strides [x.t, x.i]
  out y: f32[steps + 1, 600] strides [y.t, y.i]
  for i < 600 parallel
    %0.x: f32 = load x[0, i]
    store y[0, i] = %0.x
    for t < steps prefix network of 8, exact, skipping 32 without effect carry %1.state = %0.x
      %3.x: f32 = load x[t + 1, i]
      %4: b8 = ge.f32 %3.x, %1.state
      %5: b8 = eq.f32 %1.state, %1.state
      %6: b8 = ne.f32 %3.x, %3.x
      %7: b8 = logical_and.b8 %5, %4
      %8: b8 = logical_or.b8 %6, %7
      %9: f32 = where.f32 %8, %3.x, %1.state
      store y[t + 1, i] = %9
      next %1.state = %9, item %3.x, last %2
kernel scanc_k_cummin(steps, lanes, x.t, y.t, where.t)
  in x: f32[steps + 1, 6400] strides [x.t, 1]
  out y: f32[steps + 1, 6400] strides [y.t, 1]
  out where: i64[steps + 1, 6400] strides [where.t, 1]
  for i < 6400 parallel lanes 4 unroll 2
    %0.x: f32 = load x[0, i]
    store y[0, i] = %0.x
    %1: i64 = point 0
    store where[0, i] = %1
    for t < steps prefix carry %2.state = %0.x, %4.where = %1
      %6.x: f32 = load x[t + 1, i]
      %7: b8 = le.f32 %6.x, %2.state
      %8: b8 = eq.f32 %2.state, %2.state
      %9: b8 = ne.f32 %6.x, %6.x
      %10: b8 = logical_and.b8 %8, %7
      %11: b8 = logical_or.b8 %9, %10
      %12: f32 = where.f32 %11, %6.x, %2.state
      store y[t + 1, i] = %12
      %13: i64 = point t + 1
      %14: i64 = where.i64 %11, %13, %4.where
      store where[t + 1, i] = %14
      next %2.state = %12, last %3
      next %4.where = %14, last %5
