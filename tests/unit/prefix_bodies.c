/* Associative scans and running sums in branches and in bodies of loops: in the order that they
 * have in the main graph, with kernels of their own; compiled code against the interpreter, bit by
 * bit. */
#include <stdio.h>

#include "base/str.h"
#include "programs.h"
#include "runtime/plan.h"

#define A "torch.ops.aten."

/* What is done with a row x of s0 elements. */
typedef struct {
  const char *name;
  const char *body;    /* from x to y */
  const char *combine; /* of l and r; NULL: none */
} work;

static const char fold[] = "g = self.combine\n"
                           "            s = torch.ops.higher_order.associative_scan(g, [x], ())\n"
                           "            y: \"f32[s0]\" = s[0]";

static const work works[] = {
    {"sum", fold, A "add.Tensor(l, r)"},
    {"maximum", fold, A "maximum.default(l, r)"},
    {"logaddexp", fold, A "logaddexp.default(l, r)"},
    {"cumsum", "y: \"f32[s0]\" = " A "cumsum.default(x, 0)", NULL},
    {"logcumsumexp", "y: \"f32[s0]\" = " A "logcumsumexp.default(x, 0)", NULL},
};

enum { N_WORKS = sizeof works / sizeof *works, ROWS = 4, MOST = 9000 };

/* A graph of that name, of further parameters, x and what `more` makes of y. */
static void append_body(str *t, const work *w, const char *name, const char *parameters,
                        const char *more) {
  str_printf(t,
             "    class %s(torch.nn.Module):\n"
             "        def forward(self, %sx: \"f32[s0]\"):\n"
             "            %s\n"
             "            %s\n",
             name, parameters, w->body, more);
  if (w->combine)
    str_printf(t,
               "        class combine(torch.nn.Module):\n"
               "            def forward(self, l: \"f32[]\", r: \"f32[]\"):\n"
               "                o: \"f32[]\" = %s\n"
               "                return [o]\n",
               w->combine);
}

typedef struct {
  const char *name;
  const char *call; /* from x to y, in the main graph */
  void (*append)(str *t, const work *w);
  bool rows; /* x has several */
} caller;

static void append_branches(str *t, const work *w) {
  append_body(t, w, "yes", "", "return (y,)");
  append_body(t, w, "no", "",
              "n: \"f32[s0]\" = " A "neg.default(y)\n"
              "            m: \"f32[s0]\" = " A "mul.Tensor(n, x)\n"
              "            return (m,)");
}

static void append_map(str *t, const work *w) { append_body(t, w, "body", "", "return [y]"); }

static void append_while(str *t, const work *w) {
  str_append(t, "    class test(torch.nn.Module):\n"
                "        def forward(self, i: \"i64[]\", x: \"f32[s0]\"):\n"
                "            lt: \"b8[]\" = " A "lt.Scalar(i, 2)\n"
                "            return lt\n");
  append_body(t, w, "body", "i: \"i64[]\", ",
              "j: \"i64[]\" = " A "add.Tensor(i, 1)\n"
              "            z: \"f32[s0]\" = " A "mul.Tensor(y, 0.03125)\n"
              "            return (j, z)");
}

/* A cond in a map; then a scan with a row of unknown length in its carry, which is a loop. */
static void append_both(str *t, const work *w) {
  str_append(t, "    class body(torch.nn.Module):\n"
                "        def forward(self, x: \"f32[s0]\"):\n"
                "            m: \"f32[]\" = " A "sum.default(x)\n"
                "            p: \"b8[]\" = " A "gt.Scalar(m, 0)\n"
                "            t = self.yes\n"
                "            f = self.no\n"
                "            c = torch.ops.higher_order.cond(p, t, f, (x,))\n"
                "            y: \"f32[s0]\" = c[0]\n"
                "            return [y]\n");
  str inner = {0};
  append_branches(&inner, w);
  for (const char *line = str_cstr(&inner); *line;) {
    int n = (int)strcspn(line, "\n") + 1;
    str_printf(t, "    %.*s", n, line);
    line += n;
  }
  str_free(&inner);
}

/* What moves along a dimension of unknown size has no kernel. */
static void append_scan(str *t, const work *w) {
  append_body(t, w, "body", "h: \"f32[s0]\", ",
              "v: \"f32[s0]\" = " A "roll.default(h, [1], [0])\n"
              "            z: \"f32[s0]\" = " A "add.Tensor(y, v)\n"
              "            return [z, z]");
}

static const caller callers[] = {
    {"cond",
     "t = self.yes\n"
     "        f = self.no\n"
     "        p: \"b8[]\" = " A "gt.Scalar(k, 0)\n"
     "        c = torch.ops.higher_order.cond(p, t, f, (x,))\n"
     "        y = c[0]\n",
     append_branches, false},
    {"map",
     "b = self.body\n"
     "        c = torch.ops.higher_order.map_impl(b, [x], [])\n"
     "        y = c[0]\n",
     append_map, true},
    {"while_loop",
     "t = self.test\n"
     "        b = self.body\n"
     "        i: \"i64[]\" = " A "full.default([], 0)\n"
     "        c = torch.ops.higher_order.while_loop(t, b, (i, x), ())\n"
     "        y = c[1]\n",
     append_while, false},
    {"cond in map",
     "b = self.body\n"
     "        c = torch.ops.higher_order.map_impl(b, [x], [])\n"
     "        y = c[0]\n",
     append_both, true},
    {"scan",
     "b = self.body\n"
     "        h = " A "select.int(x, 0, 0)\n"
     "        c = torch.ops.higher_order.scan(b, [h], [x], ())\n"
     "        y = c[1]\n",
     append_scan, true},
};

enum { N_CALLERS = sizeof callers / sizeof *callers };

static scanc_program *make(const caller *c, const work *w, const scanc_options *opts) {
  str t = {0};
  str_printf(&t,
             "class GraphModule(torch.nn.Module):\n"
             "    def forward(self, k: \"f32[]\", x: \"f32[%ss0]\"):\n"
             "        %s"
             "        return (y,)\n",
             c->rows ? "s1, " : "", c->call);
  c->append(&t, w);
  scanc_program *p = compile_for(str_cstr(&t), opts);
  program_set_thread_work(p, 1); /* any work is enough for a thread */
  str_free(&t);
  return p;
}

/* Of the scan in the bodies: orders, and, compiled, that nothing is interpreted. */
static void check_orders(const scanc_program *p, const char *name) {
  int found = 0;
  for (int i = 0; i < p->mod->graphs.len; i++)
    for (const node *n = p->mod->graphs.data[i]->first; n; n = n->next) {
      if (!node_is_op(n, OP_associative_scan) && !nest_is_cumulative(n)) continue;
      ck_assert_msg(n->order.kind == PREFIX_NETWORK, "%s: %s is a left fold", name, n->name);
      found++;
    }
  ck_assert_msg(found > 0, "%s has no scan", name);
  if (p->opts.exec == SCANC_EXEC_JIT)
    ck_assert_msg(p->planned && !p->plans->hosts.len, "%s is interpreted", name);
}

typedef struct {
  float k, x[ROWS * MOST], y[ROWS * MOST], z[ROWS * MOST];
} data;

static void run_on(scanc_program *p, const caller *c, data *d, float *to, int64_t rows,
                   int64_t length) {
  int rank = 1 + c->rows;
  scanc_tensor in[] = {f32(&d->k, 0, 1, 1), f32(d->x, rank, rank > 1 ? rows : length, length)},
               out = f32(to, rank, rank > 1 ? rows : length, length);
  run_watched(p, in, 2, &out, 1);
}

/* By the first n_threads numbers of threads. */
static void check(const caller *c, const work *w, const char *cpu, int n_threads) {
  static const int threads[] = {1, 3, 2, 7};
  static const int64_t lengths[] = {1, 2, 5, 17, 64, 1025, MOST};
  static data d;
  char name[64];
  scanc_options opts = SCANC_OPTIONS_INIT;
  snprintf(name, sizeof name, "%s in %s on %s", w->name, c->name, cpu);
  opts.cpu = cpu;
  opts.exec = SCANC_EXEC_INTERP;
  scanc_program *interpreted = make(c, w, &opts), *compiled[4];
  check_orders(interpreted, name);
  opts.exec = SCANC_EXEC_JIT;
  for (int i = 0; i < n_threads; i++) {
    opts.threads = threads[i];
    compiled[i] = make(c, w, &opts);
    check_orders(compiled[i], name);
  }
  for (int i = 0; i < ROWS * MOST; i++)
    d.x[i] = (float)(next_random() >> 8) / (1 << 23) - 1 + (float)(i % 3 ? 0 : 1e-3);
  for (int l = 0; l < 7; l++) {
    d.k = (float)(l % 2) - 0.5F;
    run_on(interpreted, c, &d, d.y, ROWS - 1, lengths[l]);
    for (int i = 0; i < n_threads; i++) {
      memset(d.z, 0, sizeof d.z);
      run_on(compiled[i], c, &d, d.z, ROWS - 1, lengths[l]);
      for (int k = 0; k < lengths[l] * (c->rows ? ROWS - 1 : 1); k++)
        CHECK_ELEMENT(!memcmp(&d.y[k], &d.z[k], sizeof *d.y),
                      "%s, %lld elements, %d threads: element %d is %a, interpreted %a", name,
                      (long long)lengths[l], threads[i], k, (double)d.z[k], (double)d.y[k]);
    }
  }
  scanc_program_free(interpreted);
  for (int i = 0; i < n_threads; i++) scanc_program_free(compiled[i]);
}

START_TEST(test_bodies) {
  for (int i = 0; i < N_CALLERS; i++)
    for (int k = 0; k < N_WORKS; k++) check(&callers[i], &works[k], "native", i ? 2 : 4);
}
END_TEST

START_TEST(test_levels) {
  static const char *const levels[] = {"x86-64-v3", "x86-64"};
  for (int i = 0; i < N_CALLERS; i++)
    for (int l = 0; l < 2; l++)
      if (level_is_here(levels[l]) && !THIN) check(&callers[i], &works[2], levels[l], 2);
}
END_TEST

/* A branch combines in the order of the main graph. */
START_TEST(test_as_in_main) {
  static const char text[] = "class GraphModule(torch.nn.Module):\n"
                             "    def forward(self, k: \"f32[]\", x: \"f32[s0]\"):\n"
                             "        g = self.combine\n"
                             "        s = torch.ops.higher_order.associative_scan(g, [x], ())\n"
                             "        y: \"f32[s0]\" = s[0]\n"
                             "        return (y,)\n"
                             "    class combine(torch.nn.Module):\n"
                             "        def forward(self, l: \"f32[]\", r: \"f32[]\"):\n"
                             "            o: \"f32[]\" = torch.ops.aten.add.Tensor(l, r)\n"
                             "            return [o]\n";
  static data d;
  const scanc_options opts = SCANC_OPTIONS_INIT;
  scanc_program *main = compile(text), *branch = make(&callers[0], &works[0], &opts);
  d.k = 1;
  for (int i = 0; i < MOST; i++) d.x[i] = (float)(next_random() >> 8) / (1 << 23) - 1;
  run_on(main, &callers[0], &d, d.y, 1, MOST);
  run_on(branch, &callers[0], &d, d.z, 1, MOST);
  ck_assert(!memcmp(d.y, d.z, MOST * sizeof *d.y));
  scanc_program_free(main);
  scanc_program_free(branch);
}
END_TEST

/* A body that a kernel takes in, here and by way of a cond, stays a left fold wherever it is
 * called from. */
START_TEST(test_shared) {
  static const char text[] =
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, k: \"f32[]\", h: \"f32[]\", x: \"f32[s1, 6]\", u: \"f32[6]\"):\n"
      "        b = self.body\n"
      "        c = torch.ops.higher_order.scan(b, [h], [x], ())\n"
      "        y = c[1]\n"
      "        p: \"b8[]\" = torch.ops.aten.gt.Scalar(k, 0)\n"
      "        t = self.body\n"
      "        d = torch.ops.higher_order.cond(p, t, t, (h, u))\n"
      "        z = d[1]\n"
      "        return (y, z)\n"
      "    class body(torch.nn.Module):\n"
      "        def forward(self, h: \"f32[]\", x: \"f32[6]\"):\n"
      "            g = self.combine\n"
      "            s = torch.ops.higher_order.associative_scan(g, [x], ())\n"
      "            y: \"f32[6]\" = s[0]\n"
      "            n: \"f32[]\" = torch.ops.aten.select.int(y, 0, 5)\n"
      "            i: \"f32[]\" = torch.ops.aten.add.Tensor(h, n)\n"
      "            return [i, y]\n"
      "        class combine(torch.nn.Module):\n"
      "            def forward(self, l: \"f32[]\", r: \"f32[]\"):\n"
      "                o: \"f32[]\" = torch.ops.aten.add.Tensor(l, r)\n"
      "                return [o]\n";
  float k = 1, h = 0.25F, x[18], u[6];
  fill(x, 18, 0.1F);
  fill(u, 6, 0.3F);
  scanc_tensor in[] = {f32(&k, 0, 1, 1), f32(&h, 0, 1, 1), f32(x, 2, 3, 6), f32(u, 1, 6, 1)};
  scanc_program *a = compile_with(text, SCANC_EXEC_JIT, 0),
                *b = compile_with(text, SCANC_EXEC_INTERP, 0);
  check_runs(a, b, in, 4, 2);
  for (int i = 0; i < a->mod->graphs.len; i++)
    for (const node *n = a->mod->graphs.data[i]->first; n; n = n->next)
      ck_assert(!node_is_op(n, OP_associative_scan) || n->order.kind == PREFIX_LEFT);
  scanc_program_free(a);
  scanc_program_free(b);
}
END_TEST

/* A branch that wants the last result alone has the total; the other one may be taken without
 * elements. */
START_TEST(test_last_of_branch) {
  static const char text[] = "class GraphModule(torch.nn.Module):\n"
                             "    def forward(self, k: \"f32[]\", x: \"f32[s0]\"):\n"
                             "        p: \"b8[]\" = torch.ops.aten.gt.Scalar(k, 0)\n"
                             "        t = self.yes\n"
                             "        f = self.no\n"
                             "        c = torch.ops.higher_order.cond(p, t, f, (x,))\n"
                             "        y: \"f32[]\" = c[0]\n"
                             "        return (y,)\n"
                             "    class yes(torch.nn.Module):\n"
                             "        def forward(self, x: \"f32[s0]\"):\n"
                             "            g = self.combine\n"
                             "            s = torch.ops.higher_order.associative_scan(g, [x], ())\n"
                             "            y: \"f32[s0]\" = s[0]\n"
                             "            z: \"f32[]\" = torch.ops.aten.select.int(y, 0, -1)\n"
                             "            return (z,)\n"
                             "        class combine(torch.nn.Module):\n"
                             "            def forward(self, l: \"f32[]\", r: \"f32[]\"):\n"
                             "                o: \"f32[]\" = torch.ops.aten.add.Tensor(l, r)\n"
                             "                return [o]\n"
                             "    class no(torch.nn.Module):\n"
                             "        def forward(self, x: \"f32[s0]\"):\n"
                             "            z: \"f32[]\" = torch.ops.aten.sum.default(x)\n"
                             "            return (z,)\n";
  enum { FEW_BYTES = 4096 };
  static float x[MOST];
  float k, y;
  scanc_program *a = compile_with(text, SCANC_EXEC_JIT, FEW_BYTES),
                *b = compile_with(text, SCANC_EXEC_INTERP, 0);
  fill(x, MOST, -2.7F);
  ck_assert(a->planned && !a->plans->hosts.len);
  for (int64_t n = 0; n < MOST; n += n < 50 ? 7 : 2500)
    for (k = -1; k < 2; k += 2) {
      scanc_tensor in[] = {f32(&k, 0, 1, 1), f32(x, 1, n, 1)}, out = f32(&y, 0, 1, 1);
      if (n || k < 0) check_runs(a, b, in, 2, 1);
      else ck_assert_int_ne(scanc_run(a, in, 2, &out, 1, NULL), SCANC_OK);
    }
  scanc_program_free(a);
  scanc_program_free(b);
}
END_TEST

UNIT_MAIN("prefix_bodies", test_bodies, test_levels, test_as_in_main, test_shared,
          test_last_of_branch)
