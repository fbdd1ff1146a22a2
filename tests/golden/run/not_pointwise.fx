# test: run --mode=pointwise --dim s0=3 x=normal y=normal
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0, 2, 2]", y: "f32[s0]"):
        associative_scan_combine_graph_0 = self.associative_scan_combine_graph_0
        products = torch.ops.higher_order.associative_scan(associative_scan_combine_graph_0, [x], ())
        getitem: "f32[s0, 2, 2]" = products[0]
        associative_scan_combine_graph_1 = self.associative_scan_combine_graph_1
        averages = torch.ops.higher_order.associative_scan(associative_scan_combine_graph_1, [y], ())
        getitem_1: "f32[s0]" = averages[0]
        return (getitem, getitem_1)

    class associative_scan_combine_graph_0(torch.nn.Module):
        def forward(self, l: "f32[2, 2]", r: "f32[2, 2]"):
            t: "f32[2, 2]" = torch.ops.aten.transpose.int(r, 0, 1)
            matmul: "f32[2, 2]" = torch.ops.aten.matmul.default(l, t)
            add: "f32[2, 2]" = torch.ops.aten.add.Tensor(matmul, 1)
            return [add]

    class associative_scan_combine_graph_1(torch.nn.Module):
        def forward(self, l: "f32[]", r: "f32[]"):
            softsign: "f32[]" = torch.ops.aten.softsign.default(l)
            wide: "f64[]" = torch.ops.aten._to_copy.default(r, dtype=torch.float64)
            full: "f64[]" = torch.ops.aten.full.default([], 2.0, dtype=torch.float64)
            mul: "f64[]" = torch.ops.aten.mul.Tensor(wide, full)
            narrow: "f32[]" = torch.ops.aten._to_copy.default(mul, dtype=torch.float32)
            maximum: "f32[]" = torch.ops.aten.maximum.default(softsign, narrow)
            return [maximum]
# ----
<stdin>:14:13: error: not-pointwise: 't' (transpose) in the combine function of 'products'; expected nothing but operations that work element by element, as mode pointwise demands
                t: "f32[2, 2]" = torch.ops.aten.transpose.int(r, 0, 1)
                ^
exit 1
