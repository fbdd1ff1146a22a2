/* base: arenas, vectors, maps, strings, errors. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "unit.h"

static const src_loc nowhere = {0};

/* ---- arena ---- */

START_TEST(arena_zeroes_and_aligns) {
  arena *a = arena_new();
  for (size_t n = 0; n < 3000; n += 7) {
    unsigned char *p = arena_alloc(a, n);
    ck_assert_ptr_nonnull(p);
    ck_assert_uint_eq((uintptr_t)p % 16, 0);
    for (size_t i = 0; i < n; i++) ck_assert_uint_eq(p[i], 0);
    if (n) memset(p, 0xAA, n);
  }
  ck_assert_ptr_ne(arena_alloc(a, 0), arena_alloc(a, 0));
  arena_free(a);
  arena_free(NULL);
}
END_TEST

START_TEST(arena_reset_keeps_what_is_older) {
  arena *a = arena_new();
  arena_mark empty = arena_save(a);
  char *kept = arena_strdup(a, "kept");
  arena_mark m = arena_save(a);
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < 100; i++) memset(arena_alloc(a, 1000), 0x55, 1000);
    arena_reset(a, m);
    ck_assert_str_eq(kept, "kept");
    int *p = ARENA_NEW(a, int);
    ck_assert_int_eq(*p, 0); /* reused memory is zeroed again */
    arena_reset(a, m);
  }
  arena_reset(a, empty);
  ck_assert_str_eq(arena_printf(a, "%d-%s", 42, "x"), "42-x");
  arena_free(a);
}
END_TEST

START_TEST(arena_large_blocks) {
  arena *a = arena_new();
  char *big = arena_alloc(a, 5 << 20);
  big[(5 << 20) - 1] = 1;
  ck_assert_str_eq(arena_strndup(a, "abcdef", 3), "abc");
  arena_free(a);
}
END_TEST

/* ---- vec ---- */

START_TEST(vec_grows) {
  arena *a = arena_new();
  VEC(int) v = {0};
  for (int i = 0; i < 1000; i++) vec_push(a, &v, i * i);
  ck_assert_int_eq(v.len, 1000);
  for (int i = 0; i < 1000; i++) ck_assert_int_eq(v.data[i], i * i);
  ck_assert_int_eq(vec_pop(&v), 999 * 999);
  ck_assert_int_eq(vec_last(&v), 998 * 998);
  arena_free(a);
}
END_TEST

/* ---- map ---- */

START_TEST(map_keeps_order_of_insertion) {
  arena *a = arena_new();
  map m = map_make(a);
  ck_assert(!map_has(&m, "k0"));
  for (intptr_t i = 0; i < 500; i++) map_set(&m, arena_printf(a, "k%d", (int)i), (void *)i);
  for (intptr_t i = 0; i < 500; i++) {
    char key[16];
    snprintf(key, sizeof key, "k%d", (int)i);
    ck_assert(map_has(&m, key));
    ck_assert_ptr_eq(map_get(&m, key), (void *)i);
  }
  int seen = 0;
  for (int i = 0; i < m.n_entries; i++) {
    if (!m.entries[i].live) continue;
    ck_assert_ptr_eq(m.entries[i].value, (void *)(intptr_t)seen);
    seen++;
  }
  ck_assert_int_eq(seen, 500);
  arena_free(a);
}
END_TEST

START_TEST(map_replaces_and_removes) {
  arena *a = arena_new();
  map m = map_make(a);
  static int one, two;
  map_set(&m, "x", &one);
  map_set(&m, "x", &two);
  ck_assert_ptr_eq(map_get(&m, "x"), &two);
  ck_assert(map_remove(&m, "x"));
  ck_assert(!map_remove(&m, "x"));
  ck_assert_ptr_null(map_get(&m, "x"));
  map_set(&m, "x", NULL);
  ck_assert(map_has(&m, "x"));
  ck_assert_ptr_null(map_get(&m, "x"));
  for (int i = 0; i < 10000; i++) { /* removed entries do not pile up */
    map_set(&m, "y", &one);
    map_remove(&m, "y");
  }
  ck_assert_int_le(m.cap_entries, 64);
  arena_free(a);
}
END_TEST

START_TEST(map_keys_by_length) {
  arena *a = arena_new();
  map m = map_make(a);
  static int one;
  map_set(&m, "abc", &one);
  ck_assert_ptr_eq(map_get_n(&m, "abcdef", 3), &one);
  ck_assert_ptr_null(map_get_n(&m, "abcdef", 4));
  ck_assert_ptr_null(map_get_n(&m, "abc\0x", 5));
  arena_free(a);
}
END_TEST

/* ---- str ---- */

START_TEST(str_appends) {
  str s = {0};
  ck_assert_str_eq(str_cstr(&s), "");
  str_append(&s, "ab");
  str_char(&s, 'c');
  str_append_n(&s, "def", 2);
  ck_assert_str_eq(str_cstr(&s), "abcde");
  for (int i = 0; i < 300; i++) str_printf(&s, "%d,", i);
  ck_assert_uint_eq(strlen(s.data), s.len);
  ck_assert_str_eq(s.data + s.len - 8, "298,299,");
  str_clear(&s);
  ck_assert_str_eq(str_cstr(&s), "");
  str_printf(&s, "%s", "");
  ck_assert_uint_eq(s.len, 0);
  str_free(&s);
  ck_assert_ptr_null(s.data);
}
END_TEST

START_TEST(str_holds_zero_bytes) {
  str s = {0};
  str_append_n(&s, "a\0b", 3);
  ck_assert_uint_eq(s.len, 3);
  ck_assert_int_eq(memcmp(s.data, "a\0b", 4), 0);
  str_free(&s);
}
END_TEST

/* ---- err ---- */

START_TEST(err_first_one_sticks) {
  scanc_error err = {0};
  ck_assert(!err_set(&err, SCANC_ERR_SYNTAX, (src_loc){.file = "f.fx", .line = 3, .col = 4},
                     "first %d", 1));
  ck_assert(!err_set(&err, SCANC_ERR_DATA, nowhere, "second"));
  ck_assert_int_eq(err.code, SCANC_ERR_SYNTAX);
  ck_assert_str_eq(err.message, "first 1");
  ck_assert_str_eq(err.file, "f.fx");
  ck_assert_int_eq(err.line, 3);
  ck_assert(!err_set(NULL, SCANC_ERR_DATA, nowhere, "ignored"));
}
END_TEST

START_TEST(err_message_is_one_line) {
  scanc_error err = {0};
  err_set(&err, SCANC_ERR_SYNTAX, nowhere, "a\nb\x1b[0m");
  ck_assert_str_eq(err.message, "a b [0m");
  char long_text[2000];
  memset(long_text, 'x', sizeof long_text);
  memcpy(long_text + sizeof err.message - 2, "\xC3\xA4", 2); /* cut in the middle of a character */
  long_text[sizeof long_text - 1] = '\0';
  scanc_error cut = {0};
  err_set(&cut, SCANC_ERR_SYNTAX, nowhere, "%s", long_text);
  ck_assert_uint_eq(strlen(cut.message), sizeof cut.message - 2);
}
END_TEST

static scanc_error quoted(const char *text, int line, int col) {
  scanc_error err = {0};
  err_set(&err, SCANC_ERR_SYNTAX, (src_loc){.file = "f", .line = line, .col = col}, "x");
  err_quote(&err, text, strlen(text));
  return err;
}

START_TEST(err_quotes_the_line) {
  scanc_error err = quoted("one\ntwo\tx\r\nthree", 2, 5);
  ck_assert_str_eq(err.source, "two x ");
  ck_assert_int_eq(err.caret, 5);
  ck_assert_str_eq(quoted("one\ntwo", 1, 1).source, "one");
  ck_assert_str_eq(quoted("one\ntwo", 2, 4).source, "two");
  ck_assert_str_eq(quoted("one\n", 2, 1).source, "");
  ck_assert_str_eq(quoted("one\n", 5, 1).source, "");
  ck_assert_int_eq(quoted("one", 1, 90).caret, 4); /* past the end: behind the last character */
  ck_assert_str_eq(quoted("", 1, 1).source, "");
}
END_TEST

START_TEST(err_quotes_around_the_column) {
  char text[1001];
  for (int i = 0; i < 1000; i++) text[i] = (char)('a' + i % 26);
  text[1000] = '\0';
  int cols[] = {1, 100, 200, 500, 900, 1000};
  for (int k = 0; k < 6; k++) {
    scanc_error err = quoted(text, 1, cols[k]);
    ck_assert_uint_eq(strlen(err.source), sizeof err.source - 1);
    ck_assert_int_eq(err.source[err.caret - 1], text[cols[k] - 1]);
  }
}
END_TEST

START_TEST(err_codes_are_complete) {
  for (int c = 1; c < SCANC_N_CODES; c++) {
    ck_assert_uint_gt(strlen(scanc_code_text((scanc_code)c)), 0);
    ck_assert_uint_gt(strlen(scanc_code_meaning((scanc_code)c)), 0);
    ck_assert_int_ge(err_exit_status((scanc_code)c), 1);
    ck_assert_int_le(err_exit_status((scanc_code)c), 3);
    for (int d = 1; d < c; d++)
      ck_assert_str_ne(scanc_code_text((scanc_code)c), scanc_code_text((scanc_code)d));
  }
  ck_assert_int_eq(err_exit_status(SCANC_OK), 0);
  ck_assert_int_eq(err_exit_status(SCANC_ERR_USAGE), 2);
  ck_assert_str_eq(scanc_code_text((scanc_code)9999), "unknown");
  ck_assert_str_eq(scanc_version(), SCANC_VERSION);
}
END_TEST

UNIT_MAIN("base", arena_zeroes_and_aligns, arena_reset_keeps_what_is_older, arena_large_blocks,
          vec_grows, map_keeps_order_of_insertion, map_replaces_and_removes, map_keys_by_length,
          str_appends, str_holds_zero_bytes, err_first_one_sticks, err_message_is_one_line,
          err_quotes_the_line, err_quotes_around_the_column, err_codes_are_complete)
