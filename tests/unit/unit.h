/* What every unit test program does with its tests: UNIT_MAIN("base", test_a, test_b) */
#ifndef SCANC_TESTS_UNIT_H
#define SCANC_TESTS_UNIT_H

#include <check.h>
#include <stdlib.h>

/* ck_assert_msg of one element among many: that one writes to a file each time it holds. */
#define CHECK_ELEMENT(holds, ...) \
  do { \
    if (!(holds)) ck_abort_msg(__VA_ARGS__); \
  } while (0)

static inline int unit_run(const char *name, const TTest *const *tests, size_t n) {
  Suite *s = suite_create(name);
  TCase *c = tcase_create(name);
  tcase_set_timeout(c, 900); /* of a machine that does much else */
  for (size_t i = 0; i < n; i++) tcase_add_test(c, tests[i]);
  suite_add_tcase(s, c);
  SRunner *r = srunner_create(s);
  srunner_run_all(r, CK_NORMAL);
  int failed = srunner_ntests_failed(r);
  srunner_free(r);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define UNIT_MAIN(name, ...) \
  int main(void) { \
    const TTest *const tests[] = {__VA_ARGS__}; \
    return unit_run(name, tests, sizeof tests / sizeof tests[0]); \
  }

#endif
