# test: check
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]", b: "b8[2]", i: "i64[2]", z: "c64[2]", d: "f64[2]"):
        softsign = torch.ops.aten.softsign.default(b)
        tanhshrink = torch.ops.aten.tanhshrink.default(b)
        prelu = torch.ops.aten.prelu.default(i, i)
        nan_to_num = torch.ops.aten.nan_to_num.default(z)
        log_sigmoid_backward = torch.ops.aten.log_sigmoid_backward.default(x, d, d)
        elu_backward = torch.ops.aten.elu_backward.default(i, 1.0, 1.0, 1.0, False, i)
        return (x,)
# ----
<stdin>:4:9: error: dtype-mismatch: softsign: softsign has no meaning for bool
            softsign = torch.ops.aten.softsign.default(b)
            ^
<stdin>:5:9: error: dtype-mismatch: tanhshrink: tanhshrink has no meaning for bool
            tanhshrink = torch.ops.aten.tanhshrink.default(b)
            ^
<stdin>:6:9: error: dtype-mismatch: prelu: expected floating point, got i64
            prelu = torch.ops.aten.prelu.default(i, i)
            ^
<stdin>:7:9: error: unsupported: nan_to_num: nan_to_num of complex numbers is not supported
            nan_to_num = torch.ops.aten.nan_to_num.default(z)
            ^
<stdin>:8:9: error: dtype-mismatch: log_sigmoid_backward: expected operands of one dtype, got f32 and f64
            log_sigmoid_backward = torch.ops.aten.log_sigmoid_backward.default(x, d, d)
            ^
<stdin>:9:9: error: dtype-mismatch: elu_backward: expected floating point, got i64
            elu_backward = torch.ops.aten.elu_backward.default(i, 1.0, 1.0, 1.0, False, i)
            ^
exit 1
