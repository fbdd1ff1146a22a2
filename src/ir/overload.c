/* From an op and its operands to the overload that PyTorch would call: the inverse of binding. */
#include <string.h>

#include "ir/bind.h"

static bool is_word(const aten_param *p, const char *word) {
  int n = p->type_len - p->optional;
  return (int)strlen(word) == n && !memcmp(p->type, word, (size_t)n);
}

/* Without conversions: tensors for tensors, numbers for numbers. */
static bool is_exact(module *m, const aten_param *p, val v) {
  const type *t = val_type(m, v);
  if (p->is_list || v.kind == VAL_NONE || !t) return true;
  if (is_word(p, "Tensor")) return type_is_tensor(t);
  bool number = is_word(p, "Scalar") || is_word(p, "int") || is_word(p, "SymInt") ||
                is_word(p, "float") || is_word(p, "bool");
  return !number || type_is_scalar(t);
}

static const aten_param *param_of(const aten_schema *s, int operand) {
  for (int k = 0; k < s->n; k++)
    if (s->p[k].operand == operand) return &s->p[k];
  return NULL;
}

/* Every operand has a parameter that takes it, every parameter without default an operand. */
static bool fits(module *m, const aten_row *row, const val *placed, bool exact) {
  const aten_schema *s = aten_schema_of(row);
  for (int k = 0; k < op_get(row->op)->n_operands; k++)
    if (placed[k].kind != VAL_ABSENT && !param_of(s, k)) return false;
  for (int k = 0; k < s->n; k++) {
    const aten_param *p = &s->p[k];
    bool given = p->operand >= 0 && placed[p->operand].kind != VAL_ABSENT;
    if (!given && !p->has_default) return false;
    if (!given) continue;
    val v = placed[p->operand];
    if (!bind_accepts(m, p, v) || (exact && !is_exact(m, p, v))) return false;
  }
  return true;
}

typedef struct {
  module *m;
  const op_info *op;
  const val *operands;
  val *placed;
  int n_given;
} search;

/* Whether no operand gets lost where `row` names others than the op. */
static bool place(const search *s, const aten_row *row) {
  int n = 0;
  aten_place_operands(row, s->op, s->operands, s->op->n_operands, s->placed);
  for (int k = 0; k < s->op->n_operands; k++) {
    const char *name = op_operand_name(s->op, k);
    n += s->operands[k].kind != VAL_ABSENT &&
         op_operand_index(op_get(row->op), name, strlen(name)) >= 0;
  }
  return n == s->n_given;
}

static const aten_row *same_op(const search *s, const aten_row *first, bool exact) {
  for (int i = 0; i < aten_n_rows(); i++) {
    const aten_row *row = aten_row_at(i);
    if (row->op != s->op->id && row->op != first->op) continue;
    if (aten_is_in_place(row->name, strcspn(row->name, ".")) || !place(s, row)) continue;
    bool means = row->op == s->op->id || aten_variant(row, s->placed) == s->op->id;
    if (means && fits(s->m, row, s->placed, exact)) return row;
  }
  return NULL;
}

static const aten_row *same_packet(const search *s, const aten_row *first) {
  size_t n = strcspn(first->name, ".");
  const aten_row *row;
  for (int k = 0; (row = aten_overload(first->name, n, k)); k++)
    if (place(s, row) && fits(s->m, row, s->placed, true)) return row;
  return NULL;
}

const aten_row *bind_overload(module *m, const op_info *op, const val *operands, val *placed) {
  const aten_row *first = aten_row_of_op(op->id);
  search s = {m, op, operands, placed, 0};
  for (int k = 0; k < op->n_operands; k++) s.n_given += operands[k].kind != VAL_ABSENT;
  if (!first) return NULL;
  const aten_row *row = same_op(&s, first, true);
  if (!row) row = same_packet(&s, first);
  return row ? row : same_op(&s, first, false);
}
