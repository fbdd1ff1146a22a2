/* Lint: ops and types. An unknown op is reported with the nearest name that exists. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/host_op.h"
#include "ir/infer.h"
#include "ir/lint.h"

/* ---- the nearest known name ---- */

enum { MAX_NAME = 96 };

static int min3(int a, int b, int c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }

/* Edits (insert, delete, replace, swap of neighbours) from a to b; at most `limit` are counted. */
static int distance(const char *a, size_t n, const char *b, size_t m, int limit) {
  int rows[3][MAX_NAME + 1];
  if (n > MAX_NAME || m > MAX_NAME || abs((int)n - (int)m) > limit) return limit + 1;
  for (size_t j = 0; j <= m; j++) rows[0][j] = (int)j;
  for (size_t i = 1; i <= n; i++) {
    int *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
    int best = row[0] = (int)i;
    for (size_t j = 1; j <= m; j++) {
      row[j] = min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && two_above[j - 2] + 1 < row[j]) row[j] = two_above[j - 2] + 1;
      if (row[j] < best) best = row[j];
    }
    if (best > limit) return limit + 1;
  }
  return rows[n % 3][m];
}

typedef struct {
  const char *want;
  size_t n_want;
  int best;
  const char *name;
  size_t n_name;
} nearest;

/* Of names that are equally near the first one of the wanted length counts. */
static void consider(nearest *s, const char *name, size_t n) {
  int d = distance(s->want, s->n_want, name, n, s->best);
  bool better = d < s->best || (d == s->best && s->name && n == s->n_want && s->n_name != n);
  if (better) *s = (nearest){s->want, s->n_want, d, name, n};
}

static size_t packet_length(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot ? (size_t)(dot - name) : strlen(name);
}

static void search_rows(nearest *s, bool overloads) {
  for (int i = 0; i < aten_n_rows(); i++) {
    const char *name = aten_row_at(i)->name;
    consider(s, name, overloads ? strlen(name) : packet_length(name));
  }
}

static void search_spellings(nearest *s) {
  for (int i = 0; i < spelling_count(); i++)
    consider(s, spelling_at(i)->path, strlen(spelling_at(i)->path));
}

/* Their paths have no ".default", which PyTorch prints. */
static void search_host_ops(nearest *s) {
  static const char dflt[] = ".default";
  size_t n = s->n_want, cut = strlen(dflt);
  if (n > cut && !memcmp(s->want + n - cut, dflt, cut)) s->n_want -= cut;
  const char *path;
  for (int i = 0; (path = host_op_path(i)); i++) consider(s, path, strlen(path));
  s->n_want = n;
}

/* "; did you mean X?" into buf, or what else helps. */
static const char *suggest(const node *n, char *buf, size_t size) {
  static const char aten[] = "torch.ops.aten.", ops[] = "torch.ops.", torch[] = "torch.";
  const char *path = n->path ? n->path : "", *prefix = "";
  if (n->kind == NODE_CALL_FUNCTION) {
    prefix = !strncmp(path, aten, strlen(aten))     ? aten
             : !strncmp(path, ops, strlen(ops))     ? ops
             : !strncmp(path, torch, strlen(torch)) ? torch
                                                    : "";
  }
  size_t n_prefix = strlen(prefix);
  nearest s = {path + n_prefix, strlen(path) - n_prefix, 0, NULL, 0},
          full = {path, strlen(path), 0, NULL, 0};
  s.best = 1 + (int)(s.n_want / 3);
  if (s.best > 4) s.best = 4;
  full.best = s.best;
  search_rows(&s, prefix == aten || prefix == ops);
  if (n->kind == NODE_CALL_FUNCTION) search_host_ops(&full);
  if (n->kind == NODE_CALL_FUNCTION && prefix != aten && prefix != ops) search_spellings(&full);
  *buf = 0;
  if (full.name && full.best <= s.best)
    snprintf(buf, size, "; did you mean %.*s?", (int)full.n_name, full.name);
  else if (s.name) snprintf(buf, size, "; did you mean %s%.*s?", prefix, (int)s.n_name, s.name);
  else if (n->kind == NODE_CALL_FUNCTION)
    snprintf(buf, size, "; C functions of your own are registered with scanc_register_op or --ops");
  return buf;
}

/* ---- overloads of a known packet ---- */

static bool has_packet(const node *n) {
  static const char aten[] = "torch.ops.aten.";
  if (n->kind != NODE_CALL_FUNCTION || strncmp(n->path, aten, strlen(aten))) return false;
  const char *name = n->path + strlen(aten);
  return aten_overload(name, packet_length(name), 0) != NULL;
}

static const char *overloads(const node *n, char *buf, size_t size) {
  const char *name = n->path + strlen("torch.ops.aten.");
  size_t n_packet = packet_length(name), len = 0;
  const aten_row *row;
  for (int k = 0; (row = aten_overload(name, n_packet, k)) && len < size; k++) {
    int w = snprintf(buf + len, size - len, "%s%s", k ? ", " : "; expected one of ", row->name);
    len += w > 0 ? (size_t)w : 0;
  }
  return buf;
}

static bool is_row(const node *n) {
  static const char ops[] = "torch.ops.", aten[] = "torch.ops.aten.";
  if (n->kind != NODE_CALL_FUNCTION || strncmp(n->path, ops, strlen(ops))) return false;
  const char *name = n->path + (strncmp(n->path, aten, strlen(aten)) ? strlen(ops) : strlen(aten));
  return aten_find(name, strlen(name)) != NULL;
}

/* ---- ops ---- */

static bool lint_call(const node *n, diagnostics *d) {
  char hint[256] = "";
  if (n->op) return true;
  if (is_row(n) || (n->kind == NODE_CALL_FUNCTION && host_op_find(n->path)))
    return lint_add(n->owner->mod, d, SCANC_ERR_UNSUPPORTED, n->loc,
                    "'%s': %s does not take these arguments", n->name, n->path);
  const char *what = n->kind == NODE_CALL_METHOD ? "method" : "operator";
  return lint_add(n->owner->mod, d, SCANC_ERR_UNKNOWN_OP, n->loc, "%s '%.200s' is unknown%.250s",
                  what, n->path,
                  has_packet(n) ? overloads(n, hint, sizeof hint) : suggest(n, hint, sizeof hint));
}

static bool lint_attr(const node *n, diagnostics *d) {
  const attr *a = graph_find_attr(n->owner, n->path);
  if (a && (a->kind != ATTR_GRAPH || a->sub)) return true;
  return lint_add(n->owner->mod, d, SCANC_ERR_UNKNOWN_SUBGRAPH, n->loc,
                  "self has no graph or tensor '%.200s'", n->path);
}

static void mark_live(node *n, void *ctx) { ((bool *)ctx)[n->id] = true; }

/* A call of a layer without text is harmless only if nothing needs it. */
static bool lint_modules(graph *g, diagnostics *d) {
  bool ok = true, any = false;
  FOR_EACH_NODE (n, g) any |= n->kind == NODE_CALL_MODULE;
  if (!any) return true;
  arena *mem = arena_new();
  bool *live = ARENA_ARRAY(mem, bool, g->mod->n_ids);
  for (node *n = g->last; n; n = n->prev) {
    bool needed = live[n->id] || n->kind == NODE_OUTPUT || n->in_place ||
                  (n->op && (n->op->traits & T_EFFECT));
    if (!needed) continue;
    for (int i = 0; i < n->n_args; i++) val_each_node(n->args[i], mark_live, live);
    if (n->kind != NODE_CALL_MODULE) continue;
    ok = lint_add(
        g->mod, d, SCANC_ERR_UNSUPPORTED, n->loc,
        "'%s' calls the module 'self.%.200s', whose code is not in the text; export the model with "
        "torch.export to inline it",
        n->name, n->path);
  }
  arena_free(mem);
  return ok;
}

bool lint_ops(graph *g, diagnostics *d) {
  bool ok = lint_modules(g, d);
  FOR_EACH_NODE (n, g) {
    if (n->kind == NODE_CALL_FUNCTION || n->kind == NODE_CALL_METHOD) ok &= lint_call(n, d);
    else if (n->kind == NODE_GET_ATTR) ok &= lint_attr(n, d);
  }
  return ok;
}

/* ---- types ---- */

/* Infers n again with an error record of its own and compares with the type it has. */
static bool lint_type(node *n, diagnostics *d) {
  module *m = n->owner->mod;
  const type *args[MAX_OPERANDS];
  if (!n->op || !n->operands) return true;
  for (int k = 0; k < n->op->n_operands; k++) args[k] = val_type(m, n->operands[k]);
  scanc_error err = {0};
  infer_ctx c = {.mem = m->mem,
                 .syms = m->syms,
                 .op = n->op,
                 .arg = args,
                 .lenient = m->lenient,
                 .mod = m,
                 .err = &err,
                 .scan = n->scan,
                 .loc = n->loc,
                 .what = n->name};
  if (!c.loc.file) c.loc.file = m->name;
  infer_op(&c);
  if (!err.code) return true;
  if (m->text) err_quote(&err, m->text, m->text_len);
  vec_push(d->mem, &d->found, err);
  return false;
}

bool lint_types(graph *g, diagnostics *d) {
  bool ok = true;
  FOR_EACH_NODE (n, g) {
    if (n->kind == NODE_CALL_FUNCTION || n->kind == NODE_CALL_METHOD) ok &= lint_type(n, d);
  }
  return ok;
}
