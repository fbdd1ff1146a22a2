/* What `scanc explain` says about each scan. */
#include <inttypes.h>

#include "loop/scan_nest.h"
#include "runtime/jit.h"

static void explain_axes(str *out, const scan_nest *n, const kernel *k, const scan_layout *l) {
  str_append(out, "  axes:      t sequential");
  for (int a = 0; a < l->n_axes; a++) {
    bool lanes = a == l->n_axes - 1;
    str_printf(out, ", %s map%s", k->axes.data[a + 1].name, lanes ? " (lanes" : "");
    if (lanes && l->lane_hint) str_printf(out, ", %" PRId64 ")", l->lane_hint);
    else if (lanes) str_append(out, ", size known at run time)");
  }
  if (!l->n_axes) str_append(out, "; one element per step");
  str_printf(out, "; %d carries, %d xs, %d ys, %d captured\n", n->n_carry, n->n_x, n->n_y, n->n_extra);
}

static void explain_schedule(str *out, const kernel *k) {
  const loop *lanes = kernel_lane_loop(k);
  if (!lanes) {
    str_append(out, "  schedule:  scalars, carries in registers\n");
    return;
  }
  str_printf(out, "  schedule:  %d lanes, %d vectors at a time, carries in registers\n", lanes->lanes, lanes->unroll);
}

static void explain_compiled(str *out, const scan_nest *n, const target *t) {
  arena *tmp = arena_new();
  nest_shape shape = nest_shape_default(tmp, n);
  scan_layout layout = layout_make(tmp, n, &shape);
  kernel *k = nest_kernel(tmp, n, &layout);
  int ops, bytes;
  schedule_scan(k, t, layout.lane_hint);
  kernel_cost(k, &ops, &bytes);
  str_printf(out, "compiled for %s (%d-bit vectors)\n", t->level, 8 * t->vector_bytes);
  explain_axes(out, n, k, &layout);
  explain_schedule(out, k);
  str_printf(out, "  per step:  %d operations and %d bytes per element", ops, bytes);
  int64_t points = n->rank ? 1 : 0;
  for (int a = 0; a < n->rank && points; a++)
    if (__builtin_mul_overflow(points, n->extent[a], &points)) points = 0;
  if (points) str_printf(out, ", %" PRId64 " elements", points);
  str_char(out, '\n');
  arena_free(tmp);
}

static void explain_scan(str *out, const node *scan, const scanc_options *opts) {
  arena *tmp = arena_new();
  str why = {0};
  target t;
  const scan_nest *n = opts->exec == SCANC_EXEC_INTERP ? NULL : nest_build(tmp, scan, &why);
  if (opts->exec == SCANC_EXEC_INTERP) str_append(&why, "--exec=interp asks for it");
  else if (n && !target_get(opts->cpu, &t)) str_printf(&why, "unknown CPU level '%s'", opts->cpu);
  if (why.len) str_printf(out, "interpreted: %s\n", why.data);
  else explain_compiled(out, n, &t);
  str_free(&why);
  arena_free(tmp);
}

void explain_module(str *out, const module *m, const scanc_options *opts) {
  size_t before = out->len;
  for (int i = 0; i < m->graphs.len; i++)
    for (const node *n = m->graphs.data[i]->first; n; n = n->next) {
      if (!node_is_op(n, OP_scan) && !node_is_op(n, OP_associative_scan)) continue;
      str_printf(out, "%s %s", n->op->name, n->name);
      if (n->loc.line) str_printf(out, " (line %d)", n->loc.line);
      str_append(out, ": ");
      if (node_is_op(n, OP_scan)) explain_scan(out, n, opts);
      else str_append(out, "interpreted: associative_scan has no lowering yet\n");
    }
  if (out->len == before) str_append(out, "no scans\n");
}
