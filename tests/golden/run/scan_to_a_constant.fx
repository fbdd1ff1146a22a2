# test: run --exec=jit --dim s0=5 u=arange
# From the second element on all are 7; the first one is as it was, also for what is computed from it.
class GraphModule(torch.nn.Module):
    def forward(self, u: "f32[s0]"):
        body = self.body
        associative_scan = torch.ops.higher_order.associative_scan(body, [u], ())
        getitem: "f32[s0]" = associative_scan[0]
        mul: "f32[s0]" = torch.ops.aten.mul.Tensor(getitem, 2)
        return (mul,)

    class body(torch.nn.Module):
        def forward(self, a: "f32[]", b: "f32[]"):
            full: "f32[]" = torch.ops.aten.full.default([], 7.0, dtype=torch.float32)
            return [full]
# ----
out.0 mul: f32[5]  0, 14, 14, 14 ...  min 0, max 14
