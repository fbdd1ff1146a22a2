# test: check --associative=30
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[s0]", b: "f32[s0]"):
        associative_scan_combine_graph_0 = self.associative_scan_combine_graph_0
        associative_scan = torch.ops.higher_order.associative_scan(associative_scan_combine_graph_0, [a, b], ())
        getitem: "f32[s0]" = associative_scan[1]
        return (getitem,)

    class associative_scan_combine_graph_0(torch.nn.Module):
        def forward(self, a1: "f32[]", b1: "f32[]", a2: "f32[]", b2: "f32[]"):
            mul: "f32[]" = torch.ops.aten.mul.Tensor(a2, a1)
            mul_1: "f32[]" = torch.ops.aten.mul.Tensor(a2, b1)
            add: "f32[]" = torch.ops.aten.add.Tensor(mul_1, b2)
            return [mul, add]
# ----
associative_scan: associative in 30 of 30 trials
-: no errors
