/* Context of the emission of one kernel, and the pieces of the emitter. LLVM types stay within this
 * folder. */
#ifndef SCANC_CODEGEN_CG_H
#define SCANC_CODEGEN_CG_H

#include <llvm-c/Core.h>

#include "loop/entry.h"

enum { CG_MAX_UNROLL = 8, CG_MAX_LANES = 64 };

/* A value of loop IR. If it is the same for all lanes: `scalar`, and part[0] its splat. Else one
 * vector (or scalar, with one lane) per unrolled part, and `scalar` is NULL. */
typedef struct {
  LLVMValueRef scalar;
  LLVMValueRef part[CG_MAX_UNROLL];
} cg_value;

/* Accesses to one buffer whose dimensions are indexed by the same axes. */
typedef struct {
  int buffer;
  const index_map *index; /* of one of them */
} cg_path;

/* What the emitted instructions depend on. */
typedef struct {
  bool half_native;    /* converts f16 itself */
  bool fma;            /* has fused multiply-add */
  bool scales;         /* vectors of floats by powers of two in one instruction */
  int vector_bytes;    /* widest vector */
  const char *vectors; /* the kind of its vector registers in inline assembly; NULL: not known */
  const char *masks;   /* that of its mask registers; NULL: it has none */
  bool permutes;       /* has x86's permutations of words across whole vectors */
  bool flushes;        /* subnormals: the code runs in such an environment */
} cg_machine;

typedef struct {
  LLVMContextRef ctx;
  LLVMModuleRef mod;
  LLVMBuilderRef b;
  LLVMValueRef fn;
  const kernel *k;

  int lanes, parts;   /* of the group being emitted; lanes 1: scalars. Both 1 outside lane loops */
  int lane_axis;      /* of the open lane loop, -1 outside */
  const bool *varies; /* along the lane axis, per value id */
  const struct cg_tiles *tiles; /* of the innermost sequential loop, NULL */
  LLVMValueRef mask, n_lanes; /* i1 per lane and i64: the first n_lanes lanes are there, so no other
                                 is loaded or stored; NULL: all are */
  LLVMValueRef counting;  /* i1 per lane: data errors of the others do not count; NULL: all do */
  LLVMValueRef entry_end; /* terminator of the entry block */
  cg_value *value;        /* per value id */
  cg_path *path;          /* the ways in which statements index buffers */
  int n_paths;
  LLVMValueRef *ptr;      /* per path: pointer to the element of the current point */
  LLVMValueRef *ints;     /* per integer parameter */
  LLVMValueRef *point;    /* i64, per axis: the point of an open loop, of lanes the first */
  LLVMValueRef step;      /* i64: the point of the innermost sequential loop; NULL outside */
  LLVMValueRef fault;     /* i64 slot: smallest step << 16 | fault so far, all ones for none; NULL
                             without faults */
  LLVMValueRef sign_slot; /* i32 on the stack, for lgamma_r */
  bool rarely;            /* what is emitted runs rarely: it is to be short rather than fast */
  cg_machine machine;
  const char *unsupported; /* row that has no emitter: the kernel is refused; NULL */
} cg;

/* ---- types and constants ---- (emit.c) */
LLVMTypeRef cg_type(cg *c,
                    scanc_dtype d); /* of a value in a register; bool is i1, halves are i16 */
LLVMTypeRef cg_memory_type(cg *c, scanc_dtype d);   /* of an element in memory */
LLVMTypeRef cg_wide(LLVMTypeRef scalar, int lanes); /* the vector, or the scalar for one lane */
int cg_lanes_of(LLVMValueRef v);                    /* 1 for scalars */
LLVMValueRef cg_i32(cg *c, int64_t v);
LLVMValueRef cg_i64(cg *c, int64_t v);
LLVMValueRef cg_splat(cg *c, LLVMValueRef scalar, int lanes);
/* The constant in every lane of a value shaped like `like` but of the given scalar type. */
LLVMValueRef cg_const_int(LLVMTypeRef scalar, int lanes, int64_t v);
LLVMValueRef cg_const_float(LLVMTypeRef scalar, int lanes, double v);
LLVMValueRef cg_lane(cg *c, LLVMValueRef v, int lane); /* element of a vector; a scalar is itself */
LLVMValueRef cg_set_lane(cg *c, LLVMValueRef v, LLVMValueRef x, int lane);
/* A call of the intrinsic `name`, overloaded on the type of the first argument. */
LLVMValueRef cg_intrinsic(cg *c, const char *name, const LLVMValueRef *args, int n);
/* A call of a C function of floats (or doubles) once per lane. */
LLVMValueRef cg_libm(cg *c, const char *name, const LLVMValueRef *args, int n);
/* The same with a host function; operands and result are of its dtypes. */
LLVMValueRef cg_host_call(cg *c, const host_fn *f, const LLVMValueRef *args);
LLVMValueRef cg_any(cg *c, LLVMValueRef mask); /* i1: some lane is set */
/* The same value, of which LLVM knows nothing: an empty piece of assembly, with the value in a
 * register of that kind. */
LLVMValueRef cg_opaque(cg *c, LLVMValueRef v, const char *kind);

/* The same of a number of floats in all lanes, where code flushes subnormals: LLVM would compute
 * with such constants, and keep them. */
LLVMValueRef cg_hidden(cg *c, LLVMValueRef v);

/* Says how often a conditional branch goes to its first block, and how often to the second. */
void cg_weigh(cg *c, LLVMValueRef branch, int first, int second);

/* ---- conversions ---- (convert.c) */
LLVMValueRef cg_cast(cg *c, LLVMValueRef v, scanc_dtype from, scanc_dtype to);

/* ---- elementwise rows ---- (elementwise.c) */
/* Operands are scalars or vectors of the type of computation (a condition is i1). Returns NULL when
 * the row has no emitter for the class. `bad` gets the lanes whose data are at fault, NULL for
 * none. */
LLVMValueRef cg_elementwise(cg *c, op_id op, scanc_dtype compute, LLVMValueRef *operands,
                            LLVMValueRef *bad);

/* ---- statements ---- (flow.c) */
void cg_statements(cg *c, const stmt_list *list);
void cg_statement(cg *c, const stmt *s, int part); /* no loop */
/* The result of an OP, CAST, CALL or INDEX for such operands. */
LLVMValueRef cg_compute(cg *c, const stmt *s, LLVMValueRef *in);
void cg_set_uniform(cg *c, int value, LLVMValueRef scalar);
LLVMValueRef cg_part(cg *c, int value, int part); /* splat if uniform */
bool cg_varies(const cg *c, int value);           /* along the lane axis */
/* Whether the statement does the same for all lanes, so that one part is enough. */
bool cg_is_uniform(const cg *c, const stmt *s);
LLVMBasicBlockRef cg_block(cg *c, const char *name);
void cg_enter(cg *c, LLVMBasicBlockRef block);

/* ---- statements side by side ---- (bundles.c) */
typedef struct cg_bundles cg_bundles;
/* The bundles of a loop that is about to be opened, in `mem`; NULL: it has none. */
cg_bundles *cg_find_bundles(cg *c, const loop *l, arena *mem);
/* What becomes of carry i: a value of its own, the vector of its bundle, or nothing, since it is in
 * the vector of one before it. */
typedef enum { CARRY_ALONE, CARRY_VECTOR, CARRY_INSIDE } cg_carry_form;
cg_carry_form cg_carry(const cg_bundles *g, int i);
/* The vector of carry i: initial values before the loop, or the next ones at the end of its body.
 */
LLVMValueRef cg_carry_values(cg *c, cg_bundles *g, int i, bool next);
/* Takes the vector as it is at the start of a point, or after the loop. */
void cg_set_carries(cg *c, cg_bundles *g, int i, LLVMValueRef vector);
void cg_set_results(cg *c, const cg_bundles *g, int i, LLVMValueRef vector);
/* The body. What is the same in all points goes in front of `before`. */
void cg_bundled_statements(cg *c, cg_bundles *g, LLVMValueRef before);

/* ---- loops ---- (loops.c) */
void cg_loop(cg *c, const loop *l);
/* A loop from 0 to n, which is not 0, by `by`; opening it returns the counter. */
LLVMValueRef cg_open_count(cg *c, const char *name);
void cg_close_count(cg *c, LLVMValueRef i, LLVMValueRef n, int64_t by);

/* ---- blocks of steps, transposed ---- (tiles.c) */
typedef struct cg_tiles cg_tiles;
/* Of a loop that is about to be opened, in `mem`; NULL: it has none. */
cg_tiles *cg_find_tiles(cg *c, const loop *l, arena *mem);
/* At the start of the body, with the loop's counter and extent: what a block of steps reads is
 * brought before its first one. */
void cg_bring_tiles(cg *c, cg_tiles *t, LLVMValueRef counter, LLVMValueRef extent);
/* At its end: what the steps of a block have stored goes to memory after the last one. */
void cg_return_tiles(cg *c, cg_tiles *t, LLVMValueRef counter, LLVMValueRef extent);
/* Where the lanes of the access are side by side in this step; NULL: it is none of the open
 * loop's. */
LLVMValueRef cg_tile_of(cg *c, const stmt *s, int part);

/* ---- prefix loops along vectors ---- (network.c) */
/* along: per path, the dimension that the axis of the loop indexes, -1. */
void cg_network(cg *c, const loop *l, const int *along);

/* ---- memory ---- (memory.c) */
void cg_load(cg *c, const stmt *s, int part);
void cg_store(cg *c, const stmt *s, int part);
/* Statement i of n: if it stores a part of complex elements that are neighbours in memory, and
 * another one their other part, the later one of the two stores both. Returns whether that was
 * taken care of. */
bool cg_store_pair(cg *c, const stmt *list, int n, int i, int part);
/* If s is the first of n statements that begin with one load per lane, or one store, of neighbours
 * in memory while lanes are apart: a vector is read or written per lane, and the square of them
 * transposed. Returns how many statements that was, 0 if they are no such accesses. */
int cg_access_block(cg *c, const stmt *s, int n, int part);
/* Pointer to the element of the first lane of a part, and the distance between lanes. */
LLVMValueRef cg_part_pointer(cg *c, const stmt *s, int part, LLVMValueRef *stride);
LLVMValueRef cg_load_vector(cg *c, scanc_dtype d, LLVMValueRef p, int lanes);
void cg_store_vector(cg *c, scanc_dtype d, LLVMValueRef v, LLVMValueRef p);
/* Transposes n rows of lanes, in every n lanes of them (n a power of two, at most all). */
void cg_transpose(cg *c, LLVMValueRef *row, int n, scanc_dtype d);
/* n elements from that of the statement on: it and those that are next to it. */
LLVMValueRef cg_load_neighbours(cg *c, const stmt *first, int n);
void cg_store_neighbours(cg *c, const stmt *first, LLVMValueRef v);
LLVMValueRef cg_number(cg *c, lexpr e);                   /* i64 */
LLVMValueRef cg_stride_bytes(cg *c, int buffer, int dim); /* i64 */
LLVMValueRef cg_advance(cg *c, LLVMValueRef ptr, LLVMValueRef bytes);
int cg_path_of(const cg *c, const stmt *access); /* index in c->path */
void cg_find_paths(cg *c, arena *mem);
/* The dimension of such a buffer that the axis indexes, -1. */
int cg_dim_of_axis(const cg *c, int buffer, const index_map *index, int axis);

/* ---- kernels ---- (kernel.c) */
/* Adds the function of k to the module. NULL with a message when something has no emitter. */
LLVMValueRef cg_add_kernel(LLVMModuleRef mod, const kernel *k, cg_machine machine, str *err);

/* ---- kernels in pieces ---- (pieces.c) */
/* Calls the kernel of a step that has a split with args {bufs, ints, par}: whole, or, where par
 * offers threads and the work is worth it, in pieces. told: memory of cg_told_type. Returns the
 * code. */
LLVMValueRef cg_call_in_pieces(LLVMBuilderRef b, const entry_step *s, LLVMValueRef kernel_function,
                               LLVMValueRef *args, LLVMValueRef told);
LLVMTypeRef cg_told_type(LLVMContextRef ctx);

/* ---- scans by stretches ---- (chain.c) */
/* What the entry has computed: per value of its code; per buffer. */
typedef struct {
  const LLVMValueRef *value, *buffer;
} chain_values;
/* Calls par->chain, if there are threads and the work is worth it; else goes to `whole`. functions:
 * those of the kernels, per role. */
void cg_call_chain(LLVMBuilderRef b, const entry_chain *c, const LLVMValueRef *functions,
                   const chain_values *v, LLVMValueRef par, LLVMBasicBlockRef whole);

/* ---- loops that never end ---- (watch.c) */
/* A STEP_WATCH after `count` iterations: goes to `endless` if what the loop carries repeats. */
void cg_watch(LLVMBuilderRef b, const entry_step *s, const chain_values *v, LLVMValueRef count,
              LLVMBasicBlockRef endless);

/* ---- entries ---- (entry.c) */
/* Adds the entry and its kernels, which are private to the module. */
bool cg_add_entry(LLVMModuleRef mod, const entry_point *e, cg_machine machine, str *err);

#endif
