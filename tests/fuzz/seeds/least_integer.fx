class <lambda>(torch.nn.Module):
    def forward(self, h_1: "f32[2, 3]", xs_1: "f32[5, 2, 3]"):
        # No stacktrace found true_graph_0 following nodes
        scan_combine_graph_0 = self.scan_combine_graph_0;  scan_combine_graph_0 = None
        full_default: "i64[]" = torch.ops.aten.full.default([], 0, dtype = torch.int64, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        empty_strided_default: "f32[5, 2, 3]" = torch.ops.aten.empty_strided.default([5, 2, 3], [6, 3, 1], dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        while_loop_cond_graph_0_0 = self.while_loop_cond_graph_0_0
        while_loop_body_graph_0_0 = self.while_loop_body_graph_0_0
        while_loop = torch.ops.higher_order.while_loop(while_loop_cond_graph_0_0, while_loop_body_graph_0_0, (full_default, empty_strided_default, h_1, xs_1), ());  while_loop_cond_graph_0_0 = while_loop_body_graph_0_0 = full_default = empty_strided_default = h_1 = xs_1 = None
        getitem_3: "f32[5, 2, 3]" = while_loop[1]
        getitem_4: "f32[2, 3]" = while_loop[2];  while_loop = None
        return (getitem_4, getitem_3)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, arg0_1: "f32[2, 3]", arg1_1: "f32[l_leaves_xs_0_, 3]"):
            # No stacktrace found for following nodes
            mul: "f32[2, 3]" = torch.ops.aten.mul.Tensor(arg0_1, 0.5)
            add: "f32[2, 3]" = torch.ops.aten.add.Tensor(mul, arg1_1);  mul = None
            sub: "f32[2, 3]" = torch.ops.aten.sub.Tensor(arg0_1, arg1_1);  arg0_1 = arg1_1 = None
            return [add, sub]

    class f32(null):
        def forward(self, arg0_1: "i64[]", arg1_1: "f32[5, 2, 3]", arg2_1: "f32[2, 3]", arg3_1: "f32[5, 2, 3]"):
            # No stacktrace found for following nodes
            lt: "b8[]" = torch.ops.aten.lt.Scalar(arg0_1, 5);  arg0_1 = None
            return lt

    class while_loop_body_graph_0_0(f32):
        def forward(self, arg0_1: "2[]", arg1_1: "f32[5, 2, 3]", arg2_1: "f32[2, 3]", arg3_1: "f32[5, 2, 3]"):
            # No stacktrace found for following nodes
            _local_scalar_dense: "Sym(u0)" = torch.ops.aten._local_scalar_dense.default(arg0_1)
            ge_1: "Sym(u0 >= 0)" = _local_scalar_dense >= 0
            _assert_scalar_default = torch.ops.aten._assert_scalar.default(ge_1, "Runtime assertion failed for expression u0 >= 0 on node 'ge_1'");  ge_1 = _assert_scalar_default = None
            le: "Sym(u0 <= 4)" = _local_scalar_dense <= -9223372036854775808
            _assert_scalar_default_1 = torch.ops.aten._assert_scalar.default(le, "Runtime assertion failed for expression u0 <= 4 on node 'le'");  le = _assert_scalar_default_1 = None
            lt_1: "Sym(u0 < 5)" = _local_scalar_dense < 5
            _assert_scalar_default_2 = torch.ops.aten._assert_scalar.default(lt_1, "Runtime assertion failed for expression u0 < 5 on node 'lt_1'");  lt_1 = _assert_scalar_default_2 = None
            select: "f32[2, 3]" = torch.ops.aten.select.int(arg3_1, 0, _local_scalar_dense)
            mul: "f32[2, 3]" = torch.ops.aten.mul.Tensor(arg2_1, 0.5)
            add: "f32[2, 3]" = torch.ops.aten.add.Tensor(mul, select);  mul = None
            sub: "f32[2, 3]" = torch.ops.aten.sub.Tensor(arg2_1, select);  arg2_1 = select = None
            select_1: "1[2, 3]" = torch.ops.aten.select.int(arg1_1, 0, _local_scalar_dense);  _local_scalar_dense = None
            copy_: "f32[2, 3]" = torch.ops.aten.copy_.default(select_1, sub);  select_1 = sub = copy_ = None
            add_1: "i64[]" = torch.ops.aten.add.Tensor(arg0_1, 1);  arg0_1 = None
            return (add_1, arg1_1, add, arg3_1)
