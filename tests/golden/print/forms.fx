# test: print
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]", flag: "b8[]", n = 3):
        # File: model.py:7 in forward, code: y = x.t()
        t: "f32[3, 2]" = torch.ops.aten.t.default(x)
        mul: "f32[3, 2]" = t * 2.5;  t = None
        neg: "f32[3, 2]" = -mul
        getitem: "f32[2]" = neg[(0, slice(None, None, None))];  neg = None
        view: "f32[6]" = mul.reshape(-1);  mul = None
        full: "f32[2]" = torch.ops.aten.full.default([2], -inf, dtype = torch.float32, device = device(type='cpu'), pin_memory = False)
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(flag, true_graph_0, false_graph_0, (getitem,));  flag = true_graph_0 = false_graph_0 = getitem = None
        getitem_1: "f32[2]" = cond[0];  cond = None
        return {'a': getitem_1, 'b': [view, None, (full,)]}

    class true_graph_0(torch.nn.Module):
        def forward(self, a: "f32[2]"):
            sin: "f32[2]" = torch.ops.aten.sin.default(a);  a = None
            return (sin,)

    class false_graph_0(torch.nn.Module):
        def forward(self, a: "f32[2]"):
            cos: "f32[2]" = torch.ops.aten.cos.default(a);  a = None
            return (cos,)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]", flag: "b8[]", n = 3):
        # File: model.py:7
        t: "f32[3, 2]" = torch.ops.aten.t.default(x);  x = None
        mul: "f32[3, 2]" = t * 2.5;  t = None
        neg: "f32[3, 2]" = -mul
        getitem: "f32[2]" = neg[(0, slice(None, None, None))];  neg = None
        view: "f32[6]" = mul.reshape(-1);  mul = None
        full: "f32[2]" = torch.ops.aten.full.default([2], -inf, dtype = torch.float32, device = device(type='cpu'), pin_memory = False)
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(flag, true_graph_0, false_graph_0, (getitem,));  flag = true_graph_0 = false_graph_0 = getitem = None
        getitem_1: "f32[2]" = cond[0];  cond = None
        return {'a': getitem_1, 'b': [view, None, (full,)]}

    class true_graph_0(torch.nn.Module):
        def forward(self, a: "f32[2]"):
            sin: "f32[2]" = torch.ops.aten.sin.default(a);  a = None
            return (sin,)

    class false_graph_0(torch.nn.Module):
        def forward(self, a: "f32[2]"):
            cos: "f32[2]" = torch.ops.aten.cos.default(a);  a = None
            return (cos,)
