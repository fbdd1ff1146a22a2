# test: run x=f32[4,3]:ones z=f64[2,4,3]:arange
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s2, 3]", z: "f64[s1, s2, 3]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [x], [z], ())
        getitem_1: "f64[s1, s2, 3]" = scan[1]
        return (getitem_1,)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, x: "f32[s2, 3]", z: "f64[s2, 3]"):
            sym_size: "Sym(s2)" = torch.ops.aten.sym_size.int(x, 0)
            full: "i64[s2]" = torch.ops.aten.full.default([sym_size], 0, dtype = torch.int64)
            scan_combine_graph_1 = self.scan_combine_graph_1
            scan = torch.ops.higher_order.scan(scan_combine_graph_1, [z], [full], (x,))
            getitem: "f64[s2, 3]" = scan[0]
            return [x, getitem]

        class scan_combine_graph_1(torch.nn.Module):
            def forward(self, c: "f64[s2, 3]", i: "i64[]", x: "f32[s2, 3]"):
                float_power: "f64[s2, 3]" = torch.ops.aten.float_power.Tensor_Scalar(x, 2)
                return [float_power]
# ----
out.0 getitem_1: f64[2, 4, 3]  1, 1, 1, 1 ...  min 1, max 1
