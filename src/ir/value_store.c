/* Values of the parameters of a module. */
#include "ir/value_store.h"

value_store *value_store_new(void (*release)(void *owner), void *owner) {
  arena *mem = arena_new();
  value_store *w = ARENA_NEW(mem, value_store);
  w->refs = 1;
  w->by_name = map_make(mem);
  w->mem = mem;
  w->release = release;
  w->owner = owner;
  return w;
}

value_store *value_store_retain(value_store *w) {
  if (w) __atomic_add_fetch(&w->refs, 1, __ATOMIC_RELAXED);
  return w;
}

void value_store_release(value_store *w) {
  if (!w || __atomic_sub_fetch(&w->refs, 1, __ATOMIC_ACQ_REL)) return;
  for (int i = 0; i < w->list.len; i++) {
    scanc_tensor *t = &w->list.data[i]->value;
    if (t->release) t->release(t->owner);
  }
  if (w->release) w->release(w->owner);
  arena_free(w->mem);
}

void value_store_add(value_store *w, const char *name, scanc_tensor value) {
  stored_value *x = ARENA_NEW(w->mem, stored_value);
  *x = (stored_value){arena_strdup(w->mem, name), value};
  vec_push(w->mem, &w->list, x);
  map_set(&w->by_name, x->name, x);
}

static void release_store(void *w) { value_store_release(w); }

value_store *value_store_with(value_store *w, const char *name, scanc_tensor value) {
  bool shared = w && __atomic_load_n(&w->refs, __ATOMIC_ACQUIRE) > 1;
  value_store *out = w && !shared ? w : value_store_new(shared ? release_store : NULL, w);
  for (int i = 0; shared && i < w->list.len; i++) { /* w has the memory */
    scanc_tensor t = w->list.data[i]->value;
    t.release = NULL;
    value_store_add(out, w->list.data[i]->name, t);
  }
  stored_value *x = map_get(&out->by_name, name);
  if (!x) {
    value_store_add(out, name, value);
    return out;
  }
  if (x->value.release) x->value.release(x->value.owner);
  x->value = value;
  return out;
}

const scanc_tensor *value_store_find(const value_store *w, const char *name) {
  const stored_value *x = w ? map_get(&w->by_name, name) : NULL;
  return x ? &x->value : NULL;
}
