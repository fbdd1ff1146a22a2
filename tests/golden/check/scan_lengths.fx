# test: check
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[4]", x: "f32[3, 4]", y: "f32[2, 4]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x, y], ())
        scan_1 = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x, 3], ())
        getitem = scan[0]
        return (getitem,)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[4]", x: "f32[4]", y: "f32[4]"):
            add: "f32[4]" = torch.ops.aten.add.Tensor(c, x)
            return [add, y]
# ----
<stdin>:5:9: error: scan-length-mismatch: scan: leaf 1 of 'xs', dimension 0: expected length 3, got 2
            scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x, y], ())
            ^
<stdin>:6:9: error: bad-argument: scan_1: leaf 1 of 'xs': expected a tensor, got 3
            scan_1 = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x, 3], ())
            ^
exit 1
