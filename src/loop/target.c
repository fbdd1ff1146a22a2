#include "loop/target.h"

#include <string.h>

static target native(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
    return (target){"native", 64, 32, true};
  bool fma = __builtin_cpu_supports("fma");
  if (__builtin_cpu_supports("avx2")) return (target){"native", 32, 16, fma};
  return (target){"native", 16, 16, fma};
#else
  return (target){"native", 16, 32, true};
#endif
}

bool target_get(const char *level, target *out) {
  static const target levels[] = {
      {"x86-64", 16, 16, false}, {"x86-64-v3", 32, 16, true}, {"x86-64-v4", 64, 32, true}};
  if (!level || !strcmp(level, "native")) {
    *out = native();
    return true;
  }
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
    if (strcmp(level, levels[i].level) != 0) continue;
    *out = levels[i];
    return true;
  }
  return false;
}
