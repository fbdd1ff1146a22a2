# test: run c=zeros xs=normal --dim s0=3 --dim s1=0 --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[]", xs: "f32[s0, s1]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [xs], ())
        getitem: "f32[]" = scan[0]
        getitem_1: "f32[s0, s1]" = scan[1]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[]", x: "f32[s1]"):
            add: "f32[]" = torch.ops.aten.add.Tensor(c, 1.0)
            mul: "f32[s1]" = torch.ops.aten.mul.Tensor(add, x)
            return [add, mul]
# ----
out.0 getitem: f32[]  3
out.1 getitem_1: f32[3, 0]
