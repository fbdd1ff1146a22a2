/* Options of the sanitizers, linked into every program of a build with one.
 *
 * ThreadSanitizer: libLLVM is not instrumented, so its own locks are not seen.
 *
 * AddressSanitizer, intercept_tls_get_addr=0: libLLVM has thread-local data and is opened at run
 * time. The interceptor guesses the extent of such blocks from the words before them; where the
 * heap happens to look like its guess, the leak checker follows a wild pointer and ends the
 * process. */
__attribute__((visibility("default"))) const char *__tsan_default_suppressions(void);

const char *__tsan_default_suppressions(void) { return "race:libLLVM\n"; }

#ifndef EXTRA_OPTIONS
#define EXTRA_OPTIONS ""
#endif

__attribute__((visibility("default"))) const char *__asan_default_options(void);

const char *__asan_default_options(void) { return "intercept_tls_get_addr=0" EXTRA_OPTIONS; }
