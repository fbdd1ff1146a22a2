/* Programs of archives that are wrong, and what is said about them; symbolic expressions, and what
 * saving makes of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend/fx.h"
#include "frontend/load.h"
#include "frontend/pt2.h"
#include "frontend/pt2_reader.h"
#include "programs_pt2.h"
#include "runtime/module.h"
#include "unit.h"

static void bad_size(const char *srepr, scanc_code code, const char *words) {
  str size = {0};
  str_printf(&size, EXPR("%s"), srepr);
  refused(&(parts){.sizes = str_cstr(&size)}, code, words);
  str_free(&size);
}

/* ---- symbolic expressions ---- */

START_TEST(expressions) {
  bad_size("Foo(" S0 ")", SCANC_ERR_UNSUPPORTED, "x: unsupported: Foo in");
  bad_size("Add(Integer(1), eval(Integer(1)))", SCANC_ERR_UNSUPPORTED, "unsupported: eval in");
  bad_size("FloorDiv(" S0 ", Integer(2), Integer(3))", SCANC_ERR_BAD_JSON,
           "x: symbolic expression: expected 2 operands of FloorDiv, got 3");
  bad_size("Mod(" S0 ")", SCANC_ERR_BAD_JSON, "expected 2 operands of Mod, got 1");
  bad_size("Max()", SCANC_ERR_BAD_JSON, "expected operands of Max, got 0");
  bad_size("Where(true, " S0 ")", SCANC_ERR_BAD_JSON, "expected 3 operands of Where, got 2");
  bad_size("Not(" S0 ")", SCANC_ERR_BAD_JSON, "expected conditions of Not");
  bad_size("Add(StrictLessThan(" S0 ", Integer(3)), Integer(1))", SCANC_ERR_BAD_JSON,
           "expected numbers of Add");
  bad_size("Pow(" S0 ", Integer(-1))", SCANC_ERR_BAD_JSON, "x: expected an integer, got Pow");
  bad_size("IntTrueDiv(" S0 ", Integer(2))", SCANC_ERR_BAD_JSON, "x: expected an integer");
  bad_size("Mul(Rational(1, 2), " S0 ")", SCANC_ERR_BAD_JSON, "x: expected an integer");
  bad_size("StrictLessThan(" S0 ", Integer(3))", SCANC_ERR_BAD_JSON, "x: expected an integer");
  bad_size("__import__('os')", SCANC_ERR_BAD_JSON, "expected a function such as Symbol('s0')");
  bad_size("Symbol('s 0')", SCANC_ERR_BAD_JSON, "expected a symbol, got 's 0'");
  bad_size("Symbol('True')", SCANC_ERR_BAD_JSON, "expected a symbol, got 'True'");
  bad_size("Symbol('False')", SCANC_ERR_BAD_JSON, "expected a symbol, got 'False'");
  bad_size("Symbol('oo')", SCANC_ERR_BAD_JSON, "expected a symbol, got 'oo'");
  bad_size("Symbol('int_oo')", SCANC_ERR_BAD_JSON, "expected a symbol, got 'int_oo'");
  bad_size("Symbol('\xc2\xb5')", SCANC_ERR_BAD_JSON, "expected a symbol, got '\xc2\xb5'");
  bad_size("Symbol('s0'", SCANC_ERR_BAD_JSON, "got its end");
  bad_size("Float('.5', precision=53)", SCANC_ERR_BAD_JSON, "expected a number, got '.5'");
  bad_size("Float('1e', precision=53)", SCANC_ERR_BAD_JSON, "expected a number, got '1e'");
  bad_size("Float('1.5e-07', precision=53)", SCANC_ERR_BAD_JSON, "x: expected an integer");
  bad_size("ExprCondPair(" S0 ", true)", SCANC_ERR_BAD_JSON, "expected no branch");
  bad_size("Max(ExprCondPair(" S0 ", true))", SCANC_ERR_BAD_JSON, "expected operands of Max");
  bad_size("Piecewise(" S0 ")", SCANC_ERR_BAD_JSON, "expected branches of Piecewise");
  bad_size("Integer(2) Integer(3)", SCANC_ERR_BAD_JSON, "expected the end, got 'Integer(3)'");
  bad_size("Integer(99999999999999999999)", SCANC_ERR_SIZE_OVERFLOW, "x: a symbolic size");
  bad_size("Mul(Integer(9223372036854775807), Integer(2))", SCANC_ERR_SIZE_OVERFLOW,
           "x: a symbolic size does not fit 64 bits");
  bad_size("TruncToInt(Add(Integer(9223372036854775807), Integer(2), Float('1.5', precision=53)))",
           SCANC_ERR_SIZE_OVERFLOW, "x: a symbolic size does not fit 64 bits");
  bad_size("Integer(-1)", SCANC_ERR_NEGATIVE_SIZE, "x: expected a size of 0 or more, got -1");
}
END_TEST

START_TEST(deep_and_wide_expressions) {
  str deep = {0}, wide = {0};
  for (int i = 0; i < 5000; i++) str_append(&deep, "Add(Integer(1), ");
  bad_size(str_cstr(&deep), SCANC_ERR_TOO_DEEP, "nested deeper than 200");
  str_append(&wide, "Max(" S0);
  for (int i = 0; i < 5000; i++) str_append(&wide, ", Integer(1)");
  str_append(&wide, ")");
  bad_size(str_cstr(&wide), SCANC_ERR_UNSUPPORTED, "more than 128 operands");
  str_free(&deep);
  str_free(&wide);
}
END_TEST

static void reads_as(const char *srepr, const char *printed) {
  str size = {0}, text = {0};
  str_printf(&size, EXPR("%s"), srepr);
  module *m = read_good(&(parts){.sizes = str_cstr(&size)});
  dim_print(&text, graph_find(m->main, "x")->type->dims[0]);
  ck_assert_str_eq(str_cstr(&text), printed);
  str_free(&size);
  str_free(&text);
  module_free(m);
}

#define PIECEWISE \
  "Piecewise(ExprCondPair(" S0 ", StrictGreaterThan(" S0 ", Integer(3))), " \
  "ExprCondPair(Integer(4), true))"

START_TEST(known_functions) {
  reads_as("Add(FloorDiv(" S0 ", Integer(2)), Integer(1))", "((s0//2)) + 1");
  reads_as("CleanDiv(Mul(Integer(6), " S0 "), Integer(3))", "2*s0");
  reads_as("CeilDiv(" S0 ", Integer(2))", "((s0 + 1)//2)");
  reads_as("LShift(" S0 ", Integer(3))", "8*s0");
  reads_as("RShift(" S0 ", Integer(3))", "(s0//8)");
  reads_as("Abs(Add(" S0 ", Integer(1)))", "s0 + 1");
  reads_as("Identity(" S0 ")", "s0");
  reads_as("PowByNatural(Integer(2), " S0 ")", "2**s0");
  reads_as("PowByNatural(Integer(2), Integer(-1))", "PowByNatural(2, -1)");
  reads_as("CeilToInt(" S0 ")", "s0");
  reads_as("CeilToInt(IntTrueDiv(" S0 ", Integer(2)))", "CeilToInt(IntTrueDiv(s0, 2))");
  reads_as("TruncToInt(OpaqueUnaryFn_sqrt(ToFloat(" S0 ")))",
           "TruncToInt(OpaqueUnaryFn_sqrt(ToFloat(s0)))");
  reads_as("Where(Equality(" S0 ", Integer(3)), " S0 ", Integer(1))", "Where(Eq(s0, 3), s0, 1)");
  reads_as(PIECEWISE, "Piecewise((s0, s0 > 3), (4, True))");
  reads_as("Add(Integer(2), " PIECEWISE ")", "Piecewise((s0, s0 > 3), (4, True)) + 2");
}
END_TEST

/* ---- values ---- */

START_TEST(element_types) {
  static const char *const none[][2] = {
      {"9", "c32"},        {"28", "u16"},        {"29", "f8e4m3fn"},
      {"30", "f8e5m2"},    {"31", "f8e4m3fnuz"}, {"32", "f8e5m2fnuz"},
      {"33", "f8e8m0fnu"}, {"34", "u32"},        {"35", "u64"}};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    char words[60];
    snprintf(words, sizeof words, "x: unsupported: element type %s", none[i][1]);
    refused(&(parts){.dtype = none[i][0]}, SCANC_ERR_BAD_DTYPE, words);
  }
  refused(&(parts){.dtype = "77"}, SCANC_ERR_BAD_DTYPE, "x: unknown element type: code 77");
  refused(&(parts){.dtype = "\"f32\""}, SCANC_ERR_BAD_JSON, "x: expected an integer");
  refused(
      &(parts){.nodes = NODE("aten.to.dtype",
                             ARG("self", TENSOR("x")) ", " ARG("dtype", "{\"as_scalar_type\": 28}"),
                             TENSOR("y"))},
      SCANC_ERR_BAD_DTYPE, "call: argument: unsupported: element type u16");
}
END_TEST

/* Bytes of truth values: those that are 0 or 1 are used where they lie. */
static void truth(const char *bytes, bool in_place) {
  scanc_error err = {0};
  module *m = read_good(
      &(parts){.dtype = "12",
               .sizes = "{\"as_int\": 4}",
               .nodes = NODE("aten.clone.default", ARG("self", TENSOR("x")), TENSOR("y")),
               .input_spec = "{\"buffer\": {\"arg\": {\"name\": \"x\"}, \"buffer_name\": \"b\", "
                             "\"persistent\": true}}",
               .weights = "{\"config\": {\"b\": {\"path_name\": \"weight_0\", \"tensor_meta\": "
                          "{\"dtype\": 12, \"sizes\": [{\"as_int\": 4}], \"strides\": "
                          "[{\"as_int\": 1}], \"layout\": 7}}}}",
               .payload = bytes});
  const scanc_tensor *b = value_store_find(m->data, "x");
  ck_assert(!b->release == in_place);
  scanc_program *p = scanc_compile(m, NULL, &err);
  ck_assert_msg(p, "%s", err.message);
  scanc_tensor in = {0}, out = {0};
  ck_assert_int_eq(scanc_run(p, &in, 1, &out, 1, &err), SCANC_OK);
  ck_assert_mem_eq(out.data, "\1\0\1\1", 4);
  scanc_tensor_release(&out);
  scanc_program_free(p);
  module_free(m);
}

START_TEST(truth_values) {
  truth("\1\0\1\1", true);
  truth("\1\0\200\2", false);
}
END_TEST

/* ---- names ---- */

#define BODY(inputs, node, output) \
  "{\"as_graph\": {\"name\": \"body\", \"graph\": {\"inputs\": [" inputs \
  "], \"outputs\": [" output "], \"nodes\": [" node "], \"tensor_values\": {}}}}"
#define SCAN(body) \
  NODE("higher_order.scan", \
       ARG("", body) ", " ARG("", "{\"as_tensors\": [{\"name\": \"x\"}]}") ", " ARG( \
           "", "{\"as_tensors\": []}") ", " ARG("", "{\"as_tensors\": []}"), \
       TENSOR("y"))

/* Values that need themselves: nothing is above its own definition. */
START_TEST(cyclic_names) {
  refused(&(parts){.nodes = RELU("y", "y")}, SCANC_ERR_UNDEFINED_NAME,
          "call: 'y' is used in GraphModule, but not defined above its use");
  refused(&(parts){.nodes = RELU("z", "y") ", " RELU("y", "z")}, SCANC_ERR_UNDEFINED_NAME,
          "'z' is used");
  refused(&(parts){.nodes = RELU("x", "x")}, SCANC_ERR_DUPLICATE_NAME, "'x' is defined twice");
  refused(&(parts){.nodes = RELU("x", "z") ", " RELU("z", "z")}, SCANC_ERR_DUPLICATE_NAME,
          "'z' is defined twice");
  refused(&(parts){.output = TENSOR("nosuch")}, SCANC_ERR_UNDEFINED_NAME, "'nosuch' is used");
  /* a body that reads what it returns, the result of its own scan, or a value around it */
  refused(&(parts){.nodes = SCAN(BODY(TENSOR("c"), RELU("d", "d"), TENSOR("d")))},
          SCANC_ERR_UNDEFINED_NAME, "call: 'd' is used in body");
  refused(&(parts){.nodes = SCAN(BODY(TENSOR("c"), RELU("y", "d"), TENSOR("d")))},
          SCANC_ERR_UNDEFINED_NAME, "call: 'y' is used in body");
  refused(&(parts){.nodes = SCAN(BODY(TENSOR("c"), RELU("x", "d"), TENSOR("d")))},
          SCANC_ERR_UNDEFINED_NAME, "call: 'x' is used in body");
  refused(&(parts){.symbols = "\"y\": {\"as_expr\": {\"expr_str\": \"y\"}}"}, SCANC_ERR_BAD_JSON,
          "y: symbolic expression");
  refused(&(parts){.conditions = "\"y\": " EXPR(S0)}, SCANC_ERR_BAD_JSON,
          "y: expected a condition, got Symbol");
}
END_TEST

/* ---- places ---- */

#define TRACED(op, name, inputs, trace) \
  "{\"target\": \"torch.ops.aten." op "\", \"inputs\": [" inputs \
  "], \"outputs\": [" TENSOR("y") "], \"metadata\": {\"stack_trace\": \"" trace \
                                  "\"}, \"name\": \"" name "\"}"
#define TRACE "  File \\\"main.py\\\", line 2\\n  File \\\"model.py\\\", line 34, in forward\\n"

/* Errors of nodes end in the node and the line that the archive has for it. */
START_TEST(places) {
  const char *place = " (node lstm, model.py:34)";
  module *m = read_good(&(parts){.nodes = TRACED("lstm.input", "lstm", "", TRACE)});
  diagnostics d = {.mem = m->mem};
  ck_assert(!module_lint(m, &d));
  ck_assert_str_eq(d.found.data[0].file, "test.pt2");
  const char *message = d.found.data[0].message;
  ck_assert_msg(strstr(message, "'torch.ops.aten.lstm.input' is unknown"), "%s", message);
  ck_assert_str_eq(message + strlen(message) - strlen(place), place);
  module_free(m);
  refused(&(parts){.nodes = TRACED("relu.default", "lstm", ARG("self", TENSOR("z")), TRACE)},
          SCANC_ERR_UNDEFINED_NAME, place);
  refused(
      &(parts){.nodes = TRACED("relu.default", "lstm", ARG("self", "{\"as_oracle\": 1}"), TRACE)},
      SCANC_ERR_UNSUPPORTED, place);
  refused(&(parts){.nodes = TRACED("view.default", "lstm",
                                   ARG("self", TENSOR("x")) ", " ARG("size", "{\"as_ints\": [3]}"),
                                   TRACE)},
          SCANC_ERR_SHAPE_MISMATCH, place);
  refused(&(parts){.nodes = TRACED("relu.default", "lstm", ARG("self", TENSOR("z")), "File")},
          SCANC_ERR_UNDEFINED_NAME, " (node lstm)");
  refused(&(parts){.output = TENSOR("z")}, SCANC_ERR_UNDEFINED_NAME, "'z' is used in GraphModule");
}
END_TEST

/* ---- memory ---- */

static int allocations_left;

static void *scarce(size_t n) { return allocations_left-- > 0 ? malloc(n) : NULL; }

/* No memory for JSON is said to be that, but where the parser takes it for a wrong token. */
START_TEST(no_memory) {
  static const char text[] = "{\"a\": [1, 2.5, \"three\", null], \"b\": {\"c\": true}}";
  json_t *j = NULL;
  int n = 0, n_told = 0;
  for (; !j && n < 1000; n++) {
    module *m = module_new("test.pt2");
    pt2 r = {.m = m, .mem = m->mem, .tmp = m->mem};
    allocations_left = n;
    json_set_alloc_funcs(scarce, free);
    j = pt2_parse_json(&r, "model.json", text, strlen(text));
    json_set_alloc_funcs(malloc, free);
    bool told = strstr(m->err.message, "model.json: no memory") != NULL;
    ck_assert(!j == (m->err.code != SCANC_OK));
    ck_assert(told == (m->err.code == SCANC_ERR_NO_MEMORY));
    ck_assert_msg(!strstr(m->err.message, ": line -1"), "%s", m->err.message);
    n_told += told;
    module_free(m);
  }
  ck_assert(j && n_told > 5);
  json_decref(j);
}
END_TEST

/* ---- saving ---- */

static module *again(const module *m, scanc_error *err) {
  char path[4096];
  const char *dir = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/scanc-faults-%ld.pt2", dir && *dir ? dir : "/tmp",
           (long)getpid());
  if (!pt2_write(m, path, err)) return NULL;
  module *read = load_file(path, NULL, NULL, err);
  unlink(path);
  return read;
}

/* The sizes of x survive saving. */
static void kept(module *m, const char *size) {
  scanc_error err = {0};
  str text = {0};
  module *saved = again(m, &err);
  ck_assert_msg(saved, "%s", err.message);
  dim_print(&text, graph_find(saved->main, "x")->type->dims[0]);
  ck_assert_str_eq(str_cstr(&text), size);
  str_free(&text);
  module_free(saved);
  module_free(m);
}

static module *read_text(const char *size) {
  scanc_error err = {0};
  str text = {0};
  str_printf(&text,
             "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[%s]\"):\n"
             "        y = torch.ops.aten.relu.default(x)\n        return (y,)\n",
             size);
  module *m = fx_read(str_cstr(&text), text.len, "test.fx", &err);
  ck_assert_msg(m, "%s", err.message);
  str_free(&text);
  return m;
}

static void cannot_be_saved(const char *size, const char *words) {
  scanc_error err = {0};
  module *m = read_text(size);
  ck_assert_ptr_null(again(m, &err));
  ck_assert_msg(err.code == SCANC_ERR_UNSUPPORTED && strstr(err.message, words), "%s", err.message);
  module_free(m);
}

START_TEST(sizes_are_saved) {
  kept(read_good(&(parts){.sizes = EXPR(PIECEWISE)}), "Piecewise((s0, s0 > 3), (4, True))");
  kept(read_good(&(parts){.sizes = EXPR("Add(Integer(2), " PIECEWISE ")")}),
       "Piecewise((s0, s0 > 3), (4, True)) + 2");
  kept(read_text("Piecewise((s0, s0 > 3), (4, True))"), "Piecewise((s0, s0 > 3), (4, True))");
  kept(read_text("3*Piecewise((s0, s0 > 3), (4, True)) + s0"),
       "3*Piecewise((s0, s0 > 3), (4, True)) + s0");
  kept(read_text("Max(s0, CeilToInt(s0/2))"), "Max(CeilToInt(s0*(2**(-1))), s0)");
  cannot_be_saved("Foo(s0)", "the size 'Foo(s0)' is no expression of sympy's");
  cannot_be_saved("Max(s0, Foo(s0))", "the size 'Max(s0, Foo(s0))' is no expression of sympy's");
}
END_TEST

#define RANGE(min, max) "{\"min_val\": " #min ", \"max_val\": " #max "}"

static scanc_code run_with(module *m, int64_t n, scanc_error *err) {
  float data[64] = {0};
  scanc_program *p = scanc_compile(m, NULL, err);
  ck_assert_msg(p, "%s", err->message);
  scanc_tensor in = scanc_tensor_contiguous(data, SCANC_F32, 1, &n), out = {0};
  scanc_code st = scanc_run(p, &in, 1, &out, 1, err);
  scanc_tensor_release(&out);
  scanc_program_free(p);
  return st;
}

/* A range of an expression holds after saving, too. */
START_TEST(ranges_are_saved) {
  scanc_error err = {0};
  module *m = read_good(&(parts){.sizes = EXPR(S0),
                                 .ranges = "\"s0\": " RANGE(2, 60) ", \"3*s0 + 1\": " RANGE(
                                     null, 31) ", \"u0 + 1\": " RANGE(0, 9)});
  module *saved = again(m, &err);
  ck_assert_msg(saved, "%s", err.message);
  module_free(m);
  ck_assert_int_eq(run_with(saved, 10, &err), SCANC_OK);
  ck_assert_int_ne(run_with(saved, 11, &err), SCANC_OK);
  ck_assert_msg(err.code == SCANC_ERR_RANGE && strstr(err.message, "3*s0 + 1 is outside"), "%s",
                err.message);
  module_free(saved);
  refused(&(parts){.ranges = "\"s0\": " RANGE(5, 4)}, SCANC_ERR_RANGE, "range of 's0'");
  refused(&(parts){.ranges = "\"s0 >\": " RANGE(4, 5)}, SCANC_ERR_BAD_JSON, "got 's0 >'");
}
END_TEST

UNIT_MAIN("archive_faults", expressions, deep_and_wide_expressions, known_functions, element_types,
          truth_values, cyclic_names, places, no_memory, sizes_are_saved, ranges_are_saved)
