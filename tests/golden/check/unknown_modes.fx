# test: check
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]", v: "f32[3]"):
        a = torch.ops.aten.pad.default(x, [1, 1], 'ci')
        b = torch.ops.aten.meshgrid.indexing([v, v], indexing='yx')
        return (a, b)
# ----
<stdin>:4:9: error: bad-argument: a: mode 'ci'; expected constant, reflect, replicate or circular
            a = torch.ops.aten.pad.default(x, [1, 1], 'ci')
            ^
<stdin>:5:9: error: bad-argument: b: indexing 'yx'; expected ij or xy
            b = torch.ops.aten.meshgrid.indexing([v, v], indexing='yx')
            ^
exit 1
