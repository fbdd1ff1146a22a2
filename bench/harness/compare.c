/* How far two records of --json agree: of ratios, as absolute times belong to a machine and a day.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

/* Records that were made one after the other on one machine differ by less. */
static const double allowed = 0.1;

static json_t *read_record(const char *path) {
  json_error_t why;
  json_t *record = json_load_file(path, 0, &why);
  if (record && json_is_array(json_object_get(record, "cases"))) return record;
  fprintf(stderr, "scanc bench: %s is no record of --json%s%s\n", path, record ? "" : ": ",
          record ? "" : why.text);
  json_decref(record);
  return NULL;
}

static const json_t *case_called(const json_t *record, const char *name) {
  size_t i;
  json_t *c;
  json_array_foreach (json_object_get(record, "cases"), i, c) {
    const char *other = json_string_value(json_object_get(c, "name"));
    if (other && strcmp(other, name) == 0) return c;
  }
  return NULL;
}

static double figure(const json_t *c, const char *name) {
  return json_number_value(json_object_get(json_object_get(c, "ratios"), name));
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median of how far the figure differs, over the cases of both; *n gets their number. */
static double difference(const json_t *a, const json_t *b, const char *name, int *n) {
  const json_t *cases = json_object_get(a, "cases");
  double *all = must_alloc((json_array_size(cases) + 1) * sizeof *all);
  size_t i;
  json_t *c;
  *n = 0;
  json_array_foreach (cases, i, c) {
    const char *label = json_string_value(json_object_get(c, "name"));
    double x = figure(c, name), y = label ? figure(case_called(b, label), name) : 0;
    if (x > 0 && y > 0) all[(*n)++] = fmax(x / y, y / x) - 1;
  }
  qsort(all, (size_t)*n, sizeof *all, by_value);
  double middle = *n ? all[*n / 2] : 0;
  free(all);
  return middle;
}

static void print_cases(const json_t *a, const json_t *b) {
  size_t i;
  json_t *c;
  printf("%-34s %9s %9s %9s\n", "scanc / best C", "first", "second", "differ by");
  json_array_foreach (json_object_get(a, "cases"), i, c) {
    const char *name = json_string_value(json_object_get(c, "name"));
    double x = figure(c, "c"), y = name ? figure(case_called(b, name), "c") : 0;
    if (x > 0 && y > 0)
      printf("%-34s %9.3g %9.3g %7.0f %%\n", name, x, y, 100 * (fmax(x / y, y / x) - 1));
  }
}

static int compare(const json_t *a, const json_t *b) {
  int n, common = 0;
  bool agree = true;
  print_cases(a, b);
  puts("");
  for (int k = 0; k < N_FIGURES; k++) {
    double d = difference(a, b, figure_names[k], &n);
    if (n)
      printf("%-10s differs by %5.1f %% in the median of %d cases\n", figure_names[k], 100 * d, n);
    if (strcmp(figure_names[k], "c") == 0) common = n;
    agree = agree && d <= allowed;
  }
  if (!common) fputs("scanc bench: the records have no case in common\n", stderr);
  else if (!agree) puts("the records do not agree: more than 10 % in the median");
  return common && agree ? 0 : 1;
}

int records_compare(const char *first, const char *second) {
  json_t *a = read_record(first), *b = a ? read_record(second) : NULL;
  int status = a && b ? compare(a, b) : 3;
  json_decref(a);
  json_decref(b);
  return status;
}
