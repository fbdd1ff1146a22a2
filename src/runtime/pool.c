/* Memory of a run. Freed blocks are kept in one list per power-of-two class and reused; the total
 * that was ever taken from the system is bounded by the limit. */
#include <stdlib.h>
#include <string.h>

#include "runtime/tensor.h"

enum { MIN_CLASS = 6, N_CLASSES = 64 };

struct pool {
  size_t limit, used; /* bytes of all blocks, free ones included */
  storage *free_blocks[N_CLASSES];
  storage *headers; /* free headers of borrowed storage */
  int live;         /* blocks handed out */
  bool closed;      /* pool_free was called while blocks were live */
};

pool *pool_new(size_t max_bytes) {
  pool *p = calloc(1, sizeof *p);
  if (p) p->limit = max_bytes;
  return p;
}

static int class_of(size_t bytes) {
  int c = MIN_CLASS;
  while (c < N_CLASSES - 1 && (size_t)1 << c < bytes) c++;
  return c;
}

static void free_block(storage *s) {
  free(s->data);
  free(s);
}

/* Gives every unused block back to the system. */
static void trim(pool *p) {
  for (int c = 0; c < N_CLASSES; c++)
    while (p->free_blocks[c]) {
      storage *s = p->free_blocks[c];
      p->free_blocks[c] = s->next_free;
      p->used -= s->bytes;
      free_block(s);
    }
}

void pool_free(pool *p) {
  if (!p) return;
  trim(p);
  while (p->headers) {
    storage *s = p->headers;
    p->headers = s->next_free;
    free(s);
  }
  p->closed = true;
  if (!p->live) free(p);
}

/* Large blocks are not rounded up to a power of two, so that the limit means what it says. */
static size_t block_size(size_t bytes) {
  if (bytes > (size_t)1 << 16) return (bytes + 4095) & ~(size_t)4095;
  return (size_t)1 << class_of(bytes);
}

/* A block of the class that is large enough; the first few are looked at. */
static storage *reuse(pool *p, size_t size) {
  storage **at = &p->free_blocks[class_of(size)];
  for (int i = 0; *at && i < 8; i++, at = &(*at)->next_free) {
    storage *s = *at;
    if (s->bytes < size) continue;
    *at = s->next_free;
    return s;
  }
  return NULL;
}

static storage *new_block(pool *p, size_t size) {
  if (size > p->limit || p->used > p->limit - size) trim(p);
  if (size > p->limit || p->used > p->limit - size) return NULL;
  storage *s = malloc(sizeof *s);
  if (!s) return NULL;
  *s = (storage){.bytes = size, .pool = p};
  s->data = data_alloc(size);
  if (!s->data) {
    free(s);
    return NULL;
  }
  p->used += size;
  return s;
}

storage *pool_alloc(pool *p, size_t bytes) {
  if (bytes > p->limit) return NULL;
  size_t size = block_size(bytes);
  storage *s = reuse(p, size);
  if (!s) s = new_block(p, size);
  if (!s) return NULL;
  s->refs = 1;
  p->live++;
  return s;
}

storage *pool_borrow(pool *p, void *data, size_t bytes) {
  storage *s = p->headers;
  if (s) p->headers = s->next_free;
  else s = malloc(sizeof *s);
  if (!s) return NULL;
  *s = (storage){.data = data, .bytes = bytes, .refs = 1, .borrowed = true, .pool = p};
  p->live++;
  return s;
}

void storage_retain(storage *s) {
  if (s) s->refs++;
}

void storage_release(storage *s) {
  if (!s || --s->refs) return;
  pool *p = s->pool;
  p->live--;
  if (p->closed) {
    if (s->borrowed) free(s);
    else free_block(s);
    if (!p->live) free(p);
    return;
  }
  storage **list = s->borrowed ? &p->headers : &p->free_blocks[class_of(s->bytes)];
  s->next_free = *list;
  *list = s;
}

void *storage_detach(storage *s) {
  void *data = s->data;
  s->pool->live--;
  s->pool->used -= s->bytes;
  free(s);
  return data;
}
