# test: run b=arange x=zeros --dim s0=40 --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, b: "f32[s0, 2]", x: "f32[3, 2]"):
        outer = self.outer
        scan = torch.ops.higher_order.scan(outer, [b], [x], ())
        last: "f32[s0, 2]" = scan[0]
        select: "f32[2]" = torch.ops.aten.select.int(last, 0, 4)
        return (select, last)

    class outer(torch.nn.Module):
        def forward(self, b: "f32[s0, 2]", x: "f32[2]"):
            inner = self.inner
            scan = torch.ops.higher_order.scan(inner, [x], [b], ())
            delayed: "f32[s0, 2]" = scan[1]
            return [delayed]

        class inner(torch.nn.Module):
            def forward(self, before: "f32[2]", now: "f32[2]"):
                return [now, before]
# ----
out.0 select: f32[2]  2, 3
out.1 last: f32[40, 2]  0, 0, 0, 0 ...  min 0, max 73
