# test: print --after=functionalise
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[2]", xs: "f32[5, 2]"):
        body = self.body
        scan = torch.ops.higher_order.scan(body, [c], [xs], ())
        getitem: "f32[2]" = scan[0]
        return (getitem,)

    class body(torch.nn.Module):
        def forward(self, c: "f32[2]", x: "f32[2]"):
            add_: "f32[2]" = torch.ops.aten.add_.Tensor(x, c)
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(c, 2)
            return [mul]
# ----
<stdin>:11:13: error: mutation: 'add_' changes x 0 of 'scan' in place; expected a subgraph that leaves it alone
                add_: "f32[2]" = torch.ops.aten.add_.Tensor(x, c)
                ^
exit 1
