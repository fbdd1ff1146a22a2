/* Diagnostics: file:line:col: error: CODE: message, the source line, a caret. */
#include <stdio.h>

#include "tool.h"

/* Columns count bytes; the caret counts characters. */
static void print_caret(const scanc_error *err) {
  fputs("    ", stderr);
  for (int i = 0; i + 1 < err->caret && err->source[i]; i++)
    if (((unsigned char)err->source[i] & 0xC0) != 0x80) fputc(' ', stderr);
  fputs("^\n", stderr);
}

int diag_print(const scanc_error *err) {
  fflush(stdout);
  fputs(err->file[0] ? err->file : "scanc", stderr);
  if (err->line > 0) fprintf(stderr, ":%d", err->line);
  if (err->line > 0 && err->col > 0) fprintf(stderr, ":%d", err->col);
  fprintf(stderr, ": error: %s: %s\n", scanc_code_text(err->code), err->message);
  if (err->source[0]) fprintf(stderr, "    %s\n", err->source);
  if (err->source[0] && err->caret > 0) print_caret(err);
  return err_exit_status(err->code);
}

int diag_fail(scanc_code code, const char *fmt, ...) {
  scanc_error err = {0};
  va_list ap;
  va_start(ap, fmt);
  err_vset(&err, code, (src_loc){0}, fmt, ap);
  va_end(ap);
  return diag_print(&err);
}

void diag_how_to_give(void) {
  fputs("    give it as DIR/in.NAME.npy with --in DIR, as NAME=FILE.npy, or NAME=normal, zeros, "
        "ones, arange\n",
        stderr);
}
