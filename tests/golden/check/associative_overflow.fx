# test: check --associative
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0]", y: "f32[s0]"):
        associative_scan_combine_graph_0 = self.associative_scan_combine_graph_0
        associative_scan = torch.ops.higher_order.associative_scan(associative_scan_combine_graph_0, [x, y], ())
        getitem: "f32[s0]" = associative_scan[1]
        return (getitem,)

    class associative_scan_combine_graph_0(torch.nn.Module):
        def forward(self, l0: "f32[]", l1: "f32[]", r0: "f32[]", r1: "f32[]"):
            add: "f32[]" = torch.ops.aten.add.Tensor(l0, r0)
            exp: "f32[]" = torch.ops.aten.exp.default(r0)
            mul: "f32[]" = torch.ops.aten.mul.Tensor(exp, l1)
            add_1: "f32[]" = torch.ops.aten.add.Tensor(mul, r1)
            return [add, add_1]
# ----
associative_scan: associative in 80 of 100 trials
-: no errors
