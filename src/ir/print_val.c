/* Values as Python literals. */
#include <ctype.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/print.h"

/* The next digits away from zero; false where they would be more. */
static bool next_digits(char *buf) {
  for (char *p = strchr(buf, 'e') - 1; p >= buf; p--) {
    if (!isdigit((unsigned char)*p)) continue;
    if (*p != '9') return ++*p, true;
    *p = '0';
  }
  return false;
}

/* The shortest digits that give f back, as "d.ddde+xx". Below a power of two, doubles lie closer:
 * the digits next to it may be of one of them, and the next ones of the power. */
static void shortest(double f, char *buf, size_t n) {
  for (int digits = 0; digits < 17; digits++) {
    snprintf(buf, n, "%.*e", digits, f);
    if (strtod(buf, NULL) == f) break;
    if (next_digits(buf) && strtod(buf, NULL) == f) break;
  }
  char *point = strchr(buf, *localeconv()->decimal_point);
  if (point) *point = '.';
}

/* as Python's repr */
static void print_float(str *out, double f) {
  if (isnan(f) || isinf(f)) {
    str_append(out, isnan(f) ? "nan" : f > 0 ? "inf" : "-inf");
    return;
  }
  char buf[40];
  shortest(f, buf, sizeof buf);
  char *e = strchr(buf, 'e');
  int exp = atoi(e + 1);
  *e = 0;
  if (*buf == '-') str_char(out, '-');
  char *d = *buf == '-' ? buf + 1 : buf;
  char digits[24] = {*d};
  if (d[1] == '.') strcat(digits, d + 2);
  int n = (int)strlen(digits);
  if (exp < -4 || exp >= 16) {
    str_printf(out, "%c%s%se%c%02d", *digits, n > 1 ? "." : "", digits + 1, exp < 0 ? '-' : '+',
               abs(exp));
  } else if (exp < 0) {
    str_printf(out, "0.%.*s%s", -exp - 1, "0000", digits);
  } else if (n <= exp + 1) {
    str_printf(out, "%s%.*s.0", digits, exp + 1 - n, "0000000000000000");
  } else {
    str_printf(out, "%.*s.%s", exp + 1, digits, digits + exp + 1);
  }
}

void print_string(str *out, const char *s, int n, bool bytes) {
  bool single = memchr(s, '\'', (size_t)n) != NULL, twice = memchr(s, '"', (size_t)n) != NULL;
  char quote = single && !twice ? '"' : '\'';
  if (bytes) str_char(out, 'b');
  str_char(out, quote);
  for (int i = 0; i < n; i++) {
    unsigned char c = (unsigned char)s[i];
    if (c == '\\' || c == (unsigned char)quote) str_printf(out, "\\%c", c);
    else if (c == '\n') str_append(out, "\\n");
    else if (c == '\r') str_append(out, "\\r");
    else if (c == '\t') str_append(out, "\\t");
    else if (c < ' ' || c == 0x7f || (bytes && c >= 0x80)) str_printf(out, "\\x%02x", c);
    else str_char(out, (char)c);
  }
  str_char(out, quote);
}

bool print_is_identifier(const char *s) {
  if (!*s || isdigit((unsigned char)*s)) return false;
  for (; *s; s++)
    if (!isalnum((unsigned char)*s) && *s != '_' && (unsigned char)*s < 0x80) return false;
  return true;
}

static void print_items(str *out, val v, const char *open, const char *close) {
  str_append(out, open);
  for (int i = 0; i < v.n; i++) {
    if (i) str_append(out, ", ");
    val_print(out, v.items[i]);
  }
  str_append(out, v.kind == VAL_TUPLE && v.n == 1 ? "," : "");
  str_append(out, close);
}

static void print_dict(str *out, val v) {
  str_char(out, '{');
  for (int i = 0; i + 1 < v.n; i += 2) {
    if (i) str_append(out, ", ");
    val_print(out, v.items[i]);
    str_append(out, ": ");
    val_print(out, v.items[i + 1]);
  }
  str_char(out, '}');
}

/* Without ".0", as Python shows the parts of a complex number. */
static void print_part(str *out, double f) {
  str text = {0};
  print_float(&text, f);
  size_t n = text.len;
  str_append_n(out, str_cstr(&text), n > 2 && !strcmp(text.data + n - 2, ".0") ? n - 2 : n);
  str_free(&text);
}

/* 2j, (1+2j); complex(-0.0, inf) where the sum would not evaluate to the same parts. */
static void print_complex(str *out, double re, double im) {
  bool odd = !isfinite(re) || !isfinite(im) || (re == 0 && signbit(re)) || (im == 0 && signbit(im));
  if (odd) {
    str_append(out, "complex(");
    print_float(out, re);
    str_append(out, ", ");
    print_float(out, im);
    str_char(out, ')');
  } else if (re == 0 && !signbit(im)) {
    print_part(out, im);
    str_char(out, 'j');
  } else {
    str_char(out, '(');
    print_part(out, re);
    if (!signbit(im)) str_char(out, '+');
    print_part(out, im);
    str_append(out, "j)");
  }
}

void val_print(str *out, val v) {
  switch (v.kind) {
    case VAL_ABSENT: break;
    case VAL_NODE: str_append(out, v.node->name); break;
    case VAL_NONE: str_append(out, "None"); break;
    case VAL_BOOL: str_append(out, v.i ? "True" : "False"); break;
    case VAL_INT: str_printf(out, "%" PRId64, v.i); break;
    case VAL_FLOAT: print_float(out, v.f); break;
    case VAL_COMPLEX: print_complex(out, v.f, v.im); break;
    case VAL_STR: print_string(out, v.s, v.n, false); break;
    case VAL_BYTES: print_string(out, v.s, v.n, true); break;
    case VAL_DTYPE: str_append(out, dtype_torch(v.dtype)); break;
    case VAL_ELLIPSIS: str_append(out, "Ellipsis"); break;
    case VAL_BIGINT:
    case VAL_ATOM: str_append(out, v.s); break;
    case VAL_LIST: print_items(out, v, "[", "]"); break;
    case VAL_TUPLE: print_items(out, v, "(", ")"); break;
    case VAL_DICT: print_dict(out, v); break;
    case VAL_SLICE: print_items(out, v, "slice(", ")"); break;
    case VAL_RANGE: print_items(out, v, "range(", ")"); break;
    case VAL_SIZE: print_items(out, v, "torch.Size([", "])"); break;
  }
}

void print_operand(str *out, val v) {
  bool negative = (v.kind == VAL_INT && v.i < 0) ||
                  (v.kind == VAL_FLOAT && signbit(v.f) && !isnan(v.f)) ||
                  (v.kind == VAL_BIGINT && *v.s == '-');
  if (negative) str_char(out, '(');
  val_print(out, v);
  if (negative) str_char(out, ')');
}
