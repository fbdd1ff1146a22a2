/* Elements of a prefix loop that change nothing (`skip` of ir/prefix.h), several vectors at a time:
 * the one before is combined with each of them, and where all results are the one before, it is
 * what is stored. Where results are chosen, not computed, a part of the condition may be enough to
 * tell so, and take fewer loads: of a maximum and its label, that all elements are smaller. */
#include "codegen/network.h"
#include "loop/prefix_stages.h"

static void move_group(const network *w, value e, int u) {
  network_move(w, LLVMBuildAdd(w->c->b, e, cg_i64(w->c, (int64_t)u * w->lanes), ""));
}

static value as_bits(cg *c, value v) {
  LLVMTypeRef t = LLVMTypeOf(v), lane = LLVMGetElementType(t);
  LLVMTypeKind kind = LLVMGetTypeKind(lane);
  if (kind == LLVMIntegerTypeKind) return v;
  unsigned bits = kind == LLVMDoubleTypeKind ? 64 : 32;
  LLVMTypeRef whole = LLVMIntTypeInContext(c->ctx, bits);
  return LLVMBuildBitCast(c->b, v, cg_wide(whole, cg_lanes_of(v)), "");
}

/* ---- what makes it certain ---- */

enum { MAX_WISHES = 8 };

/* Truth values of the combination that, if they are what is said, leave all carries as they are. */
typedef struct {
  const network *w;
  struct {
    int v;
    bool is;
  } wish[MAX_WISHES];
  int n;
  bool *needed;     /* per value: to compute them */
  bool is_one_wish; /* all leaves are chosen by one condition */
} certainty;

static const stmt *combination(const network *w, int v) {
  for (int i = 0; i < w->l->body.len; i++)
    if (w->l->body.data[i].value == v && w->stage[i] & STAGE_COMBINE) return &w->l->body.data[i];
  return NULL;
}

/* All that is computed for v. */
static void mark_needed(const network *w, int v, bool *needed) {
  if (needed[v]) return;
  needed[v] = true;
  for (int i = 0; i < w->l->body.len; i++) {
    const stmt *s = &w->l->body.data[i];
    for (int a = 0; s->value == v && a < s->n_args; a++) mark_needed(w, s->arg[a], needed);
  }
}

/* Carries whose elements v takes. */
static int count_items(const network *w, int v) {
  bool *needed = ARENA_ARRAY(w->tmp, bool, w->c->k->values.len);
  int n = 0;
  mark_needed(w, v, needed);
  for (int i = 0; i < w->l->n_carry; i++) n += needed[w->l->carry[i].item];
  return n;
}

static bool is_truth(const network *w, int v) {
  return w->c->k->values.data[v].dtype == SCANC_BOOL;
}

static bool wish_for(certainty *q, int v, bool is);

/* One is enough: the one that takes the fewest elements, but some. */
static bool wish_for_one(certainty *q, const int *v, bool is) {
  int a = count_items(q->w, v[0]), b = count_items(q->w, v[1]);
  return wish_for(q, a && (!b || a <= b) ? v[0] : v[1], is);
}

static bool wish_for(certainty *q, int v, bool is) {
  const stmt *s = combination(q->w, v);
  if (s && s->kind == ST_OP && is_truth(q->w, s->arg[0])) {
    bool either = s->op == OP_logical_or || s->op == OP_bitwise_or,
         both = s->op == OP_logical_and || s->op == OP_bitwise_and;
    if (s->op == OP_logical_not) return wish_for(q, s->arg[0], !is);
    if (is ? either : both) return wish_for_one(q, s->arg, is);
    if (either || both) return wish_for(q, s->arg[0], is) && wish_for(q, s->arg[1], is);
  }
  for (int i = 0; i < q->n; i++)
    if (q->wish[i].v == v && q->wish[i].is == is) return true;
  if (q->n == MAX_WISHES) return false;
  q->wish[q->n].v = v;
  q->wish[q->n++].is = is;
  mark_needed(q->w, v, q->needed);
  return true;
}

/* Whether there is something that makes it certain. */
static bool find_certainty(certainty *q) {
  const loop *l = q->w->l;
  q->needed = ARENA_ARRAY(q->w->tmp, bool, q->w->c->k->values.len);
  for (int i = 0; i < l->n_carry; i++) {
    const stmt *s = combination(q->w, l->carry[i].next);
    int in = l->carry[i].in;
    if (!s || s->kind != ST_OP || s->op != OP_where) return false;
    if (s->arg[1] != in && s->arg[2] != in) return false;
    const stmt *first = combination(q->w, l->carry[0].next);
    q->is_one_wish = s->arg[0] == first->arg[0] &&
                     (s->arg[1] == in) == (first->arg[1] == l->carry[0].in) &&
                     (!i || q->is_one_wish);
    if (!wish_for(q, s->arg[0], s->arg[1] == in)) return false;
  }
  return q->n > 0;
}

static void compute_needed(const certainty *q, unsigned char stage) {
  const stmt_list *body = &q->w->l->body;
  for (int i = 0; i < body->len; i++)
    if (q->w->stage[i] & stage && body->data[i].value >= 0 && q->needed[body->data[i].value])
      cg_statement(q->w->c, &body->data[i], 0);
}

/* i1: it is certain of all elements from e on. */
static value is_certain(const certainty *q, value e, const value *carry) {
  const network *w = q->w;
  cg *c = w->c;
  value doubt = NULL;
  for (int u = 0; u < w->l->prefix.skip / w->lanes; u++) {
    move_group(w, e, u);
    compute_needed(q, STAGE_ITEM);
    for (int i = 0; i < w->l->n_carry; i++) {
      const loop_carry *k = &w->l->carry[i];
      if (q->needed[k->in]) network_set(c, k->in, carry[i]);
      if (q->needed[k->item]) network_set(c, k->item, cg_part(c, k->item, 0));
    }
    compute_needed(q, STAGE_COMBINE);
    for (int i = 0; i < q->n; i++) {
      value v = cg_part(c, q->wish[i].v, 0), off = q->wish[i].is ? LLVMBuildNot(c->b, v, "") : v;
      doubt = doubt ? LLVMBuildOr(c->b, doubt, off, "") : off;
    }
  }
  return LLVMBuildNot(c->b, cg_any(c, doubt), "");
}

/* ---- what is so ---- */

static value is_unchanged(const network *w, value e, const value *carry) {
  cg *c = w->c;
  value *it = network_row(w), *next = network_row(w), changed = NULL;
  for (int u = 0; u < w->l->prefix.skip / w->lanes; u++) {
    move_group(w, e, u);
    network_load(w, it);
    network_combine(w, carry, it, w->carried, w->in_last, next);
    for (int i = 0; i < w->l->n_carry; i++) {
      value differs = LLVMBuildICmp(c->b, LLVMIntNE, as_bits(c, next[i]), as_bits(c, carry[i]), "");
      changed = changed ? LLVMBuildOr(c->b, changed, differs, "") : differs;
    }
  }
  return LLVMBuildNot(c->b, cg_any(c, changed), "");
}

void network_look(const network *w, value e, const value *carry, LLVMBasicBlockRef unchanged,
                  LLVMBasicBlockRef changed) {
  cg *c = w->c;
  certainty q = {.w = w};
  c->mask = c->n_lanes = c->counting = NULL;
  if (find_certainty(&q)) {
    bool enough = w->l->prefix.exact || q.is_one_wish; /* skipping makes no difference */
    LLVMBasicBlockRef doubt = enough ? changed : cg_block(c, "");
    LLVMBuildCondBr(c->b, is_certain(&q, e, carry), unchanged, doubt);
    if (enough) return;
    cg_enter(c, doubt);
  }
  LLVMBuildCondBr(c->b, is_unchanged(w, e, carry), unchanged, changed);
}

void network_fill(const network *w, value e, const value *carry) {
  for (int u = 0; u < w->l->prefix.skip / w->lanes; u++) {
    move_group(w, e, u);
    network_store(w, carry);
  }
}
