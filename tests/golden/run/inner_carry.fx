# test: run c=f32[70,5]:arange h=f32[70,5]:ones x=f32[4,70,5]:arange z=f32[5]:ones --exec=jit
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
out.0 getitem: f32[70, 5]  2.5, 2.25, 2, 1.75 ...  min 1.5, max 2700.25
out.1 getitem_1: f32[70, 5]  2.25, 2.25, 2.25, 2.25 ...  min 2.25, max 1912.25
out.2 getitem_2: f32[4, 5]  346, 347, 348, 349 ...  min 346, max 1400
