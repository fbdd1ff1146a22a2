#include "variants.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define HAVE_ZMM
#include <immintrin.h>
#endif

/* Channels are taken four at a time, as each is a chain of operations that wait for each other. */
enum { CHANNELS = 4 };

static void ema_line(const float *restrict x, float *restrict y, int64_t t) {
  float s = 0;
  for (int64_t k = 0; k < t; k++) y[k] = s = s + (x[k] - s) * 0.1f;
}

REFERENCE(ema_audio) {
  const int64_t t = n[1];
  int64_t c = 0;
  for (; c + CHANNELS <= n[0]; c += CHANNELS) {
    const float *restrict x = (const float *)in[0] + c * t;
    float *restrict y = (float *)out[0] + c * t;
    float s[CHANNELS] = {0};
    for (int64_t k = 0; k < t; k++)
      for (int j = 0; j < CHANNELS; j++) y[j * t + k] = s[j] = s[j] + (x[j * t + k] - s[j]) * 0.1f;
  }
  for (; c < n[0]; c++) ema_line((const float *)in[0] + c * t, (float *)out[0] + c * t, t);
}

static void biquad_line(const float *restrict x, float *restrict y, int64_t t) {
  float s = 0, z = 0;
  for (int64_t k = 0; k < t; k++) {
    float now = x[k] * 0.0675f + s;
    s = x[k] * 0.1349f + now * 1.143f + z;
    z = x[k] * 0.0675f - now * 0.4128f;
    y[k] = now;
  }
}

REFERENCE(biquad_audio) {
  const int64_t t = n[1];
  int64_t c = 0;
  for (; c + CHANNELS <= n[0]; c += CHANNELS) {
    const float *restrict x = (const float *)in[0] + c * t;
    float *restrict y = (float *)out[0] + c * t;
    float s[CHANNELS] = {0}, z[CHANNELS] = {0};
    for (int64_t k = 0; k < t; k++)
      for (int j = 0; j < CHANNELS; j++) {
        float sample = x[j * t + k], now = sample * 0.0675f + s[j];
        s[j] = sample * 0.1349f + now * 1.143f + z[j];
        z[j] = sample * 0.0675f - now * 0.4128f;
        y[j * t + k] = now;
      }
  }
  for (; c < n[0]; c++) biquad_line((const float *)in[0] + c * t, (float *)out[0] + c * t, t);
}

#ifdef HAVE_ZMM
#include "network.h"

/* 16 channels side by side: blocks of 16 samples are transposed on the way in and out. Lane 4 q + r
 * is channel 4 q + r. */
static void biquad_channels(const float *x, float *y, int64_t t, int64_t stride) {
  __m512 s = _mm512_setzero_ps(), z = s;
  for (int64_t k = 0; k + 16 <= t; k += 16) {
    __m512 v[16];
    UNROLL for (int j = 0; j < 16; j += 4) load_lines(x + k, stride, j, v + j);
    UNROLL for (int j = 0; j < 16; j++) {
      __m512 now = v[j] * 0.0675f + s;
      s = v[j] * 0.1349f + now * 1.143f + z;
      z = v[j] * 0.0675f - now * 0.4128f;
      v[j] = now;
    }
    UNROLL for (int j = 0; j < 16; j += 4) store_lines(y + k, stride, j, v + j);
  }
  float ss[16], zs[16];
  _mm512_storeu_ps(ss, s), _mm512_storeu_ps(zs, z);
  for (int c = 0; c < 16; c++)
    for (int64_t k = t / 16 * 16; k < t; k++) {
      float sample = x[c * stride + k], now = sample * 0.0675f + ss[c];
      ss[c] = sample * 0.1349f + now * 1.143f + zs[c];
      zs[c] = sample * 0.0675f - now * 0.4128f;
      y[c * stride + k] = now;
    }
}

REFERENCE(biquad_audio_zmm) {
  int64_t c = 0;
  for (; c + 16 <= n[0]; c += 16)
    biquad_channels((const float *)in[0] + c * n[1], (float *)out[0] + c * n[1], n[1], n[1]);
  for (; c < n[0]; c++)
    biquad_line((const float *)in[0] + c * n[1], (float *)out[0] + c * n[1], n[1]);
}

/* Every element k lanes on, behind zeros. */
#define LATER(v, k) \
  _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(v), _mm512_setzero_si512(), 16 - (k)))

/* y = v + a y[-1] + b y[-2] is, with two terms put into each other, y = w + (a a + 2 b) y[-2] - b b
 * y[-4], w = v + a v[-1] - b v[-2]: the same with twice the distance. After four such steps nothing
 * of the 16 samples is left on the right. What was before them comes on top: y[-1] and y[-2] times
 * the first samples that follow from each. */
static void biquad_line_within(const float *x, float *y, int64_t t) {
  float one[18] = {0, 1}, two[18] = {1, 0};
  for (int k = 2; k < 18; k++) {
    one[k] = one[k - 1] * 1.143f - one[k - 2] * 0.4128f;
    two[k] = two[k - 1] * 1.143f - two[k - 2] * 0.4128f;
  }
  const __m512 after_one = _mm512_loadu_ps(one + 2), after_two = _mm512_loadu_ps(two + 2);
  float a[4] = {1.143f}, b[4] = {-0.4128f};
  for (int k = 1; k < 4; k++)
    a[k] = a[k - 1] * a[k - 1] + 2 * b[k - 1], b[k] = -b[k - 1] * b[k - 1];
  int64_t k = t < 2 ? t : 2;
  biquad_line(x, y, k);
  __m512 last = _mm512_set1_ps(k > 1 ? y[1] : 0), before = _mm512_set1_ps(y[0]);
  for (; k + 16 <= t; k += 16) {
    __m512 v = _mm512_loadu_ps(x + k) * 0.0675f + _mm512_loadu_ps(x + k - 1) * 0.1349f;
    v = v + _mm512_loadu_ps(x + k - 2) * 0.0675f;
    v = v + (LATER(v, 1) * a[0] - LATER(v, 2) * b[0]);
    v = v + (LATER(v, 2) * a[1] - LATER(v, 4) * b[1]);
    v = v + (LATER(v, 4) * a[2] - LATER(v, 8) * b[2]);
    v = v + LATER(v, 8) * a[3];
    v = v + after_two * before + after_one * last;
    _mm512_storeu_ps(y + k, v);
    last = _mm512_permutexvar_ps(_mm512_set1_epi32(15), v);
    before = _mm512_permutexvar_ps(_mm512_set1_epi32(14), v);
  }
  for (; k < t; k++)
    y[k] = x[k] * 0.0675f + x[k - 1] * 0.1349f + x[k - 2] * 0.0675f + y[k - 1] * 1.143f -
           y[k - 2] * 0.4128f;
}

REFERENCE(biquad_audio_within) {
  for (int64_t c = 0; c < n[0]; c++)
    biquad_line_within((const float *)in[0] + c * n[1], (float *)out[0] + c * n[1], n[1]);
}

/* The powers of 0.9 from the first to the sixteenth. */
static const float power[16] = {0.9f,         0.81f,        0.729f,       0.6561f,
                                0.59049f,     0.531441f,    0.4782969f,   0.43046721f,
                                0.387420489f, 0.34867844f,  0.313810596f, 0.282429536f,
                                0.254186583f, 0.228767925f, 0.205891132f, 0.185302019f};

/* Lane i of `late` adds lane from[i], decayed by their distance. */
static inline __m512 step(__m512 v, __m512i from, __mmask16 late) {
  const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  __m512i distance = _mm512_sub_epi32(_mm512_sub_epi32(lane, from), _mm512_set1_epi32(1));
  __m512 decay = _mm512_maskz_permutexvar_ps(late, distance, _mm512_loadu_ps(power));
  return v + _mm512_permutexvar_ps(from, v) * decay;
}

static void ema_line_zmm(const float *x, float *y, int64_t t) {
  const __m512 decay = _mm512_loadu_ps(power);
  float s = 0;
  int64_t k = 0;
  for (; k + 16 <= t; k += 16) {
    __m512 v = _mm512_loadu_ps(x + k) * _mm512_set1_ps(0.1f);
    v = step(v, _mm512_set_epi32(14, 14, 12, 12, 10, 10, 8, 8, 6, 6, 4, 4, 2, 2, 0, 0), 0xaaaa);
    v = step(v, _mm512_set_epi32(13, 13, 12, 12, 9, 9, 8, 8, 5, 5, 4, 4, 1, 1, 0, 0), 0xcccc);
    v = step(v, _mm512_set_epi32(11, 11, 11, 11, 8, 8, 8, 8, 3, 3, 3, 3, 0, 0, 0, 0), 0xf0f0);
    v = step(v, _mm512_set1_epi32(7), 0xff00);
    _mm512_storeu_ps(y + k, v + _mm512_set1_ps(s) * decay);
    s = _mm512_cvtss_f32(_mm512_permutexvar_ps(_mm512_set1_epi32(15), v)) + s * power[15];
  }
  for (; k < t; k++) y[k] = s = s + (x[k] - s) * 0.1f;
}

REFERENCE(ema_audio_zmm) {
  for (int64_t c = 0; c < n[0]; c++)
    ema_line_zmm((const float *)in[0] + c * n[1], (float *)out[0] + c * n[1], n[1]);
}
#endif
