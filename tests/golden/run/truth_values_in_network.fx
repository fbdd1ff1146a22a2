# test: run arg4_1=ones --exec=jit
class GraphModule(torch.nn.Module):
    def forward(self, arg4_1: "b8[8, 1]"):
        clone: "b8[8, 1]" = torch.ops.aten.clone.default(arg4_1)
        sigmoid: "f32[8, 1]" = torch.ops.aten.sigmoid.default(arg4_1)
        associative_scan_combine_graph_0 = self.associative_scan_combine_graph_0
        associative_scan = torch.ops.higher_order.associative_scan(associative_scan_combine_graph_0, [arg4_1, clone, sigmoid, arg4_1], ())
        getitem_1: "b8[8, 1]" = associative_scan[1]
        getitem_2: "f32[8, 1]" = associative_scan[2]
        return (getitem_1, getitem_2)

    class associative_scan_combine_graph_0(torch.nn.Module):
        def forward(self, arg0_1: "b8[1]", arg1_1: "b8[1]", arg2_1: "f32[1]", arg3_1: "b8[1]", arg4_1: "b8[1]", arg5_1: "b8[1]", arg6_1: "f32[1]", arg7_1: "b8[1]"):
            mul: "f32[1]" = torch.ops.aten.mul.Tensor(arg5_1, arg2_1)
            mul_1: "b8[1]" = torch.ops.aten.mul.Tensor(arg4_1, arg0_1)
            add: "f32[1]" = torch.ops.aten.add.Tensor(mul_1, mul)
            mul_2: "b8[1]" = torch.ops.aten.mul.Tensor(arg5_1, arg3_1)
            mul_3: "b8[1]" = torch.ops.aten.mul.Tensor(arg4_1, arg1_1)
            add_1: "b8[1]" = torch.ops.aten.add.Tensor(mul_3, mul_2)
            mul_4: "f32[1]" = torch.ops.aten.mul.Tensor(arg7_1, arg2_1)
            mul_5: "f32[1]" = torch.ops.aten.mul.Tensor(arg6_1, arg0_1)
            add_2: "f32[1]" = torch.ops.aten.add.Tensor(mul_5, mul_4)
            mul_6: "b8[1]" = torch.ops.aten.mul.Tensor(arg7_1, arg3_1)
            mul_7: "f32[1]" = torch.ops.aten.mul.Tensor(arg6_1, arg1_1)
            add_3: "f32[1]" = torch.ops.aten.add.Tensor(mul_7, mul_6)
            _to_copy: "b8[1]" = torch.ops.aten._to_copy.default(add, dtype = torch.bool)
            to: "b8[1]" = torch.ops.aten.to.dtype(add_3, torch.bool)
            return [_to_copy, add_1, add_2, to]
# ----
out.0 getitem_1: b8[8, 1]  True, True, True, True ...  min 1, max 1
out.1 getitem_2: f32[8, 1]  0.731058598, 1.4621172, 2.19317579, 2.92423439 ...  min 0.731059, max 5.84847
