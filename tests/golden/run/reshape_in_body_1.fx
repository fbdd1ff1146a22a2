# test: run c=f32[5,96]:arange x=f32[7,60,8]:arange w=f32[5,12]:ones --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, c: "f32[s1, 96]", x: "f32[s3, 12*s1, 8]", w: "f32[s1, 12]"):
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [x], (w,))
        getitem: "f32[s1, 96]" = scan[0]
        getitem_1: "f32[s3, 96*s1]" = scan[1]
        return (getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, c: "f32[s1, 96]", x: "f32[12*s1, 8]", w: "f32[s1, 12]"):
            view: "f32[s1, 12, 8]" = torch.ops.aten.view.default(c, [-1, 12, 8])
            view_1: "f32[s1, 12, 8]" = torch.ops.aten.view.default(x, [-1, 12, 8])
            unsqueeze: "f32[s1, 12, 1]" = torch.ops.aten.unsqueeze.default(w, 2)
            mul: "f32[s1, 12, 8]" = torch.ops.aten.mul.Tensor(view, unsqueeze)
            add: "f32[s1, 12, 8]" = torch.ops.aten.add.Tensor(mul, view_1)
            view_2: "f32[s1, 96]" = torch.ops.aten.view.default(add, [-1, 96])
            view_3: "f32[96*s1]" = torch.ops.aten.view.default(add, [-1])
            return [view_2, view_3]
# ----
out.0 getitem: f32[5, 96]  10080, 10088, 10096, 10104 ...  min 10080, max 13912
out.1 getitem_1: f32[7, 480]  0, 2, 4, 6 ...  min 0, max 13912
