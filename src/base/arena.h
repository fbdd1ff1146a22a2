/* Arena allocation: memory is freed by lifetime, never by object.
 * Running out of memory while compiling is fatal (documented in docs/design.md), so no call here
 * returns NULL. */
#ifndef SCANC_BASE_ARENA_H
#define SCANC_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct arena arena;

/* A position in an arena; arena_reset to it frees everything allocated since. */
typedef struct {
  void *block;
  size_t used;
} arena_mark;

arena *arena_new(void);
void arena_free(arena *a); /* NULL is allowed */

/* Returns zeroed memory aligned to 16 bytes; size 0 gives a valid unique pointer. */
void *arena_alloc(arena *a, size_t size);
void *arena_copy(arena *a, const void *src, size_t size);
char *arena_strndup(arena *a, const char *s, size_t n);
char *arena_strdup(arena *a, const char *s);
char *arena_printf(arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

arena_mark arena_save(const arena *a);
void arena_reset(arena *a, arena_mark m);

#define ARENA_NEW(a, T) ((T *)arena_alloc((a), sizeof(T)))
#define ARENA_ARRAY(a, T, n) ((T *)arena_alloc((a), sizeof(T) * (size_t)(n)))

/* Called where memory has run out, before the process ends; bytes: what was asked for, 0 if that is
 * not known. NULL: a line on stderr instead. libscanc-codegen has a copy of this, which calls the
 * one of libscanc. Thread-safe. */
typedef void base_no_memory_fn(void *user, size_t bytes);
void base_on_no_memory(base_no_memory_fn *fn, void *user);
bool base_tells_no_memory(void); /* whether there is one */
/* Calls it and ends the process. */
_Noreturn void base_no_memory(size_t bytes);

/* malloc, calloc and realloc that end the process with a message when memory runs out; for the few
 * compile-time buffers whose life no arena fits. */
void *base_malloc(size_t size);
void *base_realloc(void *p, size_t size);

#endif
