#include "variants.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#include "network.h"
#endif

REFERENCE(matrix_2x2) {
  const float *restrict xa = in[0], *restrict xb = in[1], *restrict xc = in[2],
                        *restrict xd = in[3];
  float *restrict ya = out[0], *restrict yb = out[1], *restrict yc = out[2], *restrict yd = out[3];
  float a = 1, b = 0, c = 0, d = 1;
  for (int64_t i = 0; i < n[0]; i++) {
    ya[i] = xa[i] * a + xb[i] * c;
    yb[i] = xa[i] * b + xb[i] * d;
    yc[i] = xc[i] * a + xd[i] * c;
    yd[i] = xc[i] * b + xd[i] * d;
    a = ya[i];
    b = yb[i];
    c = yc[i];
    d = yd[i];
  }
}

REFERENCE(pose_se2) {
  const float *restrict xa = in[0], *restrict xb = in[1], *restrict xc = in[2],
                        *restrict xd = in[3];
  const float *restrict xx = in[4], *restrict xy = in[5];
  float *restrict ya = out[0], *restrict yb = out[1], *restrict yc = out[2], *restrict yd = out[3];
  float *restrict yx = out[4], *restrict yy = out[5];
  float a = 1, b = 0, c = 0, d = 1, x = 0, y = 0;
  for (int64_t i = 0; i < n[0]; i++) {
    ya[i] = xa[i] * a + xb[i] * c;
    yb[i] = xa[i] * b + xb[i] * d;
    yc[i] = xc[i] * a + xd[i] * c;
    yd[i] = xc[i] * b + xd[i] * d;
    yx[i] = xa[i] * x + xb[i] * y + xx[i];
    yy[i] = xc[i] * x + xd[i] * y + xy[i];
    a = ya[i];
    b = yb[i];
    c = yc[i];
    d = yd[i];
    x = yx[i];
    y = yy[i];
  }
}

#ifdef NETWORK_H
static inline group multiply(group m, group x) {
  group r = m;
  r.leaf[0] = x.leaf[0] * m.leaf[0] + x.leaf[1] * m.leaf[2];
  r.leaf[1] = x.leaf[0] * m.leaf[1] + x.leaf[1] * m.leaf[3];
  r.leaf[2] = x.leaf[2] * m.leaf[0] + x.leaf[3] * m.leaf[2];
  r.leaf[3] = x.leaf[2] * m.leaf[1] + x.leaf[3] * m.leaf[3];
  return r;
}

static inline group move(group m, group x) {
  group r = multiply(m, x);
  r.leaf[4] = x.leaf[0] * m.leaf[4] + x.leaf[1] * m.leaf[5] + x.leaf[4];
  r.leaf[5] = x.leaf[2] * m.leaf[4] + x.leaf[3] * m.leaf[5] + x.leaf[5];
  return r;
}

static const operation matrix = {4, multiply, {1, 0, 0, 1}, {0}};
static const operation pose = {6, move, {1, 0, 0, 1, 0, 0}, {0}};

REFERENCE(matrix_2x2_zmm) {
  const float *const x[] = {in[0], in[1], in[2], in[3]};
  float *const y[] = {out[0], out[1], out[2], out[3]};
  prefix_row(&matrix, x, y, n[0]);
}

REFERENCE(pose_se2_zmm) {
  const float *const x[] = {in[0], in[1], in[2], in[3], in[4], in[5]};
  float *const y[] = {out[0], out[1], out[2], out[3], out[4], out[5]};
  prefix_row(&pose, x, y, n[0]);
}
#endif
