# test: run x=ones
class GraphModule(torch.nn.Module):
    def forward(self, x: "i64[3]"):
        sub: "i64[3]" = torch.ops.aten.sub.Tensor(x, x)
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [sub], [x], ())
        getitem: "i64[3]" = scan[0]
        floor_divide: "i64[3]" = torch.ops.aten.floor_divide.default(sub, sub)
        return (getitem, floor_divide)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "i64[3]", x: "i64[]"):
            sub: "i64[3]" = torch.ops.aten.sub.Tensor(c, c)
            remainder: "i64[3]" = torch.ops.aten.remainder.Tensor(c, sub)
            return [remainder]
# ----
<stdin>:14:13: error: data: remainder: integer division by zero
                remainder: "i64[3]" = torch.ops.aten.remainder.Tensor(c, sub)
                ^
exit 1
