# test: inspect
ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w: "f32[4]", x: "f32[s0, 4]", n: "Sym(s1)"):
            mul: "f32[s0, 4]" = torch.ops.aten.mul.Tensor(x, p_w);  x = p_w = None
            add: "f32[s0, 4]" = torch.ops.aten.add.Tensor(mul, n);  mul = n = None
            return (add,)

Graph signature:
    # inputs
    p_w: PARAMETER target='w'
    x: USER_INPUT
    n: USER_INPUT

    # outputs
    add: USER_OUTPUT

Range constraints: {s0: VR[2, 100], s1: VR[0, int_oo]}
# ----
inputs:
  p_w                  PARAMETER        f32[4]  w
  x                    USER_INPUT       f32[s0, 4]
  n                    USER_INPUT       Sym(s1)
outputs:
  add                  USER_OUTPUT      f32[s0, 4]
symbols:
  s0                   [2, 100]
  s1                   [0, int_oo]
