/* What happens when memory runs out while something is read or compiled: each case in a child
 * process, which ends. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "scanc/scanc.h"
#include "unit.h"

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

/* ---- children ---- */

typedef struct {
  int status;       /* of exit; -1: ended otherwise */
  char output[200]; /* what it wrote to stderr */
} ending;

static ending in_child(void (*fn)(void)) {
  ending e = {-1, ""};
  int fds[2], status;
  ck_assert_int_eq(pipe(fds), 0);
  fflush(NULL);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (!child) {
    dup2(fds[1], STDERR_FILENO);
    fn();
    _exit(99); /* it should not have come back */
  }
  close(fds[1]);
  ssize_t got = 0, n;
  while ((n = read(fds[0], e.output + got, sizeof e.output - 1 - (size_t)got)) > 0) got += n;
  close(fds[0]);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  if (WIFEXITED(status)) e.status = WEXITSTATUS(status);
  return e;
}

static int user;

static void tell(void *ctx, size_t bytes) {
  char line[64];
  int n = snprintf(line, sizeof line, "%s %zu\n", ctx == &user ? "told" : "wrong user", bytes);
  if (write(STDERR_FILENO, line, (size_t)n) != n) _exit(98);
}

static void leave(void *ctx, size_t bytes) {
  (void)ctx, (void)bytes;
  _exit(7);
}

static void expect(ending e, int status, const char *output) {
  ck_assert_msg(e.status == status && !strcmp(e.output, output),
                "expected status %d and '%s', got %d and '%s'", status, output, e.status, e.output);
}

/* ---- cases ---- */

static const size_t TOO_MUCH = SIZE_MAX / 2 + 1;

static void *kept[2]; /* by a process that ends: no leak */

static void take_too_much(void) {
  kept[0] = arena_new();
  arena_alloc(kept[0], TOO_MUCH);
}

static void without_handler(void) {
  scanc_on_no_memory(tell, &user);
  scanc_on_no_memory(NULL, NULL);
  take_too_much();
}

static void with_handler(void) {
  scanc_on_no_memory(tell, &user);
  take_too_much();
}

static void with_one_that_leaves(void) {
  scanc_on_no_memory(leave, NULL);
  take_too_much();
}

START_TEST(the_handler_is_called) {
  char line[64];
  snprintf(line, sizeof line, "scanc: out of memory (%zu bytes)\n", TOO_MUCH);
  expect(in_child(without_handler), 3, line);
  snprintf(line, sizeof line, "told %zu\n", TOO_MUCH);
  expect(in_child(with_handler), 3, line);
  expect(in_child(with_one_that_leaves), 7, "");
}
END_TEST

/* A text of many statements, with room for few more bytes than the process has. */
static void read_in_little_room(void) {
  str text = {0};
  str_append(&text, "def forward(self, x0: \"f32[2]\"):\n");
  for (int i = 0; i < 40000; i++)
    str_printf(&text, "    x%d: \"f32[2]\" = torch.ops.aten.neg.default(x%d)\n", i + 1, i);
  str_append(&text, "    return (x40000,)\n");
  long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f || fscanf(f, "%ld", &pages) != 1) _exit(97);
  fclose(f);
  rlim_t room = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (4 << 20);
  struct rlimit limit = {room, room};
  if (setrlimit(RLIMIT_AS, &limit)) _exit(96);
  scanc_on_no_memory(tell, &user);
  scanc_module_parse(NULL, text.data, text.len, "long", NULL);
}

START_TEST(reading_runs_out_of_memory) {
#if defined SANITIZED
  puts("SKIP: a sanitizer needs more address space than a limit would leave");
  (void)read_in_little_room;
#else
  ending e = in_child(read_in_little_room);
  ck_assert_int_eq(e.status, 3);
  ck_assert_msg(!strncmp(e.output, "told ", 5), "%s", e.output);
#endif
}
END_TEST

static const char doubled[] = "def forward(self, x: \"f32[s0]\"):\n"
                              "    add: \"f32[s0]\" = torch.ops.aten.add.Tensor(x, x)\n"
                              "    return (add,)\n";

typedef void report_fn(const char *reason, bool crash);

/* LLVM reports a failed allocation; by its own function, since a real one is hard to come by. */
static void compile_and_report(void) {
  scanc_on_no_memory(tell, &user);
  kept[0] = scanc_module_parse(NULL, doubled, sizeof doubled - 1, "doubled", NULL);
  kept[1] = scanc_compile(kept[0], NULL, NULL);
  void *lib = dlopen("libscanc-codegen.so", RTLD_NOW | RTLD_NOLOAD);
  if (!kept[1] || !lib) _exit(95);
  report_fn *report;
  *(void **)&report = dlsym(lib, "_ZN4llvm22report_bad_alloc_errorEPKcb");
  if (!report) _exit(94);
  report("as a test", false);
}

START_TEST(llvm_runs_out_of_memory) {
  void *lib = dlopen("libscanc-codegen.so", RTLD_NOW);
  if (!lib) {
    puts("SKIP: there is no code generator");
    return;
  }
  dlclose(lib);
  expect(in_child(compile_and_report), 3, "told 0\n");
}
END_TEST

UNIT_MAIN("no_memory", the_handler_is_called, reading_runs_out_of_memory, llvm_runs_out_of_memory)
