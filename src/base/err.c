#include "base/err.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *text, *meaning;
  int exit;
} code_info;

static const code_info codes[SCANC_N_CODES] = {
    [SCANC_OK] = {"ok", "success", 0},
#define ERR(name, text, exit, meaning) [SCANC_ERR_##name] = {text, meaning, exit},
#include "scanc/err.def"
#undef ERR
};

static const code_info *info(scanc_code code) {
  static const code_info unknown = {"unknown", "not an error code", 3};
  return (unsigned)code < SCANC_N_CODES ? &codes[code] : &unknown;
}

const char *scanc_version(void) { return SCANC_VERSION; }
const char *scanc_code_text(scanc_code code) { return info(code)->text; }
const char *scanc_code_meaning(scanc_code code) { return info(code)->meaning; }
int err_exit_status(scanc_code code) { return info(code)->exit; }

static bool is_continuation(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

/* A diagnostic is one line of text: control characters, which may come from a damaged file, become
 * blanks. A UTF-8 sequence cut at the end of the buffer goes as a whole. */
static void make_line(char *s) {
  size_t n = strlen(s), i = n;
  while (i > 0 && n - i < 4 && is_continuation(s[i - 1])) i--;
  if (i > 0 && (unsigned char)s[i - 1] >= 0xC0) {
    unsigned char lead = (unsigned char)s[i - 1];
    size_t want = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (n - (i - 1) < want) s[i - 1] = '\0';
  }
  for (; *s; s++)
    if ((unsigned char)*s < ' ' || *s == 0x7F) *s = ' ';
}

bool err_vset(scanc_error *err, scanc_code code, src_loc loc, const char *fmt, va_list ap) {
  if (!err || err->code != SCANC_OK) return false;
  *err = (scanc_error){.code = code, .line = loc.line, .col = loc.col};
  if (loc.file) snprintf(err->file, sizeof err->file, "%s", loc.file);
  vsnprintf(err->message, sizeof err->message, fmt, ap);
  size_t n = strlen(err->message);
  if (loc.note) snprintf(err->message + n, sizeof err->message - n, " (%s)", loc.note);
  make_line(err->message);
  return false;
}

void err_record(scanc_error *err, scanc_code code, src_loc loc, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  err_vset(err, code, loc, fmt, ap);
  va_end(ap);
}

bool err_given(const void *arg, const char *call, const char *name, scanc_error *err) {
  return arg || err_set(err, SCANC_ERR_USAGE, (src_loc){0}, "%s: '%s' is NULL", call, name);
}

/* Start of line `line` (from 1) of text, or NULL; *len gets its length without the line end. */
static const char *find_line(const char *text, size_t n, int line, size_t *len) {
  const char *p = text, *end = text + n;
  for (int i = 1; i < line; i++) {
    p = memchr(p, '\n', (size_t)(end - p));
    if (!p) return NULL;
    p++;
  }
  const char *stop = memchr(p, '\n', (size_t)(end - p));
  *len = (size_t)((stop ? stop : end) - p);
  return p;
}

/* A line longer than the record keeps the part around the column. */
void err_quote(scanc_error *err, const char *text, size_t n) {
  if (!err || err->line <= 0 || err->source[0] || !text) return;
  size_t len, room = sizeof err->source - 1, start = 0;
  const char *line = find_line(text, n, err->line, &len);
  if (!line) return;
  size_t col = err->col > 0 ? (size_t)err->col - 1 : 0;
  if (col > len) col = len;
  if (len > room && col > room / 2) start = col - room / 2;
  if (len > room && start > len - room) start = len - room;
  while (start > 0 && start < col && is_continuation(line[start])) start++;
  if (len - start < room) room = len - start;
  memcpy(err->source, line + start, room);
  for (size_t i = 0; i < room; i++)
    if (!err->source[i]) err->source[i] = ' ';
  err->source[room] = '\0';
  make_line(err->source);
  err->caret = err->col > 0 ? (int)(col - start) + 1 : 0;
}

void scanc_unreachable_(const char *file, int line, const char *what) {
  fprintf(stderr, "scanc: %s:%d: internal error: %s\n", file, line, what);
  abort();
}
