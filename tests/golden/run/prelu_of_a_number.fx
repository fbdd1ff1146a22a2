# test: run x=ones w=ones
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[]", w: "f32[1]"):
        prelu: "f32[]" = torch.ops.aten.prelu.default(x, w)
        mul: "f32[]" = torch.ops.aten.mul.Tensor(prelu, 3)
        return (mul,)
# ----
out.0 mul: f32[]  3
