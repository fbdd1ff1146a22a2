# test: print --after=dce
# An assertion stays, and so does a scan whose body has one; a scan without use goes.
class GraphModule(torch.nn.Module):
    def forward(self, n: "Sym(s0)", a: "f32[2]", u: "f32[5, 2]"):
        gt: "Sym(s0 > 2)" = n > 2
        _assert_scalar = torch.ops.aten._assert_scalar.default(gt, 'n must be above 2')
        asserting = self.asserting
        scan = torch.ops.higher_order.scan(asserting, [a], [u], ())
        plain = self.plain
        scan_1 = torch.ops.higher_order.scan(plain, [a], [u], ())
        getitem: "f32[2]" = scan_1[0]
        sin: "f32[2]" = torch.ops.aten.sin.default(getitem)
        return (a,)

    class asserting(torch.nn.Module):
        def forward(self, a: "f32[2]", u: "f32[2]"):
            gt: "b8[2]" = torch.ops.aten.gt.Scalar(u, 0)
            all_1: "b8[]" = torch.ops.aten.all.default(gt)
            _assert_async = torch.ops.aten._assert_async.msg(all_1, 'u must be positive')
            add: "f32[2]" = torch.ops.aten.add.Tensor(a, u)
            return [add]

    class plain(torch.nn.Module):
        def forward(self, a: "f32[2]", u: "f32[2]"):
            add: "f32[2]" = torch.ops.aten.add.Tensor(a, u)
            return [add]
# ----
class GraphModule(torch.nn.Module):
    def forward(self, n: "Sym(s0)", a: "f32[2]", u: "f32[5, 2]"):
        gt: "Sym(s0 > 2)" = n > 2;  n = None
        _assert_scalar = torch.ops.aten._assert_scalar.default(gt, 'n must be above 2');  gt = _assert_scalar = None
        asserting = self.asserting
        scan = torch.ops.higher_order.scan(asserting, [], [u], ());  asserting = u = scan = None
        return (a,)

    class asserting(torch.nn.Module):
        def forward(self, u: "f32[2]"):
            gt: "b8[2]" = torch.ops.aten.gt.Scalar(u, 0);  u = None
            all_1: "b8[]" = torch.ops.aten.all.default(gt);  gt = None
            _assert_async = torch.ops.aten._assert_async.msg(all_1, 'u must be positive');  all_1 = _assert_async = None
            return []
