# test: print --after=contract --fp=contract
# What is rounded or wraps in another type than that of the sum stays: f16, integers, complex numbers, mixed types.
class GraphModule(torch.nn.Module):
    def forward(self, h: "f16[3]", k: "i32[3]", c: "c64[3]", x: "f32[3]", d: "f64[]", e: "f64[3]"):
        mul: "f16[3]" = torch.ops.aten.mul.Tensor(h, h)
        add: "f16[3]" = torch.ops.aten.add.Tensor(mul, h)
        mul_1: "i32[3]" = torch.ops.aten.mul.Tensor(k, k)
        add_1: "i32[3]" = torch.ops.aten.add.Tensor(mul_1, k)
        mul_2: "c64[3]" = torch.ops.aten.mul.Tensor(c, c)
        add_2: "c64[3]" = torch.ops.aten.add.Tensor(mul_2, c)
        mul_3: "f64[]" = torch.ops.aten.mul.Tensor(d, d)
        add_3: "f32[3]" = torch.ops.aten.add.Tensor(x, mul_3)
        mul_4: "f32[3]" = torch.ops.aten.mul.Tensor(x, k)
        add_4: "f64[3]" = torch.ops.aten.add.Tensor(mul_4, e)
        mul_5: "f32[3]" = torch.ops.aten.mul.Tensor(x, x)
        sub: "f32[3]" = torch.ops.aten.sub.Tensor(mul_5, k)
        mul_6: "f32[3]" = torch.ops.aten.mul.Tensor(x, d)
        add_5: "f32[3]" = torch.ops.aten.add.Tensor(mul_6, h)
        return (add, add_1, add_2, add_3, add_4, sub, add_5)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, h: "f16[3]", k: "i32[3]", c: "c64[3]", x: "f32[3]", d: "f64[]", e: "f64[3]"):
        mul: "f16[3]" = torch.ops.aten.mul.Tensor(h, h)
        add: "f16[3]" = torch.ops.aten.add.Tensor(mul, h);  mul = None
        mul_1: "i32[3]" = torch.ops.aten.mul.Tensor(k, k)
        add_1: "i32[3]" = torch.ops.aten.add.Tensor(mul_1, k);  mul_1 = None
        mul_2: "c64[3]" = torch.ops.aten.mul.Tensor(c, c)
        add_2: "c64[3]" = torch.ops.aten.add.Tensor(mul_2, c);  mul_2 = c = None
        mul_3: "f64[]" = torch.ops.aten.mul.Tensor(d, d)
        add_3: "f32[3]" = torch.ops.aten.add.Tensor(x, mul_3);  mul_3 = None
        mul_4: "f32[3]" = torch.ops.aten.mul.Tensor(x, k)
        add_4: "f64[3]" = torch.ops.aten.add.Tensor(mul_4, e);  mul_4 = e = None
        mul_5: "f32[3]" = torch.ops.aten.mul.Tensor(x, x)
        sub: "f32[3]" = torch.ops.aten.sub.Tensor(mul_5, k);  mul_5 = k = None
        fma: "f32[3]" = torch.ops.prims.fma.default(x, d, h);  x = d = h = None
        return (add, add_1, add_2, add_3, add_4, sub, fma)
