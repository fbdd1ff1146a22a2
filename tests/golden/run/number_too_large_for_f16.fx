# test: run x=arange
class GraphModule(torch.nn.Module):
    def forward(self, x: "u8[3]"):
        y = torch.ops.aten.full_like.default(x, 65520.0, dtype = torch.float16)
        return (y,)
# ----
<stdin>:4:9: error: bad-argument: y: argument 'fill_value' of full_like: expected a number that fits f16, got 65520
            y = torch.ops.aten.full_like.default(x, 65520.0, dtype = torch.float16)
            ^
exit 1
