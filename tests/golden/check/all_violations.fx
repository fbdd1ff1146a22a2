# test: check
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]", y: "f32[4]"):
        add: "f32[2, 3]" = torch.ops.aten.add.Tensor(x, y)
        frob = torch.ops.aten.frobnicate.default(x)
        sum_1: "f32[2]" = torch.ops.aten.sum.dim_IntList(x, [5])
        return (add, frob, sum_1)
# ----
<stdin>:4:9: error: shape-mismatch: add: sizes 3 and 4 at dimension -1 do not broadcast: expected equal sizes or 1
            add: "f32[2, 3]" = torch.ops.aten.add.Tensor(x, y)
            ^
exit 1
