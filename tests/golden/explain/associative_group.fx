# test: explain --cpu=x86-64-v3 --threads=2
class GraphModule(torch.nn.Module):
    def forward(self, u: "f32[s0]", v: "f32[s0]", gate: "f32[s0]"):
        sigmoid: "f32[s0]" = torch.ops.aten.sigmoid.default(u)
        mul: "f32[s0]" = torch.ops.aten.mul.Tensor(v, 0.5)
        body = self.body
        associative_scan = torch.ops.higher_order.associative_scan(body, [sigmoid, mul], ())
        h: "f32[s0]" = associative_scan[1]
        tanh: "f32[s0]" = torch.ops.aten.tanh.default(h)
        out: "f32[s0]" = torch.ops.aten.mul.Tensor(tanh, gate)
        return (out,)

    class body(torch.nn.Module):
        def forward(self, a1: "f32[]", b1: "f32[]", a2: "f32[]", b2: "f32[]"):
            mul: "f32[]" = torch.ops.aten.mul.Tensor(a2, a1)
            mul_1: "f32[]" = torch.ops.aten.mul.Tensor(a2, b1)
            add: "f32[]" = torch.ops.aten.add.Tensor(mul_1, b2)
            return [mul, add]
# ----
program: one call, 1 kernel, 0 interpreted steps, scratch by the sizes of the inputs
scan with its group fused_5 (sigmoid, mul, associative_scan, tanh, mul; lines 4 to 10): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 carries, 3 inputs, 1 result
  order:     network, as there are too few elements for segments; instructions for 8 elements: network 276, segments 191, left fold 536
  axes:      t prefix (lanes, size known at run time)
  schedule:  8 elements along t in a vector, combined among each other, then with those before, carries in registers
  per step:  7 operations (7 of floating-point numbers) and 16 bytes per point, 1 point
  threads:   up to 2, stretches of 16384 elements, in their order; one if there are fewer than 349525
