/* LLVM as a service: target machines, the pass pipeline, object emission, and the linker that makes
 * objects callable. The only file with differences between LLVM versions, and the one symbol that
 * libscanc-codegen exports.
 *
 * Every compile has a context and a target machine of its own, so compiles need no lock. Linking
 * goes through one LLJIT behind a mutex. Each object gets a dylib that sees the functions of libm
 * it is allowed to call, the host functions that its kernel calls, and nothing else of the process;
 * a dylib is cleared and used again after its object is gone. */
#include <complex.h>
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

#include "base/fp_env.h"
#include "codegen/cg.h"
#include "loop/codegen.h"
#include "loop/target.h"
#include "loop/walk.h"

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

/* The target of a triple, registered when it is first asked for: one that is not this machine's
 * costs every process that loads it. */
static bool find_target(const char *triple, bool other, LLVMTargetRef *arch, str *err) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  char *message = NULL;
  pthread_mutex_lock(&lock);
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  if (other) {
    LLVMInitializeAllTargetInfos();
    LLVMInitializeAllTargets();
    LLVMInitializeAllTargetMCs();
    LLVMInitializeAllAsmPrinters();
  }
  bool ok = !LLVMGetTargetFromTriple(triple, arch, &message);
  pthread_mutex_unlock(&lock);
  if (ok) return true;
  str_append(err, message);
  LLVMDisposeMessage(message);
  return false;
}

static bool is_arch(const char *triple, const char *arch) {
  return !strncmp(triple, arch, strlen(arch));
}

static void find_registers(const char *triple, cg_machine *machine) {
  bool x86 = is_arch(triple, "x86_64");
  machine->vectors = x86 ? "v" : is_arch(triple, "aarch64") ? "w" : NULL;
  machine->scales = x86 && machine->vector_bytes == 64;
  machine->masks = x86 && machine->vector_bytes == 64 ? "k" : NULL;
  machine->permutes = x86 && machine->vector_bytes >= 32;
}

static LLVMTargetMachineRef target_machine(const char *cpu, cg_machine *machine, str *err) {
  target level;
  if (!target_get(cpu, &level)) return str_printf(err, "unknown CPU level '%s'", cpu), NULL;
  bool native = !cpu || !strcmp(cpu, "native"), arm = !strcmp(level.level, "aarch64");
  char *name = native ? LLVMGetHostCPUName() : LLVMCreateMessage(arm ? "generic" : cpu);
  char *features = native ? LLVMGetHostCPUFeatures() : LLVMCreateMessage(arm ? "+neon" : "");
  char *triple = native ? LLVMGetDefaultTargetTriple()
                        : LLVMCreateMessage(arm ? "aarch64-linux-gnu" : "x86_64-linux-gnu");
  LLVMTargetRef arch;
  LLVMTargetMachineRef tm = NULL;
  if (find_target(triple, level.foreign, &arch, err))
    tm = LLVMCreateTargetMachine(arch, triple, name, features, LLVMCodeGenLevelLess, LLVMRelocPIC,
                                 LLVMCodeModelSmall);
  machine->fma = level.fma;
  machine->flushes = fp_env_flushes();
  machine->vector_bytes = level.vector_bytes;
  find_registers(triple, machine);
  machine->half_native = native ? strstr(features, "+f16c") || strstr(features, "+fp-armv8")
                                : strcmp(cpu, "x86-64") != 0;
  LLVMDisposeMessage(name);
  LLVMDisposeMessage(features);
  LLVMDisposeMessage(triple);
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

/* What is compiled: a kernel, or an entry with its kernels. */
typedef struct {
  const kernel *k;
  const entry_point *e;
} code_unit;

static const char *unit_name(code_unit u) { return u.k ? u.k->name : u.e ? u.e->name : ""; }

static bool add_unit(LLVMModuleRef mod, code_unit u, cg_machine machine, str *err) {
  return u.k ? cg_add_kernel(mod, u.k, machine, err) != NULL : cg_add_entry(mod, u.e, machine, err);
}

static LLVMMemoryBufferRef build(code_unit u, const char *cpu, codegen_form form, str *err) {
  cg_machine machine;
  LLVMTargetMachineRef tm = target_machine(cpu, &machine, err);
  if (!tm) return NULL;
  LLVMContextRef ctx = LLVMContextCreate();
  LLVMModuleRef mod = LLVMModuleCreateWithNameInContext(unit_name(u), ctx);
  LLVMMemoryBufferRef bytes = NULL;
  if (add_unit(mod, u, machine, err)) {
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(tm);
    char *triple = LLVMGetTargetMachineTriple(tm);
    LLVMSetModuleDataLayout(mod, layout);
    LLVMSetTarget(mod, triple);
    if (optimise(mod, tm, err)) bytes = emit_bytes(mod, tm, form, err);
    LLVMDisposeMessage(triple);
    LLVMDisposeTargetData(layout);
  }
  LLVMDisposeModule(mod);
  LLVMContextDispose(ctx);
  LLVMDisposeTargetMachine(tm);
  return bytes;
}

static bool codegen_emit(const kernel *k, const char *cpu, codegen_form form, str *out, str *err) {
  LLVMMemoryBufferRef bytes = build((code_unit){k, NULL}, cpu, form, err);
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
#define LIBM(name, type) {#name, (void *)(type)name},
#include "ir/libm.def"
};
enum { N_LIBRARY = sizeof library / sizeof *library };

typedef struct host_symbol {
  const char *name;
  struct host_symbol *next;
} host_symbol;

typedef struct dylib {
  LLVMOrcJITDylibRef jd;
  host_symbol *hosts; /* defined in it; they stay when it is used again */
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

static LLVMOrcCSymbolMapPair callable(const char *name, uintptr_t address) {
  LLVMOrcCSymbolMapPair p = {LLVMOrcLLJITMangleAndIntern(engine.jit, name), {address, {0, 0}}};
  p.Sym.Flags.GenericFlags = LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable;
  return p;
}

static bool define(LLVMOrcJITDylibRef jd, LLVMOrcCSymbolMapPair *pairs, int n, str *err) {
  LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(pairs, (size_t)n);
  LLVMErrorRef e = LLVMOrcJITDylibDefine(jd, unit);
  if (e) LLVMOrcDisposeMaterializationUnit(unit);
  return check(e, err);
}

static bool define_library(LLVMOrcJITDylibRef jd, str *err) {
  LLVMOrcCSymbolMapPair pairs[N_LIBRARY];
  for (int i = 0; i < N_LIBRARY; i++)
    pairs[i] = callable(library[i].name, (uintptr_t)library[i].address);
  return define(jd, pairs, N_LIBRARY, err);
}

/* What kernels call beside the library. A host function may be one of the library, but then
 * registration has seen to it that it has that name. */
typedef struct {
  dylib *lib;
  str *err;
  bool ok;
} host_definer;

static bool is_defined(const host_definer *d, const host_fn *f) {
  for (const host_symbol *s = d->lib->hosts; s; s = s->next)
    if (!strcmp(s->name, f->symbol)) return true;
  for (int i = 0; i < N_LIBRARY; i++)
    if (!strcmp(library[i].name, f->symbol)) return true;
  return false;
}

static void define_host(const stmt *s, void *ctx) {
  host_definer *d = ctx;
  if (s->kind != ST_CALL || !d->ok || is_defined(d, s->host)) return;
  LLVMOrcCSymbolMapPair pair = callable(s->host->symbol, (uintptr_t)s->host->fn);
  d->ok = define(d->lib->jd, &pair, 1, d->err);
  if (!d->ok) return;
  host_symbol *h = base_malloc(sizeof *h);
  *h = (host_symbol){s->host->symbol, d->lib->hosts};
  d->lib->hosts = h;
}

static bool define_hosts(dylib *lib, code_unit u, str *err) {
  host_definer d = {lib, err, true};
  if (u.k) stmts_walk(&u.k->body, define_host, &d);
  for (int i = 0; u.e && i < u.e->steps.len; i++)
    if (u.e->steps.data[i].k) stmts_walk(&u.e->steps.data[i].k->body, define_host, &d);
  return d.ok;
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
      NULL, NULL};
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
static codegen_code *link_object(LLVMMemoryBufferRef object, code_unit u, str *err) {
  dylib *lib = start_engine(err) ? take_dylib(err) : NULL;
  if (!lib) {
    LLVMDisposeMemoryBuffer(object);
    return NULL;
  }
  LLVMOrcResourceTrackerRef tracker = LLVMOrcJITDylibCreateResourceTracker(lib->jd);
  LLVMOrcExecutorAddress address = 0;
  if (!define_hosts(lib, u, err)) LLVMDisposeMemoryBuffer(object);
  else if (check(LLVMOrcLLJITAddObjectFileWithRT(engine.jit, tracker, object), err))
    address = find_symbol(lib, unit_name(u), err);
  if (!address) {
    drop(tracker);
    give_back(lib);
    return NULL;
  }
  codegen_code *code = base_malloc(sizeof *code);
  *code = (codegen_code){(kernel_fn)(uintptr_t)address, lib, tracker};
  return code;
}

static codegen_code *compile(code_unit u, const char *cpu, str *err) {
  target level;
  if (!target_get(cpu, &level) || level.foreign)
    return str_printf(err, "this machine cannot run code for CPU level %s", cpu), NULL;
  LLVMMemoryBufferRef object = build(u, cpu, CODEGEN_OBJECT, err);
  if (!object) return NULL;
  pthread_mutex_lock(&engine.lock);
  codegen_code *code = link_object(object, u, err);
  pthread_mutex_unlock(&engine.lock);
  return code;
}

static codegen_code *codegen_compile(const kernel *k, const char *cpu, str *err) {
  return compile((code_unit){k, NULL}, cpu, err);
}

static codegen_code *codegen_compile_entry(const entry_point *e, const char *cpu, str *err) {
  return compile((code_unit){NULL, e}, cpu, err);
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

/* ---- running out of memory ---- */

/* LLVM's C interface has no handler of failed allocations, only one of other fatal errors; so this
 * is llvm::install_bad_alloc_error_handler by its name in libLLVM. Weak: an LLVM that has another
 * one ends the process itself. */
typedef void bad_alloc_fn(void *user, const char *reason, bool crash);
void install_bad_alloc(bad_alloc_fn *fn, void *user) __asm__(
    "_ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_") __attribute__((weak));
void remove_bad_alloc(void) __asm__("_ZN4llvm30remove_bad_alloc_error_handlerEv")
    __attribute__((weak));

static void (*no_memory)(size_t bytes);

static void tell_bytes(void *unused, size_t bytes) {
  (void)unused;
  no_memory(bytes);
}

static void tell_llvm(void *unused, const char *reason, bool crash) {
  (void)unused, (void)reason, (void)crash;
  no_memory(0);
}

static void codegen_on_no_memory(void (*fn)(size_t bytes), bool llvm) {
  no_memory = fn;
  base_on_no_memory(tell_bytes, NULL);
  if (!llvm || !install_bad_alloc || !remove_bad_alloc) return;
  remove_bad_alloc(); /* LLVM takes one, and asserts that there was none */
  install_bad_alloc(tell_llvm, NULL);
}

const codegen_api *scanc_codegen_api(void) {
  static const codegen_api api = {CODEGEN_VERSION,     codegen_compile, codegen_compile_entry,
                                  codegen_entry_of,    codegen_free,    codegen_emit,
                                  codegen_on_no_memory};
  return &api;
}
