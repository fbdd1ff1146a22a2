# test: run x=i32[20]:arange --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, x: "i32[s0]"):
        associative_scan_combine_graph_0 = self.associative_scan_combine_graph_0
        associative_scan = torch.ops.higher_order.associative_scan(associative_scan_combine_graph_0, [x], ())
        getitem: "i32[s0]" = associative_scan[0]
        return (getitem,)

    class associative_scan_combine_graph_0(torch.nn.Module):
        def forward(self, l: "i32[]", r: "i32[]"):
            remainder: "i32[]" = torch.ops.aten.remainder.Tensor(l, r)
            return [remainder]
# ----
out.0 getitem: i32[20]  0, 0, 0, 0 ...  min 0, max 0
