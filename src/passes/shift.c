/* Exclusive prefixes. What shifts the results of an associative scan or a running sum by one and
 * puts something else in the place that becomes free is joined from the two instead:
 *
 *   y = roll(s, 1); y[0] = v               cat([v, s[:-1]])
 *   where(arange(T) == 0, v, roll(s, 1))
 *   pad(s, [1, -1], value=v)
 *   pad(s, [1, 0], value=v)                cat([v, s])
 *
 * and the same in the other direction. Parts of running sums are running sums of parts. So the scan
 * stores its results where they are wanted (canonicalise.c and runtime/plan_join.c). */
#include "passes/expand.h"
#include "passes/pass.h"
#include "passes/view.h"

typedef struct {
  module *m;
  bool changed;
} shifts;

static node *operand(const node *n, int k) {
  return n->op && k < n->op->n_operands && n->operands[k].kind == VAL_NODE ? n->operands[k].node
                                                                           : NULL;
}

static bool is_tensor(const node *n) { return n && type_is_tensor(n->type); }

static bool is_running(const node *n) {
  return node_is_op(n, OP_cumsum) || node_is_op(n, OP_cumprod) || node_is_op(n, OP_logcumsumexp);
}

/* Whether n is, but for views, what a prefix gives, and nothing else uses it. */
static bool is_prefix(const node *n) {
  int perm[SCANC_MAX_RANK];
  while (is_tensor(n) && n->uses && !n->uses->next) {
    if (is_running(n)) return true;
    if (node_is_op(n, OP_getitem)) return node_is_op(operand(n, 0), OP_associative_scan);
    bool view = node_is_op(n, OP_flip) || node_is_op(n, OP_slice) || view_permutation(n, perm);
    n = view ? operand(n, 0) : NULL;
  }
  return false;
}

/* A shift along an axis by one. */
typedef struct {
  node *of; /* the prefix */
  node *by; /* what moves it, unless that is the whole pattern; NULL */
  int axis;
  bool up;        /* to higher indices */
  bool keeps_all; /* there is room for all elements, not all but one */
} shift;

static bool has_elements(const module *m, const node *x, int axis) {
  int64_t min, max;
  dim_bounds(m->syms, x->type->dims[axis], &min, &max);
  return min >= 1;
}

/* The only item of a list, or a number. */
static bool single_int(val v, int64_t *out) {
  if (val_is_seq(v) && v.n == 1) v = v.items[0];
  *out = v.i;
  return v.kind == VAL_INT;
}

static bool single_axis(val v, int rank, int *axis) {
  if (val_is_seq(v) && v.n == 0 && rank == 1) return *axis = 0, true;
  if (val_is_seq(v) && v.n == 1) v = v.items[0];
  return view_axis(v, rank, axis);
}

static bool match_roll(const shifts *x, node *n, shift *s) {
  int64_t by;
  node *of = operand(n, 0);
  if (!node_is_op(n, OP_roll) || n->uses->next || !is_prefix(of)) return false;
  if (!single_int(n->operands[1], &by) || (by != 1 && by != -1)) return false;
  if (!single_axis(n->operands[2], n->type->n, &s->axis)) return false;
  s->of = of;
  s->by = n;
  s->up = by == 1;
  return has_elements(x->m, of, s->axis);
}

/* The prefix moved, with `v` (of size 1 along the axis) in front or behind. */
static bool join(shifts *x, node *n, const shift *s, cursor *c, node *v) {
  node *rest = s->of;
  if (!s->keeps_all && s->up)
    rest = build_slice(c, V(rest), s->axis, val_int(0), val_int(-1), val_int(1));
  else if (!s->keeps_all) rest = slice_of(c, rest, s->axis, 1, TO_END);
  val items[2] = {V(s->up ? v : rest), V(s->up ? rest : v)};
  node *cat = v && rest ? build_cat(c, items, 2, s->axis) : NULL;
  if (!cat || !type_equal(cat->type, n->type)) return false;
  node_replace_uses(n, cat);
  node_erase(n);
  if (s->by) node_erase(s->by);
  return x->changed = true;
}

/* ---- y = roll(s, 1); y[0] = v ---- */

static bool is_edge(val at, const shift *s) {
  const type *t = s->of->type;
  int64_t last = dim_is_int(t->dims[s->axis]) ? t->dims[s->axis].k - 1 : -1;
  return at.kind == VAL_INT && (s->up ? at.i == 0 : at.i == -1 || at.i == last);
}

static bool shift_select(shifts *x, node *n) {
  shift s = {0};
  int axis;
  node *v = operand(n, 1);
  if (!node_is_op(n, OP_select_scatter) || !operand(n, 0) || !match_roll(x, operand(n, 0), &s))
    return false;
  if (!is_tensor(v) || v->type->dtype != n->type->dtype) return false;
  if (!view_axis(n->operands[2], n->type->n, &axis) || axis != s.axis) return false;
  if (!is_edge(n->operands[3], &s)) return false;
  cursor c = cursor_before(n);
  return join(x, n, &s, &c, build_unsqueeze(&c, V(v), axis));
}

/* ---- where(arange(T) == 0, v, roll(s, 1)) ---- */

/* Whether n counts the elements along the axis from 0 on, for tensors of that type. */
static bool counts_along(const node *n, const type *t, int axis) {
  int gap = is_tensor(n) ? t->n - n->type->n : -1;
  for (int d = 0; gap >= 0 && d < n->type->n; d++)
    if (d + gap != axis && !dim_is(n->type->dims[d], 1)) return false;
  while (is_tensor(n) && n->op && n->op->traits & T_RESHAPE) n = operand(n, 0);
  return gap >= 0 && n && node_is_op(n, OP_arange) && dim_equal(n->type->dims[0], t->dims[axis]) &&
         dtype_class(n->type->dtype) == 'i' && n->operands[1].kind == VAL_INT &&
         n->operands[1].i == 0 && n->operands[2].kind == VAL_INT && n->operands[2].i == 1;
}

/* Whether the condition holds of the first element alone (`first`), or of all others. */
static bool tells_first(const node *n, const type *t, int axis, bool *first) {
  if (!n->op || n->op->n_operands < 2 || n->operands[1].kind != VAL_INT) return false;
  int64_t k = n->operands[1].i;
  *first = (node_is_op(n, OP_eq) && k == 0) || (node_is_op(n, OP_lt) && k == 1) ||
           (node_is_op(n, OP_le) && k == 0);
  bool others = (node_is_op(n, OP_ne) && k == 0) || (node_is_op(n, OP_gt) && k == 0) ||
                (node_is_op(n, OP_ge) && k == 1);
  return (*first || others) && counts_along(operand(n, 0), t, axis);
}

/* Element 0 along the axis of what v is broadcast to, of size 1. NULL: sizes that are symbols. */
static node *first_of(cursor *c, val v, const node *n, int axis) {
  int64_t size[SCANC_MAX_RANK];
  for (int d = 0; d < n->type->n; d++) {
    size[d] = d == axis ? 1 : n->type->dims[d].k;
    if (d != axis && !dim_is_int(n->type->dims[d])) return NULL;
  }
  val sizes = val_ints(c->g->mod->mem, size, n->type->n);
  if (v.kind != VAL_NODE) return build_full(c, sizes, v, n->type->dtype);
  const type *t = v.node->type;
  int d = axis - (n->type->n - t->n);
  node *one = v.node;
  if (t->dtype != n->type->dtype) return NULL;
  if (d >= 0 && !dim_is(t->dims[d], 1)) one = slice_of(c, one, d, 0, 1);
  return one ? build_expand(c, V(one), sizes) : NULL;
}

static bool shift_where(shifts *x, node *n) {
  if (!node_is_op(n, OP_where) || !is_tensor(n)) return false;
  for (int k = 1; k < 3; k++) {
    shift s = {0};
    bool first;
    val v = n->operands[3 - k];
    node *moved = operand(n, k), *tells = operand(n, 0);
    if (!moved || !moved->uses || !match_roll(x, moved, &s) || !s.up) continue;
    if (!is_tensor(tells) || moved->type->n != n->type->n ||
        !tells_first(tells, n->type, s.axis, &first) || first != (k == 2))
      continue;
    if (v.kind == VAL_NODE ? !is_tensor(v.node) : v.kind != VAL_INT && v.kind != VAL_FLOAT)
      continue;
    if (moved->type->dtype != n->type->dtype) continue;
    cursor c = cursor_before(n);
    return join(x, n, &s, &c, first_of(&c, v, n, s.axis));
  }
  return false;
}

/* ---- pad(s, [1, 0]) ---- */

/* The pair of an axis, of which there is one. */
static bool match_pad(const node *n, shift *s) {
  val pads = n->operands[1];
  int found = 0;
  for (int i = 0; val_is_seq(pads) && i + 1 < pads.n; i += 2) {
    val low = pads.items[i], high = pads.items[i + 1];
    if (low.kind != VAL_INT || high.kind != VAL_INT) return false;
    if (!low.i && !high.i) continue;
    s->axis = n->type->n - 1 - i / 2;
    s->up = low.i == 1;
    int64_t other = s->up ? high.i : low.i;
    s->keeps_all = other == 0;
    if (++found > 1 || (s->up ? low.i : high.i) != 1 || (other != 0 && other != -1)) return false;
  }
  return found == 1;
}

static bool shift_pad(shifts *x, node *n) {
  shift s = {.of = operand(n, 0)};
  if (!node_is_op(n, OP_pad) || !is_tensor(n) || !is_prefix(s.of) || !match_pad(n, &s))
    return false;
  val mode = n->operands[2], v = n->operands[3];
  if (mode.kind != VAL_STR || mode.s[0] != 'c') return false; /* constant or circular */
  if (mode.s[1] != 'o' || !has_elements(x->m, s.of, s.axis)) return false;
  if (v.kind == VAL_NONE || v.kind == VAL_ABSENT) v = val_int(0);
  if (v.kind != VAL_INT && v.kind != VAL_FLOAT) return false;
  cursor c = cursor_before(n);
  return join(x, n, &s, &c, first_of(&c, v, n, s.axis));
}

/* ---- parts of running sums ---- */

/* cumsum(u, d)[:k] is cumsum(u[:k], d), and so are parts along other axes. */
static bool part_of_running(shifts *x, node *n) {
  node *sum = operand(n, 0);
  int axis, along;
  if (!node_is_op(n, OP_slice) || !sum || !is_running(sum) || sum->uses->next) return false;
  if (!is_tensor(n) || !is_tensor(operand(sum, 0)) || !n->type->n) return false;
  if (!view_axis(n->operands[1], n->type->n, &axis) ||
      !view_axis(sum->operands[1], n->type->n, &along))
    return false;
  val start = n->operands[2], step = n->operands[4];
  bool head = (start.kind == VAL_NONE || (start.kind == VAL_INT && start.i == 0)) &&
              step.kind == VAL_INT && step.i == 1;
  if (axis == along && !head) return false;
  cursor c = cursor_before(n);
  val part[5] = {sum->operands[0], n->operands[1], n->operands[2], n->operands[3], n->operands[4]};
  node *u = build_op(&c, OP_slice, part, 5);
  val args[3] = {V(u), sum->operands[1], sum->op->n_operands > 2 ? sum->operands[2] : val_absent()};
  node *y = u ? build_op(&c, sum->op->id, args, sum->op->n_operands) : NULL;
  if (!y || !type_equal(y->type, n->type)) return false;
  node_replace_uses(n, y);
  node_erase(n);
  node_erase(sum);
  return x->changed = true;
}

/* ---- the pass ---- */

static void visit(graph *g, void *ctx) {
  shifts *x = ctx;
  FOR_EACH_NODE (n, g) {
    if (x->m->err.code) return;
    if (!n->operands || !n->uses) continue;
    if (!shift_select(x, n) && !shift_where(x, n)) shift_pad(x, n);
  }
  for (node *n = g->first, *next; n && !x->m->err.code; n = next) {
    next = n->next;
    if (n->operands) part_of_running(x, n);
  }
}

bool pass_shift(module *m, bool *changed) {
  shifts x = {m, false};
  graph_walk(m->main, visit, &x);
  *changed |= x.changed;
  return m->err.code == SCANC_OK;
}
