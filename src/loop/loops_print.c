/* loops_print: what `scanc print --form=loops` shows. */
#include "loop/prefix.h"

static const char level[] = "x86-64-v3"; /* the same text on every machine */

static void print_nest(str *out, const node *scan) {
  arena *tmp = arena_new();
  str why = {0};
  target t;
  const scan_nest *n = nest_build(tmp, scan, &why);
  if (n && target_get(level, &t)) {
    nest_shape shape = nest_shape_default(tmp, n);
    bool seeded = n->fold && n->order.seeded;
    scan_layout layout = layout_make(tmp, n, &shape, FOLD_RESULTS | (seeded ? FOLD_SEED : 0));
    kernel *k = nest_kernel(tmp, n, &layout);
    schedule_scan(k, &t);
    if (kernel_verify(k, &why)) kernel_print(out, k);
  }
  if (why.len) str_printf(out, "%s %s: interpreted: %s\n", scan->op->name, scan->name, why.data);
  str_free(&why);
  arena_free(tmp);
}

void loops_print(str *out, module *m, bool left) {
  target t;
  const prefix_wish wish = {.form = left ? PREFIX_IN_TURN : PREFIX_CHEAPEST};
  if (target_get(level, &t)) prefix_orders(m, &t, wish);
  str_printf(out, "# %s, contiguous operands\n", level);
  for (int i = 0; i < m->graphs.len; i++)
    for (const node *n = m->graphs.data[i]->first; n; n = n->next)
      if (node_is_op(n, OP_scan) || node_is_op(n, OP_associative_scan) ||
          node_is_op(n, OP_invoke_subgraph) ||
          (nest_is_cumulative(n) && (n->owner == m->main || n->order.kind != PREFIX_LEFT)))
        print_nest(out, n);
}
