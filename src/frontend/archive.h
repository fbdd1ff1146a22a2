/* Zip archives as PyTorch writes them: entries are stored, never compressed, so they are used where
 * they lie in the file. Everything is taken from the central directory. */
#ifndef SCANC_FRONTEND_ARCHIVE_H
#define SCANC_FRONTEND_ARCHIVE_H

#include "base/err.h"

typedef struct {
  const char *name; /* as in the archive */
  const unsigned char *data;
  size_t size;
  size_t at; /* of the local header in the file */
  uint32_t crc;
} archive_entry;

typedef struct archive archive;

/* The byte order of this machine, as archives name that of their values. */
const char *archive_byte_order(void);
/* Whether bytes are the beginning of an archive. */
bool archive_begins(const void *bytes, size_t n);
/* Maps the file `path`; it may not change while the archive is in use. NULL with error IO,
 * BAD_ARCHIVE or UNSUPPORTED. Names are checked (no "..", no absolute path, none twice), and that
 * entries lie in the file and apart from each other; contents are not read. */
archive *archive_open(const char *path, scanc_error *err);
/* The same of bytes in memory, which the archive takes over and frees also after an error; `name`
 * stands for the file in messages. */
archive *archive_of_bytes(void *bytes, size_t n, const char *name, scanc_error *err);
void archive_close(void *a); /* an `archive *`; NULL is allowed */

const char *archive_name(const archive *a); /* of the file */
int archive_n_entries(const archive *a);
const archive_entry *archive_at(const archive *a, int i); /* in the order of the directory */
const archive_entry *archive_find(const archive *a, const char *name); /* NULL when absent */
/* Compares the checksum; false with error BAD_ARCHIVE. */
bool archive_check(const archive *a, const archive_entry *e, scanc_error *err);

#endif
