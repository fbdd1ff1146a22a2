# test: run x=ones
class GraphModule(torch.nn.Module):
    def forward(self, x: "f16[2]"):
        mul: "f16[2]" = torch.ops.aten.mul.Tensor(x, 1795.0)
        mul_1: "f16[2]" = torch.ops.aten.mul.Tensor(x, 3.5)
        div: "f16[2]" = torch.ops.aten.div.Tensor_mode(mul, mul_1, rounding_mode = 'trunc')
        mul_2: "f16[2]" = torch.ops.aten.mul.Tensor(x, 20)
        zeros_like: "f16[2]" = torch.ops.aten.zeros_like.default(x)
        ldexp: "f16[2]" = torch.ops.aten.ldexp.Tensor(zeros_like, mul_2)
        full: "i64[2]" = torch.ops.aten.full.default([2], 20, dtype = torch.int64)
        ldexp_1: "f16[2]" = torch.ops.aten.ldexp.Tensor(zeros_like, full)
        isnan: "b8[2]" = torch.ops.aten.isnan.default(ldexp)
        full_1: "i32[2]" = torch.ops.aten.full.default([2], 70001, dtype = torch.int32)
        clamp_max: "f16[2]" = torch.ops.aten.clamp_max.Tensor(mul, full_1)
        div_1: "f16[2]" = torch.ops.aten.div.Tensor_mode(mul, 3.3, rounding_mode = 'trunc')
        return (div, isnan, ldexp_1, clamp_max, div_1)
# ----
out.0 div: f16[2]  513, 513
out.1 isnan: b8[2]  True, True
out.2 ldexp_1: f16[2]  0, 0
out.3 clamp_max: f16[2]  1795, 1795
out.4 div_1: f16[2]  543, 543
