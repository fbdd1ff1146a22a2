/* Open addressing with linear probing. A slot holds 1 + the index of an entry, 0 when free. A
 * removed entry keeps its slot, marked not live, until the table is rebuilt. */
#include "base/map.h"

#include <stdint.h>
#include <string.h>

map map_make(arena *mem) { return (map){.mem = mem}; }

/* FNV-1a. */
static uint32_t hash(const char *key, size_t n) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)key[i]) * 16777619u;
  return h ^ h >> 15;
}

static map_entry *find(const map *m, const char *key, size_t n) {
  if (!m->n_slots) return NULL;
  uint32_t mask = (uint32_t)m->n_slots - 1;
  for (uint32_t i = hash(key, n) & mask; m->slots[i]; i = (i + 1) & mask) {
    map_entry *e = &m->entries[m->slots[i] - 1];
    if (e->live && strlen(e->key) == n && memcmp(e->key, key, n) == 0) return e;
  }
  return NULL;
}

void *map_get_n(const map *m, const char *key, size_t n) {
  const map_entry *e = find(m, key, n);
  return e ? e->value : NULL;
}

void *map_get(const map *m, const char *key) { return map_get_n(m, key, strlen(key)); }

bool map_has(const map *m, const char *key) { return find(m, key, strlen(key)) != NULL; }

static void link_entry(map *m, int index) {
  const char *key = m->entries[index].key;
  uint32_t mask = (uint32_t)m->n_slots - 1;
  uint32_t i = hash(key, strlen(key)) & mask;
  while (m->slots[i]) i = (i + 1) & mask;
  m->slots[i] = index + 1;
}

/* Drops removed entries and makes room for twice the live ones. */
static void rebuild(map *m) {
  int n = 0;
  for (int i = 0; i < m->n_entries; i++) n += m->entries[i].live;
  int cap = 8;
  while (cap < 2 * n) cap *= 2;
  map_entry *old = m->entries;
  int n_old = m->n_entries;
  m->entries = ARENA_ARRAY(m->mem, map_entry, cap);
  m->cap_entries = cap;
  m->n_slots = 2 * cap;
  m->slots = ARENA_ARRAY(m->mem, int, m->n_slots);
  m->n_entries = 0;
  for (int i = 0; i < n_old; i++) {
    if (!old[i].live) continue;
    m->entries[m->n_entries] = old[i];
    link_entry(m, m->n_entries++);
  }
}

void map_set(map *m, const char *key, void *value) {
  map_entry *e = find(m, key, strlen(key));
  if (e) {
    e->value = value;
    return;
  }
  if (m->n_entries == m->cap_entries) rebuild(m);
  m->entries[m->n_entries] = (map_entry){key, value, true};
  link_entry(m, m->n_entries++);
}

bool map_remove(map *m, const char *key) {
  map_entry *e = find(m, key, strlen(key));
  if (e) e->live = false;
  return e != NULL;
}
