# test: print --after=dce
# Two calls share the body, so it keeps its ys.
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[2]", u: "f32[5, 2]"):
        body = self.body
        scan = torch.ops.higher_order.scan(body, [a], [u], ())
        getitem: "f32[2]" = scan[0]
        scan_1 = torch.ops.higher_order.scan(body, [getitem], [u], ())
        getitem_1: "f32[2]" = scan_1[0]
        return (getitem_1,)

    class body(torch.nn.Module):
        def forward(self, a: "f32[2]", u: "f32[2]"):
            add: "f32[2]" = torch.ops.aten.add.Tensor(a, u)
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(a, u)
            return [add, mul]
# ----
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[2]", u: "f32[5, 2]"):
        body = self.body
        scan = torch.ops.higher_order.scan(body, [a], [u], ());  a = None
        getitem: "f32[2]" = scan[0];  scan = None
        scan_1 = torch.ops.higher_order.scan(body, [getitem], [u], ());  body = getitem = u = None
        getitem_1: "f32[2]" = scan_1[0];  scan_1 = None
        return (getitem_1,)

    class body(torch.nn.Module):
        def forward(self, a: "f32[2]", u: "f32[2]"):
            add: "f32[2]" = torch.ops.aten.add.Tensor(a, u)
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(a, u);  a = u = None
            return [add, mul]
