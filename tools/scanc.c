/* scanc: the command line tool. */
#include <stdio.h>
#include <string.h>

#include "tool.h"

const command commands[] = {
    {"run", CMD_RUN, "MODEL [NAME=VALUE ...]",
     "run the program; VALUE is FILE.npy, a generator, or f32[8,64]:GENERATOR", true, cmd_run},
    {"print", CMD_PRINT, "MODEL", "print the program", false, cmd_print},
    {"inspect", CMD_INSPECT, "MODEL", "list inputs, weights, outputs, symbols and subgraphs", false,
     cmd_inspect},
    {"explain", CMD_EXPLAIN, "MODEL [NAME=VALUE ...]",
     "say how the program is executed and why, for these inputs or any", true, cmd_explain},
    {"check", CMD_CHECK, "MODEL",
     "report everything that is wrong with the program; compare an archive's checksums", false,
     cmd_check},
    {"save", CMD_SAVE, "MODEL -o FILE.pt2 [NAME=VALUE ...]",
     "write an archive that torch.export.load accepts, with values for parameters", true, cmd_save},
    {"bench", CMD_BENCH, "[CASE ...]",
     "measure programs beside C and other frameworks (scanc bench --help)", false, NULL},
    {0},
};

static int run(arena *mem, int argc, char **argv) {
  options o = {.rtol = -1, .atol = -1};
  int status = 0;
  const command *c = options_parse(mem, argc, argv, &o, &status);
  if (status > 0) return status;
  if (o.help) {
    options_help(c);
  } else if (o.version) {
    printf("scanc %s\n", scanc_version());
  } else if (o.list_ops) {
    list_ops();
  } else if (c) {
    scanc_error err = {0};
    return ops_load(&o, &err) ? c->run(&o) : diag_print(&err);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "bench") == 0) return cmd_bench(argv + 1);
  arena *mem = arena_new();
  int status = run(mem, argc, argv);
  arena_free(mem);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    int failed = diag_fail(SCANC_ERR_IO, "cannot write to standard output");
    if (status == 0) status = failed;
  }
  return status;
}
