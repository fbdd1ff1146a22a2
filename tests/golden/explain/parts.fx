# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, p: "f32[5]", q: "f64[7, 3]", xs: "f32[100, 5]", zs: "f64[100, 3]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [p, q], [xs, zs], ())
        getitem: "f32[5]" = scan[0]
        getitem_1: "f64[7, 3]" = scan[1]
        getitem_2: "f32[100, 5]" = scan[2]
        return (getitem, getitem_1, getitem_2)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, p: "f32[5]", q: "f64[7, 3]", x: "f32[5]", z: "f64[3]"):
            add: "f32[5]" = torch.ops.aten.add.Tensor(p, x)
            mul: "f64[7, 3]" = torch.ops.aten.mul.Tensor(q, z)
            neg: "f32[5]" = torch.ops.aten.neg.default(add)
            return [add, mul, neg]
# ----
program: one call, 1 kernel, 0 interpreted steps, 0 bytes of scratch
scan scan (line 5): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 carries, 2 xs, 1 y, 0 captured
  carry p: dimension 0 (5) map
  carry q: dimension 0 (7) map; dimension 1 (3) map
  y neg: dimension 0 (5) map
  axes:      o0 map (7), i map (lanes, 3), t sequential (100)
  schedule:  2 lanes, 2 vectors at a time, carries in registers
  per step:  1 operation (1 of floating-point numbers) and 8 bytes per point, 21 points
  axes:      i1 map (lanes, 5), t sequential (100)
  schedule:  4 lanes, 2 vectors at a time, carries in registers
  per step:  2 operations (2 of floating-point numbers) and 8 bytes per point, 5 points
