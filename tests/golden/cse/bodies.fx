# test: print --after=cse
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[2]", u: "f32[5, 2]"):
        body = self.body
        scan = torch.ops.higher_order.scan(body, [a], [u], ())
        getitem: "f32[2]" = scan[0]
        body_1 = self.body
        scan_1 = torch.ops.higher_order.scan(body_1, [a], [u], ())
        getitem_1: "f32[5, 2]" = scan_1[1]
        sum_1: "f32[2]" = torch.ops.aten.sum.dim_IntList(getitem_1, [0])
        sum_2: "f32[2]" = torch.ops.aten.sum.dim_IntList(getitem_1, [0], False)
        return (getitem, sum_1, sum_2)

    class body(torch.nn.Module):
        def forward(self, a: "f32[2]", u: "f32[2]"):
            add: "f32[2]" = torch.ops.aten.add.Tensor(a, u)
            add_1: "f32[2]" = torch.ops.aten.add.Tensor(a, u)
            sin: "f32[2]" = torch.ops.aten.sin.default(add)
            sin_1: "f32[2]" = torch.ops.aten.sin.default(add_1)
            return [sin, sin_1]
# ----
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[2]", u: "f32[5, 2]"):
        body = self.body
        scan = torch.ops.higher_order.scan(body, [a], [u], ());  body = a = u = None
        getitem: "f32[2]" = scan[0]
        getitem_1: "f32[5, 2]" = scan[1];  scan = None
        sum_1: "f32[2]" = torch.ops.aten.sum.dim_IntList(getitem_1, [0]);  getitem_1 = None
        return (getitem, sum_1, sum_1)

    class body(torch.nn.Module):
        def forward(self, a: "f32[2]", u: "f32[2]"):
            add: "f32[2]" = torch.ops.aten.add.Tensor(a, u);  a = u = None
            sin: "f32[2]" = torch.ops.aten.sin.default(add);  add = None
            return [sin, sin]
