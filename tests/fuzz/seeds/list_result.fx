ExportedProgram:
    class GraphModule(name):
        def forward(self, x: "inputs[2, 3]"):
            neg: "[2, 3]" = torch.ops.aten.neg.default(x);  x = None
            return (neg,)
    
Graph signature:
    # inputs
    x: USER_INPUT
    
    # outputs
    neg: USER_OUTPUT
    
Range constraints: {}

