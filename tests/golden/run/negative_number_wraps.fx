# test: run x=arange
class GraphModule(torch.nn.Module):
    def forward(self, x: "u8[3]"):
        y = torch.ops.aten.clamp_min.default(x, -255)
        return (y,)
# ----
out.0 y: u8[3]  1, 1, 2
