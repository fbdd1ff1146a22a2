#include "base/arena.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif

/* Under AddressSanitizer everything that is not handed out is poisoned, with a gap behind each
 * allocation. */
#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(p, n) ASAN_POISON_MEMORY_REGION(p, n)
#define UNPOISON(p, n) ASAN_UNPOISON_MEMORY_REGION(p, n)
enum { GAP = 16 };
#else
#define POISON(p, n) ((void)0)
#define UNPOISON(p, n) ((void)0)
enum { GAP = 0 };
#endif

enum { ALIGN = 16, FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

typedef struct block block;
struct block {
  _Alignas(ALIGN) block *prev;
  size_t cap, used;
};

struct arena {
  block *top;
  block *spare;     /* one block kept by a reset, so that a loop around a block border does not call
                       malloc */
  size_t next_size; /* capacity of the next block */
};

static struct {
  pthread_mutex_t lock;
  base_no_memory_fn *fn;
  void *user;
} handler = {.lock = PTHREAD_MUTEX_INITIALIZER};

void base_on_no_memory(base_no_memory_fn *fn, void *user) {
  pthread_mutex_lock(&handler.lock);
  handler.fn = fn;
  handler.user = user;
  pthread_mutex_unlock(&handler.lock);
}

bool base_tells_no_memory(void) {
  pthread_mutex_lock(&handler.lock);
  bool tells = handler.fn != NULL;
  pthread_mutex_unlock(&handler.lock);
  return tells;
}

_Noreturn void base_no_memory(size_t bytes) {
  pthread_mutex_lock(&handler.lock);
  base_no_memory_fn *fn = handler.fn;
  void *user = handler.user;
  pthread_mutex_unlock(&handler.lock);
  if (fn) fn(user, bytes);
  else fprintf(stderr, "scanc: out of memory (%zu bytes)\n", bytes);
  exit(3);
}

void *base_malloc(size_t size) {
  void *p = malloc(size ? size : 1);
  if (!p) base_no_memory(size);
  return p;
}

void *base_realloc(void *p, size_t size) {
  void *grown = realloc(p, size ? size : 1);
  if (!grown) base_no_memory(size);
  return grown;
}

static char *block_data(block *b) { return (char *)(b + 1); }

static void block_free(block *b) {
  UNPOISON(block_data(b), b->cap);
  free(b);
}

arena *arena_new(void) {
  arena *a = base_malloc(sizeof *a);
  *a = (arena){.next_size = FIRST_BLOCK};
  return a;
}

void arena_free(arena *a) {
  if (!a) return;
  arena_reset(a, (arena_mark){0});
  if (a->spare) block_free(a->spare);
  free(a);
}

static void push_block(arena *a, size_t need) {
  block *b = a->spare;
  if (b && b->cap >= need) {
    a->spare = NULL;
  } else {
    size_t cap = a->next_size > need ? a->next_size : need;
    if (a->next_size < LARGEST_BLOCK) a->next_size *= 2;
    b = base_malloc(sizeof *b + cap);
    b->cap = cap;
    POISON(block_data(b), cap);
  }
  b->used = 0;
  b->prev = a->top;
  a->top = b;
}

void *arena_alloc(arena *a, size_t size) {
  if (size > SIZE_MAX / 2) base_no_memory(size);
  size_t need = ((size ? size : 1) + ALIGN - 1) / ALIGN * ALIGN + GAP;
  if (!a->top || a->top->cap - a->top->used < need) push_block(a, need);
  char *p = block_data(a->top) + a->top->used;
  a->top->used += need;
  UNPOISON(p, size);
  return memset(p, 0, size);
}

void *arena_copy(arena *a, const void *src, size_t size) {
  void *p = arena_alloc(a, size);
  return size ? memcpy(p, src, size) : p;
}

char *arena_strndup(arena *a, const char *s, size_t n) {
  char *p = arena_alloc(a, n + 1);
  if (n) memcpy(p, s, n);
  return p;
}

char *arena_strdup(arena *a, const char *s) { return arena_strndup(a, s, strlen(s)); }

static char *arena_vprintf(arena *a, const char *fmt, va_list ap) {
  va_list again;
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, ap);
  char *p = arena_alloc(a, (size_t)(n < 0 ? 0 : n) + 1);
  if (n > 0) vsnprintf(p, (size_t)n + 1, fmt, again);
  va_end(again);
  return p;
}

char *arena_printf(arena *a, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  char *p = arena_vprintf(a, fmt, ap);
  va_end(ap);
  return p;
}

arena_mark arena_save(const arena *a) { return (arena_mark){a->top, a->top ? a->top->used : 0}; }

/* Keeps the larger of b and the present spare block. */
static void keep_spare(arena *a, block *b) {
  POISON(block_data(b), b->cap);
  if (a->spare && a->spare->cap >= b->cap) {
    block_free(b);
    return;
  }
  if (a->spare) block_free(a->spare);
  a->spare = b;
}

void arena_reset(arena *a, arena_mark m) {
  while (a->top != m.block) {
    block *b = a->top;
    a->top = b->prev;
    keep_spare(a, b);
  }
  if (!a->top) return;
  POISON(block_data(a->top) + m.used, a->top->cap - m.used);
  a->top->used = m.used;
}
