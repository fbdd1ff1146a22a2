/* Matrix products, convolutions and copies as kernels of plans: every element type, sizes from 0 to
 * several tiles, strides, batches, sizes that only a run knows, threads and CPU levels give the
 * interpreter's bits, and nothing is left to it. Built a second time beside the evaluator of loop
 * IR. */
#include <math.h>
#include <stdio.h>

#include "base/str.h"
#include "ir/convert.h"
#include "ir/type.h"
#include "loop/target.h"
#include "programs.h"
#include "runtime/plan.h"

enum { MAX_SIZES = 6, MAX_TEXT = 4096 };

/* A program: the sizes of its inputs, by number, and its statements, which compute r; or all of its
 * text. */
typedef struct {
  const char *inputs[3]; /* "2,0,1" */
  const char *statements;
} form;

typedef struct {
  const form *f;
  int64_t size[MAX_SIZES];
  bool symbolic;
} example;

static const scanc_dtype all_types[] = {SCANC_F32, SCANC_F64, SCANC_F16, SCANC_BF16,
                                        SCANC_I8,  SCANC_U8,  SCANC_I16, SCANC_I32,
                                        SCANC_I64, SCANC_C64, SCANC_C128};
enum { N_TYPES = sizeof all_types / sizeof *all_types };

/* ---- programs ---- */

static void append(char *out, const char *s) { strncat(out, s, MAX_TEXT - strlen(out) - 1); }

static void append_type(char *out, const example *e, const char *sizes, scanc_dtype d) {
  char word[24];
  append(out, "\"");
  append(out, scanc_dtype_name(d));
  append(out, "[");
  for (const char *c = sizes; *c; c++) {
    if (*c == ',') append(out, ", ");
    else {
      if (e->symbolic) snprintf(word, sizeof word, "s%c", *c);
      else snprintf(word, sizeof word, "%lld", (long long)e->size[*c - '0']);
      append(out, word);
    }
  }
  append(out, "]\"");
}

static void write_program(char *out, const example *e, scanc_dtype d) {
  static const char *const names[] = {"x", "y", "z"};
  *out = 0;
  if (!strncmp(e->f->statements, "class", 5)) {
    append(out, e->f->statements);
    return;
  }
  append(out, "class GraphModule(torch.nn.Module):\n    def forward(self");
  for (int i = 0; i < 3 && e->f->inputs[i]; i++) {
    append(out, ", ");
    append(out, names[i]);
    append(out, ": ");
    append_type(out, e, e->f->inputs[i], d);
  }
  append(out, "):\n");
  append(out, e->f->statements);
  append(out, "        return (r,)\n");
}

/* ---- arrays ---- */

static uint64_t seed;

static uint64_t next_bits(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return seed >> 33;
}

/* Numbers of any size, and where `odd` zeros of both signs, infinities and no numbers. */
static number any_number(scanc_dtype d, bool odd) {
  static const double special[] = {0.0, -0.0, (double)INFINITY, (double)NAN, 1e-42, -1e30};
  uint64_t bits = next_bits();
  number v = {.cls = dtype_class(d)};
  v.i = (int64_t)(bits * 0x9e3779b97f4a7c15u);
  v.f = ((double)(bits % 20011) - 10005) / 1024;
  if (odd && bits % 5 == 0) v.f = special[bits / 5 % 6];
  return v;
}

static scanc_tensor make_array(const example *e, const char *sizes, scanc_dtype d, bool odd) {
  scanc_tensor t = {.dtype = d};
  int64_t n = 1;
  for (const char *c = sizes; *c; c++)
    if (*c != ',') t.sizes[t.rank++] = e->size[*c - '0'];
  for (int i = t.rank - 1; i >= 0; i--) t.strides[i] = n, n *= t.sizes[i];
  scanc_dtype real = dtype_real(d);
  size_t bytes = scanc_dtype_size(real);
  n *= dtype_class(d) == 'c' ? 2 : 1;
  t.data = calloc((size_t)n + 1, bytes);
  for (int64_t i = 0; i < n; i++)
    number_store(any_number(real, odd), real, (char *)t.data + (size_t)i * bytes);
  return t;
}

/* ---- comparison ---- */

/* All NaNs are one value. */
static bool same_real(const char *p, const char *q, scanc_dtype d) {
  double x, y;
  if (!memcmp(p, q, scanc_dtype_size(d))) return true;
  if (dtype_class(d) != 'f') return false;
  convert_of(SCANC_F64, d)(1, &x, 1, p, 1);
  convert_of(SCANC_F64, d)(1, &y, 1, q, 1);
  return x != x && y != y;
}

static void check_same(const scanc_tensor *a, const scanc_tensor *b, const char *text,
                       const char *how) {
  int64_t n = 1;
  scanc_dtype real = dtype_real(a->dtype);
  ck_assert_int_eq(a->rank, b->rank);
  for (int d = 0; d < a->rank; d++) {
    ck_assert_int_eq(a->sizes[d], b->sizes[d]);
    n *= a->sizes[d];
  }
  for (int64_t i = 0; i < n; i++)
    for (int part = 0; part < (dtype_class(a->dtype) == 'c' ? 2 : 1); part++) {
      size_t at = (size_t)part * scanc_dtype_size(real);
      CHECK_ELEMENT(same_real(element(a, i) + at, element(b, i) + at, real),
                    "%s: element %lld differs\n%s", how, (long long)i, text);
    }
}

static void check_example(const example *e, scanc_dtype d, const char *cpu, int threads, bool odd) {
  char text[MAX_TEXT], how[64];
  scanc_tensor in[3] = {0}, x = {0}, y = {0};
  int n = 0;
  write_program(text, e, d);
  snprintf(how, sizeof how, "%s, %d threads", cpu, threads);
  for (; n < 3 && e->f->inputs[n]; n++) in[n] = make_array(e, e->f->inputs[n], d, odd);
  scanc_program *a = compile_threaded(text, SCANC_EXEC_AUTO, cpu, threads),
                *b = compile_threaded(text, SCANC_EXEC_INTERP, cpu, 1);
  ck_assert_msg(a->planned, "%s\n%s", a->no_plan ? a->no_plan : "no plan", text);
  ck_assert_msg(!a->plans->hosts.len, "a step is interpreted\n%s", text);
  run(a, in, n, &x, 1);
  run(b, in, n, &y, 1);
  check_same(&x, &y, text, how);
  release(&x, 1);
  release(&y, 1);
  for (int i = 0; i < n; i++) free(in[i].data);
  scanc_program_free(a);
  scanc_program_free(b);
}

static const char *const levels[] = {"native", "x86-64", "x86-64-v3", "x86-64-v4", "aarch64"};

/* On every CPU level that this machine has, with and without threads. */
static void check_everywhere(const example *e, scanc_dtype d) {
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
    target t;
    if (!target_get(levels[i], &t) || t.foreign) continue;
    check_example(e, d, levels[i], 1, i == 0);
    if (i == 0) check_example(e, d, levels[i], 3, false);
  }
}

/* ---- forms ---- */

#define CALL1(r, op, a) "        " r " = torch.ops.aten." op "(" a ")\n"

static const form mm = {{"0,1", "1,2"}, CALL1("r", "mm.default", "x, y")},
                  mm_weight = {{"0,1", "2,1"},
                               CALL1("t", "permute.default", "y, [1, 0]")
                                   CALL1("r", "mm.default", "x, t")},
                  mm_both = {{"1,0", "2,1"},
                             CALL1("s", "permute.default", "x, [1, 0]")
                                 CALL1("t", "permute.default", "y, [1, 0]")
                                     CALL1("r", "mm.default", "s, t")},
                  bmm = {{"3,0,1", "3,1,2"}, CALL1("r", "bmm.default", "x, y")},
                  mv = {{"0,1", "1"}, CALL1("r", "mv.default", "x, y")},
                  mv_columns = {{"1,0", "1"},
                                CALL1("s", "permute.default", "x, [1, 0]")
                                    CALL1("r", "mv.default", "s, y")},
                  dot = {{"0", "0"}, CALL1("r", "dot.default", "x, y")},
                  broadcast = {{"3,4,0,1", "4,1,2"}, CALL1("r", "matmul.default", "x, y")},
                  vector = {{"1", "3,1,2"}, CALL1("r", "matmul.default", "x, y")},
                  reversed = {{"0,1", "1,2"},
                              CALL1("s", "flip.default", "x, [0, 1]")
                                  CALL1("t", "flip.default", "y, [1]")
                                      CALL1("r", "mm.default", "s, t")},
                  middle = {{"1,0,2", "2,3"},
                            CALL1("s", "permute.default", "x, [1, 0, 2]")
                                CALL1("r", "matmul.default", "s, y")},
                  reshape = {{"0,1,2"},
                             CALL1("s", "permute.default", "x, [2, 0, 1]")
                                 CALL1("r", "reshape.default", "s, [-1]")};

#define CONV(a) CALL1("r", "convolution.default", a)

/* Windows within the input, beyond it, with steps, in groups, transposed, over two and three axes.
 */
static const form convolutions[] = {
    {{"3,0,1", "2,0,4"}, CONV("x, y, None, [1], [0], [1], False, [0], 1")},
    {{"3,0,1", "2,0,4", "2"}, CONV("x, y, z, [1], [2], [1], False, [0], 1")},
    {{"3,0,1", "2,0,4", "2"}, CONV("x, y, z, [3], [4], [2], False, [0], 1")},
    {{"3,0,1", "0,5,4", "0"}, CONV("x, y, z, [1], [1], [1], False, [0], 8")},
    {{"3,0,1", "0,2,4"}, CONV("x, y, None, [2], [1], [1], True, [1], 2")},
    {{"3,0,1", "0,2,4"}, CONV("x, y, None, [1], [3], [1], True, [0], 1")},
    {{"0,1,1", "2,0,4,4", "2"},
     CALL1("s", "unsqueeze.default", "x, 0")
         CONV("s, y, z, [2, 1], [1, 0], [1, 2], False, [0, 0], 1")},
    {{"3,0,4,1,4", "2,0,5,4,4"},
     CONV("x, y, None, [1, 2, 1], [1, 0, 2], [1, 1, 1], False, [0, 0, 0], 1")},
    {{"3,1,0", "2,0,4"},
     CALL1("s", "permute.default", "x, [0, 2, 1]")
         CONV("s, y, None, [1], [1], [1], False, [0], 1")}};
enum { N_CONVOLUTIONS = sizeof convolutions / sizeof *convolutions };

static const form *const forms[] = {&mm,       &mm_weight,  &mm_both,   &bmm,
                                    &mv,       &mv_columns, &broadcast, &vector,
                                    &reversed, &middle,     &reshape};
enum { N_FORMS = sizeof forms / sizeof *forms };

START_TEST(test_every_type) {
  for (int i = 0; i < N_TYPES; i++)
    for (int k = 0; k < N_FORMS; k++)
      for (int s = 0; s < 2; s++) {
        example e = {forms[k], {19, 21, 37, 2, 3}, s};
        if (s) check_example(&e, all_types[i], "native", 1, false);
        else check_everywhere(&e, all_types[i]);
      }
}
END_TEST

/* Every pair of sizes of rows and columns, with sums of every length. */
START_TEST(test_sizes) {
  static const int64_t sizes[] = {0, 1, 2, 7, 16, 33, 130};
  enum { N = sizeof sizes / sizeof *sizes };
  static const form *const some[] = {&mm, &mm_weight, &mm_both};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < N * N; i++) {
      example e = {some[k], {sizes[i % N], sizes[(i + i / N + k) % N], sizes[i / N]}, false};
      check_example(&e, SCANC_F32, "native", 1, i % 2);
    }
}
END_TEST

START_TEST(test_sizes_of_a_run) {
  static const int64_t sizes[] = {1, 3, 18, 70};
  for (int k = 0; k < N_FORMS; k++)
    for (int i = 0; i < 16; i++) {
      example e = {forms[k], {sizes[i % 4], sizes[(i + i / 4) % 4], sizes[i / 4], 2, 3}, true};
      check_example(&e, SCANC_F32, "native", 1 + 2 * (i % 2), false);
    }
}
END_TEST

START_TEST(test_vectors) {
  static const int64_t sizes[] = {0, 1, 5, 16, 17, 100, 257};
  for (int i = 0; i < 49; i++) {
    example e = {&mv, {sizes[i % 7], sizes[i / 7]}, false},
            t = {&mv_columns, {sizes[i % 7], sizes[i / 7]}, false},
            d = {&dot, {sizes[i % 7]}, i / 7 % 2};
    check_example(&e, SCANC_F64, "native", 1, false);
    check_example(&t, SCANC_F32, "native", 3, false);
    check_example(&d, all_types[i % N_TYPES], "native", 1, true);
  }
}
END_TEST

START_TEST(test_convolutions) {
  static const scanc_dtype types[] = {SCANC_F32, SCANC_F64, SCANC_F16, SCANC_BF16, SCANC_I32};
  static const int64_t sizes[][MAX_SIZES] = {{8, 40, 6, 2, 3, 1}, {8, 7, 18, 1, 1, 1}};
  for (int k = 0; k < N_CONVOLUTIONS; k++)
    for (int i = 0; i < 10; i++) {
      example e = {.f = &convolutions[k]};
      memcpy(e.size, sizes[i % 2], sizeof e.size);
      check_example(&e, types[i / 2], "native", 1 + i % 2 * 2, i % 3 == 0);
    }
}
END_TEST

START_TEST(test_convolutions_of_levels) {
  example e = {&convolutions[2], {8, 40, 6, 2, 3, 1}, false};
  check_everywhere(&e, SCANC_F32);
}
END_TEST

/* ---- operands that a product computes as it reads them ---- */

/* A matrix on either side, from one that is larger than it, and from a part that all rows have;
 * both operands; with a group behind; one that is used twice stays. */
static const form computed[] = {
    {{"0,1", "1,2"}, CALL1("e", "mul.Tensor", "y, y") CALL1("r", "mm.default", "x, e")},
    {{"0,1", "1", "1"},
     CALL1("e", "mul.Tensor", "x, z") CALL1("f", "add.Tensor", "e, x")
         CALL1("r", "mv.default", "f, y")},
    {{"0,1", "1,2", "0,2"},
     CALL1("e", "mul.Tensor", "y, 3") CALL1("p", "mm.default", "x, e")
         CALL1("r", "sub.Tensor", "p, z")},
    {{"3,0,1", "3,1,2", "2"},
     CALL1("e", "add.Tensor", "y, z") CALL1("f", "sub.Tensor", "x, 1")
         CALL1("r", "bmm.default", "f, e")},
    {{"0,1", "1,2"},
     CALL1("t", "to.dtype", "x, torch.float32") CALL1("u", "to.dtype", "y, torch.float32")
         CALL1("v", "mul.Tensor", "u, 0.25") CALL1("r", "mm.default", "t, v")},
    {{"0,1", "2,1", "2"},
     CALL1("e", "mul.Tensor", "y, 3") CALL1("t", "permute.default", "e, [1, 0]")
         CALL1("p", "mm.default", "x, t") CALL1("r", "add.Tensor", "p, z")},
    {{"3,1,0", "3,1,2"},
     CALL1("e", "neg.default", "x") CALL1("t", "permute.default", "e, [0, 2, 1]")
         CALL1("f", "mul.Tensor", "y, y") CALL1("r", "bmm.default", "t, f")},
    {{"1,0"},
     CALL1("e", "neg.default", "x") CALL1("t", "permute.default", "e, [1, 0]")
         CALL1("p", "mm.default", "t, e") CALL1("r", "sum.dim_IntList", "p, [0]")},
    {{"1"}, CALL1("e", "neg.default", "x") CALL1("r", "dot.default", "e, x")},
    {{"1,1"},
     CALL1("e", "neg.default", "x") CALL1("p", "mm.default", "e, e")
         CALL1("r", "add.Tensor", "p, x")}};
enum { N_COMPUTED = sizeof computed / sizeof *computed };

START_TEST(test_computed) {
  static const scanc_dtype types[] = {SCANC_F32, SCANC_BF16, SCANC_I8, SCANC_F64};
  static const int64_t rows[] = {1, 3, 8, 0, 19}, depths[] = {40, 1, 16, 133, 0},
                       columns[] = {16, 70, 7, 130, 32};
  for (int k = 0; k < N_COMPUTED; k++)
    for (int i = 0; i < 20; i++) {
      example e = {
          &computed[k], {rows[i % 5], depths[(i + i / 5) % 5], columns[i / 4], 2}, i % 3 == 1};
      check_example(&e, types[i % 4], "native", i % 2 ? 3 : 1, i % 2);
    }
  for (int k = 0; k < 3; k++) {
    example e = {&computed[k], {2, 35, 70, 2}, false};
    check_everywhere(&e, SCANC_F32);
  }
}
END_TEST

static int count_said(const example *e, scanc_dtype d, const char *says) {
  char text[MAX_TEXT];
  str out = {0};
  scanc_error err = {0};
  int n = 0;
  write_program(text, e, d);
  scanc_program *p = compile_threaded(text, SCANC_EXEC_JIT, "x86-64-v3", 1);
  ck_assert_msg(explain_program(&out, p, NULL, &err), "%s", err.message);
  for (const char *c = str_cstr(&out); (c = strstr(c, says)); c++) n++;
  str_free(&out);
  scanc_program_free(p);
  return n;
}

/* Few rows; a whole tile of them; more, whose elements would be computed again. */
START_TEST(test_computed_once) {
  static const char reads[] = "on elements as they are read";
  example e = {&computed[0], {1, 64, 256, 2}, false}, m = {&computed[1], {256, 64, 1, 2}, false};
  ck_assert_int_eq(count_said(&e, SCANC_F32, reads), 1);
  ck_assert_int_eq(count_said(&m, SCANC_F32, reads), 1);
  e.f = &computed[4];
  ck_assert_int_eq(count_said(&e, SCANC_I8, reads), 1);
  e.f = &computed[5];
  ck_assert_int_eq(count_said(&e, SCANC_F32, reads), 1);
  e.f = &computed[0];
  e.size[0] = 64;
  ck_assert_int_eq(count_said(&e, SCANC_F32, reads), 0);
}
END_TEST

/* Weights that are the same in every step: of products from the right and from the left, and of a
 * convolution of a window of the last steps. */
static const char recurrent[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, x: \"f32[7, 3, 19]\", y: \"f32[19, 38]\", z: \"f32[38, 1, 2]\"):\n"
    "        scan_combine_graph_0 = self.scan_combine_graph_0\n"
    "        h: \"f32[3, 19]\" = torch.ops.aten.select.int(x, 0, 2)\n"
    "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [h], [x], (y, z))\n"
    "        r: \"f32[7, 3, 38]\" = scan[1]\n"
    "        return (r,)\n"
    "\n"
    "    class scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, h: \"f32[3, 19]\", x: \"f32[3, 19]\", y: \"f32[19, 38]\", "
    "z: \"f32[38, 1, 2]\"):\n"
    "            a: \"f32[3, 38]\" = torch.ops.aten.mm.default(x, y)\n"
    "            t: \"f32[38, 19]\" = torch.ops.aten.permute.default(y, [1, 0])\n"
    "            b: \"f32[3, 19]\" = torch.ops.aten.mm.default(a, t)\n"
    "            c: \"f32[3, 19]\" = torch.ops.aten.sigmoid.default(b)\n"
    "            s: \"f32[3, 19]\" = torch.ops.aten.add.Tensor(c, h)\n"
    "            v: \"f32[19]\" = torch.ops.aten.select.int(s, 0, 1)\n"
    "            g: \"f32[38]\" = torch.ops.aten.mv.default(t, v)\n"
    "            j: \"f32[3, 38]\" = torch.ops.aten.add.Tensor(a, g)\n"
    "            w: \"f32[3, 38, 1]\" = torch.ops.aten.unsqueeze.default(j, 2)\n"
    "            o: \"f32[3, 38, 2]\" = torch.ops.aten.cat.default([w, w], 2)\n"
    "            p: \"f32[3, 38, 1]\" = torch.ops.aten.convolution.default(o, z, None, [1], [0], "
    "[1], False, [0], 38)\n"
    "            q: \"f32[3, 38]\" = torch.ops.aten.squeeze.dim(p, 2)\n"
    "            return [s, q]\n";

/* Copies of halves are made in f32. */
START_TEST(test_weights_of_a_scan) {
  static char halves[sizeof recurrent];
  static const form in_scan = {{"3,0,1", "1,2", "2,4,5"}, recurrent},
                    in_halves = {{"3,0,1", "1,2", "2,4,5"}, halves};
  example e = {&in_scan, {3, 19, 38, 7, 1, 2}, false}, h = e;
  memcpy(halves, recurrent, sizeof halves);
  for (char *c = halves; (c = strstr(c, "f32")) != NULL;) memcpy(c, "f16", 3);
  check_everywhere(&e, SCANC_F32);
  h.f = &in_halves;
  check_everywhere(&h, SCANC_F16);
}
END_TEST

UNIT_MAIN("products", test_every_type, test_sizes, test_sizes_of_a_run, test_vectors,
          test_convolutions, test_convolutions_of_levels, test_computed, test_computed_once,
          test_weights_of_a_scan)
