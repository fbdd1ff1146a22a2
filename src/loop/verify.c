/* The verifier of loop IR: what loop.h states, as checks. */
#include "ir/op.h"
#include "loop/prefix_stages.h"
#include "loop/walk.h"

typedef struct {
  const kernel *k;
  bool *defined;             /* values visible at the current place */
  bool *ever;                /* values defined anywhere: each once */
  bool *open;                /* axes of the enclosing loops */
  const bool *const *varies; /* per axis; NULL for sequential axes */
  const bool *lanes;         /* per axis: bound to lanes */
  const lexpr **below;       /* per value: of results of INDEX, what they are below; NULL */
  str *why;
} checker;

static bool fail(checker *c, const char *what, const char *name) {
  str_printf(c->why, "kernel %s: %s (%s)", c->k->name, what, name ? name : "unnamed");
  return false;
}

static const char *value_name(const checker *c, int v) { return c->k->values.data[v].name; }

static bool define(checker *c, int v, scanc_dtype dtype) {
  if (v < 0 || v >= c->k->values.len) return fail(c, "value id out of range", NULL);
  if (c->ever[v]) return fail(c, "value defined twice", value_name(c, v));
  if (c->k->values.data[v].dtype != dtype)
    return fail(c, "value of another element type", value_name(c, v));
  return c->defined[v] = c->ever[v] = true;
}

static bool use_value(checker *c, int v) {
  if (v < 0 || v >= c->k->values.len) return fail(c, "value id out of range", NULL);
  return c->defined[v] || fail(c, "value used before its definition", value_name(c, v));
}

static bool equal(lexpr a, lexpr b) {
  return a.is_param == b.is_param && a.k == b.k && (!a.is_param || a.add == b.add);
}

static bool value_in_bounds(const checker *c, const stmt *s, index_map m, lexpr extent) {
  int a = INDEX_VALUE - m.axis;
  if (a >= s->n_args || m.add) return false;
  const lexpr *below = c->below[s->arg[a]];
  return below && equal(*below, extent);
}

/* Parameters are at least 0, and nothing else is known of them. */
static bool in_bounds(const checker *c, const stmt *s, index_map m, lexpr extent) {
  if (m.axis <= INDEX_VALUE) return value_in_bounds(c, s, m, extent);
  if (m.add < 0) return false;
  if (m.axis < 0) return m.add < (extent.is_param ? extent.add : extent.k);
  lexpr n = c->k->axes.data[m.axis].extent;
  if (n.is_param != extent.is_param) return false;
  return n.is_param ? n.k == extent.k && n.add + m.add <= extent.add : n.k + m.add <= extent.k;
}

/* What the points of a loop share of a buffer that is loaded and stored. */
static bool check_shared(checker *c, const stmt *s, const buffer *b) {
  for (int ax = 0; ax < c->k->axes.len; ax++) {
    if (!c->open[ax] || !c->varies[ax] || stmt_indexes_axis(c->k, s, ax)) continue;
    if (b->space == SPACE_SCRATCH)
      return fail(c, "points of a parallel axis share scratch", b->name);
    if (b->space == SPACE_LOCAL && c->lanes[ax])
      return fail(c, "lanes share a local element", b->name);
  }
  for (int d = 0; d < b->n_dims && b->space == SPACE_LOCAL; d++)
    if (b->dims[d].extent.is_param || b->dims[d].stride.is_param)
      return fail(c, "local memory of a size that is not constant", b->name);
  return true;
}

/* Whether value or place of a store differ along the axis. */
static bool store_varies(const checker *c, const stmt *s, int ax) {
  bool yes = false;
  for (int a = 0; a < s->n_args; a++) yes |= c->varies[ax][s->arg[a]];
  return yes;
}

/* A store must move with every parallel axis around it along which its value differs. */
static bool check_access(checker *c, const stmt *s) {
  const kernel *k = c->k;
  if (s->buffer < 0 || s->buffer >= k->buffers.len) return fail(c, "no such buffer", NULL);
  const buffer *b = &k->buffers.data[s->buffer];
  if (b->space == (s->kind == ST_LOAD ? SPACE_OUTPUT : SPACE_INPUT))
    return fail(c, "load of an output or store to an input", b->name);
  for (int d = 0; d < b->n_dims; d++) {
    int ax = s->index[d].axis;
    if (ax >= k->axes.len || (ax >= 0 && !c->open[ax]))
      return fail(c, "index along a loop that is not open", b->name);
    if (!in_bounds(c, s, s->index[d], b->dims[d].extent))
      return fail(c, "index not known to be in bounds", b->name);
  }
  SCANC_TRY(check_shared(c, s, b));
  if (s->kind != ST_STORE || b->space == SPACE_LOCAL) return true;
  if (k->values.data[s->arg[0]].dtype != b->dtype)
    return fail(c, "store of another element type", b->name);
  for (int ax = 0; ax < k->axes.len; ax++)
    if (c->open[ax] && c->varies[ax] && store_varies(c, s, ax) && !stmt_indexes_axis(k, s, ax))
      return fail(c, "points of a parallel axis store different values to one element", b->name);
  return true;
}

static bool check_op(checker *c, const stmt *s) {
  const op_info *op = op_get(s->op);
  if (op->kind != OPK_EW || op->n_operands != s->n_args)
    return fail(c, "not an elementwise row, or its arity", op->name);
  for (int a = 0; a < s->n_args; a++) {
    scanc_dtype want = op->promo == PROMO_SELECT && a == 0 ? SCANC_BOOL : s->compute;
    if (c->k->values.data[s->arg[a]].dtype != want)
      return fail(c, "operand of another element type", op->name);
  }
  scanc_dtype result = op->promo == PROMO_COMPARE ? SCANC_BOOL : s->compute;
  if (s->dtype != result) return fail(c, "result of another element type", op->name);
  if (s->fault >= c->k->faults.len) return fail(c, "no such fault", op->name);
  return true;
}

static bool check_call(checker *c, const stmt *s) {
  const host_fn *f = s->host;
  if (!f || f->n_operands != s->n_args) return fail(c, "not a host function, or its arity", NULL);
  for (int a = 0; a < s->n_args; a++)
    if (c->k->values.data[s->arg[a]].dtype != f->operand[a])
      return fail(c, "operand of another element type", f->symbol);
  return s->dtype == f->result || fail(c, "result of another element type", f->symbol);
}

static bool check_point(checker *c, const stmt *s) {
  if (s->axis >= c->k->axes.len || (s->axis >= 0 && !c->open[s->axis]))
    return fail(c, "point of a loop that is not open", NULL);
  return s->dtype == SCANC_I64 || fail(c, "point of another element type", NULL);
}

static bool check_index(checker *c, const stmt *s) {
  if (s->dtype != SCANC_I64 || s->n_args != 1 || c->k->values.data[s->arg[0]].dtype != SCANC_I64)
    return fail(c, "index of another element type", NULL);
  if (s->fault >= c->k->faults.len) return fail(c, "no such fault", NULL);
  if (!s->number.is_param && s->number.k < 1) return fail(c, "index into nothing", NULL);
  c->below[s->value] = &s->number;
  return true;
}

/* ---- prefix loops ---- */

static bool defined_in(const loop *l, int value) {
  for (int i = 0; i < l->body.len; i++)
    if (l->body.data[i].value == value) return true;
  for (int i = 0; i < l->n_carry; i++)
    if (l->carry[i].in == value) return true;
  return false;
}

static int count_next(const loop *l, int value) {
  int count = 0;
  for (int i = 0; i < l->n_carry; i++) count += l->carry[i].next == value;
  return count;
}

/* Of one that is no left fold. */
static bool check_prefix(checker *c, const loop *l) {
  const char *axis = c->k->axes.data[l->axis].name;
  int lanes = l->prefix.lanes;
  if (l->order != ORDER_PREFIX) return fail(c, "an order of combining, and no prefix loop", axis);
  if (lanes < 2 || lanes & (lanes - 1) || l->bind != BIND_LANES || l->lanes != lanes ||
      l->unroll != 1 || l->prefix.segments < 0 || l->prefix.segments % lanes ||
      (l->prefix.cut && l->prefix.cut % (lanes * (l->prefix.segments ? l->prefix.segments : 1))) ||
      l->prefix.skip < 0 || l->prefix.skip % lanes || (l->prefix.skip && l->prefix.segments) ||
      (l->prefix.skip && l->prefix.cut && !l->prefix.exact))
    return fail(c, "prefix loop that is not bound as its order says", axis);
  for (int i = 0; i < l->n_carry; i++)
    if (!defined_in(l, l->carry[i].item) || !defined_in(l, l->carry[i].next) ||
        count_next(l, l->carry[i].next) != 1)
      return fail(c, "prefix loop without an item or result per carry", axis);
  arena *tmp = arena_new();
  const char *wrong = prefix_stages(c->k, l, ARENA_ARRAY(tmp, unsigned char, l->body.len));
  arena_free(tmp);
  return !wrong || fail(c, wrong, axis);
}

static bool check_list(checker *c, const stmt_list *list);

static bool check_carries(checker *c, const loop *l, bool after) {
  for (int i = 0; i < l->n_carry; i++) {
    const loop_carry *y = &l->carry[i];
    SCANC_TRY(use_value(c, after ? y->next : y->init));
    scanc_dtype d = c->k->values.data[y->init].dtype;
    if (c->k->values.data[y->next].dtype != d)
      return fail(c, "carry changes its element type", value_name(c, y->in));
    if (after && l->prefix.kind != PREFIX_LEFT && c->k->values.data[y->item].dtype != d)
      return fail(c, "item of another element type", value_name(c, y->item));
    if (!after) SCANC_TRY(define(c, y->in, d));
  }
  return true;
}

static int count_loops(const stmt_list *list) {
  int n = 0;
  for (int i = 0; i < list->len; i++) n += list->data[i].kind == ST_LOOP;
  return n;
}

static bool check_block(checker *c, const loop *l) {
  const loop *time = stmts_time_loop(&l->body);
  if (l->bind != BIND_LANES || l->block % ((int64_t)l->lanes * l->unroll) != 0 || !time ||
      time->bind == BIND_LANES || count_loops(&l->body) != 1 || count_loops(&time->body) != 0)
    return fail(c, "steps of blocks that cannot be", c->k->axes.data[l->axis].name);
  return true;
}

/* Values defined inside are not visible behind the loop, except `out`. */
static bool check_loop(checker *c, const loop *l) {
  const kernel *k = c->k;
  if (l->axis < 0 || l->axis >= k->axes.len) return fail(c, "no such axis", NULL);
  if (c->open[l->axis]) return fail(c, "axis opened twice", k->axes.data[l->axis].name);
  if (l->order == ORDER_PARALLEL && l->n_carry)
    return fail(c, "parallel loop with a carry", k->axes.data[l->axis].name);
  if (l->prefix.kind != PREFIX_LEFT) SCANC_TRY(check_prefix(c, l));
  else if (l->bind == BIND_LANES && l->order != ORDER_PARALLEL)
    return fail(c, "lanes over a sequential loop", k->axes.data[l->axis].name);
  if (l->lanes < 1 || l->unroll < 1) return fail(c, "no lanes", k->axes.data[l->axis].name);
  if (l->block) SCANC_TRY(check_block(c, l));
  if (l->tile && (l->bind != BIND_SERIAL || !loop_is_sequential(l) || (l->tile & (l->tile - 1))))
    return fail(c, "blocks of steps that cannot be", k->axes.data[l->axis].name);
  arena *tmp = arena_new();
  bool *before = arena_copy(tmp, c->defined, sizeof(bool) * (size_t)k->values.len);
  c->open[l->axis] = true;
  bool ok = check_carries(c, l, false) && check_list(c, &l->body) && check_carries(c, l, true);
  c->open[l->axis] = false;
  for (int v = 0; v < k->values.len; v++) c->defined[v] = before[v];
  arena_free(tmp);
  for (int i = 0; ok && i < l->n_carry; i++)
    ok = define(c, l->carry[i].out, k->values.data[l->carry[i].init].dtype);
  return ok;
}

static bool check_stmt(checker *c, const stmt *s) {
  for (int a = 0; a < s->n_args; a++) SCANC_TRY(use_value(c, s->arg[a]));
  switch (s->kind) {
    case ST_LOOP: return check_loop(c, s->loop);
    case ST_STORE: return check_access(c, s);
    case ST_LOAD: SCANC_TRY(check_access(c, s)); break;
    case ST_OP: SCANC_TRY(check_op(c, s)); break;
    case ST_CALL: SCANC_TRY(check_call(c, s)); break;
    case ST_POINT: SCANC_TRY(check_point(c, s)); break;
    case ST_INDEX: SCANC_TRY(check_index(c, s)); break;
    case ST_CAST:
    case ST_CONST: break;
  }
  return define(c, s->value, s->dtype);
}

static bool check_list(checker *c, const stmt_list *list) {
  for (int i = 0; i < list->len; i++) SCANC_TRY(check_stmt(c, &list->data[i]));
  return true;
}

static void mark_parallel(const stmt *s, void *ctx) {
  if (s->kind == ST_LOOP && s->loop->order == ORDER_PARALLEL) ((bool *)ctx)[s->loop->axis] = true;
}

static void mark_lanes(const stmt *s, void *ctx) {
  if (s->kind == ST_LOOP && s->loop->bind == BIND_LANES) ((bool *)ctx)[s->loop->axis] = true;
}

bool kernel_verify(const kernel *k, str *why) {
  arena *tmp = arena_new();
  int n = k->values.len, n_axes = k->axes.len;
  bool *parallel = ARENA_ARRAY(tmp, bool, n_axes), *lanes = ARENA_ARRAY(tmp, bool, n_axes);
  const bool **varies = ARENA_ARRAY(tmp, const bool *, n_axes);
  stmts_walk(&k->body, mark_parallel, parallel);
  stmts_walk(&k->body, mark_lanes, lanes);
  for (int ax = 0; ax < n_axes; ax++) {
    if (!parallel[ax]) continue;
    bool *v = ARENA_ARRAY(tmp, bool, n);
    kernel_varies(k, ax, v);
    varies[ax] = v;
  }
  checker c = {k,
               ARENA_ARRAY(tmp, bool, n),
               ARENA_ARRAY(tmp, bool, n),
               ARENA_ARRAY(tmp, bool, n_axes),
               varies,
               lanes,
               ARENA_ARRAY(tmp, const lexpr *, n),
               why};
  bool ok = check_list(&c, &k->body);
  arena_free(tmp);
  return ok;
}
