# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0]"):
        g = self.associative_scan_combine_graph_0
        s = torch.ops.higher_order.associative_scan(g, [x], ())
        y0 = s[0]
        q = torch.ops.aten.select.int(y0, 0, -1)
        return (q,)

    class associative_scan_combine_graph_0(torch.nn.Module):
        def forward(self, l0: "f32[]", r0: "f32[]"):
            y = torch.ops.aten.add.Tensor(l0, r0)
            return [y]
# ----
program: one call, 4 kernels, 0 interpreted steps, 128 bytes of scratch
associative_scan s (line 5): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 1 y, 0 captured
  order:     network, as that is the least; instructions for 8 elements: network 8, segments 18, left fold 8
  leaf l0: one element
  axes:      t prefix (lanes, size known at run time)
  schedule:  8 elements along t in a vector, combined among each other, then with those before, carries in registers
  per step:  1 operation (1 of floating-point numbers) and 4 bytes per point, 1 point
associative_scan s (line 5): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 1 y, 0 captured
  order:     network, as that is the least; instructions for 8 elements: network 8, segments 18, left fold 8
  leaf l0: one element
  axes:      t prefix (lanes, size known at run time)
  schedule:  8 elements along t in a vector, combined among each other, then with those before, carries in registers
  per step:  1 operation (1 of floating-point numbers) and 4 bytes per point, 1 point
associative_scan s (line 5): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 1 y, 0 captured
  order:     network, as that is the least; instructions for 8 elements: network 8, segments 18, left fold 8
  leaf l0: one element
  axes:      t prefix (lanes, size known at run time)
  schedule:  8 elements along t in a vector, combined among each other, then with those before, carries in registers
  per step:  1 operation (1 of floating-point numbers) and 4 bytes per point, 1 point
elementwise group fused_2 (clone; line 8): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      none
  schedule:  scalars
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 1 point
