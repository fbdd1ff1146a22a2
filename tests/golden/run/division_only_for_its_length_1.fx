# test: run arg0_1=ones arg1_1=zeros --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "i32[3]", arg1_1: "i32[3, 2]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [arg0_1], [arg1_1], ())
        getitem: "i32[3]" = scan[0]
        getitem_1: "i32[3, 2]" = scan[1]
        getitem_2: "i32[3, 2]" = scan[2]
        scan_combine_graph_1 = self.scan_combine_graph_1
        scan_1 = torch.ops.higher_order.scan(scan_combine_graph_1, [arg0_1], [getitem_1], ())
        getitem_3: "i32[3]" = scan_1[0]
        return (getitem, getitem_2, getitem_3)
    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, arg0_1: "i32[3]", arg1_1: "i32[2]"):
            floor_divide: "i32[2]" = torch.ops.aten.floor_divide.default(arg1_1, arg1_1)
            add: "i32[3]" = torch.ops.aten.add.Tensor(arg0_1, 1)
            add_1: "i32[2]" = torch.ops.aten.add.Tensor(arg1_1, 1)
            return [add, floor_divide, add_1]
    class scan_combine_graph_1(torch.nn.Module):
        def forward(self, arg0_1: "i32[3]", arg1_1: "i32[2]"):
            full: "i32[3]" = torch.ops.aten.full.default([3], 7, dtype = torch.int32)
            return [full]
# ----
<stdin>:15:13: error: data: floor_divide: integer division by zero
                floor_divide: "i32[2]" = torch.ops.aten.floor_divide.default(arg1_1, arg1_1)
                ^
exit 1
