# test: run x=f32[3]:ones
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0]"):
        sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(x, 0)
        sub: "Sym(s0 - 5)" = sym_size_int - 5
        full: "f32[s0 - 5]" = torch.ops.aten.full.default([sub], 1.0)
        mul: "f32[s0 - 5]" = torch.ops.aten.mul.Tensor(full, 2)
        return (mul,)
# ----
<stdin>:6:9: error: negative-size: full: size -2 at dimension 0 is negative
            full: "f32[s0 - 5]" = torch.ops.aten.full.default([sub], 1.0)
            ^
exit 1
