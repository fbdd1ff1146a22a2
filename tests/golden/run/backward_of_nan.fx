# test: run x=ones
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]"):
        sub: "f32[2]" = torch.ops.aten.mul.Tensor(x, nan)
        elu_backward: "f32[2]" = torch.ops.aten.elu_backward.default(x, 1.0, 1.0, 1.0, False, sub)
        gelu: "f64[3, 2]" = torch.ops.aten.full.default([3, 2], 0.0, dtype = torch.float64)
        elu_backward_1: "f64[3, 2]" = torch.ops.aten.elu_backward.default(x, 1.0, 3.0, 1.0, True, gelu)
        log_sigmoid_backward: "f64[3, 2]" = torch.ops.aten.log_sigmoid_backward.default(elu_backward_1, gelu, gelu)
        return (elu_backward, elu_backward_1, log_sigmoid_backward)
# ----
out.0 elu_backward: f32[2]  nan, nan
out.1 elu_backward_1: f64[3, 2]  3, 3, 3, 3 ...  min 3, max 3
out.2 log_sigmoid_backward: f64[3, 2]  1.5, 1.5, 1.5, 1.5 ...  min 1.5, max 1.5
