# test: print --after=functionalise
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[2]", xs: "f32[5, 2]", w: "f32[3, 2]", buf: "f32[3, 2]"):
        outer_body = self.outer_body
        scan = torch.ops.higher_order.scan(outer_body, [c], [xs], (w, buf), mutated_arg_indices = '3')
        getitem: "f32[2]" = scan[0]
        getitem_1: "f32[5, 2]" = scan[1]
        sum_1: "f32[2]" = torch.ops.aten.sum.dim_IntList(buf, [0])
        return (getitem, getitem_1, sum_1)

    class outer_body(torch.nn.Module):
        def forward(self, c: "f32[2]", x: "f32[2]", w: "f32[3, 2]", buf: "f32[3, 2]"):
            select: "f32[2]" = torch.ops.aten.select.int(buf, 0, 1)
            add_: "f32[2]" = torch.ops.aten.add_.Tensor(select, x)
            inner_body = self.inner_body
            scan = torch.ops.higher_order.scan(inner_body, [c], [w], (x, select))
            getitem: "f32[2]" = scan[0]
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(getitem, add_)
            return [getitem, mul]

        class inner_body(torch.nn.Module):
            def forward(self, c: "f32[2]", x: "f32[2]", u: "f32[2]", last: "f32[2]"):
                copy_: "f32[2]" = torch.ops.aten.copy_.default(last, x)
                mul: "f32[2]" = torch.ops.aten.mul.Tensor(c, u)
                add: "f32[2]" = torch.ops.aten.add.Tensor(mul, last)
                return [add]
# ----
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[2]", xs: "f32[5, 2]", w: "f32[3, 2]", buf: "f32[3, 2]"):
        outer_body = self.outer_body
        scan = torch.ops.higher_order.scan(outer_body, [c, buf], [xs], (w,));  outer_body = c = buf = xs = w = None
        getitem_2: "f32[3, 2]" = scan[1]
        getitem: "f32[2]" = scan[0]
        getitem_1: "f32[5, 2]" = scan[2];  scan = None
        sum_1: "f32[2]" = torch.ops.aten.sum.dim_IntList(getitem_2, [0])
        return (getitem, getitem_1, sum_1, getitem_2)

    class outer_body(torch.nn.Module):
        def forward(self, c: "f32[2]", buf: "f32[3, 2]", x: "f32[2]", w: "f32[3, 2]"):
            select: "f32[2]" = torch.ops.aten.select.int(buf, 0, 1)
            add: "f32[2]" = torch.ops.aten.add.Tensor(select, x);  select = None
            select_scatter: "f32[3, 2]" = torch.ops.aten.select_scatter.default(buf, add, 0, 1);  buf = None
            inner_body = self.inner_body
            scan = torch.ops.higher_order.scan(inner_body, [c, add], [w], (x,));  inner_body = c = add = w = x = None
            getitem_1: "f32[2]" = scan[1]
            select_scatter_1: "f32[3, 2]" = torch.ops.aten.select_scatter.default(select_scatter, getitem_1, 0, 1);  select_scatter = None
            getitem: "f32[2]" = scan[0];  scan = None
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(getitem, getitem_1);  getitem_1 = None
            return [getitem, select_scatter_1, mul]

        class inner_body(torch.nn.Module):
            def forward(self, c: "f32[2]", last: "f32[2]", x: "f32[2]", u: "f32[2]"):
                mul: "f32[2]" = torch.ops.aten.mul.Tensor(c, u);  c = u = None
                add: "f32[2]" = torch.ops.aten.add.Tensor(mul, x);  mul = None
                return [add, x]
