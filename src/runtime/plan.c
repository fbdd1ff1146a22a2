/* Making plans: values of nodes, steps, places, and the entry. */
#include "runtime/plan.h"

#include <stdio.h>
#include <string.h>

#include "loop/walk.h"
#include "runtime/plan_cell.h"
#include "runtime/plan_inline.h"

bool plan_refuse(planner *x, const node *n, const char *what) {
  if (!x->why->len) str_printf(x->why, "node %s: %s", n->name, what);
  return false;
}

/* ---- sizes ---- */

void plan_contiguous(planner *x, nest_view *v) {
  dim stride = dim_int(1);
  for (int d = v->rank - 1; d >= 0; d--) {
    v->stride[d] = stride;
    if (!dim_is(v->size[d], 0)) stride = dim_mul(x->syms, stride, v->size[d]);
  }
}

int plan_code(planner *x, dim d) { return int_code_add(x->pl->mem, &x->pl->entry.code, d); }

static bool add_guard(planner *x, dim d, bool zero) {
  plan_guard g = {plan_code(x, d), zero};
  if (g.value < 0) return false;
  vec_push(x->pl->mem, &x->pl->guards, g);
  return true;
}

bool plan_require(planner *x, dim d) {
  if (dim_is_int(d)) return d.k >= 0;
  return add_guard(x, d, false);
}

bool plan_require_equal(planner *x, dim a, dim b) {
  dim d = dim_sub(x->syms, a, b);
  return dim_is_int(d) ? d.k == 0 : add_guard(x, d, true);
}

bool plan_operand_dim(planner *x, val v, dim *out) {
  if (v.kind == VAL_INT) return *out = dim_int(v.i), true;
  if (v.kind != VAL_NODE || x->of[v.node->id].kind != VALUE_INT) return false;
  *out = x->of[v.node->id].i;
  return true;
}

static bool known_size(const type *t) {
  for (int d = 0; type_is_tensor(t) && d < t->n; d++)
    if (!dim_is_int(t->dims[d]) && dim_is_unbacked(t->dims[d])) return false;
  return true;
}

/* ---- blocks ---- */

static int n_inputs(const planner *x) { return x->p->n_inputs; }

nest_view plan_new_array(planner *x, scanc_dtype dtype, const dim *size, int rank) {
  nest_view v = {.buffer = n_inputs(x) + x->blocks.len, .offset = dim_int(0), .dtype = dtype};
  dim bytes = dim_int((int64_t)scanc_dtype_size(dtype));
  v.rank = rank;
  for (int d = 0; d < rank; d++) {
    v.size[d] = size[d];
    bytes = dim_mul(x->syms, bytes, v.size[d]);
  }
  plan_contiguous(x, &v);
  plan_block b = {.bytes = bytes, .first = x->steps.len, .last = x->steps.len, .output = -1};
  vec_push(x->tmp, &x->blocks, b);
  return v;
}

nest_view plan_new_block(planner *x, const type *t) {
  dim size[SCANC_MAX_RANK];
  for (int d = 0; d < t->n; d++) size[d] = plan_dim(x, t->dims[d]);
  return plan_new_array(x, t->dtype, size, t->n);
}

void plan_use(planner *x, int where) {
  if (where < n_inputs(x)) return;
  plan_block *b = &x->blocks.data[where - n_inputs(x)];
  b->last = x->steps.len;
  for (int i = 0; b->moving && i < 2; i++) plan_use(x, b->base[i]);
}

/* ---- inputs ---- */

static dim stride_param(planner *x, int input, int d) {
  char name[48];
  snprintf(name, sizeof name, "input %d stride %d", input, d); /* no symbol of a module */
  return dim_symbol(x->syms, name);
}

static plan_value input_tensor(planner *x, int i, const type *t) {
  plan_value v = {.kind = VALUE_TENSOR};
  v.view = (nest_view){.buffer = i, .offset = dim_int(0), .dtype = t->dtype, .rank = t->n};
  for (int d = 0; d < t->n; d++) v.view.size[d] = plan_dim(x, t->dims[d]);
  plan_contiguous(x, &v.view);
  for (int d = 0; d < t->n; d++) switch (x->pl->key.along[i * SCANC_MAX_RANK + d]) {
      case ALONG_NOTHING: v.view.stride[d] = dim_int(0); break;
      case ALONG_UNIT: v.view.stride[d] = dim_int(1); break;
      case ALONG_STRIDED: v.view.stride[d] = stride_param(x, i, d); break;
      default: break;
    }
  return v;
}

static void add_input(planner *x, const node *n, int i) {
  const type *t = x->p->inputs[i].type;
  plan_value *v = &x->of[n->id];
  if (type_is_tensor(t)) *v = input_tensor(x, i, t);
  else if (t && t->kind == TYPE_INT) *v = (plan_value){.kind = VALUE_INT, .i = plan_dim(x, t->i)};
  else *v = (plan_value){.kind = VALUE_INPUT};
  v->input = i;
}

/* ---- kernels ---- */

static bool number_view(planner *x, const node *n, dim d, nest_view *out) {
  static const type cell = {.kind = TYPE_TENSOR, .dtype = SCANC_I64};
  plan_step s = {.kind = STEP_NUMBER, .number = d, .n_places = 1, .n = n};
  *out = plan_new_block(x, &cell);
  s.buffer = ARENA_ARRAY(x->tmp, int, 1);
  s.offset = ARENA_ARRAY(x->tmp, dim, 1);
  *s.buffer = out->buffer;
  vec_push(x->tmp, &x->steps, s);
  return true;
}

bool plan_input_number(const planner *x, int i, nest_view *out) {
  const type *t = x->p->inputs[i].type;
  scanc_dtype d = !t                      ? SCANC_N_DTYPES
                  : t->kind == TYPE_FLOAT ? SCANC_F64
                  : t->kind == TYPE_BOOL  ? SCANC_BOOL
                                          : SCANC_N_DTYPES;
  *out = (nest_view){.buffer = i, .offset = dim_int(0), .dtype = d};
  return d != SCANC_N_DTYPES;
}

static bool operand_view(planner *x, const node *n, val v, nest_view *out) {
  const plan_value *o = v.kind == VAL_NODE ? &x->of[v.node->id] : NULL;
  dim d;
  if (plan_operand_dim(x, v, &d)) return number_view(x, n, d, out);
  if (o && (o->kind == VALUE_TENSOR || o->kind == VALUE_CELL)) return *out = o->view, true;
  if (o && o->kind == VALUE_INPUT && plan_input_number(x, o->input, out)) return true;
  return plan_refuse(x, n, "an operand that is neither a tensor nor a size");
}

static bool list_views(planner *x, const node *n, val list, nest_view *out, int *count) {
  if (list.kind != VAL_LIST && list.kind != VAL_TUPLE) return true;
  if (list.n == 1 && val_is_seq(list.items[0])) list = list.items[0];
  for (int i = 0; i < list.n; i++)
    if (!operand_view(x, n, list.items[i], &out[(*count)++])) return false;
  return true;
}

static bool result_view(planner *x, const node *n, nest_view *out, plan_value *value) {
  *out = plan_result(x, n, n->type);
  *value = (plan_value){.kind = VALUE_TENSOR, .view = *out};
  return true;
}

bool plan_result_views(planner *x, const node *n, const scan_nest *nest, nest_view *out,
                       plan_value *value) {
  const type *t = n->type;
  *value = (plan_value){.kind = VALUE_LIST, .n = t->n};
  value->items = ARENA_ARRAY(x->tmp, plan_value, t->n);
  for (int i = 0; i < t->n; i++) {
    bool unread = nest && (nest->operand[nest->n_leaf + i].none || out[i].buffer >= 0);
    if (!unread) out[i] = (nest_view){.buffer = -1};
    if (unread || t->items[i]->kind == TYPE_NONE) continue;
    out[i] = plan_result_item(x, n, i, t->items[i]);
    value->items[i] = (plan_value){.kind = VALUE_TENSOR, .view = out[i]};
  }
  return true;
}

static dim steps_of(planner *x, const node *n, const scan_nest *nest, const nest_view *operand) {
  if (nest->timeless) return dim_int(1);
  if (n->scan && !(nest->fold && nest->order.seeded)) return plan_dim(x, n->scan->length);
  for (int o = nest->n_carry; o < nest->n_leaf; o++) {
    const nest_operand *p = &nest->operand[o];
    if (!p->none && p->time_axis >= 0) return operand[o].size[p->axis[p->time_axis]];
  }
  return dim_int(0);
}

static const dim *starts_of(planner *x, const node *n, int n_x) {
  if (!n->scan) return NULL;
  dim *start = ARENA_ARRAY(x->tmp, dim, n_x);
  for (int i = 0; i < n_x; i++) start[i] = plan_dim(x, n->scan->x[i].start);
  return start;
}

/* The nest with the parts that serve sizes of 0 where they matter. */
static bool pick_parts(planner *x, const scan_nest **n, const nest_call *call) {
  bool exact = false;
  for (int c = 0; c < (*n)->n_class; c++) {
    dim size = call->shape.extent[c];
    if (!nest_needs_exact(*n, c)) continue;
    if (dim_is_int(size)) exact |= size.k == 0;
    else if (x->pl->key.exact) exact = true;
    else {
      int v = plan_code(x, size);
      if (v < 0) return false;
      vec_push(x->pl->mem, &x->pl->may_be_empty, v);
    }
  }
  if (exact) *n = nest_exact(x->pl->mem, *n);
  return true;
}

static bool add_guards(planner *x, const nest_call *call) {
  for (int i = 0; i < call->guards.len; i++) {
    const nest_guard *g = &call->guards.data[i];
    int64_t min, max;
    dim_bounds(x->syms, g->d, &min, &max);
    if ((g->zero || min < 0) && !add_guard(x, g->d, g->zero)) return false;
  }
  return true;
}

bool plan_verify(planner *x, const node *n, const kernel *k) {
  const program *p = x->p;
  str why = {0};
  bool ok = kernel_verify(k, &why);
  if (p->refused && !strcmp(p->refused, n->op->name)) ok = false, str_append(&why, "as was asked");
  if (!ok) {
    x->bad = n;
    p->why_not[n->id] = arena_printf(p->mem, "its kernel is refused: %s", str_cstr(&why));
    plan_refuse(x, n, p->why_not[n->id]);
  }
  str_free(&why);
  return ok;
}

static bool finish_kernel(planner *x, plan_step *s) {
  target t;
  if (!target_get(x->p->opts.cpu, &t)) return plan_refuse(x, s->n, "unknown CPU level");
  if (!stmts_lane_loop(&s->k->body)) schedule_scan(s->k, &t);
  if (x->p->opts.threads > 1) s->split = split_make(s->k, x->p->opts.threads);
  return plan_verify(x, s->n, s->k);
}

bool plan_add_step(planner *x, plan_step *s) {
  if (!finish_kernel(x, s)) return false;
  for (int i = 0; i < s->n_places; i++) plan_use(x, s->buffer[i]);
  s->fault_base = x->pl->faults.len;
  for (int i = 0; i < s->k->faults.len; i++)
    vec_push(x->pl->mem, &x->pl->faults, s->k->faults.data[i]);
  x->pl->n_kernels++;
  vec_push(x->tmp, &x->steps, *s);
  return true;
}

int plan_scratch(planner *x, dim bytes) {
  plan_block b = {.bytes = bytes, .first = x->steps.len, .last = x->steps.len, .output = -1};
  vec_push(x->tmp, &x->blocks, b);
  return n_inputs(x) + x->blocks.len - 1;
}

bool plan_bind(planner *x, const scan_nest *nest, const nest_view *operand, nest_call *call) {
  return nest_bind(x->tmp, nest, x->syms, operand, dim_int(1), NULL, call) && add_guards(x, call);
}

/* A scan or a group with a lowering. */
static bool add_nest(planner *x, const node *n, const scan_nest *nest) {
  nest_view *operand = ARENA_ARRAY(x->tmp, nest_view, nest->n_operand);
  bool seeded = nest->fold && nest->order.seeded;
  int count = seeded ? nest->n_x : nest->n_made;
  if (seeded && !plan_seeds(x, n, nest, operand)) return false;
  if (nest_is_cumulative(n) && !operand_view(x, n, n->operands[0], &operand[count++])) return false;
  for (int k = 1 + seeded; k < n->op->n_operands && count < nest->n_leaf; k++)
    if (!list_views(x, n, n->operands[k], operand, &count)) return false;
  if (count != nest->n_leaf) return plan_refuse(x, n, "operands that do not fit its body");
  plan_value value;
  nest_call call;
  dim length = steps_of(x, n, nest, operand);
  int entry = plan_own_results(x, n, &nest, operand);
  if (entry == FOLD_TOTAL && !plan_require(x, dim_sub(x->syms, length, dim_int(1)))) return false;
  bool list = n->type && n->type->kind == TYPE_LIST;
  if (!(list ? plan_result_views(x, n, nest, operand + nest->n_leaf, &value)
             : result_view(x, n, operand + nest->n_leaf, &value)))
    return false;
  const dim *start = seeded ? NULL : starts_of(x, n, nest->n_x);
  if (!nest_bind(x->tmp, nest, x->syms, operand, length, start, &call) || !add_guards(x, &call) ||
      !pick_parts(x, &nest, &call))
    return plan_refuse(x, n, "sizes that its kernel does not serve");
  plan_bind_state(nest, operand, entry, &call);
  x->of[n->id] = value;
  if (nest->fold && dim_is(length, 0)) return true; /* no elements: nothing to compute */
  return plan_add_nest(x, n, nest, operand, &call, length, entry);
}

/* ---- nodes ---- */

static bool add_item(planner *x, const node *n) {
  val from = n->operands[0], at = n->operands[1];
  const plan_value *list = from.kind == VAL_NODE ? &x->of[from.node->id] : NULL;
  if (!list || list->kind != VALUE_LIST || at.kind != VAL_INT) return false;
  int64_t i = at.i < 0 ? at.i + list->n : at.i;
  if (i < 0 || i >= list->n) return false;
  x->of[n->id] = list->items[i];
  return true;
}

static bool sizes_are_known(planner *x, const node *n) {
  const type *t = n->type;
  bool ok = known_size(t);
  for (int i = 0; t && t->kind == TYPE_LIST && i < t->n; i++) ok = ok && known_size(t->items[i]);
  if (t && t->kind == TYPE_INT) ok = dim_is_int(t->i) || !dim_is_unbacked(t->i);
  return ok || plan_refuse(x, n, "a size that only the data tell");
}

/* An assertion about the element type alone, which inference has answered. */
static bool is_settled(const node *n) {
  if (!node_is_op(n, OP_assert_metadata) || n->operands[0].kind != VAL_NODE) return false;
  const type *t = n->operands[0].node->type;
  for (int k = 1; k < 3; k++)
    if (n->operands[k].kind != VAL_NONE && n->operands[k].kind != VAL_ABSENT) return false;
  return type_is_tensor(t) && n->operands[3].kind == VAL_DTYPE && n->operands[3].dtype == t->dtype;
}

/* Where the planner is, to come back to. */
typedef struct {
  int steps, blocks, hosts, faults, guards, empty, kernels, depth, packed;
  const node *interpreted;
} plan_mark;

static plan_mark mark(const planner *x) {
  const plan *pl = x->pl;
  return (plan_mark){x->steps.len,   x->blocks.len,        pl->hosts.len, pl->faults.len,
                     pl->guards.len, pl->may_be_empty.len, pl->n_kernels, x->depth,
                     x->packed.len,  pl->interpreted};
}

static void reset(planner *x, const plan_mark *m) {
  plan *pl = x->pl;
  x->steps.len = m->steps, x->blocks.len = m->blocks, x->depth = m->depth;
  x->packed.len = m->packed;
  pl->hosts.len = m->hosts, pl->faults.len = m->faults, pl->guards.len = m->guards;
  pl->may_be_empty.len = m->empty, pl->n_kernels = m->kernels, pl->interpreted = m->interpreted;
}

/* A scan, loop or branch as steps; what has none is a step of the interpreter. */
static bool try_flow(planner *x, node *n) {
  plan_mark before = mark(x);
  str own = {0}, *outer = x->why;
  x->why = &own;
  bool ok = plan_flow(x, n);
  x->why = outer;
  if (!ok && !x->bad) {
    x->p->why_not[n->id] = arena_strdup(x->p->mem, str_cstr(&own));
    reset(x, &before);
    x->of[n->id] = (plan_value){.kind = VALUE_UNKNOWN};
  }
  str_free(&own);
  return ok;
}

/* A number that no size tells. */
static bool is_data(const node *n) {
  const type *t = n->type;
  if (t && t->kind == TYPE_INT) return !dim_is_int(t->i) && dim_is_unbacked(t->i);
  return t && (t->kind == TYPE_BOOL || t->kind == TYPE_FLOAT);
}

bool plan_alone(planner *x, node *n) {
  const jit_scan *j = x->p->kernel_of[n->id];
  if (x->barred[n->id]) return plan_add_host(x, n);
  if (j) return add_nest(x, n, jit_nest(j));
  if (n->op->traits & T_BODY && try_flow(x, n)) return true;
  plan_op_fn own = plan_op_of(n->op);
  plan_steps made = own && !x->bad ? own(x, n) : STEPS_NONE;
  return made == STEPS_MADE || (made == STEPS_NONE && !x->bad && plan_add_host(x, n));
}

/* A list of sizes. */
static bool add_sizes(planner *x, const node *n) {
  const type *t = n->type;
  plan_value *v = &x->of[n->id];
  bool all = t && t->kind == TYPE_LIST && t->n;
  for (int i = 0; all && i < t->n; i++)
    all = t->items[i] && t->items[i]->kind == TYPE_INT &&
          (dim_is_int(t->items[i]->i) || !dim_is_unbacked(t->items[i]->i));
  if (!all) return false;
  *v = (plan_value){.kind = VALUE_LIST, .n = t->n, .items = ARENA_ARRAY(x->tmp, plan_value, t->n)};
  for (int i = 0; i < t->n; i++)
    v->items[i] = (plan_value){.kind = VALUE_INT, .i = plan_dim(x, t->items[i]->i)};
  return true;
}

static bool add_call(planner *x, node *n) {
  if (!n->op) return plan_refuse(x, n, "an unknown operation");
  if (is_data(n) && node_is_op(n, OP_getitem) && add_item(x, n)) return true;
  plan_steps cell = is_data(n) ? plan_number(x, n) : STEPS_NONE;
  if (cell != STEPS_NONE) return cell == STEPS_MADE;
  if (!sizes_are_known(x, n)) return false;
  if (is_settled(n)) return true;
  if (n->type && n->type->kind == TYPE_INT) {
    x->of[n->id] = (plan_value){.kind = VALUE_INT, .i = plan_dim(x, n->type->i)};
    return true;
  }
  if (add_sizes(x, n)) return true;
  if (!plan_sizes_hold(x, n)) return plan_refuse(x, n, "sizes that contradict its type");
  if (plan_leave(x, n)) return true;
  if (node_is_op(n, OP_getitem) && add_item(x, n)) return true;
  if (plan_view_of(x, n)) return true;
  if (node_is_op(n, OP_cat) && x->of[n->id].kind == VALUE_TENSOR) return true;
  plan_steps made = plan_together(x, n);
  return made == STEPS_MADE || (made == STEPS_NONE && plan_alone(x, n));
}

bool plan_node(planner *x, node *n) {
  switch (n->kind) {
    case NODE_GET_ATTR: {
      int i = val_graph(val_node(n)) ? -1 : ports_attr((void *)x->p, n->owner, n->path);
      if (i >= 0) add_input(x, n, i);
      return true;
    }
    case NODE_CALL_FUNCTION:
    case NODE_CALL_METHOD: return add_call(x, n);
    case NODE_CALL_MODULE: return !node_has_uses(n) || plan_refuse(x, n, "a call of a module");
    case NODE_PLACEHOLDER:
    case NODE_OUTPUT: break;
  }
  return true;
}

/* ---- outputs ---- */

static bool output_of(planner *x, int i, val leaf) {
  plan_output *o = &x->pl->outputs[i];
  const node *out = graph_output(x->p->mod->main);
  dim d;
  if (x->p->outputs[i].port.kind == SCANC_PORT_NONE) return o->kind = PLAN_NOTHING, true;
  if (plan_operand_dim(x, leaf, &d)) {
    *o = (plan_output){.kind = PLAN_NUMBER, .dtype = SCANC_I64, .number = plan_code(x, d)};
    return o->number >= 0 || plan_refuse(x, out, "a size without code");
  }
  const plan_value *v = leaf.kind == VAL_NODE ? &x->of[leaf.node->id] : NULL;
  bool computed = v && (v->kind == VALUE_TENSOR || v->kind == VALUE_CELL);
  if (!computed || v->view.buffer < n_inputs(x) || !x->blocks.data)
    return plan_refuse(x, out, "a result that is neither computed nor a size");
  plan_block *b = &x->blocks.data[v->view.buffer - n_inputs(x)];
  if (b->output >= 0 || b->moving || !dim_is(v->view.offset, 0))
    return plan_refuse(x, out, "a result that shares memory with another one");
  b->output = i;
  *o = (plan_output){.kind = PLAN_TENSOR, .dtype = v->view.dtype, .bytes = plan_code(x, b->bytes)};
  return o->bytes >= 0 && plan_host_view(x, &v->view, &o->view);
}

static void collect_leaves(val v, val *out, int *n) {
  bool dict = v.kind == VAL_DICT;
  if (v.kind != VAL_LIST && v.kind != VAL_TUPLE && !dict) {
    out[(*n)++] = v;
    return;
  }
  for (int i = dict; i < v.n; i += 1 + dict) collect_leaves(v.items[i], out, n);
}

static bool add_outputs(planner *x) {
  val *leaf = ARENA_ARRAY(x->tmp, val, x->p->n_outputs),
      all = graph_output(x->p->mod->main)->args[0];
  int n = 0;
  collect_leaves(all, leaf, &n);
  x->pl->outputs = ARENA_ARRAY(x->pl->mem, plan_output, x->p->n_outputs);
  for (int i = 0; i < x->p->n_outputs; i++)
    if (!output_of(x, i, leaf[x->p->outputs[i].result])) return false;
  return true;
}

/* ---- the whole ---- */

static bool build(planner *x) {
  int parameter = 0;
  plan_find_joins(x, x->p->mod->main);
  FOR_EACH_NODE (n, x->p->mod->main) {
    if (n->kind == NODE_PLACEHOLDER) add_input(x, n, parameter++);
    else if (!plan_node(x, n)) return false;
  }
  return add_outputs(x) && plan_place(x);
}

/* One attempt. A kernel that is refused bars its node: the next one leaves that to the interpreter.
 */
static plan *attempt(const program *p, const plan_key *key, bool *barred, bool *again, str *why) {
  arena *mem = arena_new(), *tmp = arena_new();
  plan *pl = ARENA_NEW(mem, plan);
  *pl = (plan){.mem = mem, .key = *key, .syms = symtab_new(mem)};
  pl->key.along = arena_copy(mem, key->along, (size_t)p->n_inputs * SCANC_MAX_RANK);
  pl->entry = (entry_point){.mem = mem, .name = "scanc_entry"};
  planner x = {.p = p, .pl = pl, .syms = pl->syms, .tmp = tmp, .why = why, .barred = barred};
  x.of = ARENA_ARRAY(tmp, plan_value, p->mod->n_ids);
  x.join = ARENA_ARRAY(tmp, plan_join, p->mod->n_ids);
  x.late = ARENA_ARRAY(tmp, unsigned char, p->mod->n_ids);
  bool ok = build(&x);
  *again = !ok && x.bad && !barred[x.bad->id];
  if (*again) barred[x.bad->id] = true;
  arena_free(tmp);
  if (ok) return pl;
  arena_free(mem);
  return NULL;
}

static void warn_of_barred(const program *p, const bool *barred) {
  for (int i = 0; i < p->mod->graphs.len; i++)
    for (const node *n = p->mod->graphs.data[i]->first; n; n = n->next)
      if (barred[n->id])
        log_say(&p->mod->log, SCANC_LOG_WARNING, "%s:%d: '%s' is interpreted: %s", p->mod->name,
                n->loc.line, n->name, p->why_not[n->id]);
}

plan *plan_new(const program *p, const plan_key *key, str *why_not) {
  arena *tmp = arena_new();
  bool *barred = ARENA_ARRAY(tmp, bool, p->mod->n_ids), again;
  plan *pl;
  do {
    str_clear(why_not);
    pl = attempt(p, key, barred, &again, why_not);
  } while (again);
  if (pl) warn_of_barred(p, barred);
  arena_free(tmp);
  return pl;
}
