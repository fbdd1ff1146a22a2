/* Whether two kernels are one function: names, and what messages say, aside. */
#include <string.h>

#include "loop/loop.h"

static bool same_number(lexpr a, lexpr b) {
  return a.is_param == b.is_param && a.k == b.k && a.add == b.add;
}

static bool same_ids(const int *a, const int *b, int n) {
  return !n || !memcmp(a, b, sizeof *a * (size_t)n);
}

static bool same_axes(const kernel *a, const kernel *b) {
  if (a->axes.len != b->axes.len) return false;
  for (int i = 0; i < a->axes.len; i++) {
    const loop_axis *p = &a->axes.data[i], *q = &b->axes.data[i];
    if (!same_number(p->extent, q->extent) || p->param != q->param || p->unit != q->unit)
      return false;
  }
  return true;
}

static bool same_buffers(const kernel *a, const kernel *b) {
  if (a->buffers.len != b->buffers.len) return false;
  for (int i = 0; i < a->buffers.len; i++) {
    const buffer *p = &a->buffers.data[i], *q = &b->buffers.data[i];
    if (p->dtype != q->dtype || p->space != q->space || p->n_dims != q->n_dims) return false;
    for (int d = 0; d < p->n_dims; d++)
      if (!same_number(p->dims[d].extent, q->dims[d].extent) ||
          !same_number(p->dims[d].stride, q->dims[d].stride))
        return false;
  }
  return true;
}

static bool same_list(const kernel *k, const stmt_list *a, const stmt_list *b);

static bool same_loop(const kernel *k, const loop *a, const loop *b) {
  if (a->axis != b->axis || a->order != b->order || a->bind != b->bind || a->lanes != b->lanes ||
      a->unroll != b->unroll || a->block != b->block || a->tile != b->tile ||
      a->headless != b->headless || a->n_carry != b->n_carry)
    return false;
  if (a->order == ORDER_PREFIX && memcmp(&a->prefix, &b->prefix, sizeof a->prefix) != 0)
    return false;
  for (int i = 0; i < a->n_carry; i++) {
    const loop_carry *p = &a->carry[i], *q = &b->carry[i];
    if (p->init != q->init || p->in != q->in || p->next != q->next || p->out != q->out ||
        p->item != q->item)
      return false;
  }
  return same_list(k, &a->body, &b->body);
}

static bool same_access(const kernel *k, const stmt *a, const stmt *b) {
  if (a->buffer != b->buffer) return false;
  for (int d = 0; d < k->buffers.data[a->buffer].n_dims; d++)
    if (a->index[d].axis != b->index[d].axis || a->index[d].add != b->index[d].add) return false;
  return true;
}

static bool same_constant(const stmt *a, const stmt *b) {
  return a->i == b->i && !memcmp(&a->f, &b->f, sizeof a->f);
}

static bool same_stmt(const kernel *k, const stmt *a, const stmt *b) {
  if (a->kind != b->kind || a->value != b->value || a->dtype != b->dtype ||
      a->n_args != b->n_args || a->fault != b->fault || !same_ids(a->arg, b->arg, a->n_args))
    return false;
  switch (a->kind) {
    case ST_LOAD:
    case ST_STORE: return same_access(k, a, b);
    case ST_OP: return a->op == b->op && a->compute == b->compute;
    case ST_CAST: return true;
    case ST_CALL: return a->host == b->host;
    case ST_CONST: return same_constant(a, b);
    case ST_POINT: return a->axis == b->axis && same_number(a->number, b->number);
    case ST_INDEX: return a->wrap == b->wrap && same_number(a->number, b->number);
    case ST_LOOP: return same_loop(k, a->loop, b->loop);
  }
  SCANC_UNREACHABLE("kind of statement");
}

static bool same_list(const kernel *k, const stmt_list *a, const stmt_list *b) {
  if (a->len != b->len) return false;
  for (int i = 0; i < a->len; i++)
    if (!same_stmt(k, &a->data[i], &b->data[i])) return false;
  return true;
}

bool kernel_same(const kernel *a, const kernel *b) {
  if (a->ints.len != b->ints.len || a->values.len != b->values.len ||
      a->faults.len != b->faults.len)
    return false;
  for (int v = 0; v < a->values.len; v++)
    if (a->values.data[v].dtype != b->values.data[v].dtype) return false;
  return same_axes(a, b) && same_buffers(a, b) && same_list(a, &a->body, &b->body);
}
