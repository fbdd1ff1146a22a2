/* The op table against PyTorch: every case of op_cases.txt (corner values of every dtype, made by
 * tools/gen_op_cases.py) runs as a program of one op through the interpreter, and as the body of a
 * scan through every executor; all of them have to agree with PyTorch within the accuracy of the
 * case, and with each other bit by bit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "ir/type.h"
#include "runtime/tensor.h"
#include "scanc/scanc.h"
#include "unit.h"

enum { MAX_ARGS = 6, MAX_INPUTS = 2000 };

typedef struct {
  char overload[64];
  int ulp;
  bool any_zero; /* the sign of a zero is not compared */
  int n_args;
  const scanc_tensor *tensor[MAX_ARGS]; /* NULL: a literal */
  char literal[MAX_ARGS][64];
  char keyword[MAX_ARGS][32];
  scanc_tensor want;
  int line;
} op_case;

static scanc_tensor inputs[MAX_INPUTS];
static char inputs_name[MAX_INPUTS][16];
static int n_inputs;
static int n_failed, n_run, n_compiled;

/* ---- reading op_cases.txt ---- */

static int hex_digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/* "f32:0000803f,..." */
static scanc_tensor parse_tensor(const char *s) {
  scanc_tensor t = {.rank = 1, .strides = {1}};
  const char *colon = strchr(s, ':');
  ck_assert(colon && dtype_from_fx(s, (size_t)(colon - s), &t.dtype));
  size_t size = scanc_dtype_size(t.dtype), n = 0;
  for (const char *p = colon; *p; p++) n += *p == ':' || *p == ',';
  unsigned char *data = malloc(n * size), *q = data;
  for (const char *p = colon; *p; p += 1 + 2 * size)
    for (size_t i = 0; i < size; i++)
      *q++ = (unsigned char)(hex_digit(p[1 + 2 * i]) << 4 | hex_digit(p[2 + 2 * i]));
  t.data = data;
  t.sizes[0] = (int64_t)n;
  return t;
}

static const scanc_tensor *find_input(const char *name) {
  for (int i = 0; i < n_inputs; i++)
    if (!strcmp(inputs_name[i], name)) return &inputs[i];
  ck_abort_msg("no input %s", name);
  return NULL;
}

/* "@3", "=0.5", "alpha=3" */
static void parse_arg(op_case *c, char *s) {
  int k = c->n_args++;
  char *at = strpbrk(s, "@=");
  ck_assert(at && k < MAX_ARGS);
  snprintf(c->keyword[k], sizeof c->keyword[k], "%.*s", (int)(at - s), s);
  if (*at == '@') c->tensor[k] = find_input(at);
  else snprintf(c->literal[k], sizeof c->literal[k], "%s", at + 1);
}

static char *field(char **p) {
  char *s = *p, *bar = strchr(s, '|');
  if (bar) *bar = 0;
  *p = bar ? bar + 1 : s + strlen(s);
  return s;
}

static op_case parse_case(char *text, int line) {
  op_case c = {.line = line};
  snprintf(c.overload, sizeof c.overload, "%s", field(&text));
  const char *accuracy = field(&text);
  c.ulp = atoi(accuracy);
  c.any_zero = strchr(accuracy, 'z') != NULL;
  char *args = field(&text), *save = NULL;
  for (char *a = strtok_r(args, ";", &save); a; a = strtok_r(NULL, ";", &save)) parse_arg(&c, a);
  c.want = parse_tensor(field(&text));
  return c;
}

/* ---- programs ---- */

static void print_params(str *s, const op_case *c, bool stacked) {
  for (int k = 0; k < c->n_args; k++)
    if (c->tensor[k])
      str_printf(s, ", a%d: \"%s[%s%lld]\"", k, scanc_dtype_name(c->tensor[k]->dtype),
                 stacked ? "1, " : "", (long long)c->tensor[k]->sizes[0]);
}

static void print_call(str *s, const op_case *c) {
  str_printf(s, "y = torch.ops.aten.%s(", c->overload);
  for (int k = 0; k < c->n_args; k++) {
    if (k) str_append(s, ", ");
    if (*c->keyword[k]) str_printf(s, "%s = ", c->keyword[k]);
    if (c->tensor[k]) str_printf(s, "a%d", k);
    else str_append(s, c->literal[k]);
  }
  str_append(s, ")\n");
}

static void print_plain(str *s, const op_case *c) {
  str_append(s, "class M(torch.nn.Module):\n    def forward(self");
  print_params(s, c, false);
  str_append(s, "):\n        ");
  print_call(s, c);
  str_append(s, "        return (y,)\n");
}

/* One step over lanes: the op is the body, its operands are xs. */
static void print_scan(str *s, const op_case *c) {
  str_append(s, "class M(torch.nn.Module):\n    def forward(self, c: \"f32[1]\"");
  print_params(s, c, true);
  str_append(s, "):\n        scan_combine_graph_0 = self.scan_combine_graph_0\n"
                "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [c], [");
  const char *comma = "";
  for (int k = 0; k < c->n_args; k++)
    if (c->tensor[k]) str_printf(s, "%sa%d", comma, k), comma = ", ";
  str_append(
      s,
      "], ())\n        ys = scan[1]\n        return (ys,)\n"
      "    class scan_combine_graph_0(torch.nn.Module):\n        def forward(self, c: \"f32[1]\"");
  print_params(s, c, false);
  str_append(s, "):\n            ");
  print_call(s, c);
  str_append(s, "            d = torch.ops.aten.neg.default(c)\n            return [d, y]\n");
}

static void report(const op_case *c, const char *how, const char *fmt, ...) {
  va_list ap;
  if (n_failed++ > 200) return;
  fprintf(stderr, "op_cases.txt:%d: %s (%s): ", c->line, c->overload, how);
  va_start(ap, fmt);
  vfprintf(stderr, fmt, ap);
  va_end(ap);
  fputc('\n', stderr);
}

/* Runs the text; out gets the one result. stacked: inputs as [1, n] after a carry. */
static bool run_text(const op_case *c, const char *how, const str *text, bool stacked,
                     scanc_exec exec, scanc_tensor *out) {
  scanc_error err = {0};
  scanc_tensor in[MAX_ARGS + 1];
  float carry[1] = {0};
  int n = 0;
  if (stacked)
    in[n++] =
        (scanc_tensor){.data = carry, .dtype = SCANC_F32, .rank = 1, .sizes = {1}, .strides = {1}};
  for (int k = 0; k < c->n_args; k++) {
    if (!c->tensor[k]) continue;
    in[n] = *c->tensor[k];
    if (stacked)
      in[n] = (scanc_tensor){.data = in[n].data,
                             .dtype = in[n].dtype,
                             .rank = 2,
                             .sizes = {1, in[n].sizes[0]},
                             .strides = {in[n].sizes[0], 1}};
    n++;
  }
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = exec;
  scanc_module *m = scanc_module_parse(NULL, text->data, text->len, "case.fx", &err);
  scanc_program *p = m ? scanc_compile(m, &opts, &err) : NULL;
  bool ok = p && scanc_run(p, in, n, out, 1, &err) == SCANC_OK;
  if (!ok) report(c, how, "%s", err.message);
  scanc_program_free(p);
  scanc_module_free(m);
  return ok;
}

/* ---- comparing ---- */

static double ulp_of(double x, scanc_dtype d) {
  int bits = d == SCANC_F64 || d == SCANC_C128 ? 53
             : d == SCANC_F16                  ? 11
             : d == SCANC_BF16                 ? 8
                                               : 24;
  int low = d == SCANC_F64 || d == SCANC_C128 ? -1074
            : d == SCANC_F16                  ? -24
            : d == SCANC_BF16                 ? -133
                                              : -149;
  int e = x == 0 || !isfinite(x) ? low : ilogb(x) - bits + 1;
  return ldexp(1, e < low ? low : e);
}

/* ulp < 0: equal, whatever the sign of a zero. */
static bool close_reals(double got, double want, int ulp, double scale, scanc_dtype d) {
  if (isnan(got) || isnan(want)) return isnan(got) && isnan(want);
  if (got == want) return ulp != 0 || signbit(got) == signbit(want);
  if (!isfinite(got) || !isfinite(want)) return false;
  return fabs(got - want) <= ulp * ulp_of(scale, d);
}

static bool same_element(const void *got, const void *want, int ulp, scanc_dtype d) {
  char cls = dtype_class(d);
  if (cls == 'b' || cls == 'i') return !memcmp(got, want, scanc_dtype_size(d));
  number g = number_load(d, got), w = number_load(d, want);
  double scale = cls == 'c' ? hypot(w.f, w.im) : w.f;
  return close_reals(g.f, w.f, ulp, scale, d) &&
         (cls != 'c' || close_reals(g.im, w.im, ulp, scale, d));
}

static void compare(const op_case *c, const char *how, const scanc_tensor *got,
                    const scanc_tensor *want, int ulp) {
  int64_t n = want->sizes[want->rank - 1];
  if (got->dtype != want->dtype || got->sizes[got->rank - 1] != n) {
    report(c, how, "expected %s[%lld], got %s[%lld]", scanc_dtype_name(want->dtype), (long long)n,
           scanc_dtype_name(got->dtype), (long long)got->sizes[got->rank - 1]);
    return;
  }
  size_t size = scanc_dtype_size(want->dtype);
  for (int64_t i = 0; i < n; i++) {
    const char *g = (const char *)got->data + (size_t)i * size,
               *w = (const char *)want->data + (size_t)i * size;
    if (same_element(g, w, ulp, want->dtype)) continue;
    number a = number_load(got->dtype, g), b = number_load(want->dtype, w);
    report(c, how, "element %lld: expected %.9g (%lld), got %.9g (%lld)", (long long)i, b.f,
           (long long)b.i, a.f, (long long)a.i);
    return;
  }
}

/* One case through everything; the executors have to agree bit by bit, PyTorch within c->ulp. */
static void run_case(const op_case *c) {
  str plain = {0}, scan = {0};
  scanc_tensor ref = {0}, interp = {0}, jit = {0};
  print_plain(&plain, c);
  print_scan(&scan, c);
  n_run++;
  if (run_text(c, "alone", &plain, false, SCANC_EXEC_INTERP, &ref))
    compare(c, "alone", &ref, &c->want, c->any_zero ? -1 : c->ulp);
  if (run_text(c, "scan, interpreter", &scan, true, SCANC_EXEC_INTERP, &interp) && ref.data)
    compare(c, "scan, interpreter", &interp, &ref, 0);
  if (run_text(c, "scan, compiled", &scan, true, SCANC_EXEC_JIT, &jit) && ref.data) {
    compare(c, "scan, compiled", &jit, &ref, 0);
    n_compiled++;
  }
  scanc_tensor_release(&ref);
  scanc_tensor_release(&interp);
  scanc_tensor_release(&jit);
  str_free(&plain);
  str_free(&scan);
}

START_TEST(all_cases) {
  FILE *f = fopen(TEST_DIR "/op_cases.txt", "r");
  ck_assert_msg(f != NULL, "cannot open op_cases.txt");
  static char line[1 << 20];
  for (int k = 1; fgets(line, sizeof line, f); k++) {
    line[strcspn(line, "\n")] = 0;
    if (*line == '#') continue;
    if (*line == '@') {
      char *rest = line;
      ck_assert(n_inputs < MAX_INPUTS);
      snprintf(inputs_name[n_inputs], sizeof inputs_name[0], "%s", field(&rest));
      inputs[n_inputs++] = parse_tensor(rest);
      continue;
    }
    op_case c = parse_case(line, k);
    run_case(&c);
    free(c.want.data);
  }
  fclose(f);
  for (int i = 0; i < n_inputs; i++) free(inputs[i].data);
  printf("%d cases, %d of them also compiled, %d failures\n", n_run, n_compiled, n_failed);
  ck_assert_int_gt(n_run, 1000);
  ck_assert_int_eq(n_compiled, n_run);
  ck_assert_int_eq(n_failed, 0);
}
END_TEST

UNIT_MAIN("op_cases", all_cases)
