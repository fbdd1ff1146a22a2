/* Parser of einsum equations: "bij,bjk->bik", with "..." for batch axes. */
#include "ir/einsum.h"

#include <string.h>

enum { FIRST_ELLIPSIS = 52 };

static int label_of(char ch) {
  if (ch >= 'A' && ch <= 'Z') return ch - 'A';
  if (ch >= 'a' && ch <= 'z') return 26 + ch - 'a';
  return -1;
}

/* One group of labels, up to ',' or '-' or the end. *dots is the place of the ellipsis, -1 if there
 * is none. */
static const char *read_group(const char **p, int *labels, int *n, int *dots) {
  *n = 0;
  *dots = -1;
  for (; **p && **p != ',' && **p != '-'; (*p)++) {
    int label = label_of(**p);
    if (**p == ' ') continue;
    if (!strncmp(*p, "...", 3)) {
      if (*dots >= 0) return "two ellipses in one operand";
      *dots = *n;
      *p += 2;
      continue;
    }
    if (label < 0) return "expected letters, commas, '...' and '->'";
    if (*n == SCANC_MAX_RANK) return "too many labels";
    labels[(*n)++] = label;
  }
  return NULL;
}

/* Writes the labels with `n_dots` ellipsis axes inserted at `dots`; they are the last of `n_all`
 * ellipsis axes. */
static void expand(int *out, const int *labels, int n, int dots, int n_dots, int n_all) {
  int k = 0;
  for (int i = 0; i <= n; i++) {
    for (int j = 0; i == dots && j < n_dots; j++) out[k++] = FIRST_ELLIPSIS + n_all - n_dots + j;
    if (i < n) out[k++] = labels[i];
  }
}

/* The result without "->": ellipsis axes, then the labels that occur exactly once. */
static const char *implicit_result(einsum *e, const int *count, int n_all) {
  for (int j = 0; j < n_all; j++) e->out[e->n_out++] = FIRST_ELLIPSIS + j;
  for (int label = 0; label < FIRST_ELLIPSIS; label++) {
    if (count[label] != 1) continue;
    if (e->n_out == SCANC_MAX_RANK) return "too many labels";
    e->out[e->n_out++] = label;
  }
  return NULL;
}

static const char *explicit_result(einsum *e, const char *p, const int *count, int n_all) {
  int labels[SCANC_MAX_RANK], n, dots;
  const char *why = read_group(&p, labels, &n, &dots);
  if (why) return why;
  if (*p) return "expected the end after the result";
  for (int i = 0; i < n; i++) {
    if (!count[labels[i]]) return "a label of the result occurs in no operand";
    for (int j = 0; j < i; j++)
      if (labels[j] == labels[i]) return "a label occurs twice in the result";
  }
  e->n_out = n + (dots >= 0 ? n_all : 0);
  if (e->n_out > SCANC_MAX_RANK) return "too many labels";
  expand(e->out, labels, n, dots, n_all, n_all);
  return NULL;
}

const char *einsum_parse(einsum *e, const char *equation, const int *ranks, int n) {
  int labels[EINSUM_MAX_OPERANDS][SCANC_MAX_RANK], len[EINSUM_MAX_OPERANDS],
      dots[EINSUM_MAX_OPERANDS], n_all = 0;
  int count[FIRST_ELLIPSIS] = {0};
  const char *p = equation;
  *e = (einsum){.n_in = n};
  if (n < 1) return "expected at least one operand";
  if (n > EINSUM_MAX_OPERANDS) return "too many operands";
  for (int k = 0; k < n; k++) {
    const char *why = read_group(&p, labels[k], &len[k], &dots[k]);
    if (why) return why;
    if (k + 1 < n && *p++ != ',') return "fewer groups of labels than operands";
    if (len[k] > ranks[k] || (dots[k] < 0 && len[k] != ranks[k]))
      return "labels and rank of an operand differ";
    if (dots[k] >= 0 && ranks[k] - len[k] > n_all) n_all = ranks[k] - len[k];
    for (int i = 0; i < len[k]; i++) count[labels[k][i]]++;
  }
  if (*p == ',') return "more groups of labels than operands";
  for (int k = 0; k < n; k++)
    expand(e->in[k], labels[k], len[k], dots[k], ranks[k] - len[k], n_all);
  if (!*p) return implicit_result(e, count, n_all);
  if (p[0] != '-' || p[1] != '>') return "expected '->'";
  return explicit_result(e, p + 2, count, n_all);
}
