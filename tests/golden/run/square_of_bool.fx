# test: run x=arange m=b8[2,3]:ones --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, x: "b8[3]", m: "b8[2, 3]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [x], [m], ())
        getitem: "b8[3]" = scan[0]
        getitem_1: "i64[2, 3]" = scan[1]
        square: "i64[3]" = torch.ops.aten.square.default(x)
        return (getitem, getitem_1, square)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "b8[3]", m: "b8[3]"):
            logical_xor: "b8[3]" = torch.ops.aten.logical_xor.default(c, m)
            square: "i64[3]" = torch.ops.aten.square.default(c)
            return [logical_xor, square]
# ----
out.0 getitem: b8[3]  False, True, True
out.1 getitem_1: i64[2, 3]  0, 1, 1, 1 ...  min 0, max 1
out.2 square: i64[3]  0, 1, 1
