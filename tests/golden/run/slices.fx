# test: run x=arange y=f32[2]:ones
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[6]", y: "f32[s0]"):
        n = torch.ops.aten.sym_size.int(y, 0)
        a = x[slice(None, None, 2)]
        b = x[slice(1, None, None)]
        c = x[(slice(None, None, n),)]
        d = x[slice(n, None, None)]
        e = torch.ops.aten.clone.default(x)
        e[slice(None, None, n)] = 7
        f = torch.ops.aten.clone.default(x)
        f[(slice(1, None, n),)] = 8.5
        return (a, b, c, d, e, f)
# ----
out.0 a: f32[3]  0, 2, 4
out.1 b: f32[5]  1, 2, 3, 4 ...  min 1, max 5
out.2 c: f32[3]  0, 2, 4
out.3 d: f32[4]  2, 3, 4, 5
out.4 e: f32[6]  7, 1, 7, 3 ...  min 1, max 7
out.5 f: f32[6]  0, 8.5, 2, 8.5 ...  min 0, max 8.5
