/* Preparation of a module for the interpreter: a frame per graph, operands resolved to slots, last
 * uses. */
#include <string.h>

#include "passes/hop.h"
#include "runtime/interp.h"

static const eval_fn eval_fns[N_OPS] = {
#define EW1(name, ...) eval_elementwise,
#define EW2(name, ...) eval_elementwise,
#define EW3(name, ...) eval_elementwise,
#define EW4(name, ...) eval_elementwise,
#define SYM(name, ...) eval_sym,
#define COMP(name, ...) NULL,
#define OP(name, ...) eval_##name,
#include "ir/ops.def"
};

/* The frame under construction. */
typedef struct {
  interp *in;
  frame *f;
  VEC(patch) patches; /* of the node at hand */
  VEC(val) leaves;    /* of the graph's result */
  int depth;
  scanc_error *err;
} builder;

static bool fail(const builder *b, scanc_code code, const node *n, const char *what) {
  src_loc loc = n->loc;
  if (!loc.file) loc.file = b->in->mod->name;
  err_set(b->err, code, loc, "%.120s: %s", n->name, what);
  if (b->in->mod->text) err_quote(b->err, b->in->mod->text, b->in->mod->text_len);
  return false;
}

/* ---- operands ---- */

static const char *atom_text(arena *a, val v) {
  if (v.kind == VAL_ELLIPSIS) return "Ellipsis";
  return v.kind == VAL_ATOM || v.kind == VAL_BIGINT || v.kind == VAL_BYTES ? arena_strdup(a, v.s)
                                                                           : "object";
}

static void resolve(builder *b, val v, rval *out);

static void resolve_items(builder *b, val v, rval *out, type_kind kind) {
  rval *items = ARENA_ARRAY(b->in->mem, rval, v.n);
  for (int i = 0; i < v.n; i++) resolve(b, v.items[i], &items[i]);
  *out = (rval){.kind = kind, .n = v.n, .items = items};
}

static void resolve_node(builder *b, node *n, rval *out) {
  graph *sub = val_graph(val_node(n));
  if (sub) {
    *out = (rval){.kind = TYPE_GRAPH, .sub = sub};
    return;
  }
  *out = (rval){.kind = TYPE_NONE};
  slot *s = b->in->slot_of[n->id];
  if (!s) return;
  patch p = {out, s};
  vec_push(b->in->mem, &b->patches, p);
}

/* The run-time form of a value: literals at once, nodes by a patch. */
static void resolve(builder *b, val v, rval *out) {
  switch (v.kind) {
    case VAL_NODE: resolve_node(b, v.node, out); break;
    case VAL_ABSENT: *out = (rval){.kind = TYPE_ABSENT}; break;
    case VAL_NONE: *out = (rval){.kind = TYPE_NONE}; break;
    case VAL_BOOL: *out = (rval){.kind = TYPE_BOOL, .i = v.i}; break;
    case VAL_INT: *out = (rval){.kind = TYPE_INT, .i = v.i}; break;
    case VAL_FLOAT: *out = (rval){.kind = TYPE_FLOAT, .f = v.f}; break;
    case VAL_COMPLEX: *out = (rval){.kind = TYPE_COMPLEX, .f = v.f, .im = v.im}; break;
    case VAL_STR:
      *out = (rval){.kind = TYPE_STR, .s = arena_strndup(b->in->mem, v.s, (size_t)v.n)};
      break;
    case VAL_DTYPE: *out = (rval){.kind = TYPE_DTYPE, .dtype = v.dtype}; break;
    case VAL_LIST:
    case VAL_TUPLE:
    case VAL_SIZE: resolve_items(b, v, out, TYPE_LIST); break;
    case VAL_SLICE: resolve_items(b, v, out, TYPE_SLICE); break;
    default: *out = (rval){.kind = TYPE_OTHER, .s = atom_text(b->in->mem, v)}; break;
  }
}

static patch *take_patches(builder *b, int *n) {
  patch *p = arena_copy(b->in->mem, b->patches.data, sizeof *p * (size_t)b->patches.len);
  *n = b->patches.len;
  b->patches.len = 0;
  return p;
}

/* ---- nodes ---- */

static frame *build_frame(interp *in, const graph *g, int depth, scanc_error *err);

static bool add_bodies(builder *b, exec *x) {
  int n = 0;
  for (int k = 0; k < x->c.n_arg; k++) {
    if (x->c.arg[k].kind != TYPE_GRAPH) continue;
    if (n == 2) return fail(b, SCANC_ERR_UNSUPPORTED, x->n, "more than two subgraphs");
    x->sub[n] = build_frame(b->in, x->c.arg[k].sub, b->depth + 1, b->err);
    if (!x->sub[n++]) return false;
  }
  return n > 0 || fail(b, SCANC_ERR_BAD_ARGUMENT, x->n, "the call has no subgraph");
}

static void add_told(builder *b, told_symbols *list, dim d, int axis, const slot *from) {
  const char *name;
  if (dim_is_int(d) || !dim_is_symbol(d, &name) || !dim_is_unbacked(d)) return;
  told_symbol s = {symtab_find(b->in->mod->syms, name), axis, from};
  if (s.symbol < 0) return;
  vec_push(b->in->mem, list, s);
}

/* The unbacked symbols that the type of n is made of: its value tells them. */
static void add_tells(builder *b, told_symbols *list, const node *n, const slot *from) {
  const type *t = n->type;
  if (!t) return;
  if (t->kind == TYPE_INT) add_told(b, list, t->i, -1, from);
  for (int i = 0; type_is_tensor(t) && i < t->n; i++) add_told(b, list, t->dims[i], i, from);
}

static bool add_exec(builder *b, node *n, slot *out) {
  interp *in = b->in;
  if (!n->op) return fail(b, SCANC_ERR_UNKNOWN_OP, n, "an operator that scanc does not have");
  if (!eval_fns[n->op->id])
    return fail(b, SCANC_ERR_UNSUPPORTED, n, "the operator has no evaluation");
  exec *x = &b->f->execs[b->f->n_execs++];
  rval *args = ARENA_ARRAY(in->mem, rval, n->op->n_operands);
  for (int k = 0; k < n->op->n_operands; k++) resolve(b, n->operands[k], &args[k]);
  x->n = n;
  x->fn = eval_fns[n->op->id];
  x->manual = (n->op->traits & T_BODY) || n->op->id == OP_getitem;
  x->patches = take_patches(b, &x->n_patches);
  x->out = out;
  x->c = (eval_ctx){.op = n->op, .arg = args, .n_arg = n->op->n_operands, .tmp = in->tmp, .in = in};
  b->in->exec_of[n->id] = x;
  add_tells(b, &x->tells, n, out);
  if ((n->op->traits & T_BODY) && in->kernel_of) x->kernel = in->kernel_of(in->ctx, n);
  return !(n->op->traits & T_BODY) || add_bodies(b, x);
}

/* A get_attr of a tensor reads an input of the program. */
static bool add_attr(builder *b, const node *n, slot *s) {
  interp *in = b->in;
  const attr *a = graph_find_attr(n->owner, n->path);
  if (!a || a->kind == ATTR_MODULE)
    return !node_has_uses(n) || fail(b, SCANC_ERR_UNSUPPORTED, n, "an attribute without value");
  int input = in->attr_of ? in->attr_of(in->ctx, n->owner, n->path) : -1;
  if (input < 0) return fail(b, SCANC_ERR_UNKNOWN_SUBGRAPH, n, "no input holds this attribute");
  if (in->n_attrs == in->cap_attrs) {
    in->cap_attrs = in->cap_attrs ? 2 * in->cap_attrs : 8;
    void *grown = ARENA_ARRAY(in->mem, __typeof__(*in->attrs), in->cap_attrs);
    if (in->n_attrs) memcpy(grown, in->attrs, sizeof *in->attrs * (size_t)in->n_attrs);
    in->attrs = grown;
  }
  in->attrs[in->n_attrs].s = s;
  in->attrs[in->n_attrs++].input = input;
  return true;
}

static bool add_node(builder *b, node *n, slot *s) {
  switch (n->kind) {
    case NODE_PLACEHOLDER: return add_tells(b, &b->f->tells, n, s), true;
    case NODE_GET_ATTR: return val_graph(val_node(n)) || add_attr(b, n, s);
    case NODE_CALL_MODULE:
      return !node_has_uses(n) ||
             fail(b, SCANC_ERR_UNSUPPORTED, n, "a call of a module whose text is not in the file");
    case NODE_CALL_FUNCTION:
    case NODE_CALL_METHOD: return add_exec(b, n, s);
    case NODE_OUTPUT: break;
  }
  return true;
}

/* ---- results and last uses ---- */

static bool has_leaves(val v) {
  return v.kind == VAL_LIST || v.kind == VAL_TUPLE || v.kind == VAL_DICT;
}

/* Appends the leaves of a returned structure; nested ones only if `deep` (the main graph). Keys of
 * a dict do not count. */
static void push_leaves(builder *b, val v, bool deep, int level) {
  if (has_leaves(v) && (deep || (level == 0 && v.kind != VAL_DICT))) {
    int step = v.kind == VAL_DICT ? 2 : 1;
    for (int i = step - 1; i < v.n; i += step) push_leaves(b, v.items[i], deep, level + 1);
    return;
  }
  vec_push(b->in->mem, &b->leaves, v);
}

static void add_results(builder *b, const graph *g) {
  frame *f = b->f;
  const node *out = graph_output(g);
  val v = out && out->n_args ? out->args[0] : val_none();
  f->sequence = v.kind == VAL_LIST || v.kind == VAL_TUPLE;
  push_leaves(b, v, g == b->in->mod->main, 0);
  f->n_results = b->leaves.len;
  f->results = ARENA_ARRAY(b->in->mem, rval, f->n_results);
  f->producer = ARENA_ARRAY(b->in->mem, exec *, f->n_results);
  for (int i = 0; i < f->n_results; i++) {
    val r = b->leaves.data[i];
    resolve(b, r, &f->results[i]);
    if (r.kind == VAL_NODE) f->producer[i] = b->in->exec_of[r.node->id];
  }
  f->patches = take_patches(b, &f->n_patches);
}

static int slot_index(const frame *f, const slot *s) { return (int)(s - f->slots); }

/* A list result shares no memory with its getitems but the storage, which is counted, so every slot
 * dies on its own. */
static void add_last_uses(builder *b) {
  frame *f = b->f;
  arena *a = b->in->mem;
  bool *needed = ARENA_ARRAY(a, bool, f->n_slots);
  for (int i = 0; i < f->n_params; i++) needed[i] = true;
  for (int i = 0; i < f->n_patches; i++) needed[slot_index(f, f->patches[i].from)] = true;
  for (int i = 0; i < b->in->n_attrs; i++) {
    const slot *s = b->in->attrs[i].s;
    if (s >= f->slots && s < f->slots + f->n_slots) needed[slot_index(f, s)] = true;
  }
  for (int i = f->n_execs; i-- > 0;) {
    exec *x = &f->execs[i];
    x->dead = ARENA_ARRAY(a, slot *, x->n_patches + 1);
    for (int k = -1; k < x->n_patches; k++) {
      int s = slot_index(f, k < 0 ? x->out : x->patches[k].from);
      if (!needed[s]) x->dead[x->n_dead++] = &f->slots[s];
      needed[s] = true;
    }
  }
}

/* ---- frames ---- */

static bool build_nodes(builder *b, const graph *g) {
  frame *f = b->f;
  int n = f->n_params;
  int p = 0;
  FOR_EACH_NODE (x, g) {
    slot *s = &f->slots[x->kind == NODE_PLACEHOLDER ? p++ : n++];
    b->in->slot_of[x->id] = s;
    if (!add_node(b, x, s)) return false;
  }
  add_results(b, g);
  add_last_uses(b);
  return true;
}

static frame *build_frame(interp *in, const graph *g, int depth, scanc_error *err) {
  frame *f = &in->frames[graph_index(g)];
  if (f->g) return f;
  if (depth > INTERP_MAX_DEPTH) {
    err_set(err, SCANC_ERR_TOO_DEEP, g->loc,
            "graphs are nested too deep; expected at most %d levels", INTERP_MAX_DEPTH);
    return NULL;
  }
  f->g = g;
  f->n_params = graph_n_placeholders(g);
  f->n_slots = g->n_nodes;
  f->slots = ARENA_ARRAY(in->mem, slot, g->n_nodes);
  f->execs = ARENA_ARRAY(in->mem, exec, g->n_nodes);
  builder b = {.in = in, .f = f, .depth = depth, .err = err};
  return build_nodes(&b, g) ? f : NULL;
}

interp *interp_new(const module *m, interp_attr_fn attr_of, interp_kernel_fn kernel_of, void *ctx,
                   scanc_error *err) {
  arena *mem = arena_new();
  interp *in = ARENA_NEW(mem, interp);
  in->mod = m;
  in->mem = mem;
  in->tmp = arena_new();
  in->sym_mem = arena_new();
  in->syms = symtab_new(in->sym_mem);
  in->frames = ARENA_ARRAY(mem, frame, m->graphs.len);
  in->slot_of = ARENA_ARRAY(mem, slot *, m->n_ids);
  in->exec_of = ARENA_ARRAY(mem, exec *, m->n_ids);
  in->attr_of = attr_of;
  in->kernel_of = kernel_of;
  in->ctx = ctx;
  in->main = build_frame(in, m->main, 1, err);
  if (!in->main) {
    interp_free(in);
    return NULL;
  }
  in->n_main = in->main->n_params;
  return in;
}

void interp_free(interp *in) {
  if (!in) return;
  arena_free(in->tmp);
  arena_free(in->sym_mem);
  arena_free(in->mem);
}
