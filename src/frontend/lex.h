/* Tokens of PyTorch's printed programs: Python's lexical rules as far as the printers use them.
 * Colour codes and carriage returns are removed first; comments at the start of a line are kept as
 * tokens, because "# File:" comments say where nodes come from and "# inputs" is part of a
 * signature. */
#ifndef SCANC_FRONTEND_LEX_H
#define SCANC_FRONTEND_LEX_H

#include "base/arena.h"
#include "base/err.h"

typedef enum {
  TOK_END,
  TOK_NEWLINE, /* end of a logical line: never inside brackets, never twice in a row */
  TOK_COMMENT, /* a whole line; s is the text behind '#' */
  TOK_NAME,
  TOK_INT,
  TOK_FLOAT,
  TOK_IMAG, /* 2j; s without the j */
  TOK_STR,  /* s: the source text between the quotes, escapes not yet replaced */
  TOK_BYTES,
  TOK_OP /* op: the characters packed, first one highest: OP2('=', '=') */
} tok_kind;

typedef struct {
  tok_kind kind;
  unsigned op;
  const char *s; /* in the cleaned text */
  int len;
  int line, col; /* of the first character; from 1 */
  int indent;    /* columns of white space before the first token of its line */
} token;

#define OP1(a) ((unsigned)(a))
#define OP2(a, b) ((unsigned)(a) << 8 | (unsigned)(b))
#define OP3(a, b, c) ((unsigned)(a) << 16 | (unsigned)(b) << 8 | (unsigned)(c))

enum { LEX_MAX_NESTING = 200, LEX_MAX_NAME = 1024 };

typedef struct {
  const char *text; /* cleaned, terminated */
  size_t n;
  token *toks; /* the last one is TOK_END */
} lexed;

/* A copy without colour codes (ESC [ ... m) and carriage returns before newlines. */
char *lex_clean(arena *mem, const char *text, size_t n, size_t *out_n);
/* Splits cleaned text. Everything lives in mem. Errors: SYNTAX, UNTERMINATED_STRING, BAD_NUMBER,
 * TOO_DEEP, NAME_TOO_LONG. */
bool lex_text(arena *mem, const char *text, size_t n, const char *file, lexed *out,
              scanc_error *err);

bool tok_is(const token *t, const char *word); /* a name with this text */
static inline bool tok_op(const token *t, unsigned op) { return t->kind == TOK_OP && t->op == op; }
static inline bool tok_ends_line(const token *t) {
  return t->kind == TOK_NEWLINE || t->kind == TOK_END;
}

/* The bytes of a string token with its escapes replaced, terminated; `*len` without the terminator.
 * NULL: a bad escape. */
char *lex_unescape(arena *mem, const token *t, int *len);
/* An int64 from digits (decimal or 0x); false when it does not fit. */
bool lex_int(const char *s, int len, int64_t *out);
double lex_float(const char *s, int len);

#endif
