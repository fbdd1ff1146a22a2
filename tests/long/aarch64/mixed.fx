class GraphModule(torch.nn.Module):
    def forward(self, a: "f64[3, 17]", n: "i8[3, 1]", xs: "f64[3, 17, 6]", ks: "u8[6, 3, 1]", m: "b8[17]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        movedim = torch.ops.aten.permute.default(xs, [2, 0, 1])
        flip = torch.ops.aten.flip.default(movedim, [0])
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [a, n], [flip, ks], (m,))
        getitem = scan[0]
        getitem_1 = scan[1]
        getitem_2 = scan[2]
        getitem_3 = scan[3]
        return (getitem, getitem_1, getitem_2, getitem_3)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, a: "f64[3, 17]", n: "i8[3, 1]", x: "f64[3, 17]", k: "u8[3, 1]", m: "b8[17]"):
            scan_combine_graph_1 = self.scan_combine_graph_1
            sin = torch.ops.aten.sin.default(x)
            mul = torch.ops.aten.mul.Tensor(a, sin)
            where = torch.ops.aten.where.self(m, mul, x)
            to = torch.ops.aten._to_copy.default(k, dtype = torch.int8)
            add = torch.ops.aten.add.Tensor(n, to)
            to_1 = torch.ops.aten._to_copy.default(where, dtype = torch.uint8)
            select = torch.ops.aten.select.int(where, 1, 0)
            permute = torch.ops.aten.permute.default(where, [1, 0])
            scan = torch.ops.higher_order.scan(scan_combine_graph_1, [select], [permute], ())
            getitem = scan[1]
            permute_1 = torch.ops.aten.permute.default(getitem, [1, 0])
            return [where, add, to_1, permute_1]

        class scan_combine_graph_1(torch.nn.Module):
            def forward(self, c: "f64[3]", x: "f64[3]"):
                erf = torch.ops.aten.erf.default(x)
                mul = torch.ops.aten.mul.Tensor(c, erf)
                pow = torch.ops.aten.pow.Tensor_Scalar(mul, 3)
                add = torch.ops.aten.add.Tensor(mul, 0.5)
                return [add, pow]
