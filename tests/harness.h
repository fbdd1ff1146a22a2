/* Running the command line tool on directories of cases, for golden.c. */
#ifndef SCANC_TESTS_HARNESS_H
#define SCANC_TESTS_HARNESS_H

#include <jansson.h>
#include <stdbool.h>

#include "base/str.h"

/* What a process left. `status` is its exit status, -signal if it was killed. */
typedef struct {
  int status;
  str out, err;
} result;

/* Runs argv (ended by NULL) with `input` (may be NULL) on stdin, for at most 120 s of processor
 * time. */
result run_process(const char *const *argv, const str *input);
void result_free(result *r);
/* The first line of stderr, in static storage. */
const char *first_error_line(const result *r);

/* Names of the directories in `dir`, sorted; free with free_names. */
char **list_cases(const char *dir, int *n);
void free_names(char **names, int n);

/* The JSON file, or the process ends. */
json_t *load_json(const char *dir, const char *name);
bool has_tag(const json_t *info, const char *tag);

char *make_temporary(void); /* a fresh directory; free with remove_temporary */
void remove_temporary(char *dir);
int count_files(const char *dir); /* 0 if it does not exist */

/* Counts and reports. */
typedef struct {
  int passed, failed, skipped;
} tally;
void test_pass(tally *t);
void test_fail(tally *t, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void test_skip(tally *t, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int test_end(const tally *t,
             const char *title); /* prints the counts; the exit status of the test program */

#endif
