# test: print --form=loops
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[100, 8]", b: "f32[100, 8]", k: "f32[]"):
        associative_scan_combine_graph_0 = self.associative_scan_combine_graph_0
        associative_scan = torch.ops.higher_order.associative_scan(associative_scan_combine_graph_0, [a, b], (k,))
        getitem: "f32[100, 8]" = associative_scan[0]
        getitem_1: "f32[100, 8]" = associative_scan[1]
        return (getitem, getitem_1)

    class associative_scan_combine_graph_0(torch.nn.Module):
        def forward(self, a1: "f32[8]", b1: "f32[8]", a2: "f32[8]", b2: "f32[8]", k: "f32[]"):
            mul: "f32[8]" = torch.ops.aten.mul.Tensor(a2, a1)
            mul_1: "f32[8]" = torch.ops.aten.mul.Tensor(a2, b1)
            add: "f32[8]" = torch.ops.aten.add.Tensor(mul_1, b2)
            mul_2: "f32[8]" = torch.ops.aten.mul.Tensor(add, k)
            return [mul, mul_2]
# ----
# x86-64-v3, contiguous operands
kernel scanc_k_associative_scan(steps, lanes, a1.t, b1.t, y0.t, y1.t)
  in a1: f32[steps + 1, 8] strides [a1.t, 1]
  in b1: f32[steps + 1, 8] strides [b1.t, 1]
  in k: f32[] strides []
  out y0: f32[steps + 1, 8] strides [y0.t, 1]
  out y1: f32[steps + 1, 8] strides [y1.t, 1]
  for i < 8 parallel lanes 8 unroll 1
    %0.a2: f32 = load a1[0, i]
    store y0[0, i] = %0.a2
    %1.b2: f32 = load b1[0, i]
    store y1[0, i] = %1.b2
    %2.k: f32 = load k[]
    for t < steps prefix carry %3.a1 = %0.a2, %5.b1 = %1.b2
      %7.a2: f32 = load a1[t + 1, i]
      %8.mul: f32 = mul.f32 %7.a2, %3.a1
      store y0[t + 1, i] = %8.mul
      %9.mul_1: f32 = mul.f32 %7.a2, %5.b1
      %10.b2: f32 = load b1[t + 1, i]
      %11.add: f32 = add.f32 %9.mul_1, %10.b2
      %12.mul_2: f32 = mul.f32 %11.add, %2.k
      store y1[t + 1, i] = %12.mul_2
      next %3.a1 = %8.mul, last %4
      next %5.b1 = %12.mul_2, last %6
