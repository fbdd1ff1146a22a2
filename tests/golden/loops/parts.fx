# test: print --form=loops
class GraphModule(torch.nn.Module):
    def forward(self, p: "f32[5]", q: "f64[7, 3]", xs: "f32[100, 5]", zs: "f64[100, 3]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [p, q], [xs, zs], ())
        getitem: "f32[5]" = scan[0]
        getitem_1: "f64[7, 3]" = scan[1]
        getitem_2: "f32[100, 5]" = scan[2]
        return (getitem, getitem_1, getitem_2)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, p: "f32[5]", q: "f64[7, 3]", x: "f32[5]", z: "f64[3]"):
            add: "f32[5]" = torch.ops.aten.add.Tensor(p, x)
            mul: "f64[7, 3]" = torch.ops.aten.mul.Tensor(q, z)
            neg: "f32[5]" = torch.ops.aten.neg.default(add)
            return [add, mul, neg]
# ----
# x86-64-v3, contiguous operands
kernel scanc_k_scan(length, outer0, lanes, q.o0, z.t, last1.o0, lanes1, x1.t, y01.t)
  in q: f64[outer0, 3] strides [q.o0, 1]
  in z: f64[length, 3] strides [z.t, 1]
  out last1: f64[outer0, 3] strides [last1.o0, 1]
  in p: f32[5] strides [1]
  in x: f32[length, 5] strides [x1.t, 1]
  out last0: f32[5] strides [1]
  out y0: f32[length, 5] strides [y01.t, 1]
  for o0 < outer0 parallel
    for i < 3 parallel lanes 2 unroll 2
      %0.q: f64 = load q[o0, i]
      for t < length sequential carry %1.q = %0.q
        %3.z: f64 = load z[t, i]
        %4.mul: f64 = mul.f64 %1.q, %3.z
        next %1.q = %4.mul, last %2.last1
      store last1[o0, i] = %2.last1
  for i1 < 5 parallel lanes 4 unroll 2
    %5.p: f32 = load p[i1]
    for t < length sequential carry %6.p = %5.p
      %8.x: f32 = load x[t, i1]
      %9.add: f32 = add.f32 %6.p, %8.x
      %10.neg: f32 = neg.f32 %9.add
      store y0[t, i1] = %10.neg
      next %6.p = %9.add, last %7.last0
    store last0[i1] = %7.last0
