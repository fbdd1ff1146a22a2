# test: print --after=canonicalise
# x 0 is moved and reversed, x 1 shifted; y 0 is reversed and moved, y 1 has two readers.
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[2]", u: "f32[2, 5]", v: "f32[7, 2]"):
        movedim: "f32[5, 2]" = torch.ops.aten.movedim.int(u, 1, 0)
        flip: "f32[5, 2]" = torch.ops.aten.flip.default(movedim, [0])
        slice_1: "f32[5, 2]" = torch.ops.aten.slice.Tensor(v, 0, 1, -1)
        body = self.body
        scan = torch.ops.higher_order.scan(body, [c], [flip, slice_1], ())
        getitem: "f32[2]" = scan[0]
        getitem_1: "f32[5, 2]" = scan[1]
        getitem_2: "f32[5, 2]" = scan[2]
        flip_1: "f32[5, 2]" = torch.ops.aten.flip.default(getitem_1, [0])
        transpose: "f32[2, 5]" = torch.ops.aten.transpose.int(flip_1, 0, 1)
        flip_2: "f32[5, 2]" = torch.ops.aten.flip.default(getitem_2, [0])
        return (getitem, transpose, getitem_2, flip_2)

    class body(torch.nn.Module):
        def forward(self, c: "f32[2]", u: "f32[2]", v: "f32[2]"):
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(c, u)
            add: "f32[2]" = torch.ops.aten.add.Tensor(mul, v)
            clone: "f32[2]" = torch.ops.aten.clone.default(add)
            return [add, clone, mul]
# ----
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[2]", u: "f32[2, 5]", v: "f32[7, 2]"):
        permute: "f32[5, 2]" = torch.ops.aten.permute.default(u, [1, 0])
        flip: "f32[5, 2]" = torch.ops.aten.flip.default(permute, [0]);  permute = flip = None
        slice_1: "f32[5, 2]" = torch.ops.aten.slice.Tensor(v, 0, 1, -1);  slice_1 = None
        body = self.body
        u_v1 = torch.ops.aten.flip.default(u, [1])
        u_v2 = torch.ops.aten.movedim.int(u_v1, 1, 0)
        v_v3 = torch.ops.aten.slice.Tensor(v, 0, 1, 6)
        scan = torch.ops.higher_order.scan(body, [c], [u_v2, v_v3], ());  body = c = u = v = None
        getitem: "f32[2]" = scan[0]
        getitem_1_v4 = scan[1]
        getitem_1_v5 = torch.ops.aten.flip.default(getitem_1_v4, [0])
        getitem_1: "f32[2, 5]" = torch.ops.aten.movedim.int(getitem_1_v5, 0, 1)
        getitem_2: "f32[5, 2]" = scan[2];  scan = None
        flip_2: "f32[5, 2]" = torch.ops.aten.flip.default(getitem_2, [0])
        return (getitem, getitem_1, getitem_2, flip_2)

    class body(torch.nn.Module):
        def forward(self, c: "f32[2]", u: "f32[2]", v: "f32[2]"):
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(c, u);  c = u = None
            add: "f32[2]" = torch.ops.aten.add.Tensor(mul, v);  v = None
            return [add, add, mul]
