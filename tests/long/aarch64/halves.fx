class GraphModule(torch.nn.Module):
    def forward(self, h: "f16[33]", b: "bf16[33]", xs: "f16[9, 33]", ys: "bf16[9, 33]", zs: "f32[9, 33]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [h, b], [xs, ys, zs], ())
        getitem = scan[0]
        getitem_1 = scan[1]
        getitem_2 = scan[2]
        getitem_3 = scan[3]
        return (getitem, getitem_1, getitem_2, getitem_3)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, h: "f16[33]", b: "bf16[33]", x: "f16[33]", y: "bf16[33]", z: "f32[33]"):
            mul = torch.ops.aten.mul.Tensor(h, 0.75)
            add = torch.ops.aten.add.Tensor(mul, x)
            tanh = torch.ops.aten.tanh.default(b)
            sub = torch.ops.aten.sub.Tensor(tanh, y)
            to = torch.ops.aten._to_copy.default(z, dtype = torch.float16)
            maximum = torch.ops.aten.maximum.default(to, add)
            to_1 = torch.ops.aten._to_copy.default(sub, dtype = torch.float32)
            sigmoid = torch.ops.aten.sigmoid.default(to_1)
            mul_1 = torch.ops.aten.mul.Tensor(sigmoid, z)
            return [add, sub, maximum, mul_1]
