# test: check --torch
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[2]", d: "f32[2]", xs: "f32[5, 2]", k: "f32[2]"):
        body = self.body
        scan = torch.ops.higher_order.scan(body, [c, d], [xs], (k,))
        getitem: "f32[2]" = scan[0]
        return (getitem,)

    class body(torch.nn.Module):
        def forward(self, c: "f32[2]", d: "f32[2]", x: "f32[2]", k: "f32[2]"):
            add: "f32[2]" = torch.ops.aten.add.Tensor(c, x)
            view: "f32[1, 2]" = torch.ops.aten.view.default(x, [1, 2])
            mul_: "f32[2]" = torch.ops.aten.mul_.Tensor(d, 2)
            mul__1: "f32[2]" = torch.ops.aten.mul_.Tensor(k, 2)
            return [add, mul_, add, view]
# ----
<stdin>:13:13: error: mutation: 'mul_' changes parameter 1 ('d') of body in place; expected carries and xs left alone
                mul_: "f32[2]" = torch.ops.aten.mul_.Tensor(d, 2)
                ^
<stdin>:15:13: error: alias: result 1 of body is a view of its parameter 'd'; PyTorch expects a clone
                return [add, mul_, add, view]
                ^
<stdin>:15:13: error: alias: results 0 and 2 of body, called by 'scan', share memory ('add'); PyTorch expects a clone
                return [add, mul_, add, view]
                ^
<stdin>:15:13: error: alias: result 3 of body is a view of its parameter 'x'; PyTorch expects a clone
                return [add, mul_, add, view]
                ^
exit 1
