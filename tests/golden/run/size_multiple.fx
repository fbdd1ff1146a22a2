# test: run x=f32[7]:ones
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2*s0]"):
        y = torch.ops.aten.neg.default(x)
        return (y,)
# ----
<stdin>: error: input-shape: input 'x', dimension 0: expected size 2*s0 with an integer symbol, got 7
exit 1
