# test: run x=f32[3,4]:ones
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0, 4]"):
        narrow: "f32[5, 4]" = torch.ops.aten.narrow.default(x, 0, 0, 5)
        mul: "f32[5, 4]" = torch.ops.aten.mul.Tensor(narrow, 2)
        return (mul,)
# ----
<stdin>:4:9: error: index-range: narrow: start 0 and length 5 exceed the extent 3
            narrow: "f32[5, 4]" = torch.ops.aten.narrow.default(x, 0, 0, 5)
            ^
exit 1
