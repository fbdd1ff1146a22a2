# test: check
class GraphModule(torch.nn.Module):
    def forward(self, z: "c64[3]", i: "i64[3]"):
        scatter_reduce = torch.ops.aten.scatter_reduce.two(z, 0, i, z, 'amin')
        scatter_reduce_1 = torch.ops.aten.scatter_reduce.two(z, 0, i, z, 'prod')
        return (scatter_reduce, scatter_reduce_1)
# ----
<stdin>:4:9: error: dtype-mismatch: scatter_reduce: complex numbers have no order
            scatter_reduce = torch.ops.aten.scatter_reduce.two(z, 0, i, z, 'amin')
            ^
exit 1
