# test: print --after=dce
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[5, 6]", y: "f32[5, 6]", m: "b8[5]", i: "i64[5]"):
        gt: "b8[5, 6]" = torch.ops.aten.gt.Scalar(x, 0)
        index: "f32[u0]" = torch.ops.aten.index.Tensor(y, [gt])
        n: "Sym(u0)" = torch.ops.aten.sym_size.int(index, 0)
        ge: "Sym(u0 >= 0)" = n >= 0
        a = torch.ops.aten._assert_scalar.default(ge, 'at least none')
        le: "Sym(u0 <= 30)" = n <= 30
        b = torch.ops.aten._assert_scalar.default(le, 'at most all')
        mul: "f32[u0]" = torch.ops.aten.mul.Tensor(index, 2)
        chosen: "f32[5, 6]" = torch.ops.aten.index_put.default(x, [gt], mul)
        row: "f32[6]" = torch.ops.aten.select.int(y, 0, 1)
        rows: "f32[5, 6]" = torch.ops.aten.index_put.default(x, [m], row, True)
        some: "f32[u1, 6]" = torch.ops.aten.index.Tensor(y, [m])
        k: "Sym(u1)" = torch.ops.aten.sym_size.int(some, 0)
        lt: "Sym(u1 <= 3)" = k <= 3
        c = torch.ops.aten._assert_scalar.default(lt, 'at most 3')
        points: "f32[5, 6]" = torch.ops.aten.index_put.default(x, [m, i], row)
        return (chosen, rows, points)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[5, 6]", y: "f32[5, 6]", m: "b8[5]", i: "i64[5]"):
        gt: "b8[5, 6]" = torch.ops.aten.gt.Scalar(x, 0)
        mul_1: "f32[5, 6]" = torch.ops.aten.mul.Tensor(y, 2)
        where: "f32[5, 6]" = torch.ops.aten.where.self(gt, mul_1, x);  gt = mul_1 = None
        row: "f32[6]" = torch.ops.aten.select.int(y, 0, 1)
        unsqueeze: "b8[5, 1]" = torch.ops.aten.unsqueeze.default(m, 1)
        add: "f32[5, 6]" = torch.ops.aten.add.Tensor(x, row)
        where_1: "f32[5, 6]" = torch.ops.aten.where.self(unsqueeze, add, x);  unsqueeze = add = None
        some: "f32[u1, 6]" = torch.ops.aten.index.Tensor(y, [m]);  y = None
        k: "Sym(u1)" = torch.ops.aten.sym_size.int(some, 0);  some = None
        lt: "Sym(u1 <= 3)" = k <= 3;  k = None
        c = torch.ops.aten._assert_scalar.default(lt, 'at most 3');  lt = c = None
        points: "f32[5, 6]" = torch.ops.aten.index_put.default(x, [m, i], row);  x = m = i = row = None
        return (where, where_1, points)
