/* What the emission of entries and of kernels in pieces share: numbers, pointers, arrays of them.
 */
#ifndef SCANC_CODEGEN_ENTRY_IR_H
#define SCANC_CODEGEN_ENTRY_IR_H

#include <llvm-c/Core.h>
#include <stdint.h>

typedef struct {
  LLVMContextRef ctx;
  LLVMBuilderRef b;
} entry_ir;

static inline LLVMTypeRef i32(entry_ir x) { return LLVMInt32TypeInContext(x.ctx); }
static inline LLVMTypeRef i64(entry_ir x) { return LLVMInt64TypeInContext(x.ctx); }
static inline LLVMTypeRef pointer(entry_ir x) { return LLVMPointerTypeInContext(x.ctx, 0); }

static inline LLVMValueRef number(entry_ir x, int64_t k) {
  return LLVMConstInt(i64(x), (unsigned long long)k, 1);
}
static inline LLVMValueRef number32(entry_ir x, int k) {
  return LLVMConstInt(i32(x), (unsigned long long)k, 1);
}

/* The address of element i of an array of t. */
static inline LLVMValueRef element(entry_ir x, LLVMTypeRef t, LLVMValueRef array, int i) {
  LLVMValueRef index = number(x, i);
  return LLVMBuildGEP2(x.b, t, array, &index, 1, "");
}
static inline LLVMValueRef load(entry_ir x, LLVMTypeRef t, LLVMValueRef array, int i) {
  return LLVMBuildLoad2(x.b, t, element(x, t, array, i), "");
}

#endif
