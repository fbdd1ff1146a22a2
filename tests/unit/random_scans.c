/* Random scans and associative scans through the interpreter and as native code: mixed dtypes,
 * complex numbers, broadcasting shapes, views, branches and scans in bodies, strided inputs,
 * lengths from 0, all CPU levels this machine can run. Results must agree bit for bit (all NaNs are
 * one). */
#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "scanc/scanc.h"
#include "unit.h"

enum { MAX_LEAVES = 8, MAX_VALUES = 32, MAX_RANK = 3, MAX_DIMS = 4 };

static uint64_t state = 0x9e3779b97f4a7c15u;

static uint64_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static int below(int n) { return (int)((next_random() >> 11) % (uint64_t)n); }

/* ---- programs as text ---- */

typedef struct {
  scanc_dtype dtype;
  int rank, size[MAX_DIMS];
} shape;

typedef struct {
  bool fold;        /* an associative scan: no carries, as many results as xs */
  scanc_dtype work; /* what the body computes in */
  bool views;       /* the body has views */
  int n_carry, n_x, n_y, length;
  shape leaf[MAX_LEAVES]; /* carries, then xs without their time axis */
  bool branch, inner;     /* the body has a cond, a scan */
  str text;
} program;

static const scanc_dtype dtypes[] = {SCANC_F32,  SCANC_F32, SCANC_F64,  SCANC_I32, SCANC_I64,
                                     SCANC_BOOL, SCANC_F16, SCANC_BF16, SCANC_U8};

static scanc_dtype random_dtype(const program *p) {
  if (p->work == SCANC_F32) return dtypes[below(9)];
  return below(2) ? SCANC_C64 : SCANC_C128;
}

static void print_type(str *s, shape t, int length) {
  str_printf(s, "%s[", scanc_dtype_name(t.dtype));
  if (length >= 0) str_printf(s, t.rank ? "%d, " : "%d", length);
  for (int i = 0; i < t.rank; i++) str_printf(s, i + 1 < t.rank ? "%d, " : "%d", t.size[i]);
  str_char(s, ']');
}

static const char *torch_name(scanc_dtype d) {
  static const char *const names[SCANC_N_DTYPES] = {
      [SCANC_F32] = "torch.float32",   [SCANC_F64] = "torch.float64",
      [SCANC_I32] = "torch.int32",     [SCANC_I64] = "torch.int64",
      [SCANC_BOOL] = "torch.bool",     [SCANC_F16] = "torch.float16",
      [SCANC_BF16] = "torch.bfloat16", [SCANC_U8] = "torch.uint8",
      [SCANC_C64] = "torch.complex64", [SCANC_C128] = "torch.complex128"};
  return names[d];
}

/* Values of the body are named v0, v1...; fN is vN in the type of the computation, bN whether it is
 * above 0. */
static shape join(shape a, shape b) {
  shape r = a.rank >= b.rank ? a : b, s = a.rank >= b.rank ? b : a;
  for (int i = 0; i < s.rank; i++) {
    int *size = &r.size[r.rank - 1 - i];
    if (*size == 1) *size = s.size[s.rank - 1 - i];
  }
  return r;
}

static bool compatible(shape a, shape b) {
  for (int i = 1; i <= a.rank && i <= b.rank; i++) {
    int x = a.size[a.rank - i], y = b.size[b.rank - i];
    if (x != y && x != 1 && y != 1) return false;
  }
  return true;
}

static int n_elements(shape s) {
  int n = 1;
  for (int d = 0; d < s.rank; d++) n *= s.size[d];
  return n;
}

static void drop_dim(shape *s, int d) {
  s->rank--;
  for (int i = d; i < s->rank; i++) s->size[i] = s->size[i + 1];
}

/* ---- statements with views ---- */

static void call(program *p, const char *op, int a) { str_printf(&p->text, "%s(f%d", op, a); }

/* A view of fa along dimension d. */
static shape add_axis_view(program *p, shape s, int a, int d) {
  int n = s.size[d], k = below(n);
  switch (below(6)) {
    case 0:
      call(p, "select.int", a);
      str_printf(&p->text, ", %d, %d)\n", d, below(2) ? k : k - n);
      drop_dim(&s, d);
      break;
    case 1:
      call(p, "slice.Tensor", a);
      str_printf(&p->text, ", %d, %d, %d)\n", d, k, n);
      s.size[d] = n - k;
      break;
    case 2:
      call(p, "flip.default", a);
      str_printf(&p->text, ", [%d])\n", d);
      break;
    case 3:
      call(p, "roll.default", a);
      str_printf(&p->text, ", [%d], [%d])\n", k, d);
      break;
    case 4:
      str_printf(&p->text, "cat.default([f%d, f%d], %d)\n", a, a, d);
      s.size[d] *= 2;
      break;
    default:
      call(p, "constant_pad_nd.default", a);
      for (int i = s.rank - 1; i >= d; i--)
        str_append(&p->text, i == s.rank - 1 ? ", [" : ", "),
            str_append(&p->text, i == d ? "1, 0" : "0, 0");
      str_append(&p->text, "], 1.0)\n");
      s.size[d]++;
  }
  return s;
}

static shape add_shape_view(program *p, shape s, int a) {
  int d = below(s.rank + 1);
  switch (s.rank < 2 || s.rank >= MAX_DIMS ? 0 : below(3)) {
    case 0:
      if (s.rank == MAX_DIMS) break;
      call(p, "unsqueeze.default", a);
      str_printf(&p->text, ", %d)\n", d);
      for (int i = s.rank++; i > d; i--) s.size[i] = s.size[i - 1];
      s.size[d] = 1;
      return s;
    case 1:
      call(p, "permute.default", a);
      str_append(&p->text, ", [");
      shape r = s;
      for (int i = 0; i < s.rank; i++) {
        str_printf(&p->text, i ? ", %d" : "%d", s.rank - 1 - i);
        r.size[i] = s.size[s.rank - 1 - i];
      }
      str_append(&p->text, "])\n");
      return r;
    default: break;
  }
  call(p, "reshape.default", a);
  str_printf(&p->text, ", [%d])\n", n_elements(s));
  return (shape){s.dtype, 1, {n_elements(s)}};
}

static shape add_view(program *p, const shape *v, int a) {
  if (v[a].rank && v[a].rank < MAX_DIMS && below(2))
    return add_axis_view(p, v[a], a, below(v[a].rank));
  return add_shape_view(p, v[a], a);
}

/* ---- other statements ---- */

static shape add_operation(program *p, const shape *v, int a, int b) {
  static const char *const binary[] = {"add.Tensor", "sub.Tensor",      "mul.Tensor",
                                       "div.Tensor", "maximum.default", "minimum.default"};
  static const char *const unary[] = {"neg.default",  "sigmoid.default", "tanh.default",
                                      "sqrt.default", "exp.default",     "abs.default",
                                      "relu.default", "floor.default"};
  static const char *const complex_unary[] = {"neg.default", "reciprocal.default", "square.default",
                                              "sgn.default"};
  bool complex = p->work != SCANC_F32;
  switch (below(5)) {
    case 0:
      str_printf(&p->text, "%s(f%d)\n", complex ? complex_unary[below(4)] : unary[below(8)], a);
      break;
    case 1: str_printf(&p->text, "mul.Tensor(f%d, %d.25)\n", a, below(3)); break;
    case 2: str_printf(&p->text, "where.self(b%d, f%d, f%d)\n", b, a, b); return join(v[a], v[b]);
    default:
      str_printf(&p->text, "%s(f%d, f%d)\n", binary[below(complex ? 4 : 6)], a, b);
      return join(v[a], v[b]);
  }
  return v[a];
}

/* A branch that the 0-d value b decides. */
static shape add_branch(program *p, int n, shape s, int a, int b) {
  str_printf(&p->text,
             "            true_graph_0 = self.true_graph_0\n            false_graph_0 = "
             "self.false_graph_0\n"
             "            k%d = torch.ops.higher_order.cond(b%d, true_graph_0, false_graph_0, "
             "(f%d,))\n            v%d = k%d[0]\n",
             n, b, a, n, n);
  p->branch = true;
  return s;
}

/* A scan over the first dimension of fa, whose stacked results are the value. */
static shape add_inner_scan(program *p, int n, shape s, int a) {
  str_printf(&p->text,
             "            scan_combine_graph_1 = self.scan_combine_graph_1\n"
             "            i%d = torch.ops.aten.select.int(f%d, 0, 0)\n"
             "            k%d = torch.ops.higher_order.scan(scan_combine_graph_1, [i%d], [f%d], "
             "())\n            v%d = k%d[1]\n",
             n, a, n, n, a, n, n);
  p->inner = true;
  return s;
}

static bool add_control(program *p, int n, const shape *v, int a, int b, shape *r) {
  if (!p->branch && v[b].rank == 0 && below(4) == 0) {
    *r = add_branch(p, n, v[a], a, b);
  } else if (!p->inner && v[a].rank > 0 && v[a].size[0] <= 17 && below(8) == 0) {
    *r = add_inner_scan(p, n, v[a], a);
  } else {
    return false;
  }
  return true;
}

static void derive(program *p, int n, const char *prefix) {
  str_printf(&p->text, "            f%d = torch.ops.aten._to_copy.default(%s%d, dtype = %s)\n", n,
             prefix, n, torch_name(p->work));
  if (p->work == SCANC_F32)
    str_printf(&p->text, "            b%d = torch.ops.aten.gt.Scalar(f%d, 0)\n", n, n);
  else str_printf(&p->text, "            b%d = torch.ops.aten.eq.Scalar(f%d, 0)\n", n, n);
}

/* One statement that computes vN from earlier values. */
static shape add_statement(program *p, int n, const shape *v) {
  int a = below(n), b = below(n);
  shape r;
  if (!compatible(v[a], v[b]) || join(v[a], v[b]).rank > MAX_RANK) b = a;
  if (!(p->views && add_control(p, n, v, a, b, &r))) {
    str_printf(&p->text, "            v%d = torch.ops.aten.", n);
    r = p->views && below(2) ? add_view(p, v, a) : add_operation(p, v, a, b);
  }
  r.dtype = p->work;
  derive(p, n, "v");
  return r;
}

static bool same_sizes(shape a, shape b) {
  return a.rank == b.rank && !memcmp(a.size, b.size, sizeof(int) * (size_t)a.rank);
}

static void add_results(program *p, const shape *v, int n, int n_leaf) {
  str results = {0};
  int n_state = p->fold ? p->n_x : p->n_carry;
  for (int c = 0; c < n_state; c++) {
    int from = c;
    for (int i = n - 1; i >= n_leaf; i--)
      if (same_sizes(v[i], v[c]) && from == c) from = i;
    str_printf(&p->text, "            c%d = torch.ops.aten._to_copy.default(v%d, dtype = %s)\n", c,
               from, torch_name(v[c].dtype));
    str_printf(&results, "%sc%d", c ? ", " : "", c);
  }
  for (int y = 0; !p->fold && y < p->n_y; y++) {
    str_printf(&p->text, "            y%d = torch.ops.aten._to_copy.default(v%d, dtype = %s)\n", y,
               n - 1 - y, torch_name(random_dtype(p)));
    str_printf(&results, ", y%d", y);
  }
  str_printf(&p->text, "            return [%s]\n", str_cstr(&results));
  str_free(&results);
}

static void add_subgraphs(program *p) {
  const char *class = "\n        class %s(torch.nn.Module):\n            def forward(self, %s):\n";
  if (p->branch) {
    str_printf(&p->text, class, "true_graph_0", "x");
    str_append(
        &p->text,
        "                m = torch.ops.aten.mul.Tensor(x, 2)\n                return (m,)\n");
    str_printf(&p->text, class, "false_graph_0", "x");
    str_append(&p->text,
               "                m = torch.ops.aten.neg.default(x)\n                return (m,)\n");
  }
  if (!p->inner) return;
  str_printf(&p->text, class, "scan_combine_graph_1", "c, x");
  str_append(
      &p->text,
      "                m = torch.ops.aten.mul.Tensor(c, 0.5)\n                s = "
      "torch.ops.aten.add.Tensor(m, x)\n"
      "                d = torch.ops.aten.sub.Tensor(s, c)\n                return [s, d]\n");
}

static void add_body(program *p) {
  int n_leaf = p->fold ? 2 * p->n_x : p->n_carry + p->n_x, n = n_leaf;
  shape v[MAX_VALUES];
  str_append(&p->text,
             "\n    class scan_combine_graph_0(torch.nn.Module):\n        def forward(self");
  for (int i = 0; i < n_leaf; i++) {
    str_printf(&p->text, ", v%d: \"", i);
    print_type(&p->text, v[i] = p->leaf[p->fold ? i % p->n_x : i], -1);
    str_char(&p->text, '"');
  }
  str_append(&p->text, "):\n");
  for (int i = 0; i < n_leaf; i++) derive(p, i, "v");
  for (int k = 3 + below(8); k > 0; k--, n++) v[n] = add_statement(p, n, v);
  add_results(p, v, n, n_leaf);
  add_subgraphs(p);
}

static void add_main(program *p) {
  str *s = &p->text;
  int n_leaf = p->n_carry + p->n_x;
  str_append(s, "class GraphModule(torch.nn.Module):\n    def forward(self");
  for (int i = 0; i < n_leaf; i++) {
    str_printf(s, ", a%d: \"", i);
    print_type(s, p->leaf[i], i < p->n_carry ? -1 : p->length);
    str_char(s, '"');
  }
  str_printf(s,
             "):\n        scan_combine_graph_0 = self.scan_combine_graph_0\n        scan = "
             "torch.ops.higher_order.%s(scan_combine_graph_0, [",
             p->fold ? "associative_scan" : "scan");
  for (int i = 0; i < n_leaf; i++)
    str_printf(s, i == 0 ? "a%d" : i == p->n_carry ? "], [a%d" : ", a%d", i);
  str_append(s, "], ())\n");
  for (int i = 0; i < p->n_carry + p->n_y; i++) str_printf(s, "        g%d = scan[%d]\n", i, i);
  str_append(s, "        return (");
  for (int i = 0; i < p->n_carry + p->n_y; i++) str_printf(s, "g%d, ", i);
  str_append(s, ")\n");
}

static program random_program(void) {
  static const int extents[] = {1, 2, 3, 5, 7, 8, 13, 16, 33, 64, 130},
                   lengths[] = {0, 1, 2, 3, 17};
  program p = {.fold = below(4) == 0,
               .work = below(5) ? SCANC_F32 : SCANC_C64,
               .views = below(2),
               .length = lengths[below(5)]};
  p.n_carry = p.fold ? 0 : 1 + below(3);
  p.n_x = 1 + below(3);
  p.n_y = p.fold ? p.n_x : 1 + below(2);
  int space[MAX_RANK];
  for (int i = 0; i < MAX_RANK; i++)
    space[i] = extents[below(i + 1 < MAX_RANK ? 4 : p.views ? 8 : 11)];
  if (!p.views && below(8) == 0) space[below(MAX_RANK)] = 0;
  for (int i = 0; i < p.n_carry + p.n_x; i++) {
    shape *t = &p.leaf[i];
    t->dtype = random_dtype(&p);
    t->rank = below(MAX_RANK + 1);
    for (int d = 0; d < t->rank; d++) t->size[d] = below(5) ? space[MAX_RANK - t->rank + d] : 1;
  }
  add_main(&p);
  add_body(&p);
  return p;
}

/* ---- inputs ---- */

static void random_bytes(scanc_dtype d, unsigned char *p, size_t bytes) {
  static const float floats[] = {0,   -0.0f,  1,    -1,   INFINITY, -INFINITY,
                                 NAN, 1e-40f, 0.1f, 3.7f, -250};
  for (size_t i = 0; i < bytes; i++) p[i] = (unsigned char)next_random();
  if (d == SCANC_BOOL)
    for (size_t i = 0; i < bytes; i++) p[i] &= 1;
  for (size_t i = 0; d == SCANC_F32 && i + 4 <= bytes; i += 4) memcpy(p + i, &floats[below(11)], 4);
  if (d == SCANC_C64 || d == SCANC_C128) {
    random_bytes(d == SCANC_C64 ? SCANC_F32 : SCANC_F64, p, bytes);
    return;
  }
  for (size_t i = 0; d == SCANC_F64 && i + 8 <= bytes; i += 8) {
    double v = floats[below(11)];
    memcpy(p + i, &v, 8);
  }
}

/* Dimensions in memory are in random order, one of them with a gap. */
static scanc_tensor random_tensor(shape s, int length) {
  scanc_tensor t = {.dtype = s.dtype, .release = free};
  int order[MAX_RANK + 1];
  if (length >= 0) t.sizes[t.rank++] = length;
  for (int d = 0; d < s.rank; d++) t.sizes[t.rank++] = s.size[d];
  for (int d = 0; d < t.rank; d++) order[d] = t.rank - 1 - d;
  if (t.rank > 1 && below(3) == 0) {
    int k = below(t.rank - 1), swap = order[k];
    order[k] = order[k + 1], order[k + 1] = swap;
  }
  int64_t stride = below(6) ? 1 : 2;
  for (int d = 0; d < t.rank; d++) {
    t.strides[order[d]] = stride;
    stride *= t.sizes[order[d]] + (below(8) == 0);
  }
  size_t bytes = (size_t)(stride + 1) * scanc_dtype_size(s.dtype);
  t.owner = t.data = malloc(bytes);
  random_bytes(s.dtype, t.data, bytes);
  return t;
}

/* ---- comparison ---- */

static bool element_is_nan(scanc_dtype d, const unsigned char *p) {
  float f;
  double g;
  uint16_t h;
  memcpy(&f, p, d == SCANC_F32 ? 4 : 0);
  memcpy(&g, p, d == SCANC_F64 ? 8 : 0);
  memcpy(&h, p, d == SCANC_F16 || d == SCANC_BF16 ? 2 : 0);
  switch (d) {
    case SCANC_F32: return f != f;
    case SCANC_F64: return g != g;
    case SCANC_F16: return (h & 0x7fff) > 0x7c00;
    case SCANC_BF16: return (h & 0x7fff) > 0x7f80;
    default: return false;
  }
}

/* The place of the first difference goes to stderr. */
static bool same_results(const scanc_tensor *a, const scanc_tensor *b) {
  scanc_dtype d = a->dtype == SCANC_C64 ? SCANC_F32 : a->dtype == SCANC_C128 ? SCANC_F64 : a->dtype;
  size_t size = scanc_dtype_size(d), n = scanc_dtype_size(a->dtype) / size;
  for (int i = 0; i < a->rank; i++) n *= (size_t)a->sizes[i];
  const unsigned char *p = a->data, *q = b->data;
  for (size_t i = 0; i < n; i++, p += size, q += size)
    if (memcmp(p, q, size) != 0 && !(element_is_nan(d, p) && element_is_nan(d, q))) {
      uint64_t want = 0, got = 0;
      memcpy(&want, p, size);
      memcpy(&got, q, size);
      fprintf(stderr, "element %zu of %zu (%s): bits %" PRIx64 ", expected %" PRIx64 "\n", i, n,
              scanc_dtype_name(a->dtype), got, want);
      return false;
    }
  return true;
}

static scanc_code run(const program *p, scanc_exec exec, const char *cpu, const scanc_tensor *in,
                      scanc_tensor *out, scanc_error *err) {
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = exec;
  opts.cpu = cpu;
  scanc_module *mod = scanc_module_parse(NULL, p->text.data, p->text.len, "random", err);
  scanc_program *prog = mod ? scanc_compile(mod, &opts, err) : NULL;
  scanc_code code =
      prog ? scanc_run(prog, in, p->n_carry + p->n_x, out, p->n_carry + p->n_y, err) : err->code;
  scanc_program_free(prog);
  scanc_module_free(mod);
  return code;
}

static int n_compiled, n_refused;

/* Both executors at one CPU level. Programs with views may move along too many elements to unroll:
 * those are refused with that reason. */
static void check_level(const program *p, const char *cpu, const scanc_tensor *in) {
  scanc_tensor want[MAX_LEAVES] = {{0}}, got[MAX_LEAVES] = {{0}};
  scanc_error err = {0};
  scanc_code code = run(p, SCANC_EXEC_INTERP, cpu, in, want, &err);
  ck_assert_msg(code == SCANC_OK, "%s\n%s", err.message, p->text.data);
  code = run(p, SCANC_EXEC_JIT, cpu, in, got, &err);
  ck_assert_msg(code == SCANC_OK || (p->views && code == SCANC_ERR_NO_KERNEL), "%s\n%s",
                err.message, p->text.data);
  for (int i = 0; i < p->n_carry + p->n_y; i++) {
    ck_assert_msg(code || same_results(&want[i], &got[i]), "result %d differs at level %s:\n%s", i,
                  cpu, p->text.data);
    scanc_tensor_release(&want[i]);
    scanc_tensor_release(&got[i]);
  }
  if (code) n_refused++;
  else n_compiled++;
}

static void check_random(int round) {
  program p = random_program();
  scanc_tensor in[MAX_LEAVES];
  for (int i = 0; i < p.n_carry + p.n_x; i++)
    in[i] = random_tensor(p.leaf[i], i < p.n_carry ? -1 : p.length);
  check_level(&p, "native", in);
  if (round % 3 == 0) check_level(&p, "x86-64", in);
  if (round % 3 == 1 && __builtin_cpu_supports("avx2")) check_level(&p, "x86-64-v3", in);
  for (int i = 0; i < p.n_carry + p.n_x; i++) scanc_tensor_release(&in[i]);
  str_free(&p.text);
}

START_TEST(executors_agree) {
  for (int round = 0; round < 250; round++) check_random(round);
  ck_assert_int_gt(n_compiled, 9 * n_refused);
}
END_TEST

int main(int argc, char **argv) {
  if (argc > 1) state ^= strtoull(argv[1], NULL, 0) * 0xbf58476d1ce4e5b9u;
  const TTest *const tests[] = {executors_agree};
  return unit_run("random_scans", tests, 1);
}
