/* Symbolic sizes: the canonical form, how it prints (as sympy with PyTorch's functions),
 * simplification by ranges, bounds, evaluation, solving, copying. */
#include <check.h>
#include <string.h>

#include "ir/sym.h"
#include "unit.h"

static arena *mem;
static symtab *t;
static dim s0, s1, s9, s15, s86, u0;

static void setup(void) {
  mem = arena_new();
  t = symtab_new(mem);
  s0 = dim_symbol(t, "s0");
  s1 = dim_symbol(t, "s1");
  s9 = dim_symbol(t, "s9");
  s15 = dim_symbol(t, "s15");
  s86 = dim_symbol(t, "s86");
  u0 = dim_symbol(t, "u0");
}

static dim K(int64_t k) { return dim_int(k); }
static dim plus(dim a, dim b) { return dim_add(t, a, b); }
static dim minus(dim a, dim b) { return dim_sub(t, a, b); }
static dim times(dim a, dim b) { return dim_mul(t, a, b); }
static dim quo(dim a, dim b) { return dim_floordiv(t, a, b); }
static dim modulo(dim a, dim b) { return dim_mod(t, a, b); }

static void prints(dim d, const char *text) {
  str s = {0};
  dim_print(&s, d);
  ck_assert_str_eq(str_cstr(&s), text);
  str_free(&s);
}

START_TEST(sums_and_products) {
  setup();
  prints(plus(times(K(2), s0), s1), "2*s0 + s1");
  prints(minus(s0, K(1)), "s0 - 1");
  prints(minus(K(1), s0), "1 - s0");
  prints(minus(s1, s0), "-s0 + s1");
  prints(dim_neg(t, s0), "-s0");
  prints(plus(K(2), times(s86, K(3))), "3*s86 + 2");
  prints(plus(times(s86, K(2)), s15), "s15 + 2*s86");
  prints(times(K(2), plus(times(s86, K(3)), K(2))), "6*s86 + 4");
  prints(times(s0, s0), "s0**2");
  prints(plus(plus(s0, s1), times(s0, s1)), "s0*s1 + s0 + s1");
  prints(plus(times(K(-2), times(s1, s0)), s1), "-2*s0*s1 + s1");
  prints(plus(plus(s9, s86), s15), "s15 + s86 + s9");
  prints(minus(plus(s0, K(3)), plus(s0, K(1))), "2");
  ck_assert(dim_equal(plus(s0, s1), plus(s1, s0)));
  arena_free(mem);
}
END_TEST

START_TEST(divisions) {
  setup();
  prints(quo(s0, K(2)), "(s0//2)");
  prints(plus(quo(s0, K(2)), K(1)), "((s0//2)) + 1");
  prints(quo(plus(s0, K(1)), K(2)), "((s0 + 1)//2)");
  prints(minus(times(K(3), quo(plus(s0, s1), K(2))), K(1)), "3*(((s0 + s1)//2)) - 1");
  prints(quo(quo(s0, K(2)), K(2)), "(s0//4)");
  prints(quo(dim_neg(t, s0), K(3)), "((-s0)//3)");
  prints(quo(times(K(6), s0), K(3)), "2*s0");
  prints(quo(plus(times(K(2), s0), K(2)), K(4)), "((s0 + 1)//2)");
  prints(quo(plus(times(K(2), s0), K(5)), K(2)), "s0 + 2");
  prints(quo(times(s0, s1), s0), "s1");
  prints(quo(minus(times(s0, s0), K(1)), minus(s0, K(1))), "s0 + 1");
  prints(quo(s0, K(0)), "(s0//0)");
  prints(dim_ceildiv(t, s0, K(2)), "((s0 + 1)//2)");
  prints(modulo(s0, K(3)), "Mod(s0, 3)");
  prints(times(K(2), modulo(s0, K(3))), "2*(Mod(s0, 3))");
  prints(modulo(plus(times(K(4), s0), K(1)), K(4)), "1");
  prints(modulo(times(s0, s1), s0), "0");
  prints(modulo(u0, K(3)), "PythonMod(u0, 3)");
  prints(quo(K(-7), K(2)), "-4");
  prints(modulo(K(-7), K(2)), "1");
  arena_free(mem);
}
END_TEST

START_TEST(functions) {
  setup();
  prints(dim_max(t, K(1), s0), "Max(1, s0)");
  prints(dim_max(t, s1, dim_max(t, plus(s0, K(1)), K(0))), "Max(s1, s0 + 1)");
  prints(dim_max(t, K(0), s0), "s0");
  prints(dim_max(t, K(0), u0), "Max(0, u0)");
  prints(dim_min(t, s0, dim_max(t, s1, K(2))), "Min(s0, Max(2, s1))");
  prints(dim_pow(t, s0, K(3)), "s0**3");
  prints(dim_pow(t, K(2), s0), "2**s0");
  prints(dim_func(t, "IntTrueDiv", (dim[]){s0, K(2)}, 2), "IntTrueDiv(s0, 2)");
  prints(dim_func(t, "CeilDiv", (dim[]){s0, K(2)}, 2), "((s0 + 1)//2)");
  prints(dim_func(t, "ModularIndexing", (dim[]){s0, K(1), K(3)}, 3), "Mod(s0, 3)");
  prints(dim_func(t, "LShift", (dim[]){s0, K(4)}, 2), "16*s0");
  prints(dim_func(t, "LShift", (dim[]){s0, K(-4)}, 2), "LShift(s0, -4)");
  prints(dim_func(t, "RShift", (dim[]){s0, K(4)}, 2), "(s0//16)");
  prints(dim_func(t, "Abs", (dim[]){minus(s0, K(3))}, 1), "Max(3 - s0, s0 - 3)");
  prints(dim_func(t, "FloorToInt", (dim[]){s0}, 1), "s0");
  arena_free(mem);
}
END_TEST

START_TEST(ranges) {
  setup();
  int64_t lo, hi;
  sym_set_range(t, "s0", 2, 10);
  prints(dim_max(t, K(1), s0), "s0");
  prints(dim_min(t, s0, K(20)), "s0");
  prints(quo(s0, K(16)), "0");
  prints(modulo(s0, K(11)), "s0");
  dim_bounds(t, minus(K(1), s0), &lo, &hi);
  ck_assert(lo == -9 && hi == -1);
  dim_bounds(t, minus(s1, K(1)), &lo, &hi);
  ck_assert(lo == -1 && hi == INT64_MAX);
  dim_bounds(t, u0, &lo, &hi);
  ck_assert(lo == INT64_MIN && hi == INT64_MAX);
  ck_assert(dim_is_unbacked(quo(u0, K(2))) && !dim_is_unbacked(s0));
  arena_free(mem);
}
END_TEST

START_TEST(overflow) {
  setup();
  ck_assert(!symtab_overflowed(t));
  times(K(INT64_MAX), K(2));
  ck_assert(symtab_overflowed(t) && !symtab_overflowed(t));
  times(times(K(INT64_MAX), s0), K(2));
  ck_assert(symtab_overflowed(t));
  dim big = s0;
  for (int i = 0; i < 8; i++) big = times(plus(big, s1), plus(big, s9));
  ck_assert(symtab_overflowed(t));
  arena_free(mem);
}
END_TEST

/* What shares its parts is printed as a tree: that must stay small, and not too deep to be read. */
START_TEST(growth) {
  setup();
  str text = {0};
  dim wide = s0, deep = s0;
  for (int i = 0; i < 60 && !symtab_overflowed(t); i++) {
    dim next = dim_max(t, quo(wide, K(2)), quo(wide, K(3)));
    if (!dim_is_int(next)) wide = times(next, wide);
  }
  dim_print(&text, wide);
  ck_assert_uint_lt(text.len, 100000);
  symtab_overflowed(t);
  int levels = 0;
  while (levels < 100 && !symtab_overflowed(t)) {
    deep = dim_max(t, modulo(plus(deep, K(1)), K(7 + levels)), s1);
    levels++;
  }
  ck_assert_int_gt(levels, 15);
  ck_assert_int_lt(levels, 100);
  str_free(&text);
  arena_free(mem);
}
END_TEST

START_TEST(values) {
  setup();
  int64_t v[6] = {7, 3, 5, 4, 2, 0}, out;
  bool known[6] = {true, true, true, true, true, false};
  int symbol;
  ck_assert(dim_eval(t, plus(times(K(2), s0), quo(s1, K(2))), v, known, &out) && out == 15);
  ck_assert(!dim_eval(t, quo(s0, minus(s1, K(3))), v, known, &out));
  ck_assert(!dim_eval(t, u0, v, known, &out));
  known[0] = false;
  ck_assert(dim_solve(t, plus(times(K(2), s0), s1), 11, v, known, &symbol, &out) == DIM_SOLVED &&
            symbol == 0 && out == 4);
  ck_assert(dim_solve(t, plus(times(K(2), s0), s1), 12, v, known, &symbol, &out) == DIM_IMPOSSIBLE);
  ck_assert(dim_solve(t, times(s0, s0), 16, v, known, &symbol, &out) == DIM_OPEN);
  ck_assert(dim_solve(t, times(s0, s1), 21, v, known, &symbol, &out) == DIM_SOLVED && out == 7);
  known[1] = false;
  ck_assert(dim_solve(t, plus(s0, s1), 21, v, known, &symbol, &out) == DIM_OPEN);
  arena_free(mem);
}
END_TEST

START_TEST(copies) {
  setup();
  symtab *other = symtab_new(mem);
  dim d = dim_import(other, plus(times(s1, dim_max(t, quo(s0, K(2)), K(1))), s86));
  prints(d, "s1*Max(1, (s0//2)) + s86");
  ck_assert_int_eq(symtab_n_symbols(other), 3);
  ck_assert(dim_mentions(d, "s86") && !dim_mentions(d, "s8"));
  arena_free(mem);
}
END_TEST

UNIT_MAIN("sym", sums_and_products, divisions, functions, ranges, overflow, growth, values, copies)
