# test: explain x=ones w=ones v=ones --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[50, 64]", w: "f32[96, 64]", v: "f32[8, 50, 3]"):
        permute: "f32[64, 96]" = torch.ops.aten.permute.default(w, [1, 0])
        mm: "f32[50, 96]" = torch.ops.aten.mm.default(x, permute)
        unsqueeze: "f32[1, 50, 96]" = torch.ops.aten.unsqueeze.default(mm, 0)
        convolution: "f32[1, 8, 96]" = torch.ops.aten.convolution.default(unsqueeze, v, None, [1], [1], [1], False, [0], 1)
        return (convolution,)
# ----
program: one call, 5 kernels, 0 interpreted steps, 43776 bytes of scratch
mm mm (line 5): compiled for x86-64-v3 (256-bit vectors)
  kernel:    copy
  axes:      i map (lanes, 96), strip map (8)
  schedule:  8 lanes, 1 vector at a time
  work:      0 operations (0 of floating-point numbers) and 64 bytes per point, 768 points
  kernel:    product
  axes:      i map (lanes, 96), row map (25), k sequential (64)
  schedule:  8 lanes, 6 vectors at a time, carries in registers
  per step:  4 operations (4 of floating-point numbers) and 12 bytes per point, 2400 points
convolution convolution (line 7): compiled for x86-64-v3 (256-bit vectors)
  kernel:    zeros
  axes:      i map (lanes, 4900)
  schedule:  32 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 4 bytes per point, 4900 points
  kernel:    copy
  axes:      i map (50), i map (lanes, 96)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 4800 points
  kernel:    product
  axes:      i map (lanes, 96), row map (4), k sequential (50), k sequential (3)
  schedule:  8 lanes, 6 vectors at a time, carries in registers
  per step:  4 operations (4 of floating-point numbers) and 12 bytes per point, 384 points
