/* The arrays a run ends with: summary, files, comparison with expected files. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "runtime/npy.h"
#include "runtime/tensor.h"
#include "tool.h"

/* ---- elements ---- */

/* Walks a tensor in row-major order. */
typedef struct {
  const scanc_tensor *t;
  int64_t index[SCANC_MAX_RANK];
  int64_t offset; /* in elements */
} walk;

static int64_t count(const scanc_tensor *t) {
  int64_t n = 1;
  for (int d = 0; d < t->rank; d++) n *= t->sizes[d];
  return n;
}

static void step(walk *w) {
  for (int d = w->t->rank - 1; d >= 0; d--) {
    w->offset += w->t->strides[d];
    if (++w->index[d] < w->t->sizes[d]) return;
    w->offset -= w->t->strides[d] * w->t->sizes[d];
    w->index[d] = 0;
  }
}

static const void *here(const walk *w) {
  return (const char *)w->t->data + w->offset * (int64_t)scanc_dtype_size(w->t->dtype);
}

static void print_number(str *out, number v) {
  if (v.cls == 'b') str_append(out, v.i ? "True" : "False");
  else if (v.cls == 'i') str_printf(out, "%lld", (long long)v.i);
  else if (v.cls == 'c') str_printf(out, "%.9g%+.9gj", v.f, v.im);
  else str_printf(out, "%.9g", v.f);
}

static void print_type(str *out, const scanc_tensor *t) {
  str_printf(out, "%s[", scanc_dtype_name(t->dtype));
  for (int d = 0; d < t->rank; d++)
    str_printf(out, "%s%lld", d ? ", " : "", (long long)t->sizes[d]);
  str_char(out, ']');
}

static void print_index(str *out, const walk *w) {
  str_char(out, '[');
  for (int d = 0; d < w->t->rank; d++)
    str_printf(out, "%s%lld", d ? ", " : "", (long long)w->index[d]);
  str_char(out, ']');
}

/* ---- names ---- */

/* File name of output i without directory: "out.0.npy", "mut.b_buf.npy"; false for outputs without
 * an array. Results are numbered among those of the kind that have an array. */
static bool results_name(const scanc_program *prog, int i, char *buf, size_t size) {
  scanc_port p = scanc_program_output(prog, i);
  if (p.kind == SCANC_PORT_NONE) return false;
  if (p.kind == SCANC_PORT_MUTATION) {
    snprintf(buf, size, "mut.%s.npy", p.target);
    return true;
  }
  int k_file = 0;
  for (int k = 0; k < i; k++) k_file += scanc_program_output(prog, k).kind == SCANC_PORT_USER;
  snprintf(buf, size, "out.%d.npy", k_file);
  return true;
}

/* ---- summary ---- */

static void summarise_values(str *line, const scanc_tensor *t) {
  enum { SHOWN = 4 };
  int64_t n = count(t), n_nan = 0;
  double low = INFINITY, high = -INFINITY;
  walk w = {.t = t};
  for (int64_t i = 0; i < n; i++, step(&w)) {
    number v = number_load(t->dtype, here(&w));
    if (i < SHOWN) {
      str_append(line, i ? ", " : "  ");
      print_number(line, v);
    }
    double x = v.cls == 'c' ? hypot(v.f, v.im) : v.cls == 'f' ? v.f : (double)v.i;
    n_nan += isnan(x) != 0;
    low = fmin(low, x);
    high = fmax(high, x);
  }
  if (n <= SHOWN) return;
  str_printf(line, " ...  %s %.6g, max %.6g", dtype_class(t->dtype) == 'c' ? "abs min" : "min", low,
             high);
  if (n_nan) str_printf(line, ", %lld NaN", (long long)n_nan);
}

void results_summary(const scanc_program *prog, const scanc_tensor *out) {
  for (int i = 0; i < scanc_program_n_outputs(prog); i++) {
    char name[300];
    scanc_port p = scanc_program_output(prog, i);
    if (!results_name(prog, i, name, sizeof name)) {
      printf("%s: no array\n", p.name && p.name[0] ? p.name : "constant");
      continue;
    }
    str line = {0};
    name[strlen(name) - 4] = '\0';
    str_printf(&line, "%s %s: ", name, p.name ? p.name : "");
    print_type(&line, &out[i]);
    summarise_values(&line, &out[i]);
    puts(line.data);
    str_free(&line);
  }
}

/* ---- files ---- */

static void path_in(str *path, const char *dir, const char *name) {
  str_clear(path);
  str_printf(path, "%s/%s", dir, name);
}

static bool write_array(output_file *o, const char *path, const scanc_tensor *t, scanc_error *err) {
  bool ok = output_open(o, path);
  if (ok) npy_write(o->to, t);
  return (ok && output_end(o)) ||
         err_set(err, SCANC_ERR_IO, (src_loc){.file = path}, "cannot write: %s", strerror(errno));
}

/* Every array is written before the first one takes its place. */
static bool write_arrays(const scanc_program *prog, const scanc_tensor *out, const char *dir,
                         output_file *files, scanc_error *err) {
  char name[300];
  str path = {0};
  bool ok = true;
  int n = scanc_program_n_outputs(prog);
  for (int i = 0; ok && i < n; i++) {
    if (!results_name(prog, i, name, sizeof name)) continue;
    path_in(&path, dir, name);
    ok = write_array(&files[i], path.data, &out[i], err);
  }
  for (int i = 0; i < n; i++) {
    if (!results_name(prog, i, name, sizeof name) || output_close(&files[i], ok) || !ok) continue;
    path_in(&path, dir, name);
    ok = err_set(err, SCANC_ERR_IO, (src_loc){.file = path.data}, "cannot write: %s",
                 strerror(errno));
  }
  str_free(&path);
  return ok;
}

bool results_write(const scanc_program *prog, const scanc_tensor *out, const char *dir,
                   scanc_error *err) {
  bool made = mkdir(dir, 0777) == 0;
  if (!made && errno != EEXIST)
    return err_set(err, SCANC_ERR_IO, (src_loc){.file = dir}, "cannot make the directory: %s",
                   strerror(errno));
  output_file *files = calloc((size_t)scanc_program_n_outputs(prog) + 1, sizeof *files);
  bool ok = files ? write_arrays(prog, out, dir, files, err)
                  : err_set(err, SCANC_ERR_NO_MEMORY, (src_loc){0}, "no memory for the results");
  if (!ok && made) rmdir(dir);
  free(files);
  return ok;
}

/* ---- comparison ---- */

static bool close_real(double got, double want, double rtol, double atol) {
  if (isnan(want) || isnan(got)) return isnan(want) && isnan(got);
  if (isinf(want) || isinf(got)) return want == got;
  return fabs(got - want) <= atol + rtol * fabs(want);
}

static bool close_complex(number got, number want, double rtol, double atol) {
  if (isfinite(want.f) && isfinite(want.im) && isfinite(got.f) && isfinite(got.im))
    return hypot(got.f - want.f, got.im - want.im) <= atol + rtol * hypot(want.f, want.im);
  return close_real(got.f, want.f, rtol, atol) && close_real(got.im, want.im, rtol, atol);
}

/* Both tolerances 0: equal bits, any NaN equal to any other. */
static bool same_bits(const void *got, const void *want, number g, number w, size_t size) {
  bool nans = (isnan(g.f) && isnan(w.f)) || (isnan(g.im) && isnan(w.im));
  return nans ? close_complex(g, w, 0, 0) : memcmp(got, want, size) == 0;
}

static bool element_close(const void *got, const void *want, scanc_dtype d, tolerance tol) {
  number g = number_load(d, got), w = number_load(d, want);
  char cls = dtype_class(d);
  if (cls == 'i' || cls == 'b') return g.i == w.i;
  double rtol = tol.rtol < 0 ? 1e-5 : tol.rtol, atol = tol.atol < 0 ? 1e-6 : tol.atol;
  if (cls == 'f') g.im = w.im = 0;
  if (rtol == 0 && atol == 0) return same_bits(got, want, g, w, scanc_dtype_size(d));
  return cls == 'f' ? close_real(g.f, w.f, rtol, atol) : close_complex(g, w, rtol, atol);
}

static bool same_type(const scanc_tensor *got, const scanc_tensor *want, src_loc loc,
                      scanc_error *err) {
  bool same = got->dtype == want->dtype && got->rank == want->rank;
  for (int d = 0; same && d < got->rank; d++) same = got->sizes[d] == want->sizes[d];
  if (same) return true;
  str g = {0}, w = {0};
  print_type(&g, got);
  print_type(&w, want);
  err_set(err, SCANC_ERR_MISMATCH, loc, "another type; expected %s, got %s", w.data, g.data);
  str_free(&g);
  str_free(&w);
  return false;
}

static bool compare_elements(const scanc_tensor *got, const scanc_tensor *want, tolerance tol,
                             src_loc loc, scanc_error *err) {
  int64_t n = count(got), n_bad = 0;
  walk g = {.t = got}, w = {.t = want};
  str first = {0};
  for (int64_t i = 0; i < n; i++, step(&g), step(&w)) {
    if (element_close(here(&g), here(&w), got->dtype, tol)) continue;
    if (n_bad++) continue;
    print_index(&first, &g);
    str_append(&first, "; expected ");
    print_number(&first, number_load(want->dtype, here(&w)));
    str_append(&first, ", got ");
    print_number(&first, number_load(got->dtype, here(&g)));
  }
  if (n_bad)
    err_set(err, SCANC_ERR_MISMATCH, loc, "%lld of %lld elements differ, the first at %s",
            (long long)n_bad, (long long)n, first.data);
  str_free(&first);
  return n_bad == 0;
}

static bool compare_file(const scanc_tensor *got, const char *path, tolerance tol,
                         scanc_error *err) {
  scanc_tensor want = {0};
  src_loc loc = {.file = path};
  bool ok = npy_read(path, 0, &want, err) && same_type(got, &want, loc, err) &&
            compare_elements(got, &want, tol, loc, err);
  scanc_tensor_release(&want);
  return ok;
}

/* A file for one output more than there is shows that the program returns too few. */
static bool no_more_files(const char *dir, int n, str *path, scanc_error *err) {
  str_clear(path);
  str_printf(path, "%s/out.%d.npy", dir, n);
  return access(path->data, F_OK) != 0 ||
         err_set(err, SCANC_ERR_MISMATCH, (src_loc){.file = path->data},
                 "the program has %d outputs only", n);
}

bool results_compare(const scanc_program *prog, const scanc_tensor *out, const char *dir,
                     tolerance tol, scanc_error *err) {
  char name[300];
  int n_user = 0;
  bool ok = true;
  str path = {0};
  for (int i = 0; ok && i < scanc_program_n_outputs(prog); i++) {
    if (!results_name(prog, i, name, sizeof name)) continue;
    bool user = scanc_program_output(prog, i).kind == SCANC_PORT_USER;
    n_user += user;
    path_in(&path, dir, name);
    /* Buffers are compared where a file was kept for them. */
    if (user || access(path.data, F_OK) == 0) ok = compare_file(&out[i], path.data, tol, err);
  }
  ok = ok && no_more_files(dir, n_user, &path, err);
  str_free(&path);
  return ok;
}
