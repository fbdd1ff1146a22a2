# test: run c=ones x=ones --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[5]", x: "f32[2]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x], ())
        getitem: "f32[5]" = scan[0]
        return (getitem,)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[5]", x: "f32[]"):
            full: "i64[3]" = torch.ops.aten.full.default([3], 2, dtype = torch.int64)
            scan_combine_graph_1 = self.scan_combine_graph_1
            scan = torch.ops.higher_order.scan(scan_combine_graph_1, [c], [full], ())
            getitem: "f32[5]" = scan[0]
            mul: "f32[5]" = torch.ops.aten.mul.Tensor(getitem, x)
            return [mul]

        class scan_combine_graph_1(torch.nn.Module):
            def forward(self, c: "f32[5]", i: "i64[]"):
                mul: "f32[5]" = torch.ops.aten.mul.Tensor(c, i)
                return [mul]
# ----
out.0 getitem: f32[5]  64, 64, 64, 64 ...  min 64, max 64
