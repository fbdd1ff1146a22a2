/* Programs whose sizes and numbers are random expressions over all of sym_functions.def: what must
 * hold of any program (one.c) holds of them.
 *   fuzz_sizes COUNT [FIRST]   programs FIRST (1) to FIRST + COUNT - 1; the last number printed is
 * that of a failure */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "frontend/sym_call.h"
#include "one.h"

static const sym_function rows[] = {
#define SYM_FUNCTION(name, printed, infix, min, max, takes, gives) \
  {name, printed, infix, min, max, takes, gives},
#include "frontend/sym_functions.def"
#undef SYM_FUNCTION
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static uint64_t state;
static int below(int n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)n);
}

static const char *one_of(const char *const *list, int n) { return list[below(n)]; }
#define ONE_OF(...) \
  one_of((const char *const[]){__VA_ARGS__}, \
         sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* ---- expressions: kind 'i' an integer, 'f' a float, 'b' a condition, 'p' a branch ---- */

static void leaf(str *out, char kind) {
  static const char s0[] = "Symbol('s0', positive=True, integer=True)";
  if (kind == 'b') str_append(out, ONE_OF("true", "false"));
  else if (kind == 'f')
    str_append(out, ONE_OF("Float('1.5', precision=53)", "Float('-2.0e-3', precision=53)",
                           "Rational(1, 2)", "Rational(-3, 4)", "Symbol('zf0', real=True)"));
  else
    str_append(out, ONE_OF(s0, s0, "Symbol('s1', positive=True, integer=True)",
                           "Symbol('u0', integer=True)", "Integer(0)", "Integer(1)", "Integer(3)",
                           "Integer(-1)", "Integer(64)", "Integer(9223372036854775807)"));
}

static bool is_row(const sym_function *f, const char *name) { return !strcmp(f->name, name); }

static const sym_function *row_for(char kind) {
  for (;;) {
    const sym_function *f = &rows[below(N_ROWS)];
    if (is_row(f, "ExprCondPair") != (kind == 'p')) continue;
    if (kind == 'p' || f->gives == kind || (f->gives == 'n' && kind != 'b')) return f;
  }
}

static char number_kind(void) { return below(2) ? 'i' : 'f'; }

/* The kind of operand k of f, which is to give `kind`. */
static char operand_kind(const sym_function *f, int k, char kind, char branch) {
  if (is_row(f, "Piecewise")) return 'p';
  if (is_row(f, "ExprCondPair")) return k ? 'b' : branch;
  if (is_row(f, "Where")) return k ? kind : 'b';
  if (is_row(f, "Pow") && k) return 'i';
  if (f->takes == 'b') return 'b';
  if (f->gives == 'n') return kind == 'f' && k ? number_kind() : kind;
  if (f->takes == '*' && f->gives == 'b' && !below(3)) return 'b';
  return number_kind();
}

/* branch: the kind of the value of a branch. */
static void expression(str *out, char kind, char branch, int depth) {
  if (kind != 'p' && (depth <= 0 || !below(5))) {
    leaf(out, kind);
    return;
  }
  const sym_function *f = row_for(kind);
  int n = f->max ? f->min : f->min + below(3);
  str_printf(out, "%s(", f->name);
  for (int k = 0; k < n; k++) {
    if (k) str_append(out, ", ");
    char of = operand_kind(f, k, kind, branch);
    expression(out, of, of == 'p' ? kind : branch, depth - 1);
  }
  str_char(out, ')');
}

static void add_expression(str *out, const char *before, char kind, const char *after) {
  str_append(out, before);
  str_append(out, "{\"as_expr\": {\"expr_str\": \"");
  expression(out, kind, kind, 1 + below(4));
  str_append(out, "\", \"hint\": null}}");
  str_append(out, after);
}

/* ---- programs ---- */

#define TENSOR(name) "{\"as_tensor\": {\"name\": \"" name "\"}}"
#define SYMBOL(kind, name) "{\"as_sym_" kind "\": {\"as_name\": \"" name "\"}}"
#define INPUTS TENSOR("x"), SYMBOL("int", "k"), SYMBOL("float", "f"), SYMBOL("bool", "b")
#define CALL(op, inputs, output) \
  "{\"target\": \"" op "\", \"inputs\": [" inputs "], \"outputs\": [" output "], \"metadata\": " \
  "{}}"
#define ARG(value) "{\"name\": \"\", \"arg\": " value ", \"kind\": 1}"

static void put_list(str *out, const char *const *items, int n, const char *before,
                     const char *after) {
  for (int i = 0; i < n; i++) str_printf(out, "%s%s%s%s", i ? ", " : "", before, items[i], after);
}

/* y = relu(x), z = cat(x, y), m = 3*k */
static void program(str *out) {
  static const char *const inputs[] = {INPUTS}, *const outputs[] = {TENSOR("y"), TENSOR("z"),
                                                                    SYMBOL("int", "m")};
  static const char nodes[] =
      CALL("torch.ops.aten.relu.default", ARG(TENSOR("x")), TENSOR("y")) ", " CALL(
          "torch.ops.aten.cat.default",
          ARG("{\"as_tensors\": [{\"name\": \"x\"}, {\"name\": \"y\"}]}") ", " ARG(
              "{\"as_int\": 0}"),
          TENSOR("z")) ", " CALL("_operator.mul",
                                 ARG(SYMBOL("int", "k")) ", " ARG("{\"as_int\": 3}"),
                                 SYMBOL("int", "m"));
  str_append(out, "{\"graph_module\": {\"graph\": {\"inputs\": [");
  put_list(out, inputs, 4, "", "");
  str_append(out, "], \"outputs\": [");
  put_list(out, outputs, 3, "", "");
  str_printf(out, "], \"nodes\": [%s], ", nodes);
  add_expression(out, "\"tensor_values\": {\"x\": {\"dtype\": 7, \"layout\": 7, \"sizes\": [", 'i',
                 "]}}, ");
  add_expression(out, "\"sym_int_values\": {\"k\": ", 'i', "}, ");
  add_expression(out, "\"sym_float_values\": {\"f\": ", 'f', "}, ");
  add_expression(out, "\"sym_bool_values\": {\"b\": ", 'b', "}}, ");
  str_append(out, "\"signature\": {\"input_specs\": [");
  put_list(out, inputs, 4, "{\"user_input\": {\"arg\": ", "}}");
  str_append(out, "], \"output_specs\": [");
  put_list(out, outputs, 3, "{\"user_output\": {\"arg\": ", "}}");
  str_append(out, "]}}, \"schema_version\": {\"major\": 8, \"minor\": 20}}");
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 0, first = argc > 2 ? atoi(argv[2]) : 1;
  for (int i = first; i < first + count; i++) {
    str text = {0};
    state = (uint64_t)i * 0x9E3779B97F4A7C15u;
    program(&text);
    printf("%d\n", i); /* before it may end the process */
    fflush(stdout);
    if (argc > 3) puts(str_cstr(&text));
    LLVMFuzzerTestOneInput((const uint8_t *)str_cstr(&text), text.len);
    str_free(&text);
  }
  printf("%d of %d programs are valid\n", fuzz_n_valid, count);
  return count > 0 && fuzz_n_valid >= count / 4 ? EXIT_SUCCESS : EXIT_FAILURE;
}
