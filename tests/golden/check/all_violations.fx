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
<stdin>:5:9: error: unknown-op: operator 'torch.ops.aten.frobnicate.default' is unknown; C functions of your own are registered with scanc_register_op or --ops
            frob = torch.ops.aten.frobnicate.default(x)
            ^
<stdin>:6:9: error: dim-range: sum_1: sum: dimension out of range: expected -2 to 1 for rank 2, got 5
            sum_1: "f32[2]" = torch.ops.aten.sum.dim_IntList(x, [5])
            ^
exit 1
