/* Error records. The first error sticks: err_set on a record that already holds one does nothing.
 */
#ifndef SCANC_BASE_ERR_H
#define SCANC_BASE_ERR_H

#include <stdarg.h>

#include "scanc/scanc.h"

/* A place in a source file; line 0: unknown. `note` tells more about it, such as the node of an
 * archive, and ends messages in parentheses; NULL: nothing. Borrowed strings. */
typedef struct {
  const char *file;
  int line, col;
  const char *note;
} src_loc;

/* Records `code` with a message unless `err` already holds an error or is NULL. Always returns
 * false, so that `return err_set(...)` propagates the failure. */
#define err_set(...) (err_record(__VA_ARGS__), err_false())
void err_record(scanc_error *err, scanc_code code, src_loc loc, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* What the macros of this kind return: visible to compilers and analysers, so that they know that a
 * failed call left its results unset. */
static inline bool err_false(void) { return false; }
bool err_vset(scanc_error *err, scanc_code code, src_loc loc, const char *fmt, va_list ap);
/* Whether the argument `name` of the public function `call` was given; else records USAGE. */
bool err_given(const void *arg, const char *call, const char *name, scanc_error *err);
/* Copies the line `loc.line` of `text` into err->source, for the caret of a diagnostic. */
void err_quote(scanc_error *err, const char *text, size_t n);
/* Exit status of the command line tool for a code: 1 model or data, 2 usage, 3 files or memory. */
int err_exit_status(scanc_code code);

#define SCANC_TRY(expr) \
  do { \
    if (!(expr)) return false; \
  } while (0)

/* A broken invariant of scanc itself; never reached by bad input. */
#define SCANC_UNREACHABLE(what) scanc_unreachable_(__FILE__, __LINE__, what)
_Noreturn void scanc_unreachable_(const char *file, int line, const char *what);

#endif
