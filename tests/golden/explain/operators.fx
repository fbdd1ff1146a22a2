# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0, 200]", table: "f32[50, 8]", i: "i64[7]"):
        m = torch.ops.aten.amax.default(x, [1], True)
        s = torch.ops.aten.sum.dim_IntList(x, [0])
        k = torch.ops.aten.argmax.default(x, 1)
        e = torch.ops.aten.embedding.default(table, i)
        p = torch.ops.aten.constant_pad_nd.default(e, [0, 0, 1, 0])
        c = torch.ops.aten.cummax.default(e, 0)
        a = c[0]
        b = c[1]
        return (m, s, k, p, a, b)
# ----
program: one call, 8 kernels, 0 interpreted steps, 256 bytes of scratch
amax m (line 4): compiled for x86-64-v3 (256-bit vectors)
  kernel:    amax
  axes:      i map (size known at run time), k map (lanes, 32), rows sequential (6)
  schedule:  8 lanes, 4 vectors at a time, carries in registers
  per step:  1 operation (1 of floating-point numbers) and 4 bytes per point
sum s (line 5): compiled for x86-64-v3 (256-bit vectors)
  kernel:    sum
  axes:      i map (lanes, 200), rows sequential (size known at run time)
  schedule:  8 lanes, 1 vector at a time, carries in registers
  per step:  29 operations (22 of floating-point numbers) and 36 bytes per point, 200 points
  kernel:    sum
  axes:      i map (lanes, 200), blocks sequential (size known at run time), rows sequential (16)
  schedule:  8 lanes, 1 vector at a time, carries in registers
  per step:  131 operations (80 of floating-point numbers) and 68 bytes per point, 200 points
argmax k (line 6): compiled for x86-64-v3 (256-bit vectors)
  kernel:    argmax
  axes:      i map (size known at run time), k map (lanes, 8), rows sequential (25)
  schedule:  4 lanes, 2 vectors at a time, carries in registers
  per step:  9 operations (4 of floating-point numbers) and 4 bytes per point
embedding e (line 7): compiled for x86-64-v3 (256-bit vectors)
  kernel:    embedding
  axes:      i map (7), i map (lanes, 8)
  schedule:  8 lanes, 1 vector at a time
  work:      1 operation (0 of floating-point numbers) and 16 bytes per point, 56 points
pad p (line 8): compiled for x86-64-v3 (256-bit vectors)
  kernel:    copy
  axes:      i map (lanes, 56)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 56 points
  kernel:    fill
  axes:      i map (lanes, 8)
  schedule:  8 lanes, 1 vector at a time
  work:      0 operations (0 of floating-point numbers) and 4 bytes per point, 8 points
cummax c (line 9): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 2 ys, 0 captured; 2 carried elements per point
  order:     left fold, as what lies within time fills vectors; instructions for 4 elements: network 39, segments 54, left fold 44
  axes:      i map (lanes, 8), t prefix (6)
  schedule:  4 lanes, 2 vectors at a time, carries in registers
  per step:  7 operations (4 of floating-point numbers) and 16 bytes per point, 8 points
