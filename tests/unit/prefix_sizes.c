/* Scans give the same bits whether the types of a program tell its sizes or the arrays of a run
 * do. */
#include "prefix_cases.h"

/* A scan along dimension `axis`, or, where there is no body, a running operation. */
typedef struct {
  const char *name, *dtype, *item; /* of a leaf: sizes that the body knows, behind the others */
  const char *body;                /* of one leaf, l0 and r0; NULL: */
  const char *running;             /* the operation */
  int64_t item_size;
  bool rough; /* results are rounded */
} subject;

static const subject subjects[] = {
    {"add", "f32", "", "y = " A "add.Tensor(l0, r0)", NULL, 1, true},
    {"logaddexp", "f32", "", "y = " A "logaddexp.default(l0, r0)", NULL, 1, true},
    {"products", "f32", ", 3, 3", "y = " A "matmul.default(l0, r0)", NULL, 9, true},
    {"maximum", "f32", "", "y = " A "maximum.default(l0, r0)", NULL, 1, false},
    {"cumsum", "f32", "", NULL, "cumsum.default(x, %d)", 1, true},
    {"logcumsumexp", "f32", "", NULL, "logcumsumexp.default(x, %d)", 1, true}};

enum { N_SUBJECTS = sizeof subjects / sizeof *subjects, MOST_ITEMS = 600000 };

static void append_sizes(str *t, const int64_t *sizes, int known, int rank, int without) {
  for (int d = 0, k = 0; d < rank; d++) {
    if (d == without) continue;
    str_append(t, k++ ? ", " : "");
    if (known >> d & 1) str_printf(t, "%" PRId64, sizes[d]);
    else str_printf(t, "s%d", d);
  }
}

/* known: bits, per dimension: its type tells the size. */
static scanc_program *make(const subject *s, const int64_t *sizes, int rank, int known,
                           scanc_exec how, int threads) {
  str t = {0};
  int axis = rank - 1;
  str_printf(&t, "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"%s[", s->dtype);
  append_sizes(&t, sizes, known, rank, -1);
  str_printf(&t, "%s]\"):\n", s->item);
  if (s->running) {
    str_append(&t, "        y = " A);
    str_printf(&t, s->running, axis);
  } else {
    str_printf(&t,
               "        u = " A "movedim.int(x, %d, 0)\n"
               "        g = self.associative_scan_combine_graph_0\n"
               "        s = torch.ops.higher_order.associative_scan(g, [u], ())\n"
               "        v = s[0]\n        y = " A "movedim.int(v, 0, %d)",
               axis, axis);
  }
  str_append(&t, "\n        return (y,)\n\n");
  if (s->body) {
    str_append(&t, "    class associative_scan_combine_graph_0(torch.nn.Module):\n"
                   "        def forward(self");
    for (int side = 0; side < 2; side++) {
      str_printf(&t, ", %c0: \"%s[", side ? 'r' : 'l', s->dtype);
      append_sizes(&t, sizes, known, rank, axis);
      str_printf(&t, "%s]\"", rank > 1 ? s->item : *s->item ? s->item + 2 : "");
    }
    str_printf(&t, "):\n            %s\n            return [y]\n", s->body);
  }
  scanc_program *p = compile_threaded(str_cstr(&t), how, NULL, threads);
  str_free(&t);
  return p;
}

static scanc_tensor over(const subject *s, float *at, const int64_t *sizes, int rank) {
  scanc_tensor t = {.data = at, .dtype = SCANC_F32, .rank = rank};
  for (int d = 0; d < rank; d++) t.sizes[d] = sizes[d];
  if (s->item_size == 9) t.sizes[t.rank++] = 3, t.sizes[t.rank++] = 3;
  t.strides[t.rank - 1] = 1;
  for (int d = t.rank - 2; d >= 0; d--) t.strides[d] = t.strides[d + 1] * t.sizes[d + 1];
  return t;
}

static float x[MOST_ITEMS], y[MOST_ITEMS], z[MOST_ITEMS];

/* Whether the program's results are those in y, bit by bit. */
static void check_program(const subject *s, const int64_t *sizes, int rank, scanc_program *p,
                          const char *which) {
  scanc_tensor in = over(s, x, sizes, rank), out = over(s, z, sizes, rank);
  int64_t n = scanc_tensor_numel(&in);
  memset(z, 0, sizeof *z * (size_t)n);
  run(p, &in, 1, &out, 1);
  for (int64_t i = 0; i < n; i++)
    ck_assert_msg(!memcmp(&y[i], &z[i], sizeof *y),
                  "%s [%lld, %lld], %s: element %lld is %a, not %a", s->name, (long long)sizes[0],
                  rank > 1 ? (long long)sizes[1] : 0, which, (long long)i, (double)z[i],
                  (double)y[i]);
  scanc_program_free(p);
}

static void check_sizes_known(const subject *s, const int64_t *sizes, int rank, bool interpreted) {
  scanc_tensor in = over(s, x, sizes, rank), out = over(s, y, sizes, rank);
  int all = (1 << rank) - 1;
  int64_t n = scanc_tensor_numel(&in);
  ck_assert_int_le(n, MOST_ITEMS);
  for (int64_t i = 0; i < n; i++) x[i] = random_float(1) * (s->item_size > 1 ? 0.5F : 1.0F);
  scanc_program *p = make(s, sizes, rank, all, SCANC_EXEC_JIT, 1);
  run(p, &in, 1, &out, 1);
  scanc_program_free(p);
  check_program(s, sizes, rank, make(s, sizes, rank, 0, SCANC_EXEC_JIT, 1), "no size known");
  if (rank == 1)
    check_program(s, sizes, rank, make(s, sizes, rank, 0, SCANC_EXEC_JIT, 3), "three threads");
  for (int known = 1; known < all; known++)
    check_program(s, sizes, rank, make(s, sizes, rank, known, SCANC_EXEC_JIT, 1), "some known");
  if (!interpreted) return;
  check_program(s, sizes, rank, make(s, sizes, rank, 0, SCANC_EXEC_INTERP, 1), "interpreted");
  check_program(s, sizes, rank, make(s, sizes, rank, all, SCANC_EXEC_INTERP, 1),
                "interpreted, all known");
}

/* One row: of two elements, of less than a block, and of some stretches. */
START_TEST(test_row) {
  static const int64_t lengths[] = {2, 40, 9000};
  for (int k = 0; k < N_SUBJECTS; k++)
    for (int i = 0; i < 3; i++)
      check_sizes_known(&subjects[k], &lengths[i], 1, subjects[k].item_size == 1 || i < 2);
}
END_TEST

/* As many rows as fill a vector, or fewer. */
START_TEST(test_rows) {
  static const int64_t sizes[][2] = {{16, 40}, {2, 1}, {1, 300}, {3, 40}, {16, 1100}};
  for (int k = 0; k < N_SUBJECTS; k++)
    for (int i = 0; i < (THIN ? 3 : 5); i++)
      if (sizes[i][0] * sizes[i][1] * subjects[k].item_size < MOST_ITEMS)
        check_sizes_known(&subjects[k], sizes[i], 2, i < 4 && subjects[k].item_size == 1);
}
END_TEST

/* Rows that are long enough to be cut for threads: one, and some. */
START_TEST(test_long) {
  static const int64_t one = 290000, rows[2] = {2, 290000};
  if (THIN) {
    puts("no long rows: sanitizers make these runs slow");
    return;
  }
  check_sizes_known(&subjects[0], &one, 1, false);
  check_sizes_known(&subjects[0], rows, 2, false);
  check_sizes_known(&subjects[4], rows, 2, false);
}
END_TEST

/* The cases are about bits only if there are several orders: of a rounded operation, that of a
 * vector differs from the left fold. */
START_TEST(test_orders_differ) {
  static const int64_t length = 300;
  for (int k = 0; k < N_SUBJECTS; k++) {
    const subject *s = &subjects[k];
    if (!s->rough || s->running || s->item_size > 1) continue;
    scanc_tensor in = over(s, x, &length, 1), out = over(s, y, &length, 1);
    for (int i = 0; i < length; i++) x[i] = random_float(1);
    scanc_program *p = make(s, &length, 1, 1, SCANC_EXEC_JIT, 1);
    run(p, &in, 1, &out, 1);
    scanc_program_free(p);
    bool differs = false;
    float left = x[0];
    for (int i = 1; i < length; i++) {
      if (k == 0) left += x[i];
      else logs_f32(&left, &x[i], &left);
      differs |= left != y[i];
    }
    ck_assert_msg(differs, "%s: the order is that of a left fold", s->name);
  }
}
END_TEST

UNIT_MAIN("prefix_sizes", test_row, test_rows, test_long, test_orders_differ)
