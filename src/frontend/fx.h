/* Reader of programs as PyTorch prints them (torch.fx): print(exported_program), print_readable(),
 * GraphModule.code. It folds nothing: what it reads is the graph that was printed, except that the
 * older call forms of scan and associative_scan (with dim and reverse as arguments) become the
 * newer ones. */
#ifndef SCANC_FRONTEND_FX_H
#define SCANC_FRONTEND_FX_H

#include "ir/graph.h"

/* Reads n bytes. `name` stands for the file in messages. The module keeps a copy of the text,
 * without colour codes. Returns NULL and fills err when the text is not a program or not a valid
 * one. The caller owns the module. */
module *fx_read(const char *text, size_t n, const char *name, scanc_error *err);
/* The same, but operations that do not fit (their arguments, shapes, dtypes, annotations) are added
 * to `faults` and do not end the reading: with faults the module is for showing and checking only.
 */
module *fx_read_faulty(const char *text, size_t n, const char *name, diagnostics *faults,
                       scanc_error *err);
#endif
