/* Annotations: f32[7, 3], f32[s0, 4][4, 1]cuda:0, Sym(s0 + 1), (f32[2], i64[2]), Parameter(f32[2]),
 * or a Python type. Strides and devices are read and dropped: they are not part of a type. */
#include <ctype.h>
#include <string.h>

#include "frontend/annotation.h"
#include "frontend/fx_reader.h"

enum { ANNOT_MAX_DEPTH = 32 };

typedef struct {
  reader *r;
  const char *p, *end;
  const token *at;
  int depth;
} annot;

static bool annot_type(annot *a, const type **out);

static void skip_blanks(annot *a) {
  while (a->p < a->end && (*a->p == ' ' || *a->p == '\t' || *a->p == '\n')) a->p++;
}

static bool take(annot *a, char c) {
  skip_blanks(a);
  if (a->p == a->end || *a->p != c) return false;
  a->p++;
  return true;
}

static bool annot_fail(annot *a, const char *expected) {
  int n = (int)(a->end - a->p);
  if (n <= 0)
    return fx_fail(a->r, a->at, SCANC_ERR_SYNTAX, "annotation: expected %s, got its end", expected);
  return fx_fail(a->r, a->at, SCANC_ERR_SYNTAX, "annotation: expected %s, got '%.*s'", expected,
                 n > 30 ? 30 : n, a->p);
}

static bool annot_dim(annot *a, dim *out) {
  fx_sym s;
  skip_blanks(a);
  const char *start = a->p;
  SCANC_TRY(fx_symbolic(a->r, &a->p, a->end, a->at, &s));
  if (s.kind != FX_SYM_INT)
    return fx_fail(a->r, a->at, SCANC_ERR_SYNTAX, "annotation: the size '%.*s' is not an integer",
                   (int)(a->p - start > 60 ? 60 : a->p - start), start);
  if (dim_is_int(s.d) && s.d.k < 0)
    return fx_fail(a->r, a->at, SCANC_ERR_NEGATIVE_SIZE,
                   "annotation: expected a size of 0 or more, got %lld", (long long)s.d.k);
  *out = s.d;
  return true;
}

/* Sizes between brackets, the opening one taken. */
static bool annot_dims(annot *a, dim *dims, int *n) {
  for (*n = 0; !take(a, ']');) {
    if (*n && !take(a, ',')) return annot_fail(a, "',' or ']'");
    if (*n == SCANC_MAX_RANK)
      return fx_fail(a->r, a->at, SCANC_ERR_UNSUPPORTED, "annotation: more than %d dimensions",
                     SCANC_MAX_RANK);
    SCANC_TRY(annot_dim(a, &dims[*n]));
    ++*n;
  }
  return true;
}

/* Types that PyTorch has and scanc has not. */
static bool is_foreign_dtype(const char *s, size_t n) {
  static const char *const names[] = {
      "f8e4m3fn", "f8e5m2", "f8e4m3fnuz", "f8e5m2fnuz", "f8e8m0fnu", "f8e8m0fnu_x4", "f4e2m1fnx2",
      "c32",      "u16",    "u32",        "u64",        "b16",       "b1x8"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == n && !memcmp(names[i], s, n)) return true;
  return false;
}

static bool annot_tensor(annot *a, const char *name, size_t n, const type **out) {
  scanc_dtype dtype = SCANC_F32;
  bool known = dtype_from_fx(name, n, &dtype);
  dim dims[SCANC_MAX_RANK], strides[SCANC_MAX_RANK];
  int rank, n_strides;
  if (!known && !is_foreign_dtype(name, n))
    return fx_fail(a->r, a->at, SCANC_ERR_BAD_DTYPE, "annotation: unknown element type '%.*s'",
                   (int)(n > 60 ? 60 : n), name);
  SCANC_TRY(annot_dims(a, dims, &rank));
  if (take(a, '[')) SCANC_TRY(annot_dims(a, strides, &n_strides));
  while (a->p < a->end && (isalnum((unsigned char)*a->p) || *a->p == '_' || *a->p == ':'))
    a->p++; /* device */
  if (!known) return true;
  const type *t = type_tensor(a->r->mem, dtype, dims, rank);
  if (!annotation_fits(t))
    return fx_fail(a->r, a->at, SCANC_ERR_SIZE_OVERFLOW,
                   "annotation: the number of elements or bytes does not fit 64 bits");
  *out = t;
  return true;
}

static bool annot_sym(annot *a, const type **out) {
  fx_sym s;
  skip_blanks(a);
  const char *start = a->p;
  SCANC_TRY(fx_symbolic(a->r, &a->p, a->end, a->at, &s));
  const char *text = fx_sym_text(a->r, start, a->p);
  if (!take(a, ')')) return annot_fail(a, "')'");
  if (s.kind == FX_SYM_INT) *out = type_int(a->r->mem, s.d);
  if (s.kind == FX_SYM_BOOL) *out = type_bool_unknown(a->r->mem, text);
  if (s.kind == FX_SYM_FLOAT) *out = type_float_unknown(a->r->mem, text);
  return true;
}

/* A Python type such as typing.List[torch.Tensor]: says nothing. The brackets are matched. */
static bool annot_python(annot *a) {
  int depth = 0;
  for (; a->p < a->end; a->p++) {
    if (strchr("([{", *a->p)) depth++;
    if (strchr(")]}", *a->p) && depth-- == 0) break;
    if (*a->p == ',' && depth == 0) break;
  }
  return true;
}

/* Parameter(f32[2]), DTensor(f32[4], placements). */
static bool annot_wrapper(annot *a, const type **out) {
  SCANC_TRY(annot_type(a, out));
  if (take(a, ',')) {
    int depth = 0;
    for (; a->p < a->end && (depth || *a->p != ')'); a->p++)
      depth += *a->p == '(' ? 1 : *a->p == ')' ? -1 : 0;
  }
  return take(a, ')') || annot_fail(a, "')'");
}

static bool annot_list(annot *a, char closing, const type **out) {
  VEC(const type *) items = {0};
  while (!take(a, closing)) {
    const type *t = NULL;
    if (items.len && !take(a, ','))
      return annot_fail(a, closing == ')' ? "',' or ')'" : "',' or ']'");
    if (take(a, closing)) break;
    SCANC_TRY(annot_type(a, &t));
    vec_push(a->r->mem, &items, t);
  }
  *out = type_list(a->r->mem, items.data, items.len);
  return true;
}

static bool looks_like_dtype(const char *s, size_t n) {
  size_t letters = 0;
  while (letters < n && islower((unsigned char)s[letters])) letters++;
  return letters > 0 && letters < n && isdigit((unsigned char)s[letters]);
}

static bool annot_type(annot *a, const type **out) {
  *out = NULL;
  if (a->depth++ > ANNOT_MAX_DEPTH)
    return fx_fail(a->r, a->at, SCANC_ERR_TOO_DEEP, "annotation: nested deeper than %d",
                   ANNOT_MAX_DEPTH);
  skip_blanks(a);
  const char *name = a->p;
  while (a->p < a->end && (isalnum((unsigned char)*a->p) || *a->p == '_')) a->p++;
  size_t n = (size_t)(a->p - name);
  bool ok;
  if (n == 0 && take(a, '(')) ok = annot_list(a, ')', out);
  else if (n == 0 && take(a, '[')) ok = annot_list(a, ']', out);
  else if (n == 0) ok = annot_fail(a, "a type such as f32[2, 3] or Sym(s0)");
  else if (a->p < a->end && *a->p == '[' && looks_like_dtype(name, n))
    ok = a->p++, annot_tensor(a, name, n, out);
  else if (n == 3 && !memcmp(name, "Sym", 3) && take(a, '(')) ok = annot_sym(a, out);
  else if (a->p < a->end && *a->p == '(') ok = a->p++, annot_wrapper(a, out);
  else if (looks_like_dtype(name, n)) ok = annot_fail(a, "'[' behind the element type");
  else ok = annot_python(a);
  a->depth--;
  return ok;
}

/* The end of an annotation without quotes. */
static const token *bare_end(const token *t, const token *end) {
  int depth = 0;
  for (; t < end && !tok_ends_line(t); t++) {
    if (tok_op(t, '(') || tok_op(t, '[') || tok_op(t, '{')) depth++;
    if ((tok_op(t, ')') || tok_op(t, ']') || tok_op(t, '}')) && depth-- == 0) break;
    if (depth == 0 && (tok_op(t, '=') || tok_op(t, ',') || tok_op(t, ';'))) break;
  }
  return t;
}

bool fx_annotation(reader *r, const token **t, const token *end, fx_annot *out) {
  const token *at = *t;
  annot a = {.r = r, .at = at, .p = at->s};
  if (at->kind == TOK_STR) {
    a.end = at->s + at->len;
    ++*t;
  } else {
    const token *stop = bare_end(at, end);
    if (stop == at)
      return fx_fail(r, at, SCANC_ERR_SYNTAX, "expected an annotation, got %s", fx_show(r, at));
    a.end = stop[-1].s + stop[-1].len;
    *t = stop;
  }
  *out = (fx_annot){.given = true, .at = at};
  SCANC_TRY(annot_type(&a, &out->type));
  if (out->type && out->type->kind == TYPE_LIST) out->type = NULL; /* PyTorch prints none */
  skip_blanks(&a);
  return a.p == a.end || annot_fail(&a, "its end");
}
