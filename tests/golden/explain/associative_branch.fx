# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, p: "b8[]", x: "f32[s0]"):
        yes = self.yes
        no = self.no
        cond = torch.ops.higher_order.cond(p, yes, no, (x,))
        y: "f32[s0]" = cond[0]
        return (y,)

    class yes(torch.nn.Module):
        def forward(self, x: "f32[s0]"):
            combine = self.combine
            associative_scan = torch.ops.higher_order.associative_scan(combine, [x], ())
            y: "f32[s0]" = associative_scan[0]
            return (y,)

        class combine(torch.nn.Module):
            def forward(self, a: "f32[]", b: "f32[]"):
                logaddexp: "f32[]" = torch.ops.aten.logaddexp.default(a, b)
                return [logaddexp]

    class no(torch.nn.Module):
        def forward(self, x: "f32[s0]"):
            cumsum: "f32[s0]" = torch.ops.aten.cumsum.default(x, 0)
            return (cumsum,)
# ----
program: one call, 2 kernels, 0 interpreted steps, 0 bytes of scratch
cond cond (line 6): one of two lists of steps
associative_scan associative_scan (line 13): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 1 y, 0 captured
  order:     segments, as that is the least; instructions for 8 elements: network 280, segments 188, left fold 552
  leaf a: one element
  axes:      t prefix (lanes, size known at run time)
  schedule:  blocks of 32 segments of 8 elements along t, 8 segments in the lanes of a vector; less than a block as a network, carries in registers
  per step:  1 operation (1 of floating-point numbers) and 8 bytes per point, 1 point
cond cond: the other one
cumsum cumsum (line 24): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 1 y, 0 captured
  order:     network, as that is the least; instructions for 4 elements: network 15, segments 23, left fold 16
  axes:      t prefix (lanes, size known at run time)
  schedule:  4 elements along t in a vector, combined among each other, then with those before, carries in registers
  per step:  2 operations (2 of floating-point numbers) and 8 bytes per point, 1 point
cond cond: end
