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
  err_set(w->err, SCANC_ERR_UNSUPPORTED, (src_loc){w->m->name, n ? n->loc.line : 0, 0},
          "%.100s%scannot be saved: %s", n && n->name ? n->name : "", n && n->name ? ": " : "",
          what);
  return NULL;
}

/* ---- signature ---- */

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
    if (tensor) json_object_set_new(body, kinds[i].key, json_string(p->target ? p->target : ""));
    if (input && p && p->kind == PORT_BUFFER)
      json_object_set_new(body, "persistent", json_boolean(p->persistent != 0));
    return json_pack("{s:o}", kinds[i].json, body);
  }
  return pt2_refuse(w, NULL, "a line of the signature of kind %.60s", kind_text);
}

static const port *input_port(const module *m, const node *n) {
  for (int i = 0; i < m->inputs.len; i++)
    if (!strcmp(m->inputs.data[i].name, n->name)) return &m->inputs.data[i];
  return NULL;
}

static json_t *signature_json(pt2_writer *w) {
  const module *m = w->m;
  json_t *in = json_array(), *out = json_array();
  FOR_EACH_NODE (n, m->main) {
    const port *p = input_port(m, n);
    if (n->kind == NODE_PLACEHOLDER)
      json_array_append_new(in,
                            spec_json(w, p ? p->kind_text : "USER_INPUT", true, p, val_node(n)));
  }
  int n_out = graph_n_results(m->main);
  for (int i = 0; i < n_out; i++) {
    const port *p = m->outputs.len == n_out ? &m->outputs.data[i] : NULL;
    json_array_append_new(
        out, spec_json(w, p ? p->kind_text : "USER_OUTPUT", false, p, graph_result(m->main, i)));
  }
  return json_pack("{s:o, s:o}", "input_specs", in, "output_specs", out);
}

/* ---- calling convention: flat arguments, a tuple of results ---- */

static void put_leaves(str *out, int n) {
  str_append(out, "{\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [");
  for (int i = 0; i < n; i++)
    str_printf(out, "%s{\"type\": null, \"context\": null, \"children_spec\": []}", i ? ", " : "");
  str_append(out, "]}");
}

static json_t *call_graph_json(pt2_writer *w) {
  str in = {0}, out = {0};
  json_t *names = json_array();
  int n_out = 0, n_results = graph_n_results(w->m->main);
  FOR_EACH_NODE (n, w->m->main) {
    const port *p = n->kind == NODE_PLACEHOLDER ? input_port(w->m, n) : NULL;
    if (n->kind == NODE_PLACEHOLDER && (!p || p->kind == PORT_USER))
      json_array_append_new(names, json_string(n->name));
  }
  for (int i = 0; i < n_results; i++)
    n_out += w->m->outputs.len != n_results || w->m->outputs.data[i].kind == PORT_USER;
  str_append(&in, "[1, {\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [");
  put_leaves(&in, (int)json_array_size(names));
  str_append(&in, ", {\"type\": \"builtins.dict\", \"context\": \"[]\", \"children_spec\": []}]}]");
  str_append(&out, "[1, ");
  put_leaves(&out, n_out);
  str_char(&out, ']');
  json_t *j = json_pack("[{s:s, s:{s:[], s:[], s:s, s:s, s:o}}]", "fqn", "", "signature", "inputs",
                        "outputs", "in_spec", str_cstr(&in), "out_spec", str_cstr(&out),
                        "forward_arg_names", names);
  str_free(&in);
  str_free(&out);
  return j;
}

/* ---- the program ---- */

static json_t *limit(int64_t v) {
  return v == INT64_MAX || v == INT64_MIN ? json_null() : json_integer(v);
}

static json_t *ranges_json(const module *m) {
  json_t *j = json_object();
  for (int i = 0; i < symtab_n_symbols(m->syms); i++) {
    int64_t min, max;
    sym_range(m->syms, symtab_symbol(m->syms, i), &min, &max);
    json_object_set_new(j, symtab_symbol(m->syms, i),
                        json_pack("{s:o, s:o}", "min_val", limit(min), "max_val", limit(max)));
  }
  return j;
}

/* Values that PyTorch takes for the sizes of its example: different ones, within their ranges. */
static void choose_hints(pt2_writer *w) {
  int n = symtab_n_symbols(w->m->syms);
  w->hints = ARENA_ARRAY(w->tmp, int64_t, n);
  w->known = ARENA_ARRAY(w->tmp, bool, n);
  for (int i = 0; i < n; i++) {
    int64_t min, max, v = 8 + i;
    const char *name = symtab_symbol(w->m->syms, i);
    sym_range(w->m->syms, name, &min, &max);
    w->hints[i] = v < min ? min : v > max ? max : v;
    w->known[i] = name[0] != 'u';
  }
}

static json_t *program_json(pt2_writer *w) {
  json_t *main_graph = pt2_graph_json(w, w->m->main, true);
  if (!main_graph) return NULL;
  json_t *gm =
      json_pack("{s:o, s:o, s:o, s:{}, s:{}}", "graph", main_graph, "signature", signature_json(w),
                "module_call_graph", call_graph_json(w), "metadata", "treespec_namedtuple_fields");
  return json_pack("{s:o, s:{s:i}, s:o, s:{s:i, s:i}, s:[s], s:s, s:[]}", "graph_module", gm,
                   "opset_version", "aten", 10, "range_constraints", ranges_json(w->m),
                   "schema_version", "major", 8, "minor", 8, "verifiers", "TRAINING",
                   "torch_version", "scanc " SCANC_VERSION, "guards_code");
}

/* ---- weights ---- */

static void copy_elements(char *to, const scanc_tensor *t, const char *from, int axis,
                          size_t *done) {
  size_t size = scanc_dtype_size(t->dtype);
  if (axis == t->rank) {
    memcpy(to + size * (*done)++, from, size);
    return;
  }
  for (int64_t i = 0; i < t->sizes[axis]; i++)
    copy_elements(to, t, from + i * t->strides[axis] * (int64_t)size, axis + 1, done);
}

static void add_payload(archive_writer *a, const char *name, const scanc_tensor *t) {
  size_t bytes = (size_t)scanc_tensor_numel(t) * scanc_dtype_size(t->dtype), done = 0;
  if (scanc_tensor_is_contiguous(t) || !bytes) {
    archive_add(a, name, t->data, bytes);
    return;
  }
  char *copy = base_malloc(bytes);
  copy_elements(copy, t, t->data, 0, &done);
  archive_add(a, name, copy, bytes);
  free(copy);
}

static bool add_weight(pt2_writer *w, archive_writer *a, const port *p, bool constant,
                       json_t *config, int k) {
  const scanc_tensor *t = value_store_find(w->m->data, p->name);
  if (!t)
    return err_set(w->err, SCANC_ERR_MISSING_INPUT, (src_loc){w->m->name, 0, 0},
                   "'%.100s' has no value to save: only archives bring the values of parameters",
                   p->name);
  const char *file = arena_printf(w->tmp, constant ? "tensor_%d" : "weight_%d", k);
  add_payload(a, arena_printf(w->tmp, constant ? "data/constants/%s" : "data/weights/%s", file), t);
  const node *n = graph_find(w->m->main, p->name);
  dim dims[SCANC_MAX_RANK];
  for (int i = 0; i < t->rank; i++) dims[i] = dim_int(t->sizes[i]);
  json_t *meta = pt2_meta_json(w, type_tensor(w->tmp, t->dtype, dims, t->rank));
  json_object_set_new(config, p->target ? p->target : n->name,
                      json_pack("{s:s, s:b, s:b, s:o}", "path_name", file, "is_param",
                                p->kind == PORT_PARAMETER, "use_pickle", 0, "tensor_meta", meta));
  return true;
}

static void add_json(archive_writer *a, const char *name, json_t *j) {
  char *text = json_dumps(j, JSON_COMPACT);
  archive_add(a, name, text ? text : "", text ? strlen(text) : 0);
  free(text);
}

static bool add_weights(pt2_writer *w, archive_writer *a) {
  json_t *weights = json_object(), *constants = json_object();
  bool ok = true;
  for (int i = 0; ok && i < w->m->inputs.len; i++) {
    const port *p = &w->m->inputs.data[i];
    bool constant = p->kind == PORT_CONSTANT || (p->kind == PORT_BUFFER && !p->persistent);
    if (constant || p->kind == PORT_PARAMETER || p->kind == PORT_BUFFER)
      ok = add_weight(w, a, p, constant, constant ? constants : weights, i);
  }
  json_t *wc = json_pack("{s:o}", "config", weights), *cc = json_pack("{s:o}", "config", constants);
  add_json(a, "data/weights/model_weights_config.json", wc);
  add_json(a, "data/constants/model_constants_config.json", cc);
  json_decref(wc);
  json_decref(cc);
  return ok;
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
  choose_hints(w);
  json_t *program = program_json(w);
  if (!program || w->err->code) return json_decref(program), false;
  archive_writer *a = archive_create(path, root_of(w->tmp, path), w->err);
  bool ok = a != NULL;
  if (a) {
    archive_add(a, "archive_format", "pt2", 3);
    archive_add(a, "archive_version", "0", 1);
    archive_add(a, "byteorder", "little", 6);
    add_json(a, "models/model.json", program);
    ok = add_weights(w, a);
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
  if (copy) copy->data = value_store_retain(m->data);
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
