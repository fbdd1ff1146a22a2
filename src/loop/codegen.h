/* The door to libscanc-codegen, which is opened by name at the first real compile: it alone knows
 * LLVM. */
#ifndef SCANC_LOOP_CODEGEN_H
#define SCANC_LOOP_CODEGEN_H

#include "loop/entry.h"

enum { CODEGEN_VERSION = 3 };

typedef enum { CODEGEN_LLVM, CODEGEN_ASM, CODEGEN_OBJECT } codegen_form;

typedef struct codegen_code codegen_code; /* a kernel or an entry in executable memory */

/* Code is for the floating-point environment of the thread that asks for it: whether it flushes
 * subnormals (base/fp_env.h). All functions are thread-safe. `cpu` is a level of target.h. A false
 * or NULL result comes with a message in `err`. */
typedef struct codegen_api {
  int version;
  codegen_code *(*compile)(const kernel *k, const char *cpu, str *err);
  codegen_code *(*compile_entry)(const entry_point *e, const char *cpu, str *err);
  kernel_fn (*entry)(const codegen_code *c);
  void (*free)(codegen_code *c); /* NULL is allowed; the code must not be running */
  bool (*emit)(const kernel *k, const char *cpu, codegen_form form, str *out, str *err);
  /* Where what libscanc-codegen has of the lower layers runs out of memory, fn is called, and with
   * `llvm` also where LLVM does; fn does not return. Not thread-safe. */
  void (*on_no_memory)(void (*fn)(size_t bytes), bool llvm);
} codegen_api;

#define CODEGEN_SYMBOL "scanc_codegen_api"
typedef const codegen_api *(*codegen_entry)(void); /* the type of that symbol */

#endif
