/* Zip archives made in memory, right or wrong on purpose. */
#ifndef SCANC_TESTS_ZIP_H
#define SCANC_TESTS_ZIP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

typedef struct {
  str file, directory;
  int n;
} zip;

/* Appends the number, lowest byte first. */
void zip_put(str *s, uint64_t v, int bytes);
/* Adds an entry as PyTorch aligns them. `local`: the name in the entry's own header; wide: its row
 * of the directory is as zip64 has it. */
void zip_add(zip *z, const char *name, const char *local, const char *data, size_t n, int method,
             bool wide);
/* One that is in order. */
void zip_add_text(zip *z, const char *name, const char *text);
/* The archive is z->file then; the directory is freed. */
void zip_end(zip *z, bool wide);

#endif
