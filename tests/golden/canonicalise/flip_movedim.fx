# test: print --after=canonicalise
class GraphModule(torch.nn.Module):
    def forward(self, init: "f32[3]", xs: "f32[3, 5]"):
        movedim: "f32[5, 3]" = torch.ops.aten.movedim.int(xs, 1, 0)
        flip: "f32[5, 3]" = torch.ops.aten.flip.default(movedim, [0])
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [flip], ())
        getitem: "f32[3]" = scan[0]
        getitem_1: "f32[5, 3]" = scan[1]
        flip_1: "f32[5, 3]" = torch.ops.aten.flip.default(getitem_1, [0])
        movedim_1: "f32[3, 5]" = torch.ops.aten.movedim.int(flip_1, 0, 1)
        return (getitem, movedim_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[3]", x: "f32[3]"):
            add: "f32[3]" = torch.ops.aten.add.Tensor(c, x)
            clone: "f32[3]" = torch.ops.aten.clone.default(add)
            return [add, clone]
# ----
class GraphModule(torch.nn.Module):
    def forward(self, init: "f32[3]", xs: "f32[3, 5]"):
        permute: "f32[5, 3]" = torch.ops.aten.permute.default(xs, [1, 0])
        flip: "f32[5, 3]" = torch.ops.aten.flip.default(permute, [0]);  permute = flip = None
        scan_combine_graph_0 = self.scan_combine_graph_0
        xs_v1 = torch.ops.aten.flip.default(xs, [1])
        xs_v2 = torch.ops.aten.movedim.int(xs_v1, 1, 0)
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [xs_v2], ());  scan_combine_graph_0 = init = xs = None
        getitem: "f32[3]" = scan[0]
        getitem_1_v3 = scan[1]
        getitem_1_v4 = torch.ops.aten.flip.default(getitem_1_v3, [0])
        getitem_1: "f32[3, 5]" = torch.ops.aten.movedim.int(getitem_1_v4, 0, 1);  scan = None
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[3]", x: "f32[3]"):
            add: "f32[3]" = torch.ops.aten.add.Tensor(c, x);  c = x = None
            return [add, add]
