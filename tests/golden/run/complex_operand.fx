# test: run x=normal z=normal b=ones --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, x: "f16[50]", z: "c64[50]", b: "b8[50]"):
        y = torch.ops.aten.copy.default(x, z)
        w = torch.ops.aten.copy.default(b, z)
        y2 = torch.ops.aten.add.Tensor(y, 1)
        w2 = torch.ops.aten.logical_not.default(w)
        return (y2, w2)
# ----
out.0 y2: f16[50]  -0.9453125, 0.495605469, -0.418945312, 1.78320312 ...  min -0.945312, max 3.42383
out.1 w2: b8[50]  False, False, False, False ...  min 0, max 0
