/* Whole files, for test programs. */
#ifndef SCANC_TESTS_SLURP_H
#define SCANC_TESTS_SLURP_H

#include <stdbool.h>
#include <stdio.h>

#include "base/str.h"

/* Appends what is left of the file, and closes it. */
static inline void slurp_stream(FILE *f, str *out) {
  char buf[65536];
  size_t n;
  while ((n = fread(buf, 1, sizeof buf, f)) > 0) str_append_n(out, buf, n);
  fclose(f);
}

/* Appends the file; false: it cannot be opened. */
static inline bool slurp(const char *path, str *out) {
  FILE *f = fopen(path, "rb");
  if (f) slurp_stream(f, out);
  return f != NULL;
}

#endif
