# test: run a=ones i=ones c=ones
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[1, 3]", i: "i64[]", c: "f32[2]"):
        item: "Sym(u0)" = torch.ops.aten.item.default(i)
        select: "f32[3]" = torch.ops.aten.select.int(a, 0, item)
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [select], ())
        getitem: "f32[2]" = scan[0]
        return (getitem,)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[2]", x: "f32[]"):
            full: "f32[2]" = torch.ops.aten.full.default([2], 7, dtype = torch.float32)
            return [full]
# ----
<stdin>:5:9: error: index-range: select: index 1 is outside the extent 1
            select: "f32[3]" = torch.ops.aten.select.int(a, 0, item)
            ^
exit 1
