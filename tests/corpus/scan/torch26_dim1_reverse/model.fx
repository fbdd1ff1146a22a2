ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_l__s___w: "f32[3]", b_l__s___b: "f32[]", init: "f32[3]", xs: "f32[3, 4]"):
             # File: model.py:140 in <listcomp>
            select: "f32[3]" = torch.ops.aten.select.int(xs, 1, 0)
            
             # File: model.py:9 in step
            mul: "f32[3]" = torch.ops.aten.mul.Tensor(init, b_l__s___b)
            mul_1: "f32[3]" = torch.ops.aten.mul.Tensor(select, p_l__s___w);  select = None
            add: "f32[3]" = torch.ops.aten.add.Tensor(mul, mul_1);  mul = mul_1 = None
            
             # File: model.py:10 in step
            sin: "f32[3]" = torch.ops.aten.sin.default(add);  add = sin = None
            
             # File: model.py:191 in run_flattened_scan
            scan_combine_graph_0 = self.scan_combine_graph_0
            scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [xs], 1, True, [b_l__s___b, p_l__s___w]);  scan_combine_graph_0 = init = xs = b_l__s___b = p_l__s___w = None
            getitem: "f32[3]" = scan[0]
            getitem_1: "f32[4, 3]" = scan[1];  scan = None
            return (getitem, getitem_1)
            
        class scan_combine_graph_0(torch.nn.Module):
            def forward(self, arg0_1: "f32[3]", arg1_1: "f32[3]", arg2_1: "f32[]", arg3_1: "f32[3]"):
                 # File: model.py:9 in step
                mul: "f32[3]" = torch.ops.aten.mul.Tensor(arg0_1, arg2_1);  arg0_1 = arg2_1 = None
                mul_1: "f32[3]" = torch.ops.aten.mul.Tensor(arg1_1, arg3_1);  arg1_1 = arg3_1 = None
                add: "f32[3]" = torch.ops.aten.add.Tensor(mul, mul_1);  mul = mul_1 = None
                
                 # File: model.py:10 in step
                sin: "f32[3]" = torch.ops.aten.sin.default(add)
                return [add, sin]
                
Graph signature: ExportGraphSignature(input_specs=[InputSpec(kind=<InputKind.PARAMETER: 2>, arg=TensorArgument(name='p_l__s___w'), target='w', persistent=None), InputSpec(kind=<InputKind.BUFFER: 3>, arg=TensorArgument(name='b_l__s___b'), target='b', persistent=True), InputSpec(kind=<InputKind.USER_INPUT: 1>, arg=TensorArgument(name='init'), target=None, persistent=None), InputSpec(kind=<InputKind.USER_INPUT: 1>, arg=TensorArgument(name='xs'), target=None, persistent=None)], output_specs=[OutputSpec(kind=<OutputKind.USER_OUTPUT: 1>, arg=TensorArgument(name='getitem'), target=None), OutputSpec(kind=<OutputKind.USER_OUTPUT: 1>, arg=TensorArgument(name='getitem_1'), target=None)])
Range constraints: {}

