/* No kernel of the corpus has more than 1,200 vector instructions: what is larger takes the
 * compiler too long, and is a loop of the entry instead. Counted are the instructions on vectors as
 * LLVM gets them, in all versions of a kernel's loops together. Nor has one more than 2,600 of all
 * kinds: what is done lane by lane is emitted for few lanes. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "../levels.h"
#include "loop/codegen.h"
#include "programs.h"
#include "runtime/jit.h"
#include "runtime/plan.h"

enum { MOST = 1200, MOST_OF_ALL = 2600 };

typedef struct {
  const char *cpu;
  int threads;
} setting;

typedef struct {
  int programs, kernels, too_large;
} tally;

static bool starts_with(const char *p, const char *end, const char *text) {
  size_t n = strlen(text);
  return (size_t)(end - p) >= n && !memcmp(p, text, n);
}

/* "  %3 = fadd <16 x float> %1, %2": not what only takes an element out. */
static bool is_on_vectors(const char *line, const char *end) {
  bool any = false;
  if (!starts_with(line, end, "  ")) return false;
  for (const char *p = line; p < end; p++) {
    if (*p == '=' && starts_with(p, end, "= extractelement ")) return false;
    if (*p != '<') continue;
    const char *q = p + 1;
    while (q < end && isdigit((unsigned char)*q)) q++;
    any |= q > p + 1 && starts_with(q, end, " x ");
  }
  return any;
}

/* Sets *all to the number of instructions. */
static int count_on_vectors(const char *text, int *all) {
  int count = 0;
  *all = 0;
  for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
    end = line + strcspn(line, "\n");
    *all += starts_with(line, end, "  ");
    count += is_on_vectors(line, end);
  }
  return count;
}

static void count_kernel(const kernel *k, const char *path, setting s, tally *t) {
  str text = {0}, why = {0};
  const codegen_api *api = generator_get(&why);
  ck_assert_msg(api != NULL, "%s", str_cstr(&why));
  ck_assert_msg(api->emit(k, s.cpu, CODEGEN_LLVM, &text, &why), "%s", str_cstr(&why));
  int all, n = count_on_vectors(str_cstr(&text), &all);
  t->kernels++;
  if (n > MOST || all > MOST_OF_ALL) {
    t->too_large++;
    fprintf(stderr, "%s, %s, %d threads: %s has %d instructions, %d on vectors\n", path, s.cpu,
            s.threads, k->name, all, n);
  }
  str_free(&text);
  str_free(&why);
}

static void count_program(const char *path, setting s, tally *t) {
  scanc_error err = {0};
  scanc_options opts = SCANC_OPTIONS_INIT;
  const program_choices choices = {.plans_only = true};
  opts.cpu = s.cpu;
  opts.threads = s.threads;
  scanc_module *m = scanc_module_load(NULL, path, &err);
  scanc_program *p = m ? program_new(m, &opts, &choices, &err) : NULL;
  if (p && p->planned) {
    const entry_point *e = &p->plans->entry;
    t->programs++;
    for (int i = 0; i < e->steps.len; i++)
      if (e->steps.data[i].k) count_kernel(e->steps.data[i].k, path, s, t);
  }
  scanc_program_free(p);
  scanc_module_free(m);
}

static void count_group(const char *group, setting s, tally *t) {
  char name[512];
  snprintf(name, sizeof name, "%s/corpus/%s", TEST_DIR, group);
  DIR *d = opendir(name);
  ck_assert(d != NULL);
  for (struct dirent *e; (e = readdir(d));) {
    if (e->d_name[0] == '.') continue;
    snprintf(name, sizeof name, "%s/corpus/%s/%s/model.fx", TEST_DIR, group, e->d_name);
    count_program(name, s, t);
  }
  closedir(d);
}

/* With threads, kernels are cut; the vectors of a level are more or fewer. */
START_TEST(test_instructions) {
  static const char *const groups[] = {"models", "scan", "assoc", "dyn", "ops", "fxtext"};
  static const setting settings[] = {{"x86-64", 1}, {"x86-64-v3", 7}, {"x86-64-v4", 1}};
  int n_settings = sizeof settings / sizeof *settings;
  for (int i = 0; i < n_settings; i++) {
    tally t = {0};
    if (THIN && i + 1 < n_settings) continue;
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
      count_group(groups[g], settings[i], &t);
    printf("%s, %d threads: %d programs, %d kernels\n", settings[i].cpu, settings[i].threads,
           t.programs, t.kernels);
    ck_assert_int_gt(t.programs, 300);
    ck_assert_int_gt(t.kernels, 500);
    ck_assert_int_eq(t.too_large, 0);
  }
}
END_TEST

UNIT_MAIN("budget", test_instructions)
