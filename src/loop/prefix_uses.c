/* What an associative scan is made for: whether its first elements are a seed, and who reads its
 * results. */
#include "loop/prefix.h"

static const scan_view first_axis = {0, 1, {0}};

scan_view prefix_x(const node *scan, int i) { return scan->scan ? scan->scan->x[i] : first_axis; }
scan_view prefix_y(const node *scan, int i) { return scan->scan ? scan->scan->y[i] : first_axis; }

const node *prefix_reader(const node *n, int k, bool *read) {
  const node *reader = NULL;
  bool one = true;
  *read = false;
  for (const use *u = n->uses; u; u = u->next) {
    const node *item = u->user;
    bool sound = node_is_op(item, OP_getitem) && item->operands[1].kind == VAL_INT &&
                 item->operands[1].i >= 0;
    if (!sound) *read = true, one = false;
    if (!sound || item->operands[1].i != k) continue;
    for (const use *r = item->uses; r; r = r->next) {
      one = one && !*read;
      *read = true;
      reader = r->user;
    }
  }
  return one ? reader : NULL;
}

/* ---- seeds ---- */

static bool is_axis(val v, int rank, int axis) {
  if (v.kind == VAL_ABSENT) return !axis;
  return v.kind == VAL_INT && (v.i < 0 ? v.i + rank : v.i) == axis;
}

static const node *tensor_of(val v, const type *like) {
  const type *t = v.kind == VAL_NODE ? v.node->type : NULL;
  return t && type_is_tensor(t) && t->n == like->n && t->dtype == like->dtype ? v.node : NULL;
}

/* A slice of all that is there but for the seed. */
static bool leaves_seed(const node *reader, const prefix_seed *s, scan_view y) {
  const val *of = reader->operands;
  int axis = s->axis;
  if (!node_is_op(reader, OP_slice) || !type_is_tensor(reader->type)) return false;
  if (!is_axis(of[1], reader->type->n, y.axis)) return false;
  if (of[4].kind != VAL_ABSENT && (of[4].kind != VAL_INT || of[4].i != 1)) return false;
  int64_t start = of[2].kind == VAL_INT ? of[2].i : 0;
  bool known = of[2].kind == VAL_INT || of[2].kind == VAL_ABSENT || of[2].kind == VAL_NONE;
  return known && start == (y.step > 0) &&
         dim_equal(reader->type->dims[y.axis], s->rest->type->dims[axis]);
}

bool prefix_seed_of(const node *scan, int i, prefix_seed *out) {
  val x = scan->operands[1].items[i];
  const node *cat = x.kind == VAL_NODE ? x.node : NULL;
  scan_view v = prefix_x(scan, i), y = prefix_y(scan, i);
  bool read;
  *out = (prefix_seed){.axis = v.axis};
  if (!cat || !node_is_op(cat, OP_cat) || !type_is_tensor(cat->type)) return false;
  if (!cat->uses || cat->uses->next) return false;
  val items = cat->operands[0], along = cat->operands[1];
  int axis = v.axis;
  if (!val_is_seq(items) || items.n != 2 || axis >= cat->type->n) return false;
  if (!is_axis(along, cat->type->n, axis)) return false;
  if (scan->scan && !dim_equal(scan->scan->length, cat->type->dims[axis])) return false;
  out->seed = tensor_of(items.items[v.step < 0], cat->type);
  out->rest = tensor_of(items.items[v.step > 0], cat->type);
  if (!out->seed || !out->rest || !dim_is(out->seed->type->dims[axis], 1)) return false;
  out->reader = prefix_reader(scan, i, &read);
  return out->reader ? y.step == v.step && leaves_seed(out->reader, out, y) : !read;
}

bool prefix_is_seeded(const node *scan) {
  bool any = false;
  prefix_seed s;
  if (!node_is_op(scan, OP_associative_scan) || !val_is_seq(scan->operands[1])) return false;
  for (int i = 0; i < scan->operands[1].n; i++) {
    if (!prefix_seed_of(scan, i, &s)) return false;
    any |= s.reader != NULL;
  }
  return any;
}

/* The two below: of scans whose order says so, if that still holds. */
static bool is_seeded(const node *scan) {
  return scan && node_is_op(scan, OP_associative_scan) && scan->order.seeded &&
         prefix_is_seeded(scan);
}

const node *prefix_seeded_by(const node *n) {
  const node *scan = node_is_op(n, OP_cat) && n->uses && !n->uses->next ? n->uses->user : NULL;
  return is_seeded(scan) ? scan : NULL;
}

bool prefix_is_behind_seed(const node *n) {
  bool slice = node_is_op(n, OP_slice) && n->operands[0].kind == VAL_NODE;
  const node *item = slice ? n->operands[0].node : NULL;
  return item && node_is_op(item, OP_getitem) && item->operands[0].kind == VAL_NODE &&
         is_seeded(item->operands[0].node);
}
