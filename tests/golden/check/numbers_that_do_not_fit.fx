# test: check
# PyTorch does not convert these numbers either.
class GraphModule(torch.nn.Module):
    def forward(self, x: "f16[3]", u: "u8[3]", i: "i64[1]"):
        a = torch.ops.aten.index_fill.int_Scalar(x, 0, i, 1e300)
        b = torch.ops.aten.scatter.value(u, 0, i, 300)
        c = torch.ops.aten.constant_pad_nd.default(x, [1, 1], 65520.0)
        d = torch.ops.aten.constant_pad_nd.default(x, [1, 1], -65504.0)
        e = torch.ops.aten.index_fill.int_Scalar(u, -1, i, -255)
        return (a, b, c, d, e)
# ----
<stdin>:5:9: error: bad-argument: a: argument 'value' of index_fill: expected a number that fits f16, got 1.0000000000000001e+300
            a = torch.ops.aten.index_fill.int_Scalar(x, 0, i, 1e300)
            ^
<stdin>:6:9: error: bad-argument: b: argument 'src' of scatter: expected a number that fits u8, got 300
            b = torch.ops.aten.scatter.value(u, 0, i, 300)
            ^
<stdin>:7:9: error: bad-argument: c: argument 'value' of pad: expected a number that fits f16, got 65520
            c = torch.ops.aten.constant_pad_nd.default(x, [1, 1], 65520.0)
            ^
exit 1
