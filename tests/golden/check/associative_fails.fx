# test: check --associative
class GraphModule(torch.nn.Module):
    def forward(self, x: "i32[s0]"):
        associative_scan_combine_graph_0 = self.associative_scan_combine_graph_0
        associative_scan = torch.ops.higher_order.associative_scan(associative_scan_combine_graph_0, [x], ())
        getitem: "i32[s0]" = associative_scan[0]
        return (getitem,)

    class associative_scan_combine_graph_0(torch.nn.Module):
        def forward(self, l: "i32[]", r: "i32[]"):
            sub: "i32[]" = torch.ops.aten.sub.Tensor(l, r)
            return [sub]
# ----
<stdin>:5:9: error: mismatch: associative_scan: the function is not associative for these values: leaf 0, element 0 differs
    a0 = 0
    b0 = 1
    c0 = 1
    f(f(a, b), c) leaf 0 = -2
    f(a, f(b, c)) leaf 0 = 0
exit 1
