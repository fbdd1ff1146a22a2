/* Vectors of floats in plain C, with the vectors of gcc and clang: as wide as the machine's. */
#ifndef SCANC_BENCH_TILES_H
#define SCANC_BENCH_TILES_H

#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__)
enum { WIDTH = 16 };
#elif defined(__AVX__)
enum { WIDTH = 8 };
#else
enum { WIDTH = 4 };
#endif
typedef float vecf __attribute__((vector_size(WIDTH * sizeof(float))));
typedef uint8_t vecb __attribute__((vector_size(WIDTH)));

/* Columns of a tile: their state stays in registers. */
enum { TILE = 64, TILE_VECTORS = TILE / WIDTH };

static inline vecf vecf_load(const float *p) {
  vecf v;
  memcpy(&v, p, sizeof v);
  return v;
}
static inline void vecf_store(float *p, vecf v) { memcpy(p, &v, sizeof v); }

/* 1.0 and 0.0 for bytes 1 and 0. */
static inline __attribute__((unused)) vecf vecf_of_bytes(const uint8_t *p) {
  vecb b;
  memcpy(&b, p, sizeof b);
  return __builtin_convertvector(b, vecf);
}

#endif
