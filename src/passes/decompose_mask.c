/* Writing where a mask is true: a choice between the elements of the tensor and what is written,
 * for every element. What is written may be elements that the same mask has chosen, x[m] = f(y[m]):
 * then f is computed of all of y. Nothing is left of the number of elements that are chosen, which
 * only the data tell, but assertions that it is between 0 and all of them. */
#include "passes/decompose.h"
#include "passes/expand.h"

/* An index that is None but for one mask. */
typedef struct {
  node *mask;
  int before, dims, after; /* dimensions in front of the mask's, its own, those behind */
  const type *whole;       /* what is written to */
  int left;                /* how many more nodes may be looked at */
} masking;

enum { MAX_NODES = 64 };

static bool is_given(val v) { return v.kind != VAL_ABSENT && v.kind != VAL_NONE; }

static node *tensor_of(val v) {
  return v.kind == VAL_NODE && type_is_tensor(v.node->type) ? v.node : NULL;
}

static bool read_mask(val x, val list, masking *m) {
  *m = (masking){.left = MAX_NODES};
  if (!tensor_of(x) || !val_is_seq(list)) return false;
  m->whole = x.node->type;
  for (int i = 0; i < list.n; i++) {
    if (!is_given(list.items[i])) continue;
    if (m->mask || !tensor_of(list.items[i])) return false;
    m->mask = list.items[i].node;
    m->before = i;
  }
  if (!m->mask) return false;
  const type *t = m->mask->type;
  m->dims = t->n;
  m->after = m->whole->n - m->before - t->n;
  bool ok = (t->dtype == SCANC_BOOL || t->dtype == SCANC_U8) && t->n && m->after >= 0;
  for (int i = 0; ok && i < t->n; i++) ok = dim_equal(t->dims[i], m->whole->dims[m->before + i]);
  return ok;
}

/* Whether t, with dimensions of size 1 after its first `at`, broadcasts to what is written to. */
static bool fits(const masking *m, const type *t, int at, int ones) {
  int rank = t->n + ones;
  bool ok = rank <= m->whole->n;
  for (int d = 0; ok && d < t->n; d++) {
    int to = m->whole->n - rank + d + (d >= at ? ones : 0);
    ok = dim_is(t->dims[d], 1) || dim_equal(t->dims[d], m->whole->dims[to]);
  }
  return ok;
}

/* ---- what is written ---- */

/* The dimension of a value for the elements that are chosen, -1: it has none. */
static int chosen_dim(const masking *m, const type *t) { return t->n - 1 - m->after; }

static bool same_mask(const masking *m, const node *n) {
  masking own;
  return node_is_op(n, OP_index) && read_mask(n->operands[0], n->operands[1], &own) &&
         own.mask == m->mask && own.before == m->before && own.after == m->after &&
         fits(m, own.whole, 0, 0);
}

static bool is_pointwise(const node *n) {
  return n->op && (n->op->kind == OPK_EW || n->op->id == OP_to) && !n->in_place &&
         !(n->op->traits & (T_DATA | T_EFFECT | T_VIEW));
}

/* Whether v can be had for all elements. */
static bool can_spread(masking *m, val v) {
  const node *n = tensor_of(v);
  if (!n) return v.kind != VAL_NODE && !val_is_seq(v);
  int at = chosen_dim(m, n->type);
  if (at < 0) return fits(m, n->type, 0, 0);
  if (dim_is(n->type->dims[at], 1)) return at <= m->before && fits(m, n->type, at, m->dims - 1);
  if (same_mask(m, n)) return true;
  bool ok = is_pointwise(n) && m->left-- > 0;
  for (int k = 0; ok && k < n->op->n_operands; k++) ok = can_spread(m, n->operands[k]);
  return ok;
}

static val spread(cursor *c, const masking *m, val v) {
  node *n = tensor_of(v);
  int at = n ? chosen_dim(m, n->type) : -1;
  if (at < 0) return v;
  if (dim_is(n->type->dims[at], 1)) {
    for (int i = 1; i < m->dims; i++) v = V(build_unsqueeze(c, v, at));
    return v;
  }
  if (same_mask(m, n)) return n->operands[0];
  val operands[MAX_OPERANDS];
  for (int k = 0; k < n->op->n_operands; k++) operands[k] = spread(c, m, n->operands[k]);
  return V(expand_same_call(c, n, operands));
}

/* self, indices, values, accumulate: every element is chosen once at most. */
node *decompose_masked_write(cursor *c, node *n) {
  masking m;
  const val *a = n->operands;
  if (!node_is_op(n, OP_index_put) || n->in_place) return NULL;
  bool add = a[3].kind == VAL_BOOL && a[3].i;
  if (!read_mask(a[0], a[1], &m) || !tensor_of(a[2]) || (is_given(a[3]) && a[3].kind != VAL_BOOL) ||
      !can_spread(&m, a[2]))
    return NULL;
  val where = V(cast(c, V(m.mask), SCANC_BOOL)), value = spread(c, &m, a[2]);
  for (int i = 0; i < m.after; i++) where = V(build_unsqueeze(c, where, m.dims + i));
  if (add) value = V(CALL(c, "add.Tensor", a[0], value));
  return build_where(c, where, value, a[0]);
}

/* ---- how many are chosen ---- */

/* v is that number, which is *most at most. */
static bool is_count(val v, int64_t *most) {
  masking m;
  const node *n = v.kind == VAL_NODE && node_is_op(v.node, OP_sym_size) ? v.node : NULL;
  const node *index = n ? tensor_of(n->operands[0]) : NULL;
  if (!index || !node_is_op(index, OP_index) || n->operands[1].kind != VAL_INT ||
      !read_mask(index->operands[0], index->operands[1], &m) ||
      axis_of(n->operands[1], index->type->n) != m.before)
    return false;
  *most = 1;
  for (int d = 0; d < m.dims; d++) {
    dim size = m.mask->type->dims[d];
    if (!dim_is_int(size) || __builtin_mul_overflow(*most, size.k, most)) {
      *most = INT64_MAX;
      break;
    }
  }
  return true;
}

/* low <= v <= high */
static bool within(val v, int64_t low, int64_t high) {
  int64_t most;
  return is_count(v, &most) && low <= 0 && high >= most;
}

static bool always_holds(const node *n) {
  bool ge = node_is_op(n, OP_sym_ge);
  if (!ge && !node_is_op(n, OP_sym_le)) return false;
  val high = n->operands[!ge], low = n->operands[ge];
  return low.kind == VAL_INT ? within(high, low.i, INT64_MAX)
                             : high.kind == VAL_INT && within(low, INT64_MIN, high.i);
}

bool decompose_counts(const node *n) {
  val v = n->op->n_operands ? n->operands[0] : val_absent();
  if (n->uses || v.kind != VAL_NODE) return false;
  if (node_is_op(n, OP_assert_true)) return v.node->op && always_holds(v.node);
  if (!node_is_op(n, OP_check_size) && !node_is_op(n, OP_constrain_range)) return false;
  val low = n->operands[1], high = n->operands[2];
  if ((is_given(low) && low.kind != VAL_INT) || (is_given(high) && high.kind != VAL_INT))
    return false;
  return within(v, is_given(low) ? low.i : 0, is_given(high) ? high.i : INT64_MAX);
}
