/* Common subexpressions: of two equal computations in one graph the later one goes. Equal means the
 * same op with equal operands, literals compared with their types and floats by bits (so 1, 1.0 and
 * True differ, and so do 0.0 and -0.0). Ops with effects, directly or in a subgraph, are never
 * merged. */
#include "passes/hop.h"
#include "passes/pass.h"

typedef struct entry {
  node *n;
  uint64_t hash;
  struct entry *next;
} entry;

typedef struct {
  module *m;
  arena *mem;
  const bool *effects;
  bool changed;
  entry **slots; /* of the current graph */
  uint64_t mask;
} cse;

static uint64_t mix(uint64_t h, uint64_t v) { return (h ^ v) * 0x9E3779B97F4A7C15u; }

static bool has_key(const cse *c, const node *n) {
  if (n->kind == NODE_GET_ATTR) return true;
  return n->op && !n->in_place && !n->scan && n->type && !node_has_effect(n, c->effects);
}

static bool commutes(const node *n) { return (n->op->traits & T_COMM) && n->op->n_operands >= 2; }

static uint64_t hash_node(const node *n) {
  if (n->kind == NODE_GET_ATTR) {
    uint64_t h = 1;
    for (const char *s = n->path; *s; s++) h = mix(h, (unsigned char)*s);
    return h;
  }
  uint64_t h = mix(2, n->op->id);
  int first = commutes(n) ? 2 : 0;
  if (first) h = mix(h, val_hash(n->operands[0]) + val_hash(n->operands[1]));
  for (int k = first; k < n->op->n_operands; k++) h = mix(h, val_hash(n->operands[k]));
  return h ^ h >> 31;
}

static bool same_attr(const node *a, const node *b) {
  const char *s = a->path, *t = b->path;
  while (*s && *s == *t) s++, t++;
  return *s == *t;
}

static bool same_node(const node *a, const node *b) {
  if (a->kind == NODE_GET_ATTR || b->kind == NODE_GET_ATTR)
    return a->kind == b->kind && same_attr(a, b);
  if (a->op != b->op || !type_equal(a->type, b->type)) return false;
  int first = 0;
  if (commutes(a) && val_equal(a->operands[0], b->operands[1], NULL, NULL) &&
      val_equal(a->operands[1], b->operands[0], NULL, NULL))
    first = 2;
  for (int k = first; k < a->op->n_operands; k++)
    if (!val_equal(a->operands[k], b->operands[k], NULL, NULL)) return false;
  return true;
}

static void visit_node(cse *c, node *n) {
  uint64_t h = hash_node(n);
  entry **slot = &c->slots[h & c->mask];
  for (entry *e = *slot; e; e = e->next) {
    if (e->hash != h || !same_node(e->n, n)) continue;
    node_replace_uses(n, e->n);
    node_erase(n);
    c->changed = true;
    return;
  }
  entry *e = ARENA_NEW(c->mem, entry);
  *e = (entry){n, h, *slot};
  *slot = e;
}

static void visit_graph(graph *g, void *ctx) {
  cse *c = ctx;
  arena_mark mark = arena_save(c->mem);
  uint64_t n_slots = 16;
  while (n_slots < (uint64_t)g->n_nodes) n_slots *= 2;
  c->slots = ARENA_ARRAY(c->mem, entry *, n_slots);
  c->mask = n_slots - 1;
  FOR_EACH_NODE (n, g)
    if (has_key(c, n)) visit_node(c, n);
  arena_reset(c->mem, mark);
}

bool pass_cse(module *m, bool *changed) {
  arena *mem = arena_new();
  cse c = {.m = m, .mem = mem, .effects = graph_effects(m, mem)};
  graph_walk(m->main, visit_graph, &c);
  arena_free(mem);
  *changed |= c.changed;
  return m->err.code == SCANC_OK;
}
