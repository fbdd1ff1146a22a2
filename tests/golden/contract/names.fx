# test: print --after=contract --fp=contract
# Broadcast operands, symbolic sizes and results that the signature names.
ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, x: "f32[s0, 1]", y: "f32[1, 4]", z: "f32[s0, 4]"):
            mul: "f32[s0, 4]" = torch.ops.aten.mul.Tensor(x, y)
            add: "f32[s0, 4]" = torch.ops.aten.add.Tensor(mul, z)
            return (add,)

Graph signature:
    # inputs
    x: USER_INPUT
    y: USER_INPUT
    z: USER_INPUT

    # outputs
    add: USER_OUTPUT

Range constraints: {s0: VR[2, int_oo]}
# ----
ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, x: "f32[s0, 1]", y: "f32[1, 4]", z: "f32[s0, 4]"):
            fma: "f32[s0, 4]" = torch.ops.prims.fma.default(x, y, z);  x = y = z = None
            return (fma,)

Graph signature:
    # inputs
    x: USER_INPUT
    y: USER_INPUT
    z: USER_INPUT

    # outputs
    fma: USER_OUTPUT

Range constraints: {s0: VR[2, int_oo]}
