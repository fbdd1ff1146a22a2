# test: print --after=canonicalise
# A scan of which only the first steps are read has no others; so has one that runs backwards. Not so where all is read, too.
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[9, 2]", y: "f32[9, 2]", init: "f32[1, 2]"):
        body = self.body
        a = torch.ops.higher_order.associative_scan(body, [x], ())
        ga: "f32[9, 2]" = a[0]
        part: "f32[8, 2]" = torch.ops.aten.slice.Tensor(ga, 0, 0, -1)
        cat: "f32[9, 2]" = torch.ops.aten.cat.default([init, part])
        flip: "f32[9, 2]" = torch.ops.aten.flip.default(y, [0])
        b = torch.ops.higher_order.associative_scan(body, [flip], ())
        gb: "f32[9, 2]" = b[0]
        flip_1: "f32[9, 2]" = torch.ops.aten.flip.default(gb, [0])
        part_1: "f32[6, 2]" = torch.ops.aten.slice.Tensor(flip_1, 0, 3)
        c = torch.ops.higher_order.associative_scan(body, [y], ())
        gc: "f32[9, 2]" = c[0]
        part_2: "f32[8, 2]" = torch.ops.aten.slice.Tensor(gc, 0, 0, -1)
        return (cat, part_1, part_2, gc)

    class body(torch.nn.Module):
        def forward(self, a: "f32[2]", b: "f32[2]"):
            add: "f32[2]" = torch.ops.aten.add.Tensor(a, b)
            return [add]
# ----
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[9, 2]", y: "f32[9, 2]", init: "f32[1, 2]"):
        body = self.body
        x_v1 = torch.ops.aten.slice.Tensor(x, 0, 0, 8)
        a = torch.ops.higher_order.associative_scan(body, [x_v1], ());  x = None
        ga: "f32[8, 2]" = a[0];  a = None
        cat: "f32[9, 2]" = torch.ops.aten.cat.default([init, ga]);  init = ga = None
        flip: "f32[9, 2]" = torch.ops.aten.flip.default(y, [0]);  flip = None
        y_v2 = torch.ops.aten.slice.Tensor(y, 0, 3, 9223372036854775807)
        y_v3 = torch.ops.aten.flip.default(y_v2, [0])
        b = torch.ops.higher_order.associative_scan(body, [y_v3], ())
        gb_v4 = b[0]
        gb: "f32[6, 2]" = torch.ops.aten.flip.default(gb_v4, [0]);  b = None
        c = torch.ops.higher_order.associative_scan(body, [y], ());  body = y = None
        gc: "f32[9, 2]" = c[0];  c = None
        part_2: "f32[8, 2]" = torch.ops.aten.slice.Tensor(gc, 0, 0, -1)
        return (cat, gb, part_2, gc)

    class body(torch.nn.Module):
        def forward(self, a: "f32[2]", b: "f32[2]"):
            add: "f32[2]" = torch.ops.aten.add.Tensor(a, b);  a = b = None
            return [add]
