# test: print --form=loops
class GraphModule(torch.nn.Module):
    def forward(self, init: "f32[s1]", xs: "f32[s0, s2, s1]", w: "f32[s2]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [xs], (w,))
        getitem: "f32[s1]" = scan[0]
        getitem_1: "f32[s0, s2, s1]" = scan[1]
        getitem_2: "f32[s0, s1]" = scan[2]
        return (getitem, getitem_1, getitem_2)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[s1]", x: "f32[s2, s1]", w: "f32[s2]"):
            unsqueeze: "f32[s2, 1]" = torch.ops.aten.unsqueeze.default(w, 1)
            mul: "f32[s2, s1]" = torch.ops.aten.mul.Tensor(x, unsqueeze)
            scan_combine_graph_0 = self.scan_combine_graph_0
            scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [mul], ())
            getitem: "f32[s1]" = scan[0]
            getitem_1: "f32[s2, s1]" = scan[1]
            add: "f32[s2, s1]" = torch.ops.aten.add.Tensor(getitem_1, x)
            neg: "f32[s1]" = torch.ops.aten.neg.default(getitem)
            return [getitem, add, neg]

        class scan_combine_graph_0(torch.nn.Module):
            def forward(self, c: "f32[s1]", x: "f32[s1]"):
                mul: "f32[s1]" = torch.ops.aten.mul.Tensor(c, 0.5)
                add: "f32[s1]" = torch.ops.aten.add.Tensor(mul, x)
                clone: "f32[s1]" = torch.ops.aten.clone.default(add)
                return [add, clone]
# ----
# x86-64-v3, contiguous operands
kernel scanc_k_scan(length, lanes, x.t, y0.t)
  in c: f32[lanes] strides [1]
  in x: f32[length, lanes] strides [x.t, 1]
  out last0: f32[lanes] strides [1]
  out y0: f32[length, lanes] strides [y0.t, 1]
  for i < lanes parallel lanes 8 unroll 8
    %0.c: f32 = load c[i]
    %1: f32 = const 0.5
    for t < length sequential carry %2.c = %0.c
      %4.mul: f32 = mul.f32 %2.c, %1
      %5.x: f32 = load x[t, i]
      %6.add: f32 = add.f32 %4.mul, %5.x
      store y0[t, i] = %6.add
      next %2.c = %6.add, last %3.last0
    store last0[i] = %3.last0
kernel scanc_k_scan(length, inner0, lanes, x.t, x.k0, w.k0, y0.t, y0.k0, y1.t)
  in c: f32[lanes] strides [1]
  in x: f32[length, inner0, lanes] strides [x.t, x.k0, 1]
  in w: f32[inner0] strides [w.k0]
  out last0: f32[lanes] strides [1]
  out y0: f32[length, inner0, lanes] strides [y0.t, y0.k0, 1]
  out y1: f32[length, lanes] strides [y1.t, 1]
  for i < lanes parallel lanes 8 unroll 2
    %0.c: f32 = load c[i]
    %1: f32 = const 0.5
    for t < length sequential carry %2.c = %0.c
      for k0 < inner0 sequential carry %4.c = %2.c
        %6.x: f32 = load x[t, k0, i]
        %7.w: f32 = load w[k0]
        %8.mul: f32 = mul.f32 %6.x, %7.w
        %9.mul: f32 = mul.f32 %4.c, %1
        %10.add: f32 = add.f32 %9.mul, %8.mul
        %11.add: f32 = add.f32 %10.add, %6.x
        store y0[t, k0, i] = %11.add
        next %4.c = %10.add, last %5.c
      %12.neg: f32 = neg.f32 %5.c
      store y1[t, i] = %12.neg
      next %2.c = %5.c, last %3.last0
    store last0[i] = %3.last0
