# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0, 3]", y: "f32[5, 3]", z: "f32[3]"):
        a = torch.ops.aten.tanh.default(x)
        u = torch.ops.aten.unsqueeze.default(z, 0)
        c = torch.ops.aten.cat.default([a, y, u, a, u], 0)
        d = torch.ops.aten.exp.default(c)
        e = torch.ops.aten.cat.default([d, c], -1)
        st = torch.ops.aten.stack.default([z, z], 1)
        cc = torch.ops.aten.cat.default([st, st], 0)
        return (c, d, e, cc)
# ----
program: one call, 10 kernels, 0 interpreted steps, 64 bytes of scratch
elementwise group fused_1 (tanh, clone, clone; lines 4 to 6): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 2 results
  axes:      i map (lanes, size known at run time)
  schedule:  8 lanes, 1 vector at a time
  work:      1 operation (1 of floating-point numbers) and 12 bytes per point
elementwise group fused_3 (clone; line 6): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 15)
  schedule:  8 lanes, 2 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 15 points
elementwise group fused_4 (clone; line 6): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 3)
  schedule:  2 lanes, 2 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 3 points
elementwise group fused_5 (clone; line 6): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 3)
  schedule:  2 lanes, 2 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 3 points
elementwise group fused_2 (exp, clone; lines 7 to 8): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 2 results
  axes:      o0 map (size known at run time), i map (lanes, 3)
  schedule:  2 lanes, 2 vectors at a time
  work:      1 operation (1 of floating-point numbers) and 12 bytes per point
elementwise group fused_6 (clone; line 8): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      o0 map (size known at run time), i map (lanes, 3)
  schedule:  2 lanes, 2 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point
elementwise group fused_7 (clone; line 9): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 3)
  schedule:  2 lanes, 2 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 3 points
elementwise group fused_8 (clone; line 9): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 3)
  schedule:  2 lanes, 2 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 3 points
elementwise group fused_9 (clone; line 10): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 6)
  schedule:  4 lanes, 2 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 6 points
elementwise group fused_10 (clone; line 10): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 6)
  schedule:  4 lanes, 2 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 6 points
