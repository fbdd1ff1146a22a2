/* Sums of a few elements of each step of an associative scan, behind what is computed from it: one
 * kernel, whose scan takes no memory. Compiled code against the interpreter, bit by bit. */
#include <stdio.h>

#include "base/str.h"
#include "programs.h"
#include "runtime/plan.h"

#define A "torch.ops.aten."

/* x and a of [batch, time, channels, states], c of [batch, time, 1, states]. */
typedef struct {
  const char *name, *states;
  const char *sum; /* of p, which is y times c; w is what is returned */
  int64_t channels, n_states;
  int rank;  /* of w */
  bool one;  /* one kernel is enough */
  bool flip; /* the scan runs backwards */
} sum_case;

static const sum_case cases[] = {
    {"sum", "16", "w = " A "sum.dim_IntList(p, [-1])", 37, 16, 3, true, false},
    {"backwards", "5", "w = " A "sum.dim_IntList(p, [3])", 18, 5, 3, true, true},
    {"kept", "3", "w = " A "sum.dim_IntList(p, [-1], True)", 9, 3, 4, true, false},
    {"used", "4",
     "k = " A "sum.dim_IntList(p, [-1])\n        u = " A "tanh.default(k)\n        w = " A
     "add.Tensor(u, d)",
     33, 4, 3, true, false},
    {"twice", "4",
     "k = " A "sum.dim_IntList(p, [-1])\n        q = " A "mul.Tensor(p, p)\n        r = " A
     "sum.dim_IntList(q, [-1])\n        w = " A "mul.Tensor(k, r)",
     20, 4, 3, true, false},
    {"many states", "40", "w = " A "sum.dim_IntList(p, [-1])", 9, 40, 3, false, false},
    {"read", "4", "k = " A "sum.dim_IntList(p, [-1], True)\n        w = " A "mul.Tensor(k, y)", 9,
     4, 4, false, false},
    {"of time", "4", "w = " A "sum.dim_IntList(p, [1, 3])", 9, 4, 2, false, false},
};

enum { N_CASES = sizeof cases / sizeof *cases, BATCH = 2, TIME = 70, MOST = BATCH * TIME * 700 };

static scanc_program *make(const sum_case *c, const scanc_options *opts) {
  str t = {0};
  const char *n = c->states;
  str_printf(&t,
             "class GraphModule(torch.nn.Module):\n"
             "    def forward(self, a: \"f32[s0, s1, s2, %s]\", x: \"f32[s0, s1, s2, %s]\", "
             "c: \"f32[s0, s1, 1, %s]\", d: \"f32[s0, s1, s2]\"):\n"
             "        e = " A "sigmoid.default(a)\n"
             "        e1 = " A "movedim.int(e, 1, 0)\n"
             "        x1 = " A "movedim.int(x, 1, 0)\n"
             "        e2 = " A "%s\n"
             "        x2 = " A "%s\n"
             "        g = self.combine\n"
             "        s = torch.ops.higher_order.associative_scan(g, [e2, x2], ())\n"
             "        y1 = s[1]\n"
             "        y2 = " A "%s\n"
             "        y = " A "movedim.int(y2, 0, 1)\n"
             "        p = " A "mul.Tensor(y, c)\n"
             "        %s\n"
             "        return (w,)\n"
             "    class combine(torch.nn.Module):\n"
             "        def forward(self, l: \"f32[s0, s2, %s]\", m: \"f32[s0, s2, %s]\", "
             "q: \"f32[s0, s2, %s]\", r: \"f32[s0, s2, %s]\"):\n"
             "            f = " A "mul.Tensor(l, q)\n"
             "            h = " A "mul.Tensor(q, m)\n"
             "            i = " A "add.Tensor(h, r)\n"
             "            return [f, i]\n",
             n, n, n, c->flip ? "flip.default(e1, [0])" : "alias.default(e1)",
             c->flip ? "flip.default(x1, [0])" : "alias.default(x1)",
             c->flip ? "flip.default(y1, [0])" : "alias.default(y1)", c->sum, n, n, n, n);
  scanc_program *p = compile_for(str_cstr(&t), opts);
  program_set_thread_work(p, 1); /* any work is enough for a thread */
  str_free(&t);
  return p;
}

static scanc_tensor packed(float *data, int rank, const int64_t *sizes) {
  scanc_tensor t = {.data = data, .dtype = SCANC_F32, .rank = rank};
  for (int64_t d = rank - 1, stride = 1; d >= 0; stride *= sizes[d--])
    t.sizes[d] = sizes[d], t.strides[d] = stride;
  return t;
}

static float a[MOST], x[MOST], c[MOST], d[MOST], y[MOST], z[MOST];

static void run_steps(const sum_case *s, scanc_program *p, int64_t time, float *to) {
  int64_t m = s->channels, n = s->n_states;
  int64_t all[] = {BATCH, time, m, n}, few[] = {BATCH, time, 1, n}, kept[] = {BATCH, time, m, 1};
  int64_t last[] = {BATCH, m};
  scanc_tensor in[] = {packed(a, 4, all), packed(x, 4, all), packed(c, 4, few), packed(d, 3, all)},
               out = packed(to, s->rank,
                            s->rank == 2   ? last
                            : s->rank == 3 ? all
                            : s->one       ? kept
                                           : all);
  run_watched(p, in, 4, &out, 1);
}

static void check(const sum_case *s, const char *cpu) {
  static const int threads[] = {1, 2, 3, 7};
  static const int64_t times[] = {0, 1, 2, 17, TIME};
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.cpu = cpu;
  opts.exec = SCANC_EXEC_INTERP;
  scanc_program *interpreted = make(s, &opts);
  for (int t = 0; t < 4; t++) {
    opts.exec = SCANC_EXEC_JIT;
    opts.threads = threads[t];
    scanc_program *compiled = make(s, &opts);
    ck_assert_msg((compiled->plans->n_kernels == 1) == s->one, "%s: %d kernels", s->name,
                  compiled->plans->n_kernels);
    for (int k = 0; k < 5; k++) {
      memset(y, 0, sizeof y);
      memset(z, 0, sizeof z);
      run_steps(s, interpreted, times[k], y);
      run_steps(s, compiled, times[k], z);
      for (int i = 0; i < MOST; i++)
        CHECK_ELEMENT(!memcmp(&y[i], &z[i], sizeof *y),
                      "%s, %lld steps, %d threads: element %d is %a, interpreted %a", s->name,
                      (long long)times[k], threads[t], i, (double)z[i], (double)y[i]);
    }
    scanc_program_free(compiled);
  }
  scanc_program_free(interpreted);
}

START_TEST(test_sums) {
  static const char *const levels[] = {NULL, "x86-64-v3", "x86-64"};
  for (int i = 0; i < MOST; i++) {
    a[i] = (float)(next_random() >> 8) / (1 << 22) - 2;
    x[i] = (float)(next_random() >> 8) / (1 << 23) - 1;
    c[i] = (float)(next_random() >> 8) / (1 << 23) - 1;
    d[i] = (float)(i % 17);
  }
  for (int k = 0; k < N_CASES; k++)
    for (int l = 0; l < (k || THIN ? 1 : 3); l++)
      if (!l || level_is_here(levels[l])) check(&cases[k], levels[l]);
}
END_TEST

UNIT_MAIN("prefix_sums", test_sums)
