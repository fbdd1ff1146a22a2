# test: print --after=dce
class GraphModule(torch.nn.Module):
    def forward(self, p: "b8[]", i: "i64[]", a: "f32[2]", b: "f32[2]"):
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, (a, b))
        getitem: "f32[2]" = cond[1]
        test_graph_0 = self.test_graph_0
        body_graph_0 = self.body_graph_0
        while_loop = torch.ops.higher_order.while_loop(test_graph_0, body_graph_0, (i, a, b), ())
        getitem_1: "f32[2]" = while_loop[1]
        return (getitem, getitem_1)

    class true_graph_0(torch.nn.Module):
        def forward(self, a: "f32[2]", b: "f32[2]"):
            sin: "f32[2]" = torch.ops.aten.sin.default(a)
            cos: "f32[2]" = torch.ops.aten.cos.default(b)
            return (sin, cos)

    class false_graph_0(torch.nn.Module):
        def forward(self, a: "f32[2]", b: "f32[2]"):
            add: "f32[2]" = torch.ops.aten.add.Tensor(a, b)
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(b, 2)
            return (add, mul)

    class test_graph_0(torch.nn.Module):
        def forward(self, i: "i64[]", a: "f32[2]", b: "f32[2]"):
            lt: "b8[]" = torch.ops.aten.lt.Scalar(i, 5)
            return lt

    class body_graph_0(torch.nn.Module):
        def forward(self, i: "i64[]", a: "f32[2]", b: "f32[2]"):
            add: "i64[]" = torch.ops.aten.add.Tensor(i, 1)
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(a, 2)
            add_1: "f32[2]" = torch.ops.aten.add.Tensor(a, b)
            return (add, mul, add_1)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, p: "b8[]", i: "i64[]", a: "f32[2]", b: "f32[2]"):
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, (b,));  p = true_graph_0 = false_graph_0 = b = None
        getitem: "f32[2]" = cond[0];  cond = None
        test_graph_0 = self.test_graph_0
        body_graph_0 = self.body_graph_0
        while_loop = torch.ops.higher_order.while_loop(test_graph_0, body_graph_0, (i, a), ());  test_graph_0 = body_graph_0 = i = a = None
        getitem_1: "f32[2]" = while_loop[1];  while_loop = None
        return (getitem, getitem_1)

    class true_graph_0(torch.nn.Module):
        def forward(self, b: "f32[2]"):
            cos: "f32[2]" = torch.ops.aten.cos.default(b);  b = None
            return (cos,)

    class false_graph_0(torch.nn.Module):
        def forward(self, b: "f32[2]"):
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(b, 2);  b = None
            return (mul,)

    class test_graph_0(torch.nn.Module):
        def forward(self, i: "i64[]", a: "f32[2]"):
            lt: "b8[]" = torch.ops.aten.lt.Scalar(i, 5);  i = None
            return lt

    class body_graph_0(torch.nn.Module):
        def forward(self, i: "i64[]", a: "f32[2]"):
            add: "i64[]" = torch.ops.aten.add.Tensor(i, 1);  i = None
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(a, 2);  a = None
            return (add, mul)
