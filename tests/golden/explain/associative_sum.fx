# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[s0, s1, s2, 16]", x: "f32[s0, s1, s2, 16]", c: "f32[s0, s1, 1, 16]"):
        e = torch.ops.aten.sigmoid.default(a)
        e1 = torch.ops.aten.movedim.int(e, 1, 0)
        x1 = torch.ops.aten.movedim.int(x, 1, 0)
        g = self.combine
        s = torch.ops.higher_order.associative_scan(g, [e1, x1], ())
        y1 = s[1]
        y = torch.ops.aten.movedim.int(y1, 0, 1)
        p = torch.ops.aten.mul.Tensor(y, c)
        w = torch.ops.aten.sum.dim_IntList(p, [-1])
        return (w,)
    class combine(torch.nn.Module):
        def forward(self, l: "f32[s0, s2, 16]", m: "f32[s0, s2, 16]", q: "f32[s0, s2, 16]", r: "f32[s0, s2, 16]"):
            f = torch.ops.aten.mul.Tensor(l, q)
            h = torch.ops.aten.mul.Tensor(q, m)
            i = torch.ops.aten.add.Tensor(h, r)
            return [f, i]
# ----
program: one call, 1 kernel, 0 interpreted steps, 0 bytes of scratch
scan with its group fused_4 (sigmoid, associative_scan, mul, sum; lines 4 to 12): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 carries, 3 inputs, 1 result; 32 carried elements per point
  order:     left fold, as what lies within time fills vectors; instructions for 2 elements: network 1120, segments 1716, left fold 1056
  axes:      o0 map (size known at run time), i map (lanes, size known at run time), t prefix (size known at run time)
  schedule:  8 lanes, 1 vector at a time, carries in registers
  per step:  80 operations (80 of floating-point numbers) and 196 bytes per point
