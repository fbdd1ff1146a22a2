/* Messages for the caller's log. */
#include "base/log.h"

#include <stdarg.h>
#include <time.h>

#include "base/str.h"

void log_say(const log_sink *s, scanc_log_level level, const char *fmt, ...) {
  if (!log_wants(s, level)) return;
  str text = {0};
  va_list ap;
  va_start(ap, fmt);
  str_vprintf(&text, fmt, ap);
  va_end(ap);
  s->fn(s->user, level, str_cstr(&text));
  str_free(&text);
}

double log_clock_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}
