/* Classes become graphs, inner ones first. An attribute that the body reads from self is the class
 * of that name inside the same class; where none has it, PyTorch's habits decide: functions gave
 * old texts their names, and a graph registered under two names is printed once. */
#include <ctype.h>
#include <string.h>

#include "frontend/fx_reader.h"

/* A name such as scan_combine_graph_0; `*stem` gets the length without the number. */
static bool is_numbered(const char *name, size_t *stem) {
  size_t n = strlen(name);
  *stem = n;
  while (n && isdigit((unsigned char)name[n - 1])) n--;
  if (n < 2 || n == strlen(name) || name[n - 1] != '_') return false;
  *stem = n - 1;
  return true;
}

/* Attributes of self that the body mentions, in order, each once: read and called ones apart. */
static void collect_references(fx_body *b, map *refs, map *called) {
  for (const token *t = b->cls->body; t < b->cls->body_end; t++) {
    if (!tok_is(t, "self") || !tok_op(t + 1, '.') || t[2].kind != TOK_NAME || tok_op(t + 3, '.'))
      continue;
    char *name = fx_text(b->r, t + 2);
    map *m = tok_op(t + 3, '(') ? called : refs;
    if (!map_has(m, name)) map_set(m, name, (void *)t);
  }
}

/* Classes named after a Python function take the unresolved references in order, if there are as
 * many. */
static void match_by_order(fx_body *b, const map *refs) {
  int n_classes = 0, n_refs = 0;
  size_t stem;
  for (fx_class *c = b->cls->first_child; c; c = c->next)
    n_classes += !c->referenced && !is_numbered(c->name, &stem);
  for (int i = 0; i < refs->n_entries; i++)
    n_refs +=
        is_numbered(refs->entries[i].key, &stem) && !graph_find_attr(b->g, refs->entries[i].key);
  if (n_classes == 0 || n_classes != n_refs) return;
  fx_class *c = b->cls->first_child;
  for (int i = 0; i < refs->n_entries; i++) {
    const char *name = refs->entries[i].key;
    if (!is_numbered(name, &stem) || graph_find_attr(b->g, name)) continue;
    while (c && (c->referenced || is_numbered(c->name, &stem))) c = c->next;
    if (!c) return; /* not reached: there are as many classes as references */
    c->referenced = true;
    graph_add_attr(b->g, name, ATTR_GRAPH, c->g);
  }
}

/* invoke_subgraph_1 without a class is the one graph printed as invoke_subgraph_<k>, if that one is
 * used too. */
static void match_shared(fx_body *b, const map *refs) {
  map by_stem = map_make(b->r->tmp); /* the one referenced class with that stem, or `several` */
  fx_class several;
  size_t stem;
  for (fx_class *c = b->cls->first_child; c; c = c->next) {
    if (!c->referenced || !is_numbered(c->name, &stem)) continue;
    const char *key = arena_strndup(b->r->tmp, c->name, stem);
    map_set(&by_stem, key, map_has(&by_stem, key) ? &several : c);
  }
  for (int i = 0; i < refs->n_entries && i < FX_MAX_ATTRS; i++) {
    const char *name = refs->entries[i].key;
    if (!is_numbered(name, &stem) || graph_find_attr(b->g, name)) continue;
    fx_class *c = map_get_n(&by_stem, name, stem);
    if (c && c != &several) graph_add_attr(b->g, name, ATTR_GRAPH, c->g);
  }
}

static bool add_attributes(fx_body *b) {
  map refs = map_make(b->r->tmp), called = map_make(b->r->tmp), seen = map_make(b->r->tmp);
  size_t stem;
  int n = 0;
  collect_references(b, &refs, &called);
  for (fx_class *c = b->cls->first_child; c; c = c->next) {
    bool numbered = is_numbered(c->name, &stem);
    if (++n > FX_MAX_ATTRS)
      return fx_fail(b->r, c->at, SCANC_ERR_UNSUPPORTED, "more than %d classes in one class",
                     FX_MAX_ATTRS);
    if (map_has(&seen, c->name)) {
      if (!numbered) continue;
      return fx_fail(b->r, c->at, SCANC_ERR_DUPLICATE_NAME,
                     "two classes of one class are named %.100s", c->name);
    }
    map_set(&seen, c->name, c);
    c->referenced = map_has(&refs, c->name) || map_has(&called, c->name);
    if (c->referenced || numbered) graph_add_attr(b->g, c->name, ATTR_GRAPH, c->g);
  }
  match_by_order(b, &refs);
  match_shared(b, &refs);
  return true;
}

static bool read_body(reader *r, fx_class *cls) {
  fx_body b = {.r = r,
               .cls = cls,
               .g = cls->g,
               .c = cursor_end(cls->g),
               .names = map_make(r->tmp),
               .defined = map_make(r->tmp),
               .old_by_name = map_make(r->tmp)};
  SCANC_TRY(add_attributes(&b));
  SCANC_TRY(fx_prescan(&b));
  SCANC_TRY(fx_parameters(&b));
  SCANC_TRY(fx_body_read(&b));
  SCANC_TRY(fx_check_old(&b));
  return cls->parent || fx_check_signature(r, &b);
}

bool fx_build(reader *r, fx_class *cls) {
  for (fx_class *c = cls->first_child; c; c = c->next) SCANC_TRY(fx_build(r, c));
  cls->g = graph_new(r->m, cls->name);
  cls->g->bare = cls->bare;
  cls->g->loc = fx_loc(r, cls->def);
  return read_body(r, cls);
}
