/* The body of a scan node as statements over single elements. */
#include <string.h>

#include "ir/convert.h"
#include "ir/infer.h"
#include "loop/body.h"
#include "loop/op_cost.h"

enum { MAX_STATEMENTS = 4000, MAX_ELEMENTS = 1024, MAX_UNROLLED_COST = 1200 };

void body_refuse_(body *b, const node *at, const char *fmt, ...) {
  va_list ap;
  if (b->why->len) return;
  str_printf(b->why, "node %s: ", at->name);
  va_start(ap, fmt);
  str_vprintf(b->why, fmt, ap);
  va_end(ap);
}

/* ---- statements ---- */

int body_value(body *b, const char *name, scanc_dtype dtype, bool invariant, int input,
               int domain) {
  vec_push(b->mem, &b->names, name ? arena_strdup(b->mem, name) : NULL);
  vec_push(b->mem, &b->invariant, invariant);
  vec_push(b->mem, &b->dtypes, dtype);
  vec_push(b->mem, &b->input_of, input);
  vec_push(b->mem, &b->domain, domain);
  return b->names.len - 1;
}

/* A statement belongs to the inner loop of its operands, or to `domain`; those of two loops are a
 * matter of the caller (b->crossed). */
static int push_in(body *b, stmt s, int domain, const char *name) {
  bool invariant = s.fault < 0;
  for (int a = 0; a < s.n_args; a++) {
    int d = b->domain.data[s.arg[a]];
    invariant = invariant && b->invariant.data[s.arg[a]];
    if (d >= 0 && domain >= 0 && d != domain) b->crossed = true;
    if (d >= 0) domain = d;
  }
  s.value = body_value(b, name, s.dtype, invariant, -1, domain);
  vec_push(b->mem, &b->n->body, s);
  return s.value;
}

static int body_push(body *b, stmt s, const char *name) { return push_in(b, s, -1, name); }

int body_cast(body *b, int value, scanc_dtype to) {
  if (b->dtypes.data[value] == to) return value;
  return body_push(
      b, (stmt){.kind = ST_CAST, .dtype = to, .arg = {value}, .n_args = 1, .fault = -1}, NULL);
}

int body_const(body *b, val v, scanc_dtype to) {
  bool fraction = v.kind == VAL_FLOAT || v.kind == VAL_COMPLEX;
  number n = {.cls = fraction ? 'f' : 'i'};
  if (fraction) n.f = v.f;
  else n.i = v.i;
  char element[16]; /* converted as the interpreter converts numbers */
  number_store(n, to, element);
  n = number_load(to, element);
  return body_push(b, (stmt){.kind = ST_CONST, .dtype = to, .fault = -1, .i = n.i, .f = n.f}, NULL);
}

int body_op(body *b, op_id op, scanc_dtype compute, const int *args, const char *name) {
  const op_info *info = op_get(op);
  stmt s = {.kind = ST_OP, .op = op, .compute = compute, .n_args = info->n_operands, .fault = -1};
  s.dtype = info->promo == PROMO_COMPARE ? SCANC_BOOL : compute;
  memcpy(s.arg, args, sizeof *args * (size_t)s.n_args);
  return body_push(b, s, name);
}

int body_call(body *b, const host_fn *f, const int *args, const char *name) {
  stmt s = {.kind = ST_CALL, .dtype = f->result, .n_args = f->n_operands, .fault = -1, .host = f};
  memcpy(s.arg, args, sizeof *args * (size_t)s.n_args);
  return body_push(b, s, name);
}

bool val_is_number(val v) {
  return v.kind == VAL_INT || v.kind == VAL_FLOAT || v.kind == VAL_BOOL || v.kind == VAL_COMPLEX;
}

/* ---- grids ---- */

int grid_width(const grid *g) { return dtype_class(g->dtype) == 'c' ? 2 : 1; }

int grid_n_elements(const grid *g) {
  int n = 1;
  for (int d = 0; d < g->rank; d++) n *= g->ext[d];
  return n;
}

const int *grid_at(const grid *g, const int *index) {
  const int *p = g->v;
  for (int d = 0; d < g->rank; d++) p += index[d] * g->stride[d];
  return p;
}

const int *grid_broadcast_at(const grid *g, const grid *to, const int *index) {
  int place[SCANC_MAX_RANK];
  for (int d = 0; d < g->rank; d++) place[d] = g->ext[d] == 1 ? 0 : index[to->rank - g->rank + d];
  return grid_at(g, place);
}

bool grid_next(const grid *g, int *index) {
  for (int d = g->rank - 1; d >= 0; d--) {
    if (++index[d] < g->ext[d]) return true;
    index[d] = 0;
  }
  return false;
}

static void default_strides(grid *g) {
  int stride = grid_width(g);
  for (int d = g->rank - 1; d >= 0; d--) {
    g->stride[d] = stride;
    stride *= g->ext[d];
  }
}

bool body_grid(body *b, const node *n, int item, grid *out, int **ids) {
  const type *t = axes_type(n, item);
  if (!type_is_tensor(t)) return body_refuse(b, n, "not a tensor");
  *out = (grid){.dtype = t->dtype, .rank = t->n};
  int64_t count = 1;
  for (int d = 0; d < t->n; d++) {
    if (!axes_grid_extent(b, n, item, d, &out->ext[d])) return false;
    count *= out->ext[d];
    if (count > MAX_ELEMENTS)
      return body_refuse(b, n, "more than %d elements to keep in registers", MAX_ELEMENTS);
  }
  default_strides(out);
  out->v = *ids = ARENA_ARRAY(b->mem, int, (int)count *grid_width(out));
  return true;
}

void body_set(body *b, const node *n, const grid *g, int n_grids) {
  b->of[n->id] = (node_value){true, n_grids, arena_copy(b->mem, g, sizeof *g * (size_t)n_grids)};
}

bool body_grid_of(body *b, const node *at, val v, grid *out) {
  const node_value *x = v.kind == VAL_NODE ? &b->of[v.node->id] : NULL;
  if (!x || !x->known || x->n != 1)
    return body_refuse(b, at, "an operand is neither a value of the body nor a number");
  *out = x->g[0];
  return true;
}

bool body_operand(body *b, const node *at, int k, grid *out) {
  return body_grid_of(b, at, at->operands[k], out);
}

/* ---- elementwise nodes ---- */

static unsigned class_bit(scanc_dtype d) {
  switch (dtype_class(d)) {
    case 'f': return CLASS_F;
    case 'i': return CLASS_I;
    case 'b': return CLASS_B;
    default: return CLASS_C;
  }
}

/* Inference for the operands of `at`, whose types go to args. */
static bool inference(body *b, const node *at, const type **args, scanc_error *err, infer_ctx *c) {
  for (int k = 0; k < at->op->n_operands; k++) {
    args[k] = val_type(b->mod, at->operands[k]);
    if (!args[k]) return body_refuse(b, at, "an operand of unknown type");
  }
  *c = (infer_ctx){.mem = b->mem,
                   .syms = b->mod->syms,
                   .op = at->op,
                   .arg = args,
                   .lenient = true,
                   .mod = b->mod,
                   .err = err,
                   .loc = at->loc,
                   .what = at->name};
  return true;
}

static bool compute_dtypes(body *b, const node *at, scanc_dtype *compute, scanc_dtype *result) {
  const type *args[MAX_OPERANDS];
  scanc_error err = {0};
  infer_ctx c;
  SCANC_TRY(inference(b, at, args, &err, &c));
  return infer_elementwise(&c, compute, result) || body_refuse(b, at, "%s", err.message);
}

static void cross(body *b, int *domain, int inner) {
  if (*domain >= 0 && *domain != inner) b->crossed = true;
  *domain = inner;
}

/* Where a statement of `at` that can fail is computed: in the loops over all dimensions of its
 * result, the loop of an inner scan whose body it is in among them, so that it is not where one is
 * empty. */
static nest_fault place_fault(body *b, const node *at, int *domain) {
  nest_fault f = {.value = -1};
  *domain = b->loop;
  if (b->loops_nest) b->crossed = true;
  for (int d = 0; d < at->type->n; d++) {
    int part[SCANC_MAX_RANK], n = axes_factors(b, axes_dim(b, at, 0, d), part);
    for (int i = 0; i < n && axes_is_loop(b, at, 0, d); i++) {
      if (axes_class_moved(b, part[i]) || dim_is(axes_class_extent(b, part[i]), 1)) continue;
      int cls = axes_nest_class(b, part[i]), inner = b->inner_of.data[cls];
      if (inner >= 0) cross(b, domain, inner);
      else if (f.rank < SCANC_MAX_RANK) f.cls[f.rank++] = cls;
    }
  }
  return f;
}

static int push_failing(body *b, stmt s, const node *at) {
  int domain;
  nest_fault f = place_fault(b, at, &domain);
  f.value = push_in(b, s, domain, at->name);
  vec_push(b->mem, &b->n->fault_at, f);
  return f.value;
}

static int add_fault(body *b, const node *at) {
  fault_info f = {"integer division by zero", arena_strdup(b->mem, at->name), at->loc};
  f.loc.file = f.loc.file ? arena_strdup(b->mem, f.loc.file) : NULL;
  vec_push(b->mem, &b->n->faults, f);
  return b->n->faults.len - 1;
}

/* An elementwise node on its way. */
typedef struct {
  const node *at;
  scanc_dtype compute, acc, result; /* promoted, of the arithmetic, of the result */
  grid in[MAX_OPERANDS];            /* of operands that are nodes */
  int fault;
} ew;

static bool is_condition(const ew *e, int k) { return e->at->op->promo == PROMO_SELECT && k == 0; }

/* One element of w_from parts as one of dtype d. A complex number is true unless both parts are 0.
 */
static void convert_element(body *b, const int *from, int w_from, scanc_dtype d, int *to) {
  to[0] = body_cast(b, from[0], dtype_real(d));
  if (d == SCANC_BOOL && w_from == 2)
    to[0] = body_op(b, OP_bitwise_or, d, (int[]){to[0], body_cast(b, from[1], d)}, NULL);
  if (dtype_class(d) == 'c')
    to[1] = w_from == 2 ? body_cast(b, from[1], dtype_real(d))
                        : body_const(b, val_int(0), dtype_real(d));
}

/* Ids of operand k at an index of the result, in the type `to`. Tensors are first converted to the
 * promoted dtype, whose arithmetic is done in `to`; numbers go to `to` directly. Returns whether it
 * is a pair. */
static bool operand_at(body *b, const ew *e, int k, const grid *r, const int *index, int *out) {
  val v = e->at->operands[k];
  bool complex = dtype_class(e->acc) == 'c' && !is_condition(e, k);
  scanc_dtype to = is_condition(e, k) ? SCANC_BOOL : dtype_real(e->acc),
              via = is_condition(e, k) ? SCANC_BOOL : dtype_real(e->compute);
  if (val_is_number(v)) {
    out[0] = body_const(b, v, to);
    if (complex) out[1] = body_const(b, val_float(v.kind == VAL_COMPLEX ? v.im : 0), to);
    return complex;
  }
  const grid *g = &e->in[k];
  const int *id = grid_broadcast_at(g, r, index);
  if (grid_width(g) == 2 && !complex) { /* an operand with `$` */
    int value;
    convert_element(b, id, 2, via, &value);
    out[0] = body_cast(b, value, to);
    return false;
  }
  for (int w = 0; w < grid_width(g); w++) {
    int value = type_is_tensor(v.node->type) ? body_cast(b, id[w], via) : id[w];
    out[w] = body_cast(b, value, to);
  }
  if (complex && grid_width(g) == 1) out[1] = body_const(b, val_int(0), to);
  return complex;
}

/* 1 in a branch that is not taken. */
static int safe_divisor(body *b, int divisor, scanc_dtype d) {
  return body_op(b, OP_where, d, (int[]){b->taken, divisor, body_const(b, val_int(1), d)}, NULL);
}

static void element(body *b, ew *e, const grid *r, const int *index, int *out) {
  const op_info *op = e->at->op;
  int args[MAX_OPERANDS][2];
  bool pair[MAX_OPERANDS];
  for (int k = 0; k < op->n_operands; k++) pair[k] = operand_at(b, e, k, r, index, args[k]);
  if (dtype_class(e->acc) == 'c') {
    complex_op(b, op->id, dtype_real(e->acc), args, pair, op->n_operands, out);
  } else {
    stmt s = {.kind = ST_OP,
              .op = op->id,
              .compute = e->acc,
              .n_args = op->n_operands,
              .fault = e->fault};
    for (int k = 0; k < s.n_args; k++) s.arg[k] = args[k][0];
    if (e->fault >= 0 && b->taken >= 0) s.arg[1] = safe_divisor(b, s.arg[1], e->acc);
    s.dtype = op->promo == PROMO_COMPARE ? SCANC_BOOL : e->acc;
    out[0] = s.fault < 0 ? body_push(b, s, e->at->name) : push_failing(b, s, e->at);
  }
  for (int w = 0; w < grid_width(r); w++) out[w] = body_cast(b, out[w], dtype_real(r->dtype));
}

/* Whether the row has a compiled form for the types of its operands, which are found here. */
static bool choose_form(body *b, ew *e) {
  const op_info *op = e->at->op;
  SCANC_TRY(compute_dtypes(b, e->at, &e->compute, &e->result));
  e->acc = dtype_acc(e->compute);
  return (op->classes & class_bit(e->acc)) ||
         body_refuse(b, e->at, "%s has no compiled form for %s", op->name,
                     scanc_dtype_name(e->compute));
}

static bool open_elementwise(body *b, ew *e) {
  const op_info *op = e->at->op;
  SCANC_TRY(choose_form(b, e));
  bool complex = dtype_class(e->acc) == 'c';
  for (int k = 0; k < op->n_operands; k++) {
    val v = e->at->operands[k];
    if (val_is_number(v) && (v.kind != VAL_COMPLEX || complex)) continue;
    if (!body_operand(b, e->at, k, &e->in[k])) return false;
  }
  bool fails = (op->traits & T_DATA) && dtype_class(e->acc) == 'i' && node_may_fail(e->at);
  e->fault = fails ? add_fault(b, e->at) : -1;
  return true;
}

bool body_unroll(body *b, const node *at, int64_t cost) {
  b->unrolled += cost;
  return b->unrolled <= MAX_UNROLLED_COST ||
         body_refuse(b, at, "the body is too large to be unrolled");
}

/* A cost per element, of which the first is not counted. */
static bool count_unrolled(body *b, const node *at, const grid *r, int cost) {
  return body_unroll(b, at, grid_n_elements(r) > 1 ? (int64_t)(grid_n_elements(r) - 1) * cost : 0);
}

static bool build_elementwise(body *b, const node *at) {
  ew e = {.at = at};
  grid r;
  int *ids, index[SCANC_MAX_RANK] = {0};
  SCANC_TRY(open_elementwise(b, &e) && body_grid(b, at, 0, &r, &ids));
  if (grid_n_elements(&r)) do
      element(b, &e, &r, index, ids + (grid_at(&r, index) - r.v));
    while (grid_next(&r, index));
  body_set(b, at, &r, 1);
  return count_unrolled(b, at, &r, op_cost(at->op->id, e.acc));
}

/* ---- host ops ---- */

static int host_operand(body *b, const node *at, int k, const grid *in, const grid *r,
                        const int *index, scanc_dtype to) {
  val v = at->operands[k];
  return val_is_number(v) ? body_const(b, v, to)
                          : body_cast(b, *grid_broadcast_at(in, r, index), to);
}

static bool build_host_call(body *b, const node *at) {
  const type *types[MAX_OPERANDS];
  scanc_error err = {0};
  infer_ctx c;
  grid r, in[HOST_MAX_OPERANDS];
  int *ids, index[SCANC_MAX_RANK] = {0}, args[HOST_MAX_OPERANDS];
  SCANC_TRY(inference(b, at, types, &err, &c));
  const host_fn *f = infer_host_fn(&c);
  if (!f) return body_refuse(b, at, "%s", err.message);
  for (int k = 0; k < f->n_operands; k++)
    if (!val_is_number(at->operands[k])) SCANC_TRY(body_operand(b, at, k, &in[k]));
  SCANC_TRY(body_grid(b, at, 0, &r, &ids));
  if (grid_n_elements(&r)) do {
      for (int k = 0; k < f->n_operands; k++)
        args[k] = host_operand(b, at, k, &in[k], &r, index, f->operand[k]);
      ids[grid_at(&r, index) - r.v] = body_call(b, f, args, at->name);
    } while (grid_next(&r, index));
  body_set(b, at, &r, 1);
  return count_unrolled(b, at, &r, OP_COST_CALL);
}

/* ---- copies, conversions, constants ---- */

/* The identity on elements, but for the dtype of the result. */
static bool is_conversion(const op_info *op) {
  static const op_id ids[] = {OP_to, OP_clone, OP_alias, OP_expand, OP_expand_as};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
    if (op->id == ids[i]) return true;
  return false;
}

/* The same elements, converted and broadcast. */
static bool build_conversion(body *b, const node *at) {
  grid g, r;
  int *ids, index[SCANC_MAX_RANK] = {0};
  SCANC_TRY(body_operand(b, at, 0, &g) && body_grid(b, at, 0, &r, &ids));
  if (!grid_n_elements(&r)) return body_set(b, at, &r, 1), true;
  do {
    const int *from = grid_broadcast_at(&g, &r, index);
    int *to = ids + (grid_at(&r, index) - r.v);
    convert_element(b, from, grid_width(&g), r.dtype, to);
  } while (grid_next(&r, index));
  body_set(b, at, &r, 1);
  return true;
}

/* The number that a constant tensor is filled with; false: not such an op, or not a number. */
static bool fill_value(const node *at, val *out) {
  static const struct {
    const char *op, *operand;
    int64_t value;
  } rows[] = {{"full", "fill_value", 0}, {"full_like", "fill_value", 0},
              {"scalar_tensor", "s", 0}, {"zeros", NULL, 0},
              {"zeros_like", NULL, 0},   {"ones", NULL, 1},
              {"ones_like", NULL, 1},    {"new_zeros", NULL, 0},
              {"new_ones", NULL, 1},     {"new_full", "fill_value", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(at->op->name, rows[i].op) != 0) continue;
    *out = val_int(rows[i].value);
    if (!rows[i].operand) return true;
    int k = op_operand_index(at->op, rows[i].operand, strlen(rows[i].operand));
    if (k < 0) return false;
    *out = at->operands[k];
    return val_is_number(*out);
  }
  return false;
}

bool body_is_fill(const node *at) {
  val fill;
  return at->op && fill_value(at, &fill);
}

bool body_is_elementwise(const node *at) {
  val fill;
  if (at->type && at->type->kind == TYPE_INT) return true;
  return at->op->kind == OPK_EW || at->op->id == OP_host_call || is_conversion(at->op) ||
         fill_value(at, &fill);
}

static bool is_element_operand(val v) {
  if (v.kind != VAL_NODE) return val_is_number(v);
  const type *t = v.node->type;
  return type_is_tensor(t) || (t && type_is_scalar(t) && t->kind != TYPE_COMPLEX);
}

bool body_accepts(module *m, const node *at) {
  val fill;
  bool host = at->op->id == OP_host_call;
  if (at->type->kind == TYPE_INT || (at->op->kind != OPK_EW && !host))
    return is_conversion(at->op) || fill_value(at, &fill);
  for (int k = 0; k < at->op->n_operands; k++)
    if (!is_element_operand(at->operands[k])) return false;
  if (host) return true; /* inference has found its function */
  arena *tmp = arena_new();
  str why = {0};
  body b = {.mem = tmp, .mod = m, .why = &why};
  ew e = {.at = at};
  bool ok = choose_form(&b, &e);
  str_free(&why);
  arena_free(tmp);
  return ok;
}

static bool build_fill(body *b, const node *at, val v) {
  grid r;
  int *ids;
  SCANC_TRY(body_grid(b, at, 0, &r, &ids));
  scanc_dtype d = dtype_real(r.dtype);
  int re = body_const(b, v, d),
      im = grid_width(&r) == 2 ? body_const(b, val_float(v.kind == VAL_COMPLEX ? v.im : 0), d) : re;
  for (int i = 0; i < grid_n_elements(&r) * grid_width(&r); i++)
    ids[i] = i % grid_width(&r) ? im : re;
  body_set(b, at, &r, 1);
  return true;
}

/* ---- nodes ---- */

const view_rule *body_rule_of(op_id op) {
  const view_rule *(*const tables[])(op_id) = {view_rule_of, flow_rule_of, reduce_rule_of,
                                               matmul_rule_of, sort_rule_of};
  const view_rule *r = NULL;
  for (size_t i = 0; i < sizeof tables / sizeof *tables && !r; i++) r = tables[i](op);
  return r;
}

static bool build_call(body *b, const node *at) {
  val fill;
  const view_rule *rule = body_rule_of(at->op->id);
  if (rule) return rule->grid(b, at);
  if (at->op->kind == OPK_EW) return build_elementwise(b, at);
  if (at->op->id == OP_host_call) return build_host_call(b, at);
  if (is_conversion(at->op)) return build_conversion(b, at);
  if (fill_value(at, &fill)) return build_fill(b, at, fill);
  return body_refuse(b, at, "%s is not elementwise", at->op->name);
}

static bool build_node(body *b, const node *at) {
  if (at->kind == NODE_GET_ATTR && !type_is_tensor(at->type))
    return true; /* what uses the graph names it */
  if (at->kind != NODE_CALL_FUNCTION && at->kind != NODE_CALL_METHOD)
    return body_refuse(b, at, "not a computation on elements");
  if (!at->op) return body_refuse(b, at, "unknown operation %s", at->path);
  if (at->type && at->type->kind == TYPE_INT) return body_integer(b, at);
  if (!build_call(b, at)) return false;
  if (b->crossed) return body_refuse(b, at, "values along two inner scans meet");
  return b->n->body.len <= MAX_STATEMENTS ||
         body_refuse(b, at, "the body is too large to be unrolled");
}

bool body_nodes(body *b, const graph *g) {
  for (const node *p = g->first; p; p = p->next)
    if (p->kind != NODE_PLACEHOLDER && p->kind != NODE_OUTPUT) SCANC_TRY(build_node(b, p));
  return true;
}

/* ---- the whole ---- */

static int seq_len(val v) { return val_is_seq(v) ? v.n : 0; }

static bool count_operands(body *b, const node *scan, const graph *g) {
  scan_nest *n = b->n;
  n->fold = scan->op->id == OP_associative_scan;
  n->timeless = scan->op->id == OP_invoke_subgraph;
  n->order = scan->order;
  n->n_carry = n->fold || n->timeless ? 0 : seq_len(scan->operands[1]);
  n->n_x = n->timeless ? 0 : seq_len(scan->operands[n->fold ? 1 : 2]);
  n->n_extra = seq_len(scan->operands[n->timeless ? 1 : n->fold ? 2 : 3]);
  n->n_leaf = n->n_carry + n->n_x + n->n_extra;
  n->n_y = graph_n_results(g) - n->n_carry;
  if (graph_n_placeholders(g) != n->n_leaf + (n->fold ? n->n_x : 0) || n->n_y < 0 ||
      (n->fold && n->n_y != n->n_x))
    return body_refuse(b, scan, "the body does not fit the number of operands");
  n->n_operand = n->n_leaf + n->n_carry + n->n_y + (n->fold ? 2 * n->n_x : 0);
  n->operand = ARENA_ARRAY(b->mem, nest_operand, n->n_operand);
  return true;
}

/* Carries and results, left and right elements run together. */
static void unite_state(body *b, const graph *g) {
  const scan_nest *n = b->n;
  for (int i = 0; i < (n->fold ? n->n_x : n->n_carry); i++) {
    val v = graph_result(g, i);
    const node *p = graph_placeholder(g, i);
    if (v.kind == VAL_NODE) axes_align(b, p, 0, v.node, 0);
    if (n->fold) axes_align(b, p, 0, graph_placeholder(g, n->n_x + i), 0);
  }
}

/* A carry stays in registers if it can, so an inner scan along one of its dimensions is unrolled
 * where that is short. */
static void separate_carries(body *b, const graph *g) {
  for (int i = 0; i < (b->n->fold ? b->n->n_x : b->n->n_carry); i++) {
    const node *p = graph_placeholder(g, i);
    for (int d = 0; type_is_tensor(p->type) && d < p->type->n; d++)
      if (axes_is_inner(b, p, 0, d) && (b->n->fold || !axes_is_long(b, axes_dim(b, p, 0, d))))
        axes_move(b, axes_dim(b, p, 0, d), "an inner scan along a carry");
  }
}

bool body_build(body *b, const node *scan) {
  if (nest_is_cumulative(scan)) return cumulative_build(b, scan);
  const graph *g = val_graph(scan->operands[0]);
  if (!g) return body_refuse(b, scan, "no body");
  SCANC_TRY(count_operands(b, scan, g) && axes_walk(b, g));
  unite_state(b, g);
  axes_separate(b);
  separate_carries(b, g);
  return body_bind(b, scan, g) && body_nodes(b, g) && body_results(b, scan, g) &&
         nest_split(b, scan) && nest_pays(b, scan);
}
