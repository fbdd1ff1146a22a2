#include "frontend/lex.h"

#include <ctype.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

typedef struct {
  arena *mem;
  const char *p, *end, *line_start;
  const char *file;
  int line, indent;
  bool fresh;                 /* nothing on this line yet */
  char open[LEX_MAX_NESTING]; /* closing brackets that are awaited */
  src_loc opened[LEX_MAX_NESTING];
  int depth;
  VEC(token) toks;
  scanc_error *err;
} lexer;

static src_loc lex_here(const lexer *x) {
  return (src_loc){.file = x->file, .line = x->line, .col = (int)(x->p - x->line_start) + 1};
}

char *lex_clean(arena *mem, const char *text, size_t n, size_t *out_n) {
  char *out = arena_alloc(mem, n + 1), *o = out;
  for (size_t i = 0; i < n; i++) {
    if (text[i] == '\x1b' && i + 1 < n && text[i + 1] == '[') {
      size_t j = i + 2;
      while (j < n && (isdigit((unsigned char)text[j]) || text[j] == ';')) j++;
      if (j < n && text[j] == 'm') {
        i = j;
        continue;
      }
    }
    if (text[i] == '\r' && i + 1 < n && text[i + 1] == '\n') continue;
    *o++ = text[i];
  }
  *o = 0;
  *out_n = (size_t)(o - out);
  return out;
}

static bool is_name_start(char c) {
  return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}
static bool is_name_char(char c) { return is_name_start(c) || isdigit((unsigned char)c); }

/* Length of the UTF-8 sequence at s, 0 if it is malformed. */
static int utf8_len(const char *s, const char *end) {
  unsigned char c = (unsigned char)*s;
  int n = c < 0x80                ? 1
          : c >= 0xc2 && c < 0xe0 ? 2
          : c >= 0xe0 && c < 0xf0 ? 3
          : c >= 0xf0 && c < 0xf5 ? 4
                                  : 0;
  if (n == 0 || end - s < n) return 0;
  for (int i = 1; i < n; i++)
    if (((unsigned char)s[i] & 0xc0) != 0x80) return 0;
  if (c == 0xe0 && (unsigned char)s[1] < 0xa0) return 0;
  if (c == 0xed && (unsigned char)s[1] > 0x9f) return 0;
  if (c == 0xf0 && (unsigned char)s[1] < 0x90) return 0;
  if (c == 0xf4 && (unsigned char)s[1] > 0x8f) return 0;
  return n;
}

static token *lex_push(lexer *x, tok_kind kind, const char *start, const char *s, int len) {
  token t = {.kind = kind,
             .s = s,
             .len = len,
             .line = x->line,
             .col = (int)(start - x->line_start) + 1,
             .indent = x->indent};
  vec_push(x->mem, &x->toks, t);
  x->fresh = false;
  return &vec_last(&x->toks);
}

static bool lex_stray(lexer *x) {
  unsigned char c = (unsigned char)*x->p;
  if (isgraph(c)) return err_set(x->err, SCANC_ERR_SYNTAX, lex_here(x), "stray character '%c'", c);
  return err_set(x->err, SCANC_ERR_SYNTAX, lex_here(x),
                 "stray byte 0x%02x: not the text of a program", c);
}

static bool lex_name(lexer *x) {
  const char *start = x->p;
  while (x->p < x->end && is_name_char(*x->p)) {
    int n = utf8_len(x->p, x->end);
    if (n == 0) return lex_stray(x);
    x->p += n;
  }
  if (x->p - start > LEX_MAX_NAME) {
    long len = (long)(x->p - start);
    x->p = start;
    return err_set(x->err, SCANC_ERR_NAME_TOO_LONG, lex_here(x),
                   "a name of %ld bytes; the limit is %d", len, LEX_MAX_NAME);
  }
  lex_push(x, TOK_NAME, start, start, (int)(x->p - start));
  return true;
}

static const char *skip_digits(const lexer *x, const char *p) {
  while (p < x->end && isdigit((unsigned char)*p)) p++;
  return p;
}

static bool lex_bad_number(lexer *x, const char *start, const char *p) {
  int n = 0;
  while (p < x->end && n < 40 && (is_name_char(*p) || *p == '.')) p++, n++;
  return err_set(x->err, SCANC_ERR_BAD_NUMBER, lex_here(x), "malformed number '%.*s'",
                 (int)(p - start > 60 ? 60 : p - start), start);
}

static bool lex_number(lexer *x) {
  const char *start = x->p, *p = x->p;
  tok_kind kind = TOK_INT;
  if (*p == '0' && p + 1 < x->end && (p[1] == 'x' || p[1] == 'X')) {
    p += 2;
    const char *digits = p;
    while (p < x->end && isxdigit((unsigned char)*p)) p++;
    if (p == digits) return lex_bad_number(x, start, p);
  } else {
    p = skip_digits(x, p);
    if (p - start > 1 && *start == '0' && (p == x->end || (*p != '.' && *p != 'e' && *p != 'j')))
      return lex_bad_number(x, start, p);
    if (p < x->end && *p == '.') {
      kind = TOK_FLOAT;
      p = skip_digits(x, p + 1);
    }
    if (p < x->end && (*p == 'e' || *p == 'E')) {
      const char *q = p + 1;
      if (q < x->end && (*q == '+' || *q == '-')) q++;
      if (q == x->end || !isdigit((unsigned char)*q)) return lex_bad_number(x, start, p);
      kind = TOK_FLOAT;
      p = skip_digits(x, q);
    }
  }
  int len = (int)(p - start);
  if (p < x->end && (*p == 'j' || *p == 'J')) {
    kind = TOK_IMAG;
    p++;
  }
  if (p < x->end && (is_name_char(*p) || *p == '.')) return lex_bad_number(x, start, p);
  x->p = p;
  lex_push(x, kind, start, start, len);
  return true;
}

/* Skips a block in triple quotes: FX prints metadata in such blocks. */
static bool lex_block(lexer *x) {
  char q = *x->p;
  src_loc at = lex_here(x);
  for (x->p += 3; x->p + 2 < x->end; x->p++) {
    if (x->p[0] == q && x->p[1] == q && x->p[2] == q) {
      x->p += 3;
      return true;
    }
    if (*x->p == '\n') {
      x->line++;
      x->line_start = x->p + 1;
    }
  }
  return err_set(x->err, SCANC_ERR_UNTERMINATED_STRING, at,
                 "a block in triple quotes is never closed");
}

static bool lex_string(lexer *x, const char *start, tok_kind kind) {
  char q = *x->p;
  const char *p = x->p + 1;
  while (p < x->end && *p != q && *p != '\n') {
    if (*p == '\\' && p + 1 < x->end && p[1] != '\n') p++;
    int n = utf8_len(p, x->end);
    if (n == 0 || (unsigned char)*p == 0) {
      x->p = p;
      return err_set(x->err, SCANC_ERR_SYNTAX, lex_here(x),
                     "a byte that is not UTF-8 text in a string");
    }
    p += n;
  }
  if (p >= x->end || *p == '\n')
    return err_set(x->err, SCANC_ERR_UNTERMINATED_STRING, lex_here(x),
                   "a string is never closed: expected %c before the end of the line", q);
  lex_push(x, kind, start, x->p + 1, (int)(p - x->p - 1));
  x->p = p + 1;
  return true;
}

static bool lex_open(lexer *x, char closing) {
  if (x->depth == LEX_MAX_NESTING)
    return err_set(x->err, SCANC_ERR_TOO_DEEP, lex_here(x), "brackets nested deeper than %d",
                   LEX_MAX_NESTING);
  x->opened[x->depth] = lex_here(x);
  x->open[x->depth++] = closing;
  return true;
}

static bool lex_close(lexer *x, char c) {
  if (x->depth == 0)
    return err_set(x->err, SCANC_ERR_SYNTAX, lex_here(x), "'%c' closes nothing", c);
  if (x->open[x->depth - 1] != c)
    return err_set(x->err, SCANC_ERR_SYNTAX, lex_here(x),
                   "expected '%c' to close the bracket of column %d, got '%c'",
                   x->open[x->depth - 1], x->opened[x->depth - 1].col, c);
  x->depth--;
  return true;
}

/* Length of the operator at p; 0: none. */
static int op_length(const char *p, const char *end) {
  static const char *const ops[] = {"...", "//=", "**=", "<<=", ">>=", "->", "//", "**",
                                    "<<",  ">>",  "==",  "!=",  "<=",  ">=", "+=", "-=",
                                    "*=",  "/=",  "%=",  "@=",  "&=",  "|=", "^="};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    size_t n = strlen(ops[i]);
    if ((size_t)(end - p) >= n && memcmp(p, ops[i], n) == 0) return (int)n;
  }
  return *p && strchr("+-*/%@&|^~<>=()[]{},:;.", *p) ? 1 : 0;
}

static bool lex_op(lexer *x) {
  const char *start = x->p;
  int n = op_length(start, x->end);
  if (n == 0) return lex_stray(x);
  if (n == 1) {
    if (*start == '(') SCANC_TRY(lex_open(x, ')'));
    if (*start == '[') SCANC_TRY(lex_open(x, ']'));
    if (*start == '{') SCANC_TRY(lex_open(x, '}'));
    if (*start == ')' || *start == ']' || *start == '}') SCANC_TRY(lex_close(x, *start));
  }
  token *t = lex_push(x, TOK_OP, start, start, n);
  for (int i = 0; i < n; i++) t->op = t->op << 8 | (unsigned char)start[i];
  x->p += n;
  return true;
}

static void lex_comment(lexer *x) {
  const char *start = x->p;
  const char *e = memchr(x->p, '\n', (size_t)(x->end - x->p));
  if (!e) e = x->end;
  if (x->fresh && x->depth == 0) {
    lex_push(x, TOK_COMMENT, start, start + 1, (int)(e - start - 1));
    lex_push(x, TOK_NEWLINE, start, start, 0);
  }
  x->p = e;
}

static void lex_newline(lexer *x) {
  if (x->depth == 0 && x->toks.len && vec_last(&x->toks).kind != TOK_NEWLINE)
    lex_push(x, TOK_NEWLINE, x->p, x->p, 0);
  x->line++;
  x->line_start = ++x->p;
  const char *p = x->p;
  while (p < x->end && (*p == ' ' || *p == '\t')) p++;
  if (x->depth == 0) x->indent = (int)(p - x->p);
  x->fresh = true;
}

/* The next token or white space. */
static bool lex_step(lexer *x) {
  char c = *x->p, next = x->p + 1 < x->end ? x->p[1] : 0;
  if (c == '\n') {
    lex_newline(x);
    return true;
  }
  if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
    x->p++;
    return true;
  }
  if (c == '#') {
    lex_comment(x);
    return true;
  }
  if (c == '"' || c == '\'') {
    if (x->end - x->p >= 3 && next == c && x->p[2] == c) return lex_block(x);
    return lex_string(x, x->p, TOK_STR);
  }
  if ((c == 'b' || c == 'B') && (next == '"' || next == '\'')) {
    x->p++;
    return lex_string(x, x->p - 1, TOK_BYTES);
  }
  if (is_name_start(c)) return lex_name(x);
  if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)next))) return lex_number(x);
  return lex_op(x);
}

bool lex_text(arena *mem, const char *text, size_t n, const char *file, lexed *out,
              scanc_error *err) {
  lexer *x = ARENA_NEW(mem, lexer);
  *x = (lexer){.mem = mem,
               .p = text,
               .end = text + n,
               .line_start = text,
               .file = file,
               .line = 1,
               .err = err,
               .fresh = true};
  if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) x->p += 3; /* byte order mark */
  const char *p = x->p;
  while (p < x->end && (*p == ' ' || *p == '\t')) p++;
  x->indent = (int)(p - x->p);
  vec_reserve_(mem, (void **)&x->toks.data, &x->toks.cap, (int)(n / 4) + 16, sizeof(token));
  while (x->p < x->end) SCANC_TRY(lex_step(x));
  if (x->depth) {
    src_loc at = x->opened[x->depth - 1];
    return err_set(err, SCANC_ERR_SYNTAX, at,
                   "a bracket is never closed: expected '%c' before the end of the text",
                   x->open[x->depth - 1]);
  }
  if (x->toks.len && vec_last(&x->toks).kind != TOK_NEWLINE)
    lex_push(x, TOK_NEWLINE, x->p, x->p, 0);
  lex_push(x, TOK_END, x->p, x->p, 0);
  *out = (lexed){text, n, x->toks.data};
  return true;
}

bool tok_is(const token *t, const char *word) {
  size_t n = strlen(word);
  return t->kind == TOK_NAME && (size_t)t->len == n && memcmp(t->s, word, n) == 0;
}

/* ---- the values of tokens ---- */

static int hex_value(const char *s, int n) {
  int v = 0;
  for (int i = 0; i < n; i++) {
    if (!isxdigit((unsigned char)s[i])) return -1;
    int c = tolower((unsigned char)s[i]);
    v = v * 16 + (isdigit(c) ? c - '0' : c - 'a' + 10);
  }
  return v;
}

static int put_utf8(char *o, int c) {
  if (c < 0x80) {
    o[0] = (char)c;
    return 1;
  }
  if (c < 0x800) {
    o[0] = (char)(0xc0 | c >> 6);
    o[1] = (char)(0x80 | (c & 0x3f));
    return 2;
  }
  if (c < 0x10000) {
    o[0] = (char)(0xe0 | c >> 12);
    o[1] = (char)(0x80 | (c >> 6 & 0x3f));
    o[2] = (char)(0x80 | (c & 0x3f));
    return 3;
  }
  o[0] = (char)(0xf0 | c >> 18);
  o[1] = (char)(0x80 | (c >> 12 & 0x3f));
  o[2] = (char)(0x80 | (c >> 6 & 0x3f));
  o[3] = (char)(0x80 | (c & 0x3f));
  return 4;
}

/* Decodes the escape at s (behind the backslash) into *o. Returns the number of characters
 * consumed, 0: bad. */
static int unescape_one(const char *s, int left, bool bytes, char **o) {
  static const char names[] = "\\'\"nrtabfv0", values[] = "\\'\"\n\r\t\a\b\f\v";
  const char *at = strchr(names, *s);
  if (at && *s && *s != '0') {
    *(*o)++ = values[at - names];
    return 1;
  }
  if (*s >= '0' && *s <= '7') {
    int n = 0, v = 0;
    while (n < 3 && n < left && s[n] >= '0' && s[n] <= '7') v = v * 8 + s[n++] - '0';
    if (v > 255) return 0;
    if (bytes) *(*o)++ = (char)v;
    else *o += put_utf8(*o, v);
    return n;
  }
  int digits = *s == 'x' ? 2 : *s == 'u' && !bytes ? 4 : *s == 'U' && !bytes ? 8 : 0;
  if (digits == 0 || left < digits + 1) return 0;
  if (digits == 8 && (s[1] != '0' || s[2] != '0')) return 0;
  int c = hex_value(s + 1, digits);
  if (c < 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return 0;
  if (bytes) *(*o)++ = (char)c;
  else *o += put_utf8(*o, c);
  return digits + 1;
}

char *lex_unescape(arena *mem, const token *t, int *len) {
  char *out = arena_alloc(mem, (size_t)t->len + 1), *o = out;
  for (int i = 0; i < t->len; i++) {
    if (t->s[i] != '\\') {
      *o++ = t->s[i];
      continue;
    }
    int n = unescape_one(t->s + i + 1, t->len - i - 1, t->kind == TOK_BYTES, &o);
    if (n == 0) return NULL;
    i += n;
  }
  *o = 0;
  *len = (int)(o - out);
  return out;
}

bool lex_int(const char *s, int len, int64_t *out) {
  bool hex = len > 2 && (s[1] == 'x' || s[1] == 'X');
  int64_t v = 0;
  for (int i = hex ? 2 : 0; i < len; i++) {
    int d = hex_value(s + i, 1);
    if (__builtin_mul_overflow(v, (int64_t)(hex ? 16 : 10), &v) ||
        __builtin_add_overflow(v, (int64_t)d, &v))
      return false;
  }
  *out = v;
  return true;
}

double lex_float(const char *s, int len) {
  char small[64], *buf = (size_t)len < sizeof small ? small : base_malloc((size_t)len + 1);
  memcpy(buf, s, (size_t)len);
  buf[len] = 0;
  char *point = strchr(buf, '.');
  if (point) *point = *localeconv()->decimal_point; /* strtod reads the host program's locale */
  double v = strtod(buf, NULL);
  if (buf != small) free(buf);
  return v;
}
