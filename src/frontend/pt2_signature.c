/* The signature of an exported program, and the ranges of its symbols. */
#include <string.h>

#include "frontend/pt2_reader.h"
#include "frontend/sym_call.h"

static const struct {
  const char *text;
  port_kind kind;
  bool input;
  const char *json, *key;
} kinds[] = {
#define PORT_KIND(text, kind, input, json, key) {text, kind, input, json, key},
#include "frontend/port_kinds.def"
#undef PORT_KIND
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

const char *pt2_spec_name(json_t *spec) {
  return pt2_text(pt2_field(spec, "constant_input"), "name");
}

/* The row of the table for one spec; an input that is a constant counts as the user's. */
static bool read_kind(pt2 *r, json_t *spec, bool input, port *out) {
  const char *key;
  json_t *v, *persistent;
  SCANC_TRY(pt2_union(r, spec, "signature", &key, &v));
  if (input && !strcmp(key, "constant_input")) key = "user_input";
  for (int i = 0; i < N_KINDS; i++) {
    if (kinds[i].input != input || strcmp(kinds[i].json, key)) continue;
    const char *target = *kinds[i].key ? pt2_text(v, kinds[i].key) : NULL;
    persistent = pt2_field(v, "persistent");
    *out = (port){.kind = kinds[i].kind,
                  .kind_text = kinds[i].text,
                  .target = target ? arena_strdup(r->mem, target) : NULL,
                  .persistent = persistent ? json_is_true(persistent) : -1};
    return true;
  }
  return pt2_fail(r, SCANC_ERR_UNSUPPORTED, "unsupported: %.100s in the signature", key);
}

/* The name that a spec repeats: an Argument, or a TensorArgument. */
static bool spec_name(pt2 *r, json_t *spec, const char **out) {
  const char *key;
  json_t *v;
  SCANC_TRY(pt2_union(r, spec, "signature", &key, &v));
  json_t *arg = pt2_field(v, "arg");
  *out = pt2_text(arg, "name");
  if (*out || !json_is_object(arg)) return true;
  return pt2_result_name(r, arg, out);
}

static bool check_name(pt2 *r, json_t *spec, const char *name, const char *what) {
  const char *said;
  SCANC_TRY(spec_name(r, spec, &said));
  if (!said || !strcmp(said, name)) return true;
  return pt2_fail(r, SCANC_ERR_SIGNATURE, "signature: expected %s '%.100s', got '%.100s'", what,
                  name, said);
}

static bool inputs(pt2 *r, json_t *specs) {
  graph *g = r->m->main;
  int n = graph_n_placeholders(g), i = 0;
  if ((int)json_array_size(specs) != n)
    return pt2_fail(r, SCANC_ERR_SIGNATURE, "signature: %zu inputs, but the graph has %d",
                    json_array_size(specs), n);
  FOR_EACH_NODE (p, g) {
    port q;
    if (p->kind != NODE_PLACEHOLDER) break;
    json_t *spec = json_array_get(specs, (size_t)i++);
    SCANC_TRY(read_kind(r, spec, true, &q));
    SCANC_TRY(check_name(r, spec, p->path, "input"));
    q.name = p->name;
    const val *constant = map_get(&r->constants, p->name);
    if (constant) q.constant = *constant;
    vec_push(r->mem, &r->m->inputs, q);
  }
  return true;
}

static bool outputs(pt2 *r, json_t *specs) {
  graph *g = r->m->main;
  int n = graph_n_results(g);
  if ((int)json_array_size(specs) != n)
    return pt2_fail(r, SCANC_ERR_SIGNATURE, "signature: %zu outputs, but the graph has %d",
                    json_array_size(specs), n);
  for (int i = 0; i < n; i++) {
    port q;
    val v = graph_result(g, i);
    SCANC_TRY(read_kind(r, json_array_get(specs, (size_t)i), false, &q));
    q.name = v.kind == VAL_NODE ? v.node->name : "";
    vec_push(r->mem, &r->m->outputs, q);
  }
  return true;
}

bool pt2_signature(pt2 *r, json_t *signature) {
  r->m->has_signature = true;
  return inputs(r, pt2_field(signature, "input_specs")) &&
         outputs(r, pt2_field(signature, "output_specs"));
}

/* ---- ranges ---- */

static bool bound(pt2 *r, json_t *v, int64_t unbounded, int64_t *out) {
  *out = unbounded;
  return !v || pt2_int(r, v, "range", out);
}

bool pt2_ranges(pt2 *r, json_t *constraints) {
  const char *name, *symbol;
  json_t *v;
  json_object_foreach(constraints, name, v) {
    fx_sym s;
    range_constraint c;
    SCANC_TRY(bound(r, pt2_field(v, "min_val"), INT64_MIN, &c.min));
    SCANC_TRY(bound(r, pt2_field(v, "max_val"), INT64_MAX, &c.max));
    if (c.min > c.max)
      return pt2_fail(r, SCANC_ERR_RANGE,
                      "range of '%.60s': the lower bound %lld is above the upper bound %lld", name,
                      (long long)c.min, (long long)c.max);
    if (!fx_sym_parse(r->m, r->mem, name, &s) || s.kind != FX_SYM_INT)
      return pt2_fail(r, SCANC_ERR_BAD_JSON, "range: expected a symbolic size, got '%.60s'", name);
    c.expr = s.d;
    vec_push(r->mem, &r->m->ranges, c);
    if (dim_is_symbol(s.d, &symbol)) sym_set_range(r->m->syms, symbol, c.min, c.max);
  }
  return true;
}
