# test: print --after=canonicalise
# These views change the slices: the other dimensions are permuted or flipped too, or the step is 2.
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[3, 2]", u: "f32[2, 3, 5]", v: "f32[5, 3, 2]", w: "f32[10, 3, 2]"):
        permute: "f32[5, 3, 2]" = torch.ops.aten.permute.default(u, [2, 1, 0])
        flip: "f32[5, 3, 2]" = torch.ops.aten.flip.default(v, [0, 1])
        slice_1: "f32[5, 3, 2]" = torch.ops.aten.slice.Tensor(w, 0, 0, 10, 2)
        body = self.body
        scan = torch.ops.higher_order.scan(body, [c], [permute, flip, slice_1], ())
        getitem: "f32[3, 2]" = scan[0]
        return (getitem,)

    class body(torch.nn.Module):
        def forward(self, c: "f32[3, 2]", u: "f32[3, 2]", v: "f32[3, 2]", w: "f32[3, 2]"):
            mul: "f32[3, 2]" = torch.ops.aten.mul.Tensor(u, v)
            add: "f32[3, 2]" = torch.ops.aten.add.Tensor(c, mul)
            add_1: "f32[3, 2]" = torch.ops.aten.add.Tensor(add, w)
            return [add_1]
# ----
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[3, 2]", u: "f32[2, 3, 5]", v: "f32[5, 3, 2]", w: "f32[10, 3, 2]"):
        permute: "f32[5, 3, 2]" = torch.ops.aten.permute.default(u, [2, 1, 0]);  u = None
        flip: "f32[5, 3, 2]" = torch.ops.aten.flip.default(v, [0, 1]);  v = None
        slice_1: "f32[5, 3, 2]" = torch.ops.aten.slice.Tensor(w, 0, 0, 10, 2);  w = None
        body = self.body
        scan = torch.ops.higher_order.scan(body, [c], [permute, flip, slice_1], ());  body = c = permute = flip = slice_1 = None
        getitem: "f32[3, 2]" = scan[0];  scan = None
        return (getitem,)

    class body(torch.nn.Module):
        def forward(self, c: "f32[3, 2]", u: "f32[3, 2]", v: "f32[3, 2]", w: "f32[3, 2]"):
            mul: "f32[3, 2]" = torch.ops.aten.mul.Tensor(u, v);  u = v = None
            add: "f32[3, 2]" = torch.ops.aten.add.Tensor(c, mul);  c = mul = None
            add_1: "f32[3, 2]" = torch.ops.aten.add.Tensor(add, w);  add = w = None
            return [add_1]
