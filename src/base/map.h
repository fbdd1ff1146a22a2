/* String-keyed hash map in an arena; iteration is in order of insertion, so nothing depends on hash
 * order. */
#ifndef SCANC_BASE_MAP_H
#define SCANC_BASE_MAP_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct {
  const char *key; /* borrowed: must outlive the map */
  void *value;
  bool live; /* false once removed */
} map_entry;

typedef struct {
  arena *mem;
  map_entry *entries; /* in order of insertion; skip those that are not live */
  int n_entries, cap_entries;
  int *slots;
  int n_slots;
} map;

map map_make(arena *mem);
void *map_get(const map *m, const char *key);             /* NULL when absent */
void *map_get_n(const map *m, const char *key, size_t n); /* key of n bytes, not terminated */
bool map_has(const map *m, const char *key);
void map_set(map *m, const char *key, void *value); /* inserts or replaces */
bool map_remove(map *m, const char *key);

#endif
