# test: run x=arange y=ones
class GraphModule(torch.nn.Module):
    def forward(self, x: "f64[2]", y: "c64[2]"):
        add: "c128[2]" = torch.ops.aten.add.Tensor(x, y)
        add_1: "c128[2]" = torch.ops.aten.add.Tensor(y, x)
        cat: "c128[4]" = torch.ops.aten.cat.default([x, y])
        return (add, add_1, cat)
# ----
out.0 add: c128[2]  1+0j, 2+0j
out.1 add_1: c128[2]  1+0j, 2+0j
out.2 cat: c128[4]  0+0j, 1+0j, 1+0j, 1+0j
