# test: run c=ones x=arange z=c64[2]:ones --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, c: "i32[]", x: "i32[3, 4]", z: "c64[2]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x], (z,))
        getitem_1: "i32[3, 4]" = scan[1]
        getitem_2: "b8[3, 2]" = scan[2]
        return (getitem_1, getitem_2)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "i32[]", x: "i32[4]", z: "c64[2]"):
            neg: "i32[]" = torch.ops.aten.neg.default(c)
            threshold: "i32[4]" = torch.ops.aten.threshold.default(x, nan, 1)
            mul: "c64[2]" = torch.ops.aten.mul.Tensor(z, 1j)
            to: "b8[2]" = torch.ops.aten.to.dtype(mul, torch.bool)
            return [neg, threshold, to]
# ----
<stdin>:13:13: error: bad-argument: threshold: argument 'threshold' of threshold: expected a number that fits i32, got nan
                threshold: "i32[4]" = torch.ops.aten.threshold.default(x, nan, 1)
                ^
exit 1
