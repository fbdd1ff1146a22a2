# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0]", i: "f32[1]"):
        c = torch.ops.aten.cat.default([i, x])
        g = self.associative_scan_combine_graph_0
        s = torch.ops.higher_order.associative_scan(g, [c], ())
        y0 = s[0]
        z = torch.ops.aten.slice.Tensor(y0, 0, 1, 9223372036854775807)
        return (z,)

    class associative_scan_combine_graph_0(torch.nn.Module):
        def forward(self, l0: "f32[]", r0: "f32[]"):
            y = torch.ops.aten.add.Tensor(l0, r0)
            return [y]
# ----
program: one call, 1 kernel, 0 interpreted steps, 0 bytes of scratch
associative_scan s (line 6): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 1 y, 0 captured
  order:     network, as that is the least; instructions for 8 elements: network 8, segments 18, left fold 8
  leaf l0: one element
  axes:      t prefix (lanes, size known at run time)
  schedule:  8 elements along t in a vector, combined among each other, then with those before, carries in registers
  per step:  1 operation (1 of floating-point numbers) and 8 bytes per point, 1 point
