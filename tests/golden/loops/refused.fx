# test: print --form=loops
class GraphModule(torch.nn.Module):
    def forward(self, init: "f32[200]", xs: "f32[100, 200]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [xs], ())
        getitem: "f32[200]" = scan[0]
        scan_combine_graph_1 = self.scan_combine_graph_1
        scan_1 = torch.ops.higher_order.scan(scan_combine_graph_1, [init], [xs], ())
        getitem_1: "f32[200]" = scan_1[0]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[200]", x: "f32[200]"):
            sum_1: "f32[]" = torch.ops.aten.sum.default(x)
            add: "f32[200]" = torch.ops.aten.add.Tensor(c, sum_1)
            return [add]

    class scan_combine_graph_1(torch.nn.Module):
        def forward(self, c: "f32[200]", x: "f32[200]"):
            roll: "f32[200]" = torch.ops.aten.roll.default(c, [1], [0])
            add: "f32[200]" = torch.ops.aten.add.Tensor(roll, x)
            return [add]
# ----
# x86-64-v3, contiguous operands
scan scan: interpreted: node x: sum along an axis of size 200; at most 64 have a lowering
scan scan_1: interpreted: node c: roll along an axis of size 200; at most 64 have a lowering
