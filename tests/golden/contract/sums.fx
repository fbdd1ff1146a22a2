# test: print --after=contract --fp=contract
# Products that one sum or difference uses are fused with it; the others stay.
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[3]", y: "f32[3]", z: "f32[3]"):
        mul: "f32[3]" = torch.ops.aten.mul.Tensor(x, y)
        add: "f32[3]" = torch.ops.aten.add.Tensor(mul, z)
        mul_1: "f32[3]" = torch.ops.aten.mul.Tensor(x, y)
        add_1: "f32[3]" = torch.ops.aten.add.Tensor(z, mul_1)
        mul_2: "f32[3]" = torch.ops.aten.mul.Tensor(x, z)
        sub: "f32[3]" = torch.ops.aten.sub.Tensor(mul_2, y)
        mul_3: "f32[3]" = torch.ops.aten.mul.Tensor(y, z)
        sub_1: "f32[3]" = torch.ops.aten.sub.Tensor(x, mul_3)
        mul_4: "f32[3]" = torch.ops.aten.mul.Tensor(y, 2)
        rsub: "f32[3]" = torch.ops.aten.rsub.Scalar(mul_4, 0)
        square: "f32[3]" = torch.ops.aten.square.default(x)
        add_2: "f32[3]" = torch.ops.aten.add.Tensor(square, 1)
        mul_5: "f32[3]" = torch.ops.aten.mul.Tensor(x, 3)
        sub_2: "f32[3]" = torch.ops.aten.sub.Tensor(mul_5, 0)
        mul_6: "f32[3]" = torch.ops.aten.mul.Tensor(x, 5)
        add_3: "f32[3]" = torch.ops.aten.add.Tensor(mul_6, mul_6)
        mul_7: "f32[3]" = torch.ops.aten.mul.Tensor(x, 7)
        add_4: "f32[3]" = torch.ops.aten.add.Tensor(mul_7, y)
        return (add, add_1, sub, sub_1, rsub, add_2, sub_2, add_3, mul_7, add_4)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[3]", y: "f32[3]", z: "f32[3]"):
        fma: "f32[3]" = torch.ops.prims.fma.default(x, y, z)
        neg: "f32[3]" = torch.ops.aten.neg.default(y)
        fma_1: "f32[3]" = torch.ops.prims.fma.default(x, z, neg);  neg = None
        neg_1: "f32[3]" = torch.ops.aten.neg.default(z);  z = None
        fma_2: "f32[3]" = torch.ops.prims.fma.default(y, neg_1, x);  neg_1 = None
        fma_3: "f32[3]" = torch.ops.prims.fma.default(y, -2.0, 0)
        fma_4: "f32[3]" = torch.ops.prims.fma.default(x, x, 1)
        fma_5: "f32[3]" = torch.ops.prims.fma.default(x, 3, -0.0)
        mul_6: "f32[3]" = torch.ops.aten.mul.Tensor(x, 5)
        add_3: "f32[3]" = torch.ops.aten.add.Tensor(mul_6, mul_6);  mul_6 = None
        mul_7: "f32[3]" = torch.ops.aten.mul.Tensor(x, 7);  x = None
        add_4: "f32[3]" = torch.ops.aten.add.Tensor(mul_7, y);  y = None
        return (fma, fma, fma_1, fma_2, fma_3, fma_4, fma_5, add_3, mul_7, add_4)
