#include "zip.h"

#include <string.h>

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
  size_t pad = 63 & -(at + 30 + strlen(local)); /* as PyTorch aligns the data */
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
