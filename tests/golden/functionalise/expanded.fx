# test: print --after=functionalise
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]"):
        expand: "f32[3, 2]" = torch.ops.aten.expand.default(x, [3, 2])
        add_: "f32[3, 2]" = torch.ops.aten.add_.Tensor(expand, 1)
        return (add_,)
# ----
<stdin>:5:9: error: mutation: 'add_' writes to 'expand', whose elements share memory (expand)
            add_: "f32[3, 2]" = torch.ops.aten.add_.Tensor(expand, 1)
            ^
exit 1
