# test: explain --cpu=x86-64-v3
class GraphModule(torch.nn.Module):
    def forward(self, h: "f32[3, 3]", m: "f32[3]", k: "i64[3]", xs: "f32[9, 3, 3]"):
        body_0 = self.body_0
        scan = torch.ops.higher_order.scan(body_0, [h, m, k], [xs], ())
        getitem = scan[0]
        getitem_1 = scan[1]
        getitem_2 = scan[2]
        getitem_3 = scan[3]
        getitem_4 = scan[4]
        getitem_5 = scan[5]
        getitem_6 = scan[6]
        return (getitem, getitem_1, getitem_2, getitem_3, getitem_4, getitem_5, getitem_6)

    class body_0(torch.nn.Module):
        def forward(self, h: "f32[3, 3]", m: "f32[3]", k: "i64[3]", x: "f32[3, 3]"):
            add: "f32[3, 3]" = torch.ops.aten.add.Tensor(h, x)
            amax: "f32[3]" = torch.ops.aten.amax.default(x, [1])
            mul: "f32[3]" = torch.ops.aten.mul.Tensor(amax, m)
            add_1: "f32[3, 3]" = torch.ops.aten.add.Tensor(x, k)
            argmax: "i64[3]" = torch.ops.aten.argmax.default(add_1, 0)
            clone: "f32[3, 3]" = torch.ops.aten.clone.default(x)
            permute: "f32[3, 3]" = torch.ops.aten.permute.default(h, [1, 0])
            clone_1: "f32[3, 3]" = torch.ops.aten.clone.default(permute)
            mul_1: "f32[3, 3]" = torch.ops.aten.mul.Tensor(x, m)
            sum_1: "f32[3]" = torch.ops.aten.sum.dim_IntList(h, [0])
            return [add, mul, argmax, clone, clone_1, mul_1, sum_1]
# ----
program: one call, 1 kernel, 0 interpreted steps, 0 bytes of scratch
scan scan (line 5): compiled for x86-64-v3 (256-bit vectors)
  operands:  3 carries, 1 x, 4 ys, 0 captured; 15 carried elements per point
  carry h: dimension 0 (3) map, reduced for ys only by sum sum_1 (line 26); dimension 1 (3) map
  carry m: dimension 0 (3) map
  carry k: dimension 0 (3) map
  y x: dimension 0 (3) map; dimension 1 (3) map; needs no carry
  y permute: dimension 0 (3) map; dimension 1 (3) map
  y mul_1: dimension 0 (3) map; dimension 1 (3) map
  y sum_1: dimension 0 (3) map
  axes:      t sequential (9)
  schedule:  scalars, carries in registers
  per step:  84 operations (66 of floating-point numbers) and 156 bytes per point, 1 point
