# test: run x=arange y=normal --exec=interp
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]", y: "f32[2, 3]"):
        m = torch.ops.aten.gt.Scalar(y, 0)
        f = torch.ops.aten.select.int(m, 1, 1)
        one = torch.ops.aten.full.default([], 0.5)
        a = torch.ops.aten.index_put.default(x, [m], one)
        t: "f32[u0]" = torch.ops.aten.index.Tensor(y, [m])
        u = torch.ops.aten.mul.Tensor(t, -2)
        b = torch.ops.aten.index_put.default(x, [m], u)
        c = torch.ops.aten.index_put.default(x, [m], u, True)
        row = torch.ops.aten.select.int(y, 0, 1)
        d = torch.ops.aten.index_put.default(x, [f], row)
        g = torch.ops.aten.select.int(m, 0, 0)
        column = torch.ops.aten.slice.Tensor(y, 1, 0, 1)
        e = torch.ops.aten.index_put.default(x, [None, g], column)
        z = torch.ops.aten.unsqueeze.default(x, 2)
        w = torch.ops.aten.select.int(y, 1, 0)
        k = torch.ops.aten.slice.Tensor(w, 0, 0, 1)
        h = torch.ops.aten.index_put.default(z, [m], k, True)
        return (m, y, a, b, c, d, e, h)
# ----
out.0 m: b8[2, 3]  False, True, False, True ...  min 0, max 1
out.1 y: f32[2, 3]  -1.21581161, 0.205218509, -0.863899767, 0.914911926 ...  min -1.21581, max 1.1941
out.2 a: f32[2, 3]  0, 0.5, 2, 0.5 ...  min 0, max 4
out.3 b: f32[2, 3]  0, -0.410437018, 2, -1.82982385 ...  min -2.3882, max 4
out.4 c: f32[2, 3]  0, 0.589563012, 2, 1.17017615 ...  min 0, max 4
out.5 d: f32[2, 3]  0.914911926, -0.0170742515, 1.1940999, 3 ...  min -0.0170743, max 5
out.6 e: f32[2, 3]  0, -1.21581161, 2, 3 ...  min -1.21581, max 5
out.7 h: f32[2, 3, 1]  0, -0.21581161, 2, 1.78418839 ...  min -0.215812, max 4
