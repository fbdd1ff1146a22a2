# test: run x=arange
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[1, 2, 4]"):
        pad: "f32[1, 2, 5]" = torch.ops.aten.pad.default(x, [-1, 2], 'circular')
        select: "f32[1, 5]" = torch.ops.aten.select.int(pad, 1, 0)
        slice_1: "f32[1, 1]" = torch.ops.aten.slice.Tensor(select, 1, 4, 5)
        return (select, slice_1)
# ----
out.0 select: f32[1, 5]  1, 2, 3, 1 ...  min 1, max 3
out.1 slice_1: f32[1, 1]  2
