# test: print --after=dce
# The x is not read, but it gives the number of steps.
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[2]", u: "f32[5, 2]", v: "f32[5]"):
        body = self.body
        scan = torch.ops.higher_order.scan(body, [a], [u, v], ())
        getitem: "f32[2]" = scan[0]
        return (getitem,)

    class body(torch.nn.Module):
        def forward(self, a: "f32[2]", u: "f32[2]", v: "f32[]"):
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(a, 2)
            add: "f32[2]" = torch.ops.aten.add.Tensor(u, v)
            return [mul, add]
# ----
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[2]", u: "f32[5, 2]", v: "f32[5]"):
        body = self.body
        scan = torch.ops.higher_order.scan(body, [a], [u], ());  body = a = u = None
        getitem: "f32[2]" = scan[0];  scan = None
        return (getitem,)

    class body(torch.nn.Module):
        def forward(self, a: "f32[2]", u: "f32[2]"):
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(a, 2);  a = None
            return [mul]
