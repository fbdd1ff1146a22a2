# test: print --after=cse
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[3]", y: "f32[3]"):
        mul: "f32[3]" = torch.ops.aten.mul.Tensor(x, y)
        mul_1: "f32[3]" = torch.ops.aten.mul.Tensor(x, y)
        mul_2: "f32[3]" = torch.ops.aten.mul.Tensor(y, x)
        add: "f32[3]" = torch.ops.aten.add.Tensor(mul, mul_1)
        add_1: "f32[3]" = torch.ops.aten.add.Tensor(add, mul_2)
        add_2: "f32[3]" = torch.ops.aten.add.Tensor(add_1, 0.0)
        add_3: "f32[3]" = torch.ops.aten.add.Tensor(add_2, -0.0)
        return (add_3,)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[3]", y: "f32[3]"):
        mul: "f32[3]" = torch.ops.aten.mul.Tensor(x, y);  x = y = None
        add: "f32[3]" = torch.ops.aten.add.Tensor(mul, mul)
        add_1: "f32[3]" = torch.ops.aten.add.Tensor(add, mul);  add = mul = None
        add_2: "f32[3]" = torch.ops.aten.add.Tensor(add_1, 0.0);  add_1 = None
        add_3: "f32[3]" = torch.ops.aten.add.Tensor(add_2, -0.0);  add_2 = None
        return (add_3,)
