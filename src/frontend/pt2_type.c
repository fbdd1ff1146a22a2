/* Types that the tables of a graph state. */
#include <string.h>

#include "frontend/annotation.h"
#include "frontend/pt2_reader.h"
#include "frontend/sym_call.h"

enum { LAYOUT_STRIDED = 7 };

bool pt2_size(pt2 *r, json_t *v, const char *what, dim *out) {
  const char *key;
  json_t *x;
  pt2_sym s;
  int64_t k;
  SCANC_TRY(pt2_union(r, v, what, &key, &x));
  if (!strcmp(key, "as_int")) {
    SCANC_TRY(pt2_int(r, x, what, &k));
    *out = dim_int(k);
    return true;
  }
  if (strcmp(key, "as_expr"))
    return pt2_fail(r, SCANC_ERR_UNSUPPORTED, "%.100s: unsupported: size %.100s", what, key);
  const char *text = pt2_text(x, "expr_str");
  if (!text) return pt2_fail(r, SCANC_ERR_BAD_JSON, "%.100s: expected expr_str in a size", what);
  SCANC_TRY(pt2_symbolic(r, text, what, &s));
  if (s.kind != FX_SYM_INT)
    return pt2_fail(r, SCANC_ERR_BAD_JSON, "%.100s: expected an integer, got %.100s", what, text);
  *out = s.d;
  return true;
}

bool pt2_sizes(pt2 *r, json_t *list, const char *what, dim *out, int *n) {
  size_t i;
  json_t *v;
  *n = 0;
  if (!json_is_array(list))
    return pt2_fail(r, SCANC_ERR_BAD_JSON, "%.100s: expected a list of sizes", what);
  if (json_array_size(list) > SCANC_MAX_RANK)
    return pt2_fail(r, SCANC_ERR_UNSUPPORTED, "%.100s: unsupported: more than %d dimensions", what,
                    SCANC_MAX_RANK);
  json_array_foreach (list, i, v) SCANC_TRY(pt2_size(r, v, what, &out[(*n)++]));
  return true;
}

bool pt2_tensor_type(pt2 *r, json_t *meta, const char *what, const type **out) {
  scanc_dtype d;
  dim dims[SCANC_MAX_RANK];
  int rank;
  int64_t layout = LAYOUT_STRIDED;
  if (!json_is_object(meta)) return pt2_fail(r, SCANC_ERR_BAD_JSON, "%.100s: no type", what);
  if (pt2_field(meta, "layout")) SCANC_TRY(pt2_int(r, pt2_field(meta, "layout"), what, &layout));
  if (layout != LAYOUT_STRIDED)
    return pt2_fail(r, SCANC_ERR_UNSUPPORTED, "%.100s: unsupported: layout %lld", what,
                    (long long)layout);
  SCANC_TRY(pt2_dtype(r, pt2_field(meta, "dtype"), what, &d));
  SCANC_TRY(pt2_sizes(r, pt2_field(meta, "sizes"), what, dims, &rank));
  for (int i = 0; i < rank; i++)
    if (dim_is_int(dims[i]) && dims[i].k < 0)
      return pt2_fail(r, SCANC_ERR_NEGATIVE_SIZE, "%.100s: expected a size of 0 or more, got %lld",
                      what, (long long)dims[i].k);
  *out = type_tensor(r->mem, d, dims, rank);
  return annotation_fits(*out) ||
         pt2_fail(r, SCANC_ERR_SIZE_OVERFLOW,
                  "%.100s: the number of elements or bytes does not fit 64 bits", what);
}

/* SymBool and SymFloat: a constant, or an expression of which the text is kept. */
static bool number_type(pt2 *r, json_t *v, const char *what, bool is_float, const type **out) {
  const char *key;
  json_t *x;
  pt2_sym s;
  bool flag;
  double f;
  SCANC_TRY(pt2_union(r, v, what, &key, &x));
  if (!strcmp(key, "as_bool")) {
    SCANC_TRY(pt2_bool(r, x, what, &flag));
    *out = type_bool(r->mem, flag);
    return true;
  }
  if (!strcmp(key, "as_float")) {
    SCANC_TRY(pt2_float(r, x, what, &f));
    *out = type_float(r->mem, f);
    return true;
  }
  const char *text = pt2_text(x, "expr_str");
  if (strcmp(key, "as_expr") || !text)
    return pt2_fail(r, SCANC_ERR_UNSUPPORTED, "%.100s: unsupported: symbolic value %.100s", what,
                    key);
  SCANC_TRY(pt2_symbolic(r, text, what, &s));
  if (is_float && s.kind == FX_SYM_INT) s.text = arena_printf(r->mem, "ToFloat(%s)", s.text);
  else if (s.kind != (is_float ? FX_SYM_FLOAT : FX_SYM_BOOL))
    return pt2_fail(r, SCANC_ERR_BAD_JSON, "%.100s: expected a %s, got %.100s", what,
                    is_float ? "float" : "condition", text);
  *out = is_float ? type_float_unknown(r->mem, s.text) : type_bool_unknown(r->mem, s.text);
  return true;
}

bool pt2_stated_type(pt2_body *b, const char *name, const type **out) {
  dim d;
  json_t *v = pt2_field(pt2_field(b->json, "tensor_values"), name);
  *out = NULL;
  if (v) return pt2_tensor_type(b->r, v, name, out);
  v = pt2_field(pt2_field(b->json, "sym_int_values"), name);
  if (v) {
    SCANC_TRY(pt2_size(b->r, v, name, &d));
    *out = type_int(b->r->mem, d);
    return true;
  }
  v = pt2_field(pt2_field(b->json, "sym_bool_values"), name);
  if (v) return number_type(b->r, v, name, false, out);
  v = pt2_field(pt2_field(b->json, "sym_float_values"), name);
  return !v || number_type(b->r, v, name, true, out);
}
