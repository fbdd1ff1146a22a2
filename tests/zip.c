#include "zip.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/crc32.h"

void zip_put(str *s, uint64_t v, int bytes) {
  for (int i = 0; i < bytes; i++) str_char(s, (char)(v >> 8 * i));
}

void zip_add(zip *z, const char *name, const char *local, const char *data, size_t n, int method,
             bool wide) {
  str *f = &z->file, *d = &z->directory;
  uint32_t crc = crc32_add(0, data, n), at = (uint32_t)f->len;
  str_append_n(f, "PK\3\4", 4);
  zip_put(f, 0, 2), zip_put(f, 0x800, 2), zip_put(f, (uint64_t)method, 2);
  zip_put(f, 0, 4), zip_put(f, crc, 4), zip_put(f, n, 4), zip_put(f, n, 4);
  size_t pad = (63 & -(at + 30 + strlen(local))) + z->shift; /* as PyTorch aligns the data */
  zip_put(f, strlen(local), 2), zip_put(f, pad, 2);
  str_append(f, local);
  for (size_t i = 0; i < pad; i++) str_char(f, 'Z');
  if (n) str_append_n(f, data, n);
  str_append_n(d, "PK\1\2", 4);
  zip_put(d, 0, 4), zip_put(d, 0x800, 2), zip_put(d, (uint64_t)method, 2), zip_put(d, 0, 4);
  zip_put(d, crc, 4), zip_put(d, wide ? UINT32_MAX : n, 4), zip_put(d, wide ? UINT32_MAX : n, 4);
  zip_put(d, strlen(name), 2), zip_put(d, wide ? 28 : 0, 2), zip_put(d, 0, 2), zip_put(d, 0, 8);
  zip_put(d, wide ? UINT32_MAX : at, 4);
  str_append(d, name);
  if (wide) {
    zip_put(d, 1, 2), zip_put(d, 24, 2);
    zip_put(d, n, 8), zip_put(d, n, 8), zip_put(d, at, 8);
  }
  z->n++;
}

void zip_add_text(zip *z, const char *name, const char *text) {
  zip_add(z, name, name, text, strlen(text), 0, false);
}

void zip_end(zip *z, bool wide) {
  uint64_t at = z->file.len, bytes = z->directory.len, n = (uint64_t)z->n;
  str *f = &z->file;
  if (bytes) str_append_n(f, z->directory.data, bytes);
  if (wide) {
    uint64_t end = f->len;
    str_append_n(f, "PK\6\6", 4);
    zip_put(f, 44, 8), zip_put(f, 0, 4), zip_put(f, 0, 8), zip_put(f, n, 8), zip_put(f, n, 8);
    zip_put(f, bytes, 8), zip_put(f, at, 8);
    str_append_n(f, "PK\6\7", 4);
    zip_put(f, 0, 4), zip_put(f, end, 8), zip_put(f, 1, 4);
  }
  str_append_n(f, "PK\5\6", 4);
  zip_put(f, 0, 4), zip_put(f, wide ? 0xFFFF : n, 2), zip_put(f, wide ? 0xFFFF : n, 2);
  zip_put(f, wide ? UINT32_MAX : bytes, 4), zip_put(f, wide ? UINT32_MAX : at, 4);
  zip_put(f, 0, 2);
  str_free(&z->directory);
}

/* ---- a gigabyte ---- */

#define SIZES "{\"as_int\": 16384}, {\"as_int\": 16384}"
#define STRIDES "{\"as_int\": 16384}, {\"as_int\": 1}"

static void put_at(str *s, size_t at, uint32_t v) {
  for (int i = 0; i < 4; i++) s->data[at + (size_t)i] = (char)(v >> 8 * i);
}

static bool write_parts(const char *path, const str *file, size_t head, uint32_t hole) {
  int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  size_t tail = file->len - head;
  bool ok = fd >= 0 && pwrite(fd, file->data, head, 0) == (ssize_t)head &&
            pwrite(fd, file->data + head, tail, (off_t)head + hole) == (ssize_t)tail;
  return fd >= 0 && close(fd) == 0 && ok;
}

bool zip_write_gigabyte(const char *path) {
  static const char weight[] = "m/data/weights/weight_0";
  const uint32_t n = 1u << 30;
  zip z = {0};
  zip_add_text(&z, "m/models/model.json", ZIP_PROGRAM(SIZES, STRIDES));
  zip_add_text(&z, "m/data/weights/model_weights_config.json", ZIP_CONFIG(SIZES, STRIDES));
  zip_add_text(&z, "m/archive_format", "pt2");
  zip_add_text(&z, "m/archive_version", "0");
  size_t row = z.directory.len;
  zip_add(&z, weight, weight, "", 0, 0, false);
  put_at(&z.directory, row + 20, n);
  put_at(&z.directory, row + 24, n);
  size_t head = z.file.len;
  zip_end(&z, false);
  put_at(&z.file, z.file.len - 6, (uint32_t)head + n);
  bool ok = write_parts(path, &z.file, head, n);
  str_free(&z.file);
  return ok;
}
