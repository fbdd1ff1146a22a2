/* The inputs of the fuzzer without the fuzzer: every file of a folder, in any build.
 *   fuzz_replay FOLDER... */
#include <stdio.h>
#include <stdlib.h>

#include "../harness.h"
#include "../slurp.h"
#include "one.h"

static int replay(const char *folder) {
  int n;
  char **names = list_cases(folder, &n);
  for (int i = 0; i < n; i++) {
    str path = {0}, bytes = {0};
    str_printf(&path, "%s/%s", folder, names[i]);
    if (!slurp(str_cstr(&path), &bytes)) exit(99);
    printf("%s\n", str_cstr(&path)); /* before it may end the process */
    fflush(stdout);
    LLVMFuzzerTestOneInput((const uint8_t *)str_cstr(&bytes), bytes.len);
    str_free(&path);
    str_free(&bytes);
  }
  free_names(names, n);
  return n;
}

int main(int argc, char **argv) {
  int n = 0;
  for (int i = 1; i < argc; i++) n += replay(argv[i]);
  printf("%d inputs\n", n);
  return n ? EXIT_SUCCESS : EXIT_FAILURE;
}
