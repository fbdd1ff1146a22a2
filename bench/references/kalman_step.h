/* One step of a Kalman filter of constant velocity in the plane, in scalars: dt 0.1, noise 0.01 and
 * 0.1, as the program of bench/workloads/filters.c. */
#ifndef SCANC_BENCH_KALMAN_STEP_H
#define SCANC_BENCH_KALMAN_STEP_H

enum { TRACK_LEAVES = 14 }; /* x, y, vx, vy and the upper triangle of the covariance */

/* Defines name(s, zx, zy), which moves s, TRACK_LEAVES of type `real`, by one step; all(c) is the
 * constant c. */
#define KALMAN_STEP(name, real, all) \
  static inline __attribute__((always_inline)) void name(real *s, real zx, real zy) { \
    const real dt = all(0.1f), q = all(0.01f), noise = all(0.1f); \
    real xp = s[0] + s[2] * dt, yp = s[1] + s[3] * dt; \
    real q02 = s[6] + s[11] * dt, q03 = s[7] + s[12] * dt; \
    real q12 = s[9] + s[12] * dt, q13 = s[10] + s[13] * dt; \
    real q00 = s[4] + s[6] * dt + q02 * dt + q, q01 = s[5] + s[9] * dt + q03 * dt; \
    real q11 = s[8] + s[10] * dt + q13 * dt + q; \
    real q22 = s[11] + q, q23 = s[12], q33 = s[13] + q; \
    real a = q00 + noise, c = q11 + noise, inv = all(1) / (a * c - q01 * q01); \
    real s00 = c * inv, s11 = a * inv, s01 = -q01 * inv; \
    real k00 = q00 * s00 + q01 * s01, k01 = q00 * s01 + q01 * s11; \
    real k10 = q01 * s00 + q11 * s01, k11 = q01 * s01 + q11 * s11; \
    real k20 = q02 * s00 + q12 * s01, k21 = q02 * s01 + q12 * s11; \
    real k30 = q03 * s00 + q13 * s01, k31 = q03 * s01 + q13 * s11; \
    real rx = zx - xp, ry = zy - yp; \
    s[0] = xp + k00 * rx + k01 * ry; \
    s[1] = yp + k10 * rx + k11 * ry; \
    s[2] = s[2] + k20 * rx + k21 * ry; \
    s[3] = s[3] + k30 * rx + k31 * ry; \
    s[4] = q00 - k00 * q00 - k01 * q01; \
    s[5] = q01 - k00 * q01 - k01 * q11; \
    s[6] = q02 - k00 * q02 - k01 * q12; \
    s[7] = q03 - k00 * q03 - k01 * q13; \
    s[8] = q11 - k10 * q01 - k11 * q11; \
    s[9] = q12 - k10 * q02 - k11 * q12; \
    s[10] = q13 - k10 * q03 - k11 * q13; \
    s[11] = q22 - k20 * q02 - k21 * q12; \
    s[12] = q23 - k20 * q03 - k21 * q13; \
    s[13] = q33 - k30 * q03 - k31 * q13; \
  }

/* Whether leaf i, of the covariance, starts at 1. */
static inline int starts_at_one(int i) { return i == 4 || i == 8 || i == 11 || i == 13; }

#endif
