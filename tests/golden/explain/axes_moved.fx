# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, h: "f32[3, 3]", g: "f32[s0, s0]", c: "f32[6]", d: "f32[100]", xs: "f32[9, 3, 3]", us: "f32[9, 6]", vs: "f32[9, 100]"):
        turned_0 = self.turned_0
        scan = torch.ops.higher_order.scan(turned_0, [h], [xs], ())
        turned_1 = self.turned_1
        scan_1 = torch.ops.higher_order.scan(turned_1, [g], [xs], ())
        rolled_0 = self.rolled_0
        scan_2 = torch.ops.higher_order.scan(rolled_0, [c], [us], ())
        rolled_1 = self.rolled_1
        scan_3 = torch.ops.higher_order.scan(rolled_1, [d], [vs], ())
        getitem = scan[0]
        getitem_1 = scan_1[0]
        getitem_2 = scan_2[0]
        getitem_3 = scan_3[0]
        getitem_4 = scan_3[1]
        return (getitem, getitem_1, getitem_2, getitem_3, getitem_4)

    class turned_0(torch.nn.Module):
        def forward(self, h: "f32[3, 3]", x: "f32[3, 3]"):
            permute: "f32[3, 3]" = torch.ops.aten.permute.default(h, [1, 0])
            mul: "f32[3, 3]" = torch.ops.aten.mul.Tensor(permute, 0.5)
            add: "f32[3, 3]" = torch.ops.aten.add.Tensor(mul, x)
            return [add]

    class turned_1(torch.nn.Module):
        def forward(self, h: "f32[s0, s0]", x: "f32[3, 3]"):
            permute: "f32[s0, s0]" = torch.ops.aten.permute.default(h, [1, 0])
            sum_1: "f32[]" = torch.ops.aten.sum.default(x)
            mul: "f32[s0, s0]" = torch.ops.aten.mul.Tensor(permute, sum_1)
            return [mul]

    class rolled_0(torch.nn.Module):
        def forward(self, c: "f32[6]", x: "f32[6]"):
            roll: "f32[6]" = torch.ops.aten.roll.default(c, [1], [0])
            add: "f32[6]" = torch.ops.aten.add.Tensor(roll, x)
            return [add]

    class rolled_1(torch.nn.Module):
        def forward(self, c: "f32[100]", x: "f32[100]"):
            roll: "f32[100]" = torch.ops.aten.roll.default(c, [1], [0])
            add: "f32[100]" = torch.ops.aten.add.Tensor(roll, x)
            mul: "f32[100]" = torch.ops.aten.mul.Tensor(x, 2.0)
            return [add, mul]
# ----
program: one call, 12 kernels, 0 interpreted steps, scratch by the sizes of the inputs
scan scan (line 5): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 0 ys, 0 captured; 9 carried elements per point
  carry h: dimension 0 (3) moved by permute permute (line 21); dimension 1 (3) moved by permute permute (line 21)
  axes:      t sequential (9)
  schedule:  scalars, carries in registers
  per step:  18 operations (18 of floating-point numbers) and 36 bytes per point, 1 point
elementwise group fused_7 (clone; line 7): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, size known at run time)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point
scan scan_1 (line 7): a loop over the steps that follow, 9 times; carries in scratch
  carry h: dimension 0 (s0) moved by permute permute (line 28); dimension 1 (s0) moved by permute permute (line 28)
sum sum_1 (line 29): compiled for x86-64-v3 (256-bit vectors)
  kernel:    sum
  axes:      none
  schedule:  scalars
  work:      9 operations (9 of floating-point numbers) and 40 bytes per point, 1 point
elementwise group fused_9 (mul; line 30): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 inputs, 1 result
  axes:      o0 map (size known at run time), i map (lanes, size known at run time)
  schedule:  8 lanes, 4 vectors at a time
  work:      1 operation (1 of floating-point numbers) and 12 bytes per point
scan scan_1: end
scan scan_2 (line 9): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 0 ys, 0 captured; 6 carried elements per point
  carry c: dimension 0 (6) moved by roll roll (line 35)
  axes:      t sequential (9)
  schedule:  scalars, carries in registers
  per step:  6 operations (6 of floating-point numbers) and 24 bytes per point, 1 point
elementwise group fused_8 (clone; line 11): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 100)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 100 points
scan scan_3 (line 11): a loop over the steps that follow, 9 times; carries in scratch
  carry c: dimension 0 (100) moved by roll roll (line 41)
  y mul: dimension 0 (100) map; needs no carry
roll roll (line 41): compiled for x86-64-v3 (256-bit vectors)
  kernel:    copy
  axes:      none
  schedule:  scalars
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 1 point
  kernel:    copy
  axes:      i map (lanes, 99)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 99 points
elementwise group fused_10 (add; line 42): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 inputs, 1 result
  axes:      i map (lanes, 100)
  schedule:  8 lanes, 4 vectors at a time
  work:      1 operation (1 of floating-point numbers) and 12 bytes per point, 100 points
elementwise group fused_11 (mul; line 43): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 100)
  schedule:  8 lanes, 4 vectors at a time
  work:      1 operation (1 of floating-point numbers) and 8 bytes per point, 100 points
scan scan_3: end
elementwise group fused_5 (clone; line 17): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, size known at run time)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point
elementwise group fused_6 (clone; line 17): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 100)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 100 points
