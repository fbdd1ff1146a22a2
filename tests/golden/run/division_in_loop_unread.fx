# test: run --exec=jit k=ones c=ones xs=zeros w=ones
# The inner scan ends with what does not need the divisions that it begins with: those have no value
# to compute any more, but the second can fail, and does.
class GraphModule(torch.nn.Module):
    def forward(self, k: "i64[70]", c: "i64[70]", xs: "i64[4, 70]", w: "i64[5, 70]"):
        body = self.body
        scan = torch.ops.higher_order.scan(body, [c], [xs], (k, w))
        last = scan[0]
        return (last,)

    class body(torch.nn.Module):
        def forward(self, c: "i64[70]", x: "i64[70]", k: "i64[70]", w: "i64[5, 70]"):
            p = torch.ops.aten.remainder.Scalar(x, 3)
            r = torch.ops.aten.fmod.Tensor(c, x)
            inner = self.inner
            scan = torch.ops.higher_order.scan(inner, [p, r], [w], (k,))
            a = scan[0]
            b = scan[1]
            sort = torch.ops.aten.sort.default(c)
            s = sort[0]
            d = torch.ops.aten.mul.Tensor(s, a)
            e = torch.ops.aten.mul.Tensor(d, b)
            return [e]

        class inner(torch.nn.Module):
            def forward(self, p: "i64[70]", r: "i64[70]", x: "i64[70]", k: "i64[70]"):
                u = torch.ops.aten.mul.Tensor(k, x)
                v = torch.ops.aten.neg.default(k)
                return [u, v]
# ----
<stdin>:14:13: error: data: r: integer division by zero
                r = torch.ops.aten.fmod.Tensor(c, x)
                ^
exit 1
