# test: print --form=loops
class GraphModule(torch.nn.Module):
    def forward(self, c: "i64[s1]", x: "i64[s3, s0, s1]", w: "f16[s3, s0, s1]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x, w], ())
        getitem: "i64[s1]" = scan[0]
        getitem_1: "i64[s3, s0, s1]" = scan[1]
        getitem_2: "f16[s3, s0, s1]" = scan[2]
        return (getitem, getitem_1, getitem_2)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "i64[s1]", x: "i64[s0, s1]", w: "f16[s0, s1]"):
            inner_0 = self.inner_0
            scan = torch.ops.higher_order.associative_scan(inner_0, [x, w], ())
            getitem: "i64[s0, s1]" = scan[0]
            getitem_1: "f16[s0, s1]" = scan[1]
            add: "i64[s0, s1]" = torch.ops.aten.add.Tensor(c, getitem)
            add_1: "i64[s1]" = torch.ops.aten.add.Tensor(c, 1)
            return [add_1, add, getitem_1]

        class inner_0(torch.nn.Module):
            def forward(self, a: "i64[s1]", b: "f16[s1]", c: "i64[s1]", d: "f16[s1]"):
                remainder: "i64[s1]" = torch.ops.aten.remainder.Tensor(c, a)
                mul: "f16[s1]" = torch.ops.aten.mul.Tensor(b, d)
                sub: "f16[s1]" = torch.ops.aten.sub.Tensor(d, mul)
                add: "i64[s1]" = torch.ops.aten.add.Tensor(remainder, 3)
                return [add, sub]
# ----
# x86-64-v3, contiguous operands
kernel scanc_k_scan(steps, lanes, a.t, y0.t, lanes1, b1.t, y11.t)
  in a: i64[steps + 1, lanes] strides [a.t, 1]
  out y0: i64[steps + 1, lanes] strides [y0.t, 1]
  in b: f16[steps + 1, lanes1] strides [b1.t, 1]
  out y1: f16[steps + 1, lanes1] strides [y11.t, 1]
  fault 0: integer division by zero in remainder
  for i < lanes parallel lanes 4 unroll 4
    %0.c: i64 = load a[0, i]
    store y0[0, i] = %0.c
    %1: i64 = const 3
    for t < steps prefix carry %2.a = %0.c
      %4.c: i64 = load a[t + 1, i]
      %5.remainder: i64 = remainder.i64 %4.c, %2.a fault 0
      %6.add: i64 = add.i64 %5.remainder, %1
      store y0[t + 1, i] = %6.add
      next %2.a = %6.add, last %3
  for i1 < lanes1 parallel lanes 8 unroll 8
    %7.d: f16 = load b[0, i1]
    store y1[0, i1] = %7.d
    for t < steps prefix carry %8.b = %7.d
      %10: f32 = cast %8.b
      %11.d: f16 = load b[t + 1, i1]
      %12: f32 = cast %11.d
      %13.mul: f32 = mul.f32 %10, %12
      %14: f16 = cast %13.mul
      %15: f32 = cast %11.d
      %16: f32 = cast %14
      %17.sub: f32 = sub.f32 %15, %16
      %18: f16 = cast %17.sub
      store y1[t + 1, i1] = %18
      next %8.b = %18, last %9
kernel scanc_k_scan(length, inner0, lanes, x.t, x.k0, y0.t, y0.k0, lanes1, w1.t, w1.k0, y11.t, y11.k0)
  in c: i64[lanes] strides [1]
  in x: i64[length, inner0, lanes] strides [x.t, x.k0, 1]
  out last0: i64[lanes] strides [1]
  out y0: i64[length, inner0, lanes] strides [y0.t, y0.k0, 1]
  in w: f16[length, inner0, lanes1] strides [w1.t, w1.k0, 1]
  out y1: f16[length, inner0, lanes1] strides [y11.t, y11.k0, 1]
  fault 0: integer division by zero in remainder
  for i < lanes parallel lanes 4 unroll 2
    %0.c: i64 = load c[i]
    %1: i64 = const 0
    %2: b8 = const 0
    %3: b8 = const 1
    %4: i64 = const 1
    %5: i64 = const 3
    %6: i64 = const 1
    for t < length sequential carry %7.c = %0.c
      %9.add_1: i64 = add.i64 %7.c, %6
      for k0 < inner0 sequential carry %10.a = %1, %12.started = %2
        %14: i64 = where.i64 %12.started, %10.a, %4
        %15.x: i64 = load x[t, k0, i]
        %16.remainder: i64 = remainder.i64 %15.x, %14 fault 0
        %17.add: i64 = add.i64 %16.remainder, %5
        %18.scan: i64 = where.i64 %12.started, %17.add, %15.x
        %19.add: i64 = add.i64 %7.c, %18.scan
        store y0[t, k0, i] = %19.add
        next %10.a = %18.scan, last %11.a
        next %12.started = %3, last %13
      next %7.c = %9.add_1, last %8.last0
    store last0[i] = %8.last0
  for i1 < lanes1 parallel lanes 8 unroll 8
    %20: f16 = const 0
    %21: b8 = const 0
    %22: b8 = const 1
    for t < length sequential
      for k0 < inner0 sequential carry %23.b = %20, %25.started = %21
        %27: f32 = cast %23.b
        %28.w: f16 = load w[t, k0, i1]
        %29: f32 = cast %28.w
        %30.mul: f32 = mul.f32 %27, %29
        %31: f16 = cast %30.mul
        %32: f32 = cast %28.w
        %33: f32 = cast %31
        %34.sub: f32 = sub.f32 %32, %33
        %35: f16 = cast %34.sub
        %36: f32 = cast %35
        %37: f32 = cast %28.w
        %38.scan: f32 = where.f32 %25.started, %36, %37
        %39: f16 = cast %38.scan
        store y1[t, k0, i1] = %39
        next %23.b = %39, last %24.b
        next %25.started = %22, last %26
