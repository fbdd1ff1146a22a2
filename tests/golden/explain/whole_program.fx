# test: explain x=ones w=ones index=zeros row=ones --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[5, 4]", w: "f32[4, 4]", index: "i64[5]", row: "f32[5]"):
        mul: "f32[5, 4]" = torch.ops.aten.mul.Tensor(x, 2.0)
        add: "f32[5, 4]" = torch.ops.aten.add.Tensor(mul, x)
        all: "b8[5]" = torch.ops.aten.gt.Scalar(index, -1)
        part: "f32[5, 4]" = torch.ops.aten.index_put.default(add, [all, index], row)
        to: "f32[5, 4]" = torch.ops.aten.neg.default(part)
        relu: "f32[5, 4]" = torch.ops.aten.relu.default(to)
        view: "f32[20]" = torch.ops.aten.view.default(relu, [20])
        scan_combine_graph_0 = self.scan_combine_graph_0
        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [w], [relu], ())
        getitem: "f32[4, 4]" = scan[0]
        getitem_1: "f32[5]" = scan[1]
        return (view, getitem, getitem_1)

    class scan_combine_graph_0(torch.nn.Module):
        def forward(self, h: "f32[4, 4]", x: "f32[4]"):
            mul: "f32[4, 4]" = torch.ops.aten.mul.Tensor(h, x)
            sum_1: "f32[]" = torch.ops.aten.sum.dim_IntList(mul, [0, 1])
            return [mul, sum_1]
# ----
program: one call, 5 kernels, 1 interpreted step, 320 bytes of scratch
elementwise group fused_2 (mul, add; lines 4 to 5): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 20)
  schedule:  8 lanes, 3 vectors at a time
  work:      2 operations (2 of floating-point numbers) and 8 bytes per point, 20 points
elementwise group fused_3 (gt; line 6): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 5)
  schedule:  4 lanes, 2 vectors at a time
  work:      1 operation (0 of floating-point numbers) and 9 bytes per point, 5 points
index_put part (line 7): interpreted: index_put has no compiled form
elementwise group fused_4 (neg, relu; lines 8 to 9): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 20)
  schedule:  8 lanes, 3 vectors at a time
  work:      2 operations (2 of floating-point numbers) and 8 bytes per point, 20 points
scan scan (line 12): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 1 y, 0 captured; 16 carried elements per point
  carry h: dimension 0 (4) map, reduced for ys only by sum sum_1 (line 20); dimension 1 (4) map, reduced for ys only by sum sum_1 (line 20)
  y sum_1: one element
  axes:      t sequential (5)
  schedule:  scalars, carries in registers
  per step:  32 operations (32 of floating-point numbers) and 20 bytes per point, 1 point
elementwise group fused_5 (clone; line 15): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 20)
  schedule:  8 lanes, 3 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 20 points
