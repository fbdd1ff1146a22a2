# test: run x=arange
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3, 4]"):
        a = torch.ops.aten.unfold.default(x, 1, 2, 9223372036854775807)
        return (a,)
# ----
out.0 a: f32[2, 1, 4, 2]  0, 4, 1, 5 ...  min 0, max 19
