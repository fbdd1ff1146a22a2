/* Messages for the caller's log. */
#ifndef SCANC_BASE_LOG_H
#define SCANC_BASE_LOG_H

#include "scanc/scanc.h"

/* Where messages go, copied from the context into what is made with it; zero: nowhere. */
typedef struct {
  scanc_log_fn *fn;
  void *user;
  scanc_log_level from;
} log_sink;

struct scanc_context {
  log_sink log;
};

/* Whether messages of this level are heard: for those that cost something to put together. */
static inline bool log_wants(const log_sink *s, scanc_log_level level) {
  return s->fn && level >= s->from;
}
void log_say(const log_sink *s, scanc_log_level level, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A clock for durations, in milliseconds. */
double log_clock_ms(void);

#endif
