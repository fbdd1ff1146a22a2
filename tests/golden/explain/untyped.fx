# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, i: "f32[4]", x: "f32[7, 4]", k: "i64[]"):
        item = torch.ops.aten.item.default(k)
        s = torch.ops.aten.slice.Tensor(x, 0, 0, item)
        g = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(g, [i], [s], ())
        a = scan[0]
        b = scan[1]
        return (a, b)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[4]", x: "f32[4]"):
            add: "f32[4]" = torch.ops.aten.add.Tensor(c, x)
            return [add, add]
# ----
program: node by node: node item: unknown type
elementwise group fused_3 (add, clone; lines 14 to 15): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 inputs, 2 results
  axes:      i map (lanes, 4)
  schedule:  4 lanes, 1 vector at a time
  work:      1 operation (1 of floating-point numbers) and 16 bytes per point, 4 points
elementwise group fused_2 (clone; line 7): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 4)
  schedule:  4 lanes, 1 vector at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 4 points
scan scan (line 7): interpreted: node scan: the types of its results are not known before it runs
  carry c: dimension 0 (4) map
  y clone: dimension 0 (4) map
