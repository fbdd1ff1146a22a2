# test: run --exec=jit --cpu=x86-64-v3 --dim s0=40 u=arange
class GraphModule(torch.nn.Module):
    def forward(self, u: "f32[s0]"):
        sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(u, 0)
        expand: "f32[s0]" = torch.ops.aten.full.default([sym_size_int], 0.5)
        body = self.body
        associative_scan = torch.ops.higher_order.associative_scan(body, [expand, u], ())
        h: "f32[s0]" = associative_scan[1]
        return (h,)

    class body(torch.nn.Module):
        def forward(self, a1: "f32[]", b1: "f32[]", a2: "f32[]", b2: "f32[]"):
            mul: "f32[]" = torch.ops.aten.mul.Tensor(a2, a1)
            mul_1: "f32[]" = torch.ops.aten.mul.Tensor(a2, b1)
            add: "f32[]" = torch.ops.aten.add.Tensor(mul_1, b2)
            return [mul, add]
# ----
out.0 h: f32[40]  0, 1, 2.5, 4.25 ...  min 0, max 76
