# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, u: "f32[s0]"):
        sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(u, 0)
        expand: "f32[s0]" = torch.ops.aten.full.default([sym_size_int], 0.5)
        body = self.body
        associative_scan = torch.ops.higher_order.associative_scan(body, [expand, u], ())
        h: "f32[s0]" = associative_scan[1]
        return (h,)

    class body(torch.nn.Module):
        def forward(self, a1: "f32[]", b1: "f32[]", a2: "f32[]", b2: "f32[]"):
            mul: "f32[]" = torch.ops.aten.mul.Tensor(a2, a1)
            mul_1: "f32[]" = torch.ops.aten.mul.Tensor(a2, b1)
            add: "f32[]" = torch.ops.aten.add.Tensor(mul_1, b2)
            return [mul, add]
# ----
program: one call, 1 kernel, 0 interpreted steps, 64 bytes of scratch
scan with its group fused_3 (full, associative_scan; lines 5 to 7): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 carries, 2 inputs, 1 result
  order:     network, as that is the least; instructions for 8 elements: network 24, segments 34, left fold 32
  axes:      t prefix (lanes, size known at run time)
  schedule:  8 elements along t in a vector, combined among each other, then with those before, carries in registers
  per step:  3 operations (3 of floating-point numbers) and 8 bytes per point, 1 point
