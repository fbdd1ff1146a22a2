# test: print --after=functionalise
ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w: "f32[3]", b_n: "i64[]", x: "f32[3]"):
            add_: "i64[]" = torch.ops.aten.add_.Tensor(b_n, 1)
            mul_: "f32[3]" = torch.ops.aten.mul_.Tensor(x, p_w)
            sub_: "f32[3]" = torch.ops.aten.sub_.Tensor(p_w, mul_)
            add: "f32[3]" = torch.ops.aten.add.Tensor(sub_, add_)
            return (add,)

Graph signature:
    # inputs
    p_w: PARAMETER target='w'
    b_n: BUFFER target='n' persistent=True
    x: USER_INPUT

    # outputs
    add: USER_OUTPUT

Range constraints: {}
# ----
ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w: "f32[3]", b_n: "i64[]", x: "f32[3]"):
            add_1: "i64[]" = torch.ops.aten.add.Tensor(b_n, 1);  b_n = None
            mul: "f32[3]" = torch.ops.aten.mul.Tensor(x, p_w);  x = None
            sub: "f32[3]" = torch.ops.aten.sub.Tensor(p_w, mul);  p_w = None
            add: "f32[3]" = torch.ops.aten.add.Tensor(sub, add_1)
            return (add, sub, add_1, mul)

Graph signature:
    # inputs
    p_w: PARAMETER target='w'
    b_n: BUFFER target='n' persistent=True
    x: USER_INPUT

    # outputs
    add: USER_OUTPUT
    sub: PARAMETER_MUTATION target='w'
    add_1: BUFFER_MUTATION target='n'
    mul: USER_INPUT_MUTATION target='x'

Range constraints: {}
