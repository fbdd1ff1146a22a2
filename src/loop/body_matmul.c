/* Products of small matrices: every element is the sum over k in rising order, product and sum
 * rounded one by one, as in the interpreter (runtime/gemm.h). */
#include "loop/body.h"

static const node *operand(const node *at, int k) {
  return at->operands[k].kind == VAL_NODE ? at->operands[k].node : NULL;
}

/* Where the dimensions of the operands are in the result: those of batches come first. */
typedef struct {
  const node *a, *b; /* [..., m, k] or [k]; [..., k, n] or [k] */
  int a_rank, b_rank, rank;
  int a_k, b_k;     /* contracted dimensions */
  int a_m, b_n;     /* -1: none */
  int out_m, out_n; /* in the result */
} shape;

static int n_batch(const shape *s) { return s->rank - (s->a_m >= 0) - (s->b_n >= 0); }

/* The batch dimension of an operand that batch dimension i of the result runs over, -1. */
static int batch_dim(const shape *s, int rank, int i) {
  int d = i - n_batch(s) + (rank > 2 ? rank - 2 : 0);
  return rank > 2 ? d : -1;
}

static bool shape_of(body *b, const node *at, shape *s) {
  *s = (shape){operand(at, 0), operand(at, 1), .a_m = -1, .b_n = -1};
  if (!s->a || !s->b || !type_is_tensor(s->a->type) || !type_is_tensor(s->b->type) ||
      !type_is_tensor(at->type))
    return body_refuse(b, at, "%s of what is not a tensor", at->op->name);
  s->a_rank = s->a->type->n, s->b_rank = s->b->type->n, s->rank = at->type->n;
  s->a_k = s->a_rank - 1;
  s->b_k = s->b_rank > 1 ? s->b_rank - 2 : 0;
  if (s->a_rank > 1) s->a_m = s->a_rank - 2;
  if (s->b_rank > 1) s->b_n = s->b_rank - 1;
  s->out_n = s->rank - 1;
  s->out_m = s->rank - 1 - (s->b_n >= 0);
  return true;
}

static bool product_axes(body *b, const node *at) {
  shape s;
  SCANC_TRY(shape_of(b, at, &s));
  axes_unite(b, axes_dim(b, s.a, 0, s.a_k), axes_dim(b, s.b, 0, s.b_k));
  if (!dim_is(s.a->type->dims[s.a_k], 1)) axes_move(b, axes_dim(b, s.a, 0, s.a_k), at->op->name);
  if (s.a_m >= 0) axes_follow(b, at, 0, s.out_m, s.a, s.a_m);
  if (s.b_n >= 0) axes_follow(b, at, 0, s.out_n, s.b, s.b_n);
  for (int i = 0; i < n_batch(&s); i++) {
    int p = batch_dim(&s, s.a_rank, i), q = batch_dim(&s, s.b_rank, i);
    if (p >= 0) axes_follow(b, at, 0, i, s.a, p);
    if (q >= 0) axes_follow(b, at, 0, i, s.b, q);
  }
  return true;
}

/* ---- one element ---- */

typedef struct {
  body *b;
  shape s;
  grid a, c;       /* the operands */
  scanc_dtype acc; /* real */
  bool complex;
} dot;

static int op2(const dot *x, op_id op, int p, int q) {
  return body_op(x->b, op, x->acc, (int[]){p, q}, NULL);
}

/* The element of an operand at index `at` (of its dimensions) in the type of computation. */
static void load(const dot *x, const grid *g, const int *at, int *out) {
  int place[SCANC_MAX_RANK];
  for (int d = 0; d < g->rank; d++) place[d] = g->ext[d] == 1 ? 0 : at[d];
  const int *id = grid_at(g, place);
  for (int w = 0; w < grid_width(g); w++) out[w] = body_cast(x->b, id[w], x->acc);
}

static void add_product(const dot *x, const int *p, const int *q, int *sum) {
  int re = op2(x, OP_mul, p[0], q[0]);
  if (x->complex) {
    re = op2(x, OP_sub, re, op2(x, OP_mul, p[1], q[1]));
    int im = op2(x, OP_mul, p[0], q[1]), right = op2(x, OP_mul, p[1], q[0]);
    im = op2(x, OP_add, im, right);
    sum[1] = op2(x, OP_add, sum[1], im);
  }
  sum[0] = op2(x, OP_add, sum[0], re);
}

static void sum_products(const dot *x, const int *index, int *sum) {
  int at[SCANC_MAX_RANK] = {0}, ct[SCANC_MAX_RANK] = {0}, p[2] = {0}, q[2] = {0};
  const shape *s = &x->s;
  for (int i = 0; i < n_batch(s); i++) {
    if (batch_dim(s, s->a_rank, i) >= 0) at[batch_dim(s, s->a_rank, i)] = index[i];
    if (batch_dim(s, s->b_rank, i) >= 0) ct[batch_dim(s, s->b_rank, i)] = index[i];
  }
  if (s->a_m >= 0) at[s->a_m] = index[s->out_m];
  if (s->b_n >= 0) ct[s->b_n] = index[s->out_n];
  sum[0] = sum[1] = body_const(x->b, val_int(0), x->acc);
  for (int k = 0; k < x->a.ext[s->a_k]; k++) {
    at[s->a_k] = ct[s->b_k] = k;
    load(x, &x->a, at, p);
    load(x, &x->c, ct, q);
    add_product(x, p, q, sum);
  }
}

static bool product_grid(body *b, const node *at) {
  dot x = {.b = b};
  grid out;
  int *ids, index[SCANC_MAX_RANK] = {0}, sum[2] = {0};
  if (!shape_of(b, at, &x.s) || !body_operand(b, at, 0, &x.a) || !body_operand(b, at, 1, &x.c) ||
      !body_grid(b, at, 0, &out, &ids))
    return false;
  x.complex = grid_width(&out) == 2;
  x.acc = dtype_real(dtype_fold(out.dtype));
  if (grid_width(&x.a) != grid_width(&out) || grid_width(&x.c) != grid_width(&out))
    return body_refuse(b, at, "%s of real and complex numbers", at->op->name);
  int64_t products = (int64_t)grid_n_elements(&out) * x.a.ext[x.s.a_k];
  if (!body_unroll(b, at, products * (x.complex ? 8 : 2))) return false;
  if (grid_n_elements(&out)) do {
      sum_products(&x, index, sum);
      int *to = ids + (grid_at(&out, index) - out.v);
      for (int w = 0; w < grid_width(&out); w++)
        to[w] = body_cast(b, sum[w], dtype_real(out.dtype));
    } while (grid_next(&out, index));
  return body_set(b, at, &out, 1), true;
}

const view_rule *matmul_rule_of(op_id op) {
  static const view_rule rules[] = {{OP_mm, product_axes, product_grid},
                                    {OP_bmm, product_axes, product_grid},
                                    {OP_mv, product_axes, product_grid},
                                    {OP_dot, product_axes, product_grid},
                                    {OP_matmul, product_axes, product_grid}};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (rules[i].op == op) return &rules[i];
  return NULL;
}
