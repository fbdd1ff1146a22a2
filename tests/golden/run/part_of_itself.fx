# test: run c=ones x=ones y=ones
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[3, 0, 4]", x: "f32[5, 0, 4]", y: "f32[3, 0, 4]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x], (y,))
        getitem = scan[0]
        getitem_1 = scan[1]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[3, 0, 4]", x: "f32[0, 4]", y: "f32[3, 0, 4]"):
            flat: "f32[0]" = torch.ops.aten.reshape.default(c, [-1])
            neg: "f32[3, 0, 4]" = torch.ops.aten.neg.default(y)
            matmul: "f32[3, 4]" = torch.ops.aten.matmul.default(flat, neg)
            add: "f32[3, 0, 4]" = torch.ops.aten.add.Tensor(neg, x)
            return [add, matmul]
# ----
out.0 getitem: f32[3, 0, 4]
out.1 getitem_1: f32[5, 3, 4]  0, 0, 0, 0 ...  min 0, max 0
