#include "runtime/border.h"

#include "loop/body.h"
#include "loop/op_cost.h"
#include "passes/hop.h"
#include "runtime/plan_inline.h"

enum {
  ENOUGH = 16,  /* points for the lanes of a kernel */
  WIDE = 64,    /* elements of a step of a loop, from which on rests of vectors do not count */
  CHEAP = 15,   /* instructions of an operation that takes no longer than the memory it saves */
  MAX_CHAIN = 8 /* operations that compute an x */
};

static bool may_move(module *m, const node *n) {
  return n->op && (n->op->kind == OPK_EW || n->op->id == OP_to) && !n->in_place &&
         !(n->op->traits & (T_EFFECT | T_DATA | T_VIEW)) && type_is_tensor(n->type) &&
         body_accepts(m, n);
}

/* ---- kernels ---- */

bool border_has_lanes(const scan_nest *n) {
  for (int o = 0; o < n->n_operand; o++)
    for (int d = 0; d < n->operand[o].rank; d++)
      if (n->operand[o].dim[d] == DIM_FIXED) return false;
  for (int p = 0; p < n->n_part; p++) {
    int64_t points = n->part[p].rank ? 1 : 0;
    for (int a = 0; a < n->part[p].rank; a++) {
      int64_t extent = n->extent[n->part[p].cls[a]];
      points *= extent && extent < ENOUGH ? extent : ENOUGH;
      if (points > ENOUGH) points = ENOUGH;
    }
    if (points < ENOUGH) return false;
  }
  return true;
}

static bool in_kernel(module *m, const node *n, const node *inside) {
  return (void)inside, may_move(m, n);
}

/* ---- loops ---- */

static bool is_wide(const type *t) {
  int64_t n = 1;
  for (int d = 0; type_is_tensor(t) && d < t->n && n < WIDE; d++)
    n *= dim_is_int(t->dims[d]) ? t->dims[d].k : WIDE;
  return n >= WIDE;
}

static bool is_cheap(const node *n) {
  return op_cost(n->op->id, dtype_acc(dtype_real(n->type->dtype))) < CHEAP;
}

static bool same_shape(const type *a, const type *b) {
  bool same = type_is_tensor(a) && type_is_tensor(b) && a->n == b->n;
  for (int d = 0; same && d < a->n; d++) same = dim_equal(a->dims[d], b->dims[d]);
  return same;
}

/* Whether an operation of the body is part of a group of the sizes of t. */
static bool in_group(module *m, const node *n, const type *t) {
  return may_move(m, n) && same_shape(n->type, t);
}

/* Whether nothing that n, of the main graph, is computed from would be stored for it alone if it
 * moved: all of that moves with it, or is there anyway. */
static bool moves_whole(module *m, const node *n, int depth) {
  for (int i = 0; i < n->n_arg_uses; i++) {
    const node *a = n->arg_uses[i].def;
    if (!type_is_tensor(a->type) || !a->op) continue;
    if (plan_goes_on(a->op->id)) return false;
    if (a->op->kind != OPK_EW && a->op->id != OP_to) continue;
    if (depth == MAX_CHAIN || !may_move(m, a) || !is_cheap(a) || node_n_uses(a) != 1 ||
        !same_shape(a->type, n->type) || !moves_whole(m, a, depth + 1))
      return false;
  }
  return true;
}

/* What is costly has been taken out of the steps (loop/batch.h), and products of an x are done
 * ahead of them. */
static bool before_group(module *m, const node *n, const node *inside) {
  bool takes = may_move(m, n) && is_cheap(n) && node_has_uses(inside);
  for (const use *u = inside->uses; u && takes; u = u->next)
    takes = in_group(m, u->user, inside->type);
  return takes && moves_whole(m, n, 0);
}

/* What only one y is computed from may go on with it before it is stored. */
static bool behind_group(module *m, const node *n, const node *inside) {
  bool ends = inside->op && plan_goes_on(inside->op->id) && node_n_uses(inside) == 1;
  return may_move(m, n) && (ends || in_group(m, inside, inside->type));
}

static bool before_loop(module *m, const node *n, const node *inside) {
  return is_wide(inside->type) && before_group(m, n, inside);
}

static bool behind_loop(module *m, const node *n, const node *inside) {
  return is_wide(inside->type) && behind_group(m, n, inside);
}

/* Threads share a whole pass, but rarely a step. */
static bool cheap_behind_loop(module *m, const node *n, const node *inside) {
  return behind_loop(m, n, inside) && is_cheap(n);
}

/* ---- both ---- */

bool border_absorb(program *p, node *scan, const scan_nest *nest) {
  static const absorb_rules of_kernel = {in_kernel, in_kernel},
                            of_loop = {before_loop, behind_loop},
                            of_shared = {before_loop, cheap_behind_loop},
                            of_tests = {before_group, behind_group};
  arena *tmp = arena_new();
  graph *g = val_graph(scan->operands[0]);
  bool alone = g && graph_call_counts(p->mod, tmp)[graph_index(g)] == 1;
  arena_free(tmp);
  if (!node_is_op(scan, OP_scan) || !alone || (nest && !border_has_lanes(nest))) return false;
  const absorb_rules *rules = nest                  ? &of_kernel
                              : p->loops_only       ? &of_tests
                              : p->opts.threads > 1 ? &of_shared
                                                    : &of_loop;
  return absorb_border(p->mod, scan, rules, &p->moved[scan->id]);
}
