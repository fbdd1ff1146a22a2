#include "program_text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

static int64_t size_called(char name, const char *names, const int64_t *n) {
  const char *at = strchr(names, name);
  return at ? n[(at - names) / 2] : -1; /* -1 makes a text that scanc refuses */
}

void program_text(FILE *to, const char *text, const char *names, const int64_t *n) {
  for (const char *p = text; *p; p++) {
    if (*p != '$') {
      fputc(*p, to);
      continue;
    }
    int64_t times = 0;
    for (p++; *p >= '0' && *p <= '9'; p++) times = times * 10 + (*p - '0');
    fprintf(to, "%" PRId64, (times ? times : 1) * size_called(*p, names, n));
  }
}

static bool has_tensor_overload(const char *op, size_t n) {
  static const char *const ops[] = {"add", "sub", "mul", "div"};
  for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
    if (strlen(ops[i]) == n && memcmp(op, ops[i], n) == 0) return true;
  return false;
}

/* The length of the word at p, up to a space or the end of the line. */
static size_t word(const char *p) { return strcspn(p, " \n"); }

void program_ops(FILE *to, const char *type, const char *ops, const char *names, const int64_t *n) {
  for (const char *p = ops; *p; p += *p == '\n') {
    fprintf(to, "            %.*s: \"", (int)word(p), p);
    program_text(to, type, names, n);
    p += word(p) + 1;
    fprintf(to, "\" = torch.ops.aten.%.*s.%s(", (int)word(p), p,
            has_tensor_overload(p, word(p)) ? "Tensor" : "default");
    p += word(p);
    for (const char *comma = ""; *p == ' '; comma = ", ", p += word(p)) {
      p++;
      fprintf(to, "%s%.*s", comma, (int)word(p), p);
    }
    fputs(")\n", to);
  }
}
