# test: explain --cpu=x86-64-v3 --threads=4
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0]"):
        associative_scan_combine_graph_0 = self.associative_scan_combine_graph_0
        associative_scan = torch.ops.higher_order.associative_scan(associative_scan_combine_graph_0, [x], ())
        getitem: "f32[s0]" = associative_scan[0]
        return (getitem,)

    class associative_scan_combine_graph_0(torch.nn.Module):
        def forward(self, l: "f32[]", r: "f32[]"):
            logaddexp: "f32[]" = torch.ops.aten.logaddexp.default(l, r)
            return [logaddexp]
# ----
program: one call, 1 kernel, 0 interpreted steps, scratch by the sizes of the inputs
associative_scan associative_scan (line 5): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 1 y, 0 captured
  order:     segments, as that is the least; instructions for 8 elements: network 280, segments 188, left fold 552
  leaf l: one element
  axes:      t prefix (lanes, size known at run time)
  schedule:  blocks of 32 segments of 8 elements along t, 8 segments in the lanes of a vector; less than a block as a network, carries in registers
  per step:  1 operation (1 of floating-point numbers) and 8 bytes per point, 1 point
  threads:   up to 4, stretches of 32768 elements, in their order
