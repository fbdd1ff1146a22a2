# test: run x=ones --dim s0=3
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0, 2]"):
        n = torch.ops.aten.sym_size.int(x, 0)
        m = n * 2
        half = n / 2
        few = n < 10
        return (n, m, x, None, half, few, 7, 2.5)
# ----
out.0 n: i64[]  3
out.1 m: i64[]  6
out.2 x: f32[3, 2]  1, 1, 1, 1 ...  min 1, max 1
constant: no array
out.3 half: f64[]  1.5
out.4 few: b8[]  True
out.5 : i64[]  7
out.6 : f64[]  2.5
