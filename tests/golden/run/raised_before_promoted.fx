# test: run x=ones z=arange
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]", z: "f64[]"):
        kron: "f64[2]" = torch.ops.aten.kron.default(x, z)
        hstack: "f64[3]" = torch.ops.aten.hstack.default([x, z])
        vstack: "f64[2, 1]" = torch.ops.aten.vstack.default([z, z])
        dstack: "f64[1, 1, 2]" = torch.ops.aten.dstack.default([z, z])
        column_stack: "f64[2, 2]" = torch.ops.aten.column_stack.default([x, kron])
        return (kron, hstack, vstack, dstack, column_stack)
# ----
out.0 kron: f64[2]  0, 0
out.1 hstack: f64[3]  1, 1, 0
out.2 vstack: f64[2, 1]  0, 0
out.3 dstack: f64[1, 1, 2]  0, 0
out.4 column_stack: f64[2, 2]  1, 0, 1, 0
