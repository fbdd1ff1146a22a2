# test: run x=arange
class GraphModule(torch.nn.Module):
    def forward(self, x: "f16[4]"):
        # Numbers are rounded to f16 first, as PyTorch does, but those that multiply or divide are not: 0.1 is 0.0999755859375 in f16.
        tenth: "f16[4]" = torch.ops.aten.full.default([4], 0.1, dtype = torch.float16)
        eq: "b8[4]" = torch.ops.aten.eq.Scalar(tenth, 0.1)
        z: "f32[]" = torch.ops.aten.full.default([], 0.1)
        eq_1: "b8[4]" = torch.ops.aten.eq.Tensor(tenth, z)
        remainder: "f16[4]" = torch.ops.aten.remainder.Scalar(x, 0.1)
        div: "f16[4]" = torch.ops.aten.div.Scalar(x, 3e-05)
        big: "i64[4]" = torch.ops.aten.full.default([4], 4097)
        sub: "f16[4]" = torch.ops.aten.sub.Tensor(big, tenth)
        return (eq, eq_1, remainder, div, sub)
# ----
out.0 eq: b8[4]  True, True, True, True
out.1 eq_1: b8[4]  True, True, True, True
out.2 remainder: f16[4]  0, 0.000244140625, 0.00048828125, 0.000732421875
out.3 div: f16[4]  0, 33344, inf, inf
out.4 sub: f16[4]  4096, 4096, 4096, 4096
