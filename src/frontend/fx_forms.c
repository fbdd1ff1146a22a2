/* Printouts that are not programs: recognised by their first words, so that the message can say
 * what to pass instead.
 */
#include <ctype.h>
#include <string.h>

#include "frontend/fx_reader.h"

static bool starts(const char *s, const char *end, const char *word) {
  size_t n = strlen(word);
  return (size_t)(end - s) >= n && memcmp(s, word, n) == 0;
}

/* "opcode         name      target ...": the head of print_tabular(). */
static bool is_table_head(const char *s, const char *end) {
  if (!starts(s, end, "opcode ")) return false;
  for (s += 7; s < end && *s == ' '; s++) continue;
  return starts(s, end, "name ");
}

/* "Sequential(" alone on a line: the tree of a torch.nn.Module. */
static bool is_module_tree(const char *s, const char *end) {
  const char *p = s;
  while (p < end && (isalnum((unsigned char)*p) || *p == '_')) p++;
  if (p == s || p == end || *p != '(') return false;
  for (p++; p < end && *p == ' '; p++) continue;
  return p == end || (starts(p, end, ")") && p + 1 == end && isupper((unsigned char)*s));
}

static const char *form_of(const char *s, const char *end) {
  if (starts(s, end, "graph(") || starts(s, end, "graph :"))
    return "the listing of str(graph), which is ambiguous";
  if (is_table_head(s, end)) return "the table of graph.print_tabular()";
  if (is_module_tree(s, end)) return "the tree of a torch.nn.Module";
  if (starts(s, end, "digraph")) return "a Graphviz drawing";
  return NULL;
}

static bool wrong_form(reader *r, int line, const char *what, bool several) {
  src_loc loc = {.file = r->m->name, .line = line, .col = 1};
  if (several)
    return module_fail(r->m, SCANC_ERR_WRONG_FORM, loc,
                       "several printouts in one file: here begins %s; keep only the one that "
                       "print(exported_program) or gm.print_readable() gives",
                       what);
  return module_fail(r->m, SCANC_ERR_WRONG_FORM, loc,
                     "this is %s, not a program; pass what print(exported_program) or "
                     "gm.print_readable() gives",
                     what);
}

bool fx_check_form(reader *r) {
  const char *p = r->m->text, *end = p + r->m->text_len;
  bool seen = false;
  if (starts(p, end, "PK\003\004")) return wrong_form(r, 1, "an archive", false);
  for (int line = 1; p < end; line++) {
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    if (!stop) stop = end;
    const char *last = stop;
    while (last > p && (last[-1] == ' ' || last[-1] == '\t' || last[-1] == '\r')) last--;
    const char *what = form_of(p, last);
    if (what) return wrong_form(r, line, what, seen);
    seen = seen || last > p;
    p = stop + (stop < end);
  }
  if (!seen)
    return module_fail(r->m, SCANC_ERR_SYNTAX, (src_loc){.file = r->m->name, .line = 1, .col = 1},
                       "the text is empty: expected a program that "
                       "print(exported_program) or gm.print_readable() gives");
  return true;
}
