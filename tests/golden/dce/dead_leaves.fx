# test: print --after=dce
class GraphModule(torch.nn.Module):
    def forward(self, init: "f32[3]", count: "i64[]", xs: "f32[5, 3]", unused: "f32[5, 2]"):
        sin: "f32[3]" = torch.ops.aten.sin.default(init)
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init, count], [xs, unused], ())
        getitem: "f32[3]" = scan[0]
        getitem_1: "i64[]" = scan[1]
        getitem_2: "f32[5, 3]" = scan[2]
        return (getitem,)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[3]", k: "i64[]", x: "f32[3]", u: "f32[2]"):
            add: "f32[3]" = torch.ops.aten.add.Tensor(c, x)
            add_1: "i64[]" = torch.ops.aten.add.Tensor(k, 1)
            exp: "f32[3]" = torch.ops.aten.exp.default(add)
            return [add, add_1, exp]
# ----
class GraphModule(torch.nn.Module):
    def forward(self, init: "f32[3]", count: "i64[]", xs: "f32[5, 3]", unused: "f32[5, 2]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [xs], ());  scan_combine_graph_0 = init = xs = None
        getitem: "f32[3]" = scan[0];  scan = None
        return (getitem,)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[3]", x: "f32[3]"):
            add: "f32[3]" = torch.ops.aten.add.Tensor(c, x);  c = x = None
            return [add]
