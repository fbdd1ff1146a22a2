# test: run x=arange y=arange
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[5]", y: "f32[5]"):
        clone: "f32[5]" = torch.ops.aten.clone.default(x)
        pow_: "f32[5]" = torch.ops.aten.pow_.Tensor(clone, y)
        add: "f32[5]" = torch.ops.aten.add.Tensor(y, 1)
        floor_divide_: "f32[5]" = torch.ops.aten.floor_divide_.Tensor(pow_, add)
        clone_1: "f32[5]" = torch.ops.aten.clone.default(floor_divide_)
        ldexp_: "f32[5]" = torch.ops.aten.ldexp_.default(clone_1, y)
        return (floor_divide_, ldexp_)
# ----
out.0 floor_divide_: f32[5]  1, 0, 1, 6 ...  min 0, max 51
out.1 ldexp_: f32[5]  1, 0, 4, 48 ...  min 0, max 816
