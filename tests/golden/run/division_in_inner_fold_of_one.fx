# test: run c=i64[5]:arange x=i64[3,1,5]:zeros w=f16[3,1,5]:arange --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, c: "i64[s1]", x: "i64[s3, s0, s1]", w: "f16[s3, s0, s1]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x, w], ())
        getitem: "i64[s1]" = scan[0]
        getitem_1: "i64[s3, s0, s1]" = scan[1]
        getitem_2: "f16[s3, s0, s1]" = scan[2]
        return (getitem, getitem_1, getitem_2)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "i64[s1]", x: "i64[s0, s1]", w: "f16[s0, s1]"):
            inner_0 = self.inner_0
            scan = torch.ops.higher_order.associative_scan(inner_0, [x, w], ())
            getitem: "i64[s0, s1]" = scan[0]
            getitem_1: "f16[s0, s1]" = scan[1]
            add: "i64[s0, s1]" = torch.ops.aten.add.Tensor(c, getitem)
            add_1: "i64[s1]" = torch.ops.aten.add.Tensor(c, 1)
            return [add_1, add, getitem_1]

        class inner_0(torch.nn.Module):
            def forward(self, a: "i64[s1]", b: "f16[s1]", c: "i64[s1]", d: "f16[s1]"):
                remainder: "i64[s1]" = torch.ops.aten.remainder.Tensor(c, a)
                mul: "f16[s1]" = torch.ops.aten.mul.Tensor(b, d)
                sub: "f16[s1]" = torch.ops.aten.sub.Tensor(d, mul)
                add: "i64[s1]" = torch.ops.aten.add.Tensor(remainder, 3)
                return [add, sub]
# ----
out.0 getitem: i64[5]  3, 4, 5, 6 ...  min 3, max 7
out.1 getitem_1: i64[3, 1, 5]  0, 1, 2, 3 ...  min 0, max 6
out.2 getitem_2: f16[3, 1, 5]  0, 1, 2, 3 ...  min 0, max 14
