/* Calls of operators. */
#include <string.h>

#include "frontend/builder.h"
#include "ir/bind.h"

/* ---- operands in the order of a signature ---- */

static bool slot_of(builder *b, const op_info *op, const scanc_value *v, int i, bool *named,
                    int *out) {
  *out = i;
  if (v->name) {
    *named = true;
    *out = op_operand_index(op, v->name, strlen(v->name));
    if (*out >= 0) return true;
    builder_fail(b, SCANC_ERR_OP_ARITY, "%s has no operand named '%.60s'; expected: %s", op->name,
                 v->name, op->signature);
    return false;
  }
  if (!*named && i < op->n_operands) return true;
  builder_fail(b, SCANC_ERR_OP_ARITY,
               *named ? "%s: an operand without name behind a named one; expected: %s"
                      : "%s: too many operands; expected: %s",
               op->name, op->signature);
  return false;
}

static bool place(builder *b, const op_info *op, const scanc_value *operands, int n, val *out) {
  bool named = false;
  int k;
  for (int i = 0; i < MAX_OPERANDS; i++) out[i] = val_absent();
  for (int i = 0; i < n; i++) {
    if (operands[i].kind == V_ABSENT) continue;
    if (!slot_of(b, op, &operands[i], i, &named, &k)) return false;
    if (out[k].kind != VAL_ABSENT) {
      builder_fail(b, SCANC_ERR_OP_ARITY, "%s: operand '%s' is given twice", op->name,
                   op_operand_name(op, k));
      return false;
    }
    if (!value_to_val(b, operands[i], &out[k])) return false;
  }
  return true;
}

/* ---- calls ---- */

/* operator.add for numbers: NULL where some operand is none, or the op has no such form. */
static const spelling *number_form(builder *b, const op_info *op, const val *v) {
  const aten_row *row = aten_row_of_op(op->id);
  size_t n = strcspn(row->name, ".");
  for (int k = 0; k < op->n_operands; k++)
    if (v[k].kind != VAL_ABSENT && !type_is_scalar(val_type(b->m, v[k]))) return NULL;
  for (int i = 0; i < spelling_count(); i++) {
    const spelling *s = spelling_at(i);
    if (s->sym_op >= 0 && strlen(s->packet) == n && !memcmp(s->packet, row->name, n)) return s;
  }
  return NULL;
}

static node *no_overload(builder *b, const op_info *op, const val *v) {
  for (int k = 0; k < op->n_operands; k++) {
    if (v[k].kind != VAL_ABSENT || op_operand_default(op, k).kind != VAL_ABSENT) continue;
    builder_fail(b, SCANC_ERR_OP_ARITY, "%s: operand '%s' is missing; expected: %s", op->name,
                 op_operand_name(op, k), op->signature);
    return NULL;
  }
  builder_fail(b, SCANC_ERR_BAD_ARGUMENT, "%s does not take operands of these kinds; expected: %s",
               op->name, op->signature);
  return NULL;
}

static node *call_op(builder *b, const op_info *op, const val *v) {
  cursor c = builder_cursor(b->open);
  val placed[MAX_OPERANDS];
  const spelling *s = number_form(b, op, v);
  if (s) return builder_call(b, &c, s->path, v, op->n_operands, NULL, 0);
  const aten_row *row = bind_overload(b->m, op, v, placed);
  if (!row) return no_overload(b, op, v);
  b->m->lenient = false;
  node *n = node_call_row(&c, row, placed, op_get(row->op)->n_operands);
  b->m->lenient = true;
  return n;
}

scanc_value scanc_op(scanc_module *mod, const char *name, const scanc_value *operands, int n) {
  if (!mod) mod = builder_module(operands, n);
  builder *b = builder_of(mod);
  val v[MAX_OPERANDS];
  if (!b) return builder_invalid(mod);
  if (!name || (n > 0 && !operands))
    return builder_fail(b, SCANC_ERR_USAGE, "scanc_op: '%s' is NULL", name ? "operands" : "op");
  const op_info *op = op_by_name(name);
  if (!op || !aten_row_of_op(op->id) || op->traits & T_BODY)
    return builder_fail(b, SCANC_ERR_UNKNOWN_OP, "no operator is named '%.60s'", name);
  if (!place(b, op, operands, n, v)) return builder_made(b, NULL, op->name, v, op->n_operands);
  return builder_made(b, call_op(b, op, v), op->name, v, op->n_operands);
}

static const char *full_path(builder *b, const char *path) {
  bool bare = !strncmp(path, "aten.", 5);
  return bare ? arena_printf(b->m->mem, "torch.ops.%s", path) : path;
}

/* Positional arguments, then named ones; what is not given at the end does not count. */
static bool arguments(builder *b, const char *path, const scanc_value *args, int n, val *out,
                      const char **kw, int *n_kw) {
  for (int i = 0; i < n; i++) {
    if (args[i].name) kw[(*n_kw)++] = args[i].name;
    else if (*n_kw) {
      builder_fail(b, SCANC_ERR_OP_ARITY, "%.100s: argument %d has no name, but one before it has",
                   path, i);
      return false;
    }
    if (!value_to_val(b, args[i], &out[i])) return false;
  }
  return true;
}

scanc_value scanc_call(scanc_module *mod, const char *path, const scanc_value *args, int n) {
  if (!mod) mod = builder_module(args, n);
  builder *b = builder_of(mod);
  if (!b) return builder_invalid(mod);
  if (!path || (n > 0 && !args))
    return builder_fail(b, SCANC_ERR_USAGE, "scanc_call: '%s' is NULL", path ? "args" : "path");
  while (n > 0 && args[n - 1].kind == V_ABSENT) n--;
  int n_kw = 0;
  val *v = ARENA_ARRAY(mod->mem, val, n > 0 ? n : 0);
  const char **kw = ARENA_ARRAY(mod->mem, const char *, n > 0 ? n : 0);
  if (!arguments(b, path, args, n, v, kw, &n_kw)) return builder_invalid(mod);
  cursor c = builder_cursor(b->open);
  node *call = builder_call(b, &c, full_path(b, path), v, n - n_kw, kw, n_kw);
  if (!mod->err.code && !call->op)
    return builder_fail(b, SCANC_ERR_UNKNOWN_OP, "PyTorch's '%.100s' is not known", path);
  return builder_made(b, call, path, v, n);
}

/* ---- results and sizes ---- */

/* Where an operation on a value of n goes: the end of its graph, or behind it while an inner graph
 * is under construction. False after an error. */
static bool behind(builder *b, node *n, cursor *c) {
  const scope *home = builder_scope(b, n->owner);
  if (!builder_bring(b, (scope *)home, n)) return false;
  *c = home == b->open ? builder_cursor(home) : cursor_after(n);
  return true;
}

static node *turned(builder *b, cursor *c, node *n, const char *path, val a, val d) {
  val args[3] = {val_node(n), a, d};
  return n && !b->m->err.code
             ? builder_call(b, c, path, args, d.kind == VAL_ABSENT ? 2 : 3, NULL, 0)
             : NULL;
}

/* Result i of a scan along another dimension than 0, or in reverse: ys and results of associative
 * scans are turned back. */
static node *turn_back(builder *b, cursor *c, node *n, scanc_value v, int i) {
  const node *scan = v.u.p;
  int dim_ = v.n / 2, n_carry = node_is_op(scan, OP_scan) ? scan->args[1].n : 0;
  int64_t zero = 0;
  if (i < n_carry || !n || !n->type || !type_is_tensor(n->type)) return n;
  if (v.n % 2)
    n = turned(b, c, n, "torch.ops.aten.flip.default", val_ints(b->m->mem, &zero, 1), val_absent());
  if (dim_ > 0 && n && n->type && dim_ < n->type->n)
    n = turned(b, c, n, "torch.ops.aten.movedim.int", val_int(0), val_int(dim_));
  return n;
}

scanc_value scanc_get(scanc_value v, int i) {
  builder *b = v.graph ? builder_of(v.graph->mod) : NULL;
  int n = scanc_n_results(v);
  cursor c;
  if (!b) return builder_invalid(v.graph ? v.graph->mod : NULL);
  if (v.kind == V_INVALID) return v;
  if (i < 0 || i >= n)
    return builder_fail(b, SCANC_ERR_INDEX_RANGE, "result %d of a value that has %d", i, n);
  node *from = (node *)v.u.p;
  if (v.kind == V_SYMBOL || (v.kind == V_NODE && !(from->type && from->type->kind == TYPE_LIST)))
    return v;
  if (!behind(b, from, &c)) return builder_invalid(b->m);
  val args[2] = {val_node(from), val_int(i)};
  node *item = builder_call(b, &c, "operator.getitem", args, 2, NULL, 0);
  if (v.kind == V_SCAN) item = turn_back(b, &c, item, v, i);
  return builder_made(b, item, "scanc_get", args, 2);
}

int scanc_n_results(scanc_value v) {
  const node *n = v.kind == V_NODE || v.kind == V_SCAN ? v.u.p : NULL;
  if (n && n->type && n->type->kind == TYPE_LIST) return n->type->n;
  return n || v.kind == V_SYMBOL;
}

scanc_value scanc_size(scanc_value v, int dim_) {
  builder *b = v.graph ? builder_of(v.graph->mod) : NULL;
  node *n = value_node(v);
  if (!b) return builder_invalid(v.graph ? v.graph->mod : NULL);
  if (!n || !n->type || !type_is_tensor(n->type))
    return builder_fail(b, SCANC_ERR_BAD_ARGUMENT, "scanc_size: expected a tensor of known type");
  int axis = dim_ < 0 ? dim_ + n->type->n : dim_;
  if (axis < 0 || axis >= n->type->n)
    return builder_fail(b, SCANC_ERR_DIM_RANGE, "scanc_size: no dimension %d in rank %d", dim_,
                        n->type->n);
  if (dim_is_int(n->type->dims[axis])) return scanc_i(n->type->dims[axis].k);
  scanc_value args[2] = {v, scanc_i(axis)};
  return scanc_op(NULL, "sym_size", args, 2);
}
