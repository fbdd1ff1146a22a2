/* What a file says about types against what inference finds. */
#include "frontend/annotation.h"

/* Sizes that differ for every value of the symbols. */
static bool dims_clash(symtab *t, dim a, dim b) {
  if (dim_equal(a, b)) return false;
  dim d = dim_sub(t, a, b);
  return dim_is_int(d) && d.k != 0;
}

bool annotation_clashes(symtab *t, const type *a, const type *b) {
  if (!a || !b) return false;
  if (a->kind != b->kind) return true;
  if (a->kind == TYPE_INT) return dims_clash(t, a->i, b->i);
  if (a->kind == TYPE_LIST) {
    if (a->n != b->n) return true;
    for (int i = 0; i < a->n; i++)
      if (annotation_clashes(t, a->items[i], b->items[i])) return true;
  }
  if (a->kind != TYPE_TENSOR) return false;
  if (a->dtype != b->dtype || a->n != b->n) return true;
  for (int i = 0; i < a->n; i++)
    if (dims_clash(t, a->dims[i], b->dims[i])) return true;
  return false;
}

/* The better of what inference found and the annotation says: a number beats an expression, and a
 * size that depends on data is called what the text calls it. */
static dim better_dim(dim inferred, dim annotated) {
  if (dim_is_int(inferred)) return inferred;
  return dim_is_int(annotated) || dim_is_unbacked(inferred) ? annotated : inferred;
}

const type *annotation_merge(arena *mem, const type *inferred, const type *annotated) {
  if (!inferred) return annotated;
  if (!annotated) return inferred;
  if (inferred->kind == TYPE_INT) return type_int(mem, better_dim(inferred->i, annotated->i));
  if (inferred->kind == TYPE_BOOL || inferred->kind == TYPE_FLOAT)
    return inferred->known ? inferred : annotated;
  if (inferred->kind != TYPE_TENSOR) return inferred;
  dim dims[SCANC_MAX_RANK];
  for (int i = 0; i < inferred->n; i++) dims[i] = better_dim(inferred->dims[i], annotated->dims[i]);
  return type_tensor(mem, inferred->dtype, dims, inferred->n);
}

bool annotation_fits(const type *t) {
  int64_t count, bytes = (int64_t)scanc_dtype_size(t->dtype);
  bool overflow;
  if (!type_numel(t, &count, &overflow)) return true;
  return !count || (!overflow && !__builtin_mul_overflow(count, bytes, &bytes));
}

bool annotation_apply(node *n, const type *stated, src_loc at) {
  module *m = n->owner->mod;
  n->annotated = true;
  if (!annotation_clashes(m->syms, n->type, stated)) {
    n->type = annotation_merge(m->mem, n->type, stated);
    return true;
  }
  str said = {0}, found = {0};
  type_print(&said, stated);
  type_print(&found, n->type);
  module_record(m, SCANC_ERR_ANNOTATION_MISMATCH, at,
                "%.100s: the annotation says %.200s, but the operation gives %.200s", n->name,
                str_cstr(&said), str_cstr(&found));
  str_free(&said);
  str_free(&found);
  n->type = stated;
  module_note(m);
  return !m->err.code;
}
