/* Building scan graphs from C, without text.
 *
 *   scanc_module *mod = scanc_module_new(ctx);
 *   scanc_value T = scanc_symbol(mod, "T", 1, 4096);
 *   scanc_value decay = scanc_parameter(mod, "decay", SCANC_F32, SCANC_LIST(scanc_i(64)));
 *   scanc_value xs = scanc_input(mod, "xs", SCANC_F32, SCANC_LIST(T, scanc_i(64)));
 *
 *   scanc_graph *step = scanc_graph_begin(mod, "step");
 *   scanc_value c = scanc_graph_param(step, "c", SCANC_F32, SCANC_LIST(scanc_i(64)));
 *   scanc_value x = scanc_graph_param_step(step, "x", xs, 0);
 *   scanc_value y = scanc_add(scanc_mul(decay, c), x);
 *   scanc_graph_return(step, SCANC_LIST(y, y));
 *
 *   scanc_value init = scanc_zeros(mod, SCANC_LIST(scanc_i(64)));
 *   scanc_value r = scanc_scan(step, init, xs, 0, false);
 *   scanc_output(mod, "last", scanc_get(r, 0));
 *   scanc_output(mod, "ys", scanc_get(r, 1));
 *   scanc_program *prog = scanc_compile(mod, NULL, &err);
 *
 * Errors: no call here reports one. The first error stays in the module; what failed gives an
 * invalid value, and what is built with that does nothing. scanc_module_error and scanc_compile
 * tell what was wrong: the operator and the types of its operands.
 *
 * Where operations go: into the graph under construction, which is the one begun last and not yet
 * returned, at first the main graph. A value belongs to the graph it was made in. It may be used
 * there and in graphs begun inside, which get it as an additional input; no longer once its graph
 * has returned.
 *
 * Threads: a module belongs to one thread while it is built; distinct modules are independent.
 * Memory: values and graphs live as long as their module. Text, lists and numbers that a call gets
 * are copied. */
#ifndef SCANC_BUILD_H
#define SCANC_BUILD_H

#include "scanc/scanc.h"

#ifdef __cplusplus
#include <initializer_list>
extern "C" {
#endif

/* ---- modules and values ---- */

/* A graph under construction: the body of a scan, a branch. */
typedef struct scanc_graph scanc_graph;

/* What a graph computes, or a number, a list... Small, copied by value; all members are private. A
 * zeroed value means "not given": the default of an operand. */
typedef struct scanc_value {
  scanc_graph *graph;
  const char *name;
  union {
    const void *p;
    int64_t i;
    double f;
  } u;
  double im;
  int kind, n;
} scanc_value;

/* An empty module; `ctx` may be NULL. The caller owns it (scanc_module_free). */
SCANC_API scanc_module *scanc_module_new(scanc_context *ctx);
/* The first error of a module, code SCANC_OK while there is none. Lives as long as the module. */
SCANC_API const scanc_error *scanc_module_error(const scanc_module *mod);
/* False for what a failed call gave, and for the zeroed value. */
SCANC_API bool scanc_value_is_valid(scanc_value v);
/* Writes the type of a value as PyTorch prints it, "f32[T, 64]", into `buf`; what does not fit in n
 * bytes is cut. Returns buf. */
SCANC_API char *scanc_value_describe(scanc_value v, char *buf, size_t n);

/* ---- numbers, lists and other constants ---- */

SCANC_API scanc_value scanc_i(int64_t i);
SCANC_API scanc_value scanc_f(double f);
SCANC_API scanc_value scanc_b(bool b);
SCANC_API scanc_value scanc_c(double re, double im);
SCANC_API scanc_value scanc_none(void);
SCANC_API scanc_value scanc_str(const char *s);    /* borrowed */
SCANC_API scanc_value scanc_dt(scanc_dtype dtype); /* an element type as an operand */
SCANC_API scanc_value scanc_list(const scanc_value *items, int n); /* borrowed */
SCANC_API scanc_value scanc_ints(const int64_t *items, int n); /* a list of integers; borrowed */
/* `v` as the operand `name` of a call, whatever its place: scanc_kw("keepdim", scanc_b(true)). */
SCANC_API scanc_value scanc_kw(const char *name, scanc_value v);

/* SCANC_LIST(a, b): a list of values; at least one. It lasts as long as the block around it, in C++
 * as long as the statement. SCANC_INTS(0, 1): the same of plain integers. */
#ifdef __cplusplus
#define SCANC_LIST(...) scanc_list_of({__VA_ARGS__})
#define SCANC_INTS(...) scanc_ints_of({__VA_ARGS__})
#else
#define SCANC_COUNT_(type, ...) ((int)(sizeof((const type[]){__VA_ARGS__}) / sizeof(type)))
#define SCANC_LIST(...) \
  scanc_list((const scanc_value[]){__VA_ARGS__}, SCANC_COUNT_(scanc_value, __VA_ARGS__))
#define SCANC_INTS(...) \
  scanc_ints((const int64_t[]){__VA_ARGS__}, SCANC_COUNT_(int64_t, __VA_ARGS__))
#endif

/* ---- the program: inputs, sizes, outputs ---- */

/* A symbolic size of min to max (INT64_MAX: no limit). `name` is an ASCII identifier that stands
 * for nothing else in printed expressions: not True, False, oo or int_oo, nor what begins with z,
 * as floats do (z1), or looks like a size that depends on data (u0). In `dims` it stands for the
 * size; as an operand it is the number that an input of that size tells. The same name gives the
 * same symbol; another range for it is an error. */
SCANC_API scanc_value scanc_symbol(scanc_module *mod, const char *name, int64_t min, int64_t max);
/* An argument of the program. `dims` is a list of sizes: scanc_i, scanc_symbol, or arithmetic on
 * symbols that an earlier input tells; the zeroed value makes it 0-d. The program has its inputs in
 * the order of these calls. Names are identifiers, unique, and no reserved words of Python. */
SCANC_API scanc_value scanc_input(scanc_module *mod, const char *name, scanc_dtype dtype,
                                  scanc_value dims);
/* The same for an array that is bound once (scanc_program_bind). */
SCANC_API scanc_value scanc_parameter(scanc_module *mod, const char *name, scanc_dtype dtype,
                                      scanc_value dims);
/* The program returns v as its next output, under this name. */
SCANC_API void scanc_output(scanc_module *mod, const char *name, scanc_value v);
/* The size of v along dimension `dim`, negative from the end, as a number. */
SCANC_API scanc_value scanc_size(scanc_value v, int dim);

/* ---- operations ---- */

/* One call per operator, named after it, is in scanc/build_ops.h: scanc_add(a, b),
 * scanc_sum(x, SCANC_INTS(0), scanc_b(true)), scanc_cat(SCANC_LIST(a, b)). Operands come in the
 * order stated there or by scanc_kw; those that are left out have their default. Numbers may stand
 * for tensors. What makes a tensor from numbers alone takes the module first: scanc_zeros(mod,
 * ...). */

/* The call behind these: operator `op` ("add") with n operands. `mod` may be NULL where an operand
 * is of a graph. */
SCANC_API scanc_value scanc_op(scanc_module *mod, const char *op, const scanc_value *operands,
                               int n);
/* A call of anything PyTorch prints: an overload ("aten.sum.dim_IntList", also with torch.ops. in
 * front), a function ("torch.movedim", "operator.add"). Positional arguments come first, then those
 * made by scanc_kw, all named as in PyTorch. SCANC_CALL(mod, path, args...) is the same without the
 * count. */
SCANC_API scanc_value scanc_call(scanc_module *mod, const char *path, const scanc_value *args,
                                 int n);
/* Item i of what has several results: scanc_topk, scanc_split, a scan. */
SCANC_API scanc_value scanc_get(scanc_value v, int i);
/* How many there are; 1 for a tensor, 0 for an invalid value. */
SCANC_API int scanc_n_results(scanc_value v);

/* ---- bodies ---- */

/* Begins a graph inside the one under construction; `name` is an identifier, for printing and
 * messages. */
SCANC_API scanc_graph *scanc_graph_begin(scanc_module *mod, const char *name);
/* Its parameters, in order: of a stated type; of the type of `like`; of the type of one step of xs
 * along `dim`. They come before anything else in the graph. */
SCANC_API scanc_value scanc_graph_param(scanc_graph *g, const char *name, scanc_dtype dtype,
                                        scanc_value dims);
SCANC_API scanc_value scanc_graph_param_like(scanc_graph *g, const char *name, scanc_value like);
SCANC_API scanc_value scanc_graph_param_step(scanc_graph *g, const char *name, scanc_value xs,
                                             int dim);
/* Ends the graph, which must be the one under construction, with a list of results (or one). */
SCANC_API void scanc_graph_return(scanc_graph *g, scanc_value results);

/* ---- scans and branches ----
 * Lists of tensors may be given as one tensor where there is only one. A body may be used by
 * several calls. */

/* The recurrence (carry, y) = body(carry, x) for each step of xs along `dim` (negative from the
 * end, in the rank of the first leaf of xs), from the last to the first with `reverse`. body
 * parameters: the carries, then one step of each leaf of xs (without `dim`); returns the next
 *            carries, of the same types, then any number of ys
 *   returns  the final carries, then the stacked ys; y of step t is at index t along `dim`, or
 * along 0 where the stacked y has no such dimension */
SCANC_API scanc_value scanc_scan(scanc_graph *body, scanc_value init, scanc_value xs, int dim,
                                 bool reverse);
/* The prefixes y[t] = body(y[t-1], x[t]), y[0] = x[0], of an associative body, which is not
 * checked. body     parameters: the leaves of the left element, which is the earlier one (with
 * `reverse` the later one), then those of the right; returns as many leaves of the same types
 *   returns  one tensor for each leaf of xs, as large */
SCANC_API scanc_value scanc_associative_scan(scanc_graph *body, scanc_value xs, int dim,
                                             bool reverse);
/* yes(operands) if pred, a bool of one element, is true, else no(operands). The zeroed value: no
 * operands. Returns what both branches return, of the same types. */
SCANC_API scanc_value scanc_cond(scanc_value pred, scanc_graph *yes, scanc_graph *no,
                                 scanc_value operands);
/* carried = body(carried) while test(carried), which returns one bool. Returns the last carried. */
SCANC_API scanc_value scanc_while_loop(scanc_graph *test, scanc_graph *body, scanc_value carried);
/* body applied to each step of xs along dimension 0. Returns the stacked results. */
SCANC_API scanc_value scanc_map(scanc_graph *body, scanc_value xs);

#ifdef __cplusplus
} /* extern "C" */

static inline scanc_value scanc_list_of(std::initializer_list<scanc_value> items) {
  return scanc_list(items.begin(), (int)items.size());
}
static inline scanc_value scanc_ints_of(std::initializer_list<int64_t> items) {
  return scanc_ints(items.begin(), (int)items.size());
}
template <int N> struct scanc_operands {
  scanc_value v[N];
};
#define SCANC_OPERANDS_(n, ...) scanc_operands<n>{{__VA_ARGS__}}.v
#else
#define SCANC_OPERANDS_(n, ...) \
  (const scanc_value[n]) { __VA_ARGS__ }
#endif
/* Operands that are left out are zeroed; too many do not compile. */
#define SCANC_OP_(mod, op, n, ...) scanc_op(mod, #op, SCANC_OPERANDS_(n, __VA_ARGS__), n)
#define SCANC_CALL(mod, path, ...) scanc_call(mod, path, SCANC_OPERANDS_(20, __VA_ARGS__), 20)

#include "scanc/build_ops.h"

#endif
