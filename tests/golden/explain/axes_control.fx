# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, v: "f32[5]", w: "f32[200]", xs: "f32[9, 5]", us: "f32[9, 200]"):
        choose_0 = self.choose_0
        scan = torch.ops.higher_order.scan(choose_0, [v], [xs], ())
        choose_1 = self.choose_1
        scan_1 = torch.ops.higher_order.scan(choose_1, [w], [us], ())
        getitem = scan[0]
        getitem_1 = scan_1[0]
        return (getitem, getitem_1)

    class choose_0(torch.nn.Module):
        def forward(self, v: "f32[5]", x: "f32[5]"):
            gt: "b8[5]" = torch.ops.aten.gt.Scalar(v, 1)
            all_1: "b8[]" = torch.ops.aten.all.default(gt)
            true_graph_0 = self.true_graph_0
            false_graph_0 = self.false_graph_0
            cond = torch.ops.higher_order.cond(all_1, true_graph_0, false_graph_0, (v, x))
            getitem: "f32[5]" = cond[0]
            return [getitem]

        class true_graph_0(torch.nn.Module):
            def forward(self, v: "f32[5]", x: "f32[5]"):
                sub: "f32[5]" = torch.ops.aten.sub.Tensor(v, x)
                return (sub,)

        class false_graph_0(torch.nn.Module):
            def forward(self, v: "f32[5]", x: "f32[5]"):
                add: "f32[5]" = torch.ops.aten.add.Tensor(v, x)
                return (add,)

    class choose_1(torch.nn.Module):
        def forward(self, v: "f32[200]", x: "f32[200]"):
            gt: "b8[200]" = torch.ops.aten.gt.Scalar(v, 1)
            all_1: "b8[]" = torch.ops.aten.all.default(gt)
            true_graph_1 = self.true_graph_1
            false_graph_1 = self.false_graph_1
            cond = torch.ops.higher_order.cond(all_1, true_graph_1, false_graph_1, (v, x))
            getitem: "f32[200]" = cond[0]
            return [getitem]

        class true_graph_1(torch.nn.Module):
            def forward(self, v: "f32[200]", x: "f32[200]"):
                sub: "f32[200]" = torch.ops.aten.sub.Tensor(v, x)
                return (sub,)

        class false_graph_1(torch.nn.Module):
            def forward(self, v: "f32[200]", x: "f32[200]"):
                add: "f32[200]" = torch.ops.aten.add.Tensor(v, x)
                return (add,)
# ----
program: one call, 6 kernels, 0 interpreted steps, 1728 bytes of scratch
scan scan (line 5): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 carry, 1 x, 0 ys, 0 captured; 5 carried elements per point
  carry v: dimension 0 (5) tainted by control of cond cond (line 18) through all all_1 (line 15)
  axes:      t sequential (9)
  schedule:  scalars, carries in registers
  per step:  24 operations (20 of floating-point numbers) and 20 bytes per point, 1 point
elementwise group fused_8 (clone; line 7): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 200)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 200 points
scan scan_1 (line 7): a loop over the steps that follow, 9 times; carries in scratch
  carry v: dimension 0 (200) tainted by control of cond cond (line 38) through all all_1 (line 35)
all all_1 (line 35): compiled for x86-64-v3 (256-bit vectors)
  kernel:    all
  axes:      k map (lanes, 32), rows sequential (6)
  schedule:  32 lanes, 1 vector at a time, carries in registers
  per step:  2 operations (1 of floating-point numbers) and 4 bytes per point, 32 points
  axes:      k map (lanes, 16)
  schedule:  16 lanes, 1 vector at a time
  work:      1 operation (0 of floating-point numbers) and 3 bytes per point, 16 points
  axes:      k map (lanes, 8)
  schedule:  8 lanes, 1 vector at a time
  work:      1 operation (0 of floating-point numbers) and 3 bytes per point, 8 points
  axes:      k map (lanes, 4)
  schedule:  4 lanes, 1 vector at a time
  work:      1 operation (0 of floating-point numbers) and 3 bytes per point, 4 points
  with:      elementwise group fused_9 (gt; line 34), on elements as they are read
cond cond (line 38): one of two lists of steps
elementwise group fused_10 (sub; line 44): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 inputs, 1 result
  axes:      i map (lanes, 200)
  schedule:  8 lanes, 4 vectors at a time
  work:      1 operation (1 of floating-point numbers) and 12 bytes per point, 200 points
cond cond: the other one
elementwise group fused_11 (add; line 49): compiled for x86-64-v3 (256-bit vectors)
  operands:  2 inputs, 1 result
  axes:      i map (lanes, 200)
  schedule:  8 lanes, 4 vectors at a time
  work:      1 operation (1 of floating-point numbers) and 12 bytes per point, 200 points
cond cond: end
scan scan_1: end
elementwise group fused_7 (clone; line 10): compiled for x86-64-v3 (256-bit vectors)
  operands:  1 input, 1 result
  axes:      i map (lanes, 200)
  schedule:  8 lanes, 4 vectors at a time
  work:      0 operations (0 of floating-point numbers) and 8 bytes per point, 200 points
