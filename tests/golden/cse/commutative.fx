# test: print --after=cse
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]", y: "f32[2]"):
        add: "f32[2]" = torch.ops.aten.add.Tensor(x, y)
        add_1: "f32[2]" = torch.ops.aten.add.Tensor(y, x)
        sub: "f32[2]" = torch.ops.aten.sub.Tensor(x, y)
        sub_1: "f32[2]" = torch.ops.aten.sub.Tensor(y, x)
        return (add, add_1, sub, sub_1)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]", y: "f32[2]"):
        add: "f32[2]" = torch.ops.aten.add.Tensor(x, y)
        sub: "f32[2]" = torch.ops.aten.sub.Tensor(x, y)
        sub_1: "f32[2]" = torch.ops.aten.sub.Tensor(y, x);  y = x = None
        return (add, add, sub, sub_1)
