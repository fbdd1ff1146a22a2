# test: run c=i64[0,3]:ones x=i64[4,3]:ones --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, c: "i64[s1, s0]", x: "i64[4, s0]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x], ())
        getitem: "i64[s1, s0]" = scan[0]
        return (getitem,)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "i64[s1, s0]", x: "i64[s0]"):
            sub: "i64[s0]" = torch.ops.aten.sub.Tensor(x, x)
            floor_divide: "i64[s0]" = torch.ops.aten.floor_divide.default(x, sub)
            add: "i64[s1, s0]" = torch.ops.aten.add.Tensor(c, floor_divide)
            return [add]
# ----
<stdin>:12:13: error: data: floor_divide: integer division by zero
                floor_divide: "i64[s0]" = torch.ops.aten.floor_divide.default(x, sub)
                ^
exit 1
