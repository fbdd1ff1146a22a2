# test: print --after=functionalise
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[3, 4]", y: "f32[4]", z: "f32[2]"):
        clone: "f32[3, 4]" = torch.ops.aten.clone.default(x);  x = None
        select: "f32[4]" = torch.ops.aten.select.int(clone, 0, 1)
        add_: "f32[4]" = torch.ops.aten.add_.Tensor(select, y)
        t: "f32[4, 3]" = torch.ops.aten.t.default(clone)
        slice_1: "f32[2, 3]" = torch.ops.aten.slice.Tensor(t, 0, 2, 4)
        mul_: "f32[2, 3]" = torch.ops.aten.mul_.Scalar(slice_1, 2.0)
        view: "f32[12]" = torch.ops.aten.view.default(clone, [-1])
        split = torch.ops.aten.split.Tensor(view, 5)
        getitem: "f32[2]" = split[2]
        copy_: "f32[2]" = torch.ops.aten.copy_.default(getitem, z)
        diagonal: "f32[3]" = torch.ops.aten.diagonal.default(clone)
        zero_: "f32[3]" = torch.ops.aten.zero_.default(diagonal)
        getitem_1: "f32[5]" = split[0]
        return (select, t, getitem_1, clone)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[3, 4]", y: "f32[4]", z: "f32[2]"):
        clone: "f32[3, 4]" = torch.ops.aten.clone.default(x);  x = None
        select: "f32[4]" = torch.ops.aten.select.int(clone, 0, 1)
        add: "f32[4]" = torch.ops.aten.add.Tensor(select, y);  select = y = None
        select_scatter: "f32[3, 4]" = torch.ops.aten.select_scatter.default(clone, add, 0, 1);  clone = add = None
        t: "f32[4, 3]" = torch.ops.aten.t.default(select_scatter);  select_scatter = None
        slice_1: "f32[2, 3]" = torch.ops.aten.slice.Tensor(t, 0, 2, 4)
        mul: "f32[2, 3]" = torch.ops.aten.mul.Scalar(slice_1, 2.0);  slice_1 = None
        slice_scatter: "f32[4, 3]" = torch.ops.aten.slice_scatter.default(t, mul, 0, 2, 4, 1);  t = mul = None
        permute: "f32[3, 4]" = torch.ops.aten.permute.default(slice_scatter, [1, 0]);  slice_scatter = None
        view: "f32[12]" = torch.ops.aten.view.default(permute, [-1]);  permute = None
        split = torch.ops.aten.split.Tensor(view, 5)
        getitem: "f32[2]" = split[2];  split = getitem = None
        slice_scatter_1: "f32[12]" = torch.ops.aten.slice_scatter.default(view, z, 0, 10, 12);  view = z = None
        reshape: "f32[3, 4]" = torch.ops.aten.reshape.default(slice_scatter_1, [3, 4]);  slice_scatter_1 = None
        diagonal: "f32[3]" = torch.ops.aten.diagonal.default(reshape)
        zero: "f32[3]" = torch.ops.aten.zero.default(diagonal);  diagonal = None
        diagonal_scatter: "f32[3, 4]" = torch.ops.aten.diagonal_scatter.default(reshape, zero, 0, 0, 1);  reshape = zero = None
        view_1: "f32[12]" = torch.ops.aten.view.default(diagonal_scatter, [-1])
        split_1 = torch.ops.aten.split.Tensor(view_1, 5);  view_1 = None
        getitem_1: "f32[5]" = split_1[0];  split_1 = None
        select_1: "f32[4]" = torch.ops.aten.select.int(diagonal_scatter, 0, 1)
        t_1: "f32[4, 3]" = torch.ops.aten.t.default(diagonal_scatter)
        return (select_1, t_1, getitem_1, diagonal_scatter)
