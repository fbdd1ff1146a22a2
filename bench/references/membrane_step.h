/* One step of a Hodgkin-Huxley membrane, as the program of bench/workloads/small_bodies.c. */
#ifndef SCANC_BENCH_MEMBRANE_STEP_H
#define SCANC_BENCH_MEMBRANE_STEP_H

/* Defines name(s, current), which moves s, {v, m, h, n} of type `real`, by one step; all(c) is the
 * constant c, the rest functions of a `real`. */
#define MEMBRANE_STEP(name, real, all, exp_, expm1_, sigmoid_) \
  static inline real name##_gate(real x, real up, real down) { \
    real sum = up + down, end = up / sum; \
    return end + (x - end) * exp_(sum * all(-0.025f)); \
  } \
  static inline void name(real *s, real current) { \
    real v = s[0], v40 = v + all(40), v55 = v + all(55), v65 = v + all(65); \
    real m_up = v40 * all(-0.1f) / expm1_(v40 * all(-0.1f)); \
    real m_down = exp_(v65 * all(-1.0f / 18)) * all(4); \
    real h_up = exp_(v65 * all(-0.05f)) * all(0.07f); \
    real h_down = sigmoid_((v + all(35)) * all(0.1f)); \
    real n_up = v55 * all(-0.01f) / expm1_(v55 * all(-0.1f)); \
    real n_down = exp_(v65 * all(-0.0125f)) * all(0.125f); \
    real m = s[1] = name##_gate(s[1], m_up, m_down); \
    real h = s[2] = name##_gate(s[2], h_up, h_down); \
    real n = s[3] = name##_gate(s[3], n_up, n_down); \
    real sodium = m * m * m * h * all(120) * (v - all(50)); \
    real potassium = (n * n) * (n * n) * all(36) * (v + all(77)); \
    real leak = (v + all(54.4f)) * all(0.3f); \
    s[0] = v + (current - sodium - potassium - leak) * all(0.025f); \
  }

/* What flows into a compartment from its neighbours in a cable. */
#define AXIAL(v, left, right, all) (((left) + (right) - (v) * all(2)) * all(2))

#endif
