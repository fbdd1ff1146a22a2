# test: print --after=functionalise
class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[4, 3]", L_i_: "i64[2]", L_v_: "f32[2, 3]"):
        l_x_ = L_x_
        l_i_ = L_i_
        l_v_ = L_v_
        l_x_[0] = 1;  setitem = l_x_;  setitem = None
        l_x_[(slice(1, 3, None), Ellipsis)] = l_v_;  setitem_1 = l_x_;  setitem_1 = None
        l_x_[l_i_] = l_v_;  setitem_2 = l_x_;  setitem_2 = None
        l_x_ += 2;  x: "f32[4, 3]" = l_x_;  l_x_ = None
        row: "f32[3]" = x[3]
        add_: "f32[3]" = row.add_(1.0)
        return (x, add_)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[4, 3]", L_i_: "i64[2]", L_v_: "f32[2, 3]"):
        l_x_ = L_x_
        l_i_ = L_i_
        l_v_ = L_v_
        select: "f32[3]" = torch.ops.aten.select.int(l_x_, 0, 0);  select = None
        full: "f32[]" = torch.ops.aten.full.default([], 1, dtype = torch.float32)
        expand: "f32[3]" = torch.ops.aten.expand.default(full, [3]);  full = None
        select_scatter: "f32[4, 3]" = torch.ops.aten.select_scatter.default(l_x_, expand, 0, 0);  l_x_ = expand = None
        slice_1: "f32[2, 3]" = torch.ops.aten.slice.Tensor(select_scatter, 0, 1, 3, 1);  slice_1 = None
        slice_scatter: "f32[4, 3]" = torch.ops.aten.slice_scatter.default(select_scatter, l_v_, 0, 1, 3, 1);  select_scatter = None
        index_put: "f32[4, 3]" = torch.ops.aten.index_put.default(slice_scatter, [l_i_], l_v_);  slice_scatter = l_i_ = l_v_ = None
        add: "f32[4, 3]" = index_put + 2;  index_put = None
        select_1: "f32[3]" = torch.ops.aten.select.int(add, 0, 3)
        add_1: "f32[3]" = select_1.add(1.0);  select_1 = None
        select_scatter_1: "f32[4, 3]" = torch.ops.aten.select_scatter.default(add, add_1, 0, 3);  add = None
        return (select_scatter_1, add_1, select_scatter_1)
