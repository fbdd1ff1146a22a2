/* Archives that torch.export.load accepts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/archive_write.h"
#include "frontend/fx.h"
#include "frontend/pt2.h"
#include "frontend/pt2_reader.h"
#include "frontend/pt2_writer.h"

static const struct {
  const char *text, *json, *key;
  bool input;
} kinds[] = {
#define PORT_KIND(text, kind, input, json, key) {text, json, key, input},
#include "frontend/port_kinds.def"
#undef PORT_KIND
};

json_t *pt2_refuse(pt2_writer *w, const node *n, const char *fmt, ...) {
  char what[400];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(what, sizeof what, fmt, ap);
  va_end(ap);
  err_set(w->err, SCANC_ERR_UNSUPPORTED, (src_loc){.file = w->m->name, .line = n ? n->loc.line : 0},
          "%.100s%scannot be saved: %s", n && n->name ? n->name : "", n && n->name ? ": " : "",
          what);
  return NULL;
}

/* ---- signature ---- */

/* The qualified name; a parameter that was built has none but its own. */
static const char *target_of(const port *p) { return p->target ? p->target : p->name; }

/* {"parameter": {"arg": {...}, "parameter_name": "w"}}; arguments of the user's have an Argument.
 */
static json_t *spec_json(pt2_writer *w, const char *kind_text, bool input, const port *p, val v) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (kinds[i].input != input || strcmp(kinds[i].text, kind_text)) continue;
    json_t *arg = pt2_value_json(w, NULL, v, NULL), *body;
    if (!arg) return NULL;
    bool tensor = *kinds[i].key != 0;
    body = json_pack("{s:O}", "arg", tensor ? json_object_get(arg, "as_tensor") : arg);
    json_decref(arg);
    if (tensor) json_object_set_new(body, kinds[i].key, json_string(p ? target_of(p) : ""));
    if (input && p && p->kind == PORT_BUFFER)
      json_object_set_new(body, "persistent", json_boolean(p->persistent != 0));
    return json_pack("{s:o}", kinds[i].json, body);
  }
  return pt2_refuse(w, NULL, "a line of the signature of kind %.60s", kind_text);
}

const port *pt2_port(const module *m, const node *n) {
  for (int i = 0; i < m->inputs.len; i++)
    if (!strcmp(m->inputs.data[i].name, n->name)) return &m->inputs.data[i];
  return NULL;
}

/* As torch.nn.Parameter does if nobody says otherwise. */
static bool takes_gradient(const port *p, scanc_dtype d) {
  char class = dtype_class(d);
  return p->kind == PORT_PARAMETER && !p->frozen && (class == 'f' || class == 'c');
}

static void mark_parameters(const module *m, json_t *types) {
  FOR_EACH_NODE (n, m->main) {
    const port *p = n->kind == NODE_PLACEHOLDER ? pt2_port(m, n) : NULL;
    if (!p || !n->type || n->type->kind != TYPE_TENSOR) continue;
    json_object_set_new(json_object_get(types, n->name), "requires_grad",
                        json_boolean(takes_gradient(p, n->type->dtype)));
  }
}

static json_t *signature_json(pt2_writer *w) {
  const module *m = w->m;
  json_t *in = json_array(), *out = json_array();
  FOR_EACH_NODE (n, m->main) {
    const port *p = pt2_port(m, n);
    val v;
    if (n->kind != NODE_PLACEHOLDER) continue;
    json_array_append_new(
        in, pt2_constant(w, n, &v)
                ? json_pack("{s:{s:s, s:o}}", "constant_input", "name", n->name, "value",
                            pt2_value_json(w, n, v, NULL))
                : spec_json(w, p ? p->kind_text : "USER_INPUT", true, p, val_node(n)));
  }
  int n_out = graph_n_results(m->main);
  for (int i = 0; i < n_out; i++) {
    const port *p = m->outputs.len == n_out ? &m->outputs.data[i] : NULL;
    json_array_append_new(
        out, spec_json(w, p ? p->kind_text : "USER_OUTPUT", false, p, graph_result(m->main, i)));
  }
  return json_pack("{s:o, s:o}", "input_specs", in, "output_specs", out);
}

/* ---- calling convention ---- */

static int n_of_kind(const module *m, bool inputs, port_kind kind) {
  int n = 0, len = inputs ? m->inputs.len : m->outputs.len;
  for (int i = 0; i < len; i++) n += (inputs ? m->inputs.data : m->outputs.data)[i].kind == kind;
  return n;
}

static int count_leaves(json_t *spec) {
  int n = 0;
  size_t i;
  json_t *child;
  if (!pt2_field(spec, "type")) return 1;
  json_array_foreach (pt2_field(spec, "children_spec"), i, child) n += count_leaves(child);
  return n;
}

/* Whether the tree has so many leaves, as text "[1, {...}]". */
static bool has_leaves(json_t *call, const char *key, int n) {
  const char *text = pt2_text(call, key);
  json_t *spec = text ? json_loads(text, 0, NULL) : NULL;
  bool fits = spec && count_leaves(json_array_get(spec, 1)) == n;
  json_decref(spec);
  return fits;
}

/* The trees of the archive that the module came from, if they still fit; NULL. */
static json_t *kept_call_spec(const module *m) {
  json_t *call = m->call_spec ? json_loads(m->call_spec, 0, NULL) : NULL;
  if (call && has_leaves(call, "in_spec", n_of_kind(m, true, PORT_USER)) &&
      has_leaves(call, "out_spec", n_of_kind(m, false, PORT_USER)))
    return call;
  json_decref(call);
  return NULL;
}

static void put_leaves(str *out, int n) {
  str_append(out, "{\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [");
  for (int i = 0; i < n; i++)
    str_printf(out, "%s{\"type\": null, \"context\": null, \"children_spec\": []}", i ? ", " : "");
  str_append(out, "]}");
}

/* Flat arguments, a tuple of results. */
static json_t *flat_call_spec(const module *m) {
  str in = {0}, out = {0};
  json_t *names = json_array();
  FOR_EACH_NODE (n, m->main) {
    const port *p = n->kind == NODE_PLACEHOLDER ? pt2_port(m, n) : NULL;
    if (n->kind == NODE_PLACEHOLDER && (!p || p->kind == PORT_USER))
      json_array_append_new(names, json_string(n->name));
  }
  int n_results = graph_n_results(m->main);
  bool told = m->outputs.len == n_results;
  str_append(&in, "[1, {\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [");
  put_leaves(&in, (int)json_array_size(names));
  str_append(&in, ", {\"type\": \"builtins.dict\", \"context\": \"[]\", \"children_spec\": []}]}]");
  str_append(&out, "[1, ");
  put_leaves(&out, told ? n_of_kind(m, false, PORT_USER) : n_results);
  str_char(&out, ']');
  json_t *j = json_pack("{s:s, s:s, s:o, s:{}}", "in_spec", str_cstr(&in), "out_spec",
                        str_cstr(&out), "forward_arg_names", names, "namedtuples");
  str_free(&in);
  str_free(&out);
  return j;
}

/* *namedtuples: the names of their fields. */
static json_t *call_graph_json(const module *m, json_t **namedtuples) {
  json_t *call = kept_call_spec(m);
  if (!call) call = flat_call_spec(m);
  json_t *fields = json_object_get(call, "namedtuples");
  *namedtuples = fields ? json_incref(fields) : json_object();
  json_object_del(call, "namedtuples");
  json_object_set_new(call, "inputs", json_array());
  json_object_set_new(call, "outputs", json_array());
  return json_pack("[{s:s, s:o}]", "fqn", "", "signature", call);
}

/* ---- the program ---- */

static json_t *limit(int64_t v) {
  return v == INT64_MAX || v == INT64_MIN ? json_null() : json_integer(v);
}

static json_t *range_json(int64_t min, int64_t max) {
  return json_pack("{s:o, s:o}", "min_val", limit(min), "max_val", limit(max));
}

/* PyTorch takes what follows a 'u' for the number of a symbol. */
static void put_range(json_t *j, const range_constraint *c) {
  str name = {0}, key = {0};
  dim_print(&name, c->expr);
  bool taken = strchr("uz", *str_cstr(&name)) != NULL;
  str_printf(&key, taken ? "(%s)" : "%s", str_cstr(&name));
  json_object_set_new(j, str_cstr(&key), range_json(c->min, c->max));
  str_free(&name);
  str_free(&key);
}

static json_t *ranges_json(const module *m) {
  json_t *j = json_object();
  for (int i = 0; i < symtab_n_symbols(m->syms); i++) {
    int64_t min, max;
    const char *name = symtab_symbol(m->syms, i);
    sym_range(m->syms, name, &min, &max);
    if (pt2_is_name(name)) json_object_set_new(j, name, range_json(min, max));
  }
  for (int i = 0; i < m->ranges.len; i++) {
    const char *name;
    bool symbol = dim_is_symbol(m->ranges.data[i].expr, &name) && pt2_is_name(name);
    if (!symbol) put_range(j, &m->ranges.data[i]);
  }
  return j;
}

static int64_t clamped(int64_t v, int64_t min, int64_t max) {
  return v < min ? min : v > max ? max : v;
}

/* A value of symbol i that gives the expression the value v, if there is one in its range. */
static bool move_hint(pt2_writer *w, dim d, int i, int64_t v) {
  int64_t min, max, found;
  int which;
  bool was = w->known[i];
  w->known[i] = false;
  bool solved =
      dim_solve(w->m->syms, d, v, w->hints, w->known, &which, &found) == DIM_SOLVED && which == i;
  w->known[i] = was;
  sym_range(w->m->syms, symtab_symbol(w->m->syms, i), &min, &max);
  if (!solved || found < min || found > max) return false;
  w->hints[i] = found;
  return true;
}

/* Moves a hint, if that gives the expression a value in its range. */
static void fit_hints(pt2_writer *w, const range_constraint *c) {
  enum { TRIES = 32 };
  int64_t v, step;
  if (!dim_eval(w->m->syms, c->expr, w->hints, w->known, &v)) return;
  step = v < c->min ? 1 : -1;
  int64_t near = clamped(v, c->min, c->max);
  if (v == near) return;
  for (int k = 0; k < TRIES && near >= c->min && near <= c->max; k++, near += step)
    for (int i = 0; i < symtab_n_symbols(w->m->syms); i++)
      if (w->known[i] && move_hint(w, c->expr, i, near)) return;
}

/* Values that PyTorch takes for the sizes of its example: different ones, within their ranges. It
 * refuses examples outside of the ranges of expressions, too. */
static void choose_hints(pt2_writer *w) {
  int n = symtab_n_symbols(w->m->syms);
  w->hints = ARENA_ARRAY(w->tmp, int64_t, n);
  w->known = ARENA_ARRAY(w->tmp, bool, n);
  for (int i = 0; i < n; i++) {
    int64_t min, max;
    const char *name = symtab_symbol(w->m->syms, i);
    sym_range(w->m->syms, name, &min, &max);
    w->hints[i] = clamped(8 + i, min, max);
    w->known[i] = name[0] != 'u' && pt2_is_name(name);
  }
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < w->m->ranges.len; i++) fit_hints(w, &w->m->ranges.data[i]);
}

static json_t *program_json(pt2_writer *w) {
  json_t *main_graph = pt2_graph_json(w, w->m->main, true);
  if (!main_graph) return NULL;
  mark_parameters(w->m, json_object_get(main_graph, "tensor_values"));
  json_t *namedtuples, *calls = call_graph_json(w->m, &namedtuples);
  json_t *gm =
      json_pack("{s:o, s:o, s:o, s:{}, s:o}", "graph", main_graph, "signature", signature_json(w),
                "module_call_graph", calls, "metadata", "treespec_namedtuple_fields", namedtuples);
  return json_pack("{s:o, s:{s:i}, s:o, s:{s:i, s:i}, s:[s], s:s, s:[]}", "graph_module", gm,
                   "opset_version", "aten", 10, "range_constraints", ranges_json(w->m),
                   "schema_version", "major", 8, "minor", 8, "verifiers", "TRAINING",
                   "torch_version", "scanc " SCANC_VERSION, "guards_code");
}

/* ---- weights ---- */

/* The value of a parameter and the bytes it lies in. */
typedef struct {
  const port *p;
  const scanc_tensor *t;
  bool empty; /* no bytes, which stand for zeros */
  const char *first, *end;
  int payload;    /* number of the file */
  int64_t offset; /* elements, in the payload */
} stored;

/* Elements that are zero and share one place: what the reader makes of an entry without bytes. */
static bool is_zeros(const scanc_tensor *t) {
  static const char zero[16];
  int64_t spread = 0;
  for (int i = 0; i < t->rank; i++) spread += t->sizes[i] > 1 ? llabs(t->strides[i]) : 0;
  return scanc_tensor_numel(t) > 1 && !spread && !memcmp(t->data, zero, scanc_dtype_size(t->dtype));
}

static void find_bytes(stored *s) {
  const scanc_tensor *t = s->t;
  int64_t size = (int64_t)scanc_dtype_size(t->dtype);
  s->first = s->end = t->data;
  s->empty = !scanc_tensor_numel(t) || is_zeros(t);
  if (s->empty) return;
  for (int i = 0; i < t->rank; i++) {
    int64_t reach = (t->sizes[i] - 1) * t->strides[i] * size;
    if (reach < 0) s->first += reach;
    else s->end += reach;
  }
  s->end += size;
}

static int by_place(const void *a, const void *b) {
  const stored *x = *(stored *const *)a, *y = *(stored *const *)b;
  if (x->empty != y->empty) return x->empty ? -1 : 1;
  if (x->first != y->first) return x->first < y->first ? -1 : 1;
  return (x->p > y->p) - (x->p < y->p);
}

/* Writes files of bytes: values that overlap, as tied weights do, share one. Sets where each value
 * lies. */
static void add_payloads(pt2_writer *w, archive_writer *a, const char *name, stored *s, int n) {
  stored **order = ARENA_ARRAY(w->tmp, stored *, n);
  for (int i = 0; i < n; i++) order[i] = &s[i];
  if (n) qsort(order, (size_t)n, sizeof *order, by_place);
  for (int i = 0, k = 0, j; i < n; i = j, k++) {
    const char *first = order[i]->first, *end = order[i]->end;
    for (j = i; j < n && (j == i || (!order[i]->empty && order[j]->first < end)); j++) {
      size_t size = scanc_dtype_size(order[j]->t->dtype);
      if ((size_t)(order[j]->first - first) % size) break; /* elements of another size between */
      if (order[j]->end > end) end = order[j]->end;
      order[j]->payload = k;
      order[j]->offset = ((const char *)order[j]->t->data - first) / (ptrdiff_t)size;
    }
    archive_add(a, arena_printf(w->tmp, name, k), first, (size_t)(end - first));
  }
}

static json_t *weight_json(pt2_writer *w, const stored *s, const char *file) {
  const scanc_tensor *t = s->t;
  dim dims[SCANC_MAX_RANK];
  for (int i = 0; i < t->rank; i++) dims[i] = dim_int(t->sizes[i]);
  json_t *meta = pt2_meta_json(w, type_tensor(w->tmp, t->dtype, dims, t->rank));
  json_t *strides = json_array();
  for (int i = 0; i < t->rank; i++)
    json_array_append_new(strides, json_pack("{s:I}", "as_int", (json_int_t)t->strides[i]));
  if (!s->empty) json_object_set(meta, "strides", strides);
  json_decref(strides);
  json_object_set_new(meta, "storage_offset", json_pack("{s:I}", "as_int", (json_int_t)s->offset));
  json_object_set_new(meta, "requires_grad", json_boolean(takes_gradient(s->p, t->dtype)));
  return json_pack("{s:s, s:b, s:b, s:o}", "path_name", file, "is_param",
                   s->p->kind == PORT_PARAMETER, "use_pickle", 0, "tensor_meta", meta);
}

static bool is_constant(const port *p) {
  return p->kind == PORT_CONSTANT || (p->kind == PORT_BUFFER && !p->persistent);
}

static bool is_stored(const port *p) {
  return is_constant(p) || p->kind == PORT_PARAMETER || p->kind == PORT_BUFFER;
}

static void add_json(archive_writer *a, const char *name, json_t *j) {
  char *text = json_dumps(j, JSON_COMPACT);
  archive_add(a, name, text ? text : "", text ? strlen(text) : 0);
  free(text);
}

/* The values of one folder of the archive, and the file that says which is which. */
static bool add_folder(pt2_writer *w, archive_writer *a, bool constants) {
  const char *folder = constants ? "constants" : "weights";
  const char *name = constants ? "tensor_%d" : "weight_%d";
  stored *s = ARENA_ARRAY(w->tmp, stored, w->m->inputs.len);
  int n = 0;
  for (int i = 0; i < w->m->inputs.len; i++) {
    const port *p = &w->m->inputs.data[i];
    if (!is_stored(p) || is_constant(p) != constants) continue;
    s[n] = (stored){.p = p, .t = value_store_find(w->m->data, p->name)};
    if (!s[n].t)
      return err_set(w->err, SCANC_ERR_MISSING_INPUT, (src_loc){.file = w->m->name},
                     "'%.100s' has no value to save; scanc_module_bind gives it one", p->name);
    find_bytes(&s[n++]);
  }
  add_payloads(w, a, arena_printf(w->tmp, "data/%s/%s", folder, name), s, n);
  json_t *config = json_object();
  for (int i = 0; i < n; i++)
    json_object_set_new(config, target_of(s[i].p),
                        weight_json(w, &s[i], arena_printf(w->tmp, name, s[i].payload)));
  json_t *j = json_pack("{s:o}", "config", config);
  add_json(a, arena_printf(w->tmp, "data/%s/model_%s_config.json", folder, folder), j);
  json_decref(j);
  return true;
}

/* ---- the file ---- */

/* The folder of all entries: the file's name without its extension. */
static const char *root_of(arena *tmp, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  size_t n = dot && dot > name ? (size_t)(dot - name) : strlen(name);
  char *root = arena_strndup(tmp, name, n);
  for (char *p = root; *p; p++)
    if ((unsigned char)*p < ' ' || *p == '\\' || *p == 127) *p = '_';
  return *root && strcmp(root, ".") && strcmp(root, "..") ? root : "model";
}

static bool write_archive(pt2_writer *w, const char *path) {
  w->first = ARENA_ARRAY(w->tmp, node *, w->m->n_ids);
  w->values = ARENA_ARRAY(w->tmp, number, w->m->n_ids);
  choose_hints(w);
  json_t *program = pt2_has_room(w) ? program_json(w) : NULL;
  if (!program || w->err->code) return json_decref(program), false;
  archive_writer *a = archive_create(path, root_of(w->tmp, path), w->err);
  bool ok = a != NULL;
  if (a) {
    archive_add(a, "archive_format", "pt2", 3);
    archive_add(a, "archive_version", "0", 1);
    archive_add(a, "byteorder", archive_byte_order(), strlen(archive_byte_order()));
    add_json(a, "models/model.json", program);
    ok = add_folder(w, a, false) && add_folder(w, a, true);
    archive_add(a, "data/sample_inputs/model.pt", "", 0); /* must be there; empty: there are none */
    archive_add(a, ".data/version", "6\n", 2);
    ok = archive_finish(a, ok, w->err) && ok;
  }
  json_decref(program);
  return ok;
}

/* A rewritten module in the words of PyTorch: views that were folded into scans are operations
 * again. */
static module *plain(const module *m, scanc_error *err) {
  str text = {0};
  module_print_code(&text, m);
  module *copy = fx_read(str_cstr(&text), text.len, m->name, err);
  str_free(&text);
  if (!copy) return NULL;
  copy->data = value_store_retain(m->data);
  copy->call_spec = m->call_spec; /* m outlives the copy */
  for (int i = 0; i < copy->inputs.len && copy->inputs.len == m->inputs.len; i++) {
    copy->inputs.data[i].frozen = m->inputs.data[i].frozen;
    copy->inputs.data[i].constant = m->inputs.data[i].constant;
  }
  return copy;
}

bool pt2_write(const module *m, const char *path, scanc_error *err) {
  scanc_error e = m->err;
  module *copy = e.code ? NULL : plain(m, &e);
  pt2_writer w = {.m = copy, .tmp = arena_new(), .err = &e};
  bool ok = copy && write_archive(&w, path);
  arena_free(w.tmp);
  module_free(copy);
  if (!ok && err && !err->code) *err = e;
  return ok;
}
