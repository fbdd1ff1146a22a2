# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, init: "f32[64]", xs: "f32[2000, 64]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [xs], ())
        getitem: "f32[64]" = scan[0]
        getitem_1: "f32[2000, 64]" = scan[1]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[64]", x: "f32[64]"):
            add: "f32[64]" = torch.ops.aten.add.Tensor(c, x)
            clone: "f32[64]" = torch.ops.aten.clone.default(add)
            return [add, clone]
# ----
program: one call, 1 kernel, 0 interpreted steps, 0 bytes of scratch
scan scan (line 5): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 1 y, 0 captured
  carry c: dimension 0 (64) map
  y add: dimension 0 (64) map
  axes:      i map (lanes, 64), t sequential (2000)
  schedule:  8 lanes, 8 vectors at a time, carries in registers
  per step:  1 operation (1 of floating-point numbers) and 8 bytes per point, 64 points
