# test: run --exec=jit h=i64[3,4]:ones x=f32[3,4]:ones m=i64[3,3]:ones
# A result along the inner scan has values along the inner associative scan.
class GraphModule(torch.nn.Module):
    def forward(self, h: "i64[s2, s0]", x: "f32[s2, s0]", m: "i64[s2, s2]"):
        body = self.body
        scan = torch.ops.higher_order.scan(body, [h], [x], (m,))
        a = scan[0]
        b = scan[1]
        c = scan[2]
        return (a, b, c)

    class body(torch.nn.Module):
        def forward(self, h: "i64[s2, s0]", x: "f32[s0]", m: "i64[s2, s2]"):
            ass = self.ass
            associative_scan = torch.ops.higher_order.associative_scan(ass, [m], ())
            g3 = associative_scan[0]
            exp = torch.ops.aten.exp.default(h)
            inner = self.inner
            scan = torch.ops.higher_order.scan(inner, [m], [exp], (m,))
            g7 = scan[1]
            g8 = scan[2]
            md = torch.ops.aten.movedim.int(g8, 0, 1)
            div = torch.ops.aten.div.Tensor(g3, g7)
            to = torch.ops.aten.to.dtype(exp, torch.int64)
            return [to, div, md]

        class ass(torch.nn.Module):
            def forward(self, a: "i64[s2]", c: "i64[s2]"):
                mul = torch.ops.aten.mul.Tensor(a, c)
                return [mul]

        class inner(torch.nn.Module):
            def forward(self, k: "i64[s2, s2]", x: "f32[s0]", m: "i64[s2, s2]"):
                to = torch.ops.aten.neg.default(m)
                return [to, to, to]
# ----
out.0 a: i64[3, 4]  1096, 1096, 1096, 1096 ...  min 1096, max 1096
out.1 b: f32[3, 3, 3, 3]  -1, -1, -1, -1 ...  min -1, max -1
out.2 c: i64[3, 3, 3, 3]  -1, -1, -1, -1 ...  min -1, max -1
