# test: check --associative
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0]"):
        associative_scan_combine_graph_0 = self.associative_scan_combine_graph_0
        associative_scan = torch.ops.higher_order.associative_scan(associative_scan_combine_graph_0, [x], ())
        getitem: "f32[s0]" = associative_scan[0]
        return (getitem,)

    class associative_scan_combine_graph_0(torch.nn.Module):
        def forward(self, l0: "f32[]", r0: "f32[]"):
            add: "f32[]" = torch.ops.aten.add.Tensor(l0, 4096.0)
            add_1: "f32[]" = torch.ops.aten.add.Tensor(add, r0)
            sub: "f32[]" = torch.ops.aten.sub.Tensor(add_1, 4096.0)
            return [sub]
# ----
associative_scan: associative in 100 of 100 trials
-: no errors
