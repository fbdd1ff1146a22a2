# test: explain
class GraphModule(torch.nn.Module):
    def forward(self, i: "f32[4]", x: "f32[7, 4]", k: "i64[]"):
        item = torch.ops.aten.item.default(k)
        s = torch.ops.aten.slice.Tensor(x, 0, 0, item)
        g = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(g, [i], [s], ())
        a = scan[0]
        b = scan[1]
        return (a, b)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[4]", x: "f32[4]"):
            add: "f32[4]" = torch.ops.aten.add.Tensor(c, x)
            return [add, add]
# ----
program: node by node: node item: unknown type
scan scan (line 7): interpreted: node scan: the types of its results are not known before it runs
