# test: print --after=contract
# Without --fp=contract nothing changes.
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[3]", y: "f32[3]"):
        mul: "f32[3]" = torch.ops.aten.mul.Tensor(x, y)
        add: "f32[3]" = torch.ops.aten.add.Tensor(mul, y)
        return (add,)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[3]", y: "f32[3]"):
        mul: "f32[3]" = torch.ops.aten.mul.Tensor(x, y);  x = None
        add: "f32[3]" = torch.ops.aten.add.Tensor(mul, y);  mul = y = None
        return (add,)
