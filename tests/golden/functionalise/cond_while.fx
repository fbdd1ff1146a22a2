# test: print --after=functionalise
class GraphModule(torch.nn.Module):
    def forward(self, p: "b8[]", i: "i64[]", a: "f32[2]", b: "f32[2]"):
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, (a, b))
        getitem: "f32[2]" = cond[0]
        test_graph_0 = self.test_graph_0
        body_graph_0 = self.body_graph_0
        while_loop = torch.ops.higher_order.while_loop(test_graph_0, body_graph_0, (i,), (a, b))
        getitem_1: "i64[]" = while_loop[0]
        return (getitem, getitem_1, a, b)

    class true_graph_0(torch.nn.Module):
        def forward(self, a: "f32[2]", b: "f32[2]"):
            add_: "f32[2]" = torch.ops.aten.add_.Tensor(a, b)
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(a, 2)
            return (mul,)

    class false_graph_0(torch.nn.Module):
        def forward(self, a: "f32[2]", b: "f32[2]"):
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(a, b)
            return (mul,)

    class test_graph_0(torch.nn.Module):
        def forward(self, i: "i64[]", a: "f32[2]", b: "f32[2]"):
            lt: "b8[]" = torch.ops.aten.lt.Scalar(i, 5)
            return lt

    class body_graph_0(torch.nn.Module):
        def forward(self, i: "i64[]", a: "f32[2]", b: "f32[2]"):
            add: "i64[]" = torch.ops.aten.add.Tensor(i, 1)
            mul_: "f32[2]" = torch.ops.aten.mul_.Tensor(b, a)
            return (add,)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, p: "b8[]", i: "i64[]", a: "f32[2]", b: "f32[2]"):
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, (a, b));  p = true_graph_0 = false_graph_0 = a = None
        getitem_2: "f32[2]" = cond[1]
        getitem: "f32[2]" = cond[0];  cond = None
        test_graph_0 = self.test_graph_0
        body_graph_0 = self.body_graph_0
        while_loop = torch.ops.higher_order.while_loop(test_graph_0, body_graph_0, (i, b), (getitem_2,));  test_graph_0 = body_graph_0 = i = b = None
        getitem_3: "f32[2]" = while_loop[1]
        getitem_1: "i64[]" = while_loop[0];  while_loop = None
        return (getitem, getitem_1, getitem_2, getitem_3, getitem_2, getitem_3)

    class true_graph_0(torch.nn.Module):
        def forward(self, a: "f32[2]", b: "f32[2]"):
            add: "f32[2]" = torch.ops.aten.add.Tensor(a, b);  a = b = None
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(add, 2)
            return (mul, add)

    class false_graph_0(torch.nn.Module):
        def forward(self, a: "f32[2]", b: "f32[2]"):
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(a, b);  b = None
            return (mul, a)

    class test_graph_0(torch.nn.Module):
        def forward(self, i: "i64[]", b: "f32[2]", a: "f32[2]"):
            lt: "b8[]" = torch.ops.aten.lt.Scalar(i, 5);  i = None
            return lt

    class body_graph_0(torch.nn.Module):
        def forward(self, i: "i64[]", b: "f32[2]", a: "f32[2]"):
            add: "i64[]" = torch.ops.aten.add.Tensor(i, 1);  i = None
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(b, a);  b = a = None
            return (add, mul)
