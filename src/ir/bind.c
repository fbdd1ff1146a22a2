/* Binding of calls to overloads. An explicit overload (torch.ops.aten.add.Tensor) is checked; any
 * other spelling tries the overloads of its packet in the order of the table and takes the first
 * whose parameters accept the arguments. */
#include "ir/bind.h"
#include <assert.h>

#include <stdio.h>
#include <string.h>

#include "ir/host_op.h"

/* A call as written, and where to report. */
typedef struct {
  module *m;
  const char *path;
  const val *args;
  int n_pos, n_kw;
  const char *const *kw;
  src_loc loc;
  bool loose; /* a torch function or method: int varargs, `input`, `axis` are allowed */
} call;

/* ---- which values a parameter accepts ---- */

static bool type_text_is(const aten_param *p, const char *word) {
  int n = p->type_len - p->optional;
  return (int)strlen(word) == n && !memcmp(p->type, word, (size_t)n);
}

static bool type_text_starts(const aten_param *p, const char *word) {
  return p->type_len >= (int)strlen(word) && !memcmp(p->type, word, strlen(word));
}

static bool is_tensor_like(module *m, val v) {
  const type *t = val_type(m, v);
  if (v.kind == VAL_NODE && !t && v.node->op && (v.node->op->traits & T_BODY))
    return false; /* a tuple of results */
  return v.kind == VAL_NODE ? !t || type_is_tensor(t) || type_is_scalar(t) : type_is_scalar(t);
}

static bool is_scalar_like(module *m, val v) {
  const type *t = val_type(m, v);
  return type_is_scalar(t) || (v.kind == VAL_NODE && (!t || (type_is_tensor(t) && t->n == 0)));
}

static bool is_int_like(module *m, val v) {
  const type *t = val_type(m, v);
  if (v.kind == VAL_NODE && (!t || (type_is_tensor(t) && t->n == 0))) return true;
  return t && (t->kind == TYPE_INT || t->kind == TYPE_BOOL);
}

static bool every_item(module *m, val v, bool (*fits)(module *, val)) {
  for (int i = 0; i < v.n; i++)
    if (!fits(m, v.items[i])) return false;
  return true;
}

static bool is_sequence(val v) {
  return v.kind == VAL_LIST || v.kind == VAL_TUPLE || v.kind == VAL_SIZE;
}

static bool is_list_node(module *m, val v) {
  const type *t = val_type(m, v);
  return v.kind == VAL_NODE && (!t || t->kind == TYPE_LIST);
}

static bool tensor_or_none(module *m, val v) { return v.kind == VAL_NONE || is_tensor_like(m, v); }

static bool accepts_list(module *m, const aten_param *p, val v) {
  if (is_list_node(m, v)) return true;
  if (type_text_starts(p, "Tensor")) return is_sequence(v) && every_item(m, v, tensor_or_none);
  bool ints =
      type_text_starts(p, "int") || type_text_starts(p, "SymInt") || type_text_starts(p, "bool");
  bool (*fits)(module *, val) = ints ? is_int_like : is_scalar_like;
  return is_sequence(v) ? every_item(m, v, fits) : fits(m, v);
}

bool bind_accepts(module *m, const aten_param *p, val v) {
  if (v.kind == VAL_NONE) return p->optional || type_text_is(p, "Any");
  if (type_text_is(p, "Any") || p->ignored) return true;
  if (p->is_list) return accepts_list(m, p, v);
  if (type_text_is(p, "Tensor")) return is_tensor_like(m, v);
  if (type_text_is(p, "Scalar") || type_text_is(p, "float")) return is_scalar_like(m, v);
  if (type_text_is(p, "int") || type_text_is(p, "SymInt")) return is_int_like(m, v);
  if (type_text_is(p, "bool")) return is_int_like(m, v);
  if (type_text_is(p, "str")) return v.kind == VAL_STR;
  if (type_text_is(p, "ScalarType")) {
    const type *t = val_type(m, v);
    return v.kind == VAL_DTYPE || (v.kind == VAL_NODE && (!t || t->kind == TYPE_DTYPE));
  }
  return true;
}

/* ---- binding to one schema ---- */

static int param_index(const aten_schema *s, const char *name, bool loose) {
  for (int i = 0; i < s->n; i++)
    if ((int)strlen(name) == s->p[i].name_len && !memcmp(name, s->p[i].name, strlen(name)))
      return i;
  if (!loose) return -1;
  if (!strcmp(name, "input")) return s->n ? 0 : -1;
  if (!strcmp(name, "axis")) return param_index(s, "dim", false);
  if (!strcmp(name, "keepdims")) return param_index(s, "keepdim", false);
  return -1;
}

static int n_positional(const aten_schema *s) {
  int n = 0;
  while (n < s->n && !s->p[n].kw_only) n++;
  return n;
}

/* x.permute(1, 0): the positional arguments from i on are the items of list parameter i. A
 * parameter of type Rest, of higher-order ops that spread their operands, always takes them all. */
static bool takes_varargs(const call *c, const aten_schema *s, int i) {
  if (type_text_is(&s->p[i], "Rest")) return true;
  if (!c->loose || !s->p[i].is_list || s->p[i].kw_only || i >= c->n_pos) return false;
  if (type_text_starts(&s->p[i], "Tensor"))
    return !is_sequence(c->args[i]) && !is_list_node(c->m, c->args[i]);
  return !is_sequence(c->args[i]) && c->n_pos > n_positional(s);
}

/* Values per parameter; VAL_ABSENT where none was given. `why` (may be NULL) gets the reason of a
 * failure. */
static bool bind_params(const call *c, const aten_schema *s, val *out, scanc_code *code, char *why,
                        size_t n_why) {
  int n_max = n_positional(s), i = 0;
  for (int k = 0; k < s->n; k++) out[k] = val_absent();
  for (; i < c->n_pos && i < n_max; i++) {
    out[i] = c->args[i];
    if (!takes_varargs(c, s, i)) continue;
    out[i] = val_seq(c->m->mem, VAL_LIST, c->args + i, c->n_pos - i);
    i = c->n_pos;
    break;
  }
  *code = SCANC_ERR_OP_ARITY;
  if (i < c->n_pos) {
    snprintf(why, n_why, "takes at most %d positional arguments, got %d", n_max, c->n_pos);
    return false;
  }
  for (int k = 0; k < c->n_kw; k++) {
    int p = param_index(s, c->kw[k], c->loose);
    assert(p < s->n);
    if (p < 0 || out[p].kind != VAL_ABSENT) {
      snprintf(why, n_why, p < 0 ? "has no argument named '%.60s'" : "got argument '%.60s' twice",
               c->kw[k]);
      return false;
    }
    out[p] = c->args[c->n_pos + k];
  }
  for (int k = 0; k < s->n; k++) {
    const aten_param *p = &s->p[k];
    if (out[k].kind == VAL_ABSENT && !p->has_default) {
      snprintf(why, n_why, "needs argument '%.*s' (%.*s), which is missing", p->name_len, p->name,
               p->type_len, p->type);
      return false;
    }
    if (out[k].kind != VAL_ABSENT && !bind_accepts(c->m, p, out[k])) {
      str got = {0};
      val_print(&got, out[k]);
      *code = SCANC_ERR_BAD_ARGUMENT;
      snprintf(why, n_why, "argument '%.*s': expected %.*s, got %.80s", p->name_len, p->name,
               p->type_len, p->type, str_cstr(&got));
      str_free(&got);
      return false;
    }
  }
  return true;
}

static void fill_defaults(const op_info *op, val *operands) {
  for (int k = 0; k < op->n_operands; k++)
    if (operands[k].kind == VAL_ABSENT) operands[k] = op_operand_default(op, k);
}

/* Operands of `from` moved to the places that `to` has for operands of the same name. */
static void rebind(const op_info *from, const op_info *to, val *operands) {
  val old[MAX_OPERANDS];
  memcpy(old, operands, sizeof old);
  for (int k = 0; k < MAX_OPERANDS; k++) operands[k] = val_absent();
  for (int k = 0; k < from->n_operands; k++) {
    const char *name = op_operand_name(from, k);
    int j = op_operand_index(to, name, strlen(name));
    if (j >= 0) operands[j] = old[k];
  }
}

static void finish(resolution *r, const aten_schema *s, const val *params) {
  const op_info *base = op_get(s->row->op);
  for (int k = 0; k < MAX_OPERANDS; k++) r->operands[k] = val_absent();
  for (int k = 0; k < s->n; k++)
    if (s->p[k].operand >= 0)
      r->operands[s->p[k].operand] =
          params[k].kind == VAL_ABSENT ? s->p[k].default_value : params[k];
  fill_defaults(base, r->operands);
  r->row = s->row;
  r->op = op_get(aten_variant(s->row, r->operands));
  if (r->op == base) return;
  rebind(base, r->op, r->operands);
  fill_defaults(r->op, r->operands);
}

static bool bind_row(const call *c, const aten_row *row, resolution *r) {
  const aten_schema *s = aten_schema_of(row);
  val params[MAX_PARAMS];
  char why[256];
  scanc_code code;
  if (!bind_params(c, s, params, &code, why, sizeof why))
    return module_fail(c->m, code, c->loc, "%.200s %s", c->path, why);
  finish(r, s, params);
  return true;
}

/* ---- from names to rows ---- */

/* "add_" names the in-place form of "add", "__iadd__" is not written by PyTorch. */
static bool is_in_place_packet(const char *packet, size_t n) {
  return aten_is_in_place(packet, n) && aten_overload(packet, n - 1, 0);
}

static const aten_row *find_without(const char *packet, size_t n_packet, size_t n_cut,
                                    const char *overload) {
  char name[160];
  if (n_packet + strlen(overload) >= sizeof name) return NULL;
  int n = snprintf(name, sizeof name, "%.*s%s", (int)(n_packet - n_cut), packet, overload);
  return aten_find(name, (size_t)n);
}

/* The row of "add.Tensor", "add_.Tensor" or "select_copy.int". */
static const aten_row *find_overload(const char *name, bool *in_place) {
  const aten_row *row = aten_find(name, strlen(name));
  const char *dot = strrchr(name, '.');
  if (!dot) return row;
  size_t n = (size_t)(dot - name);
  *in_place = is_in_place_packet(name, n);
  if (row) return row;
  if (*in_place) return find_without(name, n, 1, dot);
  if (n > 5 && !memcmp(dot - 5, "_copy", 5)) return find_without(name, n, 5, dot);
  return NULL;
}

/* Tries the overloads of a packet in order. With no fit the error speaks of the first. */
static bool bind_packet(const call *c, const char *packet, resolution *r) {
  size_t n = strlen(packet);
  r->in_place = is_in_place_packet(packet, n);
  n -= r->in_place;
  const aten_row *row = aten_overload(packet, n, 0);
  if (!row) return true;
  val params[MAX_PARAMS];
  char why[256];
  scanc_code code;
  for (int k = 0; (row = aten_overload(packet, n, k)); k++) {
    const aten_schema *s = aten_schema_of(row);
    if (!bind_params(c, s, params, &code, why, sizeof why)) continue;
    finish(r, s, params);
    return true;
  }
  return bind_row(c, aten_overload(packet, n, 0), r);
}

static bool all_scalars(const call *c) {
  for (int i = 0; i < c->n_pos + c->n_kw; i++)
    if (!type_is_scalar(val_type(c->m, c->args[i]))) return false;
  return c->n_pos > 0;
}

static bool bind_scalar_op(const call *c, const spelling *sp, resolution *r) {
  r->op = op_get((op_id)sp->sym_op);
  if (c->n_kw || c->n_pos > r->op->n_operands)
    return module_fail(c->m, SCANC_ERR_OP_ARITY, c->loc, "%.200s takes %d arguments, got %d",
                       c->path, r->op->n_operands, c->n_pos + c->n_kw);
  for (int k = 0; k < r->op->n_operands; k++)
    r->operands[k] = k < c->n_pos ? c->args[k] : op_operand_default(r->op, k);
  for (int k = 0; k < r->op->n_operands; k++)
    if (r->operands[k].kind == VAL_ABSENT)
      return module_fail(c->m, SCANC_ERR_OP_ARITY, c->loc, "%.200s needs %d arguments, got %d",
                         c->path, r->op->n_operands, c->n_pos);
  return true;
}

/* A host op binds by position and by the names of its operands. */
static bool bind_host_op(const call *c, const op_info *op, resolution *r) {
  r->op = op;
  for (int k = 0; k < op->n_operands; k++)
    r->operands[k] = k < c->n_pos ? c->args[k] : val_absent();
  if (c->n_pos > op->n_operands)
    return module_fail(c->m, SCANC_ERR_OP_ARITY, c->loc,
                       "%.200s takes %d arguments (%.200s), got %d", op->name, op->n_operands,
                       op->signature, c->n_pos);
  for (int i = 0; i < c->n_kw; i++) {
    int k = op_operand_index(op, c->kw[i], strlen(c->kw[i]));
    if (k < 0 || r->operands[k].kind != VAL_ABSENT)
      return module_fail(c->m, SCANC_ERR_OP_ARITY, c->loc, "%.200s %s '%.60s'", op->name,
                         k < 0 ? "has no argument named" : "got twice the argument", c->kw[i]);
    r->operands[k] = c->args[c->n_pos + i];
  }
  for (int k = 0; k < op->n_operands; k++)
    if (r->operands[k].kind == VAL_ABSENT)
      return module_fail(c->m, SCANC_ERR_OP_ARITY, c->loc,
                         "%.200s needs argument '%.60s', which is missing", op->name,
                         op_operand_name(op, k));
  return true;
}

/* The packet that a torch function means: torch.movedim, torch.nn.functional.relu,
 * torch._C._nn.linear, torch.special.erf, torch.linalg.vector_norm. */
static const char *packet_of_function(const char *path, char *buf, size_t n) {
  static const struct {
    const char *prefix, *with;
  } rules[] = {{"torch.nn.functional.", ""},
               {"torch._C._nn.", ""},
               {"torch.special.", "special_"},
               {"torch.special.", ""},
               {"torch.linalg.", "linalg_"},
               {"torch.fft.", "fft_"},
               {"torch.functional.", ""},
               {"torch._C._VariableFunctions.", ""},
               {"torch.", ""}};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    size_t len = strlen(rules[i].prefix);
    if (strncmp(path, rules[i].prefix, len) || strchr(path + len, '.')) continue;
    int k = snprintf(buf, n, "%s%s", rules[i].with, path + len);
    if (k <= 0 || (size_t)k >= n) continue;
    if (aten_overload(buf, (size_t)k, 0) || is_in_place_packet(buf, (size_t)k)) return buf;
    if (k > 5 && !strcmp(buf + k - 5, "_copy") && aten_overload(buf, (size_t)k - 5, 0))
      return buf[k - 5] = 0, buf;
  }
  return NULL;
}

static bool bind_table_function(call *c, resolution *r) {
  static const char aten[] = "torch.ops.aten.", hop[] = "torch.ops.";
  const char *path = c->path;
  if (!strncmp(path, aten, strlen(aten))) {
    const aten_row *row = find_overload(path + strlen(aten), &r->in_place);
    return row ? bind_row(c, row, r) : true;
  }
  if (!strncmp(path, hop, strlen(hop))) {
    const aten_row *row = aten_find(path + strlen(hop), strlen(path) - strlen(hop));
    return row ? bind_row(c, row, r) : true;
  }
  c->loose = true;
  r->spelling = spelling_find(path);
  if (r->spelling && r->spelling->sym_op >= 0 && all_scalars(c))
    return bind_scalar_op(c, r->spelling, r);
  if (r->spelling && *r->spelling->packet) return bind_packet(c, r->spelling->packet, r);
  if (r->spelling) return r->spelling->sym_op < 0 || bind_scalar_op(c, r->spelling, r);
  char buf[160];
  const char *packet = packet_of_function(path, buf, sizeof buf);
  return packet ? bind_packet(c, packet, r) : true;
}

/* The table's names come first. */
static bool bind_function(call *c, resolution *r) {
  SCANC_TRY(bind_table_function(c, r));
  const op_info *host = r->op ? NULL : host_op_find(c->path);
  return !host || bind_host_op(c, host, r);
}

bool bind_call(module *m, node_kind kind, const char *path, const val *args, int n_pos,
               const char *const *kw, int n_kw, src_loc loc, resolution *r) {
  call c = {.m = m, .path = path, .args = args, .n_pos = n_pos, .n_kw = n_kw, .kw = kw, .loc = loc};
  *r = (resolution){0};
  if (kind == NODE_CALL_FUNCTION) return bind_function(&c, r);
  c.loose = true;
  return bind_packet(&c, path, r);
}
