# test: run x=f32[3,4]:ones
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0, 4]"):
        slice_1: "f32[5, 4]" = torch.ops.aten.slice.Tensor(x, 0, 0, 5)
        mul: "f32[5, 4]" = torch.ops.aten.mul.Tensor(slice_1, 2)
        return (mul,)
# ----
out.0 mul: f32[3, 4]  2, 2, 2, 2 ...  min 2, max 2
