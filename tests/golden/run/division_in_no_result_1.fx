# test: run c=i64[2]:arange x=i64[3,2]:ones d=i64[2]:ones --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, c: "i64[s1]", x: "i64[s3, s1]", d: "i64[s0]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x], (d,))
        getitem: "i64[s1]" = scan[0]
        getitem_1: "f32[s3, s0]" = scan[1]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "i64[s1]", x: "i64[s1]", d: "i64[s0]"):
            remainder: "i64[s1]" = torch.ops.aten.remainder.Tensor(x, c)
            zeros_like: "i64[s1]" = torch.ops.aten.zeros_like.default(remainder)
            floor_divide: "i64[s0]" = torch.ops.aten.floor_divide.default(d, d)
            ones_like: "f32[s0]" = torch.ops.aten.ones_like.default(floor_divide, dtype = torch.float32)
            add: "i64[s1]" = torch.ops.aten.add.Tensor(c, zeros_like)
            return [add, ones_like]
# ----
<stdin>:12:13: error: data: remainder: integer division by zero
                remainder: "i64[s1]" = torch.ops.aten.remainder.Tensor(x, c)
                ^
exit 1
