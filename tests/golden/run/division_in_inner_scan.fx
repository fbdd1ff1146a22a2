# test: run c=i64[3]:arange x=i64[4,5,3]:arange d=ones --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, c: "i64[s1]", x: "i64[s3, s0, s1]", d: "i64[]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x], (d,))
        getitem: "i64[s1]" = scan[0]
        getitem_1: "i64[s3, s0, s1]" = scan[1]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "i64[s1]", x: "i64[s0, s1]", d: "i64[]"):
            inner_0 = self.inner_0
            scan = torch.ops.higher_order.scan(inner_0, [c], [x], (d,))
            getitem: "i64[s1]" = scan[0]
            getitem_1: "i64[s0, s1]" = scan[1]
            return [getitem, getitem_1]

        class inner_0(torch.nn.Module):
            def forward(self, c: "i64[s1]", x: "i64[s1]", d: "i64[]"):
                w: "i64[]" = torch.ops.aten.floor_divide.default(d, d)
                remainder: "i64[s1]" = torch.ops.aten.remainder.Tensor(c, x)
                add: "i64[s1]" = torch.ops.aten.add.Tensor(remainder, w)
                return [add, remainder]
# ----
<stdin>:21:17: error: data: remainder: integer division by zero
                    remainder: "i64[s1]" = torch.ops.aten.remainder.Tensor(c, x)
                    ^
exit 1
