# test: check --associative
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0]"):
        associative_scan_combine_graph_0 = self.associative_scan_combine_graph_0
        associative_scan = torch.ops.higher_order.associative_scan(associative_scan_combine_graph_0, [x], ())
        getitem: "f32[s0]" = associative_scan[0]
        return (getitem,)

    class associative_scan_combine_graph_0(torch.nn.Module):
        def forward(self, l0: "f32[]", r0: "f32[]"):
            add: "f32[]" = torch.ops.aten.add.Tensor(l0, r0)
            clamp: "f32[]" = torch.ops.aten.clamp.default(add, -10, 10)
            return [clamp]
# ----
<stdin>:5:9: error: mismatch: associative_scan: the function is not associative for these values: leaf 0, element 0 differs
    a0 = -35162
    b0 = 43350.3
    c0 = 56826.4
    f(f(a, b), c) leaf 0 = 10
    f(a, f(b, c)) leaf 0 = -10
exit 1
