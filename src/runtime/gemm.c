/* Blocked matrix product: a tile of some rows and COLS columns of sums stays in registers while k
 * runs; columns of b that are not adjacent in memory are copied into a panel first, unless there
 * are too few rows to pay for it. */
#include "runtime/gemm.h"

#include <string.h>

enum { COLS = 16, MAX_ROWS = 4 };

/* COLS adjacent columns of b against R rows of a, in vectors of BYTES; the sums of all k are kept
 * in registers. */
#define TILE(name, T, BYTES, R, TARGET) \
  TARGET static void name(int64_t k, const T *a, int64_t ar, int64_t ac, const T *b, int64_t br, \
                          T *sums) { \
    typedef T vector __attribute__((vector_size(BYTES), aligned(sizeof(T)), may_alias)); \
    enum { N = COLS * sizeof(T) / BYTES }; \
    vector s[R][N]; \
    _Pragma("GCC unroll 32") for (int j = 0; j < R * N; j++) s[j / N][j % N] = (vector){0}; \
    for (int64_t i = 0; i < k; i++, a += ac, b += br) { \
      const vector *v = (const vector *)(const void *)b; \
      _Pragma("GCC unroll 8") for (int j = 0; j < N; j++) { \
        vector x = v[j]; \
        _Pragma("GCC unroll 4") for (int r = 0; r < R; r++) s[r][j] += a[r * ar] * x; \
      } \
    } \
    _Pragma("GCC unroll 32") for (int j = 0; j < R * N; j++)((vector *)(void *)sums)[j] = \
        s[j / N][j % N]; \
  }

/* The tiles of one CPU level: one row and `rows` rows at a time. */
#define LEVEL(T) \
  struct { \
    void (*one)(int64_t k, const T *a, int64_t ar, int64_t ac, const T *b, int64_t br, T *sums); \
    void (*many)(int64_t k, const T *a, int64_t ar, int64_t ac, const T *b, int64_t br, T *sums); \
    int rows; \
  }

typedef LEVEL(float) tiles_f32;
typedef LEVEL(double) tiles_f64;
typedef LEVEL(uint64_t) tiles_i64;

TILE(f32_one, float, 16, 1, )
TILE(f32_many, float, 16, 2, )
TILE(f64_one, double, 16, 1, )
TILE(f64_many, double, 16, 1, )
TILE(i64_one, uint64_t, 16, 1, )
#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2")))
TILE(f32_one_avx2, float, 32, 1, AVX2)
TILE(f32_many_avx2, float, 32, 4, AVX2)
TILE(f64_one_avx2, double, 32, 1, AVX2)
TILE(f64_many_avx2, double, 32, 2, AVX2)
static bool have_avx2(void) { return __builtin_cpu_supports("avx2"); }
#else
#define f32_one_avx2 f32_one
#define f32_many_avx2 f32_many
#define f64_one_avx2 f64_one
#define f64_many_avx2 f64_many
static bool have_avx2(void) { return false; }
#endif

/* Wider vectors change no bits: every element is summed in the same order. */
static tiles_f32 f32_tiles(void) {
  return have_avx2() ? (tiles_f32){f32_one_avx2, f32_many_avx2, 4}
                     : (tiles_f32){f32_one, f32_many, 2};
}

static tiles_f64 f64_tiles(void) {
  return have_avx2() ? (tiles_f64){f64_one_avx2, f64_many_avx2, 2}
                     : (tiles_f64){f64_one, f64_many, 1};
}

static tiles_i64 i64_tiles(void) { return (tiles_i64){i64_one, i64_one, 1}; }

/* edge: `n` < COLS columns `bc` apart. columns: COLS adjacent ones, all rows. */
#define KERNELS(name, T) \
  static void name##_edge(int64_t k, const T *a, int64_t ac, const T *b, int64_t br, int64_t bc, \
                          int64_t n, T *sums) { \
    int64_t j = 0; \
    for (; j + 4 <= n; j += 4) { \
      const T *v = b + j * bc; \
      T s0 = 0, s1 = 0, s2 = 0, s3 = 0; \
      for (int64_t i = 0; i < k; i++, v += br) { \
        T x = a[i * ac]; \
        s0 += x * v[0], s1 += x * v[bc], s2 += x * v[2 * bc], s3 += x * v[3 * bc]; \
      } \
      sums[j] = s0, sums[j + 1] = s1, sums[j + 2] = s2, sums[j + 3] = s3; \
    } \
    for (; j < n; j++) { \
      T s = 0; \
      for (int64_t i = 0; i < k; i++) s += a[i * ac] * b[i * br + j * bc]; \
      sums[j] = s; \
    } \
  } \
  static void name##_store(const gemm *g, int64_t row, int64_t col, int64_t n, const T *sums) { \
    T *c = (T *)g->c + row * g->c_row + col * g->c_col; \
    if (g->c_col == 1) memcpy(c, sums, (size_t)n * sizeof(T)); \
    else \
      for (int64_t j = 0; j < n; j++) c[j * g->c_col] = sums[j]; \
  } \
  static void name##_columns(const gemm *g, int64_t col, const T *b, int64_t br) { \
    T sums[MAX_ROWS * COLS]; \
    const T *a = g->a; \
    tiles_##name t = name##_tiles(); \
    int64_t row = 0; \
    for (; row + t.rows <= g->m; row += t.rows) { \
      t.many(g->k, a + row * g->a_row, g->a_row, g->a_col, b, br, sums); \
      for (int r = 0; r < t.rows; r++) name##_store(g, row + r, col, COLS, sums + r * COLS); \
    } \
    for (; row < g->m; row++) { \
      t.one(g->k, a + row * g->a_row, 0, g->a_col, b, br, sums); \
      name##_store(g, row, col, COLS, sums); \
    } \
  } \
  static void name##_pack(const gemm *g, int64_t col, T *panel) { \
    const T *b = (const T *)g->b + col * g->b_col; \
    for (int64_t i = 0; i < g->k; i++, b += g->b_row) \
      for (int j = 0; j < COLS; j++) panel[i * COLS + j] = b[j * g->b_col]; \
  } \
  static void name##_run(const gemm *g, arena *tmp) { \
    T sums[COLS], *panel = NULL; \
    const T *a = g->a, *b = g->b; \
    for (int64_t col = 0; col < g->n; col += COLS) { \
      int64_t n = g->n - col < COLS ? g->n - col : COLS; \
      bool direct = g->b_col == 1; \
      if (n == COLS && (direct || g->m >= 4)) { \
        if (!direct || g->m >= 64) { /* a panel also keeps far rows of b together */ \
          if (!panel) panel = arena_alloc(tmp, (size_t)g->k * COLS * sizeof(T)); \
          name##_pack(g, col, panel); \
          direct = false; \
        } \
        name##_columns(g, col, direct ? b + col : panel, direct ? g->b_row : COLS); \
        continue; \
      } \
      for (int64_t row = 0; row < g->m; row++) { \
        name##_edge(g->k, a + row * g->a_row, g->a_col, b + col * g->b_col, g->b_row, g->b_col, n, \
                    sums); \
        name##_store(g, row, col, n, sums); \
      } \
    } \
  }

KERNELS(f32, float)
KERNELS(f64, double)
KERNELS(i64, uint64_t)

#define COMPLEX(name, T) \
  static void name##_run(const gemm *g) { \
    for (int64_t i = 0; i < g->m; i++) \
      for (int64_t j = 0; j < g->n; j++) { \
        const T *a = (const T *)g->a + 2 * i * g->a_row, *b = (const T *)g->b + 2 * j * g->b_col; \
        T re = 0, im = 0, *c = (T *)g->c + 2 * (i * g->c_row + j * g->c_col); \
        for (int64_t k = 0; k < g->k; k++, a += 2 * g->a_col, b += 2 * g->b_row) { \
          re += a[0] * b[0] - a[1] * b[1]; \
          im += a[0] * b[1] + a[1] * b[0]; \
        } \
        c[0] = re, c[1] = im; \
      } \
  }

COMPLEX(c64, float)
COMPLEX(c128, double)

/* The transposed problem: rows of c become columns. */
static gemm transposed(const gemm *g) {
  return (gemm){g->n,     g->m,     g->k,     g->b, g->a,     g->b_col,
                g->b_row, g->a_col, g->a_row, g->c, g->c_col, g->c_row};
}

void gemm_run(const gemm *g, scanc_dtype dtype, arena *tmp) {
  gemm t = *g;
  if (g->n < COLS && g->m > g->n) t = transposed(g);
  arena_mark mark = arena_save(tmp);
  switch (dtype) {
    case SCANC_F32: f32_run(&t, tmp); break;
    case SCANC_F64: f64_run(&t, tmp); break;
    case SCANC_I64: i64_run(&t, tmp); break;
    case SCANC_C64: c64_run(&t); break;
    case SCANC_C128: c128_run(&t); break;
    default: SCANC_UNREACHABLE("no product for this dtype");
  }
  arena_reset(tmp, mark);
}
