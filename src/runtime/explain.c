/* What `scanc explain` says about each scan. */
#include <inttypes.h>

#include "loop/scan_nest.h"
#include "loop/walk.h"
#include "runtime/jit.h"

static void explain_axes(str *out, const kernel *k, const stmt *part, const part_layout *l) {
  str_append(out, "  axes:      t sequential");
  for (int a = 0; a < l->n_axes; a++) {
    str_printf(out, ", %s map", k->axes.data[part->loop->axis].name);
    if (a == l->n_axes - 1 && l->lane_hint) str_printf(out, " (lanes, %" PRId64 ")", l->lane_hint);
    else if (a == l->n_axes - 1) str_append(out, " (lanes, size known at run time)");
    for (int i = 0; i < part->loop->body.len; i++)
      if (part->loop->body.data[i].kind == ST_LOOP) {
        part = &part->loop->body.data[i];
        break;
      }
  }
  str_append(out, l->n_axes ? "\n" : "; no others\n");
}

static void explain_schedule(str *out, const stmt *part) {
  stmt_list one = {(stmt *)part, 1, 1};
  const loop *lanes = stmts_lane_loop(&one);
  if (!lanes) str_append(out, "  schedule:  scalars, carries in registers\n");
  else
    str_printf(out, "  schedule:  %d lanes, %d vectors at a time, carries in registers\n",
               lanes->lanes, lanes->unroll);
}

/* Elements that a carry, or the body, keeps besides those that loops run over. */
static void explain_registers(str *out, const scan_nest *n) {
  str_printf(out, "  operands:  %d carries, %d xs, %d ys, %d captured",
             n->fold ? n->n_x : n->n_carry, n->n_x, n->n_y, n->n_extra);
  if (n->carries.len > (n->fold ? n->n_x : n->n_carry))
    str_printf(out, "; %d carried elements per point", n->carries.len);
  str_char(out, '\n');
}

/* The points that all loops but time have together; 0: known at run time only. */
static int64_t count_points(const scan_nest *n, const nest_part *p) {
  int64_t points = 1;
  for (int a = 0; a < p->rank; a++)
    if (__builtin_mul_overflow(points, n->extent[p->cls[a]], &points)) return 0;
  return points;
}

static void explain_compiled(str *out, const scan_nest *n, const target *t) {
  arena *tmp = arena_new();
  nest_shape shape = nest_shape_default(tmp, n);
  scan_layout layout = layout_make(tmp, n, &shape, FOLD_RESULTS);
  kernel *k = nest_kernel(tmp, n, &layout);
  int ops, bytes, p = 0;
  schedule_scan(k, t);
  kernel_cost(k, &ops, &bytes);
  str_printf(out, "compiled for %s (%d-bit vectors)\n", t->level, 8 * t->vector_bytes);
  explain_registers(out, n);
  for (int i = 0; i < k->body.len; i++) {
    if (k->body.data[i].kind != ST_LOOP) continue;
    explain_axes(out, k, &k->body.data[i], &layout.part[p]);
    explain_schedule(out, &k->body.data[i]);
    p++;
  }
  str_printf(out, "  per step:  %d operations and %d bytes per point", ops, bytes);
  int64_t points = n->n_part == 1 ? count_points(n, &n->part[0]) : 0;
  if (points) str_printf(out, ", %" PRId64 " points", points);
  str_char(out, '\n');
  arena_free(tmp);
}

/* Compiles the scan: what is said is what a run would do. */
static bool compiles(const node *scan, const scanc_options *opts, str *why) {
  jit_scan *j = opts->exec == SCANC_EXEC_INTERP ? NULL : jit_scan_new(scan, opts, why);
  if (opts->exec == SCANC_EXEC_INTERP) str_append(why, "--exec=interp asks for it");
  jit_scan_free(j);
  return j != NULL;
}

static void explain_scan(str *out, const node *scan, const scanc_options *opts) {
  arena *tmp = arena_new();
  str why = {0};
  target t;
  if (compiles(scan, opts, &why) && target_get(opts->cpu, &t))
    explain_compiled(out, nest_build(tmp, scan, &why), &t);
  else str_printf(out, "interpreted: %s\n", str_cstr(&why));
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
      explain_scan(out, n, opts);
    }
  if (out->len == before) str_append(out, "no scans\n");
}
