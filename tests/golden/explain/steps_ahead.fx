# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, h: "f32[96]", xs: "f32[50, 96]", k: "f32[96]", w: "f32[96, 96]", i: "i64[]", n: "i64[]"):
        body_0 = self.body_0
        scan = torch.ops.higher_order.scan(body_0, [h], [xs], (k, w))
        getitem: "f32[96]" = scan[0]
        getitem_1: "f32[50, 96]" = scan[1]
        getitem_2: "f32[50, 96]" = scan[2]
        test_0 = self.test_0
        body_1 = self.body_1
        loop = torch.ops.higher_order.while_loop(test_0, body_1, (i, getitem), (n, k, w))
        getitem_3: "f32[96]" = loop[1]
        return (getitem_1, getitem_2, getitem_3)

    class body_0(torch.nn.Module):
        def forward(self, h: "f32[96]", x: "f32[96]", k: "f32[96]", w: "f32[96, 96]"):
            digamma: "f32[96]" = torch.ops.aten.digamma.default(k)
            mv: "f32[96]" = torch.ops.aten.mv.default(w, h)
            add: "f32[96]" = torch.ops.aten.add.Tensor(mv, digamma)
            tanh: "f32[96]" = torch.ops.aten.tanh.default(add)
            mul: "f32[96]" = torch.ops.aten.mul.Tensor(tanh, x)
            exp: "f32[96]" = torch.ops.aten.exp.default(digamma)
            return [tanh, mul, exp]

    class test_0(torch.nn.Module):
        def forward(self, i: "i64[]", h: "f32[96]", n: "i64[]", k: "f32[96]", w: "f32[96, 96]"):
            twice: "i64[]" = torch.ops.aten.mul.Tensor(n, 2)
            lt: "b8[]" = torch.ops.aten.lt.Tensor(i, twice)
            return lt

    class body_1(torch.nn.Module):
        def forward(self, i: "i64[]", h: "f32[96]", n: "i64[]", k: "f32[96]", w: "f32[96, 96]"):
            add: "i64[]" = torch.ops.aten.add.Tensor(i, 1)
            sin: "f32[96]" = torch.ops.aten.sin.default(k)
            mul: "f32[96]" = torch.ops.aten.mul.Tensor(h, sin)
            mv: "f32[96]" = torch.ops.aten.mv.default(w, mul)
            return (add, mv)
# ----
program: one call, 15 kernels, 0 interpreted steps, 76544 bytes of scratch
elementwise group fused_5 (clone; line 5): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 96)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 96 points
elementwise group fused_8 (digamma, exp; lines 17 to 22): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 2 results
  axes:      i map (lanes, 96)
  schedule:  8 lanes, 1 vector at a time
  work:      2 operations (2 of floating-point numbers) and 12 bytes per point, 96 points
mv mv (line 18): compiled for x86-64-v3 (256-bit vectors)
  kernel:    copy
  axes:      i map (lanes, 96), strip map (12)
  schedule:  8 lanes, 1 vector at a time
  work:      0 operations (0 of floating-point numbers) and 64 bytes per point, 1152 points
scan scan (line 5): a loop over the steps that follow, 50 times; carries in scratch
  carry h: dimension 0 (96) contracted by mv mv (line 18)
  y mul: dimension 0 (96) contracted by mv mv (line 18)
  y clone: dimension 0 (96) map; needs no carry
mv mv (line 18): compiled for x86-64-v3 (256-bit vectors)
  kernel:    product
  axes:      i map (lanes, 96), k sequential (96)
  schedule:  8 lanes, 6 vectors at a time, carries in registers
  per step:  2 operations (2 of floating-point numbers) and 8 bytes per point, 96 points
  with:      elementwise group fused_9 (add, tanh, mul; lines 19 to 21), on results before they are stored
elementwise group fused_10 (clone; line 23): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 96)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 96 points
scan scan: end
elementwise group fused_6 (clone; line 11): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      none
  schedule:  scalars
  work:      0 operations (0 of floating-point numbers) and 16 bytes per point, 1 point
elementwise group fused_7 (clone; line 11): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 96)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 96 points
elementwise group fused_11 (mul; line 27): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      none
  schedule:  scalars
  work:      1 operation (0 of floating-point numbers) and 16 bytes per point, 1 point
elementwise group fused_14 (sin; line 34): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 96)
  schedule:  8 lanes, 1 vector at a time
  work:      1 operation (1 of floating-point numbers) and 8 bytes per point, 96 points
mv mv (line 36): compiled for x86-64-v3 (256-bit vectors)
  kernel:    copy
  axes:      i map (lanes, 96), strip map (12)
  schedule:  8 lanes, 1 vector at a time
  work:      0 operations (0 of floating-point numbers) and 64 bytes per point, 1152 points
while_loop loop (line 11): a loop over the steps that follow; carries in scratch
elementwise group fused_12 (lt; line 28): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 inputs, 1 result
  axes:      none
  schedule:  scalars
  work:      1 operation (0 of floating-point numbers) and 17 bytes per point, 1 point
elementwise group fused_13 (add; line 33): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      none
  schedule:  scalars
  work:      1 operation (0 of floating-point numbers) and 16 bytes per point, 1 point
elementwise group fused_15 (mul; line 35): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 inputs, 1 result
  axes:      i map (lanes, 96)
  schedule:  8 lanes, 4 vectors at a time
  work:      1 operation (1 of floating-point numbers) and 12 bytes per point, 96 points
mv mv (line 36): compiled for x86-64-v3 (256-bit vectors)
  kernel:    product
  axes:      i map (lanes, 96), k sequential (96)
  schedule:  8 lanes, 6 vectors at a time, carries in registers
  per step:  2 operations (2 of floating-point numbers) and 8 bytes per point, 96 points
while_loop loop: end
elementwise group fused_4 (clone; line 13): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 96)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 96 points
