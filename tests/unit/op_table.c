/* The op table over all values: every elementwise row in every dtype that it exists for. 8-bit
 * types with all pairs of operands (three and more: all combinations of corner values, and random
 * ones), one-operand rows for f16 and bf16 with all values, all else with corners and random
 * values; and conversions between all types. The interpreter, as a plain op and inside of a scan,
 * and compiled code have to agree bit by bit (all NaNs are one value): at every CPU level of this
 * machine in types of 8 and 16 bits, where the oracle of op_oracle.c is asked too, with fused
 * multiply-add and without in the wider ones. A row without a compiled form is a failure. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../levels.h"
#include "../op_oracle.h"
#include "ir/bind.h"
#include "ir/build.h"
#include "ir/convert.h"
#include "unit.h"

enum { STEPS = 256, LANES = 256, POINTS = STEPS * LANES, MAX_ARGS = 4 };

/* A row with the numbers that its other operands have, or a conversion. */
typedef struct {
  const op_info *op; /* NULL: a conversion to `to` */
  scanc_dtype d, to;
  bool array[MAX_ARGS];
  double number[MAX_ARGS]; /* of those that are no arrays */
  int n_args;
  bool no_zero;    /* integer divisors: 0 is replaced by 1 */
  bool two_levels; /* with fused multiply-add and without are enough */
} subject;

static int n_failed, n_programs, n_compiled, n_oracle;
static uint64_t state = 88172645463325252u;

static uint64_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/* ---- values ---- */

static const unsigned char corners8[] = {0,   1,   2,   3,   4,   5,   6,   7,   8,   9,
                                         10,  15,  16,  31,  32,  33,  63,  64,  65,  100,
                                         126, 127, 128, 129, 130, 191, 192, 200, 223, 224,
                                         240, 247, 248, 250, 251, 252, 253, 254, 255, 85};

static const int64_t corners_wide[] = {
    0,    1,   -1,    2,      -2,    3,     -3,        4,         5,         7,         -7,
    8,    15,  16,    31,     32,    33,    62,        63,        64,        100,       127,
    -128, 255, 32767, -32768, 65535, 46341, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 3037000500};

static const double corners_float[] = {
    0,    -0.0, INFINITY, -INFINITY, NAN, 1,    -1,    0.5,    -0.5,    1.5,      2.5,     -2.5,
    3,    -3,   2,        -2,        0.1, -0.3, 65504, -65504, 0x1p-24, -0x1p-24, 0x1p-14, 0x1p-133,
    6e-8, 255,  256.5,    -129,      20,  88,   1e30,  -3e38,  1e-310,  1e300};

#define N(array) ((int)(sizeof(array) / sizeof *(array)))

static int n_corners(scanc_dtype d) {
  if (dtype_class(d) == 'f') return N(corners_float);
  return scanc_dtype_size(d) == 1 ? N(corners8) : N(corners_wide);
}

static void put_corner(scanc_dtype d, int k, void *p) {
  if (dtype_class(d) == 'f') number_store((number){.cls = 'f', .f = corners_float[k]}, d, p);
  else if (scanc_dtype_size(d) > 1) number_store((number){.cls = 'i', .i = corners_wide[k]}, d, p);
  else *(unsigned char *)p = d == SCANC_BOOL ? corners8[k] & 1 : corners8[k];
}

static void put_bits(scanc_dtype d, uint64_t bits, char *p) {
  if (d == SCANC_BOOL) bits &= 1;
  memcpy(p, &bits, scanc_dtype_size(d));
}

/* Any bits, or a number of ordinary size. */
static void put_random(scanc_dtype d, char *p) {
  uint64_t r = next_random();
  if (r >> 63 || scanc_dtype_size(d) < 4) put_bits(d, next_random() >> (r % 40), p);
  else if (dtype_class(d) == 'f')
    number_store((number){.cls = 'f', .f = (double)(int64_t)next_random() / 0x1p59}, d, p);
  else put_bits(d, (uint64_t)((int64_t)next_random() >> (20 + r % 42)), p);
}

/* Operand k of n at point i: all values, all pairs, or all combinations of corners and then random
 * values; both for either part of a complex number. */
static void put_value(scanc_dtype d, int i, int k, int n, char *p) {
  size_t size = scanc_dtype_size(d);
  if (dtype_class(d) == 'c') {
    put_value(dtype_real(d), i, 2 * k, 2 * n, p);
    put_value(dtype_real(d), i, 2 * k + 1, 2 * n, p + size / 2);
    return;
  }
  if ((n == 1 && size < 4) || (n == 2 && size == 1)) {
    put_bits(d, (uint64_t)(k == 0 ? i : i >> 8), p);
    return;
  }
  int m = n_corners(d), count = 1, digit = i;
  if (n >= 4) m = n > 4 ? 4 : 16;
  for (int j = 0; j < n; j++) count *= m;
  for (int j = 0; j < k; j++) digit /= m;
  if (i < count) put_corner(d, digit % m, p);
  else put_random(d, p);
}

/* ---- operands ---- */

static scanc_dtype arg_dtype(const subject *s, int k) {
  return s->op && s->op->promo == PROMO_SELECT && k == 0 ? SCANC_BOOL : s->d;
}

static int n_arrays(const subject *s) {
  int n = 0;
  for (int k = 0; k < s->n_args; k++) n += s->array[k];
  return n;
}

static scanc_tensor array_of(const subject *s, int k, int place) {
  scanc_dtype d = arg_dtype(s, k);
  size_t size = scanc_dtype_size(d);
  scanc_tensor t = {.dtype = d, .rank = 2, .sizes = {STEPS, LANES}, .strides = {LANES, 1}};
  char *p = malloc(POINTS * size);
  for (int i = 0; i < POINTS; i++) {
    char *at = p + (size_t)i * size;
    put_value(d, i, place, n_arrays(s), at);
    if (s->no_zero && k == 1 && number_load(d, at).i == 0) put_bits(d, 1, at);
  }
  t.data = t.owner = p;
  t.release = free;
  return t;
}

static val number_val(const subject *s, int k) {
  double x = s->number[k];
  if (!strcmp(op_operand_name(s->op, k), "self_is_result")) return val_bool(false);
  return x == floor(x) ? val_int((int64_t)x) : val_float(x);
}

/* ---- programs ---- */

static node *add_row(const subject *s, cursor *c, node *const *x) {
  val v[MAX_ARGS];
  int place = 0;
  if (!s->op) return build_to(c, V(x[0]), s->to);
  for (int k = 0; k < s->n_args; k++) v[k] = s->array[k] ? V(x[place++]) : number_val(s, k);
  val placed[MAX_OPERANDS];
  const aten_row *row = bind_overload(c->g->mod, s->op, v, placed);
  return row ? node_call_row(c, row, placed, op_get(row->op)->n_operands) : NULL;
}

static int add_inputs(const subject *s, cursor *c, node **x, int rank) {
  const dim sizes[] = {dim_int(STEPS), dim_int(LANES)};
  int n = 0;
  for (int k = 0; k < s->n_args; k++) {
    if (!s->array[k]) continue;
    char name[] = {'a', (char)('0' + k), 0};
    x[n++] = node_placeholder(c, name, name,
                              type_tensor(c->g->mod->mem, arg_dtype(s, k), sizes + 2 - rank, rank),
                              val_absent());
    x[n - 1]->annotated = true;
  }
  return n;
}

/* The row alone. */
static node *make_plain(const subject *s, module *m) {
  node *x[MAX_ARGS];
  m->main = graph_new(m, "GraphModule");
  cursor c = cursor_end(m->main);
  add_inputs(s, &c, x, 2);
  node *y = add_row(s, &c, x);
  if (y) node_output(&c, val_seq(m->mem, VAL_TUPLE, (val[]){V(y)}, 1));
  return y;
}

static graph *make_body(const subject *s, module *m, const type *carry) {
  graph *g = graph_new(m, "scan_combine_graph_0");
  node *x[MAX_ARGS];
  cursor c = cursor_end(g);
  node *state_in = node_placeholder(&c, "c", "c", carry, val_absent());
  state_in->annotated = true;
  add_inputs(s, &c, x, 1);
  node *y = add_row(s, &c, x);
  if (!y) return NULL;
  node_output(&c, val_seq(m->mem, VAL_LIST, (val[]){V(build_neg(&c, V(state_in))), V(y)}, 2));
  return g;
}

/* The row as the result of the steps of a scan. */
static node *make_scan(const subject *s, module *m) {
  node *x[MAX_ARGS];
  val xs[MAX_ARGS];
  m->main = graph_new(m, "GraphModule");
  cursor c = cursor_end(m->main);
  const type *carry = type_tensor(m->mem, SCANC_F32, NULL, 0);
  graph *body = make_body(s, m, carry);
  if (!body) return NULL;
  graph_add_attr(m->main, body->class_name, ATTR_GRAPH, body);
  int n = add_inputs(s, &c, x, 2);
  for (int k = 0; k < n; k++) xs[k] = V(x[k]);
  node *init = build_full(&c, val_ints(m->mem, NULL, 0), val_int(0), SCANC_F32);
  val args[] = {V(node_get_attr(&c, NULL, body->class_name)),
                val_seq(m->mem, VAL_LIST, (val[]){V(init)}, 1), val_seq(m->mem, VAL_LIST, xs, n)};
  node *scan = node_call(&c, NULL, "torch.ops.higher_order.scan", args, 3, NULL, 0);
  node *y = build_getitem(&c, scan, 1);
  node_output(&c, val_seq(m->mem, VAL_TUPLE, (val[]){V(y)}, 1));
  return y;
}

/* ---- runs ---- */

static void describe(str *out, const subject *s, const char *how) {
  str_printf(out, "%s %s", s->op ? s->op->name : "convert", scanc_dtype_name(s->d));
  if (!s->op) str_printf(out, " to %s", scanc_dtype_name(s->to));
  for (int k = 0; k < s->n_args; k++)
    if (!s->array[k]) str_printf(out, " %s=%g", op_operand_name(s->op, k), s->number[k]);
  str_printf(out, ", %s: ", how);
}

static void report(const subject *s, const char *how, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void report(const subject *s, const char *how, const char *fmt, ...) {
  str text = {0};
  va_list ap;
  if (n_failed++ > 100) return;
  describe(&text, s, how);
  va_start(ap, fmt);
  str_vprintf(&text, fmt, ap);
  va_end(ap);
  fprintf(stderr, "%s\n", str_cstr(&text));
  str_free(&text);
}

typedef struct {
  str text;
  scanc_tensor in[MAX_ARGS];
  int n_in;
} prepared;

/* DATA is an answer, any other error a failure. */
static scanc_code run(const subject *s, const prepared *p, scanc_exec exec, const char *level,
                      scanc_tensor *out, scanc_error *err) {
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = exec;
  opts.cpu = level;
  *err = (scanc_error){0};
  scanc_module *m = scanc_module_parse(NULL, p->text.data, p->text.len, "row.fx", err);
  scanc_program *prog = m ? scanc_compile(m, &opts, err) : NULL;
  scanc_code code = prog ? scanc_run(prog, p->in, p->n_in, out, 1, err) : err->code;
  if (code && code != SCANC_ERR_DATA) report(s, level, "%s", err->message);
  scanc_program_free(prog);
  scanc_module_free(m);
  return code;
}

static bool same_element(scanc_dtype d, const char *a, const char *b) {
  if (!memcmp(a, b, scanc_dtype_size(d))) return true;
  scanc_dtype part = dtype_real(d);
  if (dtype_class(d) == 'c')
    return same_element(part, a, b) &&
           same_element(part, a + scanc_dtype_size(part), b + scanc_dtype_size(part));
  if (dtype_class(d) != 'f') return false;
  number x = number_load(d, a), y = number_load(d, b);
  return x.f != x.f && y.f != y.f;
}

static void report_point(const subject *s, const char *how, const prepared *p, int i, scanc_dtype d,
                         number want, number got) {
  str at = {0};
  for (int k = 0; k < p->n_in; k++) {
    size_t size = scanc_dtype_size(p->in[k].dtype);
    number x = number_load(p->in[k].dtype, (char *)p->in[k].data + (size_t)i * size);
    if (x.cls == 'i' || x.cls == 'b') str_printf(&at, " %lld", (long long)x.i);
    else str_printf(&at, " %.17g", x.f);
    if (x.cls == 'c') str_printf(&at, "%+.17gi", x.im);
  }
  if (dtype_class(d) == 'c')
    report(s, how, "of%s: expected %.17g%+.17gi, got %.17g%+.17gi", str_cstr(&at), want.f, want.im,
           got.f, got.im);
  else if (dtype_class(d) == 'f')
    report(s, how, "of%s: expected %.17g, got %.17g", str_cstr(&at), want.f, got.f);
  else
    report(s, how, "of%s: expected %lld, got %lld", str_cstr(&at), (long long)want.i,
           (long long)got.i);
  str_free(&at);
}

static void compare(const subject *s, const char *how, const prepared *p, const scanc_tensor *want,
                    const scanc_tensor *got) {
  scanc_dtype d = want->dtype;
  size_t size = scanc_dtype_size(d);
  for (int i = 0; i < POINTS; i++) {
    const char *a = (char *)want->data + (size_t)i * size,
               *b = (char *)got->data + (size_t)i * size;
    if (same_element(d, a, b)) continue;
    report_point(s, how, p, i, d, number_load(d, a), number_load(d, b));
    return;
  }
}

/* ---- the oracle ---- */

static plain plain_of(scanc_dtype d, const void *p) {
  number x = number_load(d, p);
  return (plain){x.i, x.f};
}

static bool near(scanc_dtype d, double want, double got) {
  if (isnan(want) || isnan(got)) return isnan(want) && isnan(got);
  if (want == got) return true;
  int digits = d == SCANC_F16 ? 11 : 8, low = d == SCANC_F16 ? -24 : -133;
  double x = isinf(want) ? got : want;
  int unit = x == 0 ? low : ilogb(x) - digits + 1;
  if (isinf(want) || isinf(got))
    return fabs(x) >= (d == SCANC_F16 ? 65504 : 0x1.fep127) && (want > 0) == (got > 0);
  return fabs(want - got) <= ldexp(1, unit < low ? low : unit);
}

static bool meets(oracle_kind kind, scanc_dtype d, plain want, plain got) {
  if (dtype_class(d) != 'f') return want.i == got.i;
  if (kind == ORACLE_NEAR) return near(d, want.f, got.f);
  if (isnan(want.f) || isnan(got.f)) return isnan(want.f) && isnan(got.f);
  return want.f == got.f && !signbit(want.f) == !signbit(got.f);
}

static void check_oracle(const subject *s, const prepared *p, const scanc_tensor *got) {
  size_t size = scanc_dtype_size(got->dtype);
  for (int i = 0; i < POINTS; i++) {
    plain arg[MAX_ARGS] = {{0}}, want = {0};
    for (int k = 0, place = 0; k < s->n_args; k++) {
      arg[k] = (plain){wrap((int64_t)s->number[k], s->d), round_half(s->number[k], s->d)};
      if (!s->array[k]) continue;
      const scanc_tensor *t = &p->in[place++];
      arg[k] = plain_of(t->dtype, (char *)t->data + (size_t)i * scanc_dtype_size(t->dtype));
    }
    oracle_kind kind = ORACLE_EXACT;
    if (s->op) kind = op_oracle(s->op->id, s->d, got->dtype, arg, &want);
    else want = convert_oracle(s->d, s->to, arg[0]);
    if (kind == ORACLE_NONE) continue;
    n_oracle += i == POINTS - 1;
    const char *at = (char *)got->data + (size_t)i * size;
    if (meets(kind, got->dtype, want, plain_of(got->dtype, at))) continue;
    char cls = dtype_class(got->dtype);
    report_point(s, "oracle", p, i, got->dtype, (number){cls, want.i, want.f, 0},
                 number_load(got->dtype, at));
    return;
  }
}

/* ---- one row ---- */

/* False: PyTorch has no such op for the dtype, as inference says; or a failure. */
static bool prepare(const subject *s, node *(*make)(const subject *s, module *m), prepared *p) {
  module *m = module_new("row");
  bool ok = make(s, m) && !m->err.code;
  if (ok) module_print_code(&p->text, m);
  else if (m->err.code == SCANC_ERR_UNSUPPORTED) printf("%s\n", m->err.message);
  else report(s, "program", "%s", m->err.message);
  module_free(m);
  return ok;
}

/* Of the types that the oracle knows. */
static bool is_small(scanc_dtype d) { return scanc_dtype_size(d) <= 2 && d != SCANC_I16; }

/* Whether the row is computed in a type that the oracle knows: numbers may ask for another one. */
static bool oracle_knows(const subject *s, scanc_dtype result) {
  bool numbers = n_arrays(s) < s->n_args, compares = s->op && s->op->promo == PROMO_COMPARE;
  if (!is_small(s->d) || dtype_class(result) == 'c') return false;
  return compares ? !numbers || s->d != SCANC_BOOL : !s->op || result == s->d;
}

static void check_level(const subject *s, const prepared *alone, const prepared *scan,
                        const char *level) {
  scanc_tensor want = {0}, in_scan = {0}, jit = {0};
  scanc_error err, other;
  scanc_code code = run(s, alone, SCANC_EXEC_INTERP, level, &want, &err);
  n_programs++;
  if (run(s, scan, SCANC_EXEC_INTERP, level, &in_scan, &other) != code)
    report(s, level, "scan interpreted: another status");
  else if (!code) compare(s, "scan interpreted", scan, &want, &in_scan);
  n_compiled++;
  if (run(s, scan, SCANC_EXEC_JIT, level, &jit, &err) != code ||
      strcmp(err.message, other.message) != 0)
    report(s, level, "compiled: another status: %s, expected %s", err.message, other.message);
  else if (!code) compare(s, level, scan, &want, &jit);
  scanc_tensor_release(&jit);
  if (run(s, alone, SCANC_EXEC_AUTO, level, &jit, &err) != code)
    report(s, level, "alone, compiled: another status");
  else if (!code) compare(s, level, alone, &want, &jit);
  if (!code && !strcmp(level, "native") && oracle_knows(s, want.dtype))
    check_oracle(s, alone, &want);
  scanc_tensor_release(&want);
  scanc_tensor_release(&in_scan);
  scanc_tensor_release(&jit);
}

static void check_subject(const subject *s) {
  static const char *const levels[] = {"native", "x86-64", "x86-64-v3", "x86-64-v4"};
  prepared alone = {0}, scan = {0};
  if (prepare(s, make_plain, &alone) && prepare(s, make_scan, &scan)) {
    for (int k = 0; k < s->n_args; k++)
      if (s->array[k]) {
        alone.in[alone.n_in] = array_of(s, k, alone.n_in);
        alone.n_in++;
      }
    memcpy(scan.in, alone.in, sizeof scan.in);
    scan.n_in = alone.n_in;
    for (int l = 0; l < (THIN || s->two_levels || !is_small(s->d) ? 2 : 4); l++)
      if (level_is_here(levels[l])) check_level(s, &alone, &scan, levels[l]);
  }
  for (int k = 0; k < alone.n_in; k++) scanc_tensor_release(&alone.in[k]);
  str_free(&alone.text);
  str_free(&scan.text);
}

/* ---- all rows ---- */

static bool takes(const aten_param *p, const char *kind) {
  int n = p->type_len - p->optional;
  return (int)strlen(kind) == n && !strncmp(p->type, kind, (size_t)n);
}

/* Which operands are tensors in this spelling; their number. */
static int arrays_of(const aten_row *row, const op_info *op, bool *array) {
  const aten_schema *schema = aten_schema_of(row);
  int n = 0;
  for (int k = 0; k < op->n_operands; k++) {
    const char *name = op_operand_name(op, k);
    int j = op_operand_index(op_get(row->op), name, strlen(name));
    array[k] = false;
    for (int i = 0; i < schema->n; i++)
      if (j >= 0 && schema->p[i].operand == j) array[k] = takes(&schema->p[i], "Tensor");
    n += array[k];
  }
  return n;
}

/* The operands of the spelling with the most tensors, or with the fewest. */
static int choose_arrays(const op_info *op, bool most, bool *array) {
  int best = arrays_of(aten_row_of_op(op->id), op, array), n;
  for (int i = 0; i < aten_n_rows(); i++) {
    const aten_row *row = aten_row_at(i);
    bool other[MAX_ARGS];
    if (row->op != op->id || aten_is_in_place(row->name, strcspn(row->name, "."))) continue;
    n = arrays_of(row, op, other);
    if (most ? n <= best : n >= best || n == 0) continue;
    memcpy(array, other, sizeof other);
    best = n;
  }
  return best;
}

static void check_numbers(subject *s) {
  static const double numbers[][MAX_ARGS] = {{0, 2, 3, 1}, {0, -1, 1, 2}, {0, 0.5, 0.75, 0.25}};
  int n_sets = n_arrays(s) < s->n_args && !THIN && is_small(s->d) ? 3 : 1;
  for (int set = 0; set < n_sets; set++) {
    memcpy(s->number, numbers[set], sizeof s->number);
    bool fraction = set == 2 && (dtype_class(s->d) != 'f' || s->op->id == OP_round_decimals);
    if (!fraction) check_subject(s);
  }
}

static void check_row(const op_info *op, scanc_dtype d) {
  subject s = {.op = op, .d = d, .n_args = op->n_operands};
  bool fewest[MAX_ARGS] = {false};
  int most = choose_arrays(op, true, s.array), least = choose_arrays(op, false, fewest);
  check_numbers(&s);
  if ((op->traits & T_DATA) && dtype_class(d) == 'i') {
    s.no_zero = true;
    check_subject(&s);
  }
  if (least == most) return;
  memcpy(s.array, fewest, sizeof fewest);
  s.two_levels = true;
  check_numbers(&s);
}

static unsigned class_of(scanc_dtype d) {
  switch (dtype_class(d)) {
    case 'f': return CLASS_F;
    case 'c': return CLASS_C;
    case 'b': return CLASS_B;
    default: return CLASS_I;
  }
}

static void check_dtype(scanc_dtype d) {
  unsigned cls = class_of(d);
  n_failed = n_programs = n_compiled = n_oracle = 0;
  for (int op = 0; op < N_OPS; op++) {
    const op_info *info = op_get((op_id)op);
    bool converts = info->promo == PROMO_FLOAT || info->promo == PROMO_FREAL;
    unsigned known =
        converts && (info->classes & CLASS_F) ? info->classes | CLASS_I | CLASS_B : info->classes;
    if (info->kind == OPK_EW && (known & cls)) check_row(info, d);
  }
  for (int to = 0; to < SCANC_N_DTYPES; to++)
    check_subject(&(subject){.d = d, .to = (scanc_dtype)to, .array = {true}, .n_args = 1});
  printf("%s: %d programs, %d compiled, %d compared with the oracle, %d failures\n",
         scanc_dtype_name(d), n_programs, n_compiled, n_oracle, n_failed);
  ck_assert_int_eq(n_failed, 0);
  if (is_small(d)) ck_assert_int_gt(n_oracle, 20);
}

START_TEST(rows_u8) { check_dtype(SCANC_U8); }
END_TEST
START_TEST(rows_i8) { check_dtype(SCANC_I8); }
END_TEST
START_TEST(rows_bool) { check_dtype(SCANC_BOOL); }
END_TEST
START_TEST(rows_f16) { check_dtype(SCANC_F16); }
END_TEST
START_TEST(rows_bf16) { check_dtype(SCANC_BF16); }
END_TEST
START_TEST(rows_i16) { check_dtype(SCANC_I16); }
END_TEST
START_TEST(rows_i32) { check_dtype(SCANC_I32); }
END_TEST
START_TEST(rows_i64) { check_dtype(SCANC_I64); }
END_TEST
START_TEST(rows_f32) { check_dtype(SCANC_F32); }
END_TEST
START_TEST(rows_f64) { check_dtype(SCANC_F64); }
END_TEST
START_TEST(rows_c64) { check_dtype(SCANC_C64); }
END_TEST
START_TEST(rows_c128) { check_dtype(SCANC_C128); }
END_TEST

int main(void) {
  setenv("CK_FORK", "no", 0); /* the code generator is loaded once */
  if (THIN) printf("two CPU levels and one set of numbers: sanitizers make these runs slow\n");
  const TTest *const tests[] = {rows_u8,  rows_i8,  rows_bool, rows_f16, rows_bf16, rows_i16,
                                rows_i32, rows_i64, rows_f32,  rows_f64, rows_c64,  rows_c128};
  return unit_run("op_table", tests, sizeof tests / sizeof tests[0]);
}
