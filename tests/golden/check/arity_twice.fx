# test: check
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]"):
        a: "f32[2]" = torch.ops.aten.add.Tensor(x)
        b: "f32[2]" = torch.ops.aten.mul.Tensor(a)
        c: "f32[2]" = torch.ops.aten.sub.Tensor(b)
        return (c,)
# ----
<stdin>:4:9: error: op-arity: torch.ops.aten.add.Tensor needs argument 'other' (Tensor), which is missing
            a: "f32[2]" = torch.ops.aten.add.Tensor(x)
            ^
<stdin>:5:9: error: op-arity: torch.ops.aten.mul.Tensor needs argument 'other' (Tensor), which is missing
            b: "f32[2]" = torch.ops.aten.mul.Tensor(a)
            ^
<stdin>:6:9: error: op-arity: torch.ops.aten.sub.Tensor needs argument 'other' (Tensor), which is missing
            c: "f32[2]" = torch.ops.aten.sub.Tensor(b)
            ^
exit 1
