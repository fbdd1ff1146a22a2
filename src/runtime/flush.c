/* What becomes of subnormal numbers that a program begins with. */
#include "runtime/flush.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/walk.h"

/* ---- literals ---- */

static double flushed(double x) { return fabs(x) < DBL_MIN ? copysign(0, x) : x; }

static val flush_val(arena *mem, val v) {
  if (v.kind == VAL_FLOAT || v.kind == VAL_COMPLEX) v.f = flushed(v.f);
  if (v.kind == VAL_COMPLEX) v.im = flushed(v.im);
  if (!val_is_seq(v)) return v;
  val *items = ARENA_ARRAY(mem, val, v.n);
  for (int i = 0; i < v.n; i++) items[i] = flush_val(mem, v.items[i]);
  v.items = items;
  return v;
}

static void flush_args(node *n) {
  arena *mem = n->owner->mod->mem;
  val *args = ARENA_ARRAY(mem, val, n->n_args);
  bool same = true;
  for (int i = 0; i < n->n_args; i++) {
    args[i] = flush_val(mem, n->args[i]);
    same = same && val_equal(args[i], n->args[i], NULL, NULL);
  }
  if (!same) node_set_args(n, args, n->n_pos, n->kw, n->n_args - n->n_pos);
}

void flush_literals(module *m) {
  for (int i = 0; i < m->graphs.len; i++) {
    FOR_EACH_NODE (n, m->graphs.data[i]) flush_args(n);
  }
}

/* ---- arrays ---- */

/* Of a real number: a word of 8 << k bits, of which `exponent` are those of the exponent. */
typedef struct {
  int bytes, parts; /* of the word; words per element */
  uint64_t exponent, sign;
} form;

static bool form_of(scanc_dtype d, form *f) {
  static const uint64_t exponents[] = {
      [2] = 0x7f80, [4] = 0x7f800000, [8] = 0x7ff0u * (1ull << 48)};
  if (dtype_class(d) != 'f' && dtype_class(d) != 'c') return false;
  f->bytes = (int)scanc_dtype_size(dtype_real(d));
  f->parts = (int)scanc_dtype_size(d) / f->bytes;
  f->exponent = exponents[f->bytes];
  f->sign = (uint64_t)1 << (8 * f->bytes - 1);
  return d != SCANC_F16;
}

/* Whether one of n words, so many words apart, has an exponent of zero and is no zero. */
#define FIND(T) \
  static bool find_##T(const T *x, int64_t n, int64_t stride, T exponent, T sign) { \
    T found = 0; \
    for (int64_t i = 0; i < n; i++) { \
      T u = x[i * stride]; \
      found |= (T)((u & exponent) == 0 && (T)(u & (T)~sign) != 0); \
    } \
    return found != 0; \
  } \
  static void flush_##T(T *x, int64_t n, T exponent, T sign) { \
    for (int64_t i = 0; i < n; i++) x[i] &= x[i] & exponent ? (T) ~(T)0 : sign; \
  }
FIND(uint16_t)
FIND(uint32_t)
FIND(uint64_t)

static bool find(const form *f, const char *x, int64_t n, int64_t stride) {
  const void *p = x;
  switch (f->bytes) {
    case 2: return find_uint16_t(p, n, stride, (uint16_t)f->exponent, (uint16_t)f->sign);
    case 4: return find_uint32_t(p, n, stride, (uint32_t)f->exponent, (uint32_t)f->sign);
    default: return find_uint64_t(p, n, stride, f->exponent, f->sign);
  }
}

bool flush_is_due(const scanc_tensor *t) {
  form f;
  axes a = {0};
  if (!t->data || !form_of(t->dtype, &f)) return false;
  for (int d = 0; d < t->rank; d++) /* elements that lie at one place need one look */
    if (t->strides[d]) axes_push(&a, t->sizes[d], t->strides[d] * f.parts);
  if (f.parts > 1) axes_push(&a, f.parts, 1);
  int64_t left = scanc_tensor_numel(t) ? axes_count(&a) : 0;
  for (walk w = walk_begin(&a); left > 0;) {
    int64_t n = walk_run(&w);
    if (find(&f, (const char *)t->data + w.offset * f.bytes, n, walk_stride(&w))) return true;
    walk_advance(&w, n);
    left -= n;
  }
  return false;
}

void flush_array(const scanc_tensor *t) {
  form f;
  if (!form_of(t->dtype, &f)) return;
  int64_t n = scanc_tensor_numel(t) * f.parts;
  switch (f.bytes) {
    case 2: flush_uint16_t(t->data, n, (uint16_t)f.exponent, (uint16_t)f.sign); break;
    case 4: flush_uint32_t(t->data, n, (uint32_t)f.exponent, (uint32_t)f.sign); break;
    default: flush_uint64_t(t->data, n, f.exponent, f.sign); break;
  }
}

/* ---- inputs of a run ---- */

/* What is wrong with an array is told later. */
static bool is_due(const program *p, int i, const scanc_tensor *t) {
  const in_port *q = &p->inputs[i];
  bool bound = q->is_bound && t->data == q->bound.data;
  return !bound && t->data && ports_check_kind(p, i, t, &(scanc_error){0}) && flush_is_due(t);
}

const scanc_tensor *flush_inputs(program *p, run_state *s, const scanc_tensor *in,
                                 const scanc_tensor *out, scanc_error *err) {
  size_t left = p->opts.max_bytes;
  bool any = false;
  if (!s->flushed) s->flushed = ARENA_ARRAY(s->mem, scanc_tensor, p->n_inputs);
  for (int i = 0; i < p->n_inputs; i++) {
    scanc_tensor *t = &s->flushed[i];
    *t = in[i];
    t->release = NULL;
    t->owner = NULL;
    if (!is_due(p, i, &in[i])) continue;
    if (!any && !results_apart(p, in, out, err)) return NULL;
    any = true;
    if (!result_new(t, in[i].dtype, in[i].sizes, in[i].rank, &left)) return no_memory(p, err), NULL;
    tensor from = {.data = in[i].data, .dtype = in[i].dtype, .rank = in[i].rank};
    memcpy(from.sizes, in[i].sizes, sizeof from.sizes);
    memcpy(from.strides, in[i].strides, sizeof from.strides);
    result_copy(t, &from);
    flush_array(t);
  }
  return any ? s->flushed : in;
}

void flush_release(const program *p, run_state *s) {
  for (int i = 0; s->flushed && i < p->n_inputs; i++) scanc_tensor_release(&s->flushed[i]);
}
