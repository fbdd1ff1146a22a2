/* scanc: a compiler for scan graphs. The whole public interface but for building graphs from C,
 * which is scanc/build.h.
 *
 *   scanc_error err = {0};
 *   scanc_context *ctx = scanc_context_new(NULL);
 *   scanc_module *mod = scanc_module_load(ctx, "model.fx", &err);
 *   scanc_program *prog = mod ? scanc_compile(mod, NULL, &err) : NULL;
 *   scanc_tensor in[2] = {...}, out[1] = {0};
 *   if (!prog || scanc_run(prog, in, 2, out, 1, &err) != SCANC_OK)
 *     fprintf(stderr, "%s\n", err.message);
 *   ...
 *   scanc_tensor_release(&out[0]);
 *   scanc_program_free(prog);
 *   scanc_module_free(mod);
 *   scanc_context_free(ctx);
 *
 * Errors: a call that can fail takes a `scanc_error *` (may be NULL), owned by the caller; the
 * first error stays in it. The library does not print, exit or abort on bad input. NULL for a
 * pointer that must not be NULL is SCANC_ERR_USAGE; calls that report no error take it for nothing:
 * no inputs, no such name, a tensor of -1 elements. Running out of
 * memory while reading or compiling ends the process, as it does inside LLVM (a host may be told,
 * scanc_on_no_memory); at run time it is reported as SCANC_ERR_NO_MEMORY. Threads: a context may be
 * shared by all threads, and a compiled program may be run by several at once; a module may not be
 * changed by one thread while another one uses it; distinct modules are independent. */
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

/* ---- errors ---- */

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

/* ---- contexts ---- */

typedef enum scanc_log_level {
  SCANC_LOG_DEBUG,  /* what was read; code that was made, or found in the cache; times */
  SCANC_LOG_INFO,   /* what was compiled and how long that took */
  SCANC_LOG_WARNING /* what will be slow: a scan that is interpreted, and why */
} scanc_log_level;

/* Gets one line without line end, which lasts for the call. May be called by several threads at
 * once, and must not call back into scanc. */
typedef void scanc_log_fn(void *user, scanc_log_level level, const char *message);

typedef struct scanc_context_options {
  size_t struct_size;
  scanc_log_fn *log;        /* NULL: nothing is said */
  void *log_user;           /* handed to `log` */
  scanc_log_level log_from; /* the lowest level that is passed on */
} scanc_context_options;
#define SCANC_CONTEXT_OPTIONS_INIT {sizeof(scanc_context_options), NULL, NULL, SCANC_LOG_INFO}

/* What modules and the programs made of them share: where messages go. It holds no error. */
typedef struct scanc_context scanc_context;

/* `opts` may be NULL. The caller owns the context. */
SCANC_API scanc_context *scanc_context_new(const scanc_context_options *opts);
/* Modules and programs keep what they need of their context: it may be freed before them, but
 * log_user must outlive them. NULL is allowed. */
SCANC_API void scanc_context_free(scanc_context *ctx);

/* ---- running out of memory ---- */

/* Told that memory has run out while something was read or compiled, for which there is no way
 * back: once it returns, the process ends with status 3, as by exit. `bytes` is what was asked for,
 * 0 where that is not known (in LLVM). It may write to a log or end the process in another way
 * (abort, _exit, exec); it must not leave by longjmp or an exception, call into scanc or count on
 * memory from malloc. May be called by any thread that uses scanc, several at once. */
typedef void scanc_no_memory_fn(void *user, size_t bytes);
/* Sets that function, for the whole process: NULL, as at the start, writes a line to stderr
 * instead. The first compile with a function set makes it LLVM's handler of failed allocations, too
 * (of the LLVM that libscanc-codegen is linked with, in place of one that the host may have
 * installed there); before, and where C++ itself fails to allocate, LLVM ends the process as it
 * always does. Thread-safe. */
SCANC_API void scanc_on_no_memory(scanc_no_memory_fn *fn, void *user);

/* ---- tensors ---- */

typedef enum scanc_dtype {
#define DTYPE(name, fx, torch, size, cls, sgn, acc, npy) SCANC_##name,
#include "scanc/dtype.def"
#undef DTYPE
  SCANC_N_DTYPES
} scanc_dtype;

enum { SCANC_MAX_RANK = 16 };

/* A strided array in the memory of this machine: DLPack's data, dtype, rank, sizes and strides,
 * with the sizes inside, so that a tensor is copied by value. `strides` count elements, not bytes,
 * are never left out, and may be zero or negative; `data` points at element [0, ..., 0] and is
 * aligned to the element. bool elements are bytes 0 or 1; bf16 elements are the upper halves of
 * f32; complex elements are pairs. Only the first `rank` sizes and strides mean something.
 * `release(owner)` frees what `data` needs (DLPack's deleter; called once, by
 * scanc_tensor_release); NULL: the data are borrowed. */
typedef struct scanc_tensor {
  void *data;
  scanc_dtype dtype;
  int rank;
  int64_t sizes[SCANC_MAX_RANK];
  int64_t strides[SCANC_MAX_RANK];
  void (*release)(void *owner);
  void *owner;
} scanc_tensor;

/* A borrowed array whose elements lie one behind the other, the last dimension innermost. Rank 0 is
 * one element, `sizes` may then be NULL. A rank below 0 or above SCANC_MAX_RANK, or one without
 * sizes, gives a tensor that every call refuses. */
SCANC_API scanc_tensor scanc_tensor_contiguous(void *data, scanc_dtype dtype, int rank,
                                               const int64_t *sizes);
/* Whether the elements lie as scanc_tensor_contiguous has them. */
SCANC_API bool scanc_tensor_is_contiguous(const scanc_tensor *t);
/* The number of elements; -1 where it is impossible (a negative size, more than 63 bits). */
SCANC_API int64_t scanc_tensor_numel(const scanc_tensor *t);
typedef enum scanc_ownership {
  SCANC_COPY,  /* the elements are copied */
  SCANC_BORROW /* the elements must stay, and stay the same, while what they were given to uses them
                */
} scanc_ownership;

/* Frees the data if the tensor owns them and clears it. NULL and a cleared tensor are allowed. */
SCANC_API void scanc_tensor_release(scanc_tensor *t);
/* Element size in bytes, and the name as printed in graphs ("f32"); 0 and "unknown" for what is no
 * element type. */
SCANC_API size_t scanc_dtype_size(scanc_dtype dtype);
SCANC_API const char *scanc_dtype_name(scanc_dtype dtype);

/* ---- modules ---- */

/* A program as a graph: what a file holds. */
typedef struct scanc_module scanc_module;

/* Reads a program that PyTorch printed, or an archive that torch.export.save wrote (.pt2). `path`
 * names a file. Returns NULL and fills `err` if it cannot be read or is not a program. The caller
 * owns the module. `ctx` may be NULL. An archive brings the values of parameters, buffers and
 * constants: programs made of the module have them bound (scanc_program_bind). They are used where
 * they lie in the file, which is mapped and must not change while the module or such a program
 * lives. */
SCANC_API scanc_module *scanc_module_load(scanc_context *ctx, const char *path, scanc_error *err);
/* The same; `model` says which program of an archive that holds several (NULL: the only one, or
 * that named "model"). Errors also: USAGE (there is none of that name). */
SCANC_API scanc_module *scanc_module_load_named(scanc_context *ctx, const char *path,
                                                const char *model, scanc_error *err);
/* The same from `n` bytes of text; `name` stands for the file in messages (NULL: "<text>"). The
 * text is copied. */
SCANC_API scanc_module *scanc_module_parse(scanc_context *ctx, const char *text, size_t n,
                                           const char *name, scanc_error *err);
/* Looks for everything that is wrong with a module, as scanc_compile does before it compiles. `err`
 * gets the first fault. */
SCANC_API scanc_code scanc_module_check(const scanc_module *mod, scanc_error *err);
/* The module as PyTorch prints programs; scanc_module_parse gives back an equal one, and Python
 * with torch can execute it. Returns text that ends with a zero byte, to be freed with
 * scanc_text_free; `n` (may be NULL) gets its length. NULL: the module holds an error (see
 * scanc/build.h). */
SCANC_API char *scanc_module_print(const scanc_module *mod, size_t *n, scanc_error *err);
/* Gives the parameter, buffer or constant `name` (of the input, or its qualified name, "cell.w") a
 * value, in the place of one that it has: programs compiled afterwards have it bound, and
 * scanc_module_save writes it. `t` itself is copied and stays the caller's. Borrowed elements must
 * stay until the module and all programs made of it since are freed. Its element type and its
 * constant sizes are checked. Errors: UNDEFINED_NAME (no such input), USAGE (it is an argument of
 * the call), INPUT_DTYPE, INPUT_SHAPE, MISSING_INPUT (no data), NO_MEMORY, and an error the module
 * holds; its values are then as they were. */
SCANC_API scanc_code scanc_module_bind(scanc_module *mod, const char *name, const scanc_tensor *t,
                                       scanc_ownership how, scanc_error *err);
/* Writes the module as an archive that torch.export.load accepts, with the values of parameters
 * that an archive brought or scanc_module_bind gave. Arguments and results are nested as in the
 * archive the module came from; of other modules arguments are flat, results a tuple. The file
 * appears whole or not at all. Errors: UNSUPPORTED (what an archive cannot say), MISSING_INPUT (a
 * parameter without value), IO, NO_MEMORY, and an error the module holds. */
SCANC_API scanc_code scanc_module_save(const scanc_module *mod, const char *path, scanc_error *err);
SCANC_API void scanc_text_free(char *text);          /* NULL is allowed */
SCANC_API void scanc_module_free(scanc_module *mod); /* NULL is allowed */

/* ---- host functions ---- */

/* Registers a C function of scalars as an operator of graphs, applied to tensors element by
 * element. signature  name, operands and result, for example "mylib::softclip(f32 x, f32 limit) ->
 * f32" A name with a namespace stands in graphs as torch.ops.mylib.softclip.default, or with
 *              "mylib::softclip.Tensor" as that overload; a bare name, "softclip", as a call
 *              softclip(...), as FX prints functions of other modules. 1 to 8 operands and the
 *              result are b8 (bool), u8 (uint8_t), i8, i16, i32, i64, f32 (float) or f64 (double).
 *   symbol     the C name of `fn`, which object files call; unique. NULL: the name behind "::"
 *   fn         the function, cast to this type. It stays callable as long as the process lives
 * A name may be registered once per choice of operand types, with the same names of operands. In a
 * graph a tensor has exactly the type of the operand, a number is converted; shapes broadcast.
 * The function must be pure: it depends on its arguments only, returns for all of them, and may be
 * called by any thread, in any order, more or less often than the graph says, and with arguments
 * whose result is not used.
 * Registrations are global to the process, serve modules read afterwards, and are never removed;
 * the same one again does nothing. Errors: USAGE. Thread-safe. */
SCANC_API scanc_code scanc_register_op(const char *signature, const char *symbol, void (*fn)(void),
                                       scanc_error *err);

/* Defined by a library of host functions, not by scanc: what `scanc --ops=LIB.so` calls. It passes
 * its functions to `add`, which is scanc_register_op, and returns SCANC_OK or the first error; so
 * the library need not be linked with libscanc. */
typedef scanc_code (*scanc_register_fn)(const char *signature, const char *symbol, void (*fn)(void),
                                        scanc_error *err);
SCANC_API scanc_code scanc_register_ops(scanc_register_fn add, scanc_error *err);

/* ---- programs ---- */

typedef enum scanc_exec {
  SCANC_EXEC_AUTO,   /* compile every scan that has a lowering, interpret the rest */
  SCANC_EXEC_INTERP, /* interpret everything: the reference */
  SCANC_EXEC_JIT     /* every scan compiled, or SCANC_ERR_NO_KERNEL with node and reason */
} scanc_exec;

/* What may be done to the floating-point arithmetic of the program. */
typedef enum scanc_fp {
  SCANC_FP_STRICT,     /* nothing: the order as written, every operation rounded once */
  SCANC_FP_CONTRACT,   /* a product of f32 or f64 that only one sum or difference uses may be fused
                          with it, rounded once: where the CPU level has fused multiply-add, else
                          as SCANC_FP_STRICT. All executors give the same bits */
  SCANC_FP_REASSOCIATE /* also that operations are done in another order; as yet nothing is */
} scanc_fp;

/* The order in which an associative scan combines its elements; the earlier one is always the left
 * operand. */
typedef enum scanc_assoc {
  SCANC_ASSOC_TREE, /* an order that suits the machine: it depends on the combine function, the
                       types and the CPU level only, so all executors and any number of threads give
                       the same bits */
  SCANC_ASSOC_LEFT  /* one after the other */
} scanc_assoc;

/* Which combine functions associative scans may have; torch's combine_mode. */
typedef enum scanc_mode {
  SCANC_GENERIC,  /* any */
  SCANC_POINTWISE /* those that work element by element (so do conversions, copies and constants);
                     of any other one SCANC_ERR_NOT_POINTWISE names the first operation that does
                     not, and its line */
} scanc_mode;

/* Runs fn(arg, i) once for every 0 <= i < n, in any order, several at the same time if it likes,
 * and returns when all are done. */
typedef void (*scanc_for_each)(void *pool, void (*fn)(void *arg, int32_t i), void *arg, int32_t n);

enum { SCANC_MAX_THREADS = 256 };

typedef struct scanc_options {
  size_t struct_size;
  scanc_exec exec;
  const char *cpu; /* CPU level: "native", "x86-64", "x86-64-v3", "x86-64-v4", "aarch64", those that
                     the machine has; NULL is "native" */
  size_t max_bytes; /* upper bound of what one run may allocate; 0 is 4 GiB */
  /* How many a run may use, the caller's among them, up to SCANC_MAX_THREADS; 0 is 1. Results do
   * not depend on it. All programs share the threads, which live as long as some program that wants
   * them; runs at the same time that find them busy do without. */
  int threads;
  scanc_for_each for_each; /* threads of the host's, instead; NULL: scanc's own */
  void *pool;              /* what for_each is given */
  scanc_fp fp;
  scanc_assoc assoc;
  scanc_mode mode;
  /* Subnormal numbers are flushed, as the CPU does it (FTZ and DAZ of x86, FZ of AArch64; USAGE on
   * other machines): those of inputs, bound arrays and literals become zeros of their sign before
   * the program runs, those that arithmetic gives do so when it gives them. All executors and any
   * number of threads give the same bits. f16 keeps its own, since it is computed with in f32, and
   * so does what view makes of the bits of another element type. Inputs are looked through in every
   * run; one with subnormals is copied for it, all such copies taking up to max_bytes. Bound arrays
   * are looked through when they are bound. */
  bool ftz;
} scanc_options;
#define SCANC_OPTIONS_INIT \
  {sizeof(scanc_options), SCANC_EXEC_AUTO,  NULL,          0,    1, NULL, NULL, \
   SCANC_FP_STRICT,       SCANC_ASSOC_TREE, SCANC_GENERIC, false}

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
 * text ("s77"); `dim_min` and `dim_max` bound each size as the program's range constraints have it,
 * INT64_MAX where nothing does. `rank` is -1 and `typed` false where the file does not say. A
 * symbolic integer argument is a 0-d i64, whose value dim_min[0] and dim_max[0] bound, and so is an
 * integer result; floats are f64, truth values bool. Strings live as long as the program. */
typedef struct scanc_port {
  const char *name;
  const char *target; /* the qualified name of a parameter ("cell.w"); where a user input stands in
                         the arguments ("h.p"); the input a mutation belongs to; else NULL */
  scanc_port_kind kind;
  bool typed;
  scanc_dtype dtype;
  int rank;
  int64_t dims[SCANC_MAX_RANK];
  const char *dim_text[SCANC_MAX_RANK];
  int64_t dim_min[SCANC_MAX_RANK], dim_max[SCANC_MAX_RANK];
} scanc_port;

/* An index out of range gives a port of kind SCANC_PORT_NONE without a name. */
SCANC_API int scanc_program_n_inputs(const scanc_program *prog);
SCANC_API int scanc_program_n_outputs(const scanc_program *prog);
SCANC_API scanc_port scanc_program_input(const scanc_program *prog, int i);
SCANC_API scanc_port scanc_program_output(const scanc_program *prog, int i);
/* By name, an input also by its target; -1: there is none. */
SCANC_API int scanc_program_find_input(const scanc_program *prog, const char *name);
SCANC_API int scanc_program_find_output(const scanc_program *prog, const char *name);

/* Gives the input `name` (a port's name, or its target) an array once for all: in scanc_run its
 * tensor may then be left cleared; one that is given counts instead. Borrowed elements must stay
 * until the input is bound again or the program is freed. `t` itself is copied and stays
 * the caller's; NULL or a cleared tensor takes the binding back. Its element type and its constant
 * sizes are checked here, symbolic sizes by the run. Errors: UNDEFINED_NAME (no such input),
 * INPUT_DTYPE, INPUT_SHAPE, MISSING_INPUT (no data), NO_MEMORY; the binding is then as it was. Not
 * while another thread uses the program. */
SCANC_API scanc_code scanc_program_bind(scanc_program *prog, const char *name,
                                        const scanc_tensor *t, scanc_ownership how,
                                        scanc_error *err);
/* What scanc_run would return for inputs of these element types and sizes, without running: fills
 * dtype, rank, sizes and contiguous strides of `out`, whose data stay NULL (a SCANC_PORT_NONE
 * output is cleared). `in` needs no data, except for symbolic integers, whose value is needed;
 * bound and left out inputs are as in scanc_run. `out` is untouched after an error. Errors: those
 * of scanc_run before it computes, and UNKNOWN_SIZE: a size that only a run can tell, as it depends
 * on data. Thread-safe. */
SCANC_API scanc_code scanc_program_infer(const scanc_program *prog, const scanc_tensor *in,
                                         int n_in, scanc_tensor *out, int n_out, scanc_error *err);

/* Runs the program. `in` are borrowed and not changed; an input of the wrong dtype or shape is an
 * error before anything is computed; a cleared tensor stands for an input that is not given
 * (allowed where the parameter has a default or is not used). Outputs are the user outputs in
 * order, then one SCANC_PORT_MUTATION per changed input. An `out` element with data NULL is filled
 * with an owned contiguous tensor (release it) on SCANC_OK and untouched otherwise; one with data
 * is memory of the caller's, of the right dtype and sizes and of any strides, and holds the result
 * on SCANC_OK and anything otherwise. Such memory may be exactly an input (the state of a stream is
 * replaced in place); otherwise the range it lies in touches no other array, and no two of its
 * elements lie at one place. The floating-point environment is that of C's start (to nearest,
 * subnormals kept unless options.ftz flushes them) while the program runs, and the caller's
 * afterwards. Errors: USAGE (the wrong
 * number of inputs or outputs), MISSING_INPUT, INPUT_DTYPE, INPUT_SHAPE, OUTPUT_SHAPE, OVERLAP,
 * RANGE, DATA (division by zero, index out of range, failed assertion; the message names node and
 * line), NO_KERNEL (only with SCANC_EXEC_JIT: a kernel that does not serve these sizes), CODEGEN,
 * NO_MEMORY. Thread-safe. */
SCANC_API scanc_code scanc_run(scanc_program *prog, const scanc_tensor *in, int n_in,
                               scanc_tensor *out, int n_out, scanc_error *err);

#ifdef __cplusplus
}
#endif
#endif
