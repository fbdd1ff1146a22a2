# test: run x=ones
class GraphModule(torch.nn.Module):
    def forward(self, x: "i64[3]"):
        sub: "i64[3]" = torch.ops.aten.sub.Tensor(x, x)
        div: "i64[3]" = torch.ops.aten.div.Tensor_mode(x, sub, rounding_mode = 'floor')
        return (div,)
# ----
<stdin>:5:9: error: data: div: integer division by zero
            div: "i64[3]" = torch.ops.aten.div.Tensor_mode(x, sub, rounding_mode = 'floor')
            ^
exit 1
