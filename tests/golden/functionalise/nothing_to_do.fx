# test: print --after=functionalise
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]"):
        add_7: "f32[2]" = torch.ops.aten.add.Tensor(x, 1)
        add: "f32[2]" = torch.ops.aten.add.Tensor(x, add_7)
        return (add,)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]"):
        add_7: "f32[2]" = torch.ops.aten.add.Tensor(x, 1)
        add: "f32[2]" = torch.ops.aten.add.Tensor(x, add_7);  x = add_7 = None
        return (add,)
