# test: run x=f32[7]:ones n=3 --dim s0=4
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[7]", n: "Sym(s0)"):
        y = torch.ops.aten.mul.Tensor(x, n)
        return (y,)
# ----
scanc: error: input-shape: input 'n': expected s0 = 4, as --dim or an input before it says, got 3
exit 1
