/* Writing zip archives as PyTorch does: stored entries whose data begin at multiples of 64. */
#ifndef SCANC_FRONTEND_ARCHIVE_WRITE_H
#define SCANC_FRONTEND_ARCHIVE_WRITE_H

#include "base/err.h"

typedef struct archive_writer archive_writer;

/* The file appears under `path` when it is whole. All names get `root` and a slash in front. NULL
 * with error IO. */
archive_writer *archive_create(const char *path, const char *root, scanc_error *err);
/* Errors wait for archive_finish. */
void archive_add(archive_writer *w, const char *name, const void *data, size_t n);
/* Frees the writer. `keep` false, or error IO: no file is left behind. */
bool archive_finish(archive_writer *w, bool keep, scanc_error *err);

#endif
