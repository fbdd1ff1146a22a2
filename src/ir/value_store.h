/* Values of the parameters, buffers and constants of a module, as a file holds them or the host
 * gave them. Shared by the copies of a module and by the programs made of them, so they are
 * counted; what is shared never changes. */
#ifndef SCANC_IR_VALUE_STORE_H
#define SCANC_IR_VALUE_STORE_H

#include "base/map.h"
#include "base/vec.h"
#include "scanc/scanc.h"

typedef struct {
  const char *name; /* of the parameter of the main graph */
  scanc_tensor value;
} stored_value;

typedef struct value_store {
  int refs; /* atomic */
  arena *mem;
  VEC(stored_value *) list;
  map by_name;
  void (*release)(void *owner); /* frees what the values lie in; may be NULL */
  void *owner;
} value_store;

value_store *value_store_new(void (*release)(void *owner), void *owner);
value_store *
value_store_retain(value_store *w); /* NULL gives NULL. Thread-safe, as is value_store_release */
void value_store_release(value_store *w); /* NULL is allowed; the last one frees */
/* The value may own its memory; it is released with the rest. */
void value_store_add(value_store *w, const char *name, scanc_tensor value);
/* A store with what w has (NULL: nothing), and the value in the place of what has that name. Takes
 * over the caller's count of w; others who use w see no change. */
value_store *value_store_with(value_store *w, const char *name, scanc_tensor value);
const scanc_tensor *value_store_find(const value_store *w,
                                     const char *name); /* NULL: none; w may be NULL */

#endif
