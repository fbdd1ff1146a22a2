# test: run c=ones x=ones
class GraphModule(torch.nn.Module):
    def forward(self, c: "i64[3]", x: "i64[3]"):
        sub: "i64[3]" = torch.ops.aten.sub.Tensor(x, x)
        fmod: "i64[3]" = torch.ops.aten.fmod.Tensor(c, sub)
        ones_like: "f16[3]" = torch.ops.aten.ones_like.default(fmod, dtype = torch.float16)
        return (ones_like,)
# ----
<stdin>:5:9: error: data: fmod: integer division by zero
            fmod: "i64[3]" = torch.ops.aten.fmod.Tensor(c, sub)
            ^
exit 1
