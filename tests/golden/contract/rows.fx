# test: print --after=contract --fp=contract
# Rows that hold a product and a sum.
class GraphModule(torch.nn.Module):
    def forward(self, x: "f64[3]", y: "f64[3]", z: "f64[3]", k: "i64[3]"):
        add: "f64[3]" = torch.ops.aten.add.Tensor(x, y, alpha = 0.5)
        sub: "f64[3]" = torch.ops.aten.sub.Tensor(x, y, alpha = 3)
        rsub: "f64[3]" = torch.ops.aten.rsub.Tensor(x, y, alpha = 0.25)
        addcmul: "f64[3]" = torch.ops.aten.addcmul.default(x, y, z)
        addcmul_1: "f64[3]" = torch.ops.aten.addcmul.default(x, y, z, value = 0.5)
        add_1: "i64[3]" = torch.ops.aten.add.Tensor(k, k, alpha = 3)
        return (add, sub, rsub, addcmul, addcmul_1, add_1)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, x: "f64[3]", y: "f64[3]", z: "f64[3]", k: "i64[3]"):
        fma: "f64[3]" = torch.ops.prims.fma.default(y, 0.5, x)
        fma_1: "f64[3]" = torch.ops.prims.fma.default(y, -3.0, x)
        fma_2: "f64[3]" = torch.ops.prims.fma.default(x, -0.25, y)
        fma_3: "f64[3]" = torch.ops.prims.fma.default(y, z, x)
        addcmul_1: "f64[3]" = torch.ops.aten.addcmul.default(x, y, z, value = 0.5);  x = y = z = None
        add_1: "i64[3]" = torch.ops.aten.add.Tensor(k, k, alpha = 3);  k = None
        return (fma, fma_1, fma_2, fma_3, addcmul_1, add_1)
