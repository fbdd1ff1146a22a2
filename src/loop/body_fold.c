/* Groups around an associative scan: elementwise nodes that compute its xs or compute from its
 * results, at the same place along its time. They are one fold: what an element enters with is
 * computed from what is loaded, and what is stored from what the elements become. */
#include "loop/body.h"
#include "loop/prefix.h"

static int seq_len(val v) { return val_is_seq(v) ? v.n : 0; }

const node *body_fold_of(const graph *g) {
  const node *fold = NULL;
  for (const node *n = g ? g->first : NULL; n; n = n->next) {
    if (!n->op || !(n->op->traits & T_BODY)) continue;
    if (fold || n->op->id != OP_associative_scan) return NULL;
    fold = n;
  }
  return fold;
}

/* Whether the scan reads and writes all of its leaves and of the results that are read, in one
 * direction. */
static bool moves_as_one(body *b, const node *fold) {
  const scan_attrs *a = fold->scan;
  val xs = fold->operands[1];
  for (int i = 0; i < xs.n; i++) {
    if (xs.items[i].kind != VAL_NODE || !type_is_tensor(xs.items[i].node->type))
      return body_refuse(b, fold, "leaf %d is no tensor", i);
    const type *t = xs.items[i].node->type;
    if (!t->n) return body_refuse(b, fold, "leaf %d has no dimension", i);
    if (a && (a->x[i].step != a->x[0].step || !dim_equal(t->dims[a->x[i].axis], a->length)))
      return body_refuse(b, fold, "leaf %d is not read as a whole, as the first one is", i);
  }
  for (int i = 0; a && i < a->n_y; i++) {
    bool read;
    prefix_reader(fold, i, &read);
    if (read && a->y[i].step != a->x[0].step)
      return body_refuse(b, fold, "result %d is not stored as leaf 0 is read", i);
  }
  return xs.n > 0;
}

static bool count(body *b, const node *call, const graph *g) {
  scan_nest *n = b->n;
  n->fold = true;
  n->order = b->fold->order;
  n->n_x = n->n_made = b->fold->operands[1].n;
  n->n_extra = seq_len(call->operands[1]);
  n->n_leaf = n->n_x + n->n_extra;
  n->n_y = graph_n_results(g);
  n->n_operand = nest_total(n, n->n_x);
  n->operand = ARENA_ARRAY(b->mem, nest_operand, n->n_operand);
  return graph_n_placeholders(g) == n->n_extra ||
         body_refuse(b, call, "the group does not fit the number of operands");
}

static bool has_time(body *b, const node *call) {
  const node *x = b->fold->operands[1].items[0].node;
  int f[SCANC_MAX_RANK];
  b->time = axes_dim(b, x, 0, b->fold->scan ? b->fold->scan->x[0].axis : 0);
  return (axes_factors(b, b->time, f) == 1 && !axes_class_moved(b, f[0]) &&
          !dim_is(axes_class_extent(b, f[0]), 1)) ||
         body_refuse(b, call, "no loop runs along the time of the scan");
}

/* The first elements stand for the first results: each needs a value of its own, which is not the
 * same in every step. */
static bool results_differ(body *b, const node *call) {
  const scan_nest *n = b->n;
  for (int c = 0; c < n->carries.len; c++)
    if (b->invariant.data[n->carries.data[c].next])
      return body_refuse(b, call, "a leaf that becomes the same in every step");
  for (int c = 0; c < n->carries.len; c++)
    for (int d = 0; d < n->carries.len; d++)
      if (n->carries.data[c].next == n->carries.data[d].item ||
          (c != d && n->carries.data[c].next == n->carries.data[d].next))
        return body_refuse(b, call, "a leaf that is passed on as it is");
  return true;
}

bool fold_build(body *b, const node *call) {
  const graph *g = val_graph(call->operands[0]);
  SCANC_TRY(moves_as_one(b, b->fold) && count(b, call, g) && axes_walk(b, g));
  axes_separate(b);
  SCANC_TRY(has_time(b, call) && body_bind_group(b, g) && body_nodes(b, g) &&
            body_group_results(b, g) && results_differ(b, call));
  if (b->n->faults.len || b->n->inners.len)
    return body_refuse(b, call, "data errors or inner scans in a group around a scan");
  return nest_split(b, call);
}

int body_twin(body *b, int value) {
  scan_nest *n = b->n;
  int input = b->input_of.data[value], twin = n->inputs.len;
  if (input < 0) twin = -1;
  twin = body_value(b, b->names.data[value], b->dtypes.data[value], false, twin,
                    b->domain.data[value]);
  if (input >= 0) {
    nest_input in = {n->inputs.data[input].ref, twin};
    vec_push(b->mem, &n->inputs, in);
    return twin;
  }
  int i = 0;
  while (n->body.data[i].value != value) i++;
  stmt s = n->body.data[i];
  s.value = twin;
  vec_push(b->mem, &n->body, s);
  return twin;
}
