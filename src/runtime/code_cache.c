/* The cache: a list in the order of use, with the printed entry as the key. */
#include "runtime/code_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/fp_env.h"

enum { MAX_UNUSED = 64 };

struct cached_code {
  char *key;
  size_t key_len;
  uint64_t hash;
  int users;
  const codegen_api *api;
  codegen_code *code;
  struct cached_code *next;
};

static struct {
  pthread_mutex_t lock;
  cached_code *first; /* used last */
  int n_unused;
} cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t hash_of(const str *key) {
  uint64_t h = 1469598103934665603u; /* FNV-1a */
  for (size_t i = 0; i < key->len; i++) h = (h ^ (unsigned char)key->data[i]) * 1099511628211u;
  return h;
}

/* Finds the code and moves it to the front. The lock is held. */
static cached_code *find(const str *key, uint64_t hash) {
  for (cached_code **at = &cache.first; *at; at = &(*at)->next) {
    cached_code *c = *at;
    if (c->hash != hash || c->key_len != key->len || memcmp(c->key, key->data, key->len)) continue;
    *at = c->next;
    c->next = cache.first;
    if (!c->users++) cache.n_unused--;
    return cache.first = c;
  }
  return NULL;
}

static void destroy(cached_code *c) {
  c->api->free(c->code);
  free(c->key);
  free(c);
}

/* Takes the code that was unused longest out of the list; NULL while there are few. */
static cached_code *evict(void) {
  cached_code **last = NULL;
  if (cache.n_unused <= MAX_UNUSED) return NULL;
  for (cached_code **at = &cache.first; *at; at = &(*at)->next)
    if (!(*at)->users) last = at;
  if (!last) return NULL;
  cached_code *c = *last;
  *last = c->next;
  cache.n_unused--;
  return c;
}

static cached_code *make(const codegen_api *api, const entry_point *e, const char *cpu,
                         const str *key, uint64_t hash, str *why) {
  codegen_code *code = api->compile_entry(e, cpu, why);
  if (!code) return NULL;
  cached_code *c = base_malloc(sizeof *c);
  *c = (cached_code){base_malloc(key->len), key->len, hash, 1, api, code, NULL};
  memcpy(c->key, key->data, key->len);
  return c;
}

/* Compiled without the lock: what another thread has made meanwhile is taken instead. */
static cached_code *insert(cached_code *c, const str *key, uint64_t hash) {
  pthread_mutex_lock(&cache.lock);
  cached_code *have = find(key, hash);
  if (!have) {
    c->next = cache.first;
    cache.first = c;
  }
  pthread_mutex_unlock(&cache.lock);
  if (have) destroy(c);
  return have ? have : c;
}

cached_code *code_cache_get(const codegen_api *api, const entry_point *e, const char *cpu,
                            bool *found, str *why) {
  str key = {0};
  str_printf(&key, fp_env_flushes() ? "%s, flushes\n" : "%s\n", cpu);
  entry_print(&key, e);
  uint64_t hash = hash_of(&key);
  pthread_mutex_lock(&cache.lock);
  cached_code *c = find(&key, hash);
  pthread_mutex_unlock(&cache.lock);
  *found = c != NULL;
  if (!c) {
    c = make(api, e, cpu, &key, hash, why);
    if (c) c = insert(c, &key, hash);
  }
  str_free(&key);
  return c;
}

kernel_fn code_cache_fn(const cached_code *c) { return c->api->entry(c->code); }

void code_cache_release(cached_code *c) {
  if (!c) return;
  pthread_mutex_lock(&cache.lock);
  if (!--c->users) cache.n_unused++;
  cached_code *old = evict();
  pthread_mutex_unlock(&cache.lock);
  if (old) destroy(old);
}
