/* Kernels in pieces, for threads: the function that does one piece, and the call that hands them
 * out. The arithmetic is that of loop/split.c. */
#include <string.h>

#include "codegen/cg.h"
#include "codegen/entry_ir.h"

typedef struct {
  entry_ir ir;
  const kernel *k;
  const kernel_split *s;
} emitter;

static LLVMValueRef smaller(emitter *x, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildSelect(x->ir.b, LLVMBuildICmp(x->ir.b, LLVMIntSLT, a, b, ""), a, b, "");
}

static LLVMValueRef value_of(emitter *x, lexpr e, LLVMValueRef ints) {
  if (!e.is_param) return number(x->ir, e.k);
  return LLVMBuildAdd(x->ir.b, load(x->ir, i64(x->ir), ints, (int)e.k), number(x->ir, e.add), "");
}

static LLVMValueRef ceil_div(emitter *x, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef up = LLVMBuildSub(x->ir.b, LLVMBuildAdd(x->ir.b, a, b, ""), number(x->ir, 1), "");
  return LLVMBuildSDiv(x->ir.b, up, b, "");
}

/* What a piece is told. */
enum { TOLD_BUFS, TOLD_INTS, TOLD_N, TOLD_STATUS };

static LLVMTypeRef told_type(emitter *x) {
  LLVMTypeRef members[] = {pointer(x->ir), pointer(x->ir), i32(x->ir), i32(x->ir)};
  return LLVMStructTypeInContext(x->ir.ctx, members, 4, 0);
}

static LLVMValueRef told(emitter *x, LLVMValueRef at, unsigned member) {
  return LLVMBuildStructGEP2(x->ir.b, told_type(x), at, member, "");
}

/* ---- one piece ---- */

static LLVMValueRef copy_array(emitter *x, LLVMTypeRef t, LLVMValueRef from, int n) {
  LLVMValueRef to = LLVMBuildArrayAlloca(x->ir.b, t, number(x->ir, n ? n : 1), "");
  for (int i = 0; i < n; i++)
    LLVMBuildStore(x->ir.b, load(x->ir, t, from, i), element(x->ir, t, to, i));
  return to;
}

/* Stores the number of points of the piece; returns the first one. */
static LLVMValueRef cut_part(emitter *x, const split_part *p, LLVMValueRef ints, LLVMValueRef i,
                             LLVMValueRef n) {
  LLVMValueRef at = element(x->ir, i64(x->ir), ints, x->k->axes.data[p->axis].param);
  LLVMValueRef extent = LLVMBuildLoad2(x->ir.b, i64(x->ir), at, ""),
               grain = number(x->ir, p->grain);
  LLVMValueRef size = ceil_div(x, ceil_div(x, extent, grain), n);
  size = LLVMBuildMul(x->ir.b, size, grain, "");
  LLVMValueRef begin = smaller(x, LLVMBuildMul(x->ir.b, i, size, ""), extent);
  LLVMBuildStore(x->ir.b, smaller(x, LLVMBuildSub(x->ir.b, extent, begin, ""), size), at);
  return begin;
}

static void move_buffer(emitter *x, int b, LLVMValueRef bufs, LLVMValueRef ints,
                        LLVMValueRef begin) {
  const split_buffer *m = &x->s->buffer[b];
  LLVMValueRef at = element(x->ir, pointer(x->ir), bufs, b);
  LLVMValueRef bytes =
      LLVMBuildMul(x->ir.b, value_of(x, m->stride, ints), number(x->ir, m->size), "");
  bytes = LLVMBuildMul(x->ir.b, bytes, begin, "");
  LLVMValueRef p = LLVMBuildLoad2(x->ir.b, pointer(x->ir), at, "");
  p = LLVMBuildGEP2(x->ir.b, LLVMInt8TypeInContext(x->ir.ctx), p, &bytes, 1, "");
  LLVMBuildStore(x->ir.b, p, at);
}

static void cut(emitter *x, LLVMValueRef bufs, LLVMValueRef ints, LLVMValueRef i, LLVMValueRef n) {
  arena *tmp = arena_new();
  LLVMValueRef *begin = ARENA_ARRAY(tmp, LLVMValueRef, x->s->n_part);
  for (int p = 0; p < x->s->n_part; p++) begin[p] = cut_part(x, &x->s->part[p], ints, i, n);
  for (int b = 0; b < x->k->buffers.len; b++)
    if (x->s->buffer[b].part >= 0) move_buffer(x, b, bufs, ints, begin[x->s->buffer[b].part]);
  arena_free(tmp);
}

/* void piece(told, i) */
static LLVMValueRef add_piece(emitter *x, LLVMValueRef kernel_function) {
  LLVMTypeRef params[] = {pointer(x->ir), i32(x->ir)};
  LLVMTypeRef t = LLVMFunctionType(LLVMVoidTypeInContext(x->ir.ctx), params, 2, 0);
  LLVMModuleRef mod = LLVMGetGlobalParent(kernel_function);
  LLVMValueRef f = LLVMAddFunction(mod, "piece", t), told_at = LLVMGetParam(f, 0);
  LLVMSetLinkage(f, LLVMPrivateLinkage);
  LLVMPositionBuilderAtEnd(x->ir.b, LLVMAppendBasicBlockInContext(x->ir.ctx, f, ""));
  LLVMValueRef all_bufs = LLVMBuildLoad2(x->ir.b, pointer(x->ir), told(x, told_at, TOLD_BUFS), "");
  LLVMValueRef all_ints = LLVMBuildLoad2(x->ir.b, pointer(x->ir), told(x, told_at, TOLD_INTS), "");
  LLVMValueRef bufs = copy_array(x, pointer(x->ir), all_bufs, x->k->buffers.len);
  LLVMValueRef ints = copy_array(x, i64(x->ir), all_ints, x->k->ints.len);
  LLVMValueRef n = LLVMBuildLoad2(x->ir.b, i32(x->ir), told(x, told_at, TOLD_N), "");
  LLVMValueRef i = LLVMBuildSExt(x->ir.b, LLVMGetParam(f, 1), i64(x->ir), "");
  n = LLVMBuildSExt(x->ir.b, n, i64(x->ir), "");
  cut(x, bufs, ints, i, n);
  LLVMValueRef args[] = {bufs, ints, LLVMConstNull(pointer(x->ir))};
  LLVMTypeRef kernel_type = LLVMGlobalGetValueType(kernel_function);
  LLVMValueRef code = LLVMBuildCall2(x->ir.b, kernel_type, kernel_function, args, 3, "");
  if (x->k->faults.len)
    LLVMBuildAtomicRMW(x->ir.b, LLVMAtomicRMWBinOpUMax, told(x, told_at, TOLD_STATUS), code,
                       LLVMAtomicOrderingMonotonic, 0);
  LLVMBuildRetVoid(x->ir.b);
  return f;
}

/* ---- handing out ---- */

static LLVMBasicBlockRef block(emitter *x) {
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInsertBlock(x->ir.b));
  return LLVMAppendBasicBlockInContext(x->ir.ctx, f, "");
}

/* Goes on where the condition holds, else to `other`. */
static void unless(emitter *x, LLVMValueRef condition, LLVMBasicBlockRef other) {
  LLVMBasicBlockRef go_on = block(x);
  LLVMBuildCondBr(x->ir.b, condition, go_on, other);
  LLVMPositionBuilderAtEnd(x->ir.b, go_on);
}

/* Wraps around where no array could be that large. */
static LLVMValueRef count_pieces(emitter *x, LLVMValueRef ints, LLVMValueRef par) {
  LLVMValueRef threads =
      LLVMBuildLoad2(x->ir.b, i32(x->ir), element(x->ir, pointer(x->ir), par, 4), "");
  LLVMValueRef worth = load(x->ir, i64(x->ir), par, 5);
  LLVMValueRef work = number(x->ir, 0);
  for (const split_part *p = x->s->part; p < x->s->part + x->s->n_part; p++) {
    LLVMValueRef points = number(x->ir, p->picoseconds);
    for (int i = 0; i < p->n_factors; i++)
      points = LLVMBuildMul(x->ir.b, points,
                            value_of(x, x->k->axes.data[p->factor[i]].extent, ints), "");
    work = LLVMBuildAdd(x->ir.b, work, points, "");
  }
  LLVMValueRef n = LLVMBuildUDiv(x->ir.b, work, worth, "");
  threads = LLVMBuildZExt(x->ir.b, threads, i64(x->ir), "");
  LLVMValueRef fewer = LLVMBuildICmp(x->ir.b, LLVMIntULT, n, threads, "");
  return LLVMBuildTrunc(x->ir.b, LLVMBuildSelect(x->ir.b, fewer, n, threads, ""), i32(x->ir), "");
}

/* par->for_each(par->pool, piece, told, n) */
static void hand_out(emitter *x, LLVMValueRef for_each, LLVMValueRef par, LLVMValueRef piece,
                     LLVMValueRef told_at, LLVMValueRef n) {
  LLVMTypeRef params[] = {pointer(x->ir), pointer(x->ir), pointer(x->ir), i32(x->ir)};
  LLVMTypeRef t = LLVMFunctionType(LLVMVoidTypeInContext(x->ir.ctx), params, 4, 0);
  LLVMValueRef args[] = {load(x->ir, pointer(x->ir), par, 3), piece, told_at, n};
  LLVMBuildCall2(x->ir.b, t, for_each, args, 4, "");
}

LLVMValueRef cg_call_in_pieces(LLVMBuilderRef b, const entry_step *s, LLVMValueRef kernel_function,
                               LLVMValueRef *args, LLVMValueRef told_at) {
  emitter x = {{LLVMGetTypeContext(LLVMTypeOf(kernel_function)), b}, s->k, s->split};
  LLVMBasicBlockRef here = LLVMGetInsertBlock(b), whole = block(&x), done = block(&x);
  LLVMValueRef piece = add_piece(&x, kernel_function), par = args[2];
  LLVMValueRef null = LLVMConstNull(pointer(x.ir));
  LLVMPositionBuilderAtEnd(b, here);
  unless(&x, LLVMBuildICmp(b, LLVMIntNE, par, null, ""), whole);
  LLVMValueRef for_each = load(x.ir, pointer(x.ir), par, 2);
  unless(&x, LLVMBuildICmp(b, LLVMIntNE, for_each, null, ""), whole);
  LLVMValueRef n = count_pieces(&x, args[1], par), one = LLVMConstInt(i32(x.ir), 1, 0);
  unless(&x, LLVMBuildICmp(b, LLVMIntSGT, n, one, ""), whole);
  LLVMBuildStore(b, args[0], told(&x, told_at, TOLD_BUFS));
  LLVMBuildStore(b, args[1], told(&x, told_at, TOLD_INTS));
  LLVMBuildStore(b, n, told(&x, told_at, TOLD_N));
  LLVMBuildStore(b, LLVMConstNull(i32(x.ir)), told(&x, told_at, TOLD_STATUS));
  hand_out(&x, for_each, par, piece, told_at, n);
  LLVMValueRef codes[2] = {LLVMBuildLoad2(b, i32(x.ir), told(&x, told_at, TOLD_STATUS), "")};
  LLVMBasicBlockRef from[2] = {LLVMGetInsertBlock(b), whole};
  LLVMBuildBr(b, done);
  LLVMPositionBuilderAtEnd(b, whole);
  codes[1] =
      LLVMBuildCall2(b, LLVMGlobalGetValueType(kernel_function), kernel_function, args, 3, "");
  LLVMBuildBr(b, done);
  LLVMPositionBuilderAtEnd(b, done);
  LLVMValueRef code = LLVMBuildPhi(b, i32(x.ir), "");
  LLVMAddIncoming(code, codes, from, 2);
  return code;
}

LLVMTypeRef cg_told_type(LLVMContextRef ctx) {
  emitter x = {.ir.ctx = ctx};
  return told_type(&x);
}
