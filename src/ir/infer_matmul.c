/* Shape and dtype rules of matrix products. */
#include <stdlib.h>
#include <string.h>

#include "ir/einsum.h"
#include "ir/infer_reduce.h"

/* Two tensor operands of one dtype that has products; ranks below zero are not checked. */
static bool product_args(infer_ctx *c, int i, int a_rank, int b_rank, const type **a,
                         const type **b) {
  SCANC_TRY(arg_tensor(c, i, a) && arg_tensor(c, i + 1, b));
  if ((a_rank >= 0 && (*a)->n != a_rank) || (b_rank >= 0 && (*b)->n != b_rank)) {
    infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected operands of rank %d and %d, got %d and %d",
               a_rank, b_rank, (*a)->n, (*b)->n);
    return false;
  }
  SCANC_TRY(infer_same_dtype(c, *a, *b));
  if ((*a)->dtype == SCANC_BOOL)
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "%s has no form for bool", c->op->name), false;
  return true;
}

static bool inner_agrees(infer_ctx *c, dim a, dim b) {
  if (dims_agree(c, a, b)) return true;
  str text = {0};
  dim_print(&text, a);
  str_append(&text, " and ");
  dim_print(&text, b);
  infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "the inner sizes of the product differ: %s",
             str_cstr(&text));
  str_free(&text);
  return false;
}

const type *infer_mm(infer_ctx *c) {
  const type *a, *b;
  if (!product_args(c, 0, 2, 2, &a, &b) || !inner_agrees(c, a->dims[1], b->dims[0])) return NULL;
  return infer_tensor(c, a->dtype, (dim[]){a->dims[0], b->dims[1]}, 2);
}

static const type *bmm_type(infer_ctx *c, const type *a, const type *b) {
  if (!inner_agrees(c, a->dims[2], b->dims[1])) return NULL;
  if (!dims_agree(c, a->dims[0], b->dims[0]))
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "the batch sizes of the product differ");
  return infer_tensor(c, a->dtype, (dim[]){a->dims[0], a->dims[1], b->dims[2]}, 3);
}

const type *infer_bmm(infer_ctx *c) {
  const type *a, *b;
  return product_args(c, 0, 3, 3, &a, &b) ? bmm_type(c, a, b) : NULL;
}

const type *infer_mv(infer_ctx *c) {
  const type *a, *b;
  if (!product_args(c, 0, 2, 1, &a, &b) || !inner_agrees(c, a->dims[1], b->dims[0])) return NULL;
  return infer_tensor(c, a->dtype, a->dims, 1);
}

const type *infer_dot(infer_ctx *c) {
  const type *a, *b;
  if (!product_args(c, 0, 1, 1, &a, &b) || !inner_agrees(c, a->dims[0], b->dims[0])) return NULL;
  return infer_tensor(c, a->dtype, NULL, 0);
}

/* Type of a @ b: batch axes broadcast, one-dimensional operands lose theirs. */
static const type *matmul_type(infer_ctx *c, const type *a, const type *b) {
  dim dims[SCANC_MAX_RANK];
  int rank = 0;
  if (a->n == 0 || b->n == 0)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                      "both operands of matmul need at least one dimension");
  if (!inner_agrees(c, a->dims[a->n - 1], b->dims[b->n > 1 ? b->n - 2 : 0])) return NULL;
  if (a->n > 2 && !infer_broadcast(c, dims, &rank, a->dims, a->n - 2)) return NULL;
  if (b->n > 2 && !infer_broadcast(c, dims, &rank, b->dims, b->n - 2)) return NULL;
  if (a->n > 1) dims[rank++] = a->dims[a->n - 2];
  if (b->n > 1) dims[rank++] = b->dims[b->n - 1];
  return infer_tensor(c, a->dtype, dims, rank);
}

const type *infer_matmul(infer_ctx *c) {
  const type *a, *b;
  return product_args(c, 0, -1, -1, &a, &b) ? matmul_type(c, a, b) : NULL;
}

/* x, y, dim */
const type *infer_vecdot(infer_ctx *c) {
  const type *a, *b;
  dim dims[SCANC_MAX_RANK];
  int rank, axis;
  bool reduced[SCANC_MAX_RANK] = {false};
  if (!product_args(c, 0, -1, -1, &a, &b) || !infer_need_float(c, a, "the operands", true) ||
      !infer_broadcast_two(c, a, b, dims, &rank) || !arg_axis(c, 2, rank, &axis))
    return NULL;
  reduced[axis] = true;
  const type *whole = infer_tensor(c, a->dtype, dims, rank);
  return whole ? infer_reduced(c, whole, reduced, false, a->dtype) : NULL;
}

/* ---- self + product: self, a, b, beta, alpha ---- */

/* self must have the product's dtype and broadcast to it. */
static const type *add_product(infer_ctx *c, const type *product) {
  const type *s;
  if (!product || !arg_tensor(c, 0, &s) || !infer_same_dtype(c, s, product)) return NULL;
  bool fits = s->n <= product->n;
  for (int i = 0; i < s->n && fits; i++)
    fits = dim_is(s->dims[i], 1) || dims_agree(c, s->dims[i], product->dims[product->n - s->n + i]);
  if (!fits)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                      "the summand does not broadcast to the shape of the product");
  return product;
}

const type *infer_addmm(infer_ctx *c) {
  const type *a, *b;
  if (!product_args(c, 1, 2, 2, &a, &b) || !inner_agrees(c, a->dims[1], b->dims[0])) return NULL;
  return add_product(c, infer_tensor(c, a->dtype, (dim[]){a->dims[0], b->dims[1]}, 2));
}

const type *infer_baddbmm(infer_ctx *c) {
  const type *a, *b;
  return product_args(c, 1, 3, 3, &a, &b) ? add_product(c, bmm_type(c, a, b)) : NULL;
}

const type *infer_addbmm(infer_ctx *c) {
  const type *a, *b;
  if (!product_args(c, 1, 3, 3, &a, &b)) return NULL;
  const type *whole = bmm_type(c, a, b);
  return whole ? add_product(c, infer_tensor(c, a->dtype, whole->dims + 1, 2)) : NULL;
}

const type *infer_addmv(infer_ctx *c) {
  const type *a, *b;
  if (!product_args(c, 1, 2, 1, &a, &b) || !inner_agrees(c, a->dims[1], b->dims[0])) return NULL;
  return add_product(c, infer_tensor(c, a->dtype, a->dims, 1));
}

const type *infer_addr(infer_ctx *c) {
  const type *s, *a, *b;
  scanc_dtype d;
  if (!arg_tensor(c, 0, &s) || !arg_tensor(c, 1, &a) || !arg_tensor(c, 2, &b) ||
      !infer_promote(c, c->arg, 3, &d))
    return NULL;
  if (a->n != 1 || b->n != 1)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected two vectors");
  return infer_tensor(c, d, (dim[]){a->dims[0], b->dims[0]}, 2);
}

const type *infer_outer(infer_ctx *c) {
  const type *a, *b;
  scanc_dtype d;
  if (!arg_tensor(c, 0, &a) || !arg_tensor(c, 1, &b) || !infer_promote(c, c->arg, 2, &d))
    return NULL;
  if (a->n != 1 || b->n != 1)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected two vectors");
  return infer_tensor(c, d, (dim[]){a->dims[0], b->dims[0]}, 2);
}

/* self [..., K], other [..., K] -> [..., ...] */
const type *infer_inner(infer_ctx *c) {
  const type *a, *b;
  dim dims[2 * SCANC_MAX_RANK];
  if (!product_args(c, 0, -1, -1, &a, &b)) return NULL;
  int rank = 0;
  if (a->n > 0 && b->n > 0 && !inner_agrees(c, a->dims[a->n - 1], b->dims[b->n - 1])) return NULL;
  int drop = a->n > 0 && b->n > 0;
  for (int i = 0; i < a->n - drop; i++) dims[rank++] = a->dims[i];
  for (int i = 0; i < b->n - drop; i++) dims[rank++] = b->dims[i];
  if (rank > SCANC_MAX_RANK)
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "a result of rank %d", rank);
  return infer_tensor(c, a->dtype, dims, rank);
}

/* input [..., K], weight [N, K] or [K], bias broadcast to the result */
const type *infer_linear(infer_ctx *c) {
  const type *x, *w, *b;
  dim dims[SCANC_MAX_RANK];
  if (!product_args(c, 0, -1, -1, &x, &w)) return NULL;
  if (x->n == 0 || w->n == 0 || w->n > 2)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                      "expected an input of rank 1 or more and a weight of rank 1 or 2");
  if (!inner_agrees(c, x->dims[x->n - 1], w->dims[w->n - 1])) return NULL;
  int rank = x->n - 1;
  memcpy(dims, x->dims, sizeof *dims * (size_t)rank);
  if (w->n == 2) dims[rank++] = w->dims[0];
  if (arg_given(c, 2)) {
    if (!arg_tensor(c, 2, &b) || !infer_same_dtype(c, x, b) ||
        !infer_broadcast(c, dims, &rank, b->dims, b->n))
      return NULL;
  }
  return infer_tensor(c, x->dtype, dims, rank);
}

/* input1 [..., I], input2 [..., J], weight [O, I, J], bias [O] -> [..., O] */
const type *infer_bilinear(infer_ctx *c) {
  const type *x, *y, *w;
  dim dims[SCANC_MAX_RANK];
  if (!product_args(c, 0, -1, -1, &x, &y) || !arg_tensor(c, 2, &w) || !infer_same_dtype(c, x, w))
    return NULL;
  if (w->n != 3 || x->n < 1 || x->n != y->n)
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                      "expected inputs of one rank and a weight of rank 3");
  for (int i = 0; i + 1 < x->n; i++)
    if (!dims_agree(c, x->dims[i], y->dims[i]))
      return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "the inputs' batch sizes differ");
  if (!inner_agrees(c, x->dims[x->n - 1], w->dims[1]) ||
      !inner_agrees(c, y->dims[y->n - 1], w->dims[2]))
    return NULL;
  memcpy(dims, x->dims, sizeof *dims * (size_t)x->n);
  dims[x->n - 1] = w->dims[0];
  return infer_tensor(c, x->dtype, dims, x->n);
}

/* self, other, dims_self, dims_other: kept axes of self, then those of other */
const type *infer_tensordot(infer_ctx *c) {
  const type *a, *b;
  int x[SCANC_MAX_RANK], y[SCANC_MAX_RANK], n, m, rank = 0;
  bool gone_a[SCANC_MAX_RANK] = {false}, gone_b[SCANC_MAX_RANK] = {false};
  dim dims[2 * SCANC_MAX_RANK];
  if (!product_args(c, 0, -1, -1, &a, &b) || !arg_axes(c, 2, a->n, x, &n) ||
      !arg_axes(c, 3, b->n, y, &m))
    return NULL;
  if (n != m)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "expected as many dimensions of both operands");
  for (int i = 0; i < n; i++) {
    dim p = a->dims[x[i]], q = b->dims[y[i]];
    if (!dim_is(p, 1) && !dim_is(q, 1) && !inner_agrees(c, p, q)) return NULL;
    gone_a[x[i]] = gone_b[y[i]] = true;
  }
  for (int i = 0; i < a->n; i++)
    if (!gone_a[i]) dims[rank++] = a->dims[i];
  for (int i = 0; i < b->n; i++)
    if (!gone_b[i]) dims[rank++] = b->dims[i];
  if (rank > SCANC_MAX_RANK)
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "a result of rank %d", rank);
  return infer_tensor(c, a->dtype, dims, rank);
}

/* A single operand of that rank has labels that the result has not. */
static bool einsum_sums(const einsum *e, int rank) {
  bool kept[EINSUM_MAX_LABELS] = {false};
  for (int i = 0; i < e->n_out; i++) kept[e->out[i]] = true;
  for (int i = 0; i < rank; i++)
    if (!kept[e->in[0][i]]) return true;
  return false;
}

/* equation, tensors, path */
const type *infer_einsum(infer_ctx *c) {
  const char *text;
  const type *const *t;
  int n, ranks[EINSUM_MAX_OPERANDS];
  einsum e;
  dim size[EINSUM_MAX_LABELS], dims[SCANC_MAX_RANK];
  bool seen[EINSUM_MAX_LABELS] = {false};
  if (!arg_str_or(c, 0, "", &text) || !arg_tensors(c, 1, &t, &n)) return NULL;
  for (int k = 0; k < n && k < EINSUM_MAX_OPERANDS; k++) ranks[k] = t[k]->n;
  const char *why = einsum_parse(&e, text, ranks, n);
  if (why) return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "einsum '%.80s': %s", text, why);
  for (int k = 0; k < n; k++) {
    if (!infer_same_dtype(c, t[0], t[k])) return NULL;
    for (int i = 0; i < t[k]->n; i++) {
      int label = e.in[k][i];
      dim d = t[k]->dims[i];
      if (!seen[label] || dim_is(size[label], 1)) size[label] = d, seen[label] = true;
      else if (!dim_is(d, 1) && !dims_agree(c, size[label], d))
        return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH,
                          "einsum '%.80s': operand %d does not fit the others", text, k);
    }
  }
  for (int i = 0; i < e.n_out; i++) dims[i] = size[e.out[i]];
  scanc_dtype d = t[0]->dtype;
  bool sums = n == 1 && einsum_sums(&e, ranks[0]); /* integers then become i64, as in sum */
  return infer_tensor(c, sums && (d == SCANC_BOOL || dtype_class(d) == 'i') ? SCANC_I64 : d, dims,
                      e.n_out);
}

/* The one of fewer dimensions is raised to those of the other one, a 0-d one, too, before types are
 * promoted. */
const type *infer_kron(infer_ctx *c) {
  const type *a, *b;
  dim dims[SCANC_MAX_RANK];
  scanc_dtype d;
  if (!arg_tensor(c, 0, &a) || !arg_tensor(c, 1, &b)) return NULL;
  int rank = a->n > b->n ? a->n : b->n;
  for (int i = 0; i < rank; i++) {
    dim x = i < rank - a->n ? dim_int(1) : a->dims[i - (rank - a->n)];
    dim y = i < rank - b->n ? dim_int(1) : b->dims[i - (rank - b->n)];
    dims[i] = dim_mul(c->syms, x, y);
  }
  const type *const raised[] = {infer_tensor(c, a->dtype, dims, rank),
                                infer_tensor(c, b->dtype, dims, rank)};
  return infer_promote(c, raised, 2, &d) ? infer_tensor(c, d, dims, rank) : NULL;
}

const type *infer_multi_dot(infer_ctx *c) {
  const type *const *t, *r;
  int n;
  if (!arg_tensors(c, 0, &t, &n)) return NULL;
  if (n == 0) return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "expected at least one matrix");
  r = t[0];
  for (int i = 1; i < n && r; i++) {
    if (!infer_same_dtype(c, r, t[i])) return NULL;
    r = matmul_type(c, r, t[i]);
  }
  return r;
}

const type *infer_matrix_power(infer_ctx *c) {
  const type *a;
  int64_t n;
  if (!arg_tensor(c, 0, &a) || !arg_int(c, 1, &n)) return NULL;
  if (a->n < 2 || !dims_agree(c, a->dims[a->n - 1], a->dims[a->n - 2]))
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected square matrices");
  if (n < 0)
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "negative powers of matrices are not supported");
  return a;
}

/* query [..., L, E], key [..., S, E], value [..., S, V], attn_mask, dropout_p, is_causal, scale,
 * enable_gqa */
const type *infer_attention(infer_ctx *c) {
  const type *q, *k, *v;
  dim dims[SCANC_MAX_RANK];
  int rank = 0;
  bool gqa;
  if (!product_args(c, 0, -1, -1, &q, &k) || !arg_tensor(c, 2, &v) ||
      !arg_bool_or(c, 7, false, &gqa))
    return NULL;
  if (gqa) return infer_fail(c, SCANC_ERR_UNSUPPORTED, "enable_gqa is not supported");
  if (c->arg[4]->kind == TYPE_FLOAT && c->arg[4]->f != 0)
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "dropout_p other than 0 is not supported");
  if (q->n < 2 || k->n < 2 || v->n < 2 || !infer_need_float(c, q, "the query", false))
    return infer_fail(c, SCANC_ERR_SHAPE_MISMATCH, "expected operands of at least two dimensions");
  if (!inner_agrees(c, q->dims[q->n - 1], k->dims[k->n - 1]) ||
      !inner_agrees(c, k->dims[k->n - 2], v->dims[v->n - 2]))
    return NULL;
  if (!infer_broadcast(c, dims, &rank, q->dims, q->n - 2) ||
      !infer_broadcast(c, dims, &rank, k->dims, k->n - 2) ||
      !infer_broadcast(c, dims, &rank, v->dims, v->n - 2))
    return NULL;
  dims[rank++] = q->dims[q->n - 2];
  dims[rank++] = v->dims[v->n - 1];
  return infer_tensor(c, q->dtype, dims, rank);
}
