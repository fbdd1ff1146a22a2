/* What the forms for other programs share: the graphs that they show, and text that is UTF-8. */
#include "ir/print.h"

/* ---- graphs ---- */

typedef struct {
  arena *mem;
  graph_list list;
} reached;

static void reach(graph *g, void *ctx) {
  reached *r = ctx;
  if (print_place(&r->list, g) < 0) vec_push(r->mem, &r->list, g);
}

graph_list print_graphs(const module *m, arena *mem) {
  reached r = {.mem = mem};
  reach(m->main, &r);
  graph_walk(m->main, reach, &r);
  return r.list;
}

int print_place(const graph_list *l, const graph *g) {
  for (int i = 0; i < l->len; i++)
    if (l->data[i] == g) return i;
  return -1;
}

/* ---- text ---- */

static bool continues(const unsigned char *s, size_t n, size_t from) {
  for (size_t i = from; i < n; i++)
    if ((s[i] & 0xc0) != 0x80) return false;
  return true;
}

/* Bytes of the character that s begins with; 0: it is none. */
static size_t character(const unsigned char *s, size_t n) {
  unsigned char c = s[0];
  size_t len = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
  if (len > n || !continues(s, len, 1)) return 0;
  if (len < 3) return len;
  bool overlong = (c == 0xe0 && s[1] < 0xa0) || (c == 0xf0 && s[1] < 0x90);
  bool outside = (c == 0xed && s[1] >= 0xa0) || (c == 0xf4 && s[1] >= 0x90);
  return overlong || outside ? 0 : len;
}

void print_text(str *out, const char *s, size_t n) {
  for (size_t i = 0; i < n;) {
    size_t len = character((const unsigned char *)s + i, n - i);
    if (len) str_append_n(out, s + i, len);
    else str_char(out, '?');
    i += len ? len : 1;
  }
}
