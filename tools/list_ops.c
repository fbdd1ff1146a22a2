/* scanc --list-ops: the op table with PyTorch's names, as Markdown (docs/ops.md is this text). */
#include <stdio.h>
#include <string.h>

#include "ir/op.h"
#include "tool.h"

static const char *kind_text(const op_info *op) {
  static const char *const names[] = {[OPK_EW] = "elementwise",
                                      [OPK_SYM] = "number",
                                      [OPK_COMP] = "composite",
                                      [OPK_OP] = "structural"};
  return names[op->kind];
}

static void print_classes(const op_info *op) {
  if (op->kind != OPK_EW) return;
  static const struct {
    unsigned bit;
    const char *text;
  } classes[] = {{CLASS_F, "float"}, {CLASS_I, "int"}, {CLASS_B, "bool"}, {CLASS_C, "complex"}};
  const char *gap = "";
  for (int i = 0; i < 4; i++) {
    if (!(op->classes & classes[i].bit)) continue;
    printf("%s%s", gap, classes[i].text);
    gap = " ";
  }
}

static void print_spellings(op_id id) {
  const char *gap = "";
  for (int i = 0; i < aten_n_rows(); i++) {
    const aten_row *r = aten_row_at(i);
    if (r->op != id) continue;
    printf("%s`%s`", gap, r->name);
    gap = " ";
  }
  for (int i = 0; i < spelling_count(); i++) {
    const spelling *s = spelling_at(i);
    if (s->sym_op != (int)id) continue;
    printf("%s`%s`", gap, s->path);
    gap = " ";
  }
}

void list_ops(void) {
  puts("# Operators\n\n"
       "Printed by `scanc --list-ops` from the op table. Elementwise operators list the element "
       "types they are defined\n"
       "for; composite ones are written in terms of others. Operands with `$` are converted to the "
       "type of the others.\n"
       "asin, acos, atan, atan2, sinh, cosh, asinh, acosh, atanh, hypot, lgamma, fmod, "
       "nextafter and the math functions\n"
       "of complex numbers are those of libm; all others are scanc's own (design.md, Math "
       "functions). host_call stands for\n"
       "the C functions that a program registers (scanc_register_op).\n\n"
       "| op | kind | operands | types | PyTorch |\n|---|---|---|---|---|");
  for (int i = 0; i < N_OPS; i++) {
    const op_info *op = op_get((op_id)i);
    printf("| %s | %s | %s | ", op->name, kind_text(op), op->signature);
    print_classes(op);
    fputs(" | ", stdout);
    print_spellings(op->id);
    puts(" |");
  }
}
