# test: run x=arange
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        clone: "f32[2, 3]" = torch.ops.aten.clone.default(x)
        view: "f32[6]" = torch.ops.aten.view.default(clone, [6])
        unsqueeze_: "f32[1, 2, 3]" = torch.ops.aten.unsqueeze_.default(clone, 0)
        transpose_: "f32[3, 2, 1]" = torch.ops.aten.transpose_.default(unsqueeze_, 0, 2)
        squeeze_: "f32[3, 2]" = torch.ops.aten.squeeze_.dim(transpose_, 2)
        select: "f32[2]" = torch.ops.aten.select.int(squeeze_, 0, 1)
        mul_: "f32[2]" = torch.ops.aten.mul_.Tensor(select, 10)
        t_: "f32[2, 3]" = torch.ops.aten.t_.default(squeeze_)
        return (view, t_)
# ----
out.0 view: f32[6]  0, 10, 2, 3 ...  min 0, max 40
out.1 t_: f32[2, 3]  0, 10, 2, 3 ...  min 0, max 40
