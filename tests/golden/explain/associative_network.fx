# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[s0, 100]", b: "f32[s0, 100]"):
        associative_scan_combine_graph_0 = self.associative_scan_combine_graph_0
        movedim: "f32[100, s0]" = torch.ops.aten.movedim.int(a, 1, 0)
        movedim_1: "f32[100, s0]" = torch.ops.aten.movedim.int(b, 1, 0)
        associative_scan = torch.ops.higher_order.associative_scan(associative_scan_combine_graph_0, [movedim, movedim_1], ())
        getitem: "f32[100, s0]" = associative_scan[1]
        return (getitem,)

    class associative_scan_combine_graph_0(torch.nn.Module):
        def forward(self, a1: "f32[s0]", b1: "f32[s0]", a2: "f32[s0]", b2: "f32[s0]"):
            mul: "f32[s0]" = torch.ops.aten.mul.Tensor(a2, a1)
            mul_1: "f32[s0]" = torch.ops.aten.mul.Tensor(a2, b1)
            add: "f32[s0]" = torch.ops.aten.add.Tensor(mul_1, b2)
            return [mul, add]
# ----
program: one call, 1 kernel, 0 interpreted steps, 0 bytes of scratch
associative_scan associative_scan (line 7): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 carries, 2 xs, 2 ys, 0 captured
  order:     network, as that is the least; instructions for 8 elements: network 20, segments 31, left fold 24
  leaf a1: dimension 0 (s0) map
  leaf b1: dimension 0 (s0) map
  axes:      i map (size known at run time), t prefix (lanes, 99)
  schedule:  8 elements along t in a vector, combined among each other, then with those before, carries in registers
  per step:  3 operations (3 of floating-point numbers) and 12 bytes per point
