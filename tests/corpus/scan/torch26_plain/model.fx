ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, init: "f32[3]", xs: "f32[4, 3]"):
             # File: model.py:140 in <listcomp>
            select: "f32[3]" = torch.ops.aten.select.int(xs, 0, 0)
            
             # File: model.py:15 in step
            mul: "f32[3]" = torch.ops.aten.mul.Tensor(init, 0.5)
            add: "f32[3]" = torch.ops.aten.add.Tensor(mul, select);  mul = select = None
            
             # File: model.py:16 in step
            sin: "f32[3]" = torch.ops.aten.sin.default(add);  add = sin = None
            
             # File: model.py:191 in run_flattened_scan
            scan_combine_graph_0 = self.scan_combine_graph_0
            scan = torch.ops.higher_order.scan(scan_combine_graph_0, [init], [xs], 0, False, []);  scan_combine_graph_0 = init = xs = None
            getitem: "f32[3]" = scan[0]
            getitem_1: "f32[4, 3]" = scan[1];  scan = None
            return (getitem, getitem_1)
            
        class scan_combine_graph_0(torch.nn.Module):
            def forward(self, arg0_1: "f32[3]", arg1_1: "f32[3]"):
                 # File: model.py:15 in step
                mul: "f32[3]" = torch.ops.aten.mul.Tensor(arg0_1, 0.5);  arg0_1 = None
                add: "f32[3]" = torch.ops.aten.add.Tensor(mul, arg1_1);  mul = arg1_1 = None
                
                 # File: model.py:16 in step
                sin: "f32[3]" = torch.ops.aten.sin.default(add)
                return [add, sin]
                
Graph signature: ExportGraphSignature(input_specs=[InputSpec(kind=<InputKind.USER_INPUT: 1>, arg=TensorArgument(name='init'), target=None, persistent=None), InputSpec(kind=<InputKind.USER_INPUT: 1>, arg=TensorArgument(name='xs'), target=None, persistent=None)], output_specs=[OutputSpec(kind=<OutputKind.USER_OUTPUT: 1>, arg=TensorArgument(name='getitem'), target=None), OutputSpec(kind=<OutputKind.USER_OUTPUT: 1>, arg=TensorArgument(name='getitem_1'), target=None)])
Range constraints: {}

