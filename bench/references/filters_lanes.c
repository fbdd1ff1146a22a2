/* Filters of statistics with intrinsics. */
#include "variants.h"
#if defined(__AVX2__) && defined(__FMA__)
#include "floats.h"
#include "kalman_step.h"
#include "lanes.h"

KALMAN_STEP(track_step, lanes, lanes_all)

enum { TOGETHER = 2 }; /* vectors of tracks, as the steps of one wait for a division */

/* `used` tracks from b on, up to TOGETHER vectors. */
static void track_block(void *const *in, void *const *out, const int64_t *n, int64_t b,
                        int64_t used) {
  const float *z = (const float *)in[0] + b, *m0 = (const float *)in[1] + b;
  float *x = (float *)out[0] + b, *y = (float *)out[1] + b;
  lanes s[TOGETHER][TRACK_LEAVES];
  int64_t count[TOGETHER];
  for (int l = 0; l < TOGETHER; l++) {
    count[l] = used - l * LANES < 0 ? 0 : used - l * LANES < LANES ? used - l * LANES : LANES;
    for (int i = 0; i < TRACK_LEAVES; i++)
      s[l][i] = i < 4 ? lanes_load_n(m0 + i * n[1] + l * LANES, count[l])
                      : lanes_all((float)starts_at_one(i));
  }
  for (int64_t t = 0; t < n[0]; t++, z += 2 * n[1], x += n[1], y += n[1])
    for (int l = 0; l < TOGETHER; l++) {
      track_step(s[l], lanes_load_n(z + l * LANES, count[l]),
                 lanes_load_n(z + n[1] + l * LANES, count[l]));
      lanes_store_n(x + l * LANES, s[l][0], count[l]);
      lanes_store_n(y + l * LANES, s[l][1], count[l]);
    }
}

REFERENCE(kalman_lanes_registers) {
  for (int64_t b = 0; b < n[1]; b += TOGETHER * LANES)
    track_block(in, out, n, b, n[1] - b < TOGETHER * LANES ? n[1] - b : TOGETHER * LANES);
}

enum { STATES_TOGETHER = 4 }; /* vectors of tracks of one state each */

/* `used` tracks from b on, their mean and variance in registers. */
static void state_block(void *const *in, void *const *out, const int64_t *n, int64_t b,
                        int64_t used) {
  lanes mean[STATES_TOGETHER], variance[STATES_TOGETHER];
  int64_t count[STATES_TOGETHER];
  for (int l = 0; l < STATES_TOGETHER; l++) {
    count[l] = used - l * LANES < 0 ? 0 : used - l * LANES < LANES ? used - l * LANES : LANES;
    mean[l] = variance[l] = lanes_all(0);
  }
  for (int64_t t = 0; t < n[0]; t++)
    for (int l = 0; l < STATES_TOGETHER; l++) {
      int64_t at = t * n[1] + b + l * LANES;
      lanes given[5], gain;
      for (int i = 0; i < 5; i++) given[i] = lanes_load_n((const float *)in[i] + at, count[l]);
      gain = given[0] * (lanes_all(1) / (variance[l] * given[4] + lanes_all(1)));
      mean[l] = gain * (mean[l] + variance[l] * given[3]) + given[1];
      variance[l] = gain * variance[l] * given[0] + given[2];
      lanes_store_n((float *)out[0] + at, mean[l], count[l]);
      lanes_store_n((float *)out[1] + at, variance[l], count[l]);
    }
}

/* log sum over i of exp(alpha[i] + trans[i][j]) is m + log sum of exp(alpha[i] - m)
 * exp(trans[i][j]) for any m: with the exp of trans taken once, a step is one vector times a
 * matrix. m is the greatest alpha. */
REFERENCE(hmm_forward_lanes) {
  const int64_t states = n[1];
  const float *trans = in[0], *obs = in[1], *before = in[2];
  if (states % LANES != 0) abort();
  float *weight = floats(states * states), *e = floats(states), *alpha = out[0];
  for (int64_t i = 0; i < states * states; i += LANES)
    lanes_store(weight + i, lanes_exp(lanes_load(trans + i)));
  for (int64_t t = 0; t < n[0]; t++, before = alpha, alpha += states, obs += states) {
    lanes most = lanes_load(before);
    for (int64_t j = LANES; j < states; j += LANES) most = lanes_max(most, lanes_load(before + j));
    most = lanes_all(lanes_maximum(most));
    for (int64_t j = 0; j < states; j += LANES)
      lanes_store(e + j, lanes_exp(lanes_load(before + j) - most));
    for (int64_t j = 0; j < states; j += LANES) {
      lanes sum[4] = {lanes_all(0), lanes_all(0), lanes_all(0), lanes_all(0)};
      for (int64_t i = 0; i < states; i += 4)
        for (int l = 0; l < 4; l++)
          sum[l] = sum[l] + lanes_all(e[i + l]) * lanes_load(weight + (i + l) * states + j);
      lanes total = lanes_log((sum[0] + sum[1]) + (sum[2] + sum[3]));
      lanes_store(alpha + j, total + most + lanes_load(obs + j));
    }
  }
  free(weight), free(e);
}

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#include "network.h"

/* Leaves: factor, mean, variance, and what is known of the state before: eta, j. */
static inline group join_filters(group x, group y) {
  __m512 d = 1.0f / (x.leaf[2] * y.leaf[4] + 1.0f), da = y.leaf[0] * d, ad = x.leaf[0] * d;
  group joined = {{da * x.leaf[0], da * (x.leaf[1] + x.leaf[2] * y.leaf[3]) + y.leaf[1],
                   da * x.leaf[2] * y.leaf[0] + y.leaf[2],
                   ad * (y.leaf[3] - y.leaf[4] * x.leaf[1]) + x.leaf[3],
                   ad * y.leaf[4] * x.leaf[0] + x.leaf[4]}};
  return joined;
}
static const operation filters = {5, join_filters, {1, 0, 0, 0, 0}, {0}};

static void one_track(void *const *in, void *const *out, int64_t steps) {
  const float *const x[] = {in[0], in[1], in[2], in[3], in[4]};
  float *const y[] = {NULL, out[0], out[1], NULL, NULL};
  segments_row(&filters, x, y, steps);
}
#else
static void one_track(void *const *in, void *const *out, int64_t steps) {
  state_block(in, out, (const int64_t[]){steps, 1}, 0, 1);
}
#endif

REFERENCE(kalman_assoc_registers) {
  const int64_t together = STATES_TOGETHER * LANES;
  if (n[1] == 1) one_track(in, out, n[0]);
  else
    for (int64_t b = 0; b < n[1]; b += together)
      state_block(in, out, n, b, n[1] - b < together ? n[1] - b : together);
}

/* ---- small matrices: a row of four f64 in a register ---- */

typedef __m256d row;

static inline row all_as(double x) { return _mm256_set1_pd(x); }
/* Element i, known where it is called, in all of them. */
#define all_of(v, i) _mm256_permute4x64_pd(v, (i) * 0x55)

/* v times the matrix of rows m. */
static inline row row_times(row v, const row *m) {
  return (all_of(v, 0) * m[0] + all_of(v, 1) * m[1]) + (all_of(v, 2) * m[2] + all_of(v, 3) * m[3]);
}

static inline void transpose_rows(const row *m, row *to) {
  row a = _mm256_unpacklo_pd(m[0], m[1]), b = _mm256_unpackhi_pd(m[0], m[1]);
  row c = _mm256_unpacklo_pd(m[2], m[3]), d = _mm256_unpackhi_pd(m[2], m[3]);
  to[0] = _mm256_permute2f128_pd(a, c, 0x20), to[1] = _mm256_permute2f128_pd(b, d, 0x20);
  to[2] = _mm256_permute2f128_pd(a, c, 0x31), to[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

/* The sum in all elements. */
static inline row sum_of(row v) {
  v = v + _mm256_permute2f128_pd(v, v, 1);
  return v + _mm256_permute_pd(v, 5);
}

/* P becomes (I - K H) Q as the program has it, or Q - K (H Q), which is less work. */
static inline __attribute__((always_inline)) void kalman_rows(void *const *in, void *const *out,
                                                              int64_t steps, const bool less) {
  row f[4], f_columns[4], h[2], p[4], mean = _mm256_loadu_pd(in[3]);
  const row unit[4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  const double *z = in[2], *hs = in[1];
  for (int i = 0; i < 4; i++) f[i] = _mm256_loadu_pd((const double *)in[0] + 4 * i), p[i] = unit[i];
  for (int i = 0; i < 2; i++) h[i] = _mm256_loadu_pd(hs + 4 * i);
  transpose_rows(f, f_columns);
  for (int64_t t = 0; t < steps; t++, z += 2) {
    row q[4], q_columns[4], hq[2], qh[2], gain[2];
    row m = row_times(mean, f_columns);
    for (int i = 0; i < 4; i++)
      q[i] = row_times(row_times(f[i], p), f_columns) + unit[i] * all_as(0.01);
    transpose_rows(q, q_columns);
    for (int i = 0; i < 2; i++) hq[i] = row_times(h[i], q), qh[i] = row_times(h[i], q_columns);
    row s00 = sum_of(hq[0] * h[0]) + all_as(0.1), s01 = sum_of(hq[0] * h[1]);
    row s10 = sum_of(hq[1] * h[0]), s11 = sum_of(hq[1] * h[1]) + all_as(0.1);
    row det = s00 * s11 - s01 * s10;
    gain[0] = qh[0] * (s11 / det) - qh[1] * (s10 / det);
    gain[1] = qh[1] * (s00 / det) - qh[0] * (s01 / det);
    mean = m + (gain[0] * (all_as(z[0]) - sum_of(h[0] * m)) +
                gain[1] * (all_as(z[1]) - sum_of(h[1] * m)));
/* Row i of the gain times the rows m. */
#define GAIN_TIMES(i, m) (all_of(gain[0], i) * m[0] + all_of(gain[1], i) * m[1])
    const row kh[4] = {GAIN_TIMES(0, h), GAIN_TIMES(1, h), GAIN_TIMES(2, h), GAIN_TIMES(3, h)};
    const row khq[4] = {GAIN_TIMES(0, hq), GAIN_TIMES(1, hq), GAIN_TIMES(2, hq), GAIN_TIMES(3, hq)};
    for (int i = 0; i < 4; i++)
      if (less) p[i] = q[i] - khq[i];
      else p[i] = row_times(unit[i] - kh[i], q);
    _mm256_storeu_pd((double *)out[0] + 4 * t, mean);
  }
  for (int i = 0; i < 4; i++) _mm256_storeu_pd((double *)out[1] + 4 * i, p[i]);
}

REFERENCE(kalman_f64_rows) { kalman_rows(in, out, n[0], false); }
REFERENCE(kalman_f64_less) { kalman_rows(in, out, n[0], true); }

/* Matrices of three rows; the fourth element of a row is 0. */
REFERENCE(quasisep_rows) {
  const __m256i three = _mm256_setr_epi64x(-1, -1, -1, 0);
  const row none = all_as(0);
  const double *d = in[0], *ps = in[1], *qs = in[2], *as = in[3];
  double *root = out[0], *ws = out[1];
  row f[4] = {none, none, none, none};
  if (n[1] != 3) abort();
  for (int64_t t = 0; t < n[0]; t++, ps += 3, qs += 3, as += 9, ws += 3) {
    row p = _mm256_maskload_pd(ps, three), q = _mm256_maskload_pd(qs, three);
    row a[4] = {none, none, none, none}, columns[4], fa[4] = {none, none, none, none};
    for (int i = 0; i < 3; i++) a[i] = _mm256_maskload_pd(as + 3 * i, three);
    transpose_rows(a, columns);
    row c = _mm256_sqrt_pd(all_as(d[t]) - sum_of(row_times(p, f) * p));
    for (int i = 0; i < 3; i++) fa[i] = row_times(f[i], columns);
    row w = (q - row_times(p, fa)) / c;
    const row ww[3] = {all_of(w, 0) * w, all_of(w, 1) * w, all_of(w, 2) * w};
    for (int i = 0; i < 3; i++) f[i] = row_times(a[i], fa) + ww[i];
    root[t] = _mm256_cvtsd_f64(c);
    _mm256_maskstore_pd(ws, three, w);
  }
}
#endif
