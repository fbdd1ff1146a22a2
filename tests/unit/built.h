/* What the tests of scanc/build.h share. */
#ifndef SCANC_TESTS_BUILT_H
#define SCANC_TESTS_BUILT_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "ir/graph.h"
#include "scanc/build.h"
#include "unit.h"

enum { T = 5, N = 3 };

static inline scanc_tensor f32(float *data, int rank, int64_t a, int64_t b, int64_t c) {
  return scanc_tensor_contiguous(data, SCANC_F32, rank, (int64_t[]){a, b, c});
}

static inline module *reread(const scanc_module *mod) {
  scanc_error err = {0};
  size_t n;
  char *text = scanc_module_print(mod, &n, &err);
  ck_assert_msg(text != NULL, "%s", err.message);
  ck_assert_uint_eq(strlen(text), n);
  module *read = scanc_module_parse(NULL, text, n, "printed", &err);
  ck_assert_msg(read != NULL, "%d: %s\n%s", err.line, err.message, text);
  scanc_text_free(text);
  return read;
}

/* The module as an archive gives it back; NULL: it has parameters without values. */
static inline scanc_module *reload(const scanc_module *mod) {
  scanc_error err = {0};
  str path = {0};
  const char *dir = getenv("TMPDIR");
  str_printf(&path, "%s/scanc-built-%ld.pt2", dir && *dir ? dir : "/tmp", (long)getpid());
  scanc_code code = scanc_module_save(mod, path.data, &err);
  ck_assert_msg(code == SCANC_OK || code == SCANC_ERR_MISSING_INPUT, "%s", err.message);
  scanc_module *again = code == SCANC_OK ? scanc_module_load(NULL, path.data, &err) : NULL;
  ck_assert_msg(again != NULL || code != SCANC_OK, "%s", err.message);
  unlink(path.data);
  str_free(&path);
  return again;
}

/* What every finished module holds: it is free of errors, and reads back as it is. */
static inline void check_module(const scanc_module *mod) {
  scanc_error err = {0};
  str why = {0};
  ck_assert_msg(scanc_module_error(mod)->code == SCANC_OK, "%s", scanc_module_error(mod)->message);
  ck_assert_msg(scanc_module_check(mod, &err) == SCANC_OK, "%s", err.message);
  module *read = reread(mod);
  ck_assert_msg(module_equal(mod, read, &why), "%s", str_cstr(&why));
  scanc_module_free(read);
}

/* Checks, compiles and frees the module; for the interpreter, as an archive gives it back. */
static inline scanc_program *finish(scanc_module *mod, scanc_exec exec) {
  scanc_error err = {0};
  scanc_options opts = SCANC_OPTIONS_INIT;
  opts.exec = exec;
  check_module(mod);
  scanc_module *again = reload(mod);
  scanc_program *prog =
      scanc_compile(exec == SCANC_EXEC_INTERP && again ? again : mod, &opts, &err);
  ck_assert_msg(prog != NULL, "%s", err.message);
  scanc_module_free(again);
  scanc_module_free(mod);
  return prog;
}

static inline void run(scanc_program *prog, const scanc_tensor *in, int n_in, scanc_tensor *out,
                       int n_out) {
  scanc_error err = {0};
  memset(out, 0, sizeof *out * (size_t)n_out);
  ck_assert_msg(scanc_run(prog, in, n_in, out, n_out, &err) == SCANC_OK, "%s", err.message);
}

static inline float at(const scanc_tensor *t, int64_t i, int64_t j) {
  return ((float *)t->data)[i * t->strides[0] + (t->rank > 1 ? j * t->strides[1] : 0)];
}

static inline void fill(float *data, int n) {
  for (int i = 0; i < n; i++) data[i] = (float)((i * 7) % 11) - 4;
}

static inline void release(scanc_tensor *out, int n) {
  for (int i = 0; i < n; i++) scanc_tensor_release(&out[i]);
}

/* c, x -> w * c + x of f32[N], with w from outside. */
static inline scanc_graph *leaky_step(scanc_module *mod, scanc_value w) {
  scanc_value n = scanc_i(N);
  scanc_graph *g = scanc_graph_begin(mod, "step");
  scanc_value c = scanc_graph_param(g, "c", SCANC_F32, SCANC_LIST(n));
  scanc_value x = scanc_graph_param(g, "x", SCANC_F32, SCANC_LIST(n));
  scanc_value y = scanc_add(scanc_mul(w, c), x);
  scanc_graph_return(g, SCANC_LIST(y, scanc_clone(y)));
  return g;
}

static inline void expect_error(scanc_module *mod, scanc_code code, const char *part) {
  scanc_error err = {0}, printed = {0};
  const scanc_error *e = scanc_module_error(mod);
  ck_assert_msg(e->code == code, "expected %s, got %s: %s", scanc_code_text(code),
                scanc_code_text(e->code), e->message);
  ck_assert_msg(strstr(e->message, part) != NULL, "no '%s' in '%s'", part, e->message);
  ck_assert_ptr_null(scanc_compile(mod, NULL, &err));
  ck_assert_int_eq(err.code, code);
  ck_assert_ptr_null(scanc_module_print(mod, NULL, &printed));
  ck_assert_int_eq(printed.code, code);
  scanc_module_free(mod);
}

#endif
