/* Stored zip archives by their central directory, with zip64. */
#include "frontend/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crc32.h"
#include "base/map.h"
#include "base/vec.h"

struct archive {
  arena *mem;
  const char *name;
  unsigned char *data;
  size_t size;
  bool mapped;
  VEC(archive_entry) entries;
  map by_name;
};

/* Of the directory, while it is read. */
typedef struct {
  archive *a;
  scanc_error *err;
  uint64_t at, bytes, n; /* of the central directory */
  size_t end;            /* where the end records begin: entries lie before */
} directory;

enum { END_BYTES = 22, ENTRY_BYTES = 46, LOCAL_BYTES = 30, MAX_COMMENT = 65535 };

#define REFUSE(d, code, ...) \
  err_set((d)->err, SCANC_ERR_##code, (src_loc){.file = (d)->a->name}, __VA_ARGS__)
#define DAMAGED(d, ...) REFUSE(d, BAD_ARCHIVE, "damaged archive: " __VA_ARGS__)

static uint32_t u16(const unsigned char *p) { return p[0] | (uint32_t)p[1] << 8; }
static uint32_t u32(const unsigned char *p) { return u16(p) | u16(p + 2) << 16; }
static uint64_t u64(const unsigned char *p) { return u32(p) | (uint64_t)u32(p + 4) << 32; }

/* ---- the end of the file ---- */

static bool find_end(directory *d, size_t *out) {
  size_t size = d->a->size;
  if (size < END_BYTES) return DAMAGED(d, "%zu bytes are too few", size);
  for (size_t comment = 0; comment <= MAX_COMMENT && comment + END_BYTES <= size; comment++) {
    const unsigned char *p = d->a->data + size - END_BYTES - comment;
    if (u32(p) != 0x06054b50 || u16(p + 20) != comment) continue;
    *out = (size_t)(p - d->a->data);
    return true;
  }
  return DAMAGED(d, "no directory at its end; the file may be cut off");
}

/* The numbers of a zip64 archive stand in a record of their own, which a locator before the end
 * record points at. */
static bool read_end64(directory *d, size_t end) {
  const unsigned char *locator = d->a->data + end - 20;
  uint64_t at = u64(locator + 8);
  if (u32(locator + 16) != 1 || at > end - 20 || end - 20 - at < 56)
    return DAMAGED(d, "the zip64 record lies outside");
  const unsigned char *p = d->a->data + at;
  if (u32(p) != 0x06064b50) return DAMAGED(d, "the zip64 record is missing");
  d->n = u64(p + 32);
  d->bytes = u64(p + 40);
  d->at = u64(p + 48);
  d->end = (size_t)at;
  return true;
}

static bool read_end(directory *d) {
  size_t end;
  SCANC_TRY(find_end(d, &end));
  const unsigned char *p = d->a->data + end;
  d->n = u16(p + 10);
  d->bytes = u32(p + 12);
  d->at = u32(p + 16);
  d->end = end;
  if (u16(p + 4) || u16(p + 6)) return REFUSE(d, UNSUPPORTED, "an archive in several parts");
  if (end >= 20 && u32(d->a->data + end - 20) == 0x07064b50) SCANC_TRY(read_end64(d, end));
  if (d->at > d->end || d->bytes > d->end - d->at)
    return DAMAGED(d, "the directory lies outside the file");
  if (d->n > d->bytes / ENTRY_BYTES)
    return DAMAGED(d, "%llu entries do not fit the directory", (unsigned long long)d->n);
  return true;
}

/* ---- names ---- */

static bool bad_part(const char *s, size_t n) {
  return n == 0 || (n == 1 && *s == '.') || (n == 2 && s[0] == '.' && s[1] == '.');
}

static bool check_name(directory *d, const char *name, size_t n) {
  size_t start = 0;
  if (strlen(name) != n) return DAMAGED(d, "an entry name with a zero byte");
  for (size_t i = 0; i <= n; i++) {
    unsigned char c = (unsigned char)name[i];
    if (i < n && (c < ' ' || c == '\\' || c == 127))
      return DAMAGED(d, "the entry name '%.100s' has characters that are not allowed", name);
    if (i < n && c != '/') continue;
    if (bad_part(name + start, i - start))
      return DAMAGED(d, "the entry name '%.100s' has an empty part, '.' or '..'", name);
    start = i + 1;
  }
  return true;
}

/* ---- entries ---- */

/* Sizes and offset that do not fit 32 bits stand in an extra field, in this order. */
static bool read_extra64(directory *d, const unsigned char *p, size_t n, uint64_t *v[3]) {
  while (n >= 4) {
    size_t len = u16(p + 2);
    if (len > n - 4) break;
    if (u16(p) == 1) {
      const unsigned char *q = p + 4, *end = q + len;
      for (int i = 0; i < 3; i++) {
        if (*v[i] != UINT32_MAX) continue;
        if (end - q < 8) return DAMAGED(d, "a zip64 field is too short");
        *v[i] = u64(q);
        q += 8;
      }
      return true;
    }
    p += 4 + len;
    n -= 4 + len;
  }
  return true;
}

/* The header in front of the data, which must repeat the name: its sizes may be zero. */
static bool find_data(directory *d, archive_entry *e, uint64_t at, size_t name_len) {
  if (at > d->at || d->at - at < LOCAL_BYTES)
    return DAMAGED(d, "entry '%.100s' lies outside the file", e->name);
  const unsigned char *p = d->a->data + at;
  uint64_t skip = LOCAL_BYTES + (uint64_t)u16(p + 26) + u16(p + 28);
  if (u32(p) != 0x04034b50) return DAMAGED(d, "entry '%.100s' has no header", e->name);
  if (skip > d->at - at || e->size > d->at - at - skip)
    return DAMAGED(d, "entry '%.100s' lies outside the file", e->name);
  if (u16(p + 26) != name_len || memcmp(p + LOCAL_BYTES, e->name, name_len))
    return DAMAGED(d, "entry '%.100s' has another name in its header", e->name);
  e->at = (size_t)at;
  e->data = p + skip;
  return true;
}

static bool read_entry(directory *d, const unsigned char *p, size_t name_len, size_t extra_len) {
  archive *a = d->a;
  archive_entry e = {.crc = u32(p + 16)};
  uint64_t packed = u32(p + 20), size = u32(p + 24), at = u32(p + 42);
  uint64_t *wide[3] = {&size, &packed, &at};
  e.name = arena_strndup(a->mem, (const char *)p + ENTRY_BYTES, name_len);
  bool folder = name_len && e.name[name_len - 1] == '/' && !size;
  if (folder) return true;
  SCANC_TRY(check_name(d, e.name, name_len));
  SCANC_TRY(read_extra64(d, p + ENTRY_BYTES + name_len, extra_len, wide));
  if (u16(p + 8) & 1) return REFUSE(d, UNSUPPORTED, "entry '%.100s' is encrypted", e.name);
  if (u16(p + 10))
    return REFUSE(d, UNSUPPORTED,
                  "entry '%.100s' is compressed (method %u): expected the stored entries that "
                  "torch.export.save writes",
                  e.name, (unsigned)u16(p + 10));
  if (packed != size) return DAMAGED(d, "entry '%.100s' has two sizes", e.name);
  if (size > a->size) return DAMAGED(d, "entry '%.100s' is larger than the file", e.name);
  if (map_has(&a->by_name, e.name)) return DAMAGED(d, "two entries are named '%.100s'", e.name);
  e.size = (size_t)size;
  SCANC_TRY(find_data(d, &e, at, name_len));
  vec_push(a->mem, &a->entries, e);
  map_set(&a->by_name, e.name, (void *)(uintptr_t)a->entries.len);
  return true;
}

static bool read_entries(directory *d) {
  const unsigned char *p = d->a->data + d->at, *end = p + d->bytes;
  for (uint64_t i = 0; i < d->n; i++) {
    if (end - p < ENTRY_BYTES || u32(p) != 0x02014b50)
      return DAMAGED(d, "entry %llu of the directory is missing", (unsigned long long)i);
    size_t name = u16(p + 28), extra = u16(p + 30), comment = u16(p + 32);
    if ((size_t)(end - p) - ENTRY_BYTES < name + extra + comment)
      return DAMAGED(d, "the directory ends early");
    SCANC_TRY(read_entry(d, p, name, extra));
    p += ENTRY_BYTES + name + extra + comment;
  }
  return true;
}

static int by_place(const void *a, const void *b) {
  const archive_entry *x = *(archive_entry *const *)a, *y = *(archive_entry *const *)b;
  return (x->at > y->at) - (x->at < y->at);
}

/* Entries that share bytes would let a small file hold more than its size. */
static bool check_apart(directory *d) {
  archive *a = d->a;
  int n = a->entries.len;
  archive_entry **order = ARENA_ARRAY(a->mem, archive_entry *, n);
  for (int i = 0; i < n; i++) order[i] = &a->entries.data[i];
  if (n) qsort(order, (size_t)n, sizeof *order, by_place);
  for (int i = 1; i < n; i++)
    if (order[i - 1]->data + order[i - 1]->size > a->data + order[i]->at)
      return DAMAGED(d, "entries '%.100s' and '%.100s' overlap", order[i - 1]->name,
                     order[i]->name);
  return true;
}

/* ---- opening ---- */

static archive *new_archive(const char *name, unsigned char *data, size_t size, bool mapped) {
  arena *mem = arena_new();
  archive *a = ARENA_NEW(mem, archive);
  *a = (archive){mem, arena_strdup(mem, name), data, size, mapped, {0}, map_make(mem)};
  return a;
}

static archive *read_directory(archive *a, scanc_error *err) {
  scanc_error e = {0};
  directory d = {.a = a, .err = &e};
  if (read_end(&d) && read_entries(&d) && check_apart(&d)) return a;
  if (err && !err->code) *err = e;
  archive_close(a);
  return NULL;
}

const char *archive_byte_order(void) {
  const uint16_t one = 1;
  return *(const unsigned char *)&one ? "little" : "big";
}

bool archive_begins(const void *bytes, size_t n) { return n >= 2 && !memcmp(bytes, "PK", 2); }

archive *archive_of_bytes(void *bytes, size_t n, const char *name, scanc_error *err) {
  return read_directory(new_archive(name, bytes, n, false), err);
}

archive *archive_open(const char *path, scanc_error *err) {
  src_loc loc = {.file = path};
  struct stat st;
  void *data = MAP_FAILED;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return err_set(err, SCANC_ERR_IO, loc, "cannot open: %s", strerror(errno)), NULL;
  bool ok = fstat(fd, &st) == 0;
  bool regular = ok && S_ISREG(st.st_mode);
  bool large = regular && (uintmax_t)st.st_size > SIZE_MAX;
  if (large) errno = EFBIG;
  else if (regular && st.st_size > 0)
    data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  int why = errno;
  close(fd);
  if (ok && !regular) err_set(err, SCANC_ERR_IO, loc, "cannot read: not a regular file");
  else if (regular && !st.st_size) err_set(err, SCANC_ERR_BAD_ARCHIVE, loc, "the file is empty");
  else if (data == MAP_FAILED) err_set(err, SCANC_ERR_IO, loc, "cannot read: %s", strerror(why));
  if (data == MAP_FAILED) return NULL;
  return read_directory(new_archive(path, data, (size_t)st.st_size, true), err);
}

void archive_close(void *p) {
  archive *a = p;
  if (!a) return;
  if (a->mapped) munmap(a->data, a->size);
  else free(a->data);
  arena_free(a->mem);
}

/* ---- reading ---- */

const char *archive_name(const archive *a) { return a->name; }
int archive_n_entries(const archive *a) { return a->entries.len; }
const archive_entry *archive_at(const archive *a, int i) { return &a->entries.data[i]; }

const archive_entry *archive_find(const archive *a, const char *name) {
  uintptr_t k = (uintptr_t)map_get(&a->by_name, name);
  return k ? &a->entries.data[k - 1] : NULL;
}

bool archive_check(const archive *a, const archive_entry *e, scanc_error *err) {
  uint32_t crc = crc32_add(0, e->data, e->size);
  if (crc == e->crc) return true;
  return err_set(err, SCANC_ERR_BAD_ARCHIVE, (src_loc){.file = a->name},
                 "damaged archive: entry '%.200s' has checksum %08x; expected %08x", e->name,
                 (unsigned)crc, (unsigned)e->crc);
}
