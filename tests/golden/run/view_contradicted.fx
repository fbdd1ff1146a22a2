# test: run x=f32[3,4]:ones
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0, 4]"):
        slice_1: "f32[5, 4]" = torch.ops.aten.slice.Tensor(x, 0, 0, 5)
        view: "f32[8, 2]" = torch.ops.aten.view.default(x, [8, 2])
        mul: "f32[8, 2]" = torch.ops.aten.mul.Tensor(view, 2)
        return (mul, slice_1)
# ----
<stdin>:5:9: error: shape-mismatch: view: sizes [3, 4] do not fit into [8, 2]
            view: "f32[8, 2]" = torch.ops.aten.view.default(x, [8, 2])
            ^
exit 1
