#include "associative.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_RANK = 3 };

void print_sizes(FILE *to, int rank, const int64_t *sizes) {
  fputc('[', to);
  for (int i = 0; i < rank; i++) fprintf(to, "%s%" PRId64, i ? ", " : "", sizes[i]);
  fputc(']', to);
}

/* A line up to its call: name: "type[sizes]" = torch.ops.aten. */
static void begin(FILE *to, const char *name, const char *suffix, const char *type, int rank,
                  const int64_t *sizes) {
  fprintf(to, "        %s%s: \"%s", name, suffix, type);
  print_sizes(to, rank, sizes);
  fputs("\" = torch.ops.aten.", to);
}

static void print_combine(FILE *to, const associative *what, int rank, const int64_t *element) {
  fputs("\n    class associative_scan_combine_graph_0(torch.nn.Module):\n        def forward(self",
        to);
  for (int later = 0; later < 2; later++)
    for (const associative_leaf *l = what->leaf; l->name; l++) {
      fprintf(to, ", %s%s: \"%s", l->name, later ? "_1" : "", l->type);
      print_sizes(to, rank, element);
      fputc('"', to);
    }
  fputs("):\n", to);
  for (const char *const *line = what->body; *line; line++)
    for (const char *p = *line; *p; p++)
      if (strncmp(p, "[@]", 3) == 0) {
        print_sizes(to, rank, element);
        p += 2;
      } else {
        fputc(*p, to);
      }
}

static void print_parameters(FILE *to, const associative *what, int rank, const int64_t *sizes) {
  fputs("class GraphModule(torch.nn.Module):\n    def forward(self", to);
  for (const associative_leaf *l = what->leaf; l->name; l++)
    if (!l->made) {
      fprintf(to, ", %s: \"%s", l->name, l->type);
      print_sizes(to, rank, sizes);
      fputc('"', to);
    }
  fputs("):\n", to);
}

/* The leaves that are made, and all of them with the scanned axis in front. */
static void print_operands(FILE *to, const associative *what, int rank, const int64_t *sizes,
                           int axis, const int64_t *moved) {
  for (const associative_leaf *l = what->leaf; l->name; l++) {
    if (l->made) {
      begin(to, l->name, "", l->type, rank, sizes);
      fprintf(to, "%s\n", l->made);
    }
    if (!axis) continue;
    begin(to, l->name, "_front", l->type, rank, moved);
    fprintf(to, "movedim.int(%s, %d, 0)\n", l->name, axis);
  }
  fputs("        associative_scan_combine_graph_0 = self.associative_scan_combine_graph_0\n"
        "        associative_scan = torch.ops.higher_order.associative_scan("
        "associative_scan_combine_graph_0, [",
        to);
  for (const associative_leaf *l = what->leaf; l->name; l++)
    fprintf(to, "%s%s%s", l == what->leaf ? "" : ", ", l->name, axis ? "_front" : "");
  fputs("], ())\n", to);
}

static void print_results(FILE *to, const associative *what, int rank, const int64_t *sizes,
                          int axis, const int64_t *moved) {
  for (const associative_leaf *l = what->leaf; l->name; l++) {
    if (!l->returned) continue;
    fprintf(to, "        %s_%s: \"%s", l->name, axis ? "scan" : "result", l->type);
    print_sizes(to, rank, moved);
    fprintf(to, "\" = associative_scan[%d]\n", (int)(l - what->leaf));
    if (!axis) continue;
    begin(to, l->name, "_result", l->type, rank, sizes);
    fprintf(to, "movedim.int(%s_scan, 0, %d)\n", l->name, axis);
  }
  fputs("        return (", to);
  int n = 0;
  for (const associative_leaf *l = what->leaf; l->name; l++)
    if (l->returned) fprintf(to, "%s%s_result", n++ ? ", " : "", l->name);
  fputs(n == 1 ? ",)\n" : ")\n", to);
}

void associative_program(FILE *to, const associative *what, int rank, const int64_t *sizes,
                         int axis) {
  int64_t moved[MAX_RANK];
  int k = 0;
  moved[k++] = sizes[axis];
  for (int i = 0; i < rank; i++)
    if (i != axis) moved[k++] = sizes[i];
  print_parameters(to, what, rank, sizes);
  print_operands(to, what, rank, sizes, axis, moved);
  print_results(to, what, rank, sizes, axis, moved);
  print_combine(to, what, rank - 1, moved + 1);
}

void associative_program_oti(FILE *to, const associative *what, const int64_t *n) {
  int outer = n[0] > 1, inner = n[2] > 1;
  associative_program(to, what, 1 + outer + inner, n + !outer, outer);
}

double oti_elements(const int64_t *n) { return (double)n[0] * (double)n[1] * (double)n[2]; }

void prefix_op_program(FILE *to, const char *op, const int64_t *n) {
  int outer = n[0] > 1, inner = n[2] > 1, rank = 1 + outer + inner;
  fputs("class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32", to);
  print_sizes(to, rank, n + !outer);
  fprintf(to, "\"):\n        %s: \"f32", op);
  print_sizes(to, rank, n + !outer);
  fprintf(to, "\" = torch.ops.aten.%s.default(x, %d)\n        return (%s,)\n", op, outer, op);
}
