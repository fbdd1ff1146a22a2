# test: run x=f32[3,4]:ones
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0, 4]"):
        slice_1: "f32[5, 4]" = torch.ops.aten.slice.Tensor(x, 0, 0, 5)
        mul: "f32[5, 4]" = torch.ops.aten.mul.Tensor(slice_1, 2)
        return (mul,)
# ----
<stdin>:4:9: error: shape-mismatch: slice_1: the result has another shape than its type says: expected f32[5, 4], got f32[3, 4]
            slice_1: "f32[5, 4]" = torch.ops.aten.slice.Tensor(x, 0, 0, 5)
            ^
exit 1
