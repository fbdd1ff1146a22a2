/* scanc: a compiler for scan graphs. The whole public interface.
 *
 *   scanc_error err = {0};
 *   scanc_module *mod = scanc_module_load("model.fx", &err);
 *   scanc_options opts = SCANC_OPTIONS_INIT;
 *   scanc_program *prog = mod ? scanc_compile(mod, &opts, &err) : NULL;
 *   scanc_tensor in[2] = {...}, out[1] = {0};
 *   if (!prog || scanc_run(prog, in, 2, out, 1, &err) != SCANC_OK) fprintf(stderr, "%s\n",
 * err.message);
 *   ...
 *   scanc_tensor_release(&out[0]);
 *   scanc_program_free(prog);
 *   scanc_module_free(mod);
 *
 * Errors: a call that can fail takes a `scanc_error *` (may be NULL), owned by the caller. The
 * library does not print, exit or abort on bad input. Running out of memory while reading or
 * compiling ends the process, as it does inside LLVM; at run time it is reported as
 * SCANC_ERR_NO_MEMORY. Threads: a compiled program may be run by several threads at once; a module
 * may not be changed by one thread while another one uses it; distinct modules are independent. */
#ifndef SCANC_SCANC_H
#define SCANC_SCANC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SCANC_API __attribute__((visibility("default")))
#else
#define SCANC_API
#endif

#define SCANC_VERSION "0.1.0"
/* The version of the library that is loaded, in the form of SCANC_VERSION. Static storage. */
SCANC_API const char *scanc_version(void);

/* ---- errors
 * ---------------------------------------------------------------------------------------------- */

/* err.def lists every code with its meaning. */
typedef enum scanc_code {
  SCANC_OK = 0,
#define ERR(name, text, exit, meaning) SCANC_ERR_##name,
#include "scanc/err.def"
#undef ERR
  SCANC_N_CODES
} scanc_code;

/* What went wrong and where. `line` and `col` count from 1, 0 where there is none; `source` is the
 * text of that line, cut to what fits, and `caret` the byte in it (from 1) that `col` points at, 0
 * for none. `message` states what is wrong, what was expected and what was found. */
typedef struct scanc_error {
  scanc_code code;
  int line, col, caret;
  char file[256];
  char message[768];
  char source[256];
} scanc_error;

/* The word of a code as diagnostics print it ("carry-shape"), and one sentence on it. Static
 * storage. */
SCANC_API const char *scanc_code_text(scanc_code code);
SCANC_API const char *scanc_code_meaning(scanc_code code);

/* ---- tensors
 * --------------------------------------------------------------------------------------------- */

typedef enum scanc_dtype {
#define DTYPE(name, fx, torch, size, cls, sgn, acc, npy) SCANC_##name,
#include "scanc/dtype.def"
#undef DTYPE
  SCANC_N_DTYPES
} scanc_dtype;

enum { SCANC_MAX_RANK = 16 };

/* A strided array. `strides` count elements and may be zero or negative; `data` points at element
 * [0, ..., 0]. bool elements are bytes 0 or 1; bf16 elements are the upper halves of f32; complex
 * elements are pairs. `release` frees what `data` needs (called once by scanc_tensor_release);
 * NULL: the data are borrowed. */
typedef struct scanc_tensor {
  void *data;
  scanc_dtype dtype;
  int rank;
  int64_t sizes[SCANC_MAX_RANK];
  int64_t strides[SCANC_MAX_RANK];
  void (*release)(void *owner);
  void *owner;
} scanc_tensor;

/* Frees the data if the tensor owns them and clears it. NULL and a cleared tensor are allowed. */
SCANC_API void scanc_tensor_release(scanc_tensor *t);
/* Element size in bytes, and the name as printed in graphs ("f32"). */
SCANC_API size_t scanc_dtype_size(scanc_dtype dtype);
SCANC_API const char *scanc_dtype_name(scanc_dtype dtype);

/* ---- modules
 * --------------------------------------------------------------------------------------------- */

/* A program as a graph: what a file holds. */
typedef struct scanc_module scanc_module;

/* Reads a program that PyTorch printed. `path` names a file. Returns NULL and fills `err` if it
 * cannot be read or is not a program. The caller owns the module. */
SCANC_API scanc_module *scanc_module_load(const char *path, scanc_error *err);
/* The same from `n` bytes of text; `name` stands for the file in messages. The text is copied. */
SCANC_API scanc_module *scanc_module_parse(const char *text, size_t n, const char *name,
                                           scanc_error *err);
SCANC_API void scanc_module_free(scanc_module *mod); /* NULL is allowed */

/* ---- programs
 * -------------------------------------------------------------------------------------------- */

typedef enum scanc_exec {
  SCANC_EXEC_AUTO,   /* compile every scan that has a lowering, interpret the rest */
  SCANC_EXEC_INTERP, /* interpret everything: the reference */
  SCANC_EXEC_JIT     /* every scan compiled, or SCANC_ERR_NO_KERNEL with node and reason */
} scanc_exec;

typedef struct scanc_options {
  size_t struct_size;
  scanc_exec exec;
  const char *cpu;  /* CPU level: "native", "x86-64", "x86-64-v3", "x86-64-v4"; NULL is "native" */
  size_t max_bytes; /* upper bound of what one run may allocate; 0 is 4 GiB */
} scanc_options;
#define SCANC_OPTIONS_INIT {sizeof(scanc_options), SCANC_EXEC_AUTO, NULL, 0}

typedef struct scanc_program scanc_program;

/* Checks, rewrites and compiles a module; `opts` may be NULL. Returns NULL and fills `err` where
 * that fails. The program keeps nothing of the module: it may be freed. */
SCANC_API scanc_program *scanc_compile(const scanc_module *mod, const scanc_options *opts,
                                       scanc_error *err);
SCANC_API void scanc_program_free(scanc_program *prog); /* NULL is allowed */

typedef enum scanc_port_kind {
  SCANC_PORT_USER, /* an argument or result of the call */
  SCANC_PORT_PARAMETER,
  SCANC_PORT_BUFFER,
  SCANC_PORT_CONSTANT,
  SCANC_PORT_MUTATION, /* output only: the new value of the input `target` */
  SCANC_PORT_NONE      /* output only: None, has no tensor */
} scanc_port_kind;

/* One input or output. `dims` holds sizes, -1 where a size is symbolic; `dim_text` the sizes as
 * text ("s77"). `rank` is -1 and `typed` false where the file does not say. A symbolic integer
 * argument is a 0-d i64, and so is an integer result; floats are f64, truth values bool. Strings
 * live as long as the program. */
typedef struct scanc_port {
  const char *name;
  const char
      *target; /* the qualified name of a parameter, the input a mutation belongs to, else NULL */
  scanc_port_kind kind;
  bool typed;
  scanc_dtype dtype;
  int rank;
  int64_t dims[SCANC_MAX_RANK];
  const char *dim_text[SCANC_MAX_RANK];
} scanc_port;

SCANC_API int scanc_program_n_inputs(const scanc_program *prog);
SCANC_API int scanc_program_n_outputs(const scanc_program *prog);
SCANC_API scanc_port scanc_program_input(const scanc_program *prog, int i);
SCANC_API scanc_port scanc_program_output(const scanc_program *prog, int i);
SCANC_API int scanc_program_find_input(const scanc_program *prog,
                                       const char *name); /* -1: no such input */

/* Runs the program. `in` are borrowed and not changed; an input of the wrong dtype or shape is an
 * error before anything is computed; a cleared tensor stands for an input that is not given
 * (allowed where the parameter has a default or is not used). `out` elements are filled with owned
 * tensors (release them) on SCANC_OK and untouched otherwise. Outputs are the user outputs in
 * order, then one SCANC_PORT_MUTATION per changed input. Errors: USAGE (the wrong number of inputs
 * or outputs), MISSING_INPUT, INPUT_DTYPE, INPUT_SHAPE, RANGE, DATA (division by zero, index out of
 * range, failed assertion; the message names node and line), NO_KERNEL (only with SCANC_EXEC_JIT: a
 * kernel that does not serve these sizes), CODEGEN, NO_MEMORY. Thread-safe. */
SCANC_API scanc_code scanc_run(scanc_program *prog, const scanc_tensor *in, int n_in,
                               scanc_tensor *out, int n_out, scanc_error *err);

#ifdef __cplusplus
}
#endif
#endif
