# test: print --form=loops --after=dce
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[s0, 100]", b: "f32[s0, 100]"):
        associative_scan_combine_graph_0 = self.associative_scan_combine_graph_0
        movedim: "f32[100, s0]" = torch.ops.aten.movedim.int(a, 1, 0)
        movedim_1: "f32[100, s0]" = torch.ops.aten.movedim.int(b, 1, 0)
        associative_scan = torch.ops.higher_order.associative_scan(associative_scan_combine_graph_0, [movedim, movedim_1], ())
        getitem: "f32[100, s0]" = associative_scan[1]
        return (getitem,)

    class associative_scan_combine_graph_0(torch.nn.Module):
        def forward(self, a1: "f32[s0]", b1: "f32[s0]", a2: "f32[s0]", b2: "f32[s0]"):
            mul: "f32[s0]" = torch.ops.aten.mul.Tensor(a2, a1)
            mul_1: "f32[s0]" = torch.ops.aten.mul.Tensor(a2, b1)
            add: "f32[s0]" = torch.ops.aten.add.Tensor(mul_1, b2)
            return [mul, add]
# ----
# x86-64-v3, contiguous operands
kernel scanc_k_associative_scan(steps, lanes, a1.t, a1.i, b1.t, b1.i, y1.t)
  in a1: f32[steps + 1, lanes] strides [a1.t, a1.i]
  in b1: f32[steps + 1, lanes] strides [b1.t, b1.i]
  out y1: f32[steps + 1, lanes] strides [y1.t, 1]
  for i < lanes parallel
    %0.a2: f32 = load a1[0, i]
    %1.b2: f32 = load b1[0, i]
    store y1[0, i] = %1.b2
    for t < steps prefix network of 8 carry %2.a1 = %0.a2, %4.b1 = %1.b2
      %6.a2: f32 = load a1[t + 1, i]
      %7.b2: f32 = load b1[t + 1, i]
      %8.mul: f32 = mul.f32 %6.a2, %2.a1
      %9.mul_1: f32 = mul.f32 %6.a2, %4.b1
      %10.add: f32 = add.f32 %9.mul_1, %7.b2
      store y1[t + 1, i] = %10.add
      next %2.a1 = %8.mul, item %6.a2, last %3
      next %4.b1 = %10.add, item %7.b2, last %5
