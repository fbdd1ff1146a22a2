# test: run --exec=jit x=arange z=ones c=ones
class GraphModule(torch.nn.Module):
    def forward(self, c: "c64[2]", x: "f32[3, 2, 30]", z: "c64[3, 30, 2]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x, z], ())
        getitem = scan[0]
        getitem_1 = scan[1]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "c64[2]", x: "f32[2, 30]", z: "c64[30, 2]"):
            sort = torch.ops.aten.sort.default(x, 1)
            getitem: "f32[2, 30]" = sort[0]
            sum_1: "c64[2]" = torch.ops.aten.sum.dim_IntList(getitem, [1], False, dtype = torch.complex64)
            add: "c64[2]" = torch.ops.aten.add.Tensor(c, sum_1)
            mean: "f32[2]" = torch.ops.aten.mean.dim(z, [0], False, dtype = torch.float32)
            return [add, mean]
# ----
out.0 getitem: c64[2]  6706+0j, 9406+0j
out.1 getitem_1: f32[3, 2]  1, 1, 1, 1 ...  min 1, max 1
