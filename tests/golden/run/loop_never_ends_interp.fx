# test: run --exec=interp x=ones
# Newton's method for the square root of 2 ends up between two neighbours, or at one: it never gets
# as near as is asked.
class GraphModule(torch.nn.Module):
    def forward(self, x: "f64[]"):
        test = self.test
        body = self.body
        loop = torch.ops.higher_order.while_loop(test, body, (x,), ())
        root = loop[0]
        return (root,)

    class test(torch.nn.Module):
        def forward(self, x: "f64[]"):
            square: "f64[]" = torch.ops.aten.mul.Tensor(x, x)
            far: "b8[]" = torch.ops.aten.ne.Scalar(square, 2.0)
            return far

    class body(torch.nn.Module):
        def forward(self, x: "f64[]"):
            q: "f64[]" = torch.ops.aten.reciprocal.default(x)
            d: "f64[]" = torch.ops.aten.mul.Tensor(q, 2.0)
            s: "f64[]" = torch.ops.aten.add.Tensor(x, d)
            h: "f64[]" = torch.ops.aten.mul.Tensor(s, 0.5)
            return (h,)
# ----
<stdin>:8:9: error: data: loop: the loop never ends: its values repeat
            loop = torch.ops.higher_order.while_loop(test, body, (x,), ())
            ^
exit 1
