# test: print --after=canonicalise
# Exclusive prefixes: what is put in front of the results, which move by one, or behind them.
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 2]", v: "f32[2]", s: "f32[8]", z: "f32[8]", i: "f32[9]"):
        body = self.body
        a = torch.ops.higher_order.associative_scan(body, [x], ())
        ga: "f32[8, 2]" = a[0]
        rolled: "f32[8, 2]" = torch.ops.aten.roll.default(ga, [1], [0])
        first: "f32[8, 2]" = torch.ops.aten.select_scatter.default(rolled, v, 0, 0)
        b = torch.ops.higher_order.associative_scan(body, [x], ())
        gb: "f32[8, 2]" = b[0]
        flip: "f32[8, 2]" = torch.ops.aten.flip.default(gb, [0])
        back: "f32[8, 2]" = torch.ops.aten.roll.default(flip, [-1], [0])
        last: "f32[8, 2]" = torch.ops.aten.select_scatter.default(back, v, 0, -1)
        sum_1: "f32[8]" = torch.ops.aten.cumsum.default(s, 0)
        arange: "i64[8]" = torch.ops.aten.arange.default(8)
        eq: "b8[8]" = torch.ops.aten.eq.Scalar(arange, 0)
        moved: "f32[8]" = torch.ops.aten.roll.default(sum_1, [1])
        where: "f32[8]" = torch.ops.aten.where.ScalarSelf(eq, 0.5, moved)
        gt: "b8[8]" = torch.ops.aten.gt.Scalar(arange, 0)
        sum_2: "f32[8]" = torch.ops.aten.cumsum.default(z, 0)
        moved_1: "f32[8]" = torch.ops.aten.roll.default(sum_2, [1])
        where_1: "f32[8]" = torch.ops.aten.where.ScalarOther(gt, moved_1, 0.5)
        prod: "f32[9]" = torch.ops.aten.cumprod.default(i, 0)
        pad: "f32[9]" = torch.ops.aten.constant_pad_nd.default(prod, [1, -1], 1.0)
        c: "f32[8]" = torch.ops.aten.cumsum.default(s, 0)
        pad_1: "f32[9]" = torch.ops.aten.constant_pad_nd.default(c, [1, 0])
        return (first, last, where, where_1, pad, pad_1)

    class body(torch.nn.Module):
        def forward(self, a: "f32[2]", b: "f32[2]"):
            add: "f32[2]" = torch.ops.aten.add.Tensor(a, b)
            return [add]
# ----
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 2]", v: "f32[2]", s: "f32[8]", z: "f32[8]", i: "f32[9]"):
        body = self.body
        x_v1 = torch.ops.aten.slice.Tensor(x, 0, 0, 7)
        a = torch.ops.higher_order.associative_scan(body, [x_v1], ())
        ga: "f32[7, 2]" = a[0];  a = None
        unsqueeze: "f32[1, 2]" = torch.ops.aten.unsqueeze.default(v, 0)
        cat: "f32[8, 2]" = torch.ops.aten.cat.default([unsqueeze, ga], 0);  unsqueeze = ga = None
        x_v2 = torch.ops.aten.slice.Tensor(x, 0, 0, 7)
        b = torch.ops.higher_order.associative_scan(body, [x_v2], ());  body = x = None
        gb_v3 = b[0]
        gb: "f32[7, 2]" = torch.ops.aten.flip.default(gb_v3, [0]);  b = None
        unsqueeze_1: "f32[1, 2]" = torch.ops.aten.unsqueeze.default(v, 0);  v = None
        cat_1: "f32[8, 2]" = torch.ops.aten.cat.default([gb, unsqueeze_1], 0);  gb = unsqueeze_1 = None
        arange: "i64[8]" = torch.ops.aten.arange.default(8)
        eq: "b8[8]" = torch.ops.aten.eq.Scalar(arange, 0);  eq = None
        full: "f32[1]" = torch.ops.aten.full.default([1], 0.5, dtype = torch.float32)
        slice_6: "f32[7]" = torch.ops.aten.slice.Tensor(s, start = 0, end = -1)
        cumsum: "f32[7]" = torch.ops.aten.cumsum.default(slice_6, 0);  slice_6 = None
        cat_2: "f32[8]" = torch.ops.aten.cat.default([full, cumsum], 0);  full = cumsum = None
        gt: "b8[8]" = torch.ops.aten.gt.Scalar(arange, 0);  arange = gt = None
        full_1: "f32[1]" = torch.ops.aten.full.default([1], 0.5, dtype = torch.float32)
        slice_7: "f32[7]" = torch.ops.aten.slice.Tensor(z, start = 0, end = -1);  z = None
        cumsum_1: "f32[7]" = torch.ops.aten.cumsum.default(slice_7, 0);  slice_7 = None
        cat_3: "f32[8]" = torch.ops.aten.cat.default([full_1, cumsum_1], 0);  full_1 = cumsum_1 = None
        full_2: "f32[1]" = torch.ops.aten.full.default([1], 1.0, dtype = torch.float32)
        slice_8: "f32[8]" = torch.ops.aten.slice.Tensor(i, start = 0, end = -1);  i = None
        cumprod: "f32[8]" = torch.ops.aten.cumprod.default(slice_8, 0);  slice_8 = None
        cat_4: "f32[9]" = torch.ops.aten.cat.default([full_2, cumprod], 0);  full_2 = cumprod = None
        c: "f32[8]" = torch.ops.aten.cumsum.default(s, 0);  s = None
        full_3: "f32[1]" = torch.ops.aten.full.default([1], 0, dtype = torch.float32)
        cat_5: "f32[9]" = torch.ops.aten.cat.default([full_3, c], 0);  full_3 = c = None
        return (cat, cat_1, cat_2, cat_3, cat_4, cat_5)

    class body(torch.nn.Module):
        def forward(self, a: "f32[2]", b: "f32[2]"):
            add: "f32[2]" = torch.ops.aten.add.Tensor(a, b);  a = b = None
            return [add]
