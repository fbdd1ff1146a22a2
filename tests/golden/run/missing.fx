# test: run x=ones
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[3]", y: "f32[3]"):
        add: "f32[3]" = torch.ops.aten.add.Tensor(x, y)
        return (add,)
# ----
<stdin>: error: missing-input: no array was given for input 'y'
    give it as DIR/in.NAME.npy with --in DIR, as NAME=FILE.npy, or NAME=normal, zeros, ones, arange
exit 1
