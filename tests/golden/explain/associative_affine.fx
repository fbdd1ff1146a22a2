# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[100, 8]", b: "f32[100, 8]", k: "f32[]"):
        associative_scan_combine_graph_0 = self.associative_scan_combine_graph_0
        associative_scan = torch.ops.higher_order.associative_scan(associative_scan_combine_graph_0, [a, b], (k,))
        getitem: "f32[100, 8]" = associative_scan[0]
        getitem_1: "f32[100, 8]" = associative_scan[1]
        return (getitem, getitem_1)

    class associative_scan_combine_graph_0(torch.nn.Module):
        def forward(self, a1: "f32[8]", b1: "f32[8]", a2: "f32[8]", b2: "f32[8]", k: "f32[]"):
            mul: "f32[8]" = torch.ops.aten.mul.Tensor(a2, a1)
            mul_1: "f32[8]" = torch.ops.aten.mul.Tensor(a2, b1)
            add: "f32[8]" = torch.ops.aten.add.Tensor(mul_1, b2)
            mul_2: "f32[8]" = torch.ops.aten.mul.Tensor(add, k)
            return [mul, mul_2]
# ----
program: one call, 1 kernel, 0 interpreted steps, 0 bytes of scratch
associative_scan associative_scan (line 5): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 carries, 2 xs, 2 ys, 1 captured
  order:     left fold, as what lies within time fills vectors; instructions for 8 elements: network 24, segments 42, left fold 32
  leaf a1: dimension 0 (8) map
  leaf b1: dimension 0 (8) map
  axes:      i map (lanes, 8), t prefix (99)
  schedule:  8 lanes, 1 vector at a time, carries in registers
  per step:  4 operations (4 of floating-point numbers) and 16 bytes per point, 8 points
