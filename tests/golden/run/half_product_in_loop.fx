# test: run --exec=jit w=ones c=ones xs=ones
# Weights of halves are packed as numbers of 32 bits, for the products of all steps too.
class GraphModule(torch.nn.Module):
    def forward(self, w: "bf16[70, 2, 4]", c: "bf16[70]", xs: "bf16[9, 2, 4]"):
        body = self.body
        scan = torch.ops.higher_order.scan(body, [c], [xs], (w,))
        last = scan[0]
        return (last,)

    class body(torch.nn.Module):
        def forward(self, c: "bf16[70]", x: "bf16[2, 4]", w: "bf16[70, 2, 4]"):
            t = torch.ops.aten.permute.default(x, [1, 0])
            p = torch.ops.aten.matmul.default(w, t)
            s = torch.ops.aten.sum.dim_IntList(p, [1, 2])
            sort = torch.ops.aten.sort.default(c)
            first = sort[0]
            r = torch.ops.aten.add.Tensor(first, s)
            return [r]
# ----
out.0 last: bf16[70]  145, 145, 145, 145 ...  min 145, max 145
