/* Argument values: trees whose leaves are nodes or literals, as FX has them. A val is a small
 * struct copied by value; strings and items live in the module's arena and are immutable. */
#ifndef SCANC_IR_VAL_H
#define SCANC_IR_VAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "scanc/scanc.h"

struct scanc_node;

typedef enum {
  VAL_ABSENT, /* not given */
  VAL_NODE,
  VAL_NONE,
  VAL_BOOL,    /* i */
  VAL_INT,     /* i */
  VAL_BIGINT,  /* s: decimal digits of an integer beyond 64 bits; printed, never computed with */
  VAL_FLOAT,   /* f */
  VAL_COMPLEX, /* f, im */
  VAL_STR,     /* s, n bytes (may hold zero bytes) */
  VAL_BYTES,   /* s, n bytes */
  VAL_DTYPE,   /* dtype */
  VAL_ELLIPSIS,
  VAL_ATOM,  /* s: verbatim text of a literal without meaning here: torch.strided,
                device(type='cpu'), torch.ops... */
  VAL_LIST,  /* items, n */
  VAL_TUPLE, /* items, n */
  VAL_DICT,  /* items: key, value, key, value...; n is the number of items, so twice the number of
                entries */
  VAL_SLICE, /* items: start, stop, step; n == 3 */
  VAL_RANGE, /* items, n */
  VAL_SIZE   /* torch.Size([...]): items, n */
} val_kind;

typedef struct val val;
struct val {
  val_kind kind;
  int n;
  union {
    struct scanc_node *node;
    int64_t i;
    struct {
      double f, im;
    };
    scanc_dtype dtype;
    const char *s;
    const val *items;
  };
};

static inline val val_absent(void) { return (val){.kind = VAL_ABSENT}; }
static inline val val_none(void) { return (val){.kind = VAL_NONE}; }
static inline val val_node(struct scanc_node *n) { return (val){.kind = VAL_NODE, .node = n}; }
static inline val val_int(int64_t i) { return (val){.kind = VAL_INT, .i = i}; }
static inline val val_bool(bool b) { return (val){.kind = VAL_BOOL, .i = b}; }
static inline val val_float(double f) { return (val){.kind = VAL_FLOAT, .f = f}; }
static inline val val_complex(double re, double im) {
  return (val){.kind = VAL_COMPLEX, .f = re, .im = im};
}
static inline val val_dtype(scanc_dtype d) { return (val){.kind = VAL_DTYPE, .dtype = d}; }
val val_str(arena *a, const char *s);
val val_atom(arena *a, const char *s);
/* kind is one of LIST TUPLE DICT SLICE RANGE SIZE; items are copied. */
val val_seq(arena *a, val_kind kind, const val *items, int n);
val val_ints(arena *a, const int64_t *v, int n); /* a list of integers */

bool val_is_seq(val v); /* has items */
/* Calls fn for every node leaf, in order. */
void val_each_node(val v, void (*fn)(struct scanc_node *n, void *ctx), void *ctx);
/* A copy of v in which every node leaf is replaced by fn's result. */
val val_map_nodes(arena *a, val v, val (*fn)(struct scanc_node *n, void *ctx), void *ctx);
/* Typed equality: 1, 1.0 and True differ; floats compare by bits, so -0.0 differs from 0.0 and a
 * NaN equals itself. Node leaves are equal if same(a, b, ctx), or identical when same is NULL. */
bool val_equal(val a, val b, bool (*same)(struct scanc_node *a, struct scanc_node *b, void *ctx),
               void *ctx);
uint64_t val_hash(val v); /* consistent with val_equal on identical nodes */

#endif
