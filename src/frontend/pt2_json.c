/* JSON of archives: parsing, and fields with their defaults. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "frontend/lex.h"
#include "frontend/pt2_reader.h"

json_t *pt2_parse_json(pt2 *r, const char *what, const void *text, size_t n) {
  json_error_t e = {0};
  if (n > PT2_MAX_JSON) {
    pt2_record(r, SCANC_ERR_UNSUPPORTED, "%.200s: %zu bytes; the limit is %d", what, n,
               PT2_MAX_JSON);
    return NULL;
  }
  json_t *j = json_loadb(text, n, JSON_REJECT_DUPLICATES, &e);
  if (j) return j;
  if (json_error_code(&e) == json_error_stack_overflow)
    pt2_record(r, SCANC_ERR_TOO_DEEP, "%.200s: nested deeper than 2048", what);
  else if (json_error_code(&e) == json_error_out_of_memory || !*e.text) /* it may say nothing */
    pt2_record(r, SCANC_ERR_NO_MEMORY, "%.200s: no memory for %zu bytes of JSON", what, n);
  else pt2_record(r, SCANC_ERR_BAD_JSON, "%.200s: line %d: %s", what, e.line, e.text);
  return NULL;
}

json_t *pt2_load_json(pt2 *r, const archive_entry *e) {
  if (!archive_check(r->a, e, &r->m->err)) return NULL;
  return pt2_parse_json(r, e->name, e->data, e->size);
}

json_t *pt2_field(json_t *o, const char *key) {
  json_t *v = json_object_get(o, key);
  return json_is_null(v) ? NULL : v;
}

const char *pt2_text(json_t *o, const char *key) { return json_string_value(pt2_field(o, key)); }

bool pt2_union(pt2 *r, json_t *v, const char *what, const char **key, json_t **value) {
  void *it = json_object_size(v) == 1 ? json_object_iter(v) : NULL;
  if (!it)
    return pt2_fail(r, SCANC_ERR_BAD_JSON, "%.100s: expected an object with one key, as unions are",
                    what);
  *key = json_object_iter_key(it);
  *value = json_object_iter_value(it);
  return true;
}

bool pt2_int(pt2 *r, json_t *v, const char *what, int64_t *out) {
  *out = json_integer_value(v);
  return json_is_integer(v) || pt2_fail(r, SCANC_ERR_BAD_JSON, "%.100s: expected an integer", what);
}

bool pt2_float(pt2 *r, json_t *v, const char *what, double *out) {
  const char *s = json_string_value(v);
  *out = json_number_value(v);
  if (json_is_number(v)) return true;
  bool known = s && (!strcmp(s, "Infinity") || !strcmp(s, "-Infinity") || !strcmp(s, "NaN"));
  if (known) *out = *s == 'N' ? NAN : *s == '-' ? -INFINITY : INFINITY;
  return known || pt2_fail(r, SCANC_ERR_BAD_JSON, "%.100s: expected a number", what);
}

bool pt2_bool(pt2 *r, json_t *v, const char *what, bool *out) {
  *out = json_is_true(v);
  return json_is_boolean(v) ||
         pt2_fail(r, SCANC_ERR_BAD_JSON, "%.100s: expected true or false", what);
}

static bool in_name(unsigned char c, bool first) {
  return c == '_' || c >= 0x80 || (first ? isalpha(c) : isalnum(c));
}

bool pt2_is_name(const char *name) {
  bool ok = *name != 0;
  for (const char *p = name; ok && *p; p++) ok = in_name((unsigned char)*p, p == name);
  return ok;
}

bool pt2_check_name(pt2 *r, const char *name, const char *what) {
  bool taken = graph_is_keyword(name) || !strcmp(name, "self") || !strcmp(name, "torch");
  bool ok = pt2_is_name(name) && !taken;
  if (ok && strlen(name) <= LEX_MAX_NAME) return true;
  return pt2_fail(r, ok ? SCANC_ERR_NAME_TOO_LONG : SCANC_ERR_BAD_JSON,
                  "'%.60s' cannot be the name of %s", name, what);
}

/* ---- element types ---- */

static const struct {
  int code;
  scanc_dtype dtype;
} dtypes[] = {{1, SCANC_U8},   {2, SCANC_I8},    {3, SCANC_I16},   {4, SCANC_I32},
              {5, SCANC_I64},  {6, SCANC_F16},   {7, SCANC_F32},   {8, SCANC_F64},
              {10, SCANC_C64}, {11, SCANC_C128}, {12, SCANC_BOOL}, {13, SCANC_BF16}};
enum { N_DTYPES = sizeof dtypes / sizeof *dtypes };

/* Types that PyTorch has and scanc has not. */
static const char *foreign_dtype(int64_t code) {
  static const char *const late[] = {"u16",        "f8e4m3fn",  "f8e5m2", "f8e4m3fnuz",
                                     "f8e5m2fnuz", "f8e8m0fnu", "u32",    "u64"};
  return code == 9 ? "c32" : code >= 28 && code <= 35 ? late[code - 28] : NULL;
}

bool pt2_dtype(pt2 *r, json_t *v, const char *what, scanc_dtype *out) {
  int64_t code;
  SCANC_TRY(pt2_int(r, v, what, &code));
  for (int i = 0; i < N_DTYPES; i++) {
    if (dtypes[i].code != code) continue;
    *out = dtypes[i].dtype;
    return true;
  }
  if (foreign_dtype(code))
    return pt2_fail(r, SCANC_ERR_BAD_DTYPE, "%.100s: unsupported: element type %s", what,
                    foreign_dtype(code));
  return pt2_fail(r, SCANC_ERR_BAD_DTYPE, "%.100s: unknown element type: code %lld", what,
                  (long long)code);
}

int pt2_dtype_code(scanc_dtype d) {
  int i = 0;
  while (dtypes[i].dtype != d) i++;
  return dtypes[i].code;
}
