# test: explain --cpu=x86-64-v3
# Parts of complex elements side by side are sorted into vectors, not brought one by one.
class GraphModule(torch.nn.Module):
    def forward(self, a: "c64[2, 256, 32]", b: "c64[2, 256, 32]"):
        ta = torch.ops.aten.movedim.int(a, 1, 0)
        tb = torch.ops.aten.movedim.int(b, 1, 0)
        g = self.g
        s = torch.ops.higher_order.associative_scan(g, [ta, tb], ())
        y = s[1]
        z = torch.ops.aten.movedim.int(y, 0, 1)
        return (z,)

    class g(torch.nn.Module):
        def forward(self, a: "c64[2, 32]", b: "c64[2, 32]", c: "c64[2, 32]", d: "c64[2, 32]"):
            m = torch.ops.aten.mul.Tensor(a, c)
            n = torch.ops.aten.mul.Tensor(c, b)
            o = torch.ops.aten.add.Tensor(n, d)
            return [m, o]
# ----
program: one call, 1 kernel, 0 interpreted steps, 0 bytes of scratch
associative_scan s (line 8): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 carries, 2 xs, 2 ys, 0 captured; 4 carried elements per point
  order:     left fold, as what lies within time fills vectors; instructions for 8 elements: network 72, segments 83, left fold 112
  leaf a: dimension 0 (2) map; dimension 1 (32) map
  leaf b: dimension 0 (2) map; dimension 1 (32) map
  axes:      o0 map (2), i map (lanes, 32), t prefix (255)
  schedule:  8 lanes, 2 vectors at a time, carries in registers
  per step:  8 operations (8 of floating-point numbers) and 24 bytes per point, 64 points
