/* include/scanc/build_ops.h is the op table as calls: this prints it from the table and compares.
 * SCANC_BLESS=1 writes it. */
#include <stdio.h>
#include <string.h>

#include "../slurp.h"
#include "ir/graph.h"
#include "unit.h"

static const char path[] = TEST_DIR "/../include/scanc/build_ops.h";

static bool takes_tensor(const op_info *op) {
  const aten_schema *s = aten_schema_of(aten_row_of_op(op->id));
  for (int i = 0; i < s->n; i++)
    if (!strncmp(s->p[i].type, "Tensor", 6)) return true;
  return false;
}

static void print_call(str *out, const op_info *op) {
  bool tensor = takes_tensor(op);
  str_printf(out, "#define scanc_%s(%s...) SCANC_OP_(%s, %s, %d, __VA_ARGS__) /* ", op->name,
             tensor ? "" : "mod, ", tensor ? "0" : "mod", op->name, op->n_operands);
  for (int k = 0; k < op->n_operands; k++) {
    val d = op_operand_default(op, k);
    str_printf(out, "%s%s", k ? ", " : "", op_operand_name(op, k));
    if (d.kind == VAL_ABSENT) continue;
    str_char(out, '=');
    val_print(out, d);
  }
  str_append(out, " */\n");
}

static void print_calls(str *out) {
  str_append(out,
             "/* clang-format off */\n"
             "/* One call per operator: part of scanc/build.h. Written by tests/unit/build_ops.c "
             "from the op table; docs/ops.md says\n"
             " * what each one is in PyTorch. */\n");
  for (int i = 0; i < N_OPS; i++) {
    const op_info *op = op_get((op_id)i);
    bool own = op->traits & T_BODY || op->id == OP_getitem; /* of build.h: scanc_scan, scanc_get */
    if (aten_row_of_op(op->id) && !own) print_call(out, op);
  }
}

START_TEST(the_header_follows_the_table) {
  str want = {0}, got = {0};
  print_calls(&want);
  if (getenv("SCANC_BLESS")) {
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(want.data, 1, want.len, f), want.len);
    fclose(f);
  }
  slurp(path, &got);
  ck_assert_msg(!strcmp(str_cstr(&want), str_cstr(&got)),
                "build_ops.h is not as the op table has it; SCANC_BLESS=1 writes it");
  str_free(&want);
  str_free(&got);
}
END_TEST

UNIT_MAIN("build_ops", the_header_follows_the_table)
