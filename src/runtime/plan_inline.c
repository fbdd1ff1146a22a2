#include "runtime/plan_inline.h"

#include "passes/view.h"
#include "runtime/jit.h"
#include "runtime/plan_product.h"
#include "runtime/plan_reduce.h"

enum {
  MAX_COST = 40, /* instructions per element of what reductions and products compute as they read,
                    which they do in several places */
  UNKNOWN_SIZE = 256
};

/* ---- groups ---- */

/* The nest of a group that can be part of other kernels, NULL. */
static const scan_nest *nest_of(const planner *x, const node *n) {
  const jit_scan *j = node_is_op(n, OP_invoke_subgraph) ? x->p->kernel_of[n->id] : NULL;
  const scan_nest *nest = j ? jit_nest(j) : NULL;
  return nest && group_fits(nest) && !x->barred[n->id] ? nest : NULL;
}

static bool together(const planner *x, const node *a, const node *b) {
  return a->owner == b->owner && (!x->varies || x->varies[a->id] == x->varies[b->id]);
}

static bool same_sizes(const type *a, const type *b) {
  bool same = type_is_tensor(a) && type_is_tensor(b) && a->n == b->n;
  for (int d = 0; same && d < a->n; d++) same = dim_equal(a->dims[d], b->dims[d]);
  return same;
}

static const node *operand_node(const node *n, int k) {
  return n->operands[k].kind == VAL_NODE ? n->operands[k].node : NULL;
}

/* The arguments of a call of a group. */
static val arguments(const node *group) {
  val v = group->operands[1];
  return val_is_seq(v) && v.n == 1 && val_is_seq(v.items[0]) ? v.items[0] : v;
}

static int index_of(const node *group, const node *argument) {
  val v = arguments(group);
  int found = -1;
  for (int i = 0; val_is_seq(v) && i < v.n; i++) {
    if (v.items[i].kind != VAL_NODE || v.items[i].node != argument) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

/* ---- what goes on with a result ---- */

bool plan_goes_on(op_id op) {
  return plan_is_matmul(op) || plan_is_fold(op) || op == OP_convolution;
}

/* The group that alone reads n and has its sizes, NULL. */
static const node *reader_of(const planner *x, const node *n) {
  const node *user = n->uses && !n->uses->next ? n->uses->user : NULL;
  if (!user || !n->op || !plan_goes_on(n->op->id) || !type_is_tensor(n->type) || x->barred[n->id])
    return NULL;
  const scan_nest *nest = nest_of(x, user);
  if (!nest || !together(x, n, user) || x->join[n->id].cat || x->join[n->id].place) return NULL;
  if (dtype_class(n->type->dtype) == 'c' || index_of(user, n) < 0) return NULL;
  return user->type && user->type->kind == TYPE_LIST && same_sizes(n->type, user->type->items[0])
             ? user
             : NULL;
}

/* Of several that one group reads the last one is left to it. */
static bool is_last(const planner *x, const node *n, const node *reader) {
  for (const node *m = n->next; m && m != reader; m = m->next)
    if (x->late[m->id] != COMPUTED_EARLY && reader_of(x, m) == reader) return false;
  return true;
}

/* ---- what a reduction or product reads ---- */

/* The first reduction of an item of the group; *item: that. */
static const node *fold_of(const planner *x, const node *group, const node **item) {
  const node *fold = NULL;
  for (const use *u = group->uses; u; u = u->next) {
    if (!node_is_op(u->user, OP_getitem)) return NULL;
    for (const use *w = u->user->uses; w; w = w->next) {
      const node *r = w->user;
      if (!r->op || !plan_is_fold(r->op->id) || operand_node(r, 0) != u->user || x->barred[r->id])
        continue;
      if (!together(x, group, r) || x->late[r->id] || !type_is_tensor(r->type)) continue;
      if (!type_is_tensor(u->user->type)) continue;
      if (!fold || r->id < fold->id) fold = r, *item = u->user;
    }
  }
  return fold;
}

/* The node that alone reads the value, if it is a permutation what alone reads that; NULL. */
static const node *single_reader(const node *v) {
  const node *user = node_n_uses(v) == 1 ? v->uses->user : NULL;
  int perm[SCANC_MAX_RANK];
  if (!user || !node_is_op(user, OP_permute) || !view_permutation(user, perm)) return user;
  return node_n_uses(user) == 1 ? user->uses->user : NULL;
}

static bool is_needed(const planner *x, const node *item, const node *fold) {
  bool other = x->join[item->id].cat || x->join[item->id].place;
  if (single_reader(item) == fold) return other;
  for (const use *u = item->uses; u; u = u->next) other |= u->user != fold;
  return other;
}

/* Whether item i of the group is read by others than the reduction. */
static bool is_stored(const planner *x, const node *group, int i, const node *fold) {
  bool stored = false;
  for (const use *u = group->uses; u; u = u->next) {
    val at = u->user->operands[1];
    if (at.kind == VAL_INT && at.i == i) stored |= is_needed(x, u->user, fold);
  }
  return stored;
}

static bool any_stored(const planner *x, const node *group, const node *fold) {
  bool any = false;
  for (int i = 0; i < group->type->n; i++) any |= is_stored(x, group, i, fold);
  return any;
}

node *plan_operand_item(const node *n, int k) {
  node *v = n->op->n_operands > k && n->operands[k].kind == VAL_NODE ? n->operands[k].node : NULL;
  bool turned = v && node_is_op(v, OP_permute) && plan_is_matmul(n->op->id);
  return turned && v->operands[0].kind == VAL_NODE ? v->operands[0].node : v;
}

/* The group that n reads an item of as operand k, and that was left to it, NULL. */
static node *left_to(const planner *x, const node *n, int k, node **item) {
  *item = plan_operand_item(n, k);
  if (!*item || !node_is_op(*item, OP_getitem) || (*item)->operands[0].kind != VAL_NODE)
    return NULL;
  node *group = (*item)->operands[0].node;
  return x->late[group->id] == LEFT_TO_USER ? group : NULL;
}

/* Elements of a value; sizes that only a run tells count as some number. */
static double elements_of(const type *t) {
  double n = 1;
  for (int d = 0; d < t->n; d++) n *= dim_is_int(t->dims[d]) ? (double)t->dims[d].k : UNKNOWN_SIZE;
  return n;
}

/* Whether operand k of a product is, or may be, left to it; of two the larger one is. */
static bool is_rival(const planner *x, const node *n, int k, const node *item) {
  node *other = NULL;
  if (left_to(x, n, k, &other)) return true;
  return other && node_is_op(other, OP_getitem) && nest_of(x, other->operands[0].node) &&
         node_n_uses(other) == 1 && elements_of(other->type) > elements_of(item->type);
}

/* The matrix product that alone reads the group, as one operand. */
static const node *product_of(const planner *x, const node *group, const node **item) {
  const node *got = node_n_uses(group) == 1 ? group->uses->user : NULL;
  const node *n = got && node_is_op(got, OP_getitem) ? single_reader(got) : NULL;
  if (!n || !n->op || !plan_is_matmul(n->op->id) || x->barred[n->id] || !together(x, group, n))
    return NULL;
  if (x->late[n->id] || !type_is_tensor(n->type) || !type_is_tensor(got->type)) return NULL;
  if (is_needed(x, got, n) || is_rival(x, n, plan_operand_item(n, 0) == got, got)) return NULL;
  *item = got;
  return n;
}

/* The reduction or product that computes the group as it reads, NULL. Threads share the elements of
 * a group, but not those of one result. */
static const node *consumer_of(const planner *x, const node *group, const node **item) {
  const scan_nest *nest = nest_of(x, group);
  if (!nest || group_cost(nest) > MAX_COST) return NULL;
  const node *fold = fold_of(x, group, item);
  if (!fold) fold = product_of(x, group, item);
  bool whole = fold && fold->type->n == 0;
  return whole && x->p->opts.threads > 1 ? NULL : fold;
}

/* ---- views ---- */

nest_view plan_as_array(planner *x, const type *t) {
  nest_view v = {.buffer = 0, .offset = dim_int(0), .dtype = t->dtype, .rank = t->n};
  for (int d = 0; d < t->n; d++) v.size[d] = plan_dim(x, t->dims[d]);
  plan_contiguous(x, &v);
  return v;
}

static bool leaf_is_read(const scan_nest *nest, int o) {
  for (int i = 0; i < nest->inputs.len; i++)
    if (nest->inputs.data[i].ref.operand == o) return true;
  return false;
}

/* The views of all operands that are used, but of the given one if it is a leaf. stored[i]: of
 * result i. */
static bool open_views(planner *x, plan_inline *w, const scan_nest *nest, int given,
                       const bool *stored) {
  nest_view *operand = ARENA_ARRAY(x->tmp, nest_view, nest->n_operand);
  nest_call call;
  val args = arguments(w->group);
  plan_value *items = ARENA_ARRAY(x->tmp, plan_value, nest->n_y);
  for (int o = 0; o < nest->n_leaf; o++) {
    const plan_value *v = &x->of[args.items[o].node->id];
    operand[o] = o == given ? plan_as_array(x, args.items[o].node->type) : v->view;
  }
  for (int i = 0; i < nest->n_y; i++) {
    const type *t = w->group->type->items[i];
    nest_view *v = &operand[nest->n_leaf + i];
    *v = stored[i] ? plan_result_item(x, w->group, i, t) : plan_as_array(x, t);
    if (stored[i]) items[i] = (plan_value){.kind = VALUE_TENSOR, .view = *v};
  }
  if (!plan_bind(x, nest, operand, &call)) return false;
  w->g = (group_inline){.n = nest, .given = given};
  w->g.view = ARENA_ARRAY(x->tmp, nest_view, GROUP_MAX_VIEWS);
  for (int o = 0; o < nest->n_leaf + nest->n_y; o++) {
    bool used =
        group_is_result(nest, o) ? stored[o - nest->n_leaf] : o != given && leaf_is_read(nest, o);
    if (!used) continue;
    w->g.operand[w->g.n_views] = o;
    w->g.view[w->g.n_views++] = group_view(nest, &call, operand, o);
  }
  x->of[w->group->id] = (plan_value){.kind = VALUE_LIST, .n = nest->n_y, .items = items};
  return true;
}

/* Whether all operands but `given` (-1: none) are tensors that have been computed. */
static bool is_ready(const planner *x, const node *group, const scan_nest *nest, int given) {
  val args = arguments(group);
  bool ready = val_is_seq(args) && args.n == nest->n_leaf;
  for (int i = 0; ready && i < args.n; i++) {
    const node *a = args.items[i].kind == VAL_NODE ? args.items[i].node : NULL;
    ready = a && (i == given || x->of[a->id].kind == VALUE_TENSOR);
  }
  return ready;
}

/* ---- steps ---- */

static plan_steps own_steps(planner *x, const node *n) {
  plan_op_fn own = plan_op_of(n->op);
  return own ? own(x, n) : STEPS_NONE;
}

/* As a permutation of its dimensions has them. */
static nest_view turned(const nest_view *v, const int *perm) {
  nest_view r = *v;
  for (int d = 0; d < r.rank; d++) r.size[d] = v->size[perm[d]], r.stride[d] = v->stride[perm[d]];
  return r;
}

/* The views as what reads the item sees them. */
static void turn(plan_inline *w, const node *item) {
  int perm[SCANC_MAX_RANK];
  const node *user = item->uses->user;
  if (!node_is_op(user, OP_permute) || !view_permutation(user, perm)) return;
  w->element = turned(&w->element, perm);
  for (int i = 0; i < w->g.n_views; i++) w->g.view[i] = turned(&w->g.view[i], perm);
}

/* The group in front of reduction or product `fold`, of which it reads `item`. */
static bool open_before(planner *x, plan_inline *w, const node *fold, const node *item) {
  const scan_nest *nest = nest_of(x, w->group);
  bool stored[GROUP_MAX_VIEWS];
  if (item->operands[1].kind != VAL_INT || !is_ready(x, w->group, nest, -1)) return false;
  for (int i = 0; i < nest->n_y; i++) stored[i] = is_stored(x, w->group, i, fold);
  w->element = plan_as_array(x, item->type);
  if (!open_views(x, w, nest, nest->n_leaf + (int)item->operands[1].i, stored)) return false;
  if (plan_is_matmul(fold->op->id)) turn(w, item);
  return true;
}

/* The group that goes on with n. */
static bool open_after(planner *x, plan_inline *w, const node *n) {
  const scan_nest *nest = nest_of(x, w->group);
  bool stored[GROUP_MAX_VIEWS];
  int given = index_of(w->group, n);
  if (!is_ready(x, w->group, nest, given)) return false;
  for (int i = 0; i < nest->n_y; i++) stored[i] = true;
  return open_views(x, w, nest, given, stored);
}

/* As if the views of the group had not been made; memory of cats stays. */
static void take_back(planner *x, const node *group, int n_blocks) {
  bool in_cat = false;
  if (!group) return;
  for (const use *u = group->uses; u; u = u->next) in_cat |= x->join[u->user->id].cat != NULL;
  if (!in_cat) x->blocks.len = n_blocks;
  x->of[group->id] = (plan_value){.kind = VALUE_UNKNOWN};
}

/* The steps of n between the two groups (NULL: none). NONE: nothing was done. */
static plan_steps between(planner *x, const node *before, const node *item, const node *n,
                          const node *after) {
  plan_inline b = {.group = before}, a = {.group = after};
  plan_steps made = STEPS_NONE;
  int n_before = x->blocks.len;
  bool open = !before || open_before(x, &b, n, item);
  int n_after = x->blocks.len;
  open = open && (!after || open_after(x, &a, n));
  x->before = before ? &b : NULL;
  x->after = after ? &a : NULL;
  if (open) made = own_steps(x, n);
  x->before = x->after = NULL;
  if (made != STEPS_NONE) return made;
  take_back(x, after, n_after);
  take_back(x, before, n_before);
  return STEPS_NONE;
}

/* The group that was left to n, NULL. */
static node *left_before(const planner *x, const node *n, node **item) {
  node *group = left_to(x, n, 0, item);
  return group || !plan_is_matmul(n->op->id) ? group : left_to(x, n, 1, item);
}

/* The values of items, and of what turns them, that were passed by while the group was late. */
static void set_items(planner *x, const node *group) {
  for (const use *u = group->uses; u; u = u->next) {
    val i = u->user->operands[1];
    if (x->of[group->id].kind == VALUE_LIST && i.kind == VAL_INT && i.i >= 0 &&
        i.i < x->of[group->id].n)
      x->of[u->user->id] = x->of[group->id].items[i.i];
    const node *reader = u->user->uses ? u->user->uses->user : NULL;
    if (reader && node_is_op(reader, OP_permute)) plan_view_of(x, reader);
  }
}

static plan_steps alone(planner *x, node *n);

/* An operator and the group in front of it that was left to it. Of two groups a product rather has
 * the one behind it than none. */
static plan_steps with_before(planner *x, node *n, const node *after) {
  node *item = NULL, *before = left_before(x, n, &item);
  if (!before && !after) return STEPS_NONE;
  plan_steps made = between(x, before, item, n, after);
  if (made != STEPS_NONE || !before || (after && !plan_is_matmul(n->op->id))) return made;
  if (alone(x, before) == STEPS_REFUSED) return STEPS_REFUSED;
  set_items(x, before);
  return after ? between(x, NULL, NULL, n, after) : STEPS_NONE;
}

/* A group and what was left to it. */
static plan_steps with_operand(planner *x, node *group) {
  val args = arguments(group);
  for (int i = 0; val_is_seq(args) && i < args.n; i++) {
    node *n = args.items[i].kind == VAL_NODE ? args.items[i].node : NULL;
    if (!n || x->late[n->id] != LEFT_TO_USER) continue;
    plan_steps made = with_before(x, n, group);
    if (made != STEPS_NONE) return made;
    return alone(x, n) == STEPS_REFUSED ? STEPS_REFUSED : STEPS_NONE;
  }
  return STEPS_NONE;
}

/* The steps of a node that is not late any more. */
static plan_steps alone(planner *x, node *n) {
  x->late[n->id] = NOT_LATE;
  bool group = node_is_op(n, OP_invoke_subgraph);
  plan_steps made = group ? with_operand(x, n) : with_before(x, n, NULL);
  if (made == STEPS_NONE) made = plan_alone(x, n) ? STEPS_MADE : STEPS_REFUSED;
  return made;
}

/* A group that a reduction computes as it reads, and that goes to memory for others: the reduction,
 * and what goes on with it if the rest of that is there, come now. */
static plan_steps with_consumer(planner *x, const node *group) {
  const node *item = NULL, *fold = consumer_of(x, group, &item);
  if (!fold || plan_is_matmul(fold->op->id)) return STEPS_NONE;
  const node *reader = reader_of(x, fold);
  plan_steps made = STEPS_NONE;
  if (reader && is_ready(x, reader, nest_of(x, reader), index_of(reader, fold)))
    made = between(x, group, item, fold, reader);
  if (made == STEPS_MADE) x->late[reader->id] = COMPUTED_EARLY;
  if (made == STEPS_NONE) made = between(x, group, item, fold, NULL);
  if (made == STEPS_MADE) x->late[fold->id] = COMPUTED_EARLY;
  return made;
}

static bool has_left_operand(const planner *x, const node *group) {
  val args = arguments(group);
  bool left = false;
  for (int i = 0; val_is_seq(args) && i < args.n; i++)
    left |= args.items[i].kind == VAL_NODE && x->late[args.items[i].node->id] == LEFT_TO_USER;
  return left;
}

/* An item of a late group, or what turns one. */
static bool is_late_item(const planner *x, const node *n) {
  const node *item = node_is_op(n, OP_permute) ? operand_node(n, 0) : n,
             *from = item && node_is_op(item, OP_getitem) ? operand_node(item, 0) : NULL;
  return from && x->late[from->id] == LEFT_TO_USER;
}

bool plan_leave(planner *x, const node *n) {
  const node *item = NULL;
  if (x->late[n->id] == COMPUTED_EARLY) return true;
  if (plan_is_seed(x, n)) return x->late[n->id] = COMPUTED_EARLY, true;
  if (node_is_op(n, OP_getitem) || node_is_op(n, OP_permute)) return is_late_item(x, n);
  bool group = node_is_op(n, OP_invoke_subgraph) && !has_left_operand(x, n);
  const node *reader = reader_of(x, n), *fold = group ? consumer_of(x, n, &item) : NULL;
  bool left = (reader && is_last(x, n, reader)) || (fold && !any_stored(x, n, fold));
  x->late[n->id] = left ? LEFT_TO_USER : NOT_LATE;
  return left;
}

plan_steps plan_together(planner *x, node *n) {
  if (!node_is_op(n, OP_invoke_subgraph)) return with_before(x, n, NULL);
  plan_steps made = nest_of(x, n) ? with_operand(x, n) : STEPS_NONE;
  return made == STEPS_NONE ? with_consumer(x, n) : made;
}

void plan_note_with(planner *x) {
  plan_step *s = &x->steps.data[x->steps.len - 1];
  s->with.before = x->before ? x->before->group : NULL;
  s->with.after = x->after ? x->after->group : NULL;
}
