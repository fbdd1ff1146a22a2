/* Growable text buffer on the heap. Zero-initialise, append, str_free. `data` is always terminated
 * once anything was appended; str_cstr gives "" before that. */
#ifndef SCANC_BASE_STR_H
#define SCANC_BASE_STR_H

#include <stdarg.h>
#include <stddef.h>

typedef struct {
  char *data;
  size_t len, cap;
} str;

void str_append(str *s, const char *text);
void str_append_n(str *s, const char *text, size_t n);
void str_char(str *s, char c);
void str_printf(str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void str_vprintf(str *s, const char *fmt, va_list ap);
void str_clear(str *s);
void str_free(str *s);
const char *str_cstr(const str *s);

#endif
