/* Bodies of composite matrix products. f16 and bf16 are computed in f32 and rounded once. */
#include <math.h>
#include <string.h>

#include "ir/einsum.h"
#include "passes/decompose.h"
#include "passes/expand.h"

static int rank_of(const node *x) { return x && type_is_tensor(x->type) ? x->type->n : 0; }

static node *transpose_of(cursor *c, node *x, int axis0, int axis1) {
  int perm[SCANC_MAX_RANK], rank = rank_of(x);
  for (int i = 0; i < rank; i++) perm[i] = i == axis0 ? axis1 : i == axis1 ? axis0 : i;
  return x ? build_permute(c, V(x), perm, rank) : NULL;
}

/* A factor in the arithmetic of d: integers take integer factors. */
static val factor(val v, scanc_dtype d) {
  return dtype_class(d) == 'i' && v.kind == VAL_FLOAT ? val_int((int64_t)v.f) : v;
}

static bool is_number(val v, double x) {
  return (v.kind == VAL_INT || v.kind == VAL_FLOAT || v.kind == VAL_BOOL) && float_of(v, 0) == x;
}

/* beta * self + alpha * product; a beta of 0 ignores self, NaN included. */
static val add_scaled(cursor *c, node *n, node *product) {
  scanc_dtype d = n->type->dtype;
  val beta = factor(n->operands[3], d), alpha = factor(n->operands[4], d);
  if (!is_number(alpha, 1)) product = build_mul(c, V(product), alpha);
  if (is_number(beta, 0)) return narrow(c, product, n->type);
  node *self = cast(c, n->operands[0], wide_dtype(d));
  if (!is_number(beta, 1)) self = build_mul(c, V(self), beta);
  return narrow(c, build_add(c, V(self), V(product)), n->type);
}

val decompose_addmm(cursor *c, node *n) {
  return add_scaled(
      c, n, CALL(c, "mm.default", V(widen(c, n->operands[1])), V(widen(c, n->operands[2]))));
}

val decompose_baddbmm(cursor *c, node *n) {
  return add_scaled(
      c, n, CALL(c, "bmm.default", V(widen(c, n->operands[1])), V(widen(c, n->operands[2]))));
}

val decompose_addbmm(cursor *c, node *n) {
  node *p = CALL(c, "bmm.default", V(widen(c, n->operands[1])), V(widen(c, n->operands[2])));
  node *sum = build_sum(c, V(p), val_ints(c->g->mod->mem, (int64_t[]){0}, 1), false);
  return add_scaled(c, n, sum ? cast(c, V(sum), wide_dtype(n->type->dtype)) : NULL);
}

val decompose_addmv(cursor *c, node *n) {
  return add_scaled(
      c, n, CALL(c, "mv.default", V(widen(c, n->operands[1])), V(widen(c, n->operands[2]))));
}

val decompose_addr(cursor *c, node *n) {
  scanc_dtype d = wide_dtype(n->type->dtype);
  node *a = cast(c, n->operands[1], d), *b = cast(c, n->operands[2], d);
  return add_scaled(c, n, build_mul(c, V(build_unsqueeze(c, V(a), 1)), V(b)));
}

val decompose_outer(cursor *c, node *n) {
  return V(build_mul(c, V(build_unsqueeze(c, n->operands[0], 1)), n->operands[1]));
}

static node *conjugate(cursor *c, val x) {
  return dtype_class(x.node->type->dtype) == 'c' ? build_conj(c, x) : x.node;
}

val decompose_vdot(cursor *c, node *n) {
  return V(CALL(c, "dot.default", V(conjugate(c, n->operands[0])), n->operands[1]));
}

/* x, y, dim */
val decompose_linalg_vecdot(cursor *c, node *n) {
  node *x = conjugate(c, n->operands[0]), *y = n->operands[1].node;
  x = widen(c, V(x));
  y = widen(c, V(y));
  node *p = build_mul(c, V(x), V(y));
  bool reduced[SCANC_MAX_RANK];
  one_axis(axis_of(n->operands[2], rank_of(p)), rank_of(p), reduced);
  return narrow(c, build_sum(c, V(p), axes_list(c, reduced, rank_of(p)), false), n->type);
}

/* input, weight, bias */
val decompose_linear(cursor *c, node *n) {
  node *x = widen(c, n->operands[0]), *w = widen(c, n->operands[1]);
  if (rank_of(w) == 2) w = transpose_of(c, w, 0, 1);
  node *y = build_matmul(c, V(x), V(w));
  if (given(n->operands[2])) y = build_add(c, V(y), V(widen(c, n->operands[2])));
  return narrow(c, y, n->type);
}

/* ---- contractions of labelled axes ---- */

static labelled label_axes(node *x, int first) {
  labelled a = {.x = x, .n = rank_of(x)};
  for (int i = 0; i < a.n; i++) a.label[i] = first + i;
  return a;
}

/* Contracts the axes of a and b that share labels; the others remain, a's first. */
static val contract_shared(cursor *c, node *n, labelled a, labelled b) {
  bool keep[MAX_LABELS] = {false};
  for (int i = 0; i < a.n; i++) keep[a.label[i]] = true;
  for (int i = 0; i < b.n; i++) keep[b.label[i]] = !keep[b.label[i]];
  return narrow(c, contract(c, a, b, keep).x, n->type);
}

/* self, other, dims_self, dims_other */
val decompose_tensordot(cursor *c, node *n) {
  labelled a = label_axes(widen(c, n->operands[0]), 0),
           b = label_axes(widen(c, n->operands[1]), SCANC_MAX_RANK);
  val p = n->operands[2], q = n->operands[3];
  int k = val_is_seq(p) ? p.n : 1;
  for (int i = 0; i < k; i++) {
    val x = val_is_seq(p) ? p.items[i] : p, y = val_is_seq(q) ? q.items[i] : q;
    b.label[axis_of(y, b.n)] = a.label[axis_of(x, a.n)];
  }
  return contract_shared(c, n, a, b);
}

val decompose_inner(cursor *c, node *n) {
  labelled a = label_axes(widen(c, n->operands[0]), 0),
           b = label_axes(widen(c, n->operands[1]), SCANC_MAX_RANK);
  if (a.n == 0 || b.n == 0) return V(build_mul(c, n->operands[0], n->operands[1]));
  b.label[b.n - 1] = a.label[a.n - 1];
  return contract_shared(c, n, a, b);
}

/* input1 [..., I], input2 [..., J], weight [O, I, J], bias [O] */
val decompose_bilinear(cursor *c, node *n) {
  labelled x = label_axes(widen(c, n->operands[0]), 0), y = label_axes(widen(c, n->operands[1]), 0);
  labelled w = label_axes(widen(c, n->operands[2]), 20);
  bool keep[MAX_LABELS] = {false};
  if (!x.x || !y.x || !w.x) return val_absent();
  x.label[x.n - 1] = 21;
  y.label[y.n - 1] = 22;
  for (int i = 0; i < 20; i++) keep[i] = true;
  keep[20] = keep[22] = true;
  labelled r = contract(c, x, w, keep);
  keep[22] = false;
  r = contract(c, r, y, keep);
  int order[SCANC_MAX_RANK];
  for (int i = 0; i < x.n; i++) order[i] = i < x.n - 1 ? i : 20;
  node *p = arrange(c, &r, order, x.n);
  if (given(n->operands[3])) p = build_add(c, V(p), V(widen(c, n->operands[3])));
  return narrow(c, p, n->type);
}

/* Axes of x that carry one label twice become their diagonal. */
static labelled take_diagonals(cursor *c, labelled a) {
  for (int i = 0; i < a.n; i++)
    for (int j = i + 1; j < a.n; j++) {
      if (a.label[i] != a.label[j]) continue;
      int label = a.label[i];
      a.x = CALL(c, "diagonal.default", V(a.x), val_int(0), val_int(i), val_int(j));
      memmove(a.label + j, a.label + j + 1, sizeof *a.label * (size_t)(a.n - j - 1));
      memmove(a.label + i, a.label + i + 1, sizeof *a.label * (size_t)(a.n - i - 2));
      a.label[a.n - 2] = label;
      a.n--;
      i = -1;
      break;
    }
  return a;
}

/* Labels needed after operand k: those of later operands and of the result. */
static void needed_after(const einsum *e, int k, bool *keep) {
  memset(keep, 0, MAX_LABELS * sizeof *keep);
  for (int i = 0; i < e->n_out; i++) keep[e->out[i]] = true;
  for (int j = k + 1; j < e->n_in; j++)
    for (int i = 0; i < SCANC_MAX_RANK && e->in[j][i] >= 0; i++) keep[e->in[j][i]] = true;
}

static labelled einsum_operand(cursor *c, einsum *e, val v, int k) {
  labelled a = {.x = widen(c, v)};
  a.n = rank_of(a.x);
  for (int i = 0; i < a.n; i++) a.label[i] = e->in[k][i];
  return take_diagonals(c, a);
}

/* equation, tensors, path: from left to right, whatever the path says */
val decompose_einsum(cursor *c, node *n) {
  einsum e;
  val list = n->operands[1];
  int ranks[EINSUM_MAX_OPERANDS] = {0};
  bool keep[MAX_LABELS];
  for (int k = 0; k < list.n && k < EINSUM_MAX_OPERANDS; k++)
    ranks[k] = rank_of(list.items[k].node);
  if (einsum_parse(&e, n->operands[0].s, ranks, list.n)) return val_absent();
  for (int k = 0; k < e.n_in; k++)
    for (int i = ranks[k]; i < SCANC_MAX_RANK; i++) e.in[k][i] = -1;
  labelled r = einsum_operand(c, &e, list.items[0], 0);
  needed_after(&e, 0, keep);
  if (e.n_in == 1) r = sum_labels(c, r, keep);
  for (int k = 1; k < e.n_in && r.x; k++) {
    needed_after(&e, k, keep);
    r = contract(c, r, einsum_operand(c, &e, list.items[k], k), keep);
  }
  return narrow(c, r.x ? arrange(c, &r, e.out, e.n_out) : NULL, n->type);
}

/* ---- others ---- */

/* Interleaves axes: [a0, 1, a1, 1...] * [1, b0, 1, b1...], then merges the pairs. */
val decompose_kron(cursor *c, node *n) {
  node *a = n->operands[0].node, *b = n->operands[1].node;
  int rank = n->type->n;
  val sizes[SCANC_MAX_RANK];
  if (2 * rank > SCANC_MAX_RANK) return val_absent();
  while (a && rank_of(a) < rank) a = build_unsqueeze(c, V(a), 0);
  while (b && rank_of(b) < rank) b = build_unsqueeze(c, V(b), 0);
  for (int i = 0; i < rank; i++) {
    sizes[i] = build_size(c, a, i);
    sizes[i] = size_mul(c, sizes[i], build_size(c, b, i));
  }
  for (int i = 0; i < rank; i++) {
    a = build_unsqueeze(c, V(a), 2 * i + 1);
    b = build_unsqueeze(c, V(b), 2 * i);
  }
  return V(build_reshape(c, V(build_mul(c, V(a), V(b))), list_of(c, sizes, rank)));
}

val decompose_multi_dot(cursor *c, node *n) {
  val list = n->operands[0];
  node *r = list.n ? list.items[0].node : NULL;
  for (int i = 1; i < list.n && r; i++) r = build_matmul(c, V(r), list.items[i]);
  return V(r);
}

/* By squaring. */
val decompose_matrix_power(cursor *c, node *n) {
  node *x = n->operands[0].node, *r = NULL;
  int64_t k = int_of(n->operands[1], 1);
  if (k == 0) {
    node *eye = CALL(c, "eye.default", build_size(c, x, rank_of(x) - 1));
    eye = eye ? cast(c, V(eye), x->type->dtype) : NULL;
    return V(build_clone(c, V(build_expand(c, V(eye), build_sizes(c, x)))));
  }
  for (; k > 0 && x; k >>= 1) {
    if (k & 1) r = r ? build_matmul(c, V(r), V(x)) : x;
    if (k > 1) x = build_matmul(c, V(x), V(x));
  }
  return V(r);
}

static node *causal_mask(cursor *c, node *scores) {
  int rank = rank_of(scores);
  val sizes =
      list_of(c, (val[]){build_size(c, scores, rank - 2), build_size(c, scores, rank - 1)}, 2);
  return CALL(c, "tril.default", V(build_full(c, sizes, val_bool(true), SCANC_BOOL)));
}

static node *attention_scale(cursor *c, node *n, node *q) {
  if (given(n->operands[6])) return build_mul(c, V(q), n->operands[6]);
  val size = build_size(c, q, rank_of(q) - 1);
  if (size.kind == VAL_INT) return build_mul(c, V(q), val_float(1 / sqrt((double)size.i)));
  return build_mul(c, V(q), V(expand_call(c, "operator.pow", (val[]){size, val_float(-0.5)}, 2)));
}

/* query, key, value, attn_mask, dropout_p, is_causal, scale: softmax(q k^T + mask) v; a row without
 * any key gives 0 */
val decompose_scaled_dot_product_attention(cursor *c, node *n) {
  node *q = widen(c, n->operands[0]), *k = widen(c, n->operands[1]), *v = widen(c, n->operands[2]),
       *mask = NULL;
  if (!q || !k || !v) return val_absent();
  node *scaled = attention_scale(c, n, q);
  node *s = build_matmul(c, V(scaled), V(transpose_of(c, k, rank_of(k) - 2, rank_of(k) - 1)));
  if (!s) return val_absent();
  if (bool_of(n->operands[5], false)) mask = causal_mask(c, s);
  else if (given(n->operands[3])) mask = n->operands[3].node;
  if (mask && mask->type->dtype == SCANC_BOOL)
    s = build_where(c, V(mask), V(s), val_float(-INFINITY));
  else if (mask) s = build_add(c, V(s), V(widen(c, V(mask))));
  node *p = CALL(c, "_safe_softmax.default", V(s), val_int(-1));
  return narrow(c, build_matmul(c, V(p), V(v)), n->type);
}
