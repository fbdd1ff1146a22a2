/* Bodies of the spellings of convolution and pooling: all come down to `convolution` and two- and
 * three-dimensional pooling. */
#include <string.h>

#include "passes/decompose.h"
#include "passes/expand.h"

static int rank_of(const node *x) { return x && type_is_tensor(x->type) ? x->type->n : 0; }

/* v as a list of n integers. */
static val repeat(cursor *c, val v, int n, int64_t dflt) {
  int64_t x[3];
  for (int i = 0; i < n; i++)
    x[i] = val_is_seq(v) ? (v.n ? int_of(v.items[v.n == 1 ? 0 : i], dflt) : dflt) : int_of(v, dflt);
  return val_ints(c->g->mod->mem, x, n);
}

/* Runs `op` with a batch axis of size 1 where the input has none. */
static val convolve(cursor *c, node *n, node *x, val stride, val padding, val dilation,
                    bool transposed, val out_padding, val groups) {
  int spatial = rank_of(n->operands[1].node) - 2;
  bool single = rank_of(x) == spatial + 1;
  if (single) x = build_unsqueeze(c, V(x), 0);
  val bias = given(n->operands[2]) ? n->operands[2] : val_none();
  node *y = CALL(c, "convolution.default", V(x), n->operands[1], bias, stride, padding, dilation,
                 val_bool(transposed), out_padding, groups);
  return V(single ? build_squeeze(c, V(y), 0) : y);
}

/* padding="same": dilation * (kernel - 1) in all, the larger half at the end. */
static node *pad_same(cursor *c, node *x, node *w, val dilation, int64_t *even) {
  int k = rank_of(w) - 2;
  int64_t extra[6];
  bool any = false;
  for (int i = 0; i < k; i++) {
    dim size = w->type->dims[2 + i];
    int64_t total = dim_is_int(size) ? int_of(dilation.items[i], 1) * (size.k - 1) : 0;
    even[i] = total / 2;
    extra[2 * (k - 1 - i)] = 0;
    extra[2 * (k - 1 - i) + 1] = total % 2;
    any |= total % 2 != 0;
  }
  return any ? CALL(c, "constant_pad_nd.default", V(x), val_ints(c->g->mod->mem, extra, 2 * k)) : x;
}

/* input, weight, bias, stride, padding, dilation, groups */
static val conv_nd(cursor *c, node *n) {
  node *x = n->operands[0].node, *w = n->operands[1].node;
  int k = rank_of(w) - 2;
  int64_t pads[3] = {0};
  val dilation = repeat(c, n->operands[5], k, 1), padding = n->operands[4];
  if (padding.kind != VAL_STR) {
    val p = repeat(c, padding, k, 0);
    for (int i = 0; i < k; i++) pads[i] = p.items[i].i;
  } else if (!strcmp(padding.s, "same")) {
    x = pad_same(c, x, w, dilation, pads);
  }
  return convolve(c, n, x, repeat(c, n->operands[3], k, 1), val_ints(c->g->mod->mem, pads, k),
                  dilation, false, repeat(c, val_int(0), k, 0), val_int(int_of(n->operands[6], 1)));
}

val decompose_conv1d(cursor *c, node *n) { return conv_nd(c, n); }
val decompose_conv2d(cursor *c, node *n) { return conv_nd(c, n); }
val decompose_conv3d(cursor *c, node *n) { return conv_nd(c, n); }

/* input, weight, bias, stride, padding, output_padding, groups, dilation */
static val conv_transpose(cursor *c, node *n) {
  int k = rank_of(n->operands[1].node) - 2;
  return convolve(c, n, n->operands[0].node, repeat(c, n->operands[3], k, 1),
                  repeat(c, n->operands[4], k, 0), repeat(c, n->operands[7], k, 1), true,
                  repeat(c, n->operands[5], k, 0), val_int(int_of(n->operands[6], 1)));
}

val decompose_conv_transpose1d(cursor *c, node *n) { return conv_transpose(c, n); }
val decompose_conv_transpose2d(cursor *c, node *n) { return conv_transpose(c, n); }
val decompose_conv_transpose3d(cursor *c, node *n) { return conv_transpose(c, n); }

/* ---- pooling ---- */

/* The one-dimensional argument v for two axes, the first of which is new and has `fill`. An empty
 * list stays. */
static val two(cursor *c, val v, int64_t fill, int64_t dflt) {
  if (val_is_seq(v) && v.n == 0) return v;
  return val_ints(c->g->mod->mem, (int64_t[]){fill, int_of(val_is_seq(v) ? v.items[0] : v, dflt)},
                  2);
}

/* self, kernel_size, stride, padding, ceil_mode, count_include_pad */
val decompose_avg_pool1d(cursor *c, node *n) {
  node *x = build_unsqueeze(c, n->operands[0], -2);
  node *y = CALL(c, "avg_pool2d.default", V(x), two(c, n->operands[1], 1, 1),
                 two(c, n->operands[2], 1, 1), two(c, n->operands[3], 0, 0),
                 val_bool(bool_of(n->operands[4], false)), val_bool(bool_of(n->operands[5], true)));
  return V(build_squeeze(c, V(y), -2));
}

/* self, kernel_size, stride, padding, dilation, ceil_mode */
static val max_pool(cursor *c, node *n, int rank, bool indices) {
  node *y, *x = n->operands[0].node;
  val v[5];
  for (int i = 1; i < 5; i++)
    v[i] = rank == 1 ? two(c, n->operands[i], i == 3 ? 0 : 1, 1) : n->operands[i];
  val ceil_mode = val_bool(bool_of(n->operands[5], false));
  if (rank == 1) x = build_unsqueeze(c, V(x), -2);
  if (rank == 3)
    y = CALL(c, "max_pool3d_with_indices.default", V(x), v[1], v[2], v[3], v[4], ceil_mode);
  else y = CALL(c, "max_pool2d_with_indices.default", V(x), v[1], v[2], v[3], v[4], ceil_mode);
  if (!y) return val_absent();
  node *item[2] = {build_getitem(c, y, 0), indices ? build_getitem(c, y, 1) : NULL};
  for (int i = 0; i < 2; i++)
    if (rank == 1 && item[i]) item[i] = build_squeeze(c, V(item[i]), -2);
  return indices ? val_seq(c->g->mod->mem, VAL_TUPLE, (val[]){V(item[0]), V(item[1])}, 2)
                 : V(item[0]);
}

val decompose_max_pool1d(cursor *c, node *n) { return max_pool(c, n, 1, false); }
val decompose_max_pool2d(cursor *c, node *n) { return max_pool(c, n, 2, false); }
val decompose_max_pool3d(cursor *c, node *n) { return max_pool(c, n, 3, false); }
val decompose_max_pool1d_with_indices(cursor *c, node *n) { return max_pool(c, n, 1, true); }

val decompose_adaptive_avg_pool1d(cursor *c, node *n) {
  val size = val_is_seq(n->operands[1]) ? n->operands[1].items[0] : n->operands[1];
  node *x = build_unsqueeze(c, n->operands[0], -2);
  node *y = CALL(c, "_adaptive_avg_pool2d.default", V(x), list_of(c, (val[]){val_int(1), size}, 2));
  return V(build_squeeze(c, V(y), -2));
}
