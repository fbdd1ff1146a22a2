# test: run --exec=jit c=f32[5]:ones xs=u8[3,5]:ones
# No operand of a group tells how many elements are divided.
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[s1]", xs: "u8[3, s1]"):
        body = self.body
        scan = torch.ops.higher_order.scan(body, [c], [xs], ())
        last = scan[0]
        return (last,)

    class body(torch.nn.Module):
        def forward(self, c: "f32[s1]", x: "u8[s1]"):
            z = torch.ops.aten.zeros_like.default(c, dtype = torch.float16)
            to = torch.ops.aten.to.dtype(z, torch.int64)
            remainder = torch.ops.aten.remainder.Tensor(to, to)
            f = torch.ops.aten.full_like.default(remainder, 1e-40, dtype = torch.uint8)
            sort = torch.ops.aten.sort.default(c)
            s = sort[0]
            g = torch.ops.aten.add.Tensor(s, f)
            return [g]
# ----
<stdin>:14:13: error: data: remainder: integer division by zero
                remainder = torch.ops.aten.remainder.Tensor(to, to)
                ^
exit 1
