/* Weights and constants: views of the archive's payloads, checked against their bounds. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "frontend/pt2_reader.h"

typedef struct {
  pt2 *r;
  const char *fqn, *folder;
  json_t *config; /* PayloadMeta */
  const archive_entry *payload;
  scanc_tensor t;
  int64_t offset;
} payload;

/* A constant SymInt. */
static bool constant(payload *p, json_t *v, const char *what, int64_t *out) {
  dim d;
  SCANC_TRY(pt2_size(p->r, v, p->fqn, &d));
  *out = d.k;
  return dim_is_int(d) || pt2_fail(p->r, SCANC_ERR_UNSUPPORTED,
                                   "unsupported: symbolic %s of weight '%.100s'", what, p->fqn);
}

static bool read_meta(payload *p) {
  json_t *meta = pt2_field(p->config, "tensor_meta"), *strides = pt2_field(meta, "strides");
  const type *t;
  SCANC_TRY(pt2_tensor_type(p->r, meta, p->fqn, &t));
  p->t = (scanc_tensor){.dtype = t->dtype, .rank = t->n};
  if ((int)json_array_size(strides) != t->n)
    return pt2_fail(p->r, SCANC_ERR_BAD_JSON, "weight '%.100s': %zu strides for %d dimensions",
                    p->fqn, json_array_size(strides), t->n);
  for (int i = 0; i < t->n; i++) {
    if (!dim_is_int(t->dims[i]))
      return pt2_fail(p->r, SCANC_ERR_UNSUPPORTED, "unsupported: symbolic size of weight '%.100s'",
                      p->fqn);
    p->t.sizes[i] = t->dims[i].k;
    SCANC_TRY(constant(p, json_array_get(strides, (size_t)i), "stride", &p->t.strides[i]));
  }
  json_t *offset = pt2_field(meta, "storage_offset");
  p->offset = 0;
  return !offset || constant(p, offset, "offset", &p->offset);
}

static bool is_empty(const scanc_tensor *t) {
  for (int i = 0; i < t->rank; i++)
    if (!t->sizes[i]) return true;
  return false;
}

/* The last element lies in the payload, and so do all others: no stride is negative. */
static bool check_bounds(const payload *p) {
  int64_t last = p->offset, step;
  bool ok = p->offset >= 0;
  for (int i = 0; i < p->t.rank; i++) {
    ok = ok && p->t.strides[i] >= 0 &&
         !__builtin_mul_overflow(p->t.sizes[i] - 1, p->t.strides[i], &step) &&
         !__builtin_add_overflow(last, step, &last);
  }
  int64_t n = (int64_t)(p->payload->size / scanc_dtype_size(p->t.dtype));
  return (ok && last < n) ||
         pt2_fail(p->r, SCANC_ERR_PAYLOAD_SIZE,
                  "weight '%.100s': its sizes, strides and offset reach outside the %zu bytes of "
                  "entry '%.100s'",
                  p->fqn, p->payload->size, p->payload->name);
}

/* No bytes stand for zeros: one zero for all elements. */
static bool zeros(payload *p) {
  p->t.data = p->t.owner = base_malloc(16);
  memset(p->t.data, 0, 16);
  p->t.release = free;
  for (int i = 0; i < p->t.rank; i++) p->t.strides[i] = 0;
  return true;
}

/* Truth values must be 0 or 1. */
static bool is_truth(const archive_entry *e) {
  unsigned char all = 0;
  for (size_t i = 0; i < e->size; i++) all |= e->data[i];
  return all <= 1;
}

/* Bytes that cannot stay where they are: not aligned, or truth values that are neither. Values
 * that share a payload share the copy; the first one owns it, as all live equally long. */
static void copy_payload(payload *p) {
  bool is_bool = p->t.dtype == SCANC_BOOL;
  map *copies = &p->r->copies[is_bool];
  size_t n = p->payload->size;
  unsigned char *data = map_get(copies, p->payload->name);
  if (!data) {
    data = memcpy(base_malloc(n), p->payload->data, n);
    for (size_t i = 0; is_bool && i < n; i++) data[i] = data[i] != 0;
    map_set(copies, p->payload->name, data);
    p->t.owner = data;
    p->t.release = free;
  }
  p->t.data = data + (size_t)p->offset * scanc_dtype_size(p->t.dtype);
}

static bool place(payload *p) {
  size_t size = scanc_dtype_size(p->t.dtype);
  if (is_empty(&p->t) || !p->payload->size) return zeros(p);
  SCANC_TRY(check_bounds(p));
  bool placed = (uintptr_t)p->payload->data % (size > 8 ? 8 : size) == 0;
  if (!placed || (p->t.dtype == SCANC_BOOL && !is_truth(p->payload))) {
    copy_payload(p);
    return true;
  }
  p->t.data = (void *)(uintptr_t)(p->payload->data + (size_t)p->offset * size);
  return true;
}

static bool find_payload(payload *p) {
  const char *path = pt2_text(p->config, "path_name");
  if (!path) return pt2_fail(p->r, SCANC_ERR_BAD_JSON, "weight '%.100s' has no path_name", p->fqn);
  if (json_is_true(json_object_get(p->config, "use_pickle")))
    return pt2_fail(p->r, SCANC_ERR_UNSUPPORTED,
                    "unsupported: '%.100s' is a pickled object of Python, not a tensor", p->fqn);
  const char *name = arena_printf(p->r->tmp, "%sdata/%s/%s", p->r->root, p->folder, path);
  p->payload = archive_find(p->r->a, name);
  return p->payload ||
         pt2_fail(p->r, SCANC_ERR_MISSING_ENTRY,
                  "the archive has no entry '%.200s' for weight '%.100s'", name, p->fqn);
}

/* The array must be what the parameter takes. */
static bool check_type(const payload *p, const node *n) {
  const type *t = n->type;
  bool same = !t || (t->kind == TYPE_TENSOR && t->dtype == p->t.dtype && t->n == p->t.rank);
  for (int i = 0; same && t && i < t->n; i++)
    same = !dim_is_int(t->dims[i]) || t->dims[i].k == p->t.sizes[i];
  return same || pt2_fail(p->r, SCANC_ERR_SIGNATURE,
                          "weight '%.100s' has another type than parameter '%.100s' of the program",
                          p->fqn, n->name);
}

static bool bind_weight(pt2 *r, port *q, json_t *configs, const char *folder) {
  payload p = {.r = r, .fqn = q->target, .folder = folder};
  p.config = q->target ? pt2_field(configs, q->target) : NULL;
  if (!p.config)
    return pt2_fail(r, SCANC_ERR_MISSING_ENTRY, "the archive has no value for '%.100s' ('%.100s')",
                    q->name, q->target ? q->target : "");
  SCANC_TRY(find_payload(&p) && read_meta(&p) && check_type(&p, graph_find(r->m->main, q->name)));
  SCANC_TRY(place(&p));
  q->frozen = json_is_false(json_object_get(pt2_field(p.config, "tensor_meta"), "requires_grad"));
  value_store_add(r->m->data, q->name, p.t);
  return true;
}

/* The first of the names that configs have had; NULL: none, or an error. */
static json_t *load_config(pt2 *r, const char *folder, const char *const *names) {
  for (int i = 0; i < 2; i++) {
    const char *name = arena_printf(r->tmp, names[i], r->model);
    const archive_entry *e =
        archive_find(r->a, arena_printf(r->tmp, "%sdata/%s/%s", r->root, folder, name));
    if (e) return pt2_load_json(r, e);
  }
  return NULL;
}

static bool bind_all(pt2 *r, json_t *weights, json_t *constants) {
  for (int i = 0; i < r->m->inputs.len; i++) {
    port *q = &r->m->inputs.data[i];
    bool persistent = q->kind == PORT_PARAMETER || (q->kind == PORT_BUFFER && q->persistent != 0);
    if (persistent) SCANC_TRY(bind_weight(r, q, pt2_field(weights, "config"), "weights"));
    else if (q->kind == PORT_BUFFER || q->kind == PORT_CONSTANT)
      SCANC_TRY(bind_weight(r, q, pt2_field(constants, "config"), "constants"));
  }
  return true;
}

bool pt2_weights(pt2 *r) {
  static const char *const weight_names[] = {"%s_weights_config.json",
                                             "%s_model_param_config.json"};
  static const char *const constant_names[] = {"%s_constants_config.json",
                                               "%s_model_constants_config.json"};
  if (r->flat) { /* pickled: PyTorch 2.6 and 2.7 */
    r->m->values_unread = true;
    return true;
  }
  json_t *weights = load_config(r, "weights", weight_names);
  json_t *constants = load_config(r, "constants", constant_names);
  bool ok = !r->m->err.code && bind_all(r, weights, constants);
  json_decref(weights);
  json_decref(constants);
  return ok;
}
