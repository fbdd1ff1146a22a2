/* LLVM as a service: target machines, the pass pipeline, object emission, and the linker that makes
 * objects callable. The only file with differences between LLVM versions, and the one symbol that
 * libscanc-codegen exports.
 *
 * Every compile has a context and a target machine of its own, so compiles need no lock. Linking
 * goes through one LLJIT behind a mutex. Each object gets a dylib that sees the functions of libm
 * it is allowed to call and nothing else of the process; a dylib is cleared and used again after
 * its object is gone. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "codegen/cg.h"
#include "loop/codegen.h"
#include "loop/target.h"

SCANC_API const codegen_api *scanc_codegen_api(void);

static const char passes[] =
    "function(early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg),globaldce";

/* Takes the error. Returns true if there was none. */
static bool check(LLVMErrorRef e, str *err) {
  if (!e) return true;
  char *message = LLVMGetErrorMessage(e);
  str_append(err, message);
  LLVMDisposeErrorMessage(message);
  return false;
}

/* ---- target machines ---- */

static void initialise(void) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
}

static LLVMTargetMachineRef target_machine(const char *cpu, cg_machine *machine, str *err) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialise);
  bool native = !cpu || !strcmp(cpu, "native");
  char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
  char *host = native ? LLVMGetHostCPUName() : NULL,
       *features = native ? LLVMGetHostCPUFeatures() : NULL;
  LLVMTargetRef arch;
  LLVMTargetMachineRef tm = NULL;
  if (LLVMGetTargetFromTriple(triple, &arch, &message)) {
    str_append(err, message);
    LLVMDisposeMessage(message);
  } else {
    tm = LLVMCreateTargetMachine(arch, triple, native ? host : cpu, native ? features : "",
                                 LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelSmall);
  }
  machine->half_native = native ? strstr(features, "+f16c") != NULL : strcmp(cpu, "x86-64") != 0;
  LLVMDisposeMessage(triple);
  if (native) {
    LLVMDisposeMessage(host);
    LLVMDisposeMessage(features);
  }
  return tm;
}

/* ---- kernels to objects and text ---- */

static bool optimise(LLVMModuleRef mod, LLVMTargetMachineRef tm, str *err) {
  char *message = NULL;
  if (LLVMVerifyModule(mod, LLVMReturnStatusAction, &message)) {
    str_append(err, message);
    LLVMDisposeMessage(message);
    return false;
  }
  LLVMDisposeMessage(message);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  bool ok = check(LLVMRunPasses(mod, passes, tm, options), err);
  LLVMDisposePassBuilderOptions(options);
  return ok;
}

static LLVMMemoryBufferRef emit_bytes(LLVMModuleRef mod, LLVMTargetMachineRef tm, codegen_form form,
                                      str *err) {
  char *message = NULL;
  LLVMMemoryBufferRef bytes = NULL;
  if (form == CODEGEN_LLVM) {
    char *text = LLVMPrintModuleToString(mod);
    bytes = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "text");
    LLVMDisposeMessage(text);
    return bytes;
  }
  LLVMCodeGenFileType type_of_file = form == CODEGEN_ASM ? LLVMAssemblyFile : LLVMObjectFile;
  if (!LLVMTargetMachineEmitToMemoryBuffer(tm, mod, type_of_file, &message, &bytes)) return bytes;
  str_append(err, message);
  LLVMDisposeMessage(message);
  return NULL;
}

static LLVMMemoryBufferRef build(const kernel *k, const char *cpu, codegen_form form, str *err) {
  cg_machine machine;
  target level;
  LLVMTargetMachineRef tm = target_machine(cpu, &machine, err);
  if (!tm) return NULL;
  machine.fma = target_get(cpu, &level) && level.fma;
  LLVMContextRef ctx = LLVMContextCreate();
  LLVMModuleRef mod = cg_kernel(ctx, k, machine, err);
  LLVMMemoryBufferRef bytes = NULL;
  if (mod) {
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(tm);
    char *triple = LLVMGetTargetMachineTriple(tm);
    LLVMSetModuleDataLayout(mod, layout);
    LLVMSetTarget(mod, triple);
    if (optimise(mod, tm, err)) bytes = emit_bytes(mod, tm, form, err);
    LLVMDisposeMessage(triple);
    LLVMDisposeTargetData(layout);
    LLVMDisposeModule(mod);
  }
  LLVMContextDispose(ctx);
  LLVMDisposeTargetMachine(tm);
  return bytes;
}

static bool codegen_emit(const kernel *k, const char *cpu, codegen_form form, str *out, str *err) {
  LLVMMemoryBufferRef bytes = build(k, cpu, form, err);
  if (!bytes) return false;
  str_append_n(out, LLVMGetBufferStart(bytes), LLVMGetBufferSize(bytes));
  LLVMDisposeMemoryBuffer(bytes);
  return true;
}

/* ---- linking ---- */

/* What an object may call. */
static const struct {
  const char *name;
  void *address;
} library[] = {
#define F1(name) \
  {#name, (void *)(double (*)(double))name}, {#name "f", (void *)(float (*)(float))name##f},
#define F2(name) \
  {#name, (void *)(double (*)(double, double))name}, \
      {#name "f", (void *)(float (*)(float, float))name##f},
    F1(asin) F1(acos) F1(atan) F1(sinh) F1(cosh) F1(asinh) F1(acosh) F1(atanh) F1(floor) F1(ceil)
        F1(trunc) F1(rint) F2(atan2) F2(hypot) F2(fmod)
            F2(nextafter){"lgamma_r", (void *)(double (*)(double, int *))lgamma_r},
    {"lgammaf_r", (void *)(float (*)(float, int *))lgammaf_r},
#undef F1
#undef F2
};
enum { N_LIBRARY = sizeof library / sizeof *library };

typedef struct dylib {
  LLVMOrcJITDylibRef jd;
  struct dylib *next_free;
} dylib;

struct codegen_code {
  kernel_fn entry;
  dylib *lib;
  LLVMOrcResourceTrackerRef tracker;
};

static struct {
  pthread_mutex_t lock;
  LLVMOrcLLJITRef jit;
  dylib *free_libs;
  int n_libs;
} engine = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The cause of a failed lookup comes only here. ctx: the message it belongs to, NULL to ignore it.
 */
static void report(void *ctx, LLVMErrorRef e) {
  str ignored = {0};
  check(e, ctx ? ctx : &ignored);
  str_free(&ignored);
}

static bool start_engine(str *err) {
  return engine.jit || check(LLVMOrcCreateLLJIT(&engine.jit, NULL), err);
}

static bool define_library(LLVMOrcJITDylibRef jd, str *err) {
  LLVMOrcCSymbolMapPair pairs[N_LIBRARY];
  for (int i = 0; i < N_LIBRARY; i++) {
    pairs[i].Name = LLVMOrcLLJITMangleAndIntern(engine.jit, library[i].name);
    pairs[i].Sym.Address = (LLVMOrcExecutorAddress)(uintptr_t)library[i].address;
    pairs[i].Sym.Flags.GenericFlags =
        LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable;
    pairs[i].Sym.Flags.TargetFlags = 0;
  }
  LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(pairs, N_LIBRARY);
  LLVMErrorRef e = LLVMOrcJITDylibDefine(jd, unit);
  if (e) LLVMOrcDisposeMaterializationUnit(unit);
  return check(e, err);
}

static dylib *take_dylib(str *err) {
  dylib *lib = engine.free_libs;
  if (lib) {
    engine.free_libs = lib->next_free;
    return lib;
  }
  char name[32];
  snprintf(name, sizeof name, "kernel%d", engine.n_libs++);
  lib = base_malloc(sizeof *lib);
  *lib = (dylib){
      LLVMOrcExecutionSessionCreateBareJITDylib(LLVMOrcLLJITGetExecutionSession(engine.jit), name),
      NULL};
  if (define_library(lib->jd, err)) return lib;
  free(lib);
  return NULL;
}

static void give_back(dylib *lib) {
  lib->next_free = engine.free_libs;
  engine.free_libs = lib;
}

typedef struct {
  LLVMOrcExecutorAddress address;
  str *err;
} lookup;

static void found(LLVMErrorRef e, LLVMOrcCSymbolMapPairs result, size_t n, void *ctx) {
  lookup *l = ctx;
  if (check(e, l->err) && n == 1) l->address = result[0].Sym.Address;
}

static LLVMOrcExecutorAddress find_symbol(dylib *lib, const char *name, str *err) {
  LLVMOrcExecutionSessionRef session = LLVMOrcLLJITGetExecutionSession(engine.jit);
  LLVMOrcCJITDylibSearchOrderElement order = {lib->jd,
                                              LLVMOrcJITDylibLookupFlagsMatchExportedSymbolsOnly};
  LLVMOrcCLookupSetElement symbol = {LLVMOrcLLJITMangleAndIntern(engine.jit, name),
                                     LLVMOrcSymbolLookupFlagsRequiredSymbol};
  lookup l = {0, err};
  LLVMOrcExecutionSessionSetErrorReporter(session, report, err);
  LLVMOrcExecutionSessionLookup(session, LLVMOrcLookupKindStatic, &order, 1, &symbol, 1, found, &l);
  LLVMOrcExecutionSessionSetErrorReporter(session, report, NULL);
  return l.address;
}

static void drop(LLVMOrcResourceTrackerRef tracker) {
  str ignored = {0};
  check(LLVMOrcResourceTrackerRemove(tracker), &ignored);
  LLVMOrcReleaseResourceTracker(tracker);
  str_free(&ignored);
}

/* Takes the object. */
static codegen_code *link_object(LLVMMemoryBufferRef object, const char *name, str *err) {
  dylib *lib = start_engine(err) ? take_dylib(err) : NULL;
  if (!lib) {
    LLVMDisposeMemoryBuffer(object);
    return NULL;
  }
  LLVMOrcResourceTrackerRef tracker = LLVMOrcJITDylibCreateResourceTracker(lib->jd);
  LLVMOrcExecutorAddress address = 0;
  if (check(LLVMOrcLLJITAddObjectFileWithRT(engine.jit, tracker, object), err))
    address = find_symbol(lib, name, err);
  if (!address) {
    drop(tracker);
    give_back(lib);
    return NULL;
  }
  codegen_code *code = base_malloc(sizeof *code);
  *code = (codegen_code){(kernel_fn)(uintptr_t)address, lib, tracker};
  return code;
}

static codegen_code *codegen_compile(const kernel *k, const char *cpu, str *err) {
  LLVMMemoryBufferRef object = build(k, cpu, CODEGEN_OBJECT, err);
  if (!object) return NULL;
  pthread_mutex_lock(&engine.lock);
  codegen_code *code = link_object(object, k->name, err);
  pthread_mutex_unlock(&engine.lock);
  return code;
}

static kernel_fn codegen_entry_of(const codegen_code *code) { return code->entry; }

static void codegen_free(codegen_code *code) {
  if (!code) return;
  pthread_mutex_lock(&engine.lock);
  drop(code->tracker);
  give_back(code->lib);
  pthread_mutex_unlock(&engine.lock);
  free(code);
}

const codegen_api *scanc_codegen_api(void) {
  static const codegen_api api = {CODEGEN_VERSION, codegen_compile, codegen_entry_of, codegen_free,
                                  codegen_emit};
  return &api;
}
