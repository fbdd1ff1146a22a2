# test: print --after=cse
# Assertions are never merged.
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]"):
        gt: "b8[2]" = torch.ops.aten.gt.Scalar(x, 0)
        all_1: "b8[]" = torch.ops.aten.all.default(gt)
        _assert_async = torch.ops.aten._assert_async.default(all_1)
        _assert_async_1 = torch.ops.aten._assert_async.default(all_1)
        return (x,)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]"):
        gt: "b8[2]" = torch.ops.aten.gt.Scalar(x, 0)
        all_1: "b8[]" = torch.ops.aten.all.default(gt);  gt = None
        _assert_async = torch.ops.aten._assert_async.default(all_1);  _assert_async = None
        _assert_async_1 = torch.ops.aten._assert_async.default(all_1);  all_1 = _assert_async_1 = None
        return (x,)
