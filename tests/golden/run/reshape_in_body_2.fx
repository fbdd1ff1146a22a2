# test: run c=f32[12]:arange x=f32[7,12]:arange --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[s0]", x: "f32[s3, s0]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x], ())
        getitem: "f32[s0]" = scan[0]
        getitem_1: "f32[s3, (s0//4)]" = scan[1]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[s0]", x: "f32[s0]"):
            view: "f32[(s0//4), 4]" = torch.ops.aten.view.default(c, [-1, 4])
            select: "f32[(s0//4)]" = torch.ops.aten.select.int(view, 1, 2)
            unsqueeze: "f32[(s0//4), 1]" = torch.ops.aten.unsqueeze.default(select, 1)
            view_1: "f32[(s0//4), 4]" = torch.ops.aten.view.default(x, [-1, 4])
            add: "f32[(s0//4), 4]" = torch.ops.aten.add.Tensor(view_1, unsqueeze)
            view_2: "f32[s0]" = torch.ops.aten.view.default(add, [-1])
            return [view_2, select]
# ----
out.0 getitem: f32[12]  266, 267, 268, 269 ...  min 266, max 333
out.1 getitem_1: f32[7, 3]  2, 6, 10, 4 ...  min 2, max 250
