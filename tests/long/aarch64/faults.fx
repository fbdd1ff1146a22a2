class GraphModule(torch.nn.Module):
    def forward(self, c: "i32[21]", xs: "i32[9, 21]", ws: "i64[9]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [xs, ws], ())
        getitem = scan[0]
        getitem_1 = scan[1]
        getitem_2 = scan[2]
        associative_scan_combine_graph_0 = self.associative_scan_combine_graph_0
        associative_scan = torch.ops.higher_order.associative_scan(associative_scan_combine_graph_0, [xs], ())
        getitem_3 = associative_scan[0]
        return (getitem, getitem_1, getitem_2, getitem_3)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "i32[21]", x: "i32[21]", w: "i64[]"):
            add = torch.ops.aten.add.Tensor(c, x)
            remainder = torch.ops.aten.remainder.Tensor(add, x)
            floor_divide = torch.ops.aten.floor_divide.default(add, x)
            shl = torch.ops.aten.bitwise_left_shift.Tensor(add, x)
            div = torch.ops.aten.div.Tensor_mode(w, w, rounding_mode = 'trunc')
            add_1 = torch.ops.aten.add.Tensor(floor_divide, shl)
            return [add_1, remainder, div]

    class associative_scan_combine_graph_0(torch.nn.Module):
        def forward(self, a: "i32[21]", b: "i32[21]"):
            floor_divide = torch.ops.aten.floor_divide.default(a, b)
            return [floor_divide]
