# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, h: "f32[96]", xs: "f32[50, 96]", w: "f32[96, 96]", u: "f32[192, 96]", k: "f32[192]", long: "f32[99999, 96]"):
        body_0 = self.body_0
        scan = torch.ops.higher_order.scan(body_0, [h], [xs], (w, u, k))
        getitem: "f32[96]" = scan[0]
        getitem_1: "f32[50, 96]" = scan[1]
        body_1 = self.body_1
        scan_1 = torch.ops.higher_order.scan(body_1, [getitem], [long], (w,))
        getitem_2: "f32[96]" = scan_1[0]
        return (getitem_1, getitem_2)

    class body_0(torch.nn.Module):
        def forward(self, h: "f32[96]", x: "f32[96]", w: "f32[96, 96]", u: "f32[192, 96]", k: "f32[192]"):
            tanh: "f32[96]" = torch.ops.aten.tanh.default(x)
            mv: "f32[192]" = torch.ops.aten.mv.default(u, tanh)
            add: "f32[192]" = torch.ops.aten.add.Tensor(mv, k)
            chunk = torch.ops.aten.chunk.default(add, 2)
            a: "f32[96]" = chunk[0]
            b: "f32[96]" = chunk[1]
            mv_1: "f32[96]" = torch.ops.aten.mv.default(w, h)
            add_1: "f32[96]" = torch.ops.aten.add.Tensor(mv_1, a)
            sigmoid: "f32[96]" = torch.ops.aten.sigmoid.default(add_1)
            mul: "f32[96]" = torch.ops.aten.mul.Tensor(sigmoid, b)
            return [mul, mul]

    class body_1(torch.nn.Module):
        def forward(self, h: "f32[96]", x: "f32[96]", w: "f32[96, 96]"):
            mv: "f32[96]" = torch.ops.aten.mv.default(w, x)
            mv_1: "f32[96]" = torch.ops.aten.mv.default(w, h)
            add: "f32[96]" = torch.ops.aten.add.Tensor(mv, mv_1)
            return [add]
# ----
program: one call, 17 kernels, 0 interpreted steps, 801024 bytes of scratch
elementwise group fused_3 (tanh; line 15): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 4800)
  schedule:  8 lanes, 1 vector at a time
  work:      1 operation (1 of floating-point numbers) and 8 bytes per point, 4800 points
matmul matmul (line 16): compiled for x86-64-v3 (256-bit vectors)
  kernel:    copy
  axes:      i map (lanes, 192), strip map (12)
  schedule:  8 lanes, 1 vector at a time
  work:      0 operations (0 of floating-point numbers) and 64 bytes per point, 2304 points
  kernel:    product
  axes:      i map (lanes, 192), row map (25), k sequential (96)
  schedule:  8 lanes, 6 vectors at a time, carries in registers
  per step:  4 operations (4 of floating-point numbers) and 12 bytes per point, 4800 points
  with:      elementwise group fused_4 (add; line 17), on results before they are stored
elementwise group fused_6 (clone; line 5): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 96)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 96 points
mv mv_1 (line 21): compiled for x86-64-v3 (256-bit vectors)
  kernel:    copy
  axes:      i map (lanes, 96), strip map (12)
  schedule:  8 lanes, 1 vector at a time
  work:      0 operations (0 of floating-point numbers) and 64 bytes per point, 1152 points
scan scan (line 5): a loop over the steps that follow, 50 times; carries in scratch
  carry h: dimension 0 (96) contracted by mv mv_1 (line 21)
  y clone: dimension 0 (96) contracted by mv mv_1 (line 21)
mv mv_1 (line 21): compiled for x86-64-v3 (256-bit vectors)
  kernel:    product
  axes:      i map (lanes, 96), k sequential (96)
  schedule:  8 lanes, 6 vectors at a time, carries in registers
  per step:  2 operations (2 of floating-point numbers) and 8 bytes per point, 96 points
  with:      elementwise group fused_8 (add, sigmoid, mul, clone; lines 22 to 25), on results before they are stored
scan scan: end
elementwise group fused_7 (clone; line 9): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 96)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 96 points
mv mv (line 29): compiled for x86-64-v3 (256-bit vectors)
  kernel:    copy
  axes:      i map (lanes, 96), strip map (12)
  schedule:  8 lanes, 1 vector at a time
  work:      0 operations (0 of floating-point numbers) and 64 bytes per point, 1152 points
scan scan_1 (line 9): a loop over the steps that follow, 97 times; carries in scratch
  carry h: dimension 0 (96) contracted by mv mv_1 (line 30)
mv mv (line 29): compiled for x86-64-v3 (256-bit vectors)
  kernel:    product
  axes:      i map (lanes, 96), row map (512), k sequential (96)
  schedule:  8 lanes, 6 vectors at a time, carries in registers
  per step:  4 operations (4 of floating-point numbers) and 12 bytes per point, 49152 points
scan scan_1 (line 9): a loop over the steps that follow, 1024 times; carries in scratch
mv mv_1 (line 30): compiled for x86-64-v3 (256-bit vectors)
  kernel:    product
  axes:      i map (lanes, 96), k sequential (96)
  schedule:  8 lanes, 6 vectors at a time, carries in registers
  per step:  2 operations (2 of floating-point numbers) and 8 bytes per point, 96 points
  with:      elementwise group fused_9 (add; line 31), on results before they are stored
scan scan_1: end
scan scan_1: end
mv mv (line 29): compiled for x86-64-v3 (256-bit vectors)
  kernel:    copy
  axes:      i map (lanes, 96), strip map (12)
  schedule:  8 lanes, 1 vector at a time
  work:      0 operations (0 of floating-point numbers) and 64 bytes per point, 1152 points
  kernel:    copy
  axes:      i map (13), i map (lanes, 48), strip map (12)
  schedule:  8 lanes, 1 vector at a time
  work:      0 operations (0 of floating-point numbers) and 64 bytes per point, 7488 points
  kernel:    product
  axes:      i map (13), i map (lanes, 96), row map (24), k sequential (96)
  schedule:  8 lanes, 6 vectors at a time, carries in registers
  per step:  4 operations (4 of floating-point numbers) and 12 bytes per point, 29952 points
  kernel:    product
  axes:      i map (lanes, 96), row map (23), k sequential (96)
  schedule:  8 lanes, 6 vectors at a time, carries in registers
  per step:  4 operations (4 of floating-point numbers) and 12 bytes per point, 2208 points
  kernel:    product
  axes:      i map (1), i map (lanes, 96), k sequential (96)
  schedule:  8 lanes, 6 vectors at a time, carries in registers
  per step:  2 operations (2 of floating-point numbers) and 8 bytes per point, 96 points
scan scan_1 (line 9): a loop over the steps that follow, 671 times; carries in scratch
mv mv_1 (line 30): compiled for x86-64-v3 (256-bit vectors)
  kernel:    product
  axes:      i map (lanes, 96), k sequential (96)
  schedule:  8 lanes, 6 vectors at a time, carries in registers
  per step:  2 operations (2 of floating-point numbers) and 8 bytes per point, 96 points
  with:      elementwise group fused_9 (add; line 31), on results before they are stored
scan scan_1: end
elementwise group fused_5 (clone; line 11): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 96)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 96 points
