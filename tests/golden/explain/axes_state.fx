# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, h: "f32[2, 32, 16]", k: "f32[8, s1]", dts: "f32[9, 2, 32]", bs: "f32[9, 2, 16]", a: "f32[32, 16]", w: "f32[s1, s1]", xs: "f32[9, 8, s1]"):
        mamba_0 = self.mamba_0
        scan = torch.ops.higher_order.scan(mamba_0, [h], [dts, bs], (a,))
        cell_0 = self.cell_0
        scan_1 = torch.ops.higher_order.scan(cell_0, [k, k], [xs], (w,))
        getitem = scan[1]
        getitem_1 = scan_1[0]
        getitem_2 = scan_1[1]
        getitem_3 = scan_1[2]
        return (getitem, getitem_1, getitem_2, getitem_3)

    class mamba_0(torch.nn.Module):
        def forward(self, h: "f32[2, 32, 16]", dt: "f32[2, 32]", b: "f32[2, 16]", a: "f32[32, 16]"):
            unsqueeze: "f32[2, 32, 1]" = torch.ops.aten.unsqueeze.default(dt, 2)
            mul: "f32[2, 32, 16]" = torch.ops.aten.mul.Tensor(unsqueeze, a)
            exp: "f32[2, 32, 16]" = torch.ops.aten.exp.default(mul)
            mul_1: "f32[2, 32, 16]" = torch.ops.aten.mul.Tensor(exp, h)
            unsqueeze_1: "f32[2, 1, 16]" = torch.ops.aten.unsqueeze.default(b, 1)
            mul_2: "f32[2, 32, 16]" = torch.ops.aten.mul.Tensor(unsqueeze, unsqueeze_1)
            add: "f32[2, 32, 16]" = torch.ops.aten.add.Tensor(mul_1, mul_2)
            mul_3: "f32[2, 32, 16]" = torch.ops.aten.mul.Tensor(add, unsqueeze_1)
            sum_1: "f32[2, 32]" = torch.ops.aten.sum.dim_IntList(mul_3, [2])
            return [add, sum_1]

    class cell_0(torch.nn.Module):
        def forward(self, h: "f32[8, s1]", k: "f32[8, s1]", x: "f32[8, s1]", w: "f32[s1, s1]"):
            mul: "f32[8, s1]" = torch.ops.aten.mul.Tensor(h, 0.5)
            add: "f32[8, s1]" = torch.ops.aten.add.Tensor(mul, x)
            mm: "f32[8, s1]" = torch.ops.aten.mm.default(k, w)
            add_1: "f32[8, s1]" = torch.ops.aten.add.Tensor(mm, add)
            tanh: "f32[8, s1]" = torch.ops.aten.tanh.default(add_1)
            mul_1: "f32[8, s1]" = torch.ops.aten.mul.Tensor(x, x)
            return [add, tanh, mul_1]
# ----
program: one call, 7 kernels, 0 interpreted steps, scratch by the sizes of the inputs
scan scan (line 5): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 2 xs, 1 y, 1 captured; 16 carried elements per point
  carry h: dimension 0 (2) map; dimension 1 (32) map; dimension 2 (16) map, reduced for ys only by sum sum_1 (line 24)
  y sum_1: dimension 0 (2) map; dimension 1 (32) map
  axes:      o0 map (2), i map (lanes, 32), t sequential (9)
  schedule:  8 lanes, 1 vector at a time, carries in registers
  per step:  112 operations (112 of floating-point numbers) and 72 bytes per point, 64 points
elementwise group fused_5 (clone; line 7): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, size known at run time)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point
elementwise group fused_6 (clone; line 7): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, size known at run time)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point
scan scan_1 (line 7): a loop over the steps that follow, 9 times; carries in scratch
  carry h: dimension 0 (8) map; dimension 1 (s1) map
  carry k: dimension 0 (8) map; dimension 1 (s1) contracted by mm mm (line 31)
  y mul_1: dimension 0 (8) map; dimension 1 (s1) map; needs no carry
mm mm (line 31): compiled for x86-64-v3 (256-bit vectors)
  kernel:    product
  axes:      i map (lanes, size known at run time), row map (4), k sequential (size known at run time)
  schedule:  8 lanes, 4 vectors at a time, carries in registers
  per step:  4 operations (4 of floating-point numbers) and 12 bytes per point
  with:      elementwise group fused_7 (mul, add, add, tanh; lines 29 to 33), on results before they are stored
elementwise group fused_8 (mul; line 34): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, size known at run time)
  schedule:  8 lanes, 4 vectors at a time
  work:      1 operation (1 of floating-point numbers) and 8 bytes per point
scan scan_1: end
elementwise group fused_3 (clone; line 12): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, size known at run time)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point
elementwise group fused_4 (clone; line 12): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, size known at run time)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point
