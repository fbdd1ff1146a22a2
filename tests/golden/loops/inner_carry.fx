# test: print --form=loops
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[s0, s1]", h: "f32[s0, s1]", x: "f32[s3, s0, s1]", z: "f32[s1]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c, h], [x], (z,))
        getitem: "f32[s0, s1]" = scan[0]
        getitem_1: "f32[s0, s1]" = scan[1]
        getitem_2: "f32[s3, s1]" = scan[2]
        return (getitem, getitem_1, getitem_2)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[s0, s1]", h: "f32[s0, s1]", x: "f32[s0, s1]", z: "f32[s1]"):
            inner_0 = self.inner_0
            scan = torch.ops.higher_order.scan(inner_0, [z], [c, x], ())
            getitem: "f32[s1]" = scan[0]
            getitem_1: "f32[s0, s1]" = scan[1]
            mul: "f32[s0, s1]" = torch.ops.aten.mul.Tensor(h, 0.5)
            sub: "f32[s0, s1]" = torch.ops.aten.sub.Tensor(getitem_1, mul)
            return [sub, c, getitem]

        class inner_0(torch.nn.Module):
            def forward(self, s: "f32[s1]", c: "f32[s1]", x: "f32[s1]"):
                add: "f32[s1]" = torch.ops.aten.add.Tensor(s, c)
                sigmoid: "f32[s1]" = torch.ops.aten.sigmoid.default(add)
                add_1: "f32[s1]" = torch.ops.aten.add.Tensor(sigmoid, x)
                return [add_1, add]
# ----
# x86-64-v3, contiguous operands
kernel scanc_k_scan(length, lanes, c.t, x.t, y0.t)
  in s: f32[lanes] strides [1]
  in c: f32[length, lanes] strides [c.t, 1]
  in x: f32[length, lanes] strides [x.t, 1]
  out last0: f32[lanes] strides [1]
  out y0: f32[length, lanes] strides [y0.t, 1]
  for i < lanes parallel lanes 8 unroll 8
    %0.s: f32 = load s[i]
    for t < length sequential carry %1.s = %0.s
      %3.c: f32 = load c[t, i]
      %4.add: f32 = add.f32 %1.s, %3.c
      store y0[t, i] = %4.add
      %5.sigmoid: f32 = sigmoid.f32 %4.add
      %6.x: f32 = load x[t, i]
      %7.add_1: f32 = add.f32 %5.sigmoid, %6.x
      next %1.s = %7.add_1, last %2.last0
    store last0[i] = %2.last0
kernel scanc_k_scan(length, inner0, lanes, c.k0, h.k0, x.t, x.k0, last0.k0, last1.k0, y0.t, carry0.0, carry1.0)
  in c: f32[inner0, lanes] strides [c.k0, 1]
  in h: f32[inner0, lanes] strides [h.k0, 1]
  in x: f32[length, inner0, lanes] strides [x.t, x.k0, 1]
  in z: f32[lanes] strides [1]
  out last0: f32[inner0, lanes] strides [last0.k0, 1]
  out last1: f32[inner0, lanes] strides [last1.k0, 1]
  out y0: f32[length, lanes] strides [y0.t, 1]
  scratch carry0: f32[inner0, lanes] strides [carry0.0, 1]
  scratch carry1: f32[inner0, lanes] strides [carry1.0, 1]
  for i < lanes parallel lanes 8 unroll 4
    for k0 < inner0 sequential
      %0.c: f32 = load c[k0, i]
      store carry0[k0, i] = %0.c
    for k0 < inner0 sequential
      %1.h: f32 = load h[k0, i]
      store carry1[k0, i] = %1.h
    %2.z: f32 = load z[i]
    %3: f32 = const 0.5
    for t < length sequential
      for k0 < inner0 sequential carry %4.s = %2.z
        %6.c: f32 = load carry0[k0, i]
        %7.add: f32 = add.f32 %4.s, %6.c
        %8.sigmoid: f32 = sigmoid.f32 %7.add
        %9.x: f32 = load x[t, k0, i]
        %10.add_1: f32 = add.f32 %8.sigmoid, %9.x
        %11.h: f32 = load carry1[k0, i]
        %12.mul: f32 = mul.f32 %11.h, %3
        %13.sub: f32 = sub.f32 %7.add, %12.mul
        store carry0[k0, i] = %13.sub
        store carry1[k0, i] = %6.c
        next %4.s = %10.add_1, last %5.s
      store y0[t, i] = %5.s
    for k0 < inner0 sequential
      %14.c: f32 = load carry0[k0, i]
      store last0[k0, i] = %14.c
    for k0 < inner0 sequential
      %15.h: f32 = load carry1[k0, i]
      store last1[k0, i] = %15.h
