# test: print --after=functionalise
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4, 3]", w: "f32[3]", b: "f32[3]", mean: "f32[3]", var: "f32[3]"):
        batch_norm: "f32[4, 3]" = torch.ops.aten.batch_norm.default(x, w, b, mean, var, True, 0.1, 1e-05, True)
        batch_norm_1: "f32[4, 3]" = torch.ops.aten.batch_norm.default(x, w, b, mean, var, False, 0.1, 1e-05, True)
        return (batch_norm, batch_norm_1)
# ----
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4, 3]", w: "f32[3]", b: "f32[3]", mean: "f32[3]", var: "f32[3]"):
        _native_batch_norm_legit_functional = torch.ops.aten._native_batch_norm_legit_functional.default(x, w, b, mean, var, True, 0.1, 1e-05);  mean = var = None
        getitem: "f32[3]" = _native_batch_norm_legit_functional[3]
        getitem_1: "f32[3]" = _native_batch_norm_legit_functional[4]
        getitem_2: "f32[4, 3]" = _native_batch_norm_legit_functional[0];  _native_batch_norm_legit_functional = None
        batch_norm_1: "f32[4, 3]" = torch.ops.aten.batch_norm.default(x, w, b, getitem, getitem_1, False, 0.1, 1e-05, True);  x = w = b = None
        return (getitem_2, batch_norm_1, getitem, getitem_1)
