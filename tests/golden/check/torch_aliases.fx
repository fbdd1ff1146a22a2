# test: check --torch
class GraphModule(torch.nn.Module):
    def forward(self, init: "f32[3]", xs: "f32[5, 3]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [xs], ())
        getitem: "f32[3]" = scan[0]
        getitem_1: "f32[5, 3]" = scan[1]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[3]", x: "f32[3]"):
            add: "f32[3]" = torch.ops.aten.add.Tensor(c, x)
            return [add, add]
# ----
<stdin>:13:13: error: alias: results 0 and 1 of scan_combine_graph_0, called by 'scan', share memory ('add'); PyTorch expects a clone
                return [add, add]
                ^
exit 1
