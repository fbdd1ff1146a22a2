/* Small states with intrinsics. */
#include "variants.h"
#if defined(__AVX2__) && defined(__FMA__)
#include <stdlib.h>
#include <string.h>

#include "lanes.h"
#include "membrane_step.h"

/* The columns of the matrix in four vectors, the state in another, each repeated in every group of
 * four lanes: an element of the state is spread by a shuffle within the groups. */
REFERENCE(tanh_cell_registers) {
  const float *w = in[0], *x = in[1];
  if (n[1] != 4) abort();
  lanes column[4], h = lanes_quads(in[2]);
  for (int j = 0; j < 4; j++) {
    float weights[4] = {w[j], w[4 + j], w[8 + j], w[12 + j]};
    column[j] = lanes_quads(weights);
  }
  for (int64_t t = 0; t < n[0]; t++) {
    lanes front = column[0] * lanes_of_quad(h, 0) + column[1] * lanes_of_quad(h, 1);
    lanes back = column[2] * lanes_of_quad(h, 2) + column[3] * lanes_of_quad(h, 3);
    h = lanes_tanh(front + back + lanes_quads(x + 4 * t));
  }
  lanes_store_n(out[0], h, 4);
}

MEMBRANE_STEP(membrane_step, lanes, lanes_all, lanes_exp, lanes_expm1, lanes_sigmoid)

enum { TOGETHER = 2 }; /* vectors of membranes, as the operations of one wait for each other */

REFERENCE(hodgkin_huxley_lanes) {
  const int64_t steps = n[0], membranes = n[1];
  for (int64_t d = 0; d < membranes; d += TOGETHER * LANES) {
    lanes s[TOGETHER][4];
    int64_t used[TOGETHER];
    for (int l = 0; l < TOGETHER; l++) {
      int64_t left = membranes - d - l * LANES;
      used[l] = left < 0 ? 0 : left < LANES ? left : LANES;
      for (int i = 0; i < 4; i++)
        s[l][i] = lanes_load_n((const float *)in[i] + d + l * LANES, used[l]);
    }
    const float *current = (const float *)in[4] + d;
    float *y = (float *)out[0] + d;
    for (int64_t t = 0; t < steps; t++, current += membranes, y += membranes)
      for (int l = 0; l < TOGETHER; l++) {
        membrane_step(s[l], lanes_load_n(current + l * LANES, used[l]));
        lanes_store_n(y + l * LANES, s[l][0], used[l]);
      }
  }
}

/* Gates of compartment d at d, the voltages in two rows with a copy of the first one before them
 * and of the last one behind. Rows are longer by a vector, so that the last one may reach beyond.
 */
REFERENCE(hodgkin_huxley_cable_lanes) {
  const int64_t size = n[1], room = size + 2 + LANES;
  float *rows = calloc((size_t)(5 * room), sizeof *rows);
  if (!rows) abort();
  float *gates = rows, *v = rows + 3 * room, *next = v + room;
  memcpy(v + 1, in[0], (size_t)size * sizeof *v);
  for (int i = 0; i < 3; i++) memcpy(gates + i * room, in[i + 1], (size_t)size * sizeof *gates);
  for (int64_t t = 0; t < n[0]; t++) {
    const float *given = (const float *)in[4] + t * size;
    v[0] = v[1], v[size + 1] = v[size];
    for (int64_t d = 0; d < size; d += LANES) {
      lanes s[4] = {lanes_load(v + 1 + d)}, current = lanes_load_n(given + d, size - d);
      for (int i = 0; i < 3; i++) s[i + 1] = lanes_load(gates + i * room + d);
      current = current + AXIAL(s[0], lanes_load(v + d), lanes_load(v + d + 2), lanes_all);
      membrane_step(s, current);
      lanes_store(next + 1 + d, s[0]);
      lanes_store_n((float *)out[0] + t * size + d, s[0], size - d);
      for (int i = 0; i < 3; i++) lanes_store(gates + i * room + d, s[i + 1]);
    }
    float *before = v;
    v = next, next = before;
  }
  free(rows);
}

#ifdef __AVX512F__
/* All leaves in eight vectors, and so 57 to 64 of them. The neighbour of the last one is the first.
 */
REFERENCE(many_leaves_registers) {
  enum { VECTORS = 8 };
  const int64_t last = n[1] - 1;
  const double *x = in[1];
  __m512d c[VECTORS];
  if (last / 8 != VECTORS - 1) abort();
  const __m512i next = _mm512_setr_epi64(1, 2, 3, 4, 5, 6, 7, 8);
  const __m512i wrapped = _mm512_mask_set1_epi64(next, (__mmask8)(1 << last % 8), 8);
  const __mmask8 used = (__mmask8)(0xff >> (7 - last % 8));
  for (int k = 0; k < VECTORS; k++)
    c[k] = _mm512_maskz_loadu_pd(k < VECTORS - 1 ? 0xff : used, (const double *)in[0] + 8 * k);
  for (int64_t t = 0; t < n[0]; t++) {
    const __m512d first = c[0];
    for (int k = 0; k < VECTORS; k++) {
      __m512d right = k < VECTORS - 1 ? c[k + 1] : first;
      right = _mm512_permutex2var_pd(c[k], k < VECTORS - 1 ? next : wrapped, right);
      c[k] = c[k] * 0.99 + right * 0.01 * x[t];
    }
    _mm512_mask_storeu_pd((double *)out[0] + t, 1, c[0]);
  }
  for (int k = 0; k < VECTORS; k++)
    _mm512_mask_storeu_pd((double *)out[1] + 8 * k, k < VECTORS - 1 ? 0xff : used, c[k]);
}
#endif
#endif
