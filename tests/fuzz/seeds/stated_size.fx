class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0, s1]"):
        n: "Sym(127)" = torch.ops.aten.sym_size.int(x, 1)
        arange: "i64[s1]" = torch.ops.aten.arange.start_step(0, n)
        return (arange,)
