/* Archives of one small program, of which a test says what is different. */
#ifndef SCANC_TESTS_PROGRAMS_PT2_H
#define SCANC_TESTS_PROGRAMS_PT2_H

#include <string.h>

#include "../zip.h"
#include "frontend/pt2.h"
#include "unit.h"

/* y = relu(x), x: f32[2], but where a part says something else. */
typedef struct {
  const char *dtype, *sizes, *layout; /* of x */
  const char *nodes, *output;
  const char *input_spec, *output_spec;
  const char *ranges, *symbols, *conditions, *floats; /* of the program; its symbolic numbers */
  const char *weights, *payload; /* what is said of them; the bytes of weight_0 */
} parts;

#define ARG(name, value) "{\"name\": \"" name "\", \"arg\": " value ", \"kind\": 1}"
#define TENSOR(name) "{\"as_tensor\": {\"name\": \"" name "\"}}"
#define NODE(op, inputs, outputs) \
  "{\"target\": \"torch.ops." op "\", \"inputs\": [" inputs "], \"outputs\": [" outputs \
  "], \"metadata\": {}, \"name\": \"call\"}"
#define RELU(x, y) NODE("aten.relu.default", ARG("self", TENSOR(x)), TENSOR(y))
#define EXPR(text) "{\"as_expr\": {\"expr_str\": \"" text "\", \"hint\": null}}"
#define S0 "Symbol('s0', positive=True, integer=True)"

static const char *or_else(const char *s, const char *otherwise) { return s ? s : otherwise; }

static void program_text(const parts *p, str *out) {
  str_printf(
      out,
      "{\"graph_module\": {\"graph\": {\"inputs\": [" TENSOR(
          "x") "], \"outputs\": [%s], \"nodes\": [%s], "
               "\"tensor_values\": {\"x\": {\"dtype\": %s, \"sizes\": [%s], \"strides\": [], "
               "\"layout\": %s}}, \"sym_int_values\": {%s}, \"sym_bool_values\": {%s}, "
               "\"sym_float_values\": {%s}}, "
               "\"signature\": {\"input_specs\": "
               "[%s], "
               "\"output_specs\": [%s]}, \"module_call_graph\": []}, \"range_constraints\": {%s}, "
               "\"schema_version\": {\"major\": 8, \"minor\": 2}}",
      or_else(p->output, TENSOR("y")), or_else(p->nodes, RELU("x", "y")), or_else(p->dtype, "7"),
      or_else(p->sizes, "{\"as_int\": 2}"), or_else(p->layout, "7"), or_else(p->symbols, ""),
      or_else(p->conditions, ""), or_else(p->floats, ""),
      or_else(p->input_spec, "{\"user_input\": {\"arg\": " TENSOR("x") "}}"),
      or_else(p->output_spec, "{\"user_output\": {\"arg\": " TENSOR("y") "}}"),
      or_else(p->ranges, ""));
}

static module *read_parts(const parts *p, scanc_error *err) {
  zip z = {0};
  str text = {0};
  program_text(p, &text);
  zip_add_text(&z, "m/models/model.json", str_cstr(&text));
  if (p->weights) {
    const char *entry = "m/data/weights/weight_0";
    zip_add_text(&z, "m/data/weights/model_weights_config.json", p->weights);
    zip_add(&z, entry, entry, p->payload, 4, 0, false);
  }
  zip_add_text(&z, "m/archive_format", "pt2");
  zip_add_text(&z, "m/archive_version", "0");
  zip_end(&z, false);
  str_free(&text);
  archive *a = archive_of_bytes(z.file.data, z.file.len, "test.pt2", err);
  return a ? pt2_read(a, NULL, NULL, err) : NULL;
}

static module *read_good(const parts *p) {
  scanc_error err = {0};
  module *m = read_parts(p, &err);
  ck_assert_msg(m, "%s", err.message);
  return m;
}

static void refused(const parts *p, scanc_code code, const char *words) {
  scanc_error err = {0};
  module *m = read_parts(p, &err);
  bool right = !m && err.code == code && strstr(err.message, words);
  ck_assert_msg(right, "expected %s: ...%s..., got %s: %s", scanc_code_text(code), words,
                scanc_code_text(err.code), err.message);
  ck_assert_str_eq(err.file, "test.pt2");
}

#endif
