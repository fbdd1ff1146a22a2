# test: run --exec=jit c=ones x=arange y=arange e=ones
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[4]", x: "f32[3, 4]", y: "f32[3, 2, 4]", e: "f32[1, 4]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x, y], (e,))
        getitem = scan[0]
        getitem_1 = scan[1]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[4]", x: "f32[4]", y: "f32[2, 4]", e: "f32[1, 4]"):
            scan_combine_graph_1 = self.scan_combine_graph_1
            scan = torch.ops.higher_order.scan(scan_combine_graph_1, [], [y], (e,))
            getitem: "f32[2, 4, 4]" = scan[0]
            sum_1: "f32[4]" = torch.ops.aten.sum.dim_IntList(getitem, [0, 1])
            add: "f32[4]" = torch.ops.aten.add.Tensor(c, x)
            return [add, sum_1]

        class scan_combine_graph_1(torch.nn.Module):
            def forward(self, y: "f32[4]", e: "f32[1, 4]"):
                to: "i64[4]" = torch.ops.aten.to.dtype(y, torch.int64)
                remainder: "i64[4]" = torch.ops.aten.remainder.Scalar(to, 1)
                index: "f32[4, 4]" = torch.ops.aten.index.Tensor(e, [remainder])
                return [index]
# ----
out.0 getitem: f32[4]  13, 16, 19, 22
out.1 getitem_1: f32[3, 4]  8, 8, 8, 8 ...  min 8, max 8
