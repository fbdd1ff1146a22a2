# test: run c=zeros x=zeros --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, c: "i64[8]", x: "i64[3, 1, 0, 8]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x], ())
        getitem: "i64[8]" = scan[0]
        getitem_1: "b8[3, 1, 8, 0]" = scan[1]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "i64[8]", x: "i64[1, 0, 8]"):
            add: "i64[8]" = torch.ops.aten.add.Tensor(c, 1)
            add_1: "i64[1, 0, 8]" = torch.ops.aten.add.Tensor(x, c)
            view: "i64[0]" = torch.ops.aten.view.default(add_1, [-1])
            transpose: "i64[1, 8, 0]" = torch.ops.aten.transpose.int(add_1, -1, 1)
            gt: "b8[1, 8, 0]" = torch.ops.aten.gt.Tensor(view, transpose)
            return [add, gt]
# ----
out.0 getitem: i64[8]  3, 3, 3, 3 ...  min 3, max 3
out.1 getitem_1: b8[3, 1, 8, 0]
