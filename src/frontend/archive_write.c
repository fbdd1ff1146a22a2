/* Zip archives as PyTorch writes them. Large ones as zip64 has it. */
#include "frontend/archive_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/crc32.h"
#include "base/output.h"
#include "base/str.h"

enum { ALIGNMENT = 64, LOCAL_BYTES = 30 };

struct archive_writer {
  output_file out;
  str path, root, directory;
  uint64_t at; /* bytes written */
  uint64_t n;
  int why; /* errno of the first write that failed */
};

static void put(str *s, uint64_t v, int bytes) {
  for (int i = 0; i < bytes; i++) str_char(s, (char)(v >> 8 * i));
}

static uint64_t narrow(uint64_t v) { return v < UINT32_MAX ? v : UINT32_MAX; }

static void emit(archive_writer *w, const void *data, size_t n) {
  if (n && fwrite(data, 1, n, w->out.to) != n && !w->why) w->why = errno ? errno : EIO;
  w->at += n;
}

archive_writer *archive_create(const char *path, const char *root, scanc_error *err) {
  archive_writer *w = base_malloc(sizeof *w);
  *w = (archive_writer){0};
  str_append(&w->path, path);
  str_append(&w->root, root);
  if (output_open(&w->out, path)) return w;
  err_set(err, SCANC_ERR_IO, (src_loc){.file = path}, "cannot write: %s", strerror(errno));
  archive_finish(w, false, NULL);
  return NULL;
}

/* What both headers of an entry have, from the flags to the sizes. */
static void put_facts(str *s, uint32_t crc, uint64_t n) {
  put(s, 0x0800, 2), put(s, 0, 2), put(s, 0, 4), put(s, crc, 4);
  put(s, narrow(n), 4), put(s, narrow(n), 4);
}

static void put_row(archive_writer *w, const str *name, uint32_t crc, uint64_t n, uint64_t at) {
  str *d = &w->directory;
  bool wide = n >= UINT32_MAX || at >= UINT32_MAX;
  str_append_n(d, "PK\1\2", 4);
  put(d, 0, 2), put(d, wide ? 45 : 0, 2);
  put_facts(d, crc, n);
  size_t extra = n >= UINT32_MAX ? 16 : 0;
  if (at >= UINT32_MAX) extra += 8;
  put(d, name->len, 2), put(d, wide ? 4 + extra : 0, 2), put(d, 0, 6), put(d, 0, 4);
  put(d, narrow(at), 4);
  str_append(d, str_cstr(name));
  if (wide) put(d, 1, 2), put(d, extra, 2);
  if (n >= UINT32_MAX) put(d, n, 8), put(d, n, 8);
  if (at >= UINT32_MAX) put(d, at, 8);
}

void archive_add(archive_writer *w, const char *entry, const void *data, size_t n) {
  str name = {0}, head = {0};
  uint32_t crc = crc32_add(0, data, n);
  uint64_t at = w->at;
  str_printf(&name, "%s/%s", str_cstr(&w->root), entry);
  size_t wide = n >= UINT32_MAX ? 20 : 0;
  uint64_t used = at + LOCAL_BYTES + name.len + wide + 4;
  size_t pad = (size_t)((ALIGNMENT - used % ALIGNMENT) % ALIGNMENT);
  str_append_n(&head, "PK\3\4", 4);
  put(&head, wide ? 45 : 0, 2);
  put_facts(&head, crc, n);
  put(&head, name.len, 2), put(&head, wide + 4 + pad, 2);
  str_append(&head, str_cstr(&name));
  if (wide) put(&head, 1, 2), put(&head, 16, 2), put(&head, n, 8), put(&head, n, 8);
  str_append_n(&head, "FB", 2);
  put(&head, pad, 2);
  for (size_t i = 0; i < pad; i++) str_char(&head, 'Z');
  emit(w, head.data, head.len);
  emit(w, data, n);
  put_row(w, &name, crc, n, at);
  w->n++;
  str_free(&name);
  str_free(&head);
}

static void write_end(archive_writer *w) {
  str end = {0};
  uint64_t at = w->at, bytes = w->directory.len;
  bool wide = at >= UINT32_MAX || w->n >= UINT16_MAX;
  emit(w, w->directory.data, w->directory.len);
  if (wide) {
    uint64_t record = w->at;
    str_append_n(&end, "PK\6\6", 4);
    put(&end, 44, 8), put(&end, 45, 2), put(&end, 45, 2), put(&end, 0, 8);
    put(&end, w->n, 8), put(&end, w->n, 8), put(&end, bytes, 8), put(&end, at, 8);
    str_append_n(&end, "PK\6\7", 4);
    put(&end, 0, 4), put(&end, record, 8), put(&end, 1, 4);
  }
  uint64_t n = w->n < UINT16_MAX ? w->n : UINT16_MAX;
  str_append_n(&end, "PK\5\6", 4);
  put(&end, 0, 4), put(&end, n, 2), put(&end, n, 2), put(&end, narrow(bytes), 4);
  put(&end, narrow(at), 4), put(&end, 0, 2);
  emit(w, end.data, end.len);
  str_free(&end);
}

bool archive_finish(archive_writer *w, bool keep, scanc_error *err) {
  if (w->out.to && keep) write_end(w);
  bool ok = output_close(&w->out, keep && !w->why) && keep && !w->why;
  if (!ok && !w->why) w->why = errno;
  if (!ok && keep)
    err_set(err, SCANC_ERR_IO, (src_loc){.file = str_cstr(&w->path)}, "cannot write: %s",
            strerror(w->why));
  str_free(&w->path);
  str_free(&w->root);
  str_free(&w->directory);
  free(w);
  return ok;
}
