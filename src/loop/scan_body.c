/* nest_build: the body of a scan node as statements over its iteration space. */
#include <inttypes.h>
#include <string.h>

#include "ir/infer.h"
#include "loop/op_cost.h"
#include "loop/scan_nest.h"

typedef struct {
  scan_nest *n;
  arena *mem;
  module *mod;
  const graph *body;
  int *value_of; /* per node id: value id, -1 */
  VEC(const char *) names;
  VEC(bool) invariant;
  VEC(scanc_dtype) dtypes;
  dim extent[SCANC_MAX_RANK]; /* aligned at the right: index 0 is the innermost axis */
  bool extent_set[SCANC_MAX_RANK];
  str *why;
} builder;

static bool refuse(builder *b, const node *at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static bool refuse(builder *b, const node *at, const char *fmt, ...) {
  va_list ap;
  str_printf(b->why, "node %s: ", at->name);
  va_start(ap, fmt);
  str_vprintf(b->why, fmt, ap);
  va_end(ap);
  return false;
}

static bool dtype_supported(scanc_dtype d) { return dtype_class(d) != 'c'; }

/* ---- the iteration space ---- */

static void print_size_clash(str *out, dim a, dim b) {
  str_append(out, "sizes ");
  dim_print(out, a);
  str_append(out, " and ");
  dim_print(out, b);
  str_append(out, " on one axis: independent parts of different sizes are not supported yet");
}

/* Every value's sizes must be those of the space, or a literal 1. */
static bool join_space(builder *b, const node *at, const dim *dims, int rank) {
  if (rank > b->n->rank) b->n->rank = rank;
  for (int i = 0; i < rank; i++) {
    dim d = dims[rank - 1 - i];
    if (dim_is(d, 1)) continue;
    if (b->extent_set[i] && !dim_equal(b->extent[i], d)) {
      str clash = {0};
      print_size_clash(&clash, b->extent[i], d);
      refuse(b, at, "%s", str_cstr(&clash));
      str_free(&clash);
      return false;
    }
    b->extent[i] = d;
    b->extent_set[i] = true;
  }
  return true;
}

/* After the statements: a body that is not elementwise has been refused for that. */
static bool build_space(builder *b) {
  for (node *p = b->body->first; p; p = p->next)
    if (p->kind != NODE_OUTPUT && type_is_tensor(p->type)) SCANC_TRY(join_space(b, p, p->type->dims, p->type->n));
  for (int a = 0; a < b->n->rank; a++) {
    int i = b->n->rank - 1 - a;
    b->n->extent[a] = !b->extent_set[i] ? 1 : dim_is_int(b->extent[i]) ? b->extent[i].k : 0;
  }
  return true;
}

static bool check_tensor(builder *b, const node *at) {
  if (!type_is_tensor(at->type)) return refuse(b, at, "not a tensor");
  return dtype_supported(at->type->dtype) || refuse(b, at, "%s has no compiled form yet", scanc_dtype_name(at->type->dtype));
}

/* ---- values ---- */

static int new_value(builder *b, const char *name, scanc_dtype dtype, bool invariant) {
  vec_push(b->mem, &b->names, name ? arena_strdup(b->mem, name) : NULL);
  vec_push(b->mem, &b->invariant, invariant);
  vec_push(b->mem, &b->dtypes, dtype);
  return b->names.len - 1;
}

static int push(builder *b, stmt s, const char *name) {
  bool invariant = s.fault < 0;
  for (int a = 0; a < s.n_args; a++) invariant = invariant && b->invariant.data[s.arg[a]];
  s.value = new_value(b, name, s.dtype, invariant);
  vec_push(b->mem, &b->n->body, s);
  return s.value;
}

static int push_cast(builder *b, int value, scanc_dtype to, const char *name) {
  if (b->dtypes.data[value] == to) return value;
  return push(b, (stmt){.kind = ST_CAST, .dtype = to, .arg = {value}, .n_args = 1, .fault = -1}, name);
}

static int push_const(builder *b, val v, scanc_dtype to) {
  stmt s = {.kind = ST_CONST, .dtype = to, .fault = -1};
  double f = v.kind == VAL_FLOAT ? v.f : (double)v.i;
  s.f = f;
  s.i = v.kind == VAL_FLOAT ? (int64_t)f : v.i;
  if (to == SCANC_BOOL) s.i = v.kind == VAL_FLOAT ? f != 0 : v.i != 0;
  return push(b, s, NULL);
}

static bool val_is_number(val v) { return v.kind == VAL_INT || v.kind == VAL_FLOAT || v.kind == VAL_BOOL; }

/* Operand k of an elementwise op in type `to`. Tensors are first converted to the promoted dtype `compute`, whose
 * arithmetic is done in `to`; numbers go to `to` directly (design.md 3.4). */
static bool operand(builder *b, const node *at, int k, scanc_dtype compute, scanc_dtype to, int *out) {
  val v = at->operands[k];
  if (val_is_number(v)) {
    *out = push_const(b, v, to);
    return true;
  }
  if (v.kind != VAL_NODE || b->value_of[v.node->id] < 0)
    return refuse(b, at, "operand '%s' is neither a value of the body nor a number", op_operand_name(at->op, k));
  int value = b->value_of[v.node->id];
  if (type_is_tensor(v.node->type)) value = push_cast(b, value, compute, NULL);
  *out = push_cast(b, value, to, NULL);
  return true;
}

/* ---- nodes ---- */

static unsigned class_bit(scanc_dtype d) {
  switch (dtype_class(d)) {
  case 'f': return CLASS_F;
  case 'i': return CLASS_I;
  case 'b': return CLASS_B;
  default: return CLASS_C;
  }
}

static bool compute_dtypes(builder *b, const node *at, scanc_dtype *compute, scanc_dtype *result) {
  const type *args[MAX_OPERANDS];
  scanc_error err = {0};
  for (int k = 0; k < at->op->n_operands; k++) {
    args[k] = val_type(b->mod, at->operands[k]);
    if (!args[k]) return refuse(b, at, "an operand of unknown type");
  }
  infer_ctx c = {.mem = b->mem, .syms = b->mod->syms, .op = at->op, .arg = args, .lenient = true, .mod = b->mod, .err = &err,
                 .loc = at->loc, .what = at->name};
  return infer_elementwise(&c, compute, result) || refuse(b, at, "%s", err.message);
}

static int add_fault(builder *b, const node *at) {
  fault_info f = {"integer division by zero", arena_strdup(b->mem, at->name), at->loc};
  f.loc.file = f.loc.file ? arena_strdup(b->mem, f.loc.file) : NULL;
  vec_push(b->mem, &b->n->faults, f);
  return b->n->faults.len - 1;
}

static bool build_elementwise(builder *b, const node *at, int *out) {
  scanc_dtype compute, result;
  SCANC_TRY(compute_dtypes(b, at, &compute, &result));
  const op_info *op = at->op;
  scanc_dtype acc = dtype_acc(compute);
  if (!dtype_supported(acc) || !(op->classes & class_bit(acc)))
    return refuse(b, at, "%s has no compiled form for %s", op->name, scanc_dtype_name(compute));
  if (op_cost(op->id, acc) >= OP_COST_NONE) return refuse(b, at, "%s has no compiled form yet", op->name);
  stmt s = {.kind = ST_OP, .op = op->id, .compute = acc, .n_args = op->n_operands, .fault = -1};
  for (int k = 0; k < op->n_operands; k++) {
    bool condition = op->promo == PROMO_SELECT && k == 0;
    SCANC_TRY(operand(b, at, k, condition ? SCANC_BOOL : compute, condition ? SCANC_BOOL : acc, &s.arg[k]));
  }
  s.dtype = op->promo == PROMO_COMPARE ? SCANC_BOOL : acc;
  if ((op->traits & T_DATA) && dtype_class(acc) == 'i') s.fault = add_fault(b, at);
  *out = push_cast(b, push(b, s, at->name), result, NULL);
  return true;
}

/* Ops that are the identity on elements, but for the dtype of the result. Expanding aligns sizes at the right, so it is
 * what every value of the iteration space does anyway. */
static bool is_conversion(const op_info *op) {
  static const char *const names[] = {"to",     "clone",      "alias",  "detach",
                                      "expand", "contiguous", "expand_as", "lift_fresh"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(op->name, names[i])) return true;
  return false;
}

/* The number that a constant tensor is filled with; false: not such an op, or not a number. */
static bool fill_value(const node *at, val *out) {
  static const struct {
    const char *op, *operand;
    int64_t value;
  } rows[] = {{"full", "fill_value", 0},      {"full_like", "fill_value", 0}, {"scalar_tensor", "s", 0}, {"zeros", NULL, 0},
              {"zeros_like", NULL, 0},        {"ones", NULL, 1},              {"ones_like", NULL, 1},    {"new_zeros", NULL, 0},
              {"new_ones", NULL, 1},          {"new_full", "fill_value", 0}};
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

static bool is_elementwise(const node *at) {
  val fill;
  return at->op->kind == OPK_EW || is_conversion(at->op) || fill_value(at, &fill);
}

static bool build_node(builder *b, const node *at) {
  val fill;
  int *out = &b->value_of[at->id];
  if (at->kind == NODE_GET_ATTR && !type_is_tensor(at->type)) return true; /* what uses the graph is refused */
  if (at->kind != NODE_CALL_FUNCTION && at->kind != NODE_CALL_METHOD) return refuse(b, at, "not a computation on elements");
  if (!at->op) return refuse(b, at, "unknown operation %s", at->path);
  if (!is_elementwise(at)) return refuse(b, at, "%s is not elementwise", at->op->name);
  SCANC_TRY(check_tensor(b, at));
  if (at->op->kind == OPK_EW) return build_elementwise(b, at, out);
  if (fill_value(at, &fill)) {
    *out = push_const(b, fill, at->type->dtype);
    return true;
  }
  return operand(b, at, 0, at->type->dtype, at->type->dtype, out);
}

/* ---- leaves ---- */

static int seq_len(val v) { return val_is_seq(v) ? v.n : 0; }

/* Leaf i of the scan as the body sees it. A number becomes a 0-d i64, f64 or bool. */
static bool build_leaf(builder *b, const node *p) {
  const type *t = p->type;
  if (!t) return refuse(b, p, "unknown type");
  scanc_dtype d;
  if (type_is_tensor(t)) {
    SCANC_TRY(check_tensor(b, p));
    d = t->dtype;
  } else if (type_is_scalar(t) && t->kind != TYPE_COMPLEX) {
    d = t->kind == TYPE_INT ? SCANC_I64 : t->kind == TYPE_BOOL ? SCANC_BOOL : SCANC_F64;
  } else {
    return refuse(b, p, "a parameter of the body that is neither a tensor nor a number");
  }
  int i = b->names.len;
  b->value_of[p->id] = new_value(b, p->name, d, i >= b->n->n_carry + b->n->n_x);
  b->n->operand[i] = (nest_operand){.name = arena_strdup(b->mem, p->name), .dtype = d, .time_axis = -1, .time_step = 1};
  return true;
}

static void map_dims(const scan_nest *n, nest_operand *o, const type *t) {
  int rank = type_is_tensor(t) ? t->n : 0;
  o->rank = rank + (o->time_axis >= 0);
  for (int a = 0; a < n->rank; a++) {
    int d = a - (n->rank - rank);
    o->dim_of[a] = -1;
    if (d < 0 || dim_is(t->dims[d], 1)) continue;
    o->dim_of[a] = o->time_axis >= 0 && d >= o->time_axis ? d + 1 : d;
  }
}

/* ---- the whole ---- */

static bool count_leaves(builder *b, const node *scan) {
  scan_nest *n = b->n;
  n->n_carry = seq_len(scan->operands[1]);
  n->n_x = seq_len(scan->operands[2]);
  n->n_extra = seq_len(scan->operands[3]);
  n->n_leaf = n->n_carry + n->n_x + n->n_extra;
  n->n_y = graph_n_results(b->body) - n->n_carry;
  if (graph_n_placeholders(b->body) != n->n_leaf || n->n_y < 0)
    return refuse(b, scan, "the body does not fit the number of operands");
  n->n_operand = n->n_leaf + n->n_carry + n->n_y;
  n->operand = ARENA_ARRAY(b->mem, nest_operand, n->n_operand);
  n->result = ARENA_ARRAY(b->mem, int, n->n_carry + n->n_y);
  return true;
}

static bool build_statements(builder *b) {
  for (node *p = b->body->first; p; p = p->next) {
    if (p->kind == NODE_PLACEHOLDER) SCANC_TRY(build_leaf(b, p));
    else if (p->kind != NODE_OUTPUT) SCANC_TRY(build_node(b, p));
  }
  return true;
}

static bool build_results(builder *b, const node *scan) {
  scan_nest *n = b->n;
  for (int i = 0; i < n->n_carry + n->n_y; i++) {
    val v = graph_result(b->body, i);
    if (v.kind != VAL_NODE || !type_is_tensor(v.node->type))
      return refuse(b, scan, "result %d of the body is not a tensor", i);
    int value = b->value_of[v.node->id];
    scanc_dtype d = b->dtypes.data[value];
    if (i < n->n_carry && d != n->operand[i].dtype) return refuse(b, scan, "carry %d changes its element type", i);
    n->result[i] = value;
    n->operand[n->n_leaf + i] =
        (nest_operand){.name = arena_printf(b->mem, i < n->n_carry ? "last%d" : "y%d", i < n->n_carry ? i : i - n->n_carry),
                       .dtype = d, .time_axis = -1, .time_step = 1, .used = true};
  }
  return true;
}

static void place_operands(builder *b, const node *scan) {
  scan_nest *n = b->n;
  const scan_attrs *attrs = scan->scan;
  for (int i = 0; i < n->n_x; i++) {
    nest_operand *o = &n->operand[n->n_carry + i];
    o->time_axis = attrs ? attrs->x[i].axis : 0;
    o->time_step = attrs ? attrs->x[i].step : 1;
  }
  for (int i = 0; i < n->n_y; i++) {
    nest_operand *o = &n->operand[n->n_leaf + n->n_carry + i];
    o->time_axis = attrs ? attrs->y[i].axis : 0;
    o->time_step = attrs ? attrs->y[i].step : 1;
  }
  for (int i = 0; i < n->n_leaf; i++) map_dims(n, &n->operand[i], graph_placeholder(b->body, i)->type);
  for (int i = 0; i < n->n_carry + n->n_y; i++)
    map_dims(n, &n->operand[n->n_leaf + i], graph_result(b->body, i).node->type);
}

static void mark_used(scan_nest *n) {
  for (int i = 0; i < n->n_carry; i++) n->operand[i].used = true;
  for (int s = 0; s < n->body.len; s++)
    for (int a = 0; a < n->body.data[s].n_args; a++)
      if (n->body.data[s].arg[a] < n->n_leaf) n->operand[n->body.data[s].arg[a]].used = true;
  for (int i = 0; i < n->n_carry + n->n_y; i++)
    if (n->result[i] < n->n_leaf) n->operand[n->result[i]].used = true;
}

scan_nest *nest_build(arena *mem, const node *scan, str *why_not) {
  scan_nest *n = ARENA_NEW(mem, scan_nest);
  builder b = {.n = n, .mem = mem, .mod = scan->owner->mod, .body = val_graph(scan->operands[0]), .why = why_not};
  n->name = arena_strdup(mem, scan->name);
  if (!b.body) {
    refuse(&b, scan, "no body");
    return NULL;
  }
  b.value_of = ARENA_ARRAY(mem, int, b.mod->n_ids);
  for (int i = 0; i < b.mod->n_ids; i++) b.value_of[i] = -1;
  if (!count_leaves(&b, scan) || !build_statements(&b) || !build_space(&b) || !build_results(&b, scan)) return NULL;
  place_operands(&b, scan);
  mark_used(n);
  n->value_name = b.names.data;
  n->invariant = b.invariant.data;
  n->n_value = b.names.len;
  return n;
}
