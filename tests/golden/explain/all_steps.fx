# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[8]", d: "f32[8]", s: "f32[]", xs: "f32[50, 8]", us: "f32[50, 8]", zs: "f32[50]", w: "f32[30, 8]"):
        unused_0 = self.unused_0
        scan = torch.ops.higher_order.scan(unused_0, [a, d], [xs, us], ())
        map_0 = self.map_0
        flip = torch.ops.aten.flip.default(xs, [0])
        scan_1 = torch.ops.higher_order.scan(map_0, [a], [flip], (w,))
        chain_0 = self.chain_0
        scan_2 = torch.ops.higher_order.scan(chain_0, [s], [zs], ())
        power_0 = self.power_0
        scan_3 = torch.ops.higher_order.scan(power_0, [a], [us], ())
        getitem = scan[0]
        getitem_1 = scan_1[1]
        flip_1 = torch.ops.aten.flip.default(getitem_1, [0])
        getitem_2 = scan_2[0]
        getitem_3 = scan_3[1]
        return (getitem, flip_1, getitem_2, getitem_3)

    class unused_0(torch.nn.Module):
        def forward(self, a: "f32[8]", d: "f32[8]", x: "f32[8]", u: "f32[8]"):
            add: "f32[8]" = torch.ops.aten.add.Tensor(a, x)
            mul: "f32[8]" = torch.ops.aten.mul.Tensor(d, u)
            exp: "f32[8]" = torch.ops.aten.exp.default(u)
            return [add, mul, exp]

    class map_0(torch.nn.Module):
        def forward(self, a: "f32[8]", x: "f32[8]", w: "f32[30, 8]"):
            mv: "f32[30]" = torch.ops.aten.mv.default(w, x)
            amax: "f32[]" = torch.ops.aten.amax.default(mv)
            sub: "f32[30]" = torch.ops.aten.sub.Tensor(mv, amax)
            clone: "f32[8]" = torch.ops.aten.clone.default(a)
            return [clone, sub]

    class chain_0(torch.nn.Module):
        def forward(self, s: "f32[]", z: "f32[]"):
            exp: "f32[]" = torch.ops.aten.exp.default(z)
            neg: "f32[]" = torch.ops.aten.neg.default(exp)
            mul: "f32[]" = torch.ops.aten.mul.Tensor(s, neg)
            add: "f32[]" = torch.ops.aten.add.Tensor(mul, z)
            return [add]

    class power_0(torch.nn.Module):
        def forward(self, a: "f32[8]", u: "f32[8]"):
            mul: "f32[8]" = torch.ops.aten.mul.Tensor(a, 0.5)
            add: "f32[8]" = torch.ops.aten.add.Tensor(mul, 1.0)
            return [mul, add]
# ----
program: one call, 9 kernels, 0 interpreted steps, 6976 bytes of scratch
scan scan (line 5): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 0 ys, 0 captured
  carry a: dimension 0 (8) map
  axes:      i map (lanes, 8), t sequential (50)
  schedule:  8 lanes, 1 vector at a time, carries in registers
  per step:  1 operation (1 of floating-point numbers) and 4 bytes per point, 8 points
matmul matmul (line 29): compiled for x86-64-v3 (256-bit vectors)
  kernel:    copy
  axes:      i map (lanes, 30), strip map (1)
  schedule:  8 lanes, 1 vector at a time
  work:      0 operations (0 of floating-point numbers) and 64 bytes per point, 30 points
  kernel:    product
  axes:      i map (lanes, 30), row map (12), k sequential (8)
  schedule:  8 lanes, 2 vectors at a time, carries in registers
  per step:  8 operations (8 of floating-point numbers) and 20 bytes per point, 360 points
  kernel:    product
  axes:      i map (lanes, 30), row map (1), k sequential (8)
  schedule:  8 lanes, 2 vectors at a time, carries in registers
  per step:  4 operations (4 of floating-point numbers) and 12 bytes per point, 30 points
amax amax (line 30): compiled for x86-64-v3 (256-bit vectors)
  kernel:    amax
  axes:      i map (50), k map (lanes, 32), rows sequential (0)
  schedule:  8 lanes, 4 vectors at a time, carries in registers
  per step:  2 operations (2 of floating-point numbers) and 8 bytes per point, 1600 points
elementwise group fused_5 (sub; line 31): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 inputs, 1 result
  axes:      o0 map (50), i map (lanes, 30)
  schedule:  8 lanes, 4 vectors at a time
  work:      1 operation (1 of floating-point numbers) and 12 bytes per point, 1500 points
elementwise group fused_6 (exp, neg; lines 37 to 38): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 50)
  schedule:  8 lanes, 2 vectors at a time
  work:      2 operations (2 of floating-point numbers) and 8 bytes per point, 50 points
scan scan_2 (line 10): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 2 xs, 0 ys, 0 captured
  carry s: one element
  axes:      t sequential (50)
  schedule:  scalars, carries in registers
  per step:  2 operations (2 of floating-point numbers) and 8 bytes per point, 1 point
scan scan_3 (line 12): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 1 y, 0 captured
  carry a: dimension 0 (8) map
  y add: dimension 0 (8) map
  axes:      i map (lanes, 8), t sequential (50)
  schedule:  8 lanes, 1 vector at a time, carries in registers
  per step:  2 operations (2 of floating-point numbers) and 4 bytes per point, 8 points
