# test: run a=ones b=ones c=ones
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[5]", b: "f32[6]", c: "f32[2]"):
        nonzero: "i64[u0, 1]" = torch.ops.aten.nonzero.default(a)
        nonzero_1: "i64[u1, 1]" = torch.ops.aten.nonzero.default(b)
        add: "i64[u0, 1]" = torch.ops.aten.add.Tensor(nonzero, nonzero_1)
        sum_1: "i64[1]" = torch.ops.aten.sum.dim_IntList(add, [0])
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [sum_1], ())
        getitem: "f32[2]" = scan[0]
        return (getitem,)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[2]", x: "i64[]"):
            full: "f32[2]" = torch.ops.aten.full.default([2], 7, dtype = torch.float32)
            return [full]
# ----
<stdin>:6:9: error: shape-mismatch: add: sizes 5 and 6 at dimension -2 do not broadcast: expected equal sizes or 1
            add: "i64[u0, 1]" = torch.ops.aten.add.Tensor(nonzero, nonzero_1)
            ^
exit 1
