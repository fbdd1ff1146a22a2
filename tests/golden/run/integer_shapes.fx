# test: run x=arange
class GraphModule(torch.nn.Module):
    def forward(self, x: "i32[2, 3]"):
        arange: "i32[2]" = torch.ops.aten.arange.start_step(0.1, -7.9, -4.0, dtype = torch.int32)
        sum_to_size: "i64[1, 3]" = torch.ops.aten.sum_to_size.default(x, [1, 3])
        sum_to_size_1: "i32[2, 3]" = torch.ops.aten.sum_to_size.default(x, [2, 3])
        diff: "i32[2, 3]" = torch.ops.aten.diff.default(x, 0, 1, x, x)
        empty: "i64[0, 2]" = torch.ops.aten.empty_permuted.default([0, 2], [1, 0], dtype = torch.int64)
        return (arange, sum_to_size, sum_to_size_1, diff, empty)
# ----
out.0 arange: i32[2]  0, -4
out.1 sum_to_size: i64[1, 3]  3, 5, 7
out.2 sum_to_size_1: i32[2, 3]  0, 1, 2, 3 ...  min 0, max 5
out.3 diff: i32[2, 3]  0, 1, 2, 3 ...  min 0, max 5
out.4 empty: i64[0, 2]
