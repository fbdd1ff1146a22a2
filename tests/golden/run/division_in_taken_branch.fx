# test: run c=arange n=ones xs=i32[6,4]:arange --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, c: "i32[4]", n: "i64[]", xs: "i32[6, 4]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c, n], [xs], ())
        getitem: "i32[4]" = scan[0]
        getitem_1: "i64[]" = scan[1]
        getitem_2: "i32[6, 4]" = scan[2]
        return (getitem, getitem_2)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "i32[4]", n: "i64[]", x: "i32[4]"):
            gt: "b8[]" = torch.ops.aten.gt.Scalar(n, 0)
            true_graph_0 = self.true_graph_0
            false_graph_0 = self.false_graph_0
            cond = torch.ops.higher_order.cond(gt, true_graph_0, false_graph_0, (c, x))
            d: "i32[4]" = cond[0]
            add: "i64[]" = torch.ops.aten.add.Tensor(n, 1)
            clone: "i32[4]" = torch.ops.aten.clone.default(d)
            return [d, add, clone]

        class true_graph_0(torch.nn.Module):
            def forward(self, c: "i32[4]", x: "i32[4]"):
                rem: "i32[4]" = torch.ops.aten.remainder.Tensor(c, x)
                add: "i32[4]" = torch.ops.aten.add.Tensor(rem, x)
                return (add,)

        class false_graph_0(torch.nn.Module):
            def forward(self, c: "i32[4]", x: "i32[4]"):
                mul: "i32[4]" = torch.ops.aten.mul.Tensor(c, x)
                return (mul,)
# ----
<stdin>:24:17: error: data: rem: integer division by zero
                    rem: "i32[4]" = torch.ops.aten.remainder.Tensor(c, x)
                    ^
exit 1
