# test: check
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]"):
        a: "f32[2]" = torch.ops.aten.tahn.default(x)
        b: "f32[2]" = torch.ops.aten.add.Tensr(x, a)
        c: "f32[2]" = x.sigmod()
        d: "f32[2]" = torch.expp(x)
        return (a, b, c, d)
# ----
<stdin>:4:9: error: unknown-op: operator 'torch.ops.aten.tahn.default' is unknown; did you mean torch.ops.aten.tanh.default?
            a: "f32[2]" = torch.ops.aten.tahn.default(x)
            ^
<stdin>:5:9: error: unknown-op: operator 'torch.ops.aten.add.Tensr' is unknown; expected one of add.Tensor, add.Scalar
            b: "f32[2]" = torch.ops.aten.add.Tensr(x, a)
            ^
<stdin>:6:9: error: unknown-op: method 'sigmod' is unknown; did you mean sigmoid?
            c: "f32[2]" = x.sigmod()
            ^
<stdin>:7:9: error: unknown-op: operator 'torch.expp' is unknown; did you mean torch.exp2?
            d: "f32[2]" = torch.expp(x)
            ^
exit 1
