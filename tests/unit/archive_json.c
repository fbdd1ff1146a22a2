/* Programs of archives, written out: older layouts, and what saving keeps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../zip.h"
#include "frontend/load.h"
#include "frontend/pt2.h"
#include "unit.h"

/* Ends the archive and reads it. */
static module *read_zip(zip *z) {
  scanc_error err = {0};
  zip_end(z, false);
  archive *a = archive_of_bytes(z->file.data, z->file.len, "test.pt2", &err);
  module *m = a ? pt2_read(a, NULL, NULL, &err) : NULL;
  ck_assert_msg(m, "%s", err.message);
  return m;
}

/* ---- the layouts of PyTorch 2.6 ---- */

#define ARG(kind, value) "{\"name\": \"\", \"arg\": {\"" kind "\": " value "}}"
#define NAMED(name) "{\"name\": \"" name "\"}"
#define TENSOR(name) "{\"as_tensor\": " NAMED(name) "}"
#define META(sizes, strides) \
  "{\"dtype\": 7, \"sizes\": [" sizes "], \"strides\": [" strides "], \"layout\": 7}"
#define SIZE(n) "{\"as_int\": " #n "}"

/* y[i, j] = x[i, 0] + ... + x[i, j]: associative_scan(body, xs, dim). */
static const char old_associative_program[] = "{\"graph_module\": {\"graph\": {\"inputs\": "
                                              "[" TENSOR("x") "], \"outputs\": [" TENSOR("y") "], "
                                                                                              "\"no"
                                                                                              "des"
                                                                                              "\": "
                                                                                              "[{"
                                                                                              "\"ta"
                                                                                              "rget"
                                                                                              "\": "
                                                                                              "\"to"
                                                                                              "rch."
                                                                                              "ops."
                                                                                              "high"
                                                                                              "er_"
                                                                                              "orde"
                                                                                              "r."
                                                                                              "asso"
                                                                                              "ciat"
                                                                                              "ive_"
                                                                                              "scan"
                                                                                              "\", "
                                                                                              "\"in"
                                                                                              "puts"
                                                                                              "\": "
                                                                                              "[" ARG(
                                                                                                  "as_graph", "{\"name\": \"body\", \"graph\": {\"inputs\": [" TENSOR(
                                                                                                                  "a") ", " TENSOR("b") "], \"outputs\": [" TENSOR("c") "], \"nodes\": [{\"target\": "
                                                                                                                                                                        "\"torch.ops.aten.add.Tensor\", \"inputs\": [{\"name\": \"self\", \"arg\": " TENSOR("a") "}, {\"name\": \"other\", \"arg\": " TENSOR("b") "}], \"outputs\": [" TENSOR("c") "], \"metadata\": {}}], \"tensor_values\": {\"a\": " META(SIZE(
                                                                                                                                                                                                                                                                                                                                                                                                                 2),
                                                                                                                                                                                                                                                                                                                                                                                                             SIZE(1)) ", \"b\": " META(SIZE(2),
                                                                                                                                                                                                                                                                                                                                                                                                                                       SIZE(1)) ", \"c\": " META(SIZE(2),
                                                                                                                                                                                                                                                                                                                                                                                                                                                                 SIZE(1)) "}}}") ", " ARG("as_tensors", "[" NAMED("x") "]") ", " ARG("as_int", "1") "], \"outputs\": [" TENSOR("y") "], \"metadata\": {}, \"is_hop_single_tensor_return\": false}]"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                    ", \"tensor_values\": {\"x\": " META(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        SIZE(2) ", " SIZE(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            3),
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        SIZE(3) ", " SIZE(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            1)) ", \"y\": " META(SIZE(2) ", " SIZE(3), SIZE(3) ", " SIZE(1)) "}, \"is_single_tensor_return\": false}, "
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "\"signature\": {\"input_specs\": [{\"user_input\": {\"arg\": " TENSOR("x") "}}], "
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         "\"output_specs\": [{\"user_output\": {\"arg\": " TENSOR("y") "}}]}}, "
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                       "\"schema_version\": {\"major\": 8, \"minor\": 2}}";

START_TEST(old_associative_scan) {
  zip z = {0};
  scanc_error err = {0};
  zip_add_text(&z, "version", "8.2");
  zip_add_text(&z, "serialized_exported_program.json", old_associative_program);
  module *m = read_zip(&z);
  scanc_program *p = scanc_compile(m, NULL, &err);
  ck_assert_msg(p, "%s", err.message);
  float x[6] = {1, 2, 3, 10, 20, 30};
  static const float want[6] = {1, 3, 6, 10, 30, 60};
  scanc_tensor in = scanc_tensor_contiguous(x, SCANC_F32, 2, (int64_t[]){2, 3}), out = {0};
  ck_assert_msg(scanc_run(p, &in, 1, &out, 1, &err) == SCANC_OK, "%s", err.message);
  ck_assert_mem_eq(out.data, want, sizeof want);
  scanc_tensor_release(&out);
  scanc_program_free(p);
  module_free(m);
}
END_TEST

/* ---- saving what was read ---- */

/* Two parameters over one payload, sizes and a condition and a float over a symbol, nested
 * arguments and results. */
#define SYMBOL "Symbol('s7', positive=True, integer=True)"
#define EXPR(text) "{\"as_expr\": {\"expr_str\": \"" text "\", \"hint\": null}}"
#define LEAF "{\\\"type\\\": null, \\\"context\\\": null, \\\"children_spec\\\": []}"
#define TREE(type, context, children) \
  "{\\\"type\\\": \\\"builtins." type "\\\", \\\"context\\\": \\\"" context \
  "\\\", \\\"children_spec\\\": [" children "]}"
#define OPERATION(op, a, b, out) \
  "{\"target\": \"" op "\", \"inputs\": [{\"name\": \"\", \"arg\": " a \
  ", \"kind\": 1}, {\"name\": \"\", \"arg\": " b ", \"kind\": 1}], \"outputs\": [" out \
  "], \"metadata\": {}}"
#define NUMBER(kind, name) "{\"as_sym_" kind "\": {\"as_name\": \"" name "\"}}"
static const char nested_program[] =
    "{\"graph_module\": {\"graph\": {\"inputs\": [" TENSOR("p_v") ", " TENSOR("p_w") ", " TENSOR("x") "], \"outputs\": [" TENSOR(
        "y") ", " NUMBER("bool",
                         "ge") ", " NUMBER("float",
                                           "half") "], \"nodes\": "
                                                   "[" OPERATION(
                                                       "t"
                                                       "o"
                                                       "r"
                                                       "c"
                                                       "h"
                                                       "."
                                                       "o"
                                                       "p"
                                                       "s"
                                                       "."
                                                       "a"
                                                       "t"
                                                       "e"
                                                       "n"
                                                       "."
                                                       "s"
                                                       "y"
                                                       "m"
                                                       "_"
                                                       "s"
                                                       "i"
                                                       "z"
                                                       "e"
                                                       "."
                                                       "i"
                                                       "n"
                                                       "t",
                                                       TENSOR("x"),
                                                       "{"
                                                       "\"as_int\": 0}",
                                                       NUMBER(
                                                           "int",
                                                           "n")) ", " OPERATION("_operator.ge", NUMBER("int", "n"), "{\"as_int\": 3}", NUMBER("bool", "ge")) ", " OPERATION("_operator.truediv", NUMBER("int", "n"), "{\"as_int\": 2}", NUMBER("float", "half")) ", " OPERATION("torch.ops.aten.mul.Tensor", TENSOR("p_w"),
                                                                                                                                                                                                                                                                                TENSOR("p_v"), TENSOR("z")) ", " OPERATION("torch.ops.aten.add.Tensor",
                                                                                                                                                                                                                                                                                                                           TENSOR(
                                                                                                                                                                                                                                                                                                                               "x"),
                                                                                                                                                                                                                                                                                                                           TENSOR(
                                                                                                                                                                                                                                                                                                                               "z"),
                                                                                                                                                                                                                                                                                                                           TENSOR(
                                                                                                                                                                                                                                                                                                                               "y")) "], \"tensor_values\": {\"p_v\": " META(SIZE(2), SIZE(1)) ", \"p_w\": " META(SIZE(2) ", " SIZE(2), SIZE(1) ", " SIZE(2)) ", \"z\": " META(SIZE(2) ", " SIZE(2),
                                                                                                                                                                                                                                                                                                                                                                                                                                                                               SIZE(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                   2) ", " SIZE(1)) ", \"x\": " META(EXPR(SYMBOL) ", " SIZE(2) ", " SIZE(2),
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                     SIZE(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         4) ", " SIZE(2) ", " SIZE(1)) ", \"y\": " META(EXPR(SYMBOL) ", " SIZE(2) ", " SIZE(2),
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        SIZE(4) ", " SIZE(2) ", " SIZE(1)) "}, \"sym_int_values\": {\"n\": " EXPR(SYMBOL) "}, \"sym_bool_values\": {\"ge\": " EXPR("GreaterThan(" SYMBOL ", Integer(3))") "}, \"sym_float_values\": {\"half\": " EXPR("IntTrueDiv(" SYMBOL
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      ", Integer(2))") "}, \"is_single_tensor_return\": false}, "
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                       "\"signature\": {\"input_specs\": [{\"parameter\": {\"arg\": " NAMED("p_v") ", \"parameter_name\": \"v\"}}, {\"parameter\": {\"arg\": " NAMED("p_w") ", \"parameter_name\": \"w\"}}, {\"user_input\": {\"arg\": " TENSOR("x") "}}], \"output_specs\": [{\"user_output\": {\"arg\": " TENSOR("y") "}}, {\"user_output\": {\"arg\": " NUMBER(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                           "bool", "ge") "}}, {\"user_output\": {\"arg\": " NUMBER("float",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                   "half") "}}]}, \"module_call_graph\": [{\"fqn\": \"\", \"signature\": {"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                           "\"inputs\": [], \"outputs\": [], \"in_spec\": \"[1, " TREE("tuple",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                       "null", TREE("tuple", "null", TREE("dict", "[\\\\\\\"k\\\\\\\"]", LEAF)) ", " TREE("dict", "[]", "")) "]\", \"out_spec\": \"[1, " TREE("tuple",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                              "null", LEAF ", " TREE("list", "null", LEAF ", " LEAF)) "]\", \"forward_arg_names\": [\"h\"]}}]}, \"range_constraints\": {\"s7\": {\"min_val\": 2, "
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      "\"max_val\": 90}}, \"schema_version\": {\"major\": 8, \"minor\": 20}}";
#define WEIGHT(name, sizes, strides, offset) \
  "\"" name "\": {\"path_name\": \"weight_0\", \"is_param\": true, \"use_pickle\": false, " \
  "\"tensor_meta\": {\"dtype\": 7, \"sizes\": [" sizes "], \"strides\": [" strides \
  "], \"storage_offset\": " SIZE(offset) ", \"layout\": 7}}"

static module *nested_module(void) {
  static const float values[4] = {1, 2, 3, 4};
  zip z = {0};
  zip_add_text(&z, "m/models/model.json", nested_program);
  zip_add_text(&z, "m/data/weights/model_weights_config.json",
               "{\"config\": {" WEIGHT("v", SIZE(2), SIZE(1), 1) ", " WEIGHT(
                   "w", SIZE(2) ", " SIZE(2), SIZE(1) ", " SIZE(2), 0) "}}");
  zip_add(&z, "m/data/weights/weight_0", "m/data/weights/weight_0", (const char *)values,
          sizeof values, 0, false);
  zip_add_text(&z, "m/archive_format", "pt2");
  zip_add_text(&z, "m/archive_version", "0");
  module *m = read_zip(&z);
  return m;
}

static int n_payloads(const char *path) {
  int n = 0;
  archive *a = archive_open(path, NULL);
  ck_assert_ptr_nonnull(a);
  for (int i = 0; i < archive_n_entries(a); i++)
    n += strstr(archive_at(a, i)->name, "/data/weights/weight_") != NULL;
  archive_close(a);
  return n;
}

START_TEST(saved_as_it_was) {
  char path[4096];
  const char *dir = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/scanc-saved-%ld.pt2", dir && *dir ? dir : "/tmp", (long)getpid());
  scanc_error err = {0};
  str why = {0};
  module *m = nested_module();
  ck_assert_msg(pt2_write(m, path, &err), "%s", err.message);
  module *again = load_file(path, NULL, NULL, &err);
  ck_assert_msg(again, "%s", err.message);
  ck_assert_int_eq(n_payloads(path), 1);
  unlink(path);
  ck_assert_msg(module_equal(m, again, &why), "%s", str_cstr(&why));
  ck_assert_str_eq(m->inputs.data[2].tree, "h.k");
  ck_assert_str_eq(again->inputs.data[2].tree, "h.k");
  ck_assert_str_eq(m->call_spec, again->call_spec);
  const scanc_tensor *v = value_store_find(again->data, "p_v"),
                     *w = value_store_find(again->data, "p_w");
  ck_assert(w->strides[0] == 1 && w->strides[1] == 2 && (char *)v->data == (char *)w->data + 4);
  ck_assert_ptr_nonnull(strstr(graph_find(again->main, "ge")->type->s, ">= 3"));
  ck_assert_ptr_nonnull(strstr(graph_find(again->main, "half")->type->s, "IntTrueDiv"));
  module_free(again);
  module_free(m);
}
END_TEST

UNIT_MAIN("archive_json", old_associative_scan, saved_as_it_was)
