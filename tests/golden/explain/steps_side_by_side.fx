# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[8]", x: "f32[8, 100]"):
        a: "f32[100, 8]" = torch.ops.aten.permute.default(x, [1, 0])
        body = self.body
        scan = torch.ops.higher_order.scan(body, [c], [a], ())
        p: "f32[8]" = scan[0]
        q: "f32[100, 8]" = scan[1]
        r: "f32[8, 100]" = torch.ops.aten.permute.default(q, [1, 0])
        return (p, r)

    class body(torch.nn.Module):
        def forward(self, c: "f32[8]", x: "f32[8]"):
            m: "f32[8]" = torch.ops.aten.mul.Tensor(c, 0.5)
            s: "f32[8]" = torch.ops.aten.add.Tensor(m, x)
            n: "f32[8]" = torch.ops.aten.neg.default(s)
            return [s, n]
# ----
program: one call, 1 kernel, 0 interpreted steps, 0 bytes of scratch
scan scan (line 6): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 1 y, 0 captured
  carry c: dimension 0 (8) map
  y n: dimension 0 (8) map
  axes:      i map (lanes, 8), t sequential (100)
  schedule:  8 lanes, 1 vector at a time, carries in registers, blocks of steps transposed
  per step:  3 operations (3 of floating-point numbers) and 8 bytes per point, 8 points
