# test: run --exec=jit --dim s1=0 xs=ones c=ones idx=zeros
# What selects from a tensor without elements has no kernel, so that of the scan is made for these
# sizes: 4 * s1 is 0, but still a product of two.
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[4, s1]", xs: "i64[5, 4, s1]", idx: "i64[2]"):
        d = torch.ops.aten.index_select.default(xs, 1, idx)
        e = torch.ops.aten.index_add.default(xs, 1, idx, d)
        body = self.body
        scan = torch.ops.higher_order.scan(body, [c], [e], ())
        a = scan[0]
        b = scan[1]
        return (a, b)

    class body(torch.nn.Module):
        def forward(self, c: "f32[4, s1]", x: "i64[4, s1]"):
            s = torch.ops.aten.sigmoid.default(x)
            m = torch.ops.aten.mul.Tensor(c, s)
            r = torch.ops.aten.reshape.default(s, [-1])
            return [m, r]
# ----
out.0 a: f32[4, 0]
out.1 b: f32[5, 0]
