/* Result types of higher-order ops, and the contract between a call and its subgraph: number of
 * parameters, what each one gets, number of results, and that a carry keeps its shape and element
 * type. A parameter without annotation takes its type from the call. What is wrong with the results
 * of a subgraph is reported at its return. */
#include <assert.h>
#include <string.h>

#include "ir/graph.h"
#include "ir/infer.h"

/* Operands of a call in the order of the subgraph's parameters. An unknown type is NULL. */
typedef struct {
  const type **t;
  int n, cap;
} operands;

static void push(infer_ctx *c, operands *o, const type *t) {
  if (o->n == o->cap) {
    o->cap = o->cap ? 2 * o->cap : 16;
    const type **grown = ARENA_ARRAY(c->mem, const type *, o->cap);
    if (o->n) memcpy(grown, o->t, sizeof *grown * (size_t)o->n);
    o->t = grown;
  }
  o->t[o->n++] = t;
}

/* Prints a type into a buffer of the arena, for messages. */
static const char *text_of(infer_ctx *c, const type *t) {
  str s = {0};
  if (t) type_describe(&s, t);
  const char *text = arena_strdup(c->mem, t ? str_cstr(&s) : "an unknown value");
  str_free(&s);
  return text;
}

/* ---- operands ---- */

static bool subgraph(infer_ctx *c, int k, graph **out) {
  const type *t = c->arg[k];
  *out = t && t->kind == TYPE_GRAPH ? t->graph : NULL;
  if (!*out)
    infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "argument '%s' is not a subgraph",
               op_operand_name(c->op, k));
  return *out != NULL;
}

/* The items of a list operand; None and an absent operand have none. False: not a list, or unknown
 * (no error then). */
static bool leaves(infer_ctx *c, int k, const type *const **out, int *n) {
  const type *t = c->arg[k];
  *n = 0;
  *out = NULL;
  if (!t) return false;
  if (t->kind == TYPE_NONE || t->kind == TYPE_ABSENT) return true;
  if (t->kind != TYPE_LIST) {
    infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "argument '%s': expected a list, got %s",
               op_operand_name(c->op, k), text_of(c, t));
    return false;
  }
  *out = t->items;
  *n = t->n;
  return true;
}

static bool all_tensors(infer_ctx *c, int k, const type *const *t, int n) {
  for (int i = 0; i < n; i++)
    if (t[i] && !type_is_tensor(t[i])) {
      infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "leaf %d of '%s': expected a tensor, got %s", i,
                 op_operand_name(c->op, k), text_of(c, t[i]));
      return false;
    }
  return true;
}

static bool push_leaves(infer_ctx *c, operands *o, int k) {
  const type *const *t;
  int n;
  if (!leaves(c, k, &t, &n)) return false;
  for (int i = 0; i < n; i++) push(c, o, t[i]);
  return true;
}

static const type *drop_axis(infer_ctx *c, const type *t, int axis) {
  dim d[SCANC_MAX_RANK];
  int n = 0;
  for (int i = 0; i < t->n; i++)
    if (i != axis) d[n++] = t->dims[i];
  return type_tensor(c->mem, t->dtype, d, n);
}

static const type *insert_axis(infer_ctx *c, const type *t, int axis, dim size) {
  dim d[SCANC_MAX_RANK + 1];
  for (int i = 0; i <= t->n; i++) d[i] = i < axis ? t->dims[i] : i == axis ? size : t->dims[i - 1];
  return infer_tensor(c, t->dtype, d, t->n + 1);
}

static int x_axis(const infer_ctx *c, int i) {
  return c->scan && i < c->scan->n_x ? c->scan->x[i].axis : 0;
}
static int y_axis(const infer_ctx *c, int i) {
  return c->scan && i < c->scan->n_y ? c->scan->y[i].axis : 0;
}

/* Checks the xs leaves, appends their slices to `o` and finds the common length. */
static bool push_slices(infer_ctx *c, operands *o, int k, const type *const *xs, int n,
                        dim *length) {
  bool have = c->scan != NULL;
  if (have) *length = c->scan->length;
  if (!all_tensors(c, k, xs, n)) return false;
  for (int i = 0; i < n; i++) {
    int axis = x_axis(c, i);
    if (!xs[i]) {
      push(c, o, NULL);
      continue;
    }
    if (xs[i]->n <= axis) {
      infer_fail(c, SCANC_ERR_SCAN_RANK,
                 "leaf %d of '%s' has no dimension %d to scan over; expected rank >= %d, got %s", i,
                 op_operand_name(c->op, k), axis, axis + 1, text_of(c, xs[i]));
      return false;
    }
    dim size = xs[i]->dims[axis];
    if (!have) *length = size, have = true;
    else if (!c->scan && !dims_agree(c, *length, size)) {
      infer_fail(c, SCANC_ERR_SCAN_LENGTH,
                 "leaf %d of '%s', dimension %d: expected length %s, got %s", i,
                 op_operand_name(c->op, k), axis, text_of(c, type_int(c->mem, *length)),
                 text_of(c, type_int(c->mem, size)));
      return false;
    }
    push(c, o, drop_axis(c, xs[i], axis));
  }
  if (!have && n == 0)
    infer_fail(c, SCANC_ERR_MISSING_LENGTH,
               "'%s' has no leaf, so the number of steps is unknown: expected at least one "
               "leaf (dimension 0 is scanned), found none",
               op_operand_name(c->op, k));
  return have;
}

/* ---- the subgraph's side ---- */

static bool types_agree(const infer_ctx *c, const type *a, const type *b) {
  if (!a || !b) return true;
  if (a->kind != b->kind) return false;
  if (a->kind != TYPE_TENSOR) return true;
  if (a->dtype != b->dtype || a->n != b->n) return false;
  for (int i = 0; i < a->n; i++)
    if (!dims_agree(c, a->dims[i], b->dims[i])) return false;
  return true;
}

/* Whether operand `t` fits the annotated parameter `p`; a 0-d integer tensor and a symbolic size
 * are different things. */
static bool check_parameter(infer_ctx *c, const graph *g, const node *p, const type *t) {
  if (types_agree(c, p->type, t)) return true;
  infer_fail(c, SCANC_ERR_OPERAND_MISMATCH, "parameter '%s' of %s: expected %s, got %s", p->name,
             g->class_name, text_of(c, p->type), text_of(c, t));
  return false;
}

/* Binds operands to the parameters of g; those without annotation take the operand's type. */
static bool enter(infer_ctx *c, graph *g, const operands *o) {
  int n = graph_n_placeholders(g);
  if (n != o->n) {
    infer_fail(c, SCANC_ERR_BODY_ARITY,
               "%s has another number of parameters than the call passes: expected %d, got %d",
               g->class_name, o->n, n);
    return false;
  }
  bool changed = false;
  int i = 0;
  FOR_EACH_NODE (p, g) {
    if (p->kind != NODE_PLACEHOLDER) continue;
    assert(i < o->n);
    const type *t = o->t[i++];
    if (p->annotated) {
      if (!check_parameter(c, g, p, t)) return false;
    } else if (!type_equal(p->type, t)) {
      p->type = t;
      changed = true;
    }
  }
  return !changed || graph_infer(g);
}

/* Type of result i of a subgraph; NULL when unknown. */
static const type *result_type(const graph *g, int i) {
  return val_type(g->mod, graph_result(g, i));
}

static void at_return(infer_ctx *c, const graph *g) {
  const node *out = graph_output(g);
  if (out && out->loc.line) c->loc = out->loc;
}

static const type *leaf_fail(infer_ctx *c, const graph *g, scanc_code code, const char *what, int i,
                             const type *expected, const type *got) {
  at_return(c, g);
  return infer_fail(c, code, "%s %d returned by %s: expected %s, got %s", what, i, g->class_name,
                    text_of(c, expected), text_of(c, got));
}

/* Result i of g must have the shape and element type of `expected`. */
static bool check_leaf(infer_ctx *c, const graph *g, const char *what, int i, const type *expected,
                       scanc_code shape, scanc_code dtype) {
  const type *got = result_type(g, i);
  if (!expected || !got || types_agree(c, expected, got)) return true;
  bool tensors = type_is_tensor(expected) && type_is_tensor(got);
  leaf_fail(c, g, tensors && expected->dtype == got->dtype ? shape : dtype, what, i, expected, got);
  return false;
}

static bool check_count(infer_ctx *c, const graph *g, int expected, bool at_least) {
  int got = graph_n_results(g);
  if (got == expected || (at_least && got > expected)) return true;
  at_return(c, g);
  infer_fail(c, SCANC_ERR_LEAF_COUNT,
             "%s returns another number of leaves than required: expected %s%d, got %d",
             g->class_name, at_least ? "at least " : "", expected, got);
  return false;
}

/* Enters g with the operands and checks that its first n results are as the carries, which are the
 * first n operands. */
static bool check_body(infer_ctx *c, graph *g, const operands *o, int n_carry, bool exact) {
  if (!enter(c, g, o) || !graph_output(g) || !check_count(c, g, n_carry, !exact)) return false;
  for (int i = 0; i < n_carry; i++)
    if (!check_leaf(c, g, "carry", i, o->t[i], SCANC_ERR_CARRY_SHAPE, SCANC_ERR_CARRY_DTYPE))
      return false;
  return true;
}

/* The stacked form of result i of g; *ok is false after an error. */
static const type *stacked(infer_ctx *c, const graph *g, int i, int axis, dim length, bool *ok) {
  const type *t = result_type(g, i);
  if (!t || t->kind == TYPE_NONE) return t;
  if (type_is_tensor(t) && axis <= t->n) {
    t = insert_axis(c, t, axis, length);
    *ok = *ok && t;
    return t;
  }
  *ok = false;
  at_return(c, g);
  return infer_fail(c, SCANC_ERR_BAD_ARGUMENT,
                    "result %d of %s cannot be stacked: expected a tensor or None, got %s", i,
                    g->class_name, text_of(c, t));
}

static const type *with_stacked(infer_ctx *c, const graph *g, const type *const *carry, int n_carry,
                                dim length) {
  int n = graph_n_results(g);
  const type **items = ARENA_ARRAY(c->mem, const type *, n + 1);
  bool ok = true;
  for (int i = 0; i < n_carry; i++) items[i] = carry[i] ? carry[i] : result_type(g, i);
  for (int i = n_carry; i < n && ok; i++)
    items[i] = stacked(c, g, i, y_axis(c, i - n_carry), length, &ok);
  return ok ? type_list(c->mem, items, n) : NULL;
}

/* ---- the rules ---- */

const type *infer_scan(infer_ctx *c) {
  graph *g;
  operands o = {0};
  const type *const *init, *const *xs;
  int n_init, n_xs;
  dim length;
  if (!subgraph(c, 0, &g) || !leaves(c, 1, &init, &n_init) || !leaves(c, 2, &xs, &n_xs))
    return NULL;
  if (!all_tensors(c, 1, init, n_init)) return NULL;
  for (int i = 0; i < n_init; i++) push(c, &o, init[i]);
  if (!push_slices(c, &o, 2, xs, n_xs, &length) || !push_leaves(c, &o, 3)) return NULL;
  if (!check_body(c, g, &o, n_init, false)) return NULL;
  return with_stacked(c, g, init, n_init, length);
}

const type *infer_associative_scan(infer_ctx *c) {
  graph *g;
  operands o = {0};
  const type *const *xs;
  int n;
  dim length;
  if (!subgraph(c, 0, &g) || !leaves(c, 1, &xs, &n)) return NULL;
  if (n == 0)
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "expected at least one leaf in 'xs', found none");
  if (!push_slices(c, &o, 1, xs, n, &length)) return NULL;
  for (int i = 0; i < n; i++) push(c, &o, o.t[i]);
  if (!push_leaves(c, &o, 2) || !enter(c, g, &o) || !graph_output(g) ||
      !check_count(c, g, n, false))
    return NULL;
  for (int i = 0; i < n; i++)
    if (!check_leaf(c, g, "leaf", i, o.t[i], SCANC_ERR_ASSOC_SHAPE, SCANC_ERR_ASSOC_DTYPE))
      return NULL;
  const type **items = ARENA_ARRAY(c->mem, const type *, n);
  for (int i = 0; i < n; i++)
    items[i] = !o.t[i] ? NULL : c->scan ? insert_axis(c, o.t[i], y_axis(c, i), length) : xs[i];
  return type_list(c->mem, items, n);
}

static bool is_condition(const type *t) {
  if (!t || t->kind == TYPE_BOOL || t->kind == TYPE_INT) return true;
  if (!type_is_tensor(t)) return false;
  for (int i = 0; i < t->n; i++)
    if (dim_is_int(t->dims[i]) && t->dims[i].k != 1) return false;
  return true;
}

/* What both branches agree on; a number that differs is unknown. */
static bool join_branches(infer_ctx *c, const graph *g, const type *a, int i, const type **out) {
  const type *b = result_type(g, i);
  *out = a && b && a->kind == b->kind && a->kind != TYPE_TENSOR && !type_equal(a, b) ? NULL : a;
  return check_leaf(c, g, "result", i, a, SCANC_ERR_SHAPE_MISMATCH, SCANC_ERR_DTYPE_MISMATCH);
}

static bool returns_sequence(const graph *g) {
  const node *out = graph_output(g);
  return out && out->n_args && (out->args[0].kind == VAL_TUPLE || out->args[0].kind == VAL_LIST);
}

const type *infer_cond(infer_ctx *c) {
  graph *yes, *no;
  operands o = {0};
  if (!is_condition(c->arg[0]))
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "the condition must be a bool of one element");
  if (!subgraph(c, 1, &yes) || !subgraph(c, 2, &no) || !push_leaves(c, &o, 3)) return NULL;
  if (!enter(c, yes, &o) || !enter(c, no, &o) || !graph_output(yes) || !graph_output(no))
    return NULL;
  int n = graph_n_results(yes);
  if (graph_n_results(no) != n) {
    at_return(c, no);
    return infer_fail(
        c, SCANC_ERR_LEAF_COUNT,
        "the branches return different numbers of leaves: expected %d as %s does, got %d", n,
        yes->class_name, graph_n_results(no));
  }
  const type **items = ARENA_ARRAY(c->mem, const type *, n + 1);
  for (int i = 0; i < n; i++)
    if (!join_branches(c, no, result_type(yes, i), i, &items[i])) return NULL;
  return returns_sequence(yes) || n != 1 ? type_list(c->mem, items, n) : items[0];
}

const type *infer_while_loop(infer_ctx *c) {
  graph *test, *body;
  operands o = {0};
  if (!subgraph(c, 0, &test) || !subgraph(c, 1, &body) || !push_leaves(c, &o, 2)) return NULL;
  int n = o.n;
  for (int i = 0; i < n; i++) /* a carried number changes from step to step */
    if (o.t[i] && !type_is_tensor(o.t[i])) o.t[i] = NULL;
  if (!push_leaves(c, &o, 3) || !enter(c, test, &o) || !graph_output(test)) return NULL;
  if (!check_count(c, test, 1, false)) return NULL;
  if (graph_n_results(test) != 1 || !is_condition(result_type(test, 0))) {
    at_return(c, test);
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT, "%s must return one bool, got %s",
                      test->class_name, text_of(c, result_type(test, 0)));
  }
  return check_body(c, body, &o, n, true) ? type_list(c->mem, o.t, n) : NULL;
}

const type *infer_map_impl(infer_ctx *c) {
  graph *g;
  operands o = {0};
  const type *const *xs;
  int n;
  dim length;
  if (!subgraph(c, 0, &g) || !leaves(c, 1, &xs, &n)) return NULL;
  if (!push_slices(c, &o, 1, xs, n, &length) || !push_leaves(c, &o, 2) || !enter(c, g, &o))
    return NULL;
  return graph_output(g) ? with_stacked(c, g, NULL, 0, length) : NULL;
}

const type *infer_invoke_subgraph(infer_ctx *c) {
  graph *g;
  operands o = {0};
  const type *list = c->arg[1];
  if (!subgraph(c, 0, &g) || !list) return NULL;
  if (list->kind == TYPE_LIST && list->n == 1 && list->items[0] &&
      list->items[0]->kind == TYPE_LIST)
    list = list->items[0];
  for (int i = 0; list->kind == TYPE_LIST && i < list->n; i++) push(c, &o, list->items[i]);
  if (!enter(c, g, &o) || !graph_output(g)) return NULL;
  int n = graph_n_results(g);
  const type **items = ARENA_ARRAY(c->mem, const type *, n + 1);
  for (int i = 0; i < n; i++) items[i] = result_type(g, i);
  return returns_sequence(g) ? type_list(c->mem, items, n) : items[0];
}
