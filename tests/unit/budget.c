/* No kernel of the corpus has more than 1,200 vector instructions: what is larger takes the
 * compiler too long, and is a loop of the entry instead. Counted are the instructions on vectors as
 * LLVM gets them, in all versions of a kernel's loops together. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "loop/codegen.h"
#include "programs.h"
#include "runtime/jit.h"
#include "runtime/plan.h"

enum { MOST = 1200 };

typedef struct {
  int programs, kernels, too_large;
} tally;

/* "  %3 = fadd <16 x float> %1, %2": not what only takes an element out. */
static bool is_on_vectors(const char *line, size_t n) {
  char text[512];
  if (n < 2 || strncmp(line, "  ", 2) != 0) return false;
  snprintf(text, sizeof text, "%.*s", (int)n, line);
  if (strstr(text, " = extractelement ")) return false;
  for (const char *p = strchr(text, '<'); p; p = strchr(p + 1, '<')) {
    const char *q = p + 1;
    while (isdigit((unsigned char)*q)) q++;
    if (q > p + 1 && !strncmp(q, " x ", 3)) return true;
  }
  return false;
}

static int count_on_vectors(const char *text) {
  int count = 0;
  for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
    end = line + strcspn(line, "\n");
    count += is_on_vectors(line, (size_t)(end - line));
  }
  return count;
}

static void count_kernel(const kernel *k, const char *path, tally *t) {
  str text = {0}, why = {0};
  const codegen_api *api = generator_get(&why);
  ck_assert_msg(api != NULL, "%s", str_cstr(&why));
  ck_assert_msg(api->emit(k, NULL, CODEGEN_LLVM, &text, &why), "%s", str_cstr(&why));
  int n = count_on_vectors(str_cstr(&text));
  t->kernels++;
  if (n > MOST) {
    t->too_large++;
    fprintf(stderr, "%s: %s has %d vector instructions\n", path, k->name, n);
  }
  str_free(&text);
  str_free(&why);
}

static void count_program(const char *path, tally *t) {
  scanc_error err = {0};
  scanc_module *m = scanc_module_load(NULL, path, &err);
  scanc_program *p = m ? scanc_compile(m, NULL, &err) : NULL;
  if (p && p->planned) {
    const entry_point *e = &p->plans->entry;
    t->programs++;
    for (int i = 0; i < e->steps.len; i++)
      if (e->steps.data[i].k) count_kernel(e->steps.data[i].k, path, t);
  }
  scanc_program_free(p);
  scanc_module_free(m);
}

static void count_group(const char *group, tally *t) {
  char name[512];
  snprintf(name, sizeof name, "%s/corpus/%s", TEST_DIR, group);
  DIR *d = opendir(name);
  ck_assert(d != NULL);
  for (struct dirent *e; (e = readdir(d));) {
    if (e->d_name[0] == '.') continue;
    snprintf(name, sizeof name, "%s/corpus/%s/%s/model.fx", TEST_DIR, group, e->d_name);
    count_program(name, t);
  }
  closedir(d);
}

START_TEST(test_instructions) {
  static const char *const groups[] = {"models", "scan", "assoc", "dyn"};
  tally t = {0};
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) count_group(groups[i], &t);
  ck_assert_int_gt(t.programs, 200);
  ck_assert_int_gt(t.kernels, 400);
  ck_assert_int_eq(t.too_large, 0);
}
END_TEST

UNIT_MAIN("budget", test_instructions)
