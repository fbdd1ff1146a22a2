# test: run c=f32[5,70]:arange f=b8[70]:arange x=f32[4,5]:arange --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[s1, s0]", f: "b8[s0]", x: "f32[s3, s1]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c, f], [x], ())
        getitem: "f32[s1, s0]" = scan[0]
        getitem_1: "b8[s0]" = scan[1]
        getitem_2: "b8[s3, s0]" = scan[2]
        return (getitem, getitem_1, getitem_2)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[s1, s0]", f: "b8[s0]", x: "f32[s1]"):
            permute: "f32[s0, s1]" = torch.ops.aten.permute.default(c, [1, 0])
            inner_0 = self.inner_0
            scan = torch.ops.higher_order.scan(inner_0, [x], [permute, f], ())
            getitem: "f32[s1]" = scan[0]
            getitem_1: "f32[s0, s1]" = scan[1]
            permute_1: "f32[s1, s0]" = torch.ops.aten.permute.default(getitem_1, [1, 0])
            logical_not: "b8[s0]" = torch.ops.aten.logical_not.default(f)
            return [permute_1, logical_not, f]

        class inner_0(torch.nn.Module):
            def forward(self, s: "f32[s1]", c: "f32[s1]", f: "b8[]"):
                mul: "f32[s1]" = torch.ops.aten.mul.Tensor(c, 0.5)
                add: "f32[s1]" = torch.ops.aten.add.Tensor(s, mul)
                where: "f32[s1]" = torch.ops.aten.where.self(f, add, s)
                return [where, add]
# ----
out.0 getitem: f32[5, 70]  21.25, 27.5625, 29, 30.625 ...  min 21.25, max 47319.7
out.1 getitem_1: b8[70]  False, True, True, True ...  min 0, max 1
out.2 getitem_2: b8[4, 70]  False, True, True, True ...  min 0, max 1
