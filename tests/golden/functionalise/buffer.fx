# test: print --after=functionalise
class GraphModule(torch.nn.Module):
    def forward(self, init: "f32[2]", xs: "f32[4, 2]", buf: "f32[2]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [xs], (buf,))
        getitem: "f32[2]" = scan[0]
        getitem_1: "f32[4, 2]" = scan[1]
        return (getitem, getitem_1, buf)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[2]", x: "f32[2]", buf: "f32[2]"):
            add_: "f32[2]" = torch.ops.aten.add_.Tensor(buf, x)
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(c, add_)
            clone: "f32[2]" = torch.ops.aten.clone.default(mul)
            return [mul, clone]
# ----
class GraphModule(torch.nn.Module):
    def forward(self, init: "f32[2]", xs: "f32[4, 2]", buf: "f32[2]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init, buf], [xs], ());  scan_combine_graph_0 = init = buf = xs = None
        getitem_2: "f32[2]" = scan[1]
        getitem: "f32[2]" = scan[0]
        getitem_1: "f32[4, 2]" = scan[2];  scan = None
        return (getitem, getitem_1, getitem_2, getitem_2)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[2]", buf: "f32[2]", x: "f32[2]"):
            add: "f32[2]" = torch.ops.aten.add.Tensor(buf, x);  buf = x = None
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(c, add);  c = None
            clone: "f32[2]" = torch.ops.aten.clone.default(mul)
            return [mul, add, clone]
