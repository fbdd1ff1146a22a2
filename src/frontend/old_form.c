/* Scans of PyTorch 2.5 and 2.6 in the words of later versions. */
#include "frontend/old_form.h"

node *old_form_input(cursor *c, node *x, int64_t axis, bool flip, fresh_fn *fresh, void *ctx) {
  module *m = c->g->mod;
  int64_t zero = 0;
  if (axis) {
    val args[3] = {val_node(x), val_int(axis), val_int(0)};
    x = node_call(c, fresh(ctx, "movedim"), "torch.ops.aten.movedim.int", args, 3, NULL, 0);
  }
  if (flip) {
    val args[2] = {val_node(x), val_ints(m->mem, &zero, 1)};
    x = node_call(c, fresh(ctx, "flip"), "torch.ops.aten.flip.default", args, 2, NULL, 0);
  }
  return x;
}
