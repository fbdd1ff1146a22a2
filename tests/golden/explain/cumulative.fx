# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[6, 100, 64]"):
        cumsum: "f32[6, 100, 64]" = torch.ops.aten.cumsum.default(x, 1)
        cummax = torch.ops.aten.cummax.default(cumsum, 2)
        getitem: "f32[6, 100, 64]" = cummax[0]
        cummin = torch.ops.aten.cummin.default(cumsum, 0)
        getitem_1: "f32[6, 100, 64]" = cummin[0]
        getitem_2: "i64[6, 100, 64]" = cummin[1]
        return (getitem, getitem_1, getitem_2)
# ----
program: one call, 3 kernels, 0 interpreted steps, 153600 bytes of scratch
cumsum cumsum (line 4): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 1 y, 0 captured
  order:     left fold, as what lies within time fills vectors; instructions for 4 elements: network 15, segments 23, left fold 16
  axes:      o0 map (6), i map (lanes, 64), t prefix (99)
  schedule:  4 lanes, 8 vectors at a time, carries in registers
  per step:  2 operations (2 of floating-point numbers) and 8 bytes per point, 384 points
cummax cummax (line 5): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 2 ys, 0 captured
  order:     network, as there are too few elements for segments; instructions for 8 elements: network 44, segments 41, left fold 80
  axes:      i map (600), t prefix (lanes, 63)
  schedule:  8 elements along t in a vector, combined among each other, then with those before, but where they change nothing, carries in registers
  per step:  6 operations (4 of floating-point numbers) and 8 bytes per point, 600 points
cummin cummin (line 7): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 2 ys, 0 captured; 2 carried elements per point
  order:     left fold, as what lies within time fills vectors; instructions for 4 elements: network 39, segments 54, left fold 44
  axes:      i map (lanes, 6400), t prefix (5)
  schedule:  4 lanes, 2 vectors at a time, carries in registers
  per step:  7 operations (4 of floating-point numbers) and 16 bytes per point, 6400 points
