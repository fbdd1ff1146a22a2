# test: print --after=canonicalise
class GraphModule(torch.nn.Module):
    def forward(self, s0: "Sym(s0)", x: "f32[s0, 4]"):
        clone: "f32[s0, 4]" = torch.ops.aten.clone.default(x)
        view: "f32[s0, 4]" = torch.ops.aten.view.default(clone, [s0, 4])
        slice_1: "f32[s0, 4]" = torch.ops.aten.slice.Tensor(view, 0, 0, 9223372036854775807)
        permute: "f32[s0, 4]" = torch.ops.aten.permute.default(slice_1, [0, 1])
        to: "f32[s0, 4]" = torch.ops.aten.to.dtype(permute, torch.float32)
        add: "f32[s0, 4]" = torch.ops.aten.add.Tensor(to, 1)
        flip: "f32[s0, 4]" = torch.ops.aten.flip.default(add, [0])
        return (flip, clone)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, s0: "Sym(s0)", x: "f32[s0, 4]"):
        add: "f32[s0, 4]" = torch.ops.aten.add.Tensor(x, 1)
        flip: "f32[s0, 4]" = torch.ops.aten.flip.default(add, [0]);  add = None
        return (flip, x)
