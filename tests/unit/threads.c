/* The pool of threads, and programs that use it: every piece is done once, and results do not
 * depend on the number of threads. */
#include "runtime/threads.h"
#include "runtime/testing.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "programs.h"

#if defined(__SANITIZE_THREAD__)
#define UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_TSAN 1
#endif
#endif

enum { MOST_PIECES = 1000 };

typedef struct {
  _Atomic int done[MOST_PIECES];
} tally;

static void mark(void *arg, int32_t i) { atomic_fetch_add(&((tally *)arg)->done[i], 1); }

/* Each of n pieces once, and nothing else. */
static void count_pieces(int n) {
  tally *t = calloc(1, sizeof *t);
  threads_for_each(NULL, mark, t, n);
  for (int i = 0; i < MOST_PIECES; i++)
    CHECK_ELEMENT(t->done[i] == (i < n), "piece %d of %d: %d times", i, n, t->done[i]);
  free(t);
}

START_TEST(test_each_piece_once) {
  static const int pools[] = {1, 2, 3, 33}, pieces[] = {0, 1, 2, 3, 7, 33, MOST_PIECES};
  for (int p = 0; p < 4; p++) {
    threads_take(pools[p]);
    for (int round = 0; round < 50; round++)
      for (int k = 0; k < 7; k++) count_pieces(pieces[k]);
    threads_let_go();
  }
}
END_TEST

static void *call_often(void *arg) {
  for (int k = 0; k < 200; k++) count_pieces(2 + k % 9);
  return arg;
}

START_TEST(test_callers_at_the_same_time) {
  pthread_t caller[4];
  threads_take(3);
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(pthread_create(&caller[i], NULL, call_often, NULL), 0);
  for (int i = 0; i < 4; i++) pthread_join(caller[i], NULL);
  threads_let_go();
}
END_TEST

static void nest(void *arg, int32_t i) {
  (void)arg, (void)i;
  count_pieces(5);
}

START_TEST(test_a_piece_may_call_for_each) {
  threads_take(3);
  for (int k = 0; k < 20; k++) threads_for_each(NULL, nest, NULL, 6);
  threads_let_go();
}
END_TEST

/* Users come and go while others are at work. */
static void *take_and_let_go(void *arg) {
  for (int k = 0; k < 50; k++) {
    threads_take(2 + k % 3);
    count_pieces(4);
    threads_let_go();
  }
  return arg;
}

START_TEST(test_users_come_and_go) {
  pthread_t user[3];
  for (int i = 0; i < 3; i++)
    ck_assert_int_eq(pthread_create(&user[i], NULL, take_and_let_go, NULL), 0);
  for (int i = 0; i < 3; i++) pthread_join(user[i], NULL);
}
END_TEST

#ifndef UNDER_TSAN
/* Returns in all three threads when all have come. */
static void meet(void *arg, int32_t i) {
  _Atomic int *here = arg;
  (void)i;
  atomic_fetch_add(here, 1);
  while (atomic_load(here) < 3) sched_yield();
}
#endif

/* The fork comes when all threads have started: one on its way holds locks of the sanitizers'
 * allocator, which stay locked in the child. */
START_TEST(test_a_forked_child_makes_its_own) {
#ifdef UNDER_TSAN
  puts("not checked: ThreadSanitizer does not let a forked child make threads");
#else
  _Atomic int here = 0;
  threads_take(3);
  threads_for_each(NULL, meet, &here, 3);
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    count_pieces(10);
    _exit(0);
  }
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_int_eq(status, 0);
  count_pieces(10);
  threads_let_go();
#endif
}
END_TEST

/* ---- programs ---- */

/* Groups of lanes, rows, and lanes that no group fills. */
static const char batched[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, h: \"f32[s0, s1]\", xs: \"f32[7, s0, s1]\", k: \"f32[s1]\"):\n"
    "        scan_combine_graph_0 = self.scan_combine_graph_0\n"
    "        scan = torch.ops.higher_order.scan(scan_combine_graph_0, [h], [xs], (k,))\n"
    "        a = scan[0]\n"
    "        b = scan[1]\n"
    "        c = torch.ops.aten.exp.default(b)\n"
    "        return (a, b, c)\n"
    "\n"
    "    class scan_combine_graph_0(torch.nn.Module):\n"
    "        def forward(self, h: \"f32[s0, s1]\", x: \"f32[s0, s1]\", k: \"f32[s1]\"):\n"
    "            m = torch.ops.aten.mul.Tensor(h, k)\n"
    "            n = torch.ops.aten.add.Tensor(m, x)\n"
    "            y = torch.ops.aten.sin.default(n)\n"
    "            return [n, y]\n";

static void same_by_any_number(int s0, int s1) {
  static const int counts[] = {2, 3, 7, 33};
  int n = s0 * s1;
  float *h = malloc(sizeof *h * (size_t)(n + 1)), *x = malloc(sizeof *x * (size_t)(7 * n + 1)),
        *k = malloc(sizeof *k * (size_t)(s1 + 1));
  fill(h, n, -3);
  fill(x, 7 * n, 0);
  fill(k, s1, -1);
  scanc_tensor in[3] = {f32(h, 2, s0, s1), f32(x, 3, 7, s0), f32(k, 1, s1, 1)}, want[3] = {0};
  in[1].sizes[2] = s1;
  in[1].strides[0] = n, in[1].strides[1] = s1, in[1].strides[2] = 1;
  scanc_program *p = compile_threaded(batched, SCANC_EXEC_AUTO, NULL, 1);
  run(p, in, 3, want, 3);
  scanc_program_free(p);
  for (int c = 0; c < 4; c++) {
    scanc_tensor got[3] = {0};
    p = compile_threaded(batched, SCANC_EXEC_AUTO, NULL, counts[c]);
    for (int again = 0; again < 3; again++) {
      run(p, in, 3, got, 3);
      for (int i = 0; i < 3; i++) check_equal(&want[i], &got[i]);
    }
    release(got, 3);
    scanc_program_free(p);
  }
  release(want, 3);
  free(h), free(x), free(k);
}

START_TEST(test_results_do_not_depend_on_the_number) {
  static const int sizes[][2] = {{1, 1},  {1, 17}, {5, 3},    {2, 64},
                                 {33, 1}, {3, 97}, {40, 129}, {1, 1000}};
  for (int i = 0; i < 8; i++) same_by_any_number(sizes[i][0], sizes[i][1]);
}
END_TEST

START_TEST(test_sizes_of_zero) {
  same_by_any_number(0, 5);
  same_by_any_number(5, 0);
}
END_TEST

START_TEST(test_data_errors_are_the_same) {
  static const char text[] =
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, x: \"i32[4096]\", y: \"i32[4096]\"):\n"
      "        d = torch.ops.aten.div.Tensor_mode(x, y, rounding_mode = 'floor')\n"
      "        r = torch.ops.aten.remainder.Tensor(d, y)\n"
      "        return (d, r)\n";
  static int32_t x[4096], y[4096];
  for (int i = 0; i < 4096; i++) x[i] = i - 99, y[i] = i == 4000 ? 0 : 3;
  scanc_tensor in[2] = {array(x, SCANC_I32, 1, 4096, 1), array(y, SCANC_I32, 1, 4096, 1)},
               out[2] = {0};
  for (int n = 1; n <= 7; n += 2) {
    scanc_program *p = compile_threaded(text, SCANC_EXEC_AUTO, NULL, n);
    run_fails(p, in, 2, out, 2, SCANC_ERR_DATA, "d: integer division by zero");
    scanc_program_free(p);
  }
}
END_TEST

/* A host's own threads: here it is one, which does the pieces backwards, and rounds upwards. */
static void backwards(void *pool, void (*fn)(void *arg, int32_t i), void *arg, int32_t n) {
  int rounding = fegetround();
  *(int *)pool += n;
  fesetround(FE_UPWARD);
  while (n-- > 0) fn(arg, n);
  ck_assert_int_eq(fegetround(), FE_UPWARD);
  fesetround(rounding);
}

enum { MOST_OUTPUTS = 3 };

static void same_by_a_host(const char *text, scanc_tensor *in, int n_in, int n_out) {
  int pieces = 0;
  scanc_error err = {0};
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.threads = 4;
  opts.for_each = backwards;
  opts.pool = &pieces;
  scanc_module *mod = scanc_module_parse(NULL, text, strlen(text), "p", &err);
  scanc_program *p = scanc_compile(mod, &opts, &err), *one = compile(text);
  scanc_tensor want[MOST_OUTPUTS] = {0}, got[MOST_OUTPUTS] = {0};
  program_set_thread_work(p, 1);
  run(one, in, n_in, want, n_out);
  run(p, in, n_in, got, n_out);
  for (int i = 0; i < n_out; i++) check_equal(&want[i], &got[i]);
  ck_assert_int_gt(pieces, 1);
  release(want, n_out);
  release(got, n_out);
  scanc_program_free(p);
  scanc_program_free(one);
  scanc_module_free(mod);
}

START_TEST(test_threads_of_the_host) {
  float x[400], y[20];
  fill(x, 400, -2);
  fill(y, 20, 1);
  scanc_tensor in[2] = {f32(x, 2, 20, 20), f32(y, 1, 20, 1)};
  same_by_a_host(elementwise, in, 2, 3);
}
END_TEST

/* The first piece that comes does all stretches of the row, those of the others too. */
START_TEST(test_a_row_by_threads_of_the_host) {
  static const char text[] = "def forward(self, x: \"f32[400000]\"):\n"
                             "    y = torch.ops.aten.cumsum.default(x, 0)\n"
                             "    return (y,)\n";
  static float x[400000];
  fill(x, 400000, -2);
  scanc_tensor in = f32(x, 1, 400000, 1);
  same_by_a_host(text, &in, 1, 1);
}
END_TEST

START_TEST(test_impossible_numbers) {
  static const int wrong[] = {-1, SCANC_MAX_THREADS + 1};
  for (int i = 0; i < 2; i++) {
    scanc_error err = {0};
    scanc_options opts = SCANC_OPTIONS_INIT;
    opts.threads = wrong[i];
    scanc_module *mod = scanc_module_parse(NULL, step, strlen(step), "p", &err);
    ck_assert_ptr_null(scanc_compile(mod, &opts, &err));
    ck_assert_int_eq(err.code, SCANC_ERR_USAGE);
    scanc_module_free(mod);
  }
}
END_TEST

UNIT_MAIN("threads", test_each_piece_once, test_callers_at_the_same_time,
          test_a_piece_may_call_for_each, test_users_come_and_go, test_a_forked_child_makes_its_own,
          test_results_do_not_depend_on_the_number, test_sizes_of_zero,
          test_data_errors_are_the_same, test_threads_of_the_host,
          test_a_row_by_threads_of_the_host, test_impossible_numbers)
