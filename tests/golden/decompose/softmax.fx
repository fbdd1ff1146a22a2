# test: print --after=decompose
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        _softmax: "f32[2, 3]" = torch.ops.aten._softmax.default(x, 1, False)
        silu: "f32[2, 3]" = torch.ops.aten.silu.default(_softmax)
        return (silu,)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        amax: "f32[2, 1]" = torch.ops.aten.amax.default(x, [1], True)
        sub: "f32[2, 3]" = torch.ops.aten.sub.Tensor(x, amax);  x = amax = None
        exp: "f32[2, 3]" = torch.ops.aten.exp.default(sub);  sub = None
        sum_1: "f32[2, 1]" = torch.ops.aten.sum.dim_IntList(exp, [1], True)
        div: "f32[2, 3]" = torch.ops.aten.div.Tensor(exp, sum_1);  exp = sum_1 = None
        silu: "f32[2, 3]" = torch.ops.aten.silu.default(div);  div = None
        return (silu,)
