# test: print --form=loops
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0, 4]", y: "f32[4]"):
        mul: "f32[s0, 4]" = torch.ops.aten.mul.Tensor(x, y)
        relu: "f32[s0, 4]" = torch.ops.aten.relu.default(mul)
        neg: "f32[4]" = torch.ops.aten.neg.default(y)
        return (relu, neg, x)
# ----
# x86-64-v3, contiguous operands
kernel scanc_k_invoke_subgraph(outer0, lanes, x.o0, y0.o0)
  in x: f32[outer0, 4] strides [x.o0, 1]
  in y: f32[4] strides [1]
  out y0: f32[outer0, 4] strides [y0.o0, 1]
  for o0 < outer0 parallel
    for i < 4 parallel lanes 4 unroll 1
      %0.x: f32 = load x[o0, i]
      %1.y: f32 = load y[i]
      %2.mul: f32 = mul.f32 %0.x, %1.y
      %3.relu: f32 = relu.f32 %2.mul
      store y0[o0, i] = %3.relu
kernel scanc_k_invoke_subgraph_1(lanes)
  in y: f32[4] strides [1]
  out y0: f32[4] strides [1]
  for i < 4 parallel lanes 4 unroll 1
    %0.y: f32 = load y[i]
    %1.neg: f32 = neg.f32 %0.y
    store y0[i] = %1.neg
kernel scanc_k_invoke_subgraph_2(lanes)
  in x: f32[lanes] strides [1]
  out y0: f32[lanes] strides [1]
  for i < lanes parallel lanes 8 unroll 4
    %0.x: f32 = load x[i]
    store y0[i] = %0.x
