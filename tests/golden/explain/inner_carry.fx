# test: explain c=f32[70,5]:arange h=f32[70,5]:ones x=f32[4,70,5]:arange z=f32[5]:ones --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[s0, s1]", h: "f32[s0, s1]", x: "f32[s3, s0, s1]", z: "f32[s1]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c, h], [x], (z,))
        getitem: "f32[s0, s1]" = scan[0]
        getitem_1: "f32[s0, s1]" = scan[1]
        getitem_2: "f32[s3, s1]" = scan[2]
        return (getitem, getitem_1, getitem_2)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[s0, s1]", h: "f32[s0, s1]", x: "f32[s0, s1]", z: "f32[s1]"):
            inner_0 = self.inner_0
            scan = torch.ops.higher_order.scan(inner_0, [z], [c, x], ())
            getitem: "f32[s1]" = scan[0]
            getitem_1: "f32[s0, s1]" = scan[1]
            mul: "f32[s0, s1]" = torch.ops.aten.mul.Tensor(h, 0.5)
            sub: "f32[s0, s1]" = torch.ops.aten.sub.Tensor(getitem_1, mul)
            return [sub, c, getitem]

        class inner_0(torch.nn.Module):
            def forward(self, s: "f32[s1]", c: "f32[s1]", x: "f32[s1]"):
                add: "f32[s1]" = torch.ops.aten.add.Tensor(s, c)
                sigmoid: "f32[s1]" = torch.ops.aten.sigmoid.default(add)
                add_1: "f32[s1]" = torch.ops.aten.add.Tensor(sigmoid, x)
                return [add_1, add]
# ----
program: one call, 1 kernel, 0 interpreted steps, 2816 bytes of scratch
scan scan (line 5): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 carries, 1 x, 1 y, 1 captured
  carry c: dimension 0 (s0) contracted by scan scan (line 14); dimension 1 (s1) map
  carry h: dimension 0 (s0) contracted by scan scan (line 14); dimension 1 (s1) map
  y getitem: dimension 0 (s1) map
  axes:      i map (lanes, 5), k0 sequential (70)
  schedule:  8 lanes, 4 vectors at a time, carries in registers and scratch
  per step:  5 operations (5 of floating-point numbers) and 56 bytes per point, 5 points
