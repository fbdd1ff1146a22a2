# test: check
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]"):
        add: "f32[2]" = torch.ops.aten.add.Tensor(x, [1, (2)
        return (add,)
# ----
<stdin>:4:54: error: syntax: a bracket is never closed: expected ']' before the end of the text
            add: "f32[2]" = torch.ops.aten.add.Tensor(x, [1, (2)
                                                         ^
exit 1
