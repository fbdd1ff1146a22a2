# test: run x=arange y=ones n=4
class GraphModule(torch.nn.Module):
    def forward(self, x: "i64[s0, 2]", y: "f32[2]", n: "Sym(s0)"):
        mul: "f32[s0, 2]" = torch.ops.aten.mul.Tensor(x, y)
        add: "f32[s0, 2]" = torch.ops.aten.add.Tensor(mul, n)
        return (mul, add)
# ----
out.0 mul: f32[4, 2]  0, 1, 2, 3 ...  min 0, max 7
out.1 add: f32[4, 2]  4, 5, 6, 7 ...  min 4, max 11
