/* scanc bench: the measurements are another program, which links what scanc is compared with. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

/* Beside the tool in the build tree, or where it is installed to. */
static const char *const places[] = {"/bench/scanc-bench", "/../libexec/scanc-bench",
                                     "/scanc-bench"};

int cmd_bench(char **argv) {
  char self[4096], path[4096 + 64];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  self[n < 0 ? 0 : n] = '\0';
  char *slash = strrchr(self, '/');
  for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
    snprintf(path, sizeof path, "%.*s%s", (int)(slash - self), self, places[i]);
    execv(path, argv); /* returns if there is no such program */
  }
  return diag_fail(SCANC_ERR_IO,
                   "there is no scanc-bench beside scanc: it is built where Jansson is found");
}
