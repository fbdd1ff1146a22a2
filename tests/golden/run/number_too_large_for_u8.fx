# test: run x=arange
class GraphModule(torch.nn.Module):
    def forward(self, x: "u8[3]"):
        y = torch.ops.aten.clamp.default(x, 0, 300)
        return (y,)
# ----
<stdin>:4:9: error: bad-argument: y: argument 'max' of clamp: expected a number that fits u8, got 300
            y = torch.ops.aten.clamp.default(x, 0, 300)
            ^
exit 1
