# test: print --after=dce
# Results 1 and 3 are read. Carry b feeds y 1, carry c feeds only itself, x 1 and extra w only carry c.
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[2]", b: "f32[2]", c: "f32[2]", u: "f32[5, 2]", v: "f32[5, 2]", w: "f32[2]", k: "f32[2]"):
        body = self.body
        scan = torch.ops.higher_order.scan(body, [a, b, c], [u, v], (w, k))
        getitem: "f32[2]" = scan[0]
        getitem_1: "f32[2]" = scan[1]
        getitem_3: "f32[5, 2]" = scan[3]
        getitem_4: "f32[5, 2]" = scan[4]
        neg: "f32[5, 2]" = torch.ops.aten.neg.default(getitem_3)
        return (getitem_1, getitem_4)

    class body(torch.nn.Module):
        def forward(self, a: "f32[2]", b: "f32[2]", c: "f32[2]", u: "f32[2]", v: "f32[2]", w: "f32[2]", k: "f32[2]"):
            add: "f32[2]" = torch.ops.aten.add.Tensor(a, u)
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(b, k)
            sub: "f32[2]" = torch.ops.aten.sub.Tensor(c, v)
            mul_1: "f32[2]" = torch.ops.aten.mul.Tensor(sub, w)
            sin: "f32[2]" = torch.ops.aten.sin.default(b)
            return [add, mul, mul_1, sub, sin]
# ----
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[2]", b: "f32[2]", c: "f32[2]", u: "f32[5, 2]", v: "f32[5, 2]", w: "f32[2]", k: "f32[2]"):
        body = self.body
        scan = torch.ops.higher_order.scan(body, [b], [u], (k,));  body = b = u = k = None
        getitem_1: "f32[2]" = scan[0]
        getitem_4: "f32[5, 2]" = scan[1];  scan = None
        return (getitem_1, getitem_4)

    class body(torch.nn.Module):
        def forward(self, b: "f32[2]", u: "f32[2]", k: "f32[2]"):
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(b, k);  k = None
            sin: "f32[2]" = torch.ops.aten.sin.default(b);  b = None
            return [mul, sin]
