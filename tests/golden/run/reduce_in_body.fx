# test: run x=arange
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 6]"):
        zeros: "f32[]" = torch.ops.aten.full.default([], 0.0)
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [zeros], [x], ());  scan_combine_graph_0 = x = None
        getitem: "f32[]" = scan[0]
        getitem_1: "f32[2]" = scan[1]
        getitem_2: "i64[2]" = scan[2]
        getitem_3: "i64[2, 2]" = scan[3]
        getitem_4: "f32[2, 3]" = scan[4]
        getitem_5: "b8[2]" = scan[5];  scan = None
        return (getitem, getitem_1, getitem_2, getitem_3, getitem_4, getitem_5)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, arg0_1: "f32[]", arg1_1: "f32[6]"):
            mul: "f32[6]" = torch.ops.aten.mul.Tensor(arg1_1, -0.0)
            sum_1: "f32[]" = torch.ops.aten.sum.default(mul)
            div: "f32[]" = torch.ops.aten.reciprocal.default(sum_1)
            eq: "b8[6]" = torch.ops.aten.eq.Scalar(arg1_1, 3.0)
            where: "f32[6]" = torch.ops.aten.where.ScalarSelf(eq, nan, arg1_1)
            argmax: "i64[]" = torch.ops.aten.argmax.default(where)
            view: "f32[2, 3]" = torch.ops.aten.view.default(arg1_1, [2, 3])
            remainder: "f32[2, 3]" = torch.ops.aten.remainder.Scalar(view, 2.0)
            max_1 = torch.ops.aten.max.dim(remainder, 1)
            getitem: "i64[2]" = max_1[1]
            sort = torch.ops.aten.sort.default(remainder, 1, True)
            getitem_1: "i64[2, 3]" = sort[1]
            select: "i64[3]" = torch.ops.aten.select.int(getitem_1, 0, 1)
            _to_copy: "f32[3]" = torch.ops.aten._to_copy.default(select, dtype = torch.float32)
            all_1: "b8[]" = torch.ops.aten.all.default(arg1_1)
            mean: "f32[]" = torch.ops.aten.mean.default(arg1_1)
            add: "f32[]" = torch.ops.aten.add.Tensor(arg0_1, mean)
            return [add, div, argmax, getitem, _to_copy, all_1]
# ----
out.0 getitem: f32[]  11
out.1 getitem_1: f32[2]  inf, inf
out.2 getitem_2: i64[2]  3, 5
out.3 getitem_3: i64[2, 2]  1, 0, 1, 0
out.4 getitem_4: f32[2, 3]  0, 2, 1, 0 ...  min 0, max 2
out.5 getitem_5: b8[2]  False, True
