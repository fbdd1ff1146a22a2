# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[64]", u: "f32[s0, 64]", b: "f32[]", v: "f32[s0]"):
        sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(u, 0)
        expand: "f32[s0, 64]" = torch.ops.aten.expand.default(a, [sym_size_int, 64])
        body = self.body
        associative_scan = torch.ops.higher_order.associative_scan(body, [expand, u], ())
        h: "f32[s0, 64]" = associative_scan[1]
        expand_1: "f32[s0]" = torch.ops.aten.expand.default(b, [sym_size_int])
        row = self.row
        associative_scan_1 = torch.ops.higher_order.associative_scan(row, [expand_1, v], ())
        k: "f32[s0]" = associative_scan_1[1]
        return (h, k)

    class body(torch.nn.Module):
        def forward(self, a1: "f32[64]", b1: "f32[64]", a2: "f32[64]", b2: "f32[64]"):
            mul: "f32[64]" = torch.ops.aten.mul.Tensor(a2, a1)
            mul_1: "f32[64]" = torch.ops.aten.mul.Tensor(a2, b1)
            add: "f32[64]" = torch.ops.aten.add.Tensor(mul_1, b2)
            return [mul, add]

    class row(torch.nn.Module):
        def forward(self, a1: "f32[]", b1: "f32[]", a2: "f32[]", b2: "f32[]"):
            mul: "f32[]" = torch.ops.aten.mul.Tensor(a2, a1)
            mul_1: "f32[]" = torch.ops.aten.mul.Tensor(a2, b1)
            add: "f32[]" = torch.ops.aten.add.Tensor(mul_1, b2)
            return [mul, add]
# ----
program: one call, 2 kernels, 0 interpreted steps, 0 bytes of scratch
associative_scan associative_scan (line 7): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 carries, 2 xs, 2 ys, 0 captured
  order:     left fold, as what lies within time fills vectors; instructions for 8 elements: network 20, segments 31, left fold 24
  leaf a1: dimension 0 (64) map
  leaf b1: dimension 0 (64) map
  axes:      i map (lanes, 64), t prefix (size known at run time)
  schedule:  8 lanes, 4 vectors at a time, carries in registers
  per step:  2 operations (2 of floating-point numbers) and 8 bytes per point, 64 points
associative_scan associative_scan_1 (line 11): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 carries, 2 xs, 2 ys, 0 captured
  order:     network, as that is the least; instructions for 8 elements: network 20, segments 31, left fold 24
  leaf a1: one element
  leaf b1: one element
  axes:      t prefix (lanes, size known at run time)
  schedule:  8 elements along t in a vector, combined among each other, then with those before, carries in registers
  per step:  3 operations (3 of floating-point numbers) and 8 bytes per point, 1 point
