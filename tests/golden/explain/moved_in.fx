# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, h: "f32[64]", xs: "f32[50, 64]", zs: "f32[50, 64]"):
        exp: "f32[50, 64]" = torch.ops.aten.exp.default(xs)
        mul: "f32[50, 64]" = torch.ops.aten.mul.Tensor(exp, zs)
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [h], [mul], ())
        getitem: "f32[64]" = scan[0]
        getitem_1: "f32[50, 64]" = scan[1]
        relu: "f32[50, 64]" = torch.ops.aten.relu.default(getitem_1)
        tanh: "f32[50, 64]" = torch.ops.aten.tanh.default(relu)
        return (getitem, tanh)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, h: "f32[64]", x: "f32[64]"):
            add: "f32[64]" = torch.ops.aten.add.Tensor(h, x)
            clone: "f32[64]" = torch.ops.aten.clone.default(add)
            return [add, clone]
# ----
program: one call, 1 kernel, 0 interpreted steps, 0 bytes of scratch
scan scan (line 7): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 2 xs, 1 y, 0 captured
  with:      elementwise operations around it (exp, mul, relu, tanh; lines 4 to 11), in each step
  carry h: dimension 0 (64) map
  y tanh: dimension 0 (64) map
  axes:      i map (lanes, 64), t sequential (50)
  schedule:  8 lanes, 4 vectors at a time, carries in registers
  per step:  5 operations (5 of floating-point numbers) and 12 bytes per point, 64 points
