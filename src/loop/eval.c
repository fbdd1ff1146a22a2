/* The evaluator: kernels run as their schedule says (groups of lanes, the last group moved back),
 * with plain C for the elements. Slow on purpose; it shows whether a fault lies in the loop tree or
 * in the machine code. */
#include <string.h>

#include "ir/convert.h"
#include "ir/ops_kernel.h"
#include "loop/prefix_stages.h"
#include "loop/walk.h"

typedef struct {
  const kernel *k;
  char *const *bufs;
  const int64_t *ints;
  int width;      /* points of the lane loop evaluated together: 1 outside of it */
  int widest;     /* in any loop */
  int lane_axis;  /* axis of the open lane loop, -1 */
  int64_t *point; /* per axis: the current point; of the lane axis: the first of the group */
  char **value; /* per value id: `widest` elements; equal ones if computed outside the lane loop */
  char **local; /* per buffer: memory of those that are local */
  int64_t step; /* of the innermost sequential loop */
  uint64_t fault; /* smallest step << 16 | fault so far */
  bool fma;
} machine;

static int64_t number_of(const machine *m, lexpr e) {
  return e.is_param ? m->ints[e.k] + e.add : e.k;
}

static int64_t extent_of(const machine *m, const loop *l) {
  return number_of(m, m->k->axes.data[l->axis].extent);
}

static size_t size_of(const machine *m, int value) {
  return scanc_dtype_size(m->k->values.data[value].dtype);
}

static int64_t integer(const machine *m, int value, int lane) {
  return ((const int64_t *)(const void *)m->value[value])[lane];
}

static char *address(const machine *m, const stmt *s, int lane) {
  const buffer *b = &m->k->buffers.data[s->buffer];
  char *base = m->local[s->buffer] ? m->local[s->buffer] : m->bufs[s->buffer];
  int64_t offset = 0;
  for (int d = 0; d < b->n_dims; d++) {
    const index_map *x = &s->index[d];
    int64_t at = x->add;
    if (x->axis >= 0) at += m->point[x->axis] + (x->axis == m->lane_axis ? lane : 0);
    if (x->axis <= INDEX_VALUE) at = integer(m, stmt_index_value(s, d), lane);
    offset += at * number_of(m, b->dims[d].stride);
  }
  return base + offset * (int64_t)scanc_dtype_size(b->dtype);
}

static void move(machine *m, const stmt *s) {
  int64_t size = (int64_t)scanc_dtype_size(m->k->buffers.data[s->buffer].dtype);
  char *v = m->value[s->kind == ST_LOAD ? s->value : s->arg[0]];
  for (int i = 0; i < m->width; i++) {
    char *element = address(m, s, i);
    if (s->kind == ST_LOAD) memcpy(v + i * size, element, (size_t)size);
    else memcpy(element, v + i * size, (size_t)size);
  }
}

static void note_fault(machine *m, int fault) {
  uint64_t key = (uint64_t)m->step << 16 | (uint64_t)fault;
  if (key < m->fault) m->fault = key;
}

static void point(machine *m, const stmt *s) {
  int64_t *v = (int64_t *)(void *)m->value[s->value], first = number_of(m, s->number);
  if (s->axis >= 0) first += m->point[s->axis];
  for (int i = 0; i < m->width; i++) v[i] = first + (s->axis == m->lane_axis ? i : 0);
}

static void check_index(machine *m, const stmt *s) {
  int64_t *v = (int64_t *)(void *)m->value[s->value], n = number_of(m, s->number);
  for (int i = 0; i < m->width; i++) {
    int64_t at = integer(m, s->arg[0], i);
    if (s->wrap && at < 0 && at >= -n) at += n;
    bool bad = at < 0 || at >= n;
    if (bad && s->fault >= 0) note_fault(m, s->fault);
    v[i] = bad ? 0 : at;
  }
}

static void compute(machine *m, const stmt *s) {
  const void *in[STMT_MAX_ARGS] = {NULL};
  int64_t strides[STMT_MAX_ARGS] = {0};
  int status = 0;
  for (int a = 0; a < s->n_args; a++) in[a] = m->value[s->arg[a]], strides[a] = 1;
  if (s->kind == ST_CAST) {
    convert_of(s->dtype, m->k->values.data[s->arg[0]].dtype)(m->width, m->value[s->value], 1, in[0],
                                                             1);
    return;
  }
  ew_kernel_of(s->op, s->compute, m->fma)(m->width, m->value[s->value], in, strides, &status);
  if (status && s->fault >= 0) note_fault(m, s->fault);
}

static void call(machine *m, const stmt *s) {
  const char *in[STMT_MAX_ARGS] = {NULL};
  int64_t strides[STMT_MAX_ARGS] = {0};
  for (int a = 0; a < s->n_args; a++) {
    in[a] = m->value[s->arg[a]];
    strides[a] = (int64_t)size_of(m, s->arg[a]);
  }
  host_fn_call(s->host, m->width, m->value[s->value], (int64_t)size_of(m, s->value), in, strides);
}

static void constant(machine *m, const stmt *s) {
  number v = {.cls = dtype_class(s->dtype), .i = s->i, .f = s->f};
  for (int i = 0; i < m->width; i++)
    number_store(v, s->dtype, m->value[s->value] + (size_t)i * size_of(m, s->value));
}

/* For the lanes of loops to come. */
static void spread(machine *m, int value) {
  size_t size = size_of(m, value);
  for (int i = 1; m->lane_axis < 0 && i < m->widest; i++)
    memcpy(m->value[value] + (size_t)i * size, m->value[value], size);
}

static void copy_value(machine *m, int to, int from) {
  memcpy(m->value[to], m->value[from], (size_t)m->width * size_of(m, to));
  spread(m, to);
}

static void run_stmt(machine *m, const stmt *s);
static void run_list(machine *m, const stmt_list *list);

static void serial(machine *m, const loop *l) {
  int64_t n = extent_of(m, l), outer = m->step;
  for (int c = 0; c < l->n_carry; c++) copy_value(m, l->carry[c].in, l->carry[c].init);
  for (int64_t p = 0; p < n; p++) {
    m->point[l->axis] = p;
    if (loop_is_sequential(l)) m->step = p;
    run_list(m, &l->body);
    /* All at once: a carry may become the former value of another. */
    for (int c = 0; c < l->n_carry; c++) copy_value(m, l->carry[c].out, l->carry[c].next);
    for (int c = 0; c < l->n_carry; c++) copy_value(m, l->carry[c].in, l->carry[c].out);
  }
  if (n <= 0)
    for (int c = 0; c < l->n_carry; c++) copy_value(m, l->carry[c].out, l->carry[c].init);
  m->step = outer;
}

static void groups(machine *m, const loop *l, int64_t n, int width) {
  m->lane_axis = l->axis;
  m->width = width;
  for (int64_t p = 0; p < n; p += width) {
    m->point[l->axis] = p < n - width ? p : n - width;
    run_list(m, &l->body);
  }
  m->width = 1;
  m->lane_axis = -1;
}

/* ---- networks ---- */

/* One group of a prefix loop. */
typedef struct {
  const loop *l;
  arena *tmp;
  int n;                /* elements in the group */
  char **it;            /* per carry: the elements, as far as they are combined */
  char **total;         /* per carry: what came before the group, one element */
  char **last;          /* per carry, one element: for work */
  unsigned char *stage; /* per statement */
  bool is_cut;          /* then: */
  char **seed;          /* per carry: what comes before the stretch, one element */
  char **unit;          /* per carry: the last elements of up to `lanes` segments or groups */
  int n_units;
  char **own;   /* per carry: the total of the stretch but for these, one element */
  bool has_own; /* there is one */
} group;

static size_t carry_size(const machine *m, const group *g, int c) {
  return size_of(m, g->l->carry[c].in);
}

/* What the body takes from outside is there once; it is needed for every lane. */
static void widen_outer(machine *m, const loop *l, int width) {
  for (int i = 0; i < l->body.len; i++) {
    const stmt *s = &l->body.data[i];
    for (int a = 0; a < s->n_args; a++) {
      size_t size = size_of(m, s->arg[a]);
      for (int k = 1; k < width; k++)
        memcpy(m->value[s->arg[a]] + (size_t)k * size, m->value[s->arg[a]], size);
    }
  }
}

/* Runs the statements of a stage at `width` points. */
static void run_stage(machine *m, const group *g, unsigned char stage, int width) {
  m->width = width;
  for (int i = 0; width && i < g->l->body.len; i++)
    if (g->stage[i] & stage) run_stmt(m, &g->l->body.data[i]);
}

static void put_pair(machine *m, const group *g, int at, char *const *left, int from, int i) {
  for (int c = 0; c < g->l->n_carry; c++) {
    const loop_carry *k = &g->l->carry[c];
    size_t size = carry_size(m, g, c);
    memcpy(m->value[k->in] + (size_t)at * size, left[c] + (size_t)from * size, size);
    memcpy(m->value[k->item] + (size_t)at * size, g->it[c] + (size_t)i * size, size);
  }
}

static void take_result(machine *m, const group *g, int at, int i) {
  for (int c = 0; c < g->l->n_carry; c++) {
    size_t size = carry_size(m, g, c);
    memcpy(g->it[c] + (size_t)i * size, m->value[g->l->carry[c].next] + (size_t)at * size, size);
  }
}

static void combine_within(machine *m, const group *g) {
  for (int d = 1; d < g->l->prefix.lanes; d *= 2) {
    int pairs = 0;
    for (int i = 0; i < g->n; i++)
      if (i & d) put_pair(m, g, pairs++, g->it, prefix_partner(i, d), i);
    run_stage(m, g, STAGE_COMBINE, pairs);
    pairs = 0;
    for (int i = 0; i < g->n; i++)
      if (i & d) take_result(m, g, pairs++, i);
  }
}

static void copy_entry(const machine *m, const group *g, char *const *to, int i, char *const *from,
                       int k) {
  for (int c = 0; c < g->l->n_carry; c++) {
    size_t size = carry_size(m, g, c);
    memcpy(to[c] + (size_t)i * size, from[c] + (size_t)k * size, size);
  }
}

/* Every element becomes `left` (one element per carry) combined with it. */
static void combine_with(machine *m, const group *g, char *const *left) {
  for (int i = 0; i < g->n; i++) put_pair(m, g, i, left, 0, i);
  run_stage(m, g, STAGE_COMBINE, g->n);
  for (int i = 0; i < g->n; i++) take_result(m, g, i, i);
}

/* The elements of another array, as a group. */
static group group_of(const group *g, char **it, int n) {
  group other = *g;
  other.it = it;
  other.n = n;
  return other;
}

/* The units that are there join the total of the stretch. */
static void join_units(machine *m, group *g) {
  int n = g->n_units;
  g->n_units = 0;
  if (!n) return;
  group units = group_of(g, g->unit, n), sum = group_of(g, g->last, 1);
  combine_within(m, &units);
  copy_entry(m, g, g->last, 0, g->unit, n - 1);
  if (g->has_own) combine_with(m, &sum, g->own);
  copy_entry(m, g, g->own, 0, g->last, 0);
  g->has_own = true;
}

/* The last element of a segment or of a group: entry `at` of `last`. */
static void add_unit(machine *m, group *g, char *const *last, int at) {
  if (!g->is_cut) return;
  copy_entry(m, g, g->unit, g->n_units++, last, at);
  if (g->n_units == g->l->prefix.lanes) join_units(m, g);
}

static void load_group(machine *m, const group *g) {
  run_stage(m, g, STAGE_ITEM, g->n);
  for (int c = 0; c < g->l->n_carry; c++)
    memcpy(g->it[c], m->value[g->l->carry[c].item], (size_t)g->n * carry_size(m, g, c));
}

/* Results of the elements in g->it. */
static void store_group(machine *m, const group *g) {
  for (int c = 0; c < g->l->n_carry; c++)
    memcpy(m->value[g->l->carry[c].next], g->it[c], (size_t)g->n * carry_size(m, g, c));
  run_stage(m, g, STAGE_RESULT, g->n);
}

/* ---- blocks of segments ---- */

/* The elements of a block are those of `table`, segment by segment; g is a group of `lanes`. */
typedef struct {
  group *g, table;
  int lanes, segments;
  char **before; /* per carry and segment: what comes before it */
  bool first;    /* nothing comes before the first segment */
  int64_t point; /* of the first element */
} block;

static void load_block(machine *m, block *b) {
  for (int j = 0; j < b->segments; j++) {
    m->point[b->g->l->axis] = b->point + (int64_t)j * b->lanes;
    load_group(m, b->g);
    for (int c = 0; c < b->g->l->n_carry; c++) {
      size_t row = (size_t)b->lanes * carry_size(m, b->g, c);
      memcpy(b->table.it[c] + (size_t)j * row, b->g->it[c], row);
    }
  }
}

/* Element k of `lanes` segments from the first one on. */
static void combine_column(machine *m, const block *b, int first, int k) {
  const group *t = &b->table;
  for (int i = 0; i < b->lanes; i++) {
    int at = (first + i) * b->lanes + k;
    put_pair(m, t, i, t->it, at - 1, at);
  }
  run_stage(m, t, STAGE_COMBINE, b->lanes);
  for (int i = 0; i < b->lanes; i++) take_result(m, t, i, (first + i) * b->lanes + k);
}

/* The totals of `lanes` segments from the first one on. */
static void combine_totals(machine *m, const block *b, int first) {
  group *g = b->g;
  int lanes = b->lanes;
  for (int i = 0; i < lanes; i++) {
    int last = (first + i + 1) * lanes - 1;
    add_unit(m, g, b->table.it, last);
    copy_entry(m, g, g->it, i, b->table.it, last);
  }
  combine_within(m, g);
  if (first || !b->first) combine_with(m, g, g->total);
  copy_entry(m, g, b->before, first, g->total, 0);
  for (int i = 1; i < lanes; i++) copy_entry(m, g, b->before, first + i, g->it, i - 1);
  copy_entry(m, g, g->total, 0, g->it, lanes - 1);
}

static void finish_segment(machine *m, const block *b, int j) {
  const group *g = b->g;
  for (int i = 0; i < b->lanes; i++) copy_entry(m, g, g->it, i, b->table.it, j * b->lanes + i);
  copy_entry(m, g, g->last, 0, b->before, j);
  if (j || !b->first) combine_with(m, g, g->last);
  m->point[g->l->axis] = b->point + (int64_t)j * b->lanes;
  store_group(m, g);
}

static void run_block(machine *m, block *b) {
  load_block(m, b);
  for (int k = 1; k < b->lanes; k++)
    for (int j = 0; j < b->segments; j += b->lanes) combine_column(m, b, j, k);
  for (int j = 0; j < b->segments; j += b->lanes) combine_totals(m, b, j);
  for (int j = 0; j < b->segments; j++) finish_segment(m, b, j);
}

/* As many as there are whole ones; returns the element that follows. */
static int64_t run_blocks(machine *m, group *g, int64_t base, int64_t n) {
  block b = {.g = g, .table = *g, .lanes = g->l->prefix.lanes, .segments = g->l->prefix.segments};
  int64_t e = 0, size = (int64_t)b.lanes * b.segments;
  b.table.it = ARENA_ARRAY(g->tmp, char *, g->l->n_carry);
  b.before = ARENA_ARRAY(g->tmp, char *, g->l->n_carry);
  for (int c = 0; c < g->l->n_carry; c++) {
    b.table.it[c] = arena_alloc(g->tmp, (size_t)size * carry_size(m, g, c));
    b.before[c] = arena_alloc(g->tmp, (size_t)b.segments * carry_size(m, g, c));
  }
  g->n = b.lanes;
  for (; size && n - e >= size; e += size) {
    m->step = base + e;
    b.first = !(base + e) && g->l->headless;
    b.point = base + e - g->l->headless;
    run_block(m, &b);
  }
  return e;
}

/* ---- stretches ---- */

/* n elements from `first` on, which is not in a block. any: something comes before it. */
static void run_group(machine *m, group *g, int64_t first, int n, bool any) {
  g->n = n;
  m->step = first;
  m->point[g->l->axis] = first - g->l->headless;
  load_group(m, g);
  combine_within(m, g);
  add_unit(m, g, g->it, n - 1);
  copy_entry(m, g, g->last, 0, g->it, n - 1);
  if (any) combine_with(m, g, g->total);
  store_group(m, g);
  group sum = group_of(g, g->last, 1);
  if (any) combine_with(m, &sum, g->total);
  copy_entry(m, g, g->total, 0, g->last, 0);
}

/* Whether the elements of g->it, combined with what came before them, are that. */
static bool change_nothing(machine *m, const group *g) {
  bool same = true;
  combine_with(m, g, g->total);
  for (int c = 0; c < g->l->n_carry; c++)
    for (int i = 0; i < g->n; i++) {
      size_t size = carry_size(m, g, c);
      same = same && !memcmp(g->it[c] + (size_t)i * size, g->total[c], size);
    }
  return same;
}

/* Elements from `first` on, as many as are skipped at a time, if they change nothing. */
static bool skip_groups(machine *m, group *g, int64_t first) {
  int skip = g->l->prefix.skip, lanes = g->l->prefix.lanes;
  g->n = lanes;
  for (int e = 0; e < skip; e += lanes) {
    m->point[g->l->axis] = first + e - g->l->headless;
    load_group(m, g);
    if (!change_nothing(m, g)) return false;
  }
  for (int e = 0; e < skip; e += lanes) {
    for (int i = 0; i < lanes; i++) copy_entry(m, g, g->it, i, g->total, 0);
    m->point[g->l->axis] = first + e - g->l->headless;
    store_group(m, g);
  }
  return true;
}

/* The groups and blocks of n elements from `base` on. */
static void run_stretch(machine *m, group *g, int64_t base, int64_t n) {
  int lanes = g->l->prefix.lanes, skip = g->l->prefix.skip;
  int64_t p = run_blocks(m, g, base, n), until = p;
  while (p < n) {
    bool any = base + p || !g->l->headless;
    if (skip && any && p >= until && n - p >= skip) {
      until = p + skip;
      if (skip_groups(m, g, base + p)) {
        p = until;
        continue;
      }
    }
    run_group(m, g, base + p, (int)(n - p < lanes ? n - p : lanes), any);
    p += lanes;
  }
  if (!g->is_cut) return;
  join_units(m, g);
  group sum = group_of(g, g->own, 1);
  if (base || !g->l->headless) combine_with(m, &sum, g->seed);
  copy_entry(m, g, g->seed, 0, g->own, 0);
  copy_entry(m, g, g->total, 0, g->own, 0);
  g->has_own = false;
}

static void network(machine *m, const loop *l) {
  int lanes = l->prefix.lanes;
  int64_t n = extent_of(m, l) + l->headless, outer = m->step, cut = prefix_stretch(l->prefix, n);
  group g = {.l = l, .tmp = arena_new(), .is_cut = prefix_is_cut(l->prefix, n)};
  char ***const arrays[] = {&g.it, &g.unit, &g.total, &g.seed, &g.own, &g.last};
  g.stage = ARENA_ARRAY(g.tmp, unsigned char, l->body.len);
  prefix_stages(m->k, l, g.stage);
  for (int i = 0; i < 6; i++) {
    *arrays[i] = ARENA_ARRAY(g.tmp, char *, l->n_carry);
    for (int c = 0; c < l->n_carry; c++)
      (*arrays[i])[c] = arena_alloc(g.tmp, (size_t)(i < 2 ? lanes : 1) * carry_size(m, &g, c));
  }
  for (int c = 0; c < l->n_carry; c++) {
    memcpy(g.total[c], m->value[l->carry[c].init], carry_size(m, &g, c));
    memcpy(g.seed[c], g.total[c], carry_size(m, &g, c));
  }
  widen_outer(m, l, lanes);
  m->lane_axis = l->axis;
  for (int64_t base = 0; base < n; base += cut)
    run_stretch(m, &g, base, n - base < cut ? n - base : cut);
  m->width = 1;
  m->lane_axis = -1;
  m->step = outer;
  for (int c = 0; c < l->n_carry; c++)
    memcpy(m->value[l->carry[c].out], g.total[c], carry_size(m, &g, c));
  arena_free(g.tmp);
}

static void run_loop(machine *m, const loop *l) {
  if (l->prefix.kind == PREFIX_NETWORK) {
    network(m, l);
    return;
  }
  if (l->bind != BIND_LANES) {
    serial(m, l);
    return;
  }
  int64_t n = extent_of(m, l);
  if (n >= (int64_t)l->lanes * l->unroll) groups(m, l, n, l->lanes * l->unroll);
  else groups(m, l, n, n >= l->lanes ? l->lanes : 1);
}

static void run_stmt(machine *m, const stmt *s) {
  switch (s->kind) {
    case ST_LOAD:
    case ST_STORE: move(m, s); break;
    case ST_OP:
    case ST_CAST: compute(m, s); break;
    case ST_CALL: call(m, s); break;
    case ST_CONST: constant(m, s); break;
    case ST_POINT: point(m, s); break;
    case ST_INDEX: check_index(m, s); break;
    case ST_LOOP: run_loop(m, s->loop); break;
  }
  if (s->value >= 0) spread(m, s->value);
}

static void run_list(machine *m, const stmt_list *list) {
  for (int i = 0; i < list->len; i++) run_stmt(m, &list->data[i]);
}

static void widen(const stmt *s, void *ctx) {
  int *width = ctx;
  if (s->kind == ST_LOOP && s->loop->lanes * s->loop->unroll > *width)
    *width = s->loop->lanes * s->loop->unroll;
}

static char *local_memory(arena *tmp, const buffer *b) {
  size_t n = 1;
  for (int d = 0; d < b->n_dims; d++) n *= (size_t)b->dims[d].extent.k;
  return b->space == SPACE_LOCAL ? arena_alloc(tmp, n * scanc_dtype_size(b->dtype)) : NULL;
}

int32_t kernel_eval(const kernel *k, void *const *bufs, const int64_t *ints, bool fma) {
  arena *tmp = arena_new();
  int width = 1;
  stmts_walk(&k->body, widen, &width);
  machine m = {.k = k,
               .bufs = (char *const *)bufs,
               .ints = ints,
               .width = 1,
               .widest = width,
               .lane_axis = -1,
               .fault = UINT64_MAX,
               .fma = fma};
  m.point = ARENA_ARRAY(tmp, int64_t, k->axes.len);
  m.value = ARENA_ARRAY(tmp, char *, k->values.len);
  for (int v = 0; v < k->values.len; v++)
    m.value[v] = arena_alloc(tmp, (size_t)width * scanc_dtype_size(k->values.data[v].dtype));
  m.local = ARENA_ARRAY(tmp, char *, k->buffers.len);
  for (int i = 0; i < k->buffers.len; i++) m.local[i] = local_memory(tmp, &k->buffers.data[i]);
  run_list(&m, &k->body);
  arena_free(tmp);
  return m.fault == UINT64_MAX ? 0 : (int32_t)(m.fault & 0xffff) + 1;
}
