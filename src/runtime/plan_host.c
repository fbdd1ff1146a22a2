/* Steps of plans that the interpreter does: its operands and results as views of the plan's memory.
 */
#include "runtime/plan.h"

bool plan_host_view(planner *x, const nest_view *v, plan_view *out) {
  *out = (plan_view){.buffer = v->buffer, .dtype = v->dtype, .rank = v->rank};
  out->offset = plan_code(x, v->offset);
  bool ok = out->offset >= 0;
  for (int d = 0; d < v->rank; d++) {
    out->size[d] = plan_code(x, v->size[d]);
    out->stride[d] = plan_code(x, v->stride[d]);
    ok = ok && out->size[d] >= 0 && out->stride[d] >= 0;
  }
  plan_use(x, v->buffer);
  return ok;
}

static bool host_value(planner *x, const plan_value *v, plan_host_value *out) {
  *out = (plan_host_value){.kind = PLAN_NOTHING};
  switch (v->kind) {
    case VALUE_TENSOR:
    case VALUE_CELL:
      out->kind = v->kind == VALUE_CELL ? PLAN_CELL : PLAN_TENSOR;
      return plan_host_view(x, &v->view, &out->view);
    case VALUE_INT:
      out->kind = PLAN_NUMBER;
      out->number = plan_code(x, v->i);
      return out->number >= 0;
    case VALUE_INPUT:
      out->kind = PLAN_INPUT;
      out->number = v->input;
      return true;
    case VALUE_LIST: {
      plan_host_value *items = ARENA_ARRAY(x->pl->mem, plan_host_value, v->n);
      *out = (plan_host_value){.kind = PLAN_LIST, .n = v->n, .items = items};
      for (int i = 0; i < v->n; i++)
        if (!host_value(x, &v->items[i], &items[i])) return false;
      return true;
    }
    default: return true;
  }
}

typedef struct {
  planner *x;
  plan_host *h;
  plan_host_value *value;
  bool ok;
} host_operands;

static void add_host_operand(node *n, void *ctx) {
  host_operands *o = ctx;
  if (val_graph(val_node(n)) || o->x->of[n->id].kind == VALUE_SLOT) return;
  int i = o->h->n_operands++;
  o->h->operand[i] = n;
  o->ok = o->ok && host_value(o->x, &o->x->of[n->id], &o->value[i]);
}

static bool tensor_results(planner *x, const node *n) {
  const type *t = n->type;
  plan_value *v = &x->of[n->id];
  if (type_is_tensor(t)) {
    *v = (plan_value){.kind = VALUE_TENSOR, .view = plan_result(x, n, t)};
    return true;
  }
  if (!t || t->kind == TYPE_NONE) return !node_has_uses(n) || plan_refuse(x, n, "unknown type");
  if (t->kind == TYPE_BOOL || t->kind == TYPE_FLOAT) return v->kind = VALUE_SLOT, true;
  if (t->kind != TYPE_LIST) return plan_refuse(x, n, "a value that is no tensor");
  for (int i = 0; i < t->n; i++)
    if (!t->items[i] || (!type_is_tensor(t->items[i]) && t->items[i]->kind != TYPE_NONE))
      return plan_refuse(x, n, "a tuple of other things than tensors");
  nest_view *views = ARENA_ARRAY(x->tmp, nest_view, t->n);
  return plan_result_views(x, n, NULL, views, v);
}

bool plan_add_host(planner *x, const node *n) {
  arena *mem = x->pl->mem;
  plan_host h = {.n = n, .operand = ARENA_ARRAY(mem, const node *, n->n_arg_uses)};
  plan_host_value *value = ARENA_ARRAY(mem, plan_host_value, n->n_arg_uses);
  host_operands o = {x, &h, value, true};
  for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], add_host_operand, &o);
  h.value = value;
  if (!o.ok || !tensor_results(x, n) || !host_value(x, &x->of[n->id], &h.result))
    return plan_refuse(x, n, "sizes without code");
  if (x->depth && !x->pl->interpreted) x->pl->interpreted = n;
  plan_step s = {
      .kind = STEP_HOST, .host = x->pl->hosts.len, .fault_base = x->pl->faults.len, .n = n};
  fault_info told_by_host = {0};
  vec_push(mem, &x->pl->faults, told_by_host);
  vec_push(mem, &x->pl->hosts, h);
  vec_push(x->tmp, &x->steps, s);
  return true;
}
