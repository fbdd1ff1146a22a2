# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, h: "f32[12]", g: "f32[4, 100]", xs: "f32[9, 12]", us: "f32[9, 400]"):
        halves_0 = self.halves_0
        scan = torch.ops.higher_order.scan(halves_0, [h], [xs], ())
        halves_1 = self.halves_1
        scan_1 = torch.ops.higher_order.scan(halves_1, [g], [us], ())
        getitem = scan[0]
        getitem_1 = scan_1[0]
        getitem_2 = scan_1[1]
        return (getitem, getitem_1, getitem_2)

    class halves_0(torch.nn.Module):
        def forward(self, h: "f32[12]", x: "f32[12]"):
            view: "f32[4, 3]" = torch.ops.aten.view.default(h, [4, 3])
            sum_1: "f32[4, 1]" = torch.ops.aten.sum.dim_IntList(view, [1], True)
            sub: "f32[4, 3]" = torch.ops.aten.sub.Tensor(view, sum_1)
            view_1: "f32[12]" = torch.ops.aten.view.default(sub, [12])
            add: "f32[12]" = torch.ops.aten.add.Tensor(view_1, x)
            return [add]

    class halves_1(torch.nn.Module):
        def forward(self, h: "f32[4, 100]", x: "f32[400]"):
            view: "f32[400]" = torch.ops.aten.view.default(h, [400])
            add: "f32[400]" = torch.ops.aten.add.Tensor(view, x)
            view_1: "f32[4, 100]" = torch.ops.aten.view.default(add, [4, 100])
            amax: "f32[4, 1]" = torch.ops.aten.amax.default(view_1, [1], True)
            sub: "f32[4, 100]" = torch.ops.aten.sub.Tensor(view_1, amax)
            return [sub, add]
# ----
program: one call, 6 kernels, 0 interpreted steps, 3264 bytes of scratch
scan scan (line 5): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 0 ys, 0 captured; 3 carried elements per point
  carry h: dimension 0 (12) as 4 map times 3 contracted by sum sum_1 (line 16)
  axes:      i map (lanes, 4), t sequential (9)
  schedule:  4 lanes, 1 vector at a time, carries in registers
  per step:  9 operations (9 of floating-point numbers) and 12 bytes per point, 4 points
elementwise group fused_4 (clone; line 7): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 400)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 400 points
scan scan_1 (line 7): a loop over the steps that follow, 9 times; carries in scratch
  carry h: dimension 0 (4) map; dimension 1 (100) contracted by amax amax (line 27)
  y add: dimension 0 (400) as 4 map times 100 contracted by amax amax (line 27)
elementwise group fused_5 (add; line 25): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 inputs, 1 result
  axes:      i map (lanes, 400)
  schedule:  8 lanes, 4 vectors at a time
  work:      1 operation (1 of floating-point numbers) and 12 bytes per point, 400 points
amax amax (line 27): compiled for x86-64-v3 (256-bit vectors)
  kernel:    amax
  axes:      i map (4), k map (lanes, 32), rows sequential (3)
  schedule:  8 lanes, 4 vectors at a time, carries in registers
  per step:  1 operation (1 of floating-point numbers) and 4 bytes per point, 128 points
elementwise group fused_6 (sub; line 28): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 inputs, 1 result
  axes:      o0 map (4), i map (lanes, 100)
  schedule:  8 lanes, 4 vectors at a time
  work:      1 operation (1 of floating-point numbers) and 12 bytes per point, 400 points
scan scan_1: end
elementwise group fused_3 (clone; line 11): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 400)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 400 points
