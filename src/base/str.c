#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* Room for n more bytes and the terminator. */
static void reserve(str *s, size_t n) {
  if (s->cap - s->len > n) return;
  size_t cap = s->cap ? s->cap * 2 : 64;
  while (cap - s->len <= n) cap *= 2;
  s->data = base_realloc(s->data, cap);
  s->cap = cap;
}

void str_append_n(str *s, const char *text, size_t n) {
  reserve(s, n);
  if (n) memcpy(s->data + s->len, text, n);
  s->len += n;
  s->data[s->len] = '\0';
}

void str_append(str *s, const char *text) { str_append_n(s, text, strlen(text)); }

void str_char(str *s, char c) { str_append_n(s, &c, 1); }

void str_vprintf(str *s, const char *fmt, va_list ap) {
  va_list again;
  va_copy(again, ap);
  reserve(s, 0);
  size_t room = s->cap - s->len;
  int n = vsnprintf(s->data + s->len, room, fmt, ap);
  if (n > 0 && (size_t)n >= room) {
    reserve(s, (size_t)n);
    vsnprintf(s->data + s->len, (size_t)n + 1, fmt, again);
  }
  if (n > 0) s->len += (size_t)n;
  va_end(again);
}

void str_printf(str *s, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  str_vprintf(s, fmt, ap);
  va_end(ap);
}

void str_clear(str *s) {
  s->len = 0;
  if (s->data) s->data[0] = '\0';
}

void str_free(str *s) {
  free(s->data);
  *s = (str){0};
}

const char *str_cstr(const str *s) { return s->data ? s->data : ""; }
