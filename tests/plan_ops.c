/* Programs of one operator that plans have kernels for, through every executor (random/execute.c):
 * lengths around those where kernels change their form, static and symbolic, in every element type
 * and layout. Usage:
 *   plan_ops COUNT [SEED [FIRST]]   COUNT programs */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "levels.h"
#include "random/random.h"
#include "runtime/plan.h"

/* ---- operators ---- */

enum { F = 1, I = 2, B = 4, C = 8, ANY = 15, NONEMPTY = 16, DEEP = 32, FOLD = 64 };

/* NONEMPTY: of at least one element; DEEP: of two dimensions or more; FOLD: elementwise operations
 * around it become part of it. call: of x, with $d for a list of dimensions, $a for one dimension,
 * $k for True or False. */
typedef struct {
  const char *call;
  int classes, results;
} operation;

static const operation operations[] = {
    {"aten.sum.dim_IntList(x, $d, $k)", ANY | FOLD, 1},
    {"aten.sum.default(x)", ANY | FOLD, 1},
    {"aten.sum.dim_IntList(x, $d, $k, dtype = torch.float64)", F | I | B | FOLD, 1},
    {"aten.mean.dim(x, $d, $k)", F | C | FOLD, 1},
    {"aten.prod.dim_int(x, $a, $k)", ANY | FOLD, 1},
    {"aten.amax.default(x, $d, $k)", F | I | B | NONEMPTY | FOLD, 1},
    {"aten.amin.default(x, $d, $k)", F | I | B | NONEMPTY | FOLD, 1},
    {"aten.any.dim(x, $a, $k)", ANY | FOLD, 1},
    {"aten.all.dims(x, $d, $k)", ANY | FOLD, 1},
    {"aten.max.dim(x, $a, $k)", F | I | B | NONEMPTY, 2},
    {"aten.min.dim(x, $a, $k)", F | I | B | NONEMPTY, 2},
    {"aten.argmax.default(x, $a, $k)", F | I | NONEMPTY, 1},
    {"aten.argmin.default(x)", F | I | NONEMPTY, 1},
    {"aten.cumsum.default(x, $a)", ANY, 1},
    {"aten.cumprod.default(x, $a)", ANY, 1},
    {"aten.cumsum.default(x, $a, dtype = torch.float32)", F | I | B, 1},
    {"aten.cummax.default(x, $a)", F | I | B | NONEMPTY, 2},
    {"aten.cummin.default(x, $a)", F | I | B | NONEMPTY, 2},
    {"aten.logcumsumexp.default(x, $a)", F, 1},
    {"aten.constant_pad_nd.default(x, [2, 1], 3.5)", ANY, 1},
    {"aten.constant_pad_nd.default(x, [-1, 0], 1)", ANY | NONEMPTY, 1},
    {"aten.constant_pad_nd.default(x, [0, 300])", ANY, 1},
    {"aten.roll.default(x, [3], [$a])", ANY | NONEMPTY, 1},
    {"aten.roll.default(x, [-1, 200], [$a, 0])", ANY | NONEMPTY | DEEP, 1},
    {"aten.roll.default(x, [5])", ANY | NONEMPTY, 1},
    {"aten.repeat.default(x, [2, 1, 1, 3])", ANY, 1},
    {"aten.tile.default(x, [4])", ANY, 1},
    {"aten.repeat_interleave.self_int(x, 3, $a)", ANY, 1},
    {"aten.repeat_interleave.self_int(x, 2)", ANY, 1},
    {"aten.tril.default(x, -1)", ANY | DEEP, 1},
    {"aten.triu.default(x)", ANY | DEEP, 1},
    {"aten.diag_embed.default(x, 1)", ANY, 1},
    {"aten.sort.default(x, $a, $k)", F | I | B, 2},
    {"aten.argsort.default(x, $a, $k)", F | I | B, 1},
    {"aten.topk.default(x, 1, $a, $k)", F | I | B | NONEMPTY, 2},
    {"aten.topk.default(x, 0, $a)", F | I | B, 2},
    {"aten.kthvalue.default(x, 1, $a, $k)", F | I | B | NONEMPTY, 2},
    {"aten.median.dim(x, $a, $k)", F | I | B | NONEMPTY, 2},
    {"aten.nanmedian.dim(x, $a, $k)", F | I | B | NONEMPTY, 2},
    {"aten.median.default(x)", F | I | B, 1},
    {"aten.nanmedian.default(x)", F | I | B, 1},
};

/* Whole programs: $t is an element type, $m and $n sizes, static or symbolic; $r a remainder, so
 * that indices are in range, or nothing. */
typedef struct {
  int classes;
  const char *inputs, *body;
} program_text;

static const program_text programs[] = {
    {ANY, "x: $t[13, $m], i: i64[$n, $m]", "j = $r(i, 13); r = aten.gather.default(x, 0, j)"},
    {ANY, "x: $t[$m, 13], i: i64[$m, $n]", "j = $r(i, 13); r = aten.gather.default(x, 1, j)"},
    {ANY, "x: $t[7, 13, 4], i: i64[5, 1, 2]", "j = $r(i, 13); r = aten.gather.default(x, 1, j)"},
    {ANY, "x: $t[9, $m], i: i64[$n]", "j = $r(i, 9); r = aten.index_select.default(x, 0, j)"},
    {ANY, "x: $t[$m, 9], i: i32[$n]", "j = $r(i, 9); r = aten.index_select.default(x, 1, j)"},
    {F, "x: $t[11, $m], i: i64[3, $n]", "j = $r(i, 11); r = aten.embedding.default(x, j)"},
    {ANY, "x: $t[9, $m], i: i64[$n, 1]", "j = $r(i, 9); r = aten.take_along_dim.default(x, j, 0)"},
    {ANY, "x: $t[9, $m], i: i64[$n]", "j = $r(i, 9); r = aten.index.Tensor(x, [j])"},
    {ANY, "x: $t[5, $m, 9], i: i64[$n], k: i64[3, 1]",
     "j = $r(i, 5); l = $r(k, 9); r = aten.index.Tensor(x, [j, None, l])"},
    {ANY, "x: $t[$m, 4, 9], i: i64[$n], k: i64[3, 1]",
     "j = $r(i, 4); l = $r(k, 9); r = aten.index.Tensor(x, [None, j, l])"},
    {ANY, "i: i64[$m, $n]", "j = $r(i, 6); r = torch.nn.functional.one_hot(j, 6)"},
    {ANY, "x: $t[13, $m], i: i64[$n, $m], s: $t[$n, $m]",
     "j = $r(i, 13); r = aten.scatter.src(x, 0, j, s)"},
    {F | I | B, "x: $t[13, 4], i: i64[$n, 3], s: $t[$n, 3]",
     "j = $r(i, 13); r = aten.scatter.reduce(x, 0, j, s, reduce = 'multiply')"},
    {ANY, "x: $t[4, 13], i: i64[4, 7]", "j = $r(i, 13); r = aten.scatter.value(x, 1, j, 2.5)"},
    {ANY, "x: $t[5, $m], i: i64[$n, $m], s: $t[$n, $m]",
     "j = $r(i, 5); r = aten.scatter_add.default(x, 0, j, s)"},
    {F | I | B, "x: $t[$m, 5], i: i64[$m, $n], s: $t[$m, $n]",
     "j = $r(i, 5); r = aten.scatter_reduce.two(x, 1, j, s, 'amax')"},
    {F | I | B, "x: $t[$m, 5], i: i64[$m, $n], s: $t[$m, $n]",
     "j = $r(i, 5); r = aten.scatter_reduce.two(x, 1, j, s, 'amin')"},
    {F | I | B, "x: $t[$m, 5], i: i64[$m, $n], s: $t[$m, $n]",
     "j = $r(i, 5); r = aten.scatter_reduce.two(x, 1, j, s, 'prod')"},
    {ANY, "x: $t[5, $m], i: i64[$n], s: $t[$n, $m]",
     "j = $r(i, 5); r = aten.index_add.default(x, 0, j, s)"},
    {ANY, "x: $t[$m, 5], i: i64[$n], s: $t[$m, $n]",
     "j = $r(i, 5); r = aten.index_copy.default(x, 1, j, s)"},
    {ANY, "x: $t[$m, 5], i: i64[$n]", "j = $r(i, 5); r = aten.index_fill.int_Scalar(x, 1, j, 1)"},
    {ANY, "x: $t[5, $m], i: i64[$n], s: $t[$m]",
     "j = $r(i, 5); r = aten.index_put.default(x, [j], s)"},
    {ANY, "x: $t[5, $m, 6], i: i64[$n], k: i64[2, 1], s: $t[2, $n, $m]",
     "j = $r(i, 5); l = $r(k, 6); r = aten.index_put.default(x, [j, None, l], s, True)"},
    {ANY, "x: $t[9, $m], s: $t[$m]", "r = aten.select_scatter.default(x, s, 0, -2)"},
    {ANY, "x: $t[$m, 9], s: $t[$m, 3]", "r = aten.slice_scatter.default(x, s, 1, 2, -1, 2)"},
    {ANY, "x: $t[5, 4, $m], s: $t[$m, 3]", "r = aten.diagonal_scatter.default(x, s, 1)"},
    {ANY, "x: $t[$m, 9], s: $t[3, 4]",
     "y = aten.constant_pad_nd.default(x, [0, 0, 0, 2]); "
     "r = aten.as_strided_scatter.default(y, s, [3, 4], [1, 4], 2)"},
    {ANY, "x: $t[9, $m, 4], s: $t[3, 4, 2]",
     "y = aten.constant_pad_nd.default(x, [0, 0, 0, 1]); "
     "r = aten.as_strided_scatter.default(y, s, [3, 4, 2], [1, 2, 1], 0)"},
    {ANY, "s: $t[9, 3]", "r = aten.select_backward.default(s, [9, 4, 3], 1, 2)"},
    {ANY, "s: $t[9, 3]", "r = aten.slice_backward.default(s, [9, 7], 1, 1, 6, 2)"},
    {F, "x: $t[$m, 9]", "r = aten.reflection_pad1d.default(x, [5, 3])"},
    {F, "x: $t[2, 5, 9]", "r = aten.replication_pad2d.default(x, [2, 3, 1, 4])"},
    {F, "x: $t[2, $m, 5, 9]", "r = aten._pad_circular.default(x, [2, 3, 1, 4])"},
    {F, "x: $t[2, 3, 5, 9]", "r = aten.reflection_pad2d.default(x, [1, 2, 3, 4])"},
    {I | F, "x: $t[$m]", "k = aten.arange.start_step(-3, 40, 2); r = aten.sub.Tensor(k, 1)"},
    {I | F, "x: $t[$m]", "r = aten.eye.m(5, 7)"},
    {I | F, "x: $t[$m]", "r = aten.linspace.default(-1.5, 4, 37)"},
    {F, "x: f32[$n, $m], s: f32[$m]", "r = aten.complex.default(x, s)"},
    {F, "x: f64[$m, 3], s: f64[$m, 3]", "r = aten.polar.default(x, s)"},
    {F, "x: f32[$m], s: f32[$m]", "r = aten.polar.default(x, s)"},
    {F | I | B, "x: $t[13, $m], s: $t[13, $n]", "r = aten.searchsorted.Tensor(x, s)"},
    {F | I | B, "x: $t[$m], s: $t[3, $n]",
     "r = aten.searchsorted.Tensor(x, s, out_int32 = True, right = True)"},
    {F | I, "x: $t[$m], s: f32[$n, 2]", "r = aten.bucketize.Tensor(s, x)"},
    {F | I, "x: $t[$m]", "r = aten.searchsorted.Scalar(x, 2.5, side = 'right')"},
    {F | I, "x: $t[3, 9], s: $t[3, $n]",
     "i = aten.argsort.default(x); r = aten.searchsorted.Tensor(x, s, sorter = i)"},
    {F, "x: $t[$m, 9, 11]", "r = aten.avg_pool2d.default(x, [3, 2], [2, 1], [1, 0])"},
    {F, "x: $t[2, $m, 9, 11]", "r = aten.avg_pool2d.default(x, 4, 3, 2, True, False)"},
    {F, "x: $t[$m, 8, 10]", "r = aten.avg_pool2d.default(x, [4, 5], [2, 3], 0, False, True, -3)"},
    {I, "x: i64[$m, 9, 11]", "r = aten.avg_pool2d.default(x, [3, 2], [2, 1], [1, 1])"},
    {F, "x: $t[$m, 5, 4, 33]", "r = aten.avg_pool3d.default(x, [2, 3, 2], [1, 2, 3], 1, True)"},
    {F, "x: $t[3, $m]", "r = aten.avg_pool1d.default(x, [2], [1], [1])"},
    {F, "x: $t[3, 40, $m]", "r = aten._adaptive_avg_pool2d.default(x, [7, 3])"},
    {F, "x: $t[$m, 8, 10]", "r = aten._adaptive_avg_pool2d.default(x, [4, 5])"},
    {F, "x: $t[2, 5, 7, $m]", "r = aten._adaptive_avg_pool3d.default(x, [2, 7, 3])"},
    {F | I, "x: $t[$m, 9, 11]",
     "p = aten.max_pool2d_with_indices.default(x, [3, 2], [2, 1], [1, 1]); r = p[0]"},
    {F | I, "x: $t[2, 9, 33]",
     "p = aten.max_pool2d_with_indices.default(x, 3, 2, 0, 2, True); r = p[1]"},
    {F | I, "x: $t[2, 9, $n]",
     "y = aten.constant_pad_nd.default(x, [3, 1]); "
     "p = aten.max_pool2d_with_indices.default(y, [2, 3], [2, 1]); r = p[1]"},
    {F, "x: $t[2, 9, $n]",
     "y = aten.constant_pad_nd.default(x, [3, 1]); "
     "r = aten.avg_pool2d.default(y, [2, 3], [2, 2], [0, 1], True)"},
    {F | I, "x: $t[2, $m, 5, 7]", "p = aten.max_pool3d_with_indices.default(x, 2, 1, 1); r = p[1]"},
    {F, "g: $t[$m, 4, 11], x: $t[$m, 8, 12]",
     "r = aten.avg_pool2d_backward.default(g, x, [3, 2], [2, 1], [1, 0], False, False, None)"},
    {F, "g: $t[$m, 4, 3], x: $t[$m, 7, 8]", "r = aten._adaptive_avg_pool2d_backward.default(g, x)"},
    {F, "g: $t[$m, 4, 6], x: $t[$m, 8, 12], i: i64[$m, 4, 6]",
     "j = $r(i, 96); r = aten.max_pool2d_with_indices_backward.default(g, x, 2, 2, 0, 1, False, "
     "j)"},
    {ANY, "x: $t[3, 5], i: i64[$n, 2]", "j = $r(i, 15); r = aten.take.default(x, j)"},
    {ANY, "x: $t[3, 5], i: i64[$n]", "j = $r(i, 15); r = aten.take_along_dim.default(x, j)"},
    {ANY, "x: $t[3, 5], i: i64[2, $n], s: $t[2, $n]",
     "j = $r(i, 15); r = aten.put.default(x, j, s)"},
    {ANY, "x: $t[3, 5], i: i64[2, $n], s: $t[$n, 2]",
     "j = $r(i, 15); r = aten.put.default(x, j, s, True)"},
    {F | I | B, "x: $t[$m, 5], i: i64[$m, $n], s: $t[$m, $n]",
     "j = $r(i, 5); r = aten.scatter_reduce.two(x, 1, j, s, 'mean')"},
    {F | I | B, "x: $t[$m, 5], i: i64[$m, $n], s: $t[$m, $n]",
     "j = $r(i, 5); r = aten.scatter_reduce.two(x, 1, j, s, 'amax', include_self = False)"},
    {F | I | B, "x: $t[5, $m], i: i64[$n, $m], s: $t[$n, $m]",
     "j = $r(i, 5); r = aten.scatter_reduce.two(x, 0, j, s, 'mean', include_self = False)"},
    {F | I | B, "x: $t[5, $m], i: i64[$n], s: $t[$n, $m]",
     "j = $r(i, 5); r = aten.index_reduce.default(x, 0, j, s, 'prod')"},
    {F | I | B, "x: $t[$m, 5], i: i64[$n], s: $t[$m, $n]",
     "j = $r(i, 5); r = aten.index_reduce.default(x, 1, j, s, 'mean', include_self = False)"},
    {F | I, "x: $t[5, $m], i: i64[$n], s: $t[$n, $m]",
     "j = $r(i, 5); r = aten.index_add.default(x, 0, j, s, alpha = 3)"},
    {C, "x: $t[5, $m], i: i64[$n], s: $t[$n, $m]",
     "j = $r(i, 5); r = aten.index_add.default(x, 0, j, s, alpha = 3)"},
    {F, "g: $t[$n, 3, $m], i: i64[$n, 3]",
     "j = $r(i, 6); r = aten.embedding_dense_backward.default(g, j, 6, 2, False)"},
    {F, "g: $t[$n, $m], i: i64[$n]",
     "j = $r(i, 6); r = aten.embedding_dense_backward.default(g, j, 6, -1, True)"},
    {F, "x: $t[6, $m], i: i64[9], o: i64[4]",
     "j = $r(i, 6); k = aten.remainder.Scalar(o, 3); l = aten.cumsum.default(k, 0); "
     "t = aten._embedding_bag.default(x, j, l, False, 0); r = t[0]"},
    {F, "x: $t[6, $m], i: i64[$n], o: i64[5], f: $t[$n]",
     "j = $r(i, 6); k = aten.remainder.Scalar(o, 2); l = aten.cumsum.default(k, 0); "
     "t = aten._embedding_bag.default(x, j, l, False, 0, False, f, True, 2); r = t[0]"},
    {F, "x: $t[6, $m], i: i32[$n], o: i32[3]",
     "j = $r(i, 6); k = aten.remainder.Scalar(o, 2); "
     "t = aten._embedding_bag.default(x, j, k, False, 1, False, None, False, 3); r = t[0]"},
    {F, "x: $t[6, $m], i: i64[9], o: i64[4]",
     "j = $r(i, 6); k = aten.remainder.Scalar(o, 4); l = aten.cumsum.default(k, 0); "
     "t = aten._embedding_bag.default(x, j, l, False, 2); r = t[0]"},
    {F, "x: $t[6, 5], i: i64[9], o: i64[$n]",
     "j = $r(i, 6); k = aten.remainder.Scalar(o, 2); l = aten.cumsum.default(k, 0); "
     "t = aten._embedding_bag.default(x, j, l, False, 2, False, None, False, 4); r = t[3]"},
    {F, "x: $t[6, 5], i: i64[9], o: i64[4]",
     "j = $r(i, 6); k = aten.remainder.Scalar(o, 3); l = aten.cumsum.default(k, 0); "
     "t = aten._embedding_bag.default(x, j, l, False, 1, False, None, False, 4); a = t[1]; "
     "b = t[2]; r = aten.cat.default([a, b])"},
    {ANY, "x: $t[6, $m], i: i64[5]",
     "j = $r(i, 4); s = aten.sum.default(j); l = aten.rsub.Scalar(s, 24); "
     "k = aten.unsqueeze.default(l, 0); n = aten.cat.default([j, k]); "
     "r = aten.repeat_interleave.self_Tensor(x, n, 0, output_size = 24)"},
    {ANY, "x: $t[2, 3], i: i32[5]",
     "j = $r(i, 4); s = aten.sum.default(j, dtype = torch.int32); l = aten.rsub.Scalar(s, 24); "
     "k = aten.unsqueeze.default(l, 0); n = aten.cat.default([k, j]); "
     "r = aten.repeat_interleave.self_Tensor(x, n, output_size = 24)"},
    {ANY, "x: $t[$n, 7], i: i64[1]",
     "n = aten.full_like.default(i, 3); "
     "r = aten.repeat_interleave.self_Tensor(x, n, -1, output_size = 21)"},
    {I, "x: $t[3], i: i32[3]",
     "j = $r(i, 2); s = aten.sum.default(j, dtype = torch.int32); l = aten.rsub.Scalar(s, 4); "
     "k = aten.unsqueeze.default(l, 0); n = aten.cat.default([j, k]); "
     "t = aten.repeat_interleave.Tensor(n, output_size = 4); r = aten.add.Tensor(t, 1)"},
    {ANY, "x: $t[$m, 5], m: b8[5], s: $t[40, 5]", "r = aten.masked_scatter.default(x, m, s)"},
    {ANY, "x: $t[5, $m]", "r = x[(2, slice(None, None, 2), None)]"},
    {ANY, "x: $t[5, $m, 4], i: i64[$n]", "j = $r(i, 5); r = x[(j, Ellipsis, 2)]"},
    {I | F, "x: $t[$m]", "k = aten.tensor.default([[1, 2.5], [3, -4]]); r = aten.abs.default(k)"},
    {I | F, "x: $t[$m]", "r = aten.logspace.default(-1, 2, 7)"},
    {I | F, "x: $t[$m]", "r = aten.tril_indices.default(5, 4, -2)"},
    {ANY, "x: $t[2, $m, 9]", "n = aten.sym_size.int(x, 1); r = aten.tril.default(x, n)"},
    {ANY, "x: $t[$m, $n]", "n = aten.sym_size.int(x, 1); k = 3 - n; r = aten.triu.default(x, k)"},
    {ANY, "x: $t[6, $m], n: i64[1]",
     "j = $r(n, 6); u: \"Sym(u0)\" = aten.item.default(j); r = aten.tril.default(x, u)"},
    {I | F, "x: $t[$m]", "r = aten.triu_indices.default(7, 4, 1)"},
    {I | F, "x: $t[$m], y: $t[$n]",
     "t = aten.meshgrid.indexing([x, y], indexing = 'xy'); r = t[0]"},
    {F, "x: $t[$m, 8]", "t = aten.permute.default(x, [1, 0]); r = aten.view.dtype(t, torch.int8)"},
    {I, "x: i16[$m, 8]", "r = aten.view.dtype(x, torch.float32)"},
    {ANY, "x: $t[4, 6]",
     "y = aten.add.Tensor(x, x); r = aten.as_strided.default(y, [3, 2], [6, 2], 1)"},
    {F, "x: $t[$m]", "p = aten.log_sigmoid_forward.default(x); r = p[0]"},
    {F, "x: $t[$m]", "p = aten.native_dropout.default(x, 0.5, False); r = p[1]"},
    {F, "x: f32[$m, 16]", "r = aten._fft_r2c.default(x, [1], 0, True)"},
    {F, "x: f64[12, $m]", "r = aten._fft_r2c.default(x, [0], 2, False)"},
    {F, "x: f64[2, 6, 8, $m]", "r = aten._fft_r2c.default(x, [2, 1], 1, True)"},
    {C, "x: $t[$m, 9]", "r = aten._fft_c2r.default(x, [1], 2, 16)"},
    {C, "x: $t[6, $m]", "r = aten._fft_c2r.default(x, [0], 0, 9)"},
    {C, "x: $t[4, 7, 5]", "r = aten._fft_c2r.default(x, [0, 1, 2], 1, 8)"},
    {C, "x: $t[3, $m, 32]", "r = aten._fft_c2c.default(x, [2], 0, True)"},
    {C, "x: $t[1, $m]", "r = aten._fft_c2c.default(x, [0], 0, False)"},
    {C, "x: $t[5, 8, 2]", "r = aten._fft_c2c.default(x, [0, 1, 2], 2, False)"},
    {F, "x: $t[$m, 2, 5, 7]", "r = aten.upsample_nearest2d.default(x, [8, 33])"},
    {F, "x: $t[$m, 3, 9, 4]", "r = aten.upsample_nearest2d.vec(x, None, [1.7, 2.5])"},
    {F, "x: $t[$m, 2, 5, 7]", "r = aten.upsample_bilinear2d.default(x, [8, 33], False)"},
    {F, "x: $t[2, $m, 9, 6]", "r = aten.upsample_bilinear2d.default(x, [5, 17], True)"},
    {F, "x: $t[2, 3, 5, 7], g: $t[2, $m, 4, 2]",
     "r = aten.grid_sampler_2d.default(x, g, 0, 0, False)"},
    {F, "x: $t[2, 3, 5, 7], g: $t[2, 4, $m, 2]",
     "r = aten.grid_sampler_2d.default(x, g, 1, 1, True)"},
    {F, "x: $t[1, $n, 6, 4], g: $t[1, 3, $m, 2]",
     "r = aten.grid_sampler_2d.default(x, g, 2, 2, False)"},
    {F, "x: $t[1, 2, 1, 4], g: $t[1, 3, $m, 2]",
     "r = aten.grid_sampler_2d.default(x, g, 0, 2, True)"},
    {ANY, "x: $t[5, $m]",
     "n = aten.sym_size.int(x, 1); k = n - 3; r = aten.roll.default(x, [k, 2], [1, 0])"},
    {ANY, "x: $t[$m, 7]", "n = aten.sym_size.int(x, 0); k = n // 2; r = aten.roll.default(x, [k])"},
    {ANY, "x: $t[$m, 7], i: i64[1]",
     "u: \"Sym(u0)\" = aten.item.default(i); r = aten.roll.default(x, [u, 3], [1, 0])"},
    {ANY, "x: $t[3, $m], i: i64[1]",
     "u: \"Sym(u0)\" = aten.item.default(i); r = aten.roll.default(x, [u])"},
    {ANY, "x: $t[2, 3, $m, 5]", "r = aten.roll.default(x, [1, -1, 2, 3], [0, 1, 2, 3])"},
    {ANY, "x: $t[4, $m]",
     "n = aten.sym_size.int(x, 1); k = 6 - n; r = aten.constant_pad_nd.default(x, [2, k], 1)"},
    {F, "x: $t[4, $m], v: f64[1]",
     "n = aten.sym_size.int(x, 1); k = -n; l = k % 4; u = aten.item.default(v); "
     "r = aten.constant_pad_nd.default(x, [0, l], u)"},
    {F, "x: $t[1, 4, 9]", "r = aten.reflection_pad1d.default(x, [-2, 5])"},
    {F, "x: $t[2, 9, 8]", "r = aten.reflection_pad2d.default(x, [3, -1, -8, 4])"},
    {F, "x: $t[2, 9, 8]", "r = aten.replication_pad2d.default(x, [-3, 4, 2, -5])"},
    {F, "x: $t[2, 3, 9, 8]", "r = aten._pad_circular.default(x, [-3, 4, 2, -5])"},
    {F, "x: $t[2, $m, 9]",
     "y = aten.constant_pad_nd.default(x, [0, 0, 3, 0]); n = aten.sym_size.int(y, 1); k = n - 5; "
     "r = aten.replication_pad2d.default(y, [1, 2, k, 1])"},
    {ANY, "x: $t[3, $m]",
     "n = aten.sym_size.int(x, 1); r = aten.repeat_interleave.self_int(x, n, 0)"},
    {ANY, "x: $t[4, $m], s: $t[4, 2]",
     "y = aten.constant_pad_nd.default(x, [0, 3]); n = aten.sym_size.int(y, 1); k = n - 2; "
     "r = aten.slice_scatter.default(y, s, 1, k, n)"},
    {F, "x: $t[$m], v: $t[1]", "u = aten.item.default(v); r = aten.full_like.default(x, u)"},
    {I, "x: $t[$m], v: $t[1]",
     "u: \"Sym(u0)\" = aten.item.default(v); r = aten.full.default([5], u)"},
    {F | I, "x: $t[$m]",
     "n = aten.sym_size.int(x, 0); k = aten.tensor.default([n, 2]); r = aten.add.Tensor(k, 1)"},
    {ANY, "x: $t[5, $m], i: i64[$n], s: $t[]",
     "j = $r(i, 5); r = aten.index_fill.int_Tensor(x, 0, j, s)"},
    {F | I, "x: $t[5, $m], i: i64[$n]",
     "j = $r(i, 5); n = aten.sym_size.int(x, 1); r = aten.index_fill.int_Scalar(x, 0, j, n)"},
    {F | I, "x: $t[4, 13], i: i64[4, $m]",
     "j = $r(i, 13); n = aten.sym_size.int(i, 1); r = aten.scatter.value(x, 1, j, n)"},
    {F | I, "x: $t[5, $m], i: i64[$n], s: $t[$n, $m]",
     "j = $r(i, 5); n = aten.sym_size.int(s, 0); "
     "r = aten.index_add.default(x, 0, j, s, alpha = n)"},
    {ANY, "x: $t[$m, $n], m: b8[$m, $n], s: $t[]", "r = aten.index_put.default(x, [m], s)"},
    {ANY, "x: $t[$m, 5], m: b8[$m], s: $t[5]", "r = aten.index_put.default(x, [m], s, True)"},
    {ANY, "x: $t[3, $m, 5], m: b8[$m], s: $t[3, 1, 5]",
     "r = aten.index_put.default(x, [None, m], s)"},
    {ANY, "x: $t[$m, 2, 3], m: b8[$m, 2], s: $t[1, 3]", "r = aten.index_put.default(x, [m], s)"},
    {F | I, "x: $t[$m, 5], y: $t[$m, 5], m: b8[$m, 5]",
     "t: \"$t[u0]\" = aten.index.Tensor(y, [m]); n = aten.sym_size.int(t, 0); c = n >= 0; "
     "z = aten._assert_scalar.default(c, 'no'); u = aten.mul.Tensor(t, 2); "
     "r = aten.index_put.default(x, [m], u)"},
    {F | I, "x: $t[$m], i: i64[1]",
     "j = aten.remainder.Scalar(i, 1000); u: \"Sym(u0)\" = aten.item.default(j); a = -u; b = a ** "
     "3; "
     "c = b / 7; d = torch.sym_max(c, 2.5); r = aten.add.Tensor(x, d)"},
    {F, "x: f32[3, $n]",
     "y = aten.constant_pad_nd.default(x, [0, 1]); r = aten._fft_r2c.default(y, [1], 1, True)"},
    {C, "x: $t[$n, 4]",
     "y = aten.constant_pad_nd.default(x, [0, 0, 1, 0]); "
     "r = aten._fft_c2c.default(y, [0, 1], 2, False)"},
    {C, "x: $t[2, $n]",
     "y = aten.constant_pad_nd.default(x, [0, 2]); n = aten.sym_size.int(y, 1); k = n * 2; "
     "m = k - 2; r = aten._fft_c2r.default(y, [1], 2, m)"},
    {F, "x: $t[1, 2, $m, 7]",
     "y = aten.constant_pad_nd.default(x, [0, 0, 0, 1]); "
     "r = aten.upsample_nearest2d.default(y, [8, 9])"},
    {F, "x: $t[1, 2, 5, $m]",
     "y = aten.constant_pad_nd.default(x, [0, 1]); "
     "r = aten.upsample_bilinear2d.default(y, [8, 9], True)"},
    {F, "x: $t[1, $n, 5, $m]",
     "y = aten.constant_pad_nd.default(x, [0, 1]); n = aten.sym_size.int(y, 3); "
     "r = aten.upsample_bilinear2d.default(y, [n, 9], False)"},
    {F | I, "x: $t[$m]",
     "n = aten.sym_size.int(x, 0); r = aten.linspace.default(-1.5, n, n, dtype = torch.float64)"},
    {F | I, "x: $t[$m]", "n = aten.sym_size.int(x, 0); r = aten.logspace.default(-1, 2, n, 3)"},
    {C, "x: $t[5]",
     "k = aten.linspace.default(0, 1, 5, dtype = torch.complex64); "
     "r = aten.mul.Tensor(x, k)"},
    {F, "x: f32[$m, 5, 4]",
     "t = aten.slice.Tensor(x, 2, 1, 3); r = aten.view_as_complex.default(t)"},
    {ANY, "x: $t[5, $m]",
     "n = aten.sym_size.int(x, 1); k = n // 2; r = aten.diagonal.default(x, k)"},
    {F, "x: f32[$m, 5]", "r = aten.pdist.default(x, 2.0)"},
    {F, "x: f64[7, $m]", "r = aten.pdist.default(x, 3.0)"},
    {ANY, "x: $t[$m, 2, 5, 7]", "r = aten.im2col.default(x, [2, 3], [1, 2], [1, 0], [2, 1])"},
    {ANY, "x: $t[2, 9, 16]", "r = aten.im2col.default(x, 3, 1, 2, 1)"},
    {ANY, "x: $t[$m, 12, 9]", "r = aten.col2im.default(x, [5, 7], [2, 3], [1, 2], [1, 0], [2, 1])"},
    {F, "g: $t[$m, 4, 5, 9], x: $t[$m, 2, 9, 9], w: $t[4, 1, 3, 2]",
     "p = aten.convolution_backward.default(g, x, w, [4], [2, 1], [1, 1], [1, 2], False, [0, 0], "
     "2, "
     "[True, True, True]); r = p[0]"},
    {F, "g: $t[$m, 4, 5, 9], x: $t[$m, 2, 9, 9], w: $t[4, 1, 3, 2]",
     "p = aten.convolution_backward.default(g, x, w, [4], [2, 1], [1, 1], [1, 2], False, [0, 0], "
     "2, "
     "[False, True, True]); r = p[1]"},
    {F, "g: $t[$m, 3, 17], x: $t[$m, 4, 8], w: $t[4, 3, 4]",
     "p = aten.convolution_backward.default(g, x, w, [3], [2], [1], [1], True, [1], 1, "
     "[True, True, True]); r = p[0]"},
    {F, "g: $t[$m, 3, 17], x: $t[$m, 4, 8], w: $t[4, 3, 4]",
     "p = aten.convolution_backward.default(g, x, w, [3], [2], [1], [1], True, [1], 1, "
     "[True, True, True]); r = p[1]"},
    {F, "g: $t[$m, 3, 7], x: $t[$m, 2, 9], w: $t[3, 2, 3]",
     "p = aten.convolution_backward.default(g, x, w, [3], [1], [0], [1], False, [0], 1, "
     "[False, False, True]); r = p[2]"},
    {ANY, "x: $t[5, $m], n: i64[1]",
     "j = $r(n, 6); u: \"Sym(u0)\" = aten.item.default(j); r = aten.select.int(x, 0, u)"},
    {F | I, "x: $t[$m, 9], w: $t[9, $n], s: $t[$n]",
     "p = aten.mm.default(x, w); q = aten.add.Tensor(p, s); r = aten.mul.Tensor(q, q)"},
    {F, "x: $t[3, $m, 7], w: $t[3, 7, $n], y: $t[3, 1, $n]",
     "p = aten.bmm.default(x, w); q = aten.tanh.default(p); r = aten.sub.Tensor(q, y)"},
    {F, "x: $t[$m, 17], v: $t[17], y: $t[$m]",
     "p = aten.mv.default(x, v); q = aten.mul.Tensor(p, y); r = aten.relu.default(q)"},
    {F, "x: $t[40, $m], w: $t[$m, 70], v: $t[$m, 70], y: $t[70, 40]",
     "p = aten.mm.default(x, w); q = aten.mm.default(x, v); t = aten.permute.default(y, [1, 0]); "
     "k = aten.mul.Tensor(p, q); l = aten.add.Tensor(k, t); r = aten.gt.Tensor(l, p)"},
    {F, "x: $t[2, 6, $m], w: $t[4, 3, 1], y: $t[4, 1]",
     "p = aten.convolution.default(x, w, None, [1], [1], [1], False, [0], 2); "
     "q = aten.add.Tensor(p, y); r = aten.relu.default(q)"},
    {F, "x: $t[1, 5, 9, 13], w: $t[17, 5, 3, 3], v: $t[17], y: $t[17, 1, 13]",
     "p = aten.convolution.default(x, w, v, [1, 1], [1, 1], [1, 1], False, [0, 0], 1); "
     "q = aten.mul.Tensor(p, y); r = aten.tanh.default(q)"},
    {F, "x: $t[40, 33], w: $t[33, $m]",
     "p = aten.mm.default(x, w); q = aten.add.Tensor(p, 1); r = aten.sum.dim_IntList(q, [1])"},
    {F, "x: $t[$m, 300]", "r = aten._softmax.default(x, 1, False)"},
    {F, "x: $t[33, $m]", "r = aten._log_softmax.default(x, 0, False)"},
    {F, "x: $t[9, $n], y: $t[$n]",
     "u = aten.mean.dim(x, [1], True); d = aten.sub.Tensor(x, u); e = aten.mul.Tensor(d, d); "
     "v = aten.mean.dim(e, [1], True); w = aten.add.Tensor(v, 0.125); k = aten.rsqrt.default(w); "
     "l = aten.mul.Tensor(d, k); r = aten.mul.Tensor(l, y)"},
    {F, "x: $t[4, $n, 130], y: $t[$n, 1]",
     "d = aten.sub.Tensor(x, y); e = aten.exp.default(d); a = aten.amax.default(e, [2]); "
     "u = aten.sum.dim_IntList(e, [0, 2]); v = aten.mul.Tensor(u, 2); r = aten.add.Tensor(v, a)"},
};

/* ---- one program ---- */

enum { RANK = 3 };

typedef struct {
  rng r;
  const operation *op;
  scanc_dtype dtype;
  int rank, axis;
  int64_t size[RANK];
  bool symbolic[RANK];
} program_case;

static int class_of(scanc_dtype d) {
  char c = dtype_class(d);
  return c == 'f' ? F : c == 'i' ? I : c == 'b' ? B : C;
}

static void pick(program_case *c) {
  static const int lengths[] = {0,   1,   2,   5,   7,   8,    9,    16,   17,
                                31,  33,  64,  127, 128, 129,  136,  255,  256,
                                257, 511, 513, 640, 777, 1000, 1024, 1025, 2049};
  c->op = &PICK(&c->r, operations);
  do c->dtype = (scanc_dtype)below(&c->r, SCANC_N_DTYPES);
  while (!(class_of(c->dtype) & c->op->classes));
  c->rank = 1 + below(&c->r, RANK);
  if (c->op->classes & DEEP && c->rank < 2) c->rank = 2;
  c->axis = c->op->classes & DEEP ? 1 + below(&c->r, c->rank - 1) : below(&c->r, c->rank);
  for (int d = 0; d < c->rank; d++) {
    c->size[d] = d == c->axis ? PICK(&c->r, lengths) : 1 + below(&c->r, chance(&c->r, 20) ? 40 : 6);
    if (c->op->classes & NONEMPTY && !c->size[d]) c->size[d] = 3;
    c->symbolic[d] = chance(&c->r, 35);
  }
}

static void print_type(str *out, const program_case *c) {
  str_printf(out, "%s[", scanc_dtype_name(c->dtype));
  for (int d = 0; d < c->rank; d++) {
    if (d) str_append(out, ", ");
    if (!c->symbolic[d]) str_printf(out, "%d", (int)c->size[d]);
    else str_printf(out, d == c->axis ? "s9%d" : "s%d", d);
  }
  str_char(out, ']');
}

/* The axis and now and then others. */
static void print_dims(str *out, program_case *c) {
  str_char(out, '[');
  str_printf(out, "%d", c->axis - (chance(&c->r, 50) ? c->rank : 0));
  for (int d = 0; d < c->rank; d++)
    if (d != c->axis && chance(&c->r, 30)) str_printf(out, ", %d", d);
  str_char(out, ']');
}

static void print_call(str *out, program_case *c) {
  for (const char *p = c->op->call; *p; p++) {
    if (*p != '$') {
      str_char(out, *p);
      continue;
    }
    if (*++p == 'd') print_dims(out, c);
    if (*p == 'a') str_printf(out, "%d", c->axis);
    if (*p == 'k') str_append(out, chance(&c->r, 50) ? "True" : "False");
  }
}

/* What x is computed from, and what is made of the result; others may read the former. */
static void print_around(str *out, program_case *c) {
  static const char *const before[] = {"mul.Tensor(z, z)", "add.Tensor(z, 1)", "clone.default(z)"};
  static const char *const after[] = {"add.Tensor(r, r)", "mul.Tensor(r, r)"};
  bool other = chance(&c->r, 30), on = chance(&c->r, 60);
  str_printf(out, "        y = torch.ops.aten.%s\n", PICK(&c->r, before));
  str_printf(out, "        x = torch.ops.aten.%s.default(y)\n",
             class_of(c->dtype) & F && chance(&c->r, 50) ? "tanh" : "clone");
  str_append(out, "        r = torch.ops.");
  print_call(out, c);
  if (on) str_printf(out, "\n        q = torch.ops.aten.%s", PICK(&c->r, after));
  str_printf(out, "\n        return (%s, %s)\n", on ? "q" : "r", other ? "x" : "z");
}

static str text_of(program_case *c) {
  str s = {0};
  bool around = c->op->classes & FOLD && chance(&c->r, 60);
  str_printf(&s, "class GraphModule(torch.nn.Module):\n    def forward(self, %s: \"",
             around ? "z" : "x");
  print_type(&s, c);
  str_append(&s, "\"):\n");
  if (around) {
    print_around(&s, c);
    return s;
  }
  str_append(&s, "        r = torch.ops.");
  print_call(&s, c);
  str_append(&s, c->op->results == 1 ? "\n        return (r,)\n"
                                     : "\n        a = r[0]\n        b = r[1]\n"
                                       "        return (a, b)\n");
  return s;
}

/* ---- one of the programs ---- */

/* What $m and $n are. */
typedef struct {
  rng r;
  scanc_dtype dtype;
  char m[8], n[8];
  bool in_range;
} choice;

static void choose_size(rng *r, char *text, const char *symbol) {
  static const char *const sizes[] = {"1", "3", "8", "17", "33", "2", "0"};
  snprintf(text, 8, "%s", chance(r, 35) ? symbol : PICK(r, sizes));
}

/* Replaces $t, $m, $n and $r; "aten." gets its module. */
static void expand(str *out, const char *from, size_t len, const choice *c) {
  for (const char *p = from; p < from + len; p++) {
    if (!strncmp(p, "aten.", 5)) str_append(out, "torch.ops.");
    if (*p != '$') {
      str_char(out, *p);
      continue;
    }
    switch (*++p) {
      case 't': str_append(out, scanc_dtype_name(c->dtype)); break;
      case 'm': str_append(out, c->m); break;
      case 'n': str_append(out, c->n); break;
      default:
        if (c->in_range) {
          str_append(out, "torch.ops.aten.remainder.Scalar");
          break;
        }
        str_append(out, "torch.ops.aten.clone.default(");
        for (p += 2; *p != ','; p++) str_char(out, *p);
        while (*p != ')') p++;
        str_char(out, ')');
    }
  }
}

static str program_of(rng r) {
  choice c = {.r = r};
  const program_text *p = &PICK(&c.r, programs);
  str s = {0};
  do c.dtype = (scanc_dtype)below(&c.r, SCANC_N_DTYPES);
  while (!(class_of(c.dtype) & p->classes));
  choose_size(&c.r, c.m, "s0");
  choose_size(&c.r, c.n, "s1");
  c.in_range = chance(&c.r, 85);
  str_append(&s, "class GraphModule(torch.nn.Module):\n    def forward(self, ");
  for (const char *in = p->inputs; *in;) { /* x: f32[3] becomes x: "f32[3]" */
    size_t name = strcspn(in, " ") + 1, rest = strcspn(in + name, "]") + 1;
    expand(&s, in, name, &c);
    str_char(&s, '"');
    expand(&s, in + name, rest, &c);
    str_append(&s, in[name + rest] ? "\", " : "\"):");
    in += name + rest + (in[name + rest] ? 2 : 0);
  }
  for (const char *b = p->body; *b;) {
    size_t n = strcspn(b, ";");
    str_append(&s, "\n        ");
    expand(&s, b, n, &c);
    b += n + (b[n] ? 2 : 0);
  }
  str_append(&s, "\n        return (r,)\n");
  return s;
}

/* ---- all of them ---- */

/* Nothing of the program is left to the interpreter. */
static bool is_compiled(const str *text) {
  scanc_error err = {0};
  scanc_options opts = SCANC_OPTIONS_INIT;
  scanc_module *m = scanc_module_parse(NULL, text->data, text->len, "program", &err);
  scanc_program *p = m ? scanc_compile(m, &opts, &err) : NULL;
  bool ok = p && p->planned && !p->plans->hosts.len;
  if (!p) printf("%s\n", err.message);
  else if (!p->planned) printf("no plan: %s\n", p->no_plan);
  else if (!ok) printf("interpreted\n");
  scanc_program_free(p);
  scanc_module_free(m);
  return ok;
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 100, failed = 0;
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
  int first = argc > 3 ? atoi(argv[3]) : 0;
  counts c = {0};
  if (THIN && count > 100) {
    printf("%d programs instead of %d: sanitizers make these runs slow\n", count / 3, count);
    count /= 3;
  }
  for (int i = first; i < first + count && failed < 10; i++) {
    program_case p = {.r = rng_make(mix(seed, (uint64_t)i))};
    pick(&p);
    bool one = i % 2;
    str text = one ? text_of(&p) : program_of(p.r);
    bool ok = (!one || is_compiled(&text)) && check_program(&text, mix(seed, (uint64_t)i), &c);
    if (!ok) printf("plan_ops 1 %llu %d:\n%s\n", (unsigned long long)seed, i, text.data);
    failed += !ok;
    str_free(&text);
  }
  printf("%d programs, %d runs, %d in threads\n", c.programs, c.runs, c.cut);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
