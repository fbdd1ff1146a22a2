# test: print --after=contract --fp=contract
# Of two products the one of the carry is fused, in whatever order they stand; in an associative scan that of the left element.
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[2]", xs: "f32[5, 2]"):
        body = self.body
        scan = torch.ops.higher_order.scan(body, [c], [xs], ())
        getitem: "f32[2]" = scan[0]
        getitem_1: "f32[5, 2]" = scan[1]
        combine = self.combine
        scan_1 = torch.ops.higher_order.associative_scan(combine, [xs, getitem_1], ())
        getitem_2: "f32[5, 2]" = scan_1[0]
        getitem_3: "f32[5, 2]" = scan_1[1]
        return (getitem, getitem_2, getitem_3)

    class body(torch.nn.Module):
        def forward(self, c: "f32[2]", x: "f32[2]"):
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(x, 0.1)
            mul_1: "f32[2]" = torch.ops.aten.mul.Tensor(c, 0.9)
            add: "f32[2]" = torch.ops.aten.add.Tensor(mul, mul_1)
            mul_2: "f32[2]" = torch.ops.aten.mul.Tensor(c, 0.8)
            mul_3: "f32[2]" = torch.ops.aten.mul.Tensor(x, 0.2)
            sub: "f32[2]" = torch.ops.aten.sub.Tensor(mul_2, mul_3)
            return [add, sub]

    class combine(torch.nn.Module):
        def forward(self, a: "f32[2]", b: "f32[2]", a_1: "f32[2]", b_1: "f32[2]"):
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(a, a_1)
            mul_1: "f32[2]" = torch.ops.aten.mul.Tensor(a_1, b)
            add: "f32[2]" = torch.ops.aten.add.Tensor(mul_1, b_1)
            return [mul, add]
# ----
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[2]", xs: "f32[5, 2]"):
        body = self.body
        scan = torch.ops.higher_order.scan(body, [c], [xs], ());  body = c = None
        getitem: "f32[2]" = scan[0]
        getitem_1: "f32[5, 2]" = scan[1];  scan = None
        combine = self.combine
        scan_1 = torch.ops.higher_order.associative_scan(combine, [xs, getitem_1], ());  combine = xs = getitem_1 = None
        getitem_2: "f32[5, 2]" = scan_1[0]
        getitem_3: "f32[5, 2]" = scan_1[1];  scan_1 = None
        return (getitem, getitem_2, getitem_3)

    class body(torch.nn.Module):
        def forward(self, c: "f32[2]", x: "f32[2]"):
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(x, 0.1)
            fma: "f32[2]" = torch.ops.prims.fma.default(c, 0.9, mul);  mul = None
            mul_3: "f32[2]" = torch.ops.aten.mul.Tensor(x, 0.2);  x = None
            neg: "f32[2]" = torch.ops.aten.neg.default(mul_3);  mul_3 = None
            fma_1: "f32[2]" = torch.ops.prims.fma.default(c, 0.8, neg);  c = neg = None
            return [fma, fma_1]

    class combine(torch.nn.Module):
        def forward(self, a: "f32[2]", b: "f32[2]", a_1: "f32[2]", b_1: "f32[2]"):
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(a, a_1);  a = None
            fma: "f32[2]" = torch.ops.prims.fma.default(a_1, b, b_1);  a_1 = b = b_1 = None
            return [mul, fma]
