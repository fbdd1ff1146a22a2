/* Which operators of the table are compiled: every row that is no elementwise one has an example,
 * which as a program of its own and in the body of a scan leaves no step to the interpreter; or it
 * stands in a list, with the reason. */
#include <stdio.h>

#include "ir/op.h"
#include "programs.h"
#include "runtime/plan.h"

/* body: statements; aten. stands for torch.ops.aten., and the result is r. */
typedef struct {
  const char *op, *inputs, *body;
} example;

static const example examples[] = {
    {"view", "x: f32[4, 6]", "r = aten.view.default(x, [2, 12])"},
    {"view_as", "x: f32[4, 6], y: f32[2, 12]", "r = aten.view_as.default(x, y)"},
    {"reshape", "x: f32[4, 6]",
     "t = aten.permute.default(x, [1, 0]); r = aten.reshape.default(t, [24])"},
    {"reshape_as", "x: f32[4, 6], y: f32[2, 12]", "r = aten.reshape_as.default(x, y)"},
    {"flatten", "x: f32[4, 6]", "r = aten.flatten.using_ints(x)"},
    {"unflatten", "x: f32[4, 6]", "r = aten.unflatten.int(x, 1, [2, 3])"},
    {"unsqueeze", "x: f32[4, 6]", "r = aten.unsqueeze.default(x, 1)"},
    {"squeeze", "x: f32[4, 1, 6]", "r = aten.squeeze.dim(x, 1)"},
    {"atleast_1d", "x: f32[4]", "r = aten.atleast_1d.default(x)"},
    {"atleast_2d", "x: f32[4]", "r = aten.atleast_2d.default(x)"},
    {"atleast_3d", "x: f32[4]", "r = aten.atleast_3d.default(x)"},
    {"permute", "x: f32[4, 6]", "r = aten.permute.default(x, [1, 0])"},
    {"expand", "x: f32[4, 1]", "r = aten.expand.default(x, [4, 6])"},
    {"expand_as", "x: f32[4, 1], y: f32[4, 6]", "r = aten.expand_as.default(x, y)"},
    {"broadcast_tensors", "x: f32[4, 1], y: f32[6]",
     "t = aten.broadcast_tensors.default([x, y]); r = t[0]"},
    {"meshgrid", "x: f32[4], y: f32[6]",
     "t = aten.meshgrid.indexing([x, y], indexing = 'ij'); r = t[1]"},
    {"select", "x: f32[4, 6]", "r = aten.select.int(x, 1, -2)"},
    {"slice", "x: f32[4, 6]", "r = aten.slice.Tensor(x, 1, 1, 5, 2)"},
    {"narrow", "x: f32[4, 6]", "r = aten.narrow.default(x, 1, 2, 3)"},
    {"split", "x: f32[4, 6]", "t = aten.split.Tensor(x, 4, 1); r = t[1]"},
    {"split_with_sizes", "x: f32[4, 6]",
     "t = aten.split_with_sizes.default(x, [2, 4], 1); r = t[1]"},
    {"chunk", "x: f32[4, 6]", "t = aten.chunk.default(x, 4, 1); r = t[1]"},
    {"tensor_split", "x: f32[4, 6]", "t = aten.tensor_split.sections(x, 4, 1); r = t[1]"},
    {"unbind", "x: f32[4, 6]", "t = aten.unbind.int(x, 1); r = t[1]"},
    {"view_dtype", "x: f32[4, 6]",
     "t = aten.permute.default(x, [1, 0]); u = aten.clone.default(t); "
     "r = aten.view.dtype(u, torch.float64)"},
    {"as_strided", "x: f32[4, 6]", "r = aten.as_strided.default(x, [3, 2], [6, 2], 1)"},
    {"unfold", "x: f32[4, 6]", "r = aten.unfold.default(x, 1, 3, 2)"},
    {"diagonal", "x: f32[4, 6]", "r = aten.diagonal.default(x, 1)"},
    {"view_as_real", "x: c64[4]", "r = aten.view_as_real.default(x)"},
    {"view_as_complex", "x: f32[4, 2]", "r = aten.view_as_complex.default(x)"},
    {"real", "x: c64[4]", "r = aten.real.default(x)"},
    {"imag", "x: c64[4]", "r = aten.imag.default(x)"},
    {"cat", "x: f32[4, 6], y: f32[4, 2]", "r = aten.cat.default([x, y], 1)"},
    {"flip", "x: f32[4, 6]", "r = aten.flip.default(x, [1])"},
    {"roll", "x: f32[4, 6]", "r = aten.roll.default(x, [2], [1])"},
    {"repeat", "x: f32[4, 6]", "r = aten.repeat.default(x, [2, 3])"},
    {"tile", "x: f32[4, 6]", "r = aten.tile.default(x, [2])"},
    {"repeat_interleave", "x: f32[4, 6]", "r = aten.repeat_interleave.self_int(x, 2, 1)"},
    {"repeat_each", "x: f32[4, 6], n: i64[6]",
     "r = aten.repeat_interleave.self_Tensor(x, n, 1, output_size = 9)"},
    {"repeat_index", "x: f32[4], n: i64[4]",
     "t = aten.repeat_interleave.Tensor(n, output_size = 9); r = aten.add.Tensor(t, 1)"},
    {"pad", "x: f32[4, 6]", "r = aten.constant_pad_nd.default(x, [1, 2], 3.5)"},
    {"tril", "x: f32[4, 6]", "r = aten.tril.default(x, 1)"},
    {"triu", "x: f32[4, 6]", "r = aten.triu.default(x, 1)"},
    {"diag_embed", "x: f32[4]", "r = aten.diag_embed.default(x)"},
    {"index", "x: f32[4, 6], i: i64[3]", "r = aten.index.Tensor(x, [None, i])"},
    {"index_put", "x: f32[4, 6], i: i64[3], s: f32[3, 6]",
     "r = aten.index_put.default(x, [i], s, True)"},
    {"index_select", "x: f32[4, 6], i: i64[3]", "r = aten.index_select.default(x, 1, i)"},
    {"index_add", "x: f32[4, 6], i: i64[3], s: f32[4, 3]",
     "r = aten.index_add.default(x, 1, i, s, alpha = 2.5)"},
    {"index_copy", "x: f32[4, 6], i: i64[3], s: f32[4, 3]",
     "r = aten.index_copy.default(x, 1, i, s)"},
    {"index_fill", "x: f32[4, 6], i: i64[3]", "r = aten.index_fill.int_Scalar(x, 1, i, 2.5)"},
    {"index_reduce", "x: f32[4, 6], i: i64[3], s: f32[4, 3]",
     "r = aten.index_reduce.default(x, 1, i, s, 'mean', include_self = False)"},
    {"gather", "x: f32[4, 6], i: i64[4, 3]", "r = aten.gather.default(x, 1, i)"},
    {"scatter", "x: f32[4, 6], i: i64[4, 3], s: f32[4, 3]", "r = aten.scatter.src(x, 1, i, s)"},
    {"scatter_add", "x: f32[4, 6], i: i64[4, 3], s: f32[4, 3]",
     "r = aten.scatter_add.default(x, 1, i, s)"},
    {"scatter_reduce", "x: f32[4, 6], i: i64[4, 3], s: f32[4, 3]",
     "r = aten.scatter_reduce.two(x, 1, i, s, 'mean', include_self = False)"},
    {"take", "x: f32[4, 6], i: i64[4, 3]", "r = aten.take.default(x, i)"},
    {"put", "x: f32[4, 6], i: i64[4, 3], s: f32[12]", "r = aten.put.default(x, i, s, True)"},
    {"take_along_dim", "x: f32[4, 6], i: i64[4, 3]", "r = aten.take_along_dim.default(x, i, 1)"},
    {"masked_scatter", "x: f32[4, 6], m: b8[6], s: f32[24]",
     "r = aten.masked_scatter.default(x, m, s)"},
    {"select_scatter", "x: f32[4, 6], s: f32[4]", "r = aten.select_scatter.default(x, s, 1, 2)"},
    {"slice_scatter", "x: f32[4, 6], s: f32[4, 2]",
     "r = aten.slice_scatter.default(x, s, 1, 2, 4)"},
    {"as_strided_scatter", "x: f32[4, 6], s: f32[3, 2]",
     "r = aten.as_strided_scatter.default(x, s, [3, 2], [6, 2], 1)"},
    {"diagonal_scatter", "x: f32[4, 6], s: f32[4]", "r = aten.diagonal_scatter.default(x, s, 1)"},
    {"select_backward", "s: f32[4]", "r = aten.select_backward.default(s, [4, 6], 1, 2)"},
    {"slice_backward", "s: f32[4, 2]", "r = aten.slice_backward.default(s, [4, 6], 1, 2, 4, 1)"},
    {"diagonal_backward", "s: f32[4]", "r = aten.diagonal_backward.default(s, [4, 6], 1, 0, 1)"},
    {"embedding", "x: f32[4, 6], i: i64[2, 3]", "r = aten.embedding.default(x, i)"},
    {"embedding_dense_backward", "g: f32[2, 3, 6], i: i64[2, 3]",
     "r = aten.embedding_dense_backward.default(g, i, 4, 1, True)"},
    {"embedding_bag", "x: f32[4, 6], i: i64[7], o: i64[3]",
     "t = aten._embedding_bag.default(x, i, o, False, 2); r = t[0]"},
    {"one_hot", "i: i64[3]", "r = aten.one_hot.default(i, 5)"},
    {"sort", "x: f32[70, 6]", "t = aten.sort.default(x, 0, True); r = t[1]"},
    {"argsort", "x: f32[4, 70]", "r = aten.argsort.default(x)"},
    {"topk", "x: f32[4, 70]", "t = aten.topk.default(x, 3); r = t[0]"},
    {"kthvalue", "x: f32[4, 70]", "t = aten.kthvalue.default(x, 3); r = t[0]"},
    {"median", "x: f32[4, 6]", "r = aten.median.default(x)"},
    {"median_dim", "x: f32[4, 6]", "t = aten.median.dim(x, 1); r = t[1]"},
    {"nanmedian", "x: f32[4, 6]", "r = aten.nanmedian.default(x)"},
    {"nanmedian_dim", "x: f32[4, 6]", "t = aten.nanmedian.dim(x, 0, True); r = t[0]"},
    {"searchsorted", "x: f32[4, 6], y: f32[4, 3]",
     "r = aten.searchsorted.Tensor(x, y, right = True)"},
    {"sum", "x: f32[4, 6]", "r = aten.sum.dim_IntList(x, [1])"},
    {"prod", "x: f32[4, 6]", "r = aten.prod.dim_int(x, 1)"},
    {"mean", "x: f32[4, 6]", "r = aten.mean.dim(x, [1])"},
    {"amax", "x: f32[4, 6]", "r = aten.amax.default(x, [1])"},
    {"amin", "x: f32[4, 6]", "r = aten.amin.default(x, [1])"},
    {"max_dim", "x: f32[4, 6]", "t = aten.max.dim(x, 1); r = t[1]"},
    {"min_dim", "x: f32[4, 6]", "t = aten.min.dim(x, 1); r = t[1]"},
    {"argmax", "x: f32[4, 6]", "r = aten.argmax.default(x, 1)"},
    {"argmin", "x: f32[4, 6]", "r = aten.argmin.default(x, 1)"},
    {"any", "x: f32[4, 6]", "r = aten.any.dim(x, 1)"},
    {"all", "x: f32[4, 6]", "r = aten.all.dim(x, 1)"},
    {"cumsum", "x: f32[4, 6]", "r = aten.cumsum.default(x, 1)"},
    {"cumprod", "x: f32[4, 6]", "r = aten.cumprod.default(x, 1)"},
    {"cummax", "x: f32[4, 6]", "t = aten.cummax.default(x, 1); r = t[1]"},
    {"cummin", "x: f32[4, 6]", "t = aten.cummin.default(x, 1); r = t[1]"},
    {"logcumsumexp", "x: f32[4, 6]", "r = aten.logcumsumexp.default(x, 1)"},
    {"mm", "x: f32[4, 6], y: f32[6, 3]", "r = aten.mm.default(x, y)"},
    {"bmm", "x: f32[2, 4, 6], y: f32[2, 6, 3]", "r = aten.bmm.default(x, y)"},
    {"mv", "x: f32[4, 6], y: f32[6]", "r = aten.mv.default(x, y)"},
    {"dot", "x: f32[6], y: f32[6]", "r = aten.dot.default(x, y)"},
    {"matmul", "x: f32[2, 4, 6], y: f32[6, 3]", "r = aten.matmul.default(x, y)"},
    {"convolution", "x: f32[1, 2, 9], w: f32[3, 2, 3]",
     "r = aten.convolution.default(x, w, None, [1], [1], [1], False, [0], 1)"},
    {"convolution_backward", "g: f32[1, 3, 9], x: f32[1, 2, 9], w: f32[3, 2, 3]",
     "t = aten.convolution_backward.default(g, x, w, [3], [1], [1], [1], False, [0], 1, "
     "[True, True, True]); r = t[1]"},
    {"avg_pool2d", "x: f32[2, 7, 9]", "r = aten.avg_pool2d.default(x, [2, 3], [2, 2], [1, 1])"},
    {"avg_pool3d", "x: f32[2, 3, 7, 9]", "r = aten.avg_pool3d.default(x, 2)"},
    {"avg_pool2d_backward", "g: f32[2, 3, 4], x: f32[2, 7, 9]",
     "r = aten.avg_pool2d_backward.default(g, x, [2, 2], [2, 2], [0, 0], False, True, None)"},
    {"max_pool2d_with_indices", "x: f32[2, 7, 9]",
     "t = aten.max_pool2d_with_indices.default(x, [2, 3], [2, 2], [1, 1]); r = t[1]"},
    {"max_pool3d_with_indices", "x: f32[2, 3, 7, 9]",
     "t = aten.max_pool3d_with_indices.default(x, 2); r = t[0]"},
    {"max_pool2d_with_indices_backward", "g: f32[2, 3, 4], x: f32[2, 7, 9], i: i64[2, 3, 4]",
     "r = aten.max_pool2d_with_indices_backward.default(g, x, [2, 2], [2, 2], [0, 0], [1, 1], "
     "False, i)"},
    {"adaptive_avg_pool2d", "x: f32[2, 7, 9]", "r = aten._adaptive_avg_pool2d.default(x, [3, 4])"},
    {"adaptive_avg_pool3d", "x: f32[2, 3, 7, 9]",
     "r = aten._adaptive_avg_pool3d.default(x, [2, 3, 4])"},
    {"adaptive_avg_pool2d_backward", "g: f32[2, 3, 4], x: f32[2, 7, 9]",
     "r = aten._adaptive_avg_pool2d_backward.default(g, x)"},
    {"fft_r2c", "x: f32[3, 12]", "r = aten._fft_r2c.default(x, [1], 0, True)"},
    {"fft_c2r", "x: c64[3, 9]", "r = aten._fft_c2r.default(x, [1], 2, 16)"},
    {"fft_c2c", "x: c64[3, 8]", "r = aten._fft_c2c.default(x, [0, 1], 1, True)"},
    {"im2col", "x: f32[2, 5, 7]", "r = aten.im2col.default(x, [2, 3], [1, 2], [1, 0], [2, 1])"},
    {"col2im", "x: f32[12, 9]",
     "r = aten.col2im.default(x, [5, 7], [2, 3], [1, 2], [1, 0], [2, 1])"},
    {"upsample_nearest2d", "x: f32[1, 2, 5, 7]", "r = aten.upsample_nearest2d.default(x, [8, 9])"},
    {"upsample_bilinear2d", "x: f32[1, 2, 5, 7]",
     "r = aten.upsample_bilinear2d.default(x, [8, 9], False)"},
    {"grid_sampler_2d", "x: f32[1, 2, 5, 7], g: f32[1, 3, 4, 2]",
     "r = aten.grid_sampler_2d.default(x, g, 0, 2, False)"},
    {"pdist", "x: f32[5, 4]", "r = aten.pdist.default(x)"},
    {"clone", "x: f32[4]", "r = aten.clone.default(x)"},
    {"alias", "x: f32[4]", "r = aten.alias.default(x)"},
    {"to", "x: f32[4]", "r = aten.to.dtype(x, torch.int64)"},
    {"complex", "x: f32[4], y: f32[4]", "r = aten.complex.default(x, y)"},
    {"polar", "x: f32[4], y: f32[4]", "r = aten.polar.default(x, y)"},
    {"full", "x: f32[4]", "t = aten.full.default([4], 2.5); r = aten.add.Tensor(x, t)"},
    {"zeros", "x: f32[4]", "t = aten.zeros.default([4]); r = aten.add.Tensor(x, t)"},
    {"ones", "x: f32[4]", "t = aten.ones.default([4]); r = aten.add.Tensor(x, t)"},
    {"full_like", "x: f32[4]", "r = aten.full_like.default(x, 2.5)"},
    {"zeros_like", "x: f32[4]", "r = aten.zeros_like.default(x)"},
    {"ones_like", "x: f32[4]", "r = aten.ones_like.default(x)"},
    {"new_full", "x: f32[4]", "r = aten.new_full.default(x, [3], 2.5)"},
    {"new_zeros", "x: f32[4]", "r = aten.new_zeros.default(x, [3])"},
    {"new_ones", "x: f32[4]", "r = aten.new_ones.default(x, [3])"},
    {"scalar_tensor", "x: f32[4]",
     "t = aten.scalar_tensor.default(2.5); r = aten.add.Tensor(x, t)"},
    {"arange", "x: f32[4]", "t = aten.arange.default(4); r = aten.add.Tensor(x, t)"},
    {"linspace", "x: f32[4]", "t = aten.linspace.default(0, 1, 4); r = aten.add.Tensor(x, t)"},
    {"eye", "x: f32[4]", "t = aten.eye.default(4); r = aten.add.Tensor(x, t)"},
    {"tensor_literal", "x: f32[4]",
     "t = aten.tensor.default([1, 2.5, 3, -4]); r = aten.add.Tensor(x, t)"},
    {"logspace", "x: f32[4]", "t = aten.logspace.default(0, 1, 4); r = aten.add.Tensor(x, t)"},
    {"tril_indices", "x: f32[4]",
     "t = aten.tril_indices.default(5, 4, -1); r = aten.add.Tensor(t, 1)"},
    {"triu_indices", "x: f32[4]",
     "t = aten.triu_indices.default(5, 4, -1); r = aten.add.Tensor(t, 1)"},
    {"is_nonzero", "x: f32[4], i: i64[]",
     "n = aten.is_nonzero.default(i); z = torch._check(n); r = aten.clone.default(x)"},
    {"tensor_dim", "x: f32[4]", "n = aten.dim.default(x); r = aten.add.Tensor(x, n)"},
    {"sym_sizes", "x: f32[s0]",
     "n = aten.size.default(x); m = n[0]; r = aten.new_zeros.default(x, [m])"},
    {"sym_stride", "x: f32[s0, 3]", "n = aten.sym_stride.int(x, 0); r = aten.add.Tensor(x, n)"},
    {"getitem", "x: f32[4, 6]", "t = aten.unbind.int(x, 1); r = t[1]"},
    {"sym_size", "x: f32[s0]", "n = aten.sym_size.int(x, 0); r = aten.new_zeros.default(x, [n])"},
    {"sym_numel", "x: f32[s0]",
     "n = aten.sym_numel.default(x); r = aten.new_zeros.default(x, [n])"},
    {"item", "x: f32[4, 6], i: i64[]",
     "n: \"Sym(u0)\" = aten.item.default(i); r = aten.select.int(x, 0, n)"},
    {"assert_true", "x: f32[4], ok: b8[]",
     "z = aten._assert_async.msg(ok, 'no'); r = aten.clone.default(x)"},
    {"assert_metadata", "x: f32[4]",
     "z = aten._assert_tensor_metadata.default(x, None, None, torch.float32); "
     "r = aten.clone.default(x)"},
    {"constrain_range", "x: f32[4], i: i64[]",
     "n: \"Sym(u0)\" = aten.item.default(i); z = aten.sym_constrain_range.default(n, min = 0, max "
     "= 3); "
     "r = aten.select.int(x, 0, n)"},
    {"check_size", "x: f32[4], i: i64[]",
     "n: \"Sym(u0)\" = aten.item.default(i); z = aten.sym_constrain_range_for_size.default(n); "
     "r = aten.select.int(x, 0, n)"},
};

/* Other forms of some, which are compiled as well. */
static const example forms[] = {
    {"roll", "x: f32[4, s0]",
     "n = aten.sym_size.int(x, 1); k = n // 2; r = aten.roll.default(x, [k], [1])"},
    {"roll", "x: f32[4, 6], i: i64[]",
     "n: \"Sym(u0)\" = aten.item.default(i); r = aten.roll.default(x, [n], [1])"},
    {"roll", "x: f32[2, 3, 4, 5]", "r = aten.roll.default(x, [1, 1, 1, 1], [0, 1, 2, 3])"},
    {"pad", "x: f32[4, s0]",
     "n = aten.sym_size.int(x, 1); k = -n; l = k % 4; r = aten.constant_pad_nd.default(x, [0, l])"},
    {"pad", "x: f32[1, 4, 9]", "r = aten.reflection_pad1d.default(x, [-2, 3])"},
    {"pad", "x: f32[4, 6], v: f32[]",
     "n = aten.item.default(v); r = aten.constant_pad_nd.default(x, [1, 1], n)"},
    {"repeat_interleave", "x: f32[4, s0]",
     "n = aten.sym_size.int(x, 1); r = aten.repeat_interleave.self_int(x, n, 0)"},
    {"slice_scatter", "x: f32[4, s0], s: f32[4, 2]",
     "n = aten.sym_size.int(x, 1); k = n - 2; r = aten.slice_scatter.default(x, s, 1, k, n)"},
    {"index_put", "x: f32[4, 6], m: b8[4, 6], s: f32[]", "r = aten.index_put.default(x, [m], s)"},
    {"index_put", "x: f32[4, 6], m: b8[4], s: f32[6]",
     "r = aten.index_put.default(x, [m], s, True)"},
    {"index_put", "x: f32[4, 6], m: b8[4, 6]",
     "t: \"f32[u0]\" = aten.index.Tensor(x, [m]); n = aten.sym_size.int(t, 0); p = n >= 0; "
     "z = aten._assert_scalar.default(p, 'no'); q = n <= 24; "
     "y = aten._assert_scalar.default(q, 'no'); u = aten.mul.Tensor(t, 2); "
     "r = aten.index_put.default(x, [m], u)"},
    {"index_fill", "x: f32[4, 6], i: i64[3], s: f32[]",
     "r = aten.index_fill.int_Tensor(x, 1, i, s)"},
    {"scatter", "x: f32[4, s0], i: i64[4, 3]",
     "n = aten.sym_size.int(x, 1); r = aten.scatter.value(x, 1, i, n)"},
    {"index_add", "x: f32[4, s0], i: i64[3], s: f32[4, 3]",
     "n = aten.sym_size.int(x, 1); r = aten.index_add.default(x, 1, i, s, alpha = n)"},
    {"full", "x: f32[4, 6], i: f32[]", "n = aten.item.default(i); r = aten.full.default([4], n)"},
    {"tensor_literal", "x: f32[s0]",
     "n = aten.sym_size.int(x, 0); t = aten.tensor.default([n, 2]); r = aten.mul.Tensor(t, 2)"},
    {"item", "x: f32[4, 6], i: i64[]",
     "n: \"Sym(u0)\" = aten.item.default(i); k = -n; l = k ** 2; m = l / 3; "
     "r = aten.add.Tensor(x, m)"},
    {"fft_r2c", "x: f32[3, s0]", "r = aten._fft_r2c.default(x, [1], 0, True)"},
    {"upsample_bilinear2d", "x: f32[1, 2, s0, 7]",
     "r = aten.upsample_bilinear2d.default(x, [8, 9], False)"},
    {"linspace", "x: f32[s0]",
     "n = aten.sym_size.int(x, 0); t = aten.linspace.default(0, 1, n); r = aten.mul.Tensor(t, x)"},
    {"view_as_complex", "x: f32[4, 6, 2]",
     "t = aten.permute.default(x, [1, 0, 2]); r = aten.view_as_complex.default(t)"},
    {"diagonal", "x: f32[4, s0]",
     "n = aten.sym_size.int(x, 1); k = n - 1; r = aten.diagonal.default(x, k)"},
    {"prod", "x: c64[4, s0]", "r = aten.prod.dim_int(x, 1)"},
    {"convolution_backward", "g: f16[1, 3, 9], x: f16[1, 2, 9], w: f16[3, 2, 3]",
     "t = aten.convolution_backward.default(g, x, w, [3], [1], [1], [1], False, [0], 1, "
     "[True, True, True]); r = t[1]"},
};

/* Rows that are interpreted, or whose example is elsewhere. */
typedef struct {
  const char *op, *why;
} exception;

static const exception exceptions[] = {
    {"scan", "has a body: tests/unit/flows.c"},
    {"associative_scan", "has a body: tests/unit/prefix.c"},
    {"cond", "has a body: tests/unit/flows.c"},
    {"while_loop", "has a body: tests/unit/flows.c"},
    {"invoke_subgraph", "has a body: tests/unit/plans.c"},
    {"host_call", "a C function of the program's: tests/unit/host_ops.c"},
    {"getattr", "no tensor"},
    {"sym_strides", "no tensor"},
    {"sym_storage_offset", "no tensor"},
    {"is_floating_point", "no tensor"},
    {"is_complex", "no tensor"},
    {"set_grad_enabled", "no tensor"},
    {"enter_autocast", "refused where it would matter"},
    {"exit_autocast", "refused where it would matter"},
    {"map_impl", "has a body: tests/unit/flows.c"},
    {"tensor_setitem", "the passes make another one of it"},
    {"nonzero", "a size that only the data tell"},
    {"masked_select", "a size that only the data tell"},
    {"unique", "a size that only the data tell"},
};

static const example *example_of(const char *op) {
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
    if (!strcmp(examples[i].op, op)) return &examples[i];
  return NULL;
}

static const char *reason_of(const char *op) {
  for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
    if (!strcmp(exceptions[i].op, op)) return exceptions[i].why;
  return NULL;
}

/* ---- texts ---- */

/* x: f32[3] becomes x: "f32[3]", with a dimension of 2 in front for the slices of a scan. */
static void print_inputs(str *out, const char *inputs, bool sliced) {
  for (const char *p = inputs; *p; p++) {
    bool opens = p > inputs && p[-1] == ' ' && p[-2] == ':', end = *p == ']';
    if (opens) str_char(out, '"');
    str_char(out, *p);
    if (*p == '[' && sliced) str_append(out, p[1] == ']' ? "2" : "2, ");
    if (end) str_char(out, '"');
  }
}

static void print_body(str *out, const char *body, const char *indent) {
  str_append(out, indent);
  for (const char *p = body; *p; p++) {
    bool name = p == body || p[-1] == ' ';
    if (name && !strncmp(p, "aten.", 5)) str_append(out, "torch.ops.");
    if (*p != ';') {
      str_char(out, *p);
      continue;
    }
    str_char(out, '\n');
    str_append(out, indent);
    p++;
  }
}

static str alone(const example *e) {
  str s = {0};
  str_append(&s, "class GraphModule(torch.nn.Module):\n    def forward(self, ");
  print_inputs(&s, e->inputs, false);
  str_append(&s, "):\n");
  print_body(&s, e->body, "        ");
  str_append(&s, "\n        return (r,)\n");
  return s;
}

/* The names of the inputs. */
static void print_names(str *out, const char *inputs) {
  bool in_name = true;
  for (const char *p = inputs; *p; p++) {
    if (*p == ':') in_name = false;
    if (in_name) str_char(out, *p);
    if (*p == ']' && p[1]) str_append(out, ", "), in_name = true, p += 2;
  }
}

static str in_scan(const example *e) {
  str s = {0};
  str_append(&s, "class GraphModule(torch.nn.Module):\n    def forward(self, c: \"f32[2]\", ");
  print_inputs(&s, e->inputs, true);
  str_append(&s, "):\n        body = self.body\n"
                 "        scan = torch.ops.higher_order.scan(body, [c], [");
  print_names(&s, e->inputs);
  str_append(&s, "], ())\n        a = scan[0]\n        b = scan[1]\n        return (a, b)\n"
                 "    class body(torch.nn.Module):\n        def forward(self, c: \"f32[2]\", ");
  print_inputs(&s, e->inputs, false);
  str_append(&s, "):\n            d = torch.ops.aten.add.Tensor(c, 1)\n");
  print_body(&s, e->body, "            ");
  str_append(&s, "\n            return [d, r]\n");
  return s;
}

/* ---- checks ---- */

/* Whether nothing is left to the interpreter; text is freed. */
static bool is_compiled(str text, str *why) {
  scanc_error err = {0};
  scanc_options opts = SCANC_OPTIONS_INIT;
  scanc_module *m = scanc_module_parse(NULL, text.data, text.len, "program", &err);
  scanc_program *p = m ? scanc_compile(m, &opts, &err) : NULL;
  bool ok = p && p->planned && !p->plans->hosts.len;
  if (!p) str_printf(why, "%s\n", err.message);
  else if (!p->planned) str_printf(why, "no plan: %s\n", p->no_plan);
  else if (!ok) str_printf(why, "%s is interpreted\n", p->plans->hosts.data[0].n->op->name);
  if (!ok) str_append(why, str_cstr(&text));
  scanc_program_free(p);
  scanc_module_free(m);
  str_free(&text);
  return ok;
}

static bool has_example(const op_info *op) { return op->kind == OPK_OP; }

START_TEST(test_rows) {
  int failed = 0;
  for (int id = 0; id < N_OPS; id++) {
    const op_info *op = op_get((op_id)id);
    const example *e = example_of(op->name);
    const char *reason = reason_of(op->name);
    str why = {0};
    if (!has_example(op)) continue;
    bool ok = !reason ? e != NULL : !e;
    if (!ok) str_printf(&why, "%s\n", e ? "an example and a reason" : "neither example nor reason");
    if (ok && e) ok = is_compiled(alone(e), &why) && is_compiled(in_scan(e), &why);
    if (!ok) printf("%s: %s\n", op->name, str_cstr(&why));
    failed += !ok;
    str_free(&why);
  }
  ck_assert_int_eq(failed, 0);
}
END_TEST

START_TEST(test_forms) {
  int failed = 0;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    str why = {0};
    bool ok = is_compiled(alone(&forms[i]), &why) && is_compiled(in_scan(&forms[i]), &why);
    if (!ok) printf("%s: %s\n", forms[i].op, str_cstr(&why));
    failed += !ok;
    str_free(&why);
  }
  ck_assert_int_eq(failed, 0);
}
END_TEST

/* Every example is of its operator. */
static void is_of_its_operator(const example *e) {
  str text = alone(e);
  scanc_error err = {0};
  scanc_module *m = scanc_module_parse(NULL, text.data, text.len, "program", &err);
  ck_assert_msg(m != NULL, "%s\n%s", err.message, text.data);
  bool found = false;
  FOR_EACH_NODE (n, m->main) found |= n->op && !strcmp(n->op->name, e->op);
  ck_assert_msg(found, "no %s in\n%s", e->op, text.data);
  scanc_module_free(m);
  str_free(&text);
}

START_TEST(test_examples) {
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) is_of_its_operator(&examples[i]);
}
END_TEST

UNIT_MAIN("op_plans", test_examples, test_rows, test_forms)
