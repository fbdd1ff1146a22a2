/* Values of the builder: numbers, lists, symbols, and what they are as arguments of a node. */
#include <stdio.h>
#include <string.h>

#include "frontend/builder.h"

scanc_value scanc_i(int64_t i) { return (scanc_value){.kind = V_INT, .u.i = i}; }
scanc_value scanc_f(double f) { return (scanc_value){.kind = V_FLOAT, .u.f = f}; }
scanc_value scanc_b(bool b) { return (scanc_value){.kind = V_BOOL, .u.i = b}; }
scanc_value scanc_c(double re, double im) {
  return (scanc_value){.kind = V_COMPLEX, .u.f = re, .im = im};
}
scanc_value scanc_none(void) { return (scanc_value){.kind = V_NONE}; }
scanc_value scanc_str(const char *s) { return (scanc_value){.kind = V_STR, .u.p = s}; }
scanc_value scanc_dt(scanc_dtype d) { return (scanc_value){.kind = V_DTYPE, .u.i = (int64_t)d}; }
scanc_value scanc_list(const scanc_value *items, int n) {
  return (scanc_value){.kind = V_LIST, .u.p = items, .n = n};
}
scanc_value scanc_ints(const int64_t *items, int n) {
  return (scanc_value){.kind = V_INTS, .u.p = items, .n = n};
}
scanc_value scanc_kw(const char *name, scanc_value v) {
  v.name = name ? name : ""; /* which no operand has */
  return v;
}

scanc_value value_of_node(node *n) {
  return (scanc_value){.kind = V_NODE, .graph = n->owner, .u.p = n};
}

bool scanc_value_is_valid(scanc_value v) { return v.kind != V_INVALID && v.kind != V_ABSENT; }

/* ---- symbols ---- */

static node *size_node(builder *b, const node *x, int axis) {
  cursor c = builder_cursor(b->main);
  val args[2] = {val_node((node *)x), val_int(axis)};
  return builder_call(b, &c, "torch.ops.aten.sym_size.int", args, 2, NULL, 0);
}

/* The number that a symbol stands for: the size of the first input that tells it, read once. */
static node *node_of_symbol(builder *b, const char *name) {
  dim d = dim_symbol(b->m->syms, name);
  FOR_EACH_NODE (n, b->main->g) {
    if (node_is_op(n, OP_sym_size) && n->type && dim_equal(n->type->i, d)) return n;
  }
  FOR_EACH_NODE (n, b->main->g) {
    for (int i = 0; n->kind == NODE_PLACEHOLDER && n->type && i < n->type->n; i++)
      if (dim_equal(n->type->dims[i], d)) return size_node(b, n, i);
  }
  builder_fail(b, SCANC_ERR_BAD_ARGUMENT, "no input has a dimension of size %.100s", name);
  return NULL;
}

/* ---- as arguments ---- */

static bool node_to_val(builder *b, node *n, val *out) {
  node *here = n ? builder_bring(b, b->open, n) : NULL;
  if (here) *out = val_node(here);
  return here != NULL;
}

static bool refuse(builder *b, scanc_code code, const char *what) {
  builder_fail(b, code, "%s", what);
  return false;
}

static bool list_to_val(builder *b, scanc_value v, val *out) {
  if (v.n < 0 || (v.n && !v.u.p)) return refuse(b, SCANC_ERR_BAD_ARGUMENT, "a list without items");
  val *items = ARENA_ARRAY(b->m->mem, val, v.n);
  for (int i = 0; i < v.n; i++) {
    if (v.kind == V_INTS) items[i] = val_int(((const int64_t *)v.u.p)[i]);
    else if (!value_to_val(b, ((const scanc_value *)v.u.p)[i], &items[i])) return false;
  }
  *out = (val){.kind = VAL_LIST, .n = v.n, .items = items};
  return true;
}

bool value_to_val(builder *b, scanc_value v, val *out) {
  switch (v.kind) {
    case V_ABSENT: return refuse(b, SCANC_ERR_BAD_ARGUMENT, "a value was not given");
    case V_INVALID:
      return refuse(b, SCANC_ERR_BAD_ARGUMENT,
                    "an operand is invalid: what made it failed, or had numbers only");
    case V_NONE: *out = val_none(); break;
    case V_INT: *out = val_int(v.u.i); break;
    case V_BOOL: *out = val_bool(v.u.i); break;
    case V_FLOAT: *out = val_float(v.u.f); break;
    case V_COMPLEX: *out = val_complex(v.u.f, v.im); break;
    case V_STR:
      if (!v.u.p) return refuse(b, SCANC_ERR_BAD_ARGUMENT, "a string is NULL");
      *out = val_str(b->m->mem, v.u.p);
      break;
    case V_DTYPE:
      if ((uint64_t)v.u.i >= SCANC_N_DTYPES)
        return refuse(b, SCANC_ERR_BAD_DTYPE, "unknown element type");
      *out = val_dtype((scanc_dtype)v.u.i);
      break;
    case V_LIST:
    case V_INTS: return list_to_val(b, v, out);
    case V_SYMBOL:
      if (v.graph->mod != b->m)
        return refuse(b, SCANC_ERR_BAD_ARGUMENT, "a symbol of another module");
      return node_to_val(b, node_of_symbol(b, v.u.p), out);
    case V_NODE: return node_to_val(b, value_node(v), out);
    default:
      return refuse(b, SCANC_ERR_BAD_ARGUMENT,
                    "a scan has several results: expected one of them (scanc_get)");
  }
  return true;
}

bool value_to_list(builder *b, scanc_value v, const char *what, val *out) {
  val one;
  *out = val_seq(b->m->mem, VAL_LIST, NULL, 0);
  if (v.kind == V_ABSENT) return true;
  if (v.kind == V_LIST) return list_to_val(b, v, out);
  if (!value_to_val(b, v, &one)) return false;
  if (one.kind == VAL_NODE) {
    *out = val_seq(b->m->mem, VAL_LIST, &one, 1);
    return true;
  }
  builder_fail(b, SCANC_ERR_BAD_ARGUMENT, "%s: expected a tensor or a list of tensors", what);
  return false;
}

/* ---- sizes ---- */

static bool value_to_dim(builder *b, scanc_value v, dim *out) {
  if (v.kind == V_INT) *out = dim_int(v.u.i);
  else if (v.kind == V_SYMBOL && v.graph->mod == b->m) *out = dim_symbol(b->m->syms, v.u.p);
  else if (value_node(v) && v.graph->mod == b->m && value_node(v)->type &&
           value_node(v)->type->kind == TYPE_INT)
    *out = value_node(v)->type->i;
  else return false;
  return true;
}

bool value_to_dims(builder *b, scanc_value v, const char *what, dim *dims, int *n) {
  *n = v.kind == V_ABSENT ? 0 : v.n;
  if (v.kind != V_ABSENT && v.kind != V_LIST && v.kind != V_INTS) {
    builder_fail(b, SCANC_ERR_BAD_ARGUMENT, "'%.100s': expected a list of sizes", what);
    return false;
  }
  if (*n < 0 || *n > SCANC_MAX_RANK || (*n && !v.u.p)) {
    builder_fail(b, SCANC_ERR_UNSUPPORTED, "'%.100s': expected 0 to %d dimensions, got %d", what,
                 SCANC_MAX_RANK, *n);
    return false;
  }
  for (int i = 0; i < *n; i++) {
    scanc_value item =
        v.kind == V_INTS ? scanc_i(((const int64_t *)v.u.p)[i]) : ((const scanc_value *)v.u.p)[i];
    if (!value_to_dim(b, item, &dims[i])) {
      builder_fail(b, SCANC_ERR_BAD_ARGUMENT,
                   "'%.100s', dimension %d: expected an integer or a symbol of this module", what,
                   i);
      return false;
    }
    if (dim_is_int(dims[i]) && dims[i].k < 0) {
      builder_fail(b, SCANC_ERR_NEGATIVE_SIZE, "'%.100s', dimension %d: size %lld is negative",
                   what, i, (long long)dims[i].k);
      return false;
    }
  }
  return true;
}

/* ---- looking at values ---- */

char *scanc_value_describe(scanc_value v, char *buf, size_t n) {
  static const char *const words[] = {
      [V_ABSENT] = "not given", [V_INVALID] = "invalid", [V_NONE] = "None",
      [V_INT] = "int",          [V_FLOAT] = "float",     [V_BOOL] = "bool",
      [V_COMPLEX] = "complex",  [V_STR] = "str",         [V_DTYPE] = "dtype",
      [V_LIST] = "list",        [V_INTS] = "list",       [V_SYMBOL] = "int",
      [V_NODE] = "unknown",     [V_SCAN] = "list"};
  const node *x = v.kind == V_SCAN || v.kind == V_NODE ? v.u.p : NULL;
  str text = {0};
  if (x && x->type) type_describe(&text, x->type);
  else str_append(&text, words[v.kind]);
  if (n && buf) snprintf(buf, n, "%s", str_cstr(&text));
  str_free(&text);
  return buf;
}
