/* What `scanc explain` says about a program. */
#include <inttypes.h>

#include "base/fp_env.h"
#include "loop/axis_class.h"
#include "loop/bundle.h"
#include "loop/prefix.h"
#include "loop/walk.h"
#include "runtime/plan.h"

typedef struct {
  str *out;
  const program *p;
  target t;
  const plan *pl;        /* NULL: node by node */
  const int64_t *values; /* of the plan's code for the sizes of interest; NULL: any sizes */
  bool *told;            /* per node id */
  const node *last;      /* that was told */
} explainer;

/* ---- kernels ---- */

/* A kernel, and the numbers its integer parameters have, if they are known. */
typedef struct {
  explainer *x;
  const kernel *k;
  const int *ints;
  const entry_chain *chain; /* how threads share it; NULL */
} subject;

static bool extent_of(const subject *s, lexpr e, int64_t *out) {
  *out = e.k;
  if (!e.is_param) return true;
  if (!s->ints) return false;
  const int_op *code = &s->x->pl->entry.code.data[s->ints[e.k]];
  *out = code->kind == INT_CONST ? code->k + e.add : 0;
  if (s->x->values) *out = s->x->values[s->ints[e.k]] + e.add;
  return s->x->values || code->kind == INT_CONST;
}

static void axis_line(const subject *s, const loop *l, bool first) {
  const loop_axis *a = &s->k->axes.data[l->axis];
  static const char *const orders[] = {"map", "sequential", "prefix"};
  str *out = s->x->out;
  int64_t n;
  bool known = extent_of(s, a->extent, &n);
  str_printf(out, "%s%s %s (", first ? "" : ", ", a->name, orders[l->order]);
  if (l->bind == BIND_LANES) str_append(out, "lanes, ");
  if (known) str_printf(out, "%" PRId64 ")", n);
  else str_append(out, "size known at run time)");
}

/* The loops of a part, outermost first. Returns the product of the extents of the parallel ones, 0
 * if it is not known. */
static int64_t explain_axes(const subject *s, const stmt *part) {
  int64_t points = 1, n;
  bool first = true;
  str_append(s->x->out, "  axes:      ");
  while (part) {
    const loop *l = part->loop;
    axis_line(s, l, first);
    first = false;
    if (l->order == ORDER_PARALLEL && (!extent_of(s, s->k->axes.data[l->axis].extent, &n) ||
                                       __builtin_mul_overflow(points, n, &points)))
      points = 0;
    part = NULL;
    for (int i = 0; i < l->body.len && !part; i++)
      if (l->body.data[i].kind == ST_LOOP) part = &l->body.data[i];
  }
  str_append(s->x->out, first ? "none\n" : "\n");
  return points;
}

static void find_scratch(const stmt *s, void *ctx) {
  const kernel **k = ctx; /* becomes NULL where it is found */
  if (*k && (s->kind == ST_LOAD || s->kind == ST_STORE) &&
      (*k)->buffers.data[s->buffer].space == SPACE_SCRATCH)
    *k = NULL;
}

static const char *place_of_carries(const kernel *k, const stmt_list *list) {
  const kernel *found = k;
  if (!stmts_time_loop(list)) return "";
  stmts_walk(list, find_scratch, &found);
  return found ? ", carries in registers" : ", carries in registers and scratch";
}

/* Whether operations of the time loop are put side by side in vectors. */
static bool has_bundles(const subject *s, const stmt_list *list) {
  const loop *t = stmts_time_loop(list);
  arena *tmp = arena_new();
  straight_line line;
  bundles found;
  bool yes = t && bundles_of_loop(tmp, s->k, t, s->x->t.vector_bytes, &line, &found);
  arena_free(tmp);
  return yes;
}

static const char *transposed(const stmt_list *body) {
  const loop *t = stmts_time_loop(body);
  return t && t->tile ? ", blocks of steps transposed" : "";
}

static void explain_schedule(const subject *s, const stmt *part) {
  stmt_list one = {(stmt *)part, part != NULL, 1};
  const loop *lanes = stmts_lane_loop(&one);
  const char *carries = place_of_carries(s->k, part ? &one : &s->k->body);
  if (!lanes)
    str_printf(s->x->out, "  schedule:  %s%s\n",
               has_bundles(s, part ? &one : &s->k->body)
                   ? "equal operations side by side in the lanes of vectors"
                   : "scalars",
               carries);
  else if (lanes->prefix.segments)
    str_printf(
        s->x->out,
        "  schedule:  blocks of %d segments of %d elements along %s, %d segments in the lanes of "
        "a vector; less than a block as a network%s\n",
        lanes->prefix.segments, lanes->lanes, s->k->axes.data[lanes->axis].name, lanes->lanes,
        carries);
  else if (lanes->prefix.kind == PREFIX_NETWORK)
    str_printf(s->x->out,
               "  schedule:  %d elements along %s in a vector, combined among each other, then "
               "with those before%s%s\n",
               lanes->lanes, s->k->axes.data[lanes->axis].name,
               lanes->prefix.skip ? ", but where they change nothing" : "", carries);
  else if (lanes->block)
    str_printf(s->x->out,
               "  schedule:  %d lanes, %d vector%s at a time, each step for %" PRId64
               " points before the next one, carries in local memory\n",
               lanes->lanes, lanes->unroll, lanes->unroll > 1 ? "s" : "", lanes->block);
  else
    str_printf(s->x->out, "  schedule:  %d lanes, %d vector%s at a time%s%s\n", lanes->lanes,
               lanes->unroll, lanes->unroll > 1 ? "s" : "", carries, transposed(&lanes->body));
}

static void explain_part(const subject *s, const stmt *part) {
  bool timed = part ? part->loop->order != ORDER_PARALLEL || stmts_time_loop(&part->loop->body)
                    : stmts_time_loop(&s->k->body) != NULL;
  int64_t points = explain_axes(s, part);
  explain_schedule(s, part);
  kernel_cost c = kernel_part_cost(s->k, part);
  str_printf(s->x->out, "  %s %d operation%s (%d of floating-point numbers) and %d bytes per point",
             timed ? "per step: " : "work:     ", c.ops, c.ops == 1 ? "" : "s", c.flops, c.bytes);
  if (points) str_printf(s->x->out, ", %" PRId64 " point%s", points, points == 1 ? "" : "s");
  str_char(s->x->out, '\n');
}

static void explain_stretches(const subject *s) {
  const entry_chain *c = s->chain;
  str_printf(s->x->out, "up to %d, stretches of %" PRId64 " elements, in their order",
             s->x->p->opts.threads, c->cut);
  if (c->least > c->cut + 1)
    str_printf(s->x->out, "; one if there are fewer than %" PRId64, c->least);
  str_char(s->x->out, '\n');
}

static void explain_threads(const subject *s, const split_part *p) {
  if (s->x->p->opts.threads == 1) return;
  str_append(s->x->out, "  threads:   ");
  if (s->chain) explain_stretches(s);
  else if (!p) str_append(s->x->out, "one, no parallel axis is long enough\n");
  else
    str_printf(s->x->out, "up to %d, along %s in pieces of %" PRId64 " or a multiple\n",
               s->x->p->opts.threads, s->k->axes.data[p->axis].name, p->grain);
}

static void explain_kernel(explainer *x, const kernel *k, const int *ints,
                           const kernel_split *split, const entry_chain *chain) {
  subject s = {x, k, ints, chain};
  int parts = 0;
  for (int i = 0; i < k->body.len; i++) {
    if (k->body.data[i].kind != ST_LOOP) continue;
    explain_part(&s, &k->body.data[i]);
    explain_threads(&s, split ? &split->part[i] : NULL);
    parts++;
  }
  if (!parts) explain_part(&s, NULL);
}

static void count(str *out, int n, const char *one, const char *many) {
  str_printf(out, "%d %s", n, n == 1 ? one : many);
}

static void explain_operands(str *out, const scan_nest *n) {
  int n_carry = n->fold ? n->n_x : n->n_carry;
  str_append(out, "  operands:  ");
  if (n->n_made) {
    count(out, n_carry, "carry, ", "carries, ");
    count(out, n->n_extra, "input, ", "inputs, ");
    count(out, n->n_y, "result", "results");
  } else if (!n->timeless) {
    count(out, n_carry, "carry, ", "carries, ");
    count(out, n->n_x, "x, ", "xs, ");
    count(out, n->n_y, "y, ", "ys, ");
    str_printf(out, "%d captured", n->n_extra);
  } else {
    count(out, n->n_extra, "input, ", "inputs, ");
    count(out, n->n_y, "result", "results");
  }
  if (n->carries.len > n_carry) str_printf(out, "; %d carried elements per point", n->carries.len);
  str_char(out, '\n');
}

static void explain_order(const explainer *x, const scan_nest *n) {
  if (!n->fold) return;
  str_append(x->out, "  order:     ");
  if (x->p->opts.assoc == SCANC_ASSOC_LEFT) str_append(x->out, "left fold, as that was asked for");
  else prefix_explain(x->out, n, &x->t);
  str_char(x->out, '\n');
}

/* ---- nodes ---- */

static void title(explainer *x, const node *n) {
  str_printf(x->out, "%s %s", n->op ? n->op->name : "call", n->name);
  if (n->loc.line) str_printf(x->out, " (line %d)", n->loc.line);
}

static bool is_scan(const node *n) {
  return node_is_op(n, OP_scan) || node_is_op(n, OP_associative_scan);
}

static bool is_among(const moved_nodes *list, const node *n) {
  for (int i = 0; i < list->len; i++)
    if (list->data[i] == n) return true;
  return false;
}

/* "(mul, add, tanh; lines 4 to 9)": the operations of g, or those of them that are in `only`. */
static void list_operations(str *out, const graph *g, const moved_nodes *only) {
  int first = 0, last = 0;
  bool any = false;
  str_char(out, '(');
  for (const node *n = g->first; n; n = n->next) {
    if (!n->op || node_is_op(n, OP_getitem) || (only && !is_among(only, n))) continue;
    str_printf(out, "%s%s", any ? ", " : "", n->op->name);
    any = true;
    if (n->loc.line && (!first || n->loc.line < first)) first = n->loc.line;
    if (n->loc.line > last) last = n->loc.line;
  }
  if (first && first == last) str_printf(out, "; line %d", first);
  else if (first) str_printf(out, "; lines %d to %d", first, last);
  str_char(out, ')');
}

/* "elementwise group fused_1 (mul, add, tanh; lines 4 to 9)", or "scan with its group..." */
static void group_title(explainer *x, const graph *g) {
  bool scan = false;
  for (const node *n = g->first; n; n = n->next) scan |= is_scan(n);
  str_printf(x->out, "%s %s ", scan ? "scan with its group" : "elementwise group", g->class_name);
  list_operations(x->out, g, NULL);
}

static void name_node(explainer *x, const node *n) {
  graph *g = node_is_op(n, OP_invoke_subgraph) ? val_graph(n->operands[0]) : NULL;
  if (g) group_title(x, g);
  else title(x, n);
  x->told[n->id] = true;
  x->last = n;
}

static void node_title(explainer *x, const node *n) {
  name_node(x, n);
  str_append(x->out, ": ");
}

static void explain_with(explainer *x, const node *n, const char *what) {
  if (!n) return;
  str_append(x->out, "  with:      ");
  name_node(x, n);
  str_printf(x->out, ", %s\n", what);
}

/* What the body of a scan has taken in from around it. */
static void explain_moved(explainer *x, const node *n) {
  const moved_nodes *moved = &x->p->moved[n->id];
  if (!moved->len) return;
  str_append(x->out, "  with:      elementwise operations around it ");
  list_operations(x->out, val_graph(n->operands[0]), moved);
  str_append(x->out, ", in each step\n");
}

/* nest: NULL for one of the kernels of an operator that has no body. */
static void explain_compiled(explainer *x, const node *n, const scan_nest *nest, const kernel *k,
                             const int *ints, const kernel_split *split, const entry_chain *chain) {
  if (nest || x->last != n) {
    node_title(x, n);
    str_printf(x->out, "compiled for %s (%d-bit vectors)\n", x->t.level, 8 * x->t.vector_bytes);
  }
  if (nest) {
    explain_operands(x->out, nest);
    explain_moved(x, n);
    explain_order(x, nest);
    axis_classes_print(x->out, n);
  } else {
    str_printf(x->out, "  kernel:    %s\n", k->name);
  }
  explain_kernel(x, k, ints, split, chain);
}

/* A kernel that the interpreter calls, as made for contiguous operands. */
static void explain_called(explainer *x, const node *n, const scan_nest *nest) {
  arena *tmp = arena_new();
  nest_shape shape = nest_shape_default(tmp, nest);
  scan_layout layout = layout_make(tmp, nest, &shape, FOLD_RESULTS);
  kernel *k = nest_kernel(tmp, nest, &layout);
  schedule_scan(k, &x->t);
  explain_compiled(x, n, nest, k, NULL, NULL, NULL);
  arena_free(tmp);
}

static const char *reason(const explainer *x, const node *n) {
  if (x->p->opts.exec == SCANC_EXEC_INTERP) return "--exec=interp asks for it";
  if (x->p->why_not[n->id]) return x->p->why_not[n->id];
  return NULL;
}

static void explain_interpreted(explainer *x, const node *n) {
  const char *why = reason(x, n);
  node_title(x, n);
  if (why) str_printf(x->out, "interpreted: %s\n", why);
  else str_printf(x->out, "interpreted: %s has no compiled form\n", n->op ? n->op->name : "it");
  axis_classes_print(x->out, n);
}

/* ---- programs ---- */

/* The same of a loop, whose groups have it by now. */
static void explain_taken(explainer *x, const node *n) {
  const moved_nodes *moved = &x->p->moved[n->id];
  if (!moved->len) return;
  str_append(x->out, "  with:      elementwise operations around it (");
  for (int i = 0; i < moved->len; i++)
    str_printf(x->out, "%s%s", i ? ", " : "", moved->data[i]->op->name);
  str_append(x->out, "), in its groups\n");
}

static void explain_loop(explainer *x, const entry_step *s, const node *n) {
  int64_t times = 0;
  const int_op *code = s->value < 0 ? NULL : &x->pl->entry.code.data[s->value];
  bool known = code && (x->values || code->kind == INT_CONST);
  if (known) times = x->values ? x->values[s->value] : code->k;
  bool again = x->told[n->id];
  node_title(x, n);
  str_append(x->out, "a loop over the steps that follow");
  if (known) str_printf(x->out, ", %" PRId64 " times", times);
  str_append(x->out, "; carries in scratch\n");
  if (!again) explain_taken(x, n);
  if (!again) axis_classes_print(x->out, n);
}

static void explain_step(explainer *x, int i) {
  const entry_step *s = &x->pl->entry.steps.data[i];
  const node *n = x->pl->step_node.data[i];
  const jit_scan *j = x->p->kernel_of[n->id];
  if (s->kind == STEP_LOOP) explain_loop(x, s, n);
  if (s->kind == STEP_IF) {
    node_title(x, n);
    str_append(x->out, "one of two lists of steps\n");
  }
  if (s->kind == STEP_ELSE) str_printf(x->out, "%s %s: the other one\n", n->op->name, n->name);
  if (s->kind == STEP_END) str_printf(x->out, "%s %s: end\n", n->op->name, n->name);
  if (s->kind == STEP_KERNEL) {
    const plan_with *w = &x->pl->step_with.data[i];
    explain_compiled(x, n, j ? jit_nest(j) : NULL, s->k, s->ints, s->split, s->chain);
    explain_with(x, w->before, "on elements as they are read");
    explain_with(x, w->after, "on results before they are stored");
    x->last = n;
  }
  if (s->kind == STEP_HOST) explain_interpreted(x, n);
}

/* Scans and groups that the plan does not mention: in bodies, or all of them where there is no
 * plan.
 */
static void explain_rest(explainer *x, const graph *g) {
  for (const node *n = g->first; n; n = n->next) {
    if (x->told[n->id] || !n->op) continue;
    jit_scan *j = x->p->kernel_of ? x->p->kernel_of[n->id] : NULL;
    if (j && !nest_is_cumulative(n)) explain_called(x, n, jit_nest(j));
    else if (is_scan(n)) explain_interpreted(x, n);
  }
}

/* A graph that only a compiled scan or group calls is part of it. */
static void mark_bodies(const explainer *x, const graph *g, bool *inside);

static void mark_body(const explainer *x, const node *n, bool *inside) {
  bool compiled = x->p->kernel_of && x->p->kernel_of[n->id];
  for (int k = 0; n->op && k < n->op->n_operands; k++) {
    graph *sub = val_graph(n->operands[k]);
    if (sub && !compiled) mark_bodies(x, sub, inside);
  }
}

static void mark_bodies(const explainer *x, const graph *g, bool *inside) {
  int i = 0;
  while (x->p->mod->graphs.data[i] != g) i++;
  if (inside[i]) return;
  inside[i] = true;
  for (const node *n = g->first; n; n = n->next) mark_body(x, n, inside);
}

static void explain_plan(explainer *x) {
  const plan *pl = x->pl;
  int hosts = pl->hosts.len;
  str_append(x->out, "program: one call, ");
  count(x->out, pl->n_kernels, "kernel", "kernels");
  str_append(x->out, ", ");
  count(x->out, hosts, "interpreted step", "interpreted steps");
  const int_op *scratch = &pl->entry.code.data[pl->scratch];
  if (x->values) str_printf(x->out, ", %" PRId64 " bytes of scratch\n", x->values[pl->scratch]);
  else if (scratch->kind == INT_CONST)
    str_printf(x->out, ", %" PRId64 " bytes of scratch\n", scratch->k);
  else str_append(x->out, ", scratch by the sizes of the inputs\n");
}

static void explain_all(explainer *x) {
  const module *m = x->p->mod;
  bool *called = ARENA_ARRAY(m->mem, bool, m->graphs.len);
  x->told = ARENA_ARRAY(m->mem, bool, m->n_ids);
  if (x->pl) explain_plan(x);
  else
    str_printf(x->out, "program: node by node: %s\n",
               x->p->no_plan ? x->p->no_plan : "--exec=interp asks for it");
  if (x->p->opts.ftz)
    str_append(x->out, "floating point: subnormal numbers are flushed to zero (--ftz)\n");
  for (int i = 0; x->pl && i < x->pl->entry.steps.len; i++) explain_step(x, i);
  mark_bodies(x, m->main, called);
  for (int i = 0; i < m->graphs.len; i++)
    if (called[i]) explain_rest(x, m->graphs.data[i]);
}

bool explain_program(str *out, program *p, const scanc_tensor *in, scanc_error *err) {
  explainer x = {.out = out, .p = p, .pl = p->planned ? p->plans : NULL};
  run_state *s = run_state_take(p);
  plan_status st = PLAN_RAN;
  target_get(p->opts.cpu, &x.t);
  fp_env env = fp_env_set(p->opts.ftz); /* it may compile */
  if (in && p->planned) st = plan_resolve(p, s, in, err);
  fp_env_restore(env);
  if (st != PLAN_FAILED) {
    if (in && st == PLAN_RAN && p->planned) x.pl = s->pl, x.values = s->values;
    if (in && st == PLAN_DECLINED) x.pl = NULL;
    explain_all(&x);
  }
  run_state_return(p, s);
  return st != PLAN_FAILED;
}
