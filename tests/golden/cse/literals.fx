# test: print --after=cse
# 1, 1.0 and True differ, and so do 0.0 and -0.0; equal literals are merged.
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]"):
        mul: "f32[2]" = torch.ops.aten.mul.Tensor(x, 1)
        mul_1: "f32[2]" = torch.ops.aten.mul.Tensor(x, 1.0)
        mul_2: "f32[2]" = torch.ops.aten.mul.Tensor(x, True)
        add: "f32[2]" = torch.ops.aten.add.Tensor(x, 0.0)
        add_1: "f32[2]" = torch.ops.aten.add.Tensor(x, -0.0)
        add_2: "f32[2]" = torch.ops.aten.add.Tensor(x, 0.0)
        add_3: "f32[2]" = torch.ops.aten.add.Tensor(x, 0.0, alpha = 1)
        mul_3: "f32[2]" = torch.ops.aten.mul.Tensor(x, nan)
        mul_4: "f32[2]" = torch.ops.aten.mul.Tensor(x, nan)
        return (mul, mul_1, mul_2, add, add_1, add_2, add_3, mul_3, mul_4)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]"):
        mul: "f32[2]" = torch.ops.aten.mul.Tensor(x, 1)
        mul_1: "f32[2]" = torch.ops.aten.mul.Tensor(x, 1.0)
        mul_2: "f32[2]" = torch.ops.aten.mul.Tensor(x, True)
        add: "f32[2]" = torch.ops.aten.add.Tensor(x, 0.0)
        add_1: "f32[2]" = torch.ops.aten.add.Tensor(x, -0.0)
        mul_3: "f32[2]" = torch.ops.aten.mul.Tensor(x, nan);  x = None
        return (mul, mul_1, mul_2, add, add_1, add, add, mul_3, mul_3)
