# test: print --after=canonicalise
class GraphModule(torch.nn.Module):
    def forward(self, u: "f32[2, s0]"):
        movedim: "f32[s0, 2]" = torch.ops.aten.movedim.int(u, -1, 0)
        flip: "f32[s0, 2]" = torch.ops.aten.flip.default(movedim, [0])
        body = self.body
        associative_scan = torch.ops.higher_order.associative_scan(body, [flip], ())
        getitem: "f32[s0, 2]" = associative_scan[0]
        flip_1: "f32[s0, 2]" = torch.ops.aten.flip.default(getitem, [0])
        movedim_1: "f32[2, s0]" = torch.ops.aten.movedim.int(flip_1, 0, -1)
        return (movedim_1,)

    class body(torch.nn.Module):
        def forward(self, a: "f32[2]", b: "f32[2]"):
            add: "f32[2]" = torch.ops.aten.add.Tensor(a, b)
            return [add]
# ----
class GraphModule(torch.nn.Module):
    def forward(self, u: "f32[2, s0]"):
        permute: "f32[s0, 2]" = torch.ops.aten.permute.default(u, [1, 0])
        flip: "f32[s0, 2]" = torch.ops.aten.flip.default(permute, [0]);  permute = flip = None
        body = self.body
        u_v1 = torch.ops.aten.flip.default(u, [1])
        u_v2 = torch.ops.aten.movedim.int(u_v1, 1, 0)
        associative_scan = torch.ops.higher_order.associative_scan(body, [u_v2], ());  body = u = None
        getitem_v3 = associative_scan[0]
        getitem_v4 = torch.ops.aten.flip.default(getitem_v3, [0])
        getitem: "f32[2, s0]" = torch.ops.aten.movedim.int(getitem_v4, 0, 1);  associative_scan = None
        return (getitem,)

    class body(torch.nn.Module):
        def forward(self, a: "f32[2]", b: "f32[2]"):
            add: "f32[2]" = torch.ops.aten.add.Tensor(a, b);  a = b = None
            return [add]
