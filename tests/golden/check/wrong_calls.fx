# test: check
class GraphModule(torch.nn.Module):
    def forward(self, v: "f32[3]", x: "f32[2, 3]", w: "f32[2, 2, 3, 3]", g: "f32[2, 2, 7, 6]", i: "i64[7]", r: "i64[3]", k: "f32[]"):
        a = torch.ops.aten.trapezoid.x(v, 2, dim=-1)
        b = torch.ops.aten.trapezoid.x(v, k)
        c = torch.ops.aten.searchsorted.Tensor(v, x, sorter=i)
        d = torch.ops.aten.searchsorted.Tensor(v, x, sorter=v)
        e = torch.ops.aten.avg_pool2d_backward.default(g, w, [3, 2], [1, 2], [1, 1], True, False, None)
        f = torch.ops.aten.max_pool2d_with_indices_backward.default(w, w, [1, 1], [1, 1], [0, 0], [1, 1], False, r)
        h = torch.ops.aten._adaptive_avg_pool2d_backward.default(v, w)
        j = torch.ops.aten.convolution_backward.default(g, w, w, [2], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, [True, True, True])
        l = torch.ops.aten.max_pool2d_with_indices.default(w, 2, padding=[4611686018427387904, 0])
        m = torch.ops.aten.convolution.default(w, w, None, [1, 1], [4611686018427387904, 0], [1, 1], False, [0, 0], 1)
        n = torch.ops.aten.native_group_norm_backward.default(k, w, v, x, None, 0, 2, 2, 2, [True, True, True])
        o = torch.ops.aten.native_group_norm_backward.default(w, w, v, x, None, 2, 2, 9, 1099511627776, [True, True, True])
        p = torch.ops.aten.native_layer_norm_backward.default(x, v, [0, 2], v, v, None, None, [True, False, True])
        q = torch.ops.aten.native_layer_norm_backward.default(v, v, [3], 1099511627776, v, None, None, [True, False, True])
        s = torch.ops.aten.upsample_nearest2d.vec(w, [4, 4], [])
        t = torch.ops.aten.pixel_shuffle.default(w, 4611686018427387904)
        u = torch.ops.aten.concatenate.default([i, i, x], 1)
        y = torch.ops.aten.index_copy.default(k, 0, r, x)
        z = torch.ops.aten.prelu.default(x, 1.5)
        aa = torch.ops.aten.prelu.default(x, x)
        return (a, b, c, d, e, f, h, j, l, m, n, o, p, q, s, t)
# ----
<stdin>:4:9: error: bad-argument: a: argument 'x' of trapezoid: expected a tensor, got 2
            a = torch.ops.aten.trapezoid.x(v, 2, dim=-1)
            ^
<stdin>:5:9: error: shape-mismatch: b: expected x of rank 1 or 1, got 0
            b = torch.ops.aten.trapezoid.x(v, k)
            ^
<stdin>:6:9: error: shape-mismatch: c: the sorter is not an i64 tensor of the sequence's sizes
            c = torch.ops.aten.searchsorted.Tensor(v, x, sorter=i)
            ^
<stdin>:7:9: error: shape-mismatch: d: the sorter is not an i64 tensor of the sequence's sizes
            d = torch.ops.aten.searchsorted.Tensor(v, x, sorter=v)
            ^
<stdin>:8:9: error: shape-mismatch: e: expected a gradient of sizes [2, 2, 3, 2], got [2, 2, 7, 6]
            e = torch.ops.aten.avg_pool2d_backward.default(g, w, [3, 2], [1, 2], [1, 1], True, False, None)
            ^
<stdin>:9:9: error: shape-mismatch: f: expected indices of sizes [2, 2, 3, 3], got [3]
            f = torch.ops.aten.max_pool2d_with_indices_backward.default(w, w, [1, 1], [1, 1], [0, 0], [1, 1], False, r)
            ^
<stdin>:10:9: error: shape-mismatch: h: expected operands of one rank, 3 or 4, got 1 and 4
            h = torch.ops.aten._adaptive_avg_pool2d_backward.default(v, w)
            ^
<stdin>:11:9: error: shape-mismatch: j: expected a gradient of sizes [2, 2, 1, 1], got [2, 2, 7, 6]
            j = torch.ops.aten.convolution_backward.default(g, w, w, [2], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, [True, True, True])
            ^
<stdin>:12:9: error: bad-argument: l: argument 'padding': expected 0 to 2147483647, got 4611686018427387904
            l = torch.ops.aten.max_pool2d_with_indices.default(w, 2, padding=[4611686018427387904, 0])
            ^
<stdin>:13:9: error: bad-argument: m: argument 'padding': expected 0 to 2147483647, got 4611686018427387904
            m = torch.ops.aten.convolution.default(w, w, None, [1, 1], [4611686018427387904, 0], [1, 1], False, [0, 0], 1)
            ^
<stdin>:14:9: error: shape-mismatch: n: 'grad_out' does not have the expected shape
            n = torch.ops.aten.native_group_norm_backward.default(k, w, v, x, None, 0, 2, 2, 2, [True, True, True])
            ^
<stdin>:15:9: error: shape-mismatch: o: the channels cannot be cut into 1099511627776 groups
            o = torch.ops.aten.native_group_norm_backward.default(w, w, v, x, None, 2, 2, 9, 1099511627776, [True, True, True])
            ^
<stdin>:16:9: error: shape-mismatch: p: normalized_shape does not match the last dimensions
            p = torch.ops.aten.native_layer_norm_backward.default(x, v, [0, 2], v, v, None, None, [True, False, True])
            ^
<stdin>:17:9: error: bad-argument: q: argument 'mean' of native_layer_norm_backward: expected a tensor, got 1099511627776
            q = torch.ops.aten.native_layer_norm_backward.default(v, v, [3], 1099511627776, v, None, None, [True, False, True])
            ^
<stdin>:18:9: error: bad-argument: s: needs output_size or scale_factors, not both
            s = torch.ops.aten.upsample_nearest2d.vec(w, [4, 4], [])
            ^
<stdin>:19:9: error: shape-mismatch: t: needs 3 dimensions and a factor of 1 to 2147483647
            t = torch.ops.aten.pixel_shuffle.default(w, 4611686018427387904)
            ^
<stdin>:20:9: error: dim-range: u: cat: dimension out of range: expected -1 to 0 for rank 1, got 1
            u = torch.ops.aten.concatenate.default([i, i, x], 1)
            ^
<stdin>:21:9: error: shape-mismatch: y: expected sizes [3], got [2, 3]
            y = torch.ops.aten.index_copy.default(k, 0, r, x)
            ^
<stdin>:22:9: error: bad-argument: z: argument 'weight' of prelu: expected a tensor, got 1.5
            z = torch.ops.aten.prelu.default(x, 1.5)
            ^
<stdin>:23:9: error: shape-mismatch: aa: expected a weight of one number, or of one per channel
            aa = torch.ops.aten.prelu.default(x, x)
            ^
exit 1
