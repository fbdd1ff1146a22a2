#include "loop/target.h"

#include <string.h>

static target native(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
    return (target){.level = "native", 64, 32, .fma = true};
  bool fma = __builtin_cpu_supports("fma");
  if (__builtin_cpu_supports("avx2")) return (target){.level = "native", 32, 16, .fma = fma};
  return (target){.level = "native", 16, 16, .fma = fma};
#else
  return (target){.level = "native", 16, 32, .fma = true};
#endif
}

/* Every level of an architecture includes those with narrower vectors. */
static bool is_foreign(const target *t) {
  target here = native();
#if defined(__x86_64__)
  bool same = !strncmp(t->level, "x86-64", strlen("x86-64"));
#elif defined(__aarch64__)
  bool same = !strcmp(t->level, "aarch64");
#else
  bool same = false;
#endif
  return !same || t->vector_bytes > here.vector_bytes || (t->fma && !here.fma);
}

bool target_get(const char *level, target *out) {
  static const target levels[] = {{.level = "x86-64", 16, 16, .fma = false},
                                  {.level = "x86-64-v3", 32, 16, .fma = true},
                                  {.level = "x86-64-v4", 64, 32, .fma = true},
                                  {.level = "aarch64", 16, 32, .fma = true}};
  if (!level || !strcmp(level, "native")) {
    *out = native();
    return true;
  }
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
    if (strcmp(level, levels[i].level) != 0) continue;
    *out = levels[i];
    out->foreign = is_foreign(out);
    return true;
  }
  return false;
}
