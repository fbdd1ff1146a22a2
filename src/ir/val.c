#include "ir/val.h"

#include <string.h>

val val_str(arena *a, const char *s) {
  int n = (int)strlen(s);
  return (val){.kind = VAL_STR, .n = n, .s = arena_strndup(a, s, (size_t)n)};
}

val val_atom(arena *a, const char *s) {
  int n = (int)strlen(s);
  return (val){.kind = VAL_ATOM, .n = n, .s = arena_strndup(a, s, (size_t)n)};
}

val val_seq(arena *a, val_kind kind, const val *items, int n) {
  val *copy = ARENA_ARRAY(a, val, n);
  if (n) memcpy(copy, items, sizeof *copy * (size_t)n);
  return (val){.kind = kind, .n = n, .items = copy};
}

val val_ints(arena *a, const int64_t *v, int n) {
  val *items = ARENA_ARRAY(a, val, n);
  for (int i = 0; i < n; i++) items[i] = val_int(v[i]);
  return (val){.kind = VAL_LIST, .n = n, .items = items};
}

bool val_is_seq(val v) {
  switch (v.kind) {
    case VAL_LIST:
    case VAL_TUPLE:
    case VAL_DICT:
    case VAL_SLICE:
    case VAL_RANGE:
    case VAL_SIZE: return true;
    default: return false;
  }
}

void val_each_node(val v, void (*fn)(struct scanc_node *n, void *ctx), void *ctx) {
  if (v.kind == VAL_NODE) fn(v.node, ctx);
  if (val_is_seq(v))
    for (int i = 0; i < v.n; i++) val_each_node(v.items[i], fn, ctx);
}

val val_map_nodes(arena *a, val v, val (*fn)(struct scanc_node *n, void *ctx), void *ctx) {
  if (v.kind == VAL_NODE) return fn(v.node, ctx);
  if (!val_is_seq(v)) return v;
  val *items = ARENA_ARRAY(a, val, v.n);
  for (int i = 0; i < v.n; i++) items[i] = val_map_nodes(a, v.items[i], fn, ctx);
  return (val){.kind = v.kind, .n = v.n, .items = items};
}

static uint64_t float_bits(double f) {
  uint64_t u;
  memcpy(&u, &f, sizeof u);
  return f != f ? 0x7ff8000000000000u : u; /* all NaNs are one value */
}

bool val_equal(val a, val b, bool (*same)(struct scanc_node *a, struct scanc_node *b, void *ctx),
               void *ctx) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case VAL_ABSENT:
    case VAL_NONE:
    case VAL_ELLIPSIS: return true;
    case VAL_NODE: return same ? same(a.node, b.node, ctx) : a.node == b.node;
    case VAL_BOOL:
    case VAL_INT: return a.i == b.i;
    case VAL_FLOAT: return float_bits(a.f) == float_bits(b.f);
    case VAL_COMPLEX:
      return float_bits(a.f) == float_bits(b.f) && float_bits(a.im) == float_bits(b.im);
    case VAL_DTYPE: return a.dtype == b.dtype;
    case VAL_BIGINT:
    case VAL_ATOM: return strcmp(a.s, b.s) == 0;
    case VAL_STR:
    case VAL_BYTES: return a.n == b.n && memcmp(a.s, b.s, (size_t)a.n) == 0;
    case VAL_LIST:
    case VAL_TUPLE:
    case VAL_DICT:
    case VAL_SLICE:
    case VAL_RANGE:
    case VAL_SIZE: break;
  }
  if (a.n != b.n) return false;
  for (int i = 0; i < a.n; i++)
    if (!val_equal(a.items[i], b.items[i], same, ctx)) return false;
  return true;
}

static uint64_t mix(uint64_t h, uint64_t x) {
  h ^= x + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
  return h * 0xff51afd7ed558ccdu;
}

static uint64_t hash_bytes(uint64_t h, const char *s, size_t n) {
  for (size_t i = 0; i < n; i++) h = mix(h, (unsigned char)s[i]);
  return h;
}

uint64_t val_hash(val v) {
  uint64_t h = mix(0, v.kind);
  switch (v.kind) {
    case VAL_ABSENT:
    case VAL_NONE:
    case VAL_ELLIPSIS: return h;
    case VAL_NODE: return mix(h, (uint64_t)(uintptr_t)v.node);
    case VAL_BOOL:
    case VAL_INT: return mix(h, (uint64_t)v.i);
    case VAL_FLOAT: return mix(h, float_bits(v.f));
    case VAL_COMPLEX: return mix(mix(h, float_bits(v.f)), float_bits(v.im));
    case VAL_DTYPE: return mix(h, (uint64_t)v.dtype);
    case VAL_BIGINT:
    case VAL_ATOM: return hash_bytes(h, v.s, strlen(v.s));
    case VAL_STR:
    case VAL_BYTES: return hash_bytes(h, v.s, (size_t)v.n);
    case VAL_LIST:
    case VAL_TUPLE:
    case VAL_DICT:
    case VAL_SLICE:
    case VAL_RANGE:
    case VAL_SIZE: break;
  }
  for (int i = 0; i < v.n; i++) h = mix(h, val_hash(v.items[i]));
  return h;
}
