# test: check
class GraphModule(torch.nn.Module):
    def forward(self, init: "f32[3]", xs: "f32[5, 3]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [xs], ())
        getitem: "f32[3]" = scan[0]
        return (getitem,)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[3]", x: "f32[3]"):
            sum_1: "f32[]" = torch.ops.aten.sum.default(c)
            return [sum_1, x]
# ----
<stdin>:12:13: error: carry-shape: scan: carry 0 returned by scan_combine_graph_0: expected f32[3], got f32[]
                return [sum_1, x]
                ^
exit 1
