/* The function of a kernel: signature, parameters, status. */
#include <string.h>

#include "codegen/cg.h"

static LLVMValueRef load_param(cg *c, LLVMTypeRef t, LLVMValueRef array, int i, const char *name) {
  LLVMValueRef index = cg_i64(c, i), p = LLVMBuildGEP2(c->b, t, array, &index, 1, "");
  return LLVMBuildLoad2(c->b, t, p, name);
}

/* Memory of a local buffer. */
static LLVMValueRef local(cg *c, const buffer *b) {
  int64_t n = 1;
  for (int d = 0; d < b->n_dims; d++) n *= b->dims[d].extent.k;
  LLVMValueRef p = LLVMBuildArrayAlloca(c->b, cg_memory_type(c, b->dtype), cg_i64(c, n), b->name);
  LLVMSetAlignment(p, 64);
  return p;
}

static void load_params(cg *c, arena *tmp) {
  const kernel *k = c->k;
  LLVMValueRef *base = ARENA_ARRAY(tmp, LLVMValueRef, k->buffers.len);
  cg_find_paths(c, tmp);
  c->ptr = ARENA_ARRAY(tmp, LLVMValueRef, c->n_paths);
  c->ints = ARENA_ARRAY(tmp, LLVMValueRef, k->ints.len);
  c->point = ARENA_ARRAY(tmp, LLVMValueRef, k->axes.len);
  for (int i = 0; i < k->buffers.len; i++)
    base[i] = k->buffers.data[i].space == SPACE_LOCAL
                  ? local(c, &k->buffers.data[i])
                  : load_param(c, LLVMPointerTypeInContext(c->ctx, 0), LLVMGetParam(c->fn, 0), i,
                               k->buffers.data[i].name);
  for (int i = 0; i < c->n_paths; i++) c->ptr[i] = base[c->path[i].buffer];
  for (int i = 0; i < k->ints.len; i++)
    c->ints[i] =
        load_param(c, LLVMInt64TypeInContext(c->ctx), LLVMGetParam(c->fn, 1), i, k->ints.data[i]);
}

static void make_slots(cg *c) {
  c->sign_slot = LLVMBuildAlloca(c->b, LLVMInt32TypeInContext(c->ctx), "sign");
  if (!c->k->faults.len) return;
  c->fault = LLVMBuildAlloca(c->b, LLVMInt64TypeInContext(c->ctx), "fault");
  LLVMBuildStore(c->b, cg_i64(c, -1), c->fault);
}

/* The entry block is closed, so that what is the same everywhere can still be put before its end.
 */
static void open_body(cg *c) {
  LLVMBasicBlockRef body = cg_block(c, "body");
  c->entry_end = LLVMBuildBr(c->b, body);
  cg_enter(c, body);
}

/* 0 without faults, else 1 + the fault of the earliest step. */
static LLVMValueRef status(cg *c) {
  if (!c->fault) return cg_i32(c, 0);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(c->ctx);
  LLVMValueRef key = LLVMBuildLoad2(c->b, LLVMInt64TypeInContext(c->ctx), c->fault, "");
  LLVMValueRef none = LLVMBuildICmp(c->b, LLVMIntEQ, key, cg_i64(c, -1), "");
  LLVMValueRef fault =
      LLVMBuildAnd(c->b, LLVMBuildTrunc(c->b, key, i32, ""), cg_i32(c, 0xffff), "");
  return LLVMBuildSelect(c->b, none, cg_i32(c, 0), LLVMBuildAdd(c->b, fault, cg_i32(c, 1), ""), "");
}

static void add_function(cg *c) {
  LLVMTypeRef ptr = LLVMPointerTypeInContext(c->ctx, 0), params[3] = {ptr, ptr, ptr};
  LLVMTypeRef fn_type = LLVMFunctionType(LLVMInt32TypeInContext(c->ctx), params, 3, 0);
  c->fn = LLVMAddFunction(c->mod, c->k->name, fn_type);
  unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", strlen("nounwind"));
  LLVMAddAttributeAtIndex(c->fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(c->ctx, nounwind, 0));
  if (c->machine.flushes) { /* so that LLVM computes with constants as the machine would */
    static const char name[] = "denormal-fp-math", mode[] = "preserve-sign,preserve-sign";
    LLVMAddAttributeAtIndex(
        c->fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(c->ctx, name, strlen(name), mode, strlen(mode)));
  }
  LLVMPositionBuilderAtEnd(c->b, LLVMAppendBasicBlockInContext(c->ctx, c->fn, "entry"));
}

LLVMValueRef cg_add_kernel(LLVMModuleRef mod, const kernel *k, cg_machine machine, str *err) {
  arena *tmp = arena_new();
  LLVMContextRef ctx = LLVMGetModuleContext(mod);
  cg c = {.ctx = ctx,
          .mod = mod,
          .b = LLVMCreateBuilderInContext(ctx),
          .k = k,
          .lanes = 1,
          .parts = 1,
          .lane_axis = -1,
          .machine = machine};
  c.value = ARENA_ARRAY(tmp, cg_value, k->values.len);
  add_function(&c);
  load_params(&c, tmp);
  make_slots(&c);
  open_body(&c);
  cg_statements(&c, &k->body);
  LLVMBuildRet(c.b, status(&c));
  LLVMDisposeBuilder(c.b);
  arena_free(tmp);
  if (!c.unsupported) return c.fn;
  str_printf(err, "%s has no compiled form yet", c.unsupported);
  return NULL;
}
