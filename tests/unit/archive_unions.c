/* The alternatives of the unions in programs of archives: each is read, or refused by its name. */
#include <string.h>

#include "programs_pt2.h"
#include "unit.h"

/* ---- arguments ---- */

#define NAMED(name) "{\"name\": \"" name "\"}"
#define SYMBOL(name) "{\"as_name\": \"" name "\"}"

/* An alternative of a union, and what is made of it; NULL: it is refused by its name. */
typedef struct {
  const char *key, *json, *printed;
} alternative;

/* All that PyTorch 2.13 has (tests/saved.py compares), and values of each. */
static const alternative arguments[] = {
    {"as_none", "true", "None"},
    {"as_tensor", NAMED("x"), "x"},
    {"as_tensors", "[" NAMED("x") ", " NAMED("x") "]", "[x, x]"},
    {"as_tensors", "[]", "[]"},
    {"as_int", "9223372036854775807", "9223372036854775807"},
    {"as_ints", "[1, -9223372036854775808]", "[1, -9223372036854775808]"},
    {"as_float", "2.5", "2.5"},
    {"as_float", "\"-Infinity\"", "-inf"},
    {"as_floats", "[1.0, \"NaN\", \"Infinity\"]", "[1.0, nan, inf]"},
    {"as_string", "\"sum\"", "'sum'"},
    {"as_strings", "[\"a\", \"b\"]", "['a', 'b']"},
    {"as_sym_int", SYMBOL("n"), "n"},
    {"as_sym_int", "{\"as_int\": 3}", "3"},
    {"as_sym_ints", "[" SYMBOL("n") ", {\"as_int\": 3}]", "[n, 3]"},
    {"as_scalar_type", "13", "torch.bfloat16"},
    {"as_memory_format", "1", "torch.contiguous_format"},
    {"as_memory_format", "2", "torch.channels_last"},
    {"as_memory_format", "3", "torch.channels_last_3d"},
    {"as_memory_format", "4", "torch.preserve_format"},
    {"as_layout", "7", "torch.strided"},
    {"as_device", "{\"type\": \"cpu\", \"index\": null}", "device(type='cpu')"},
    {"as_device", "{\"type\": \"cuda\", \"index\": 1}", "device(type='cuda', index=1)"},
    {"as_bool", "false", "False"},
    {"as_bools", "[true, false]", "[True, False]"},
    {"as_sym_bool", SYMBOL("c"), "c"},
    {"as_sym_bool", "{\"as_bool\": true}", "True"},
    {"as_sym_bools", "[" SYMBOL("c") ", {\"as_bool\": false}]", "[c, False]"},
    {"as_graph",
     "{\"name\": \"body\", \"graph\": {\"inputs\": [], \"outputs\": [], \"nodes\": []}}", "body"},
    {"as_optional_tensors", "[{\"as_tensor\": " NAMED("x") "}, {\"as_none\": true}]", "[x, None]"},
    {"as_custom_obj", "{\"name\": \"o\", \"class_fqn\": \"C\"}", NULL},
    {"as_operator", "\"torch.ops.aten.add.Tensor\"", NULL},
    {"as_sym_float", SYMBOL("f"), "f"},
    {"as_sym_float", "{\"as_float\": 1.5}", "1.5"},
    {"as_sym_floats", "[{\"as_float\": 1.5}, " SYMBOL("f") "]", "[1.5, f]"},
    {"as_optional_tensor", "{\"as_none\": true}", "None"},
    {"as_optional_tensor", "{\"as_tensor\": " NAMED("x") "}", "x"},
    {"as_complex", "{\"real\": 1.5, \"imag\": -2.0}", "(1.5-2j)"},
    {"as_nested_tensors", "[[" NAMED("x") "], [], [" NAMED("x") ", " NAMED("x") "]]",
     "[[x], [], [x, x]]"},
    {"as_int_lists", "[[1, 2], [3]]", "[[1, 2], [3]]"},
    {"as_string_to_argument", "{\"a\": {\"as_int\": 1}}", NULL},
    {"as_float_lists", "[[1.5], []]", "[[1.5], []]"},
};

#define SIZE_N "{\"as_sym_int\": " SYMBOL("n") "}"
#define INT(k) "{\"as_int\": " #k "}"
#define PYTHON(op, inputs, output) \
  "{\"target\": \"_operator." op "\", \"inputs\": [" inputs "], \"outputs\": [" output \
  "], \"metadata\": {}}"
#define IS_THREE \
  PYTHON("eq", ARG("", SIZE_N) ", " ARG("", INT(3)), "{\"as_sym_bool\": " SYMBOL("c") "}")
#define HALF \
  PYTHON("truediv", ARG("", SIZE_N) ", " ARG("", INT(2)), "{\"as_sym_float\": " SYMBOL("f") "}")
/* x, its size n, whether that is 3, and half of it. */
#define NUMBERS \
  NODE("aten.sym_size.int", ARG("self", TENSOR("x")) ", " ARG("dim", INT(0)), SIZE_N) \
  ", " IS_THREE ", " HALF
#define WITH_NUMBERS \
  .sizes = EXPR(S0), .symbols = "\"n\": " EXPR(S0), \
  .conditions = "\"c\": " EXPR("Equality(" S0 ", Integer(3))"), \
  .floats = "\"f\": " EXPR("IntTrueDiv(" S0 ", Integer(2))")

static void read_argument(const alternative *a) {
  str nodes = {0}, words = {0};
  str_printf(&nodes, NUMBERS ", " NODE("mylib.f.default", ARG("", "{\"%s\": %s}"), TENSOR("y")),
             a->key, a->json);
  parts p = {WITH_NUMBERS, .nodes = str_cstr(&nodes)};
  if (a->printed) {
    module *m = read_good(&p);
    str text = {0};
    module_print_code(&text, m);
    str_printf(&words, "y = torch.ops.mylib.f.default(%s)", a->printed);
    ck_assert_msg(strstr(str_cstr(&text), str_cstr(&words)), "expected %s, got:\n%s",
                  str_cstr(&words), str_cstr(&text));
    str_free(&text);
    module_free(m);
  } else {
    str_printf(&words, "call: unsupported: argument %s (node call)", a->key);
    refused(&p, SCANC_ERR_UNSUPPORTED, str_cstr(&words));
  }
  str_free(&words);
  str_free(&nodes);
}

START_TEST(arguments_of_every_kind) {
  for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) read_argument(&arguments[i]);
}
END_TEST

static void bad_argument(const char *json, scanc_code code, const char *words) {
  str nodes = {0};
  str_printf(&nodes, NODE("mylib.f.default", ARG("", "%s"), TENSOR("y")), json);
  refused(&(parts){.nodes = str_cstr(&nodes)}, code, words);
  str_free(&nodes);
}

/* Alternatives that no PyTorch has, and values that an alternative cannot have. */
START_TEST(arguments_that_are_wrong) {
  bad_argument("{\"as_quaternion\": 1}", SCANC_ERR_UNSUPPORTED,
               "call: unsupported: argument as_quaternion");
  bad_argument("{\"as_int\": 1, \"as_float\": 2}", SCANC_ERR_BAD_JSON,
               "call: argument: expected an object with one key");
  bad_argument("{}", SCANC_ERR_BAD_JSON, "expected an object with one key");
  bad_argument("{\"as_int\": 1.0}", SCANC_ERR_BAD_JSON, "argument: expected an integer");
  bad_argument("{\"as_ints\": 1}", SCANC_ERR_BAD_JSON, "argument: expected a list");
  bad_argument("{\"as_int_lists\": [1]}", SCANC_ERR_BAD_JSON, "argument: expected a list");
  bad_argument("{\"as_float\": \"big\"}", SCANC_ERR_BAD_JSON, "argument: expected a number");
  bad_argument("{\"as_bool\": 1}", SCANC_ERR_BAD_JSON, "argument: expected true or false");
  bad_argument("{\"as_string\": 1}", SCANC_ERR_BAD_JSON, "argument: expected a string");
  bad_argument("{\"as_complex\": {\"real\": 1.0}}", SCANC_ERR_BAD_JSON,
               "argument: expected a number");
  bad_argument("{\"as_memory_format\": 0}", SCANC_ERR_UNSUPPORTED, "memory format 0");
  bad_argument("{\"as_memory_format\": 5}", SCANC_ERR_UNSUPPORTED, "memory format 5");
  bad_argument("{\"as_layout\": 1}", SCANC_ERR_UNSUPPORTED, "unsupported: layout 1");
  bad_argument("{\"as_device\": {\"index\": 0}}", SCANC_ERR_BAD_JSON, "device: expected a type");
  bad_argument("{\"as_device\": {\"type\": \"cuda\", \"index\": \"0\"}}", SCANC_ERR_BAD_JSON,
               "device: expected an integer");
  bad_argument("{\"as_sym_int\": {\"as_oracle\": 1}}", SCANC_ERR_UNSUPPORTED,
               "unsupported: symbolic argument as_oracle");
  bad_argument("{\"as_sym_ints\": [{\"as_int\": 1, \"as_name\": \"x\"}]}", SCANC_ERR_BAD_JSON,
               "symbolic argument: expected an object with one key");
  bad_argument("{\"as_optional_tensors\": [{\"as_oracle\": 1}]}", SCANC_ERR_UNSUPPORTED,
               "unsupported: optional argument as_oracle");
  bad_argument("{\"as_tensor\": {}}", SCANC_ERR_BAD_JSON, "an argument without a name");
}
END_TEST

/* Results have names, or are None. */
static void bad_result(const char *json, scanc_code code, const char *words) {
  str nodes = {0};
  str_printf(&nodes, NODE("mylib.f.default", ARG("", TENSOR("x")), "%s"), json);
  refused(&(parts){.nodes = str_cstr(&nodes), .output = TENSOR("x")}, code, words);
  str_free(&nodes);
}

START_TEST(results_of_every_kind) {
  for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
    const char *key = arguments[i].key;
    bool named = !strcmp(key, "as_none") || !strcmp(key, "as_tensor") ||
                 !strcmp(key, "as_tensors") || !strcmp(key, "as_optional_tensors") ||
                 !strcmp(key, "as_sym_int") || !strcmp(key, "as_sym_bool") ||
                 !strcmp(key, "as_sym_float");
    str json = {0}, words = {0};
    str_printf(&json, "{\"%s\": %s}", key, arguments[i].json);
    str_printf(&words, "unsupported: result %s (node call)", key);
    if (!named) bad_result(str_cstr(&json), SCANC_ERR_UNSUPPORTED, str_cstr(&words));
    str_free(&json);
    str_free(&words);
  }
  bad_result("{\"as_oracle\": 1}", SCANC_ERR_UNSUPPORTED, "unsupported: result as_oracle");
  bad_result("{\"as_tensor\": {}}", SCANC_ERR_BAD_JSON, "a result without a name");
  bad_result("{\"as_sym_int\": {\"as_int\": 3}}", SCANC_ERR_BAD_JSON, "a result without a name");
  bad_result(TENSOR("y") ", {\"as_tensors\": []}", SCANC_ERR_UNSUPPORTED,
             "unsupported: result as_tensors");
  bad_result("{\"as_optional_tensors\": [{\"as_none\": true}, {\"as_oracle\": 1}]}",
             SCANC_ERR_UNSUPPORTED, "unsupported: result as_oracle");
}
END_TEST

/* SymInt, SymBool and SymFloat, which say what a name stands for; the hint is not read. */
START_TEST(symbolic_values) {
  module *m = read_good(&(parts){.nodes = NUMBERS ", " RELU("x", "y"),
                                 .sizes = "{\"as_int\": 2}",
                                 .symbols = "\"n\": {\"as_int\": 2}",
                                 .conditions = "\"c\": {\"as_bool\": false}",
                                 .floats = "\"f\": {\"as_float\": 1.0}"});
  module_free(m);
  m = read_good(&(parts){WITH_NUMBERS, .nodes = NUMBERS ", " RELU("x", "y")});
  ck_assert_str_eq(graph_find(m->main, "c")->type->s, "Eq(s0, 3)");
  module_free(m);
#define BAD_NUMBER(table, json, code, words) \
  refused(&(parts){.nodes = NUMBERS, .sizes = EXPR(S0), .table = json}, code, words)
  BAD_NUMBER(symbols, "\"n\": {\"as_oracle\": 1}", SCANC_ERR_UNSUPPORTED,
             "n: unsupported: size as_oracle");
  BAD_NUMBER(conditions, "\"c\": {\"as_oracle\": 1}", SCANC_ERR_UNSUPPORTED,
             "c: unsupported: symbolic value as_oracle");
  BAD_NUMBER(floats, "\"f\": {\"as_oracle\": 1}", SCANC_ERR_UNSUPPORTED,
             "f: unsupported: symbolic value as_oracle");
  BAD_NUMBER(conditions, "\"c\": {\"as_bool\": 1}", SCANC_ERR_BAD_JSON, "expected true or false");
  BAD_NUMBER(floats, "\"f\": " EXPR("Equality(" S0 ", Integer(3))"), SCANC_ERR_BAD_JSON,
             "f: expected a float");
}
END_TEST

/* What signatures say of inputs and outputs; those with values need them. */
START_TEST(signatures) {
#define SPEC(key, target) "{\"" key "\": {\"arg\": " NAMED("x") ", \"" target "\": \"b\"}}"
#define RESULT(key, target) "{\"" key "\": {\"arg\": " NAMED("y") ", \"" target "\": \"b\"}}"
  static const char *const stored[] = {SPEC("parameter", "parameter_name"),
                                       SPEC("buffer", "buffer_name"),
                                       SPEC("tensor_constant", "tensor_constant_name")};
  for (int i = 0; i < 3; i++)
    refused(&(parts){.input_spec = stored[i]}, SCANC_ERR_MISSING_ENTRY, "no value for 'x' ('b')");
  static const char *const others[] = {"{\"user_input\": {\"arg\": " TENSOR("x") "}}",
                                       SPEC("custom_obj", "custom_obj_name"), SPEC("token", "")};
  for (int i = 0; i < 3; i++) module_free(read_good(&(parts){.input_spec = others[i]}));
  static const char *const results[] = {"{\"user_output\": {\"arg\": " TENSOR("y") "}}",
                                        RESULT("loss_output", ""),
                                        RESULT("buffer_mutation", "buffer_name"),
                                        RESULT("parameter_mutation", "parameter_name"),
                                        RESULT("gradient_to_parameter", "parameter_name"),
                                        RESULT("gradient_to_user_input", "user_input_name"),
                                        RESULT("user_input_mutation", "user_input_name"),
                                        RESULT("token", "")};
  for (int i = 0; i < 8; i++) module_free(read_good(&(parts){.output_spec = results[i]}));
  refused(&(parts){.input_spec = SPEC("oracle", "")}, SCANC_ERR_UNSUPPORTED,
          "unsupported: oracle in the signature");
  refused(&(parts){.output_spec = RESULT("oracle", "")}, SCANC_ERR_UNSUPPORTED,
          "unsupported: oracle in the signature");
}
END_TEST

START_TEST(layouts_and_sizes) {
  static const char *const layouts[] = {"0", "1", "2", "3", "4", "5", "6", "8"};
  for (int i = 0; i < 8; i++)
    refused(&(parts){.layout = layouts[i]}, SCANC_ERR_UNSUPPORTED, "x: unsupported: layout ");
  refused(&(parts){.layout = "\"strided\""}, SCANC_ERR_BAD_JSON, "x: expected an integer");
  refused(&(parts){.sizes = "{\"as_float\": 2.0}"}, SCANC_ERR_UNSUPPORTED,
          "x: unsupported: size as_float");
  refused(&(parts){.sizes = "{\"as_int\": 2.0}"}, SCANC_ERR_BAD_JSON, "x: expected an integer");
}
END_TEST

UNIT_MAIN("archive_unions", arguments_of_every_kind, arguments_that_are_wrong,
          results_of_every_kind, symbolic_values, signatures, layouts_and_sizes)
