# test: explain --cpu=x86-64-v3
# Exclusive prefixes: what is put in front of the results, which move by one, or behind them.
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 2]", v: "f32[2]", s: "f32[8]", z: "f32[8]", i: "f32[9]"):
        body = self.body
        a = torch.ops.higher_order.associative_scan(body, [x], ())
        ga: "f32[8, 2]" = a[0]
        rolled: "f32[8, 2]" = torch.ops.aten.roll.default(ga, [1], [0])
        first: "f32[8, 2]" = torch.ops.aten.select_scatter.default(rolled, v, 0, 0)
        b = torch.ops.higher_order.associative_scan(body, [x], ())
        gb: "f32[8, 2]" = b[0]
        flip: "f32[8, 2]" = torch.ops.aten.flip.default(gb, [0])
        back: "f32[8, 2]" = torch.ops.aten.roll.default(flip, [-1], [0])
        last: "f32[8, 2]" = torch.ops.aten.select_scatter.default(back, v, 0, -1)
        sum_1: "f32[8]" = torch.ops.aten.cumsum.default(s, 0)
        arange: "i64[8]" = torch.ops.aten.arange.default(8)
        eq: "b8[8]" = torch.ops.aten.eq.Scalar(arange, 0)
        moved: "f32[8]" = torch.ops.aten.roll.default(sum_1, [1])
        where: "f32[8]" = torch.ops.aten.where.ScalarSelf(eq, 0.5, moved)
        gt: "b8[8]" = torch.ops.aten.gt.Scalar(arange, 0)
        sum_2: "f32[8]" = torch.ops.aten.cumsum.default(z, 0)
        moved_1: "f32[8]" = torch.ops.aten.roll.default(sum_2, [1])
        where_1: "f32[8]" = torch.ops.aten.where.ScalarOther(gt, moved_1, 0.5)
        prod: "f32[9]" = torch.ops.aten.cumprod.default(i, 0)
        pad: "f32[9]" = torch.ops.aten.constant_pad_nd.default(prod, [1, -1], 1.0)
        c: "f32[8]" = torch.ops.aten.cumsum.default(s, 0)
        pad_1: "f32[9]" = torch.ops.aten.constant_pad_nd.default(c, [1, 0])
        return (first, last, where, where_1, pad, pad_1)

    class body(torch.nn.Module):
        def forward(self, a: "f32[2]", b: "f32[2]"):
            add: "f32[2]" = torch.ops.aten.add.Tensor(a, b)
            return [add]
# ----
program: one call, 11 kernels, 0 interpreted steps, 0 bytes of scratch
associative_scan a (line 6): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 1 y, 0 captured
  order:     left fold, as what lies within time fills vectors; instructions for 8 elements: network 8, segments 18, left fold 8
  leaf a: dimension 0 (2) map
  axes:      i map (lanes, 2), t prefix (6)
  schedule:  2 lanes, 1 vector at a time, carries in registers
  per step:  1 operation (1 of floating-point numbers) and 8 bytes per point, 2 points
elementwise group fused_5 (clone; line 9): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 2)
  schedule:  2 lanes, 1 vector at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 2 points
associative_scan b (line 10): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 1 y, 0 captured
  order:     left fold, as what lies within time fills vectors; instructions for 8 elements: network 8, segments 18, left fold 8
  leaf a: dimension 0 (2) map
  axes:      i map (lanes, 2), t prefix (6)
  schedule:  2 lanes, 1 vector at a time, carries in registers
  per step:  1 operation (1 of floating-point numbers) and 8 bytes per point, 2 points
elementwise group fused_6 (clone; line 14): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 2)
  schedule:  2 lanes, 1 vector at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 2 points
elementwise group fused_2 (full, clone, clone; lines 19 to 23): compiled for x86-64-v3 (256-bit vectors)
  operands:  0 inputs, 2 results
  axes:      none
  schedule:  scalars
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 1 point
cumsum cumsum (line 19): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 1 y, 0 captured
  order:     network, as that is the least; instructions for 4 elements: network 15, segments 23, left fold 16
  axes:      t prefix (lanes, 6)
  schedule:  4 elements along t in a vector, combined among each other, then with those before, carries in registers
  per step:  2 operations (2 of floating-point numbers) and 8 bytes per point, 1 point
cumsum cumsum_1 (line 23): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 1 y, 0 captured
  order:     network, as that is the least; instructions for 4 elements: network 15, segments 23, left fold 16
  axes:      t prefix (lanes, 6)
  schedule:  4 elements along t in a vector, combined among each other, then with those before, carries in registers
  per step:  2 operations (2 of floating-point numbers) and 8 bytes per point, 1 point
elementwise group fused_3 (full; line 25): compiled for x86-64-v3 (256-bit vectors)
  operands:  0 inputs, 1 result
  axes:      none
  schedule:  scalars
  work:      0 operations (0 of floating-point numbers) and 4 bytes per point, 1 point
cumprod cumprod (line 25): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 1 y, 0 captured
  order:     network, as that is the least; instructions for 4 elements: network 12, segments 20, left fold 12
  axes:      t prefix (lanes, 7)
  schedule:  4 elements along t in a vector, combined among each other, then with those before, carries in registers
  per step:  1 operation (1 of floating-point numbers) and 8 bytes per point, 1 point
cumsum c (line 26): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 1 y, 0 captured
  order:     network, as that is the least; instructions for 4 elements: network 15, segments 23, left fold 16
  axes:      t prefix (lanes, 7)
  schedule:  4 elements along t in a vector, combined among each other, then with those before, carries in registers
  per step:  2 operations (2 of floating-point numbers) and 8 bytes per point, 1 point
elementwise group fused_4 (full; line 27): compiled for x86-64-v3 (256-bit vectors)
  operands:  0 inputs, 1 result
  axes:      none
  schedule:  scalars
  work:      0 operations (0 of floating-point numbers) and 4 bytes per point, 1 point
