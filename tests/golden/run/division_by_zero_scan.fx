# test: run c=ones xs=arange --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, c: "i64[2]", xs: "i64[3, 2]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [xs], ())
        getitem: "i64[2]" = scan[0]
        return (getitem,)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "i64[2]", x: "i64[2]"):
            div: "i64[2]" = torch.ops.aten.floor_divide.default(c, x)
            return [div]
# ----
<stdin>:11:13: error: data: div: integer division by zero
                div: "i64[2]" = torch.ops.aten.floor_divide.default(c, x)
                ^
exit 1
