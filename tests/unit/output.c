/* base/output: files that are written whole or not at all. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

static char dir[64], path[128], other[128];

static void open_directory(void) {
  strcpy(dir, "/tmp/scanc-output-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(dir));
  snprintf(path, sizeof path, "%s/a", dir);
  snprintf(other, sizeof other, "%s/b", dir);
}

/* Nothing but what was asked for is left. */
static void close_directory(void) {
  unlink(path), unlink(other);
  ck_assert_int_eq(rmdir(dir), 0);
}

static bool write_to(const char *to, const char *text, bool keep) {
  output_file o;
  ck_assert(output_open(&o, to));
  fputs(text, o.to);
  return output_close(&o, keep);
}

static void check_holds(const char *at, const char *text) {
  char got[16] = {0};
  FILE *f = fopen(at, "r");
  ck_assert_ptr_nonnull(f);
  fread(got, 1, sizeof got - 1, f);
  fclose(f);
  ck_assert_str_eq(got, text);
}

START_TEST(files) {
  open_directory();
  ck_assert(output_is_possible(path));
  ck_assert_int_ne(access(path, F_OK), 0);
  ck_assert(write_to(path, "one", true));
  check_holds(path, "one");
  ck_assert(write_to(path, "two", false));
  check_holds(path, "one");
  ck_assert(output_is_possible(path));
  check_holds(path, "one");
  ck_assert(write_to(path, "two", true));
  check_holds(path, "two");
  close_directory();
}
END_TEST

START_TEST(ended) {
  output_file o;
  open_directory();
  ck_assert(output_open(&o, path));
  fputs("one", o.to);
  ck_assert(output_end(&o));
  ck_assert_int_ne(access(path, F_OK), 0);
  ck_assert(output_close(&o, true));
  check_holds(path, "one");
  ck_assert(output_open(&o, path));
  ck_assert(output_end(&o));
  ck_assert(output_close(&o, false));
  check_holds(path, "one");
  close_directory();
}
END_TEST

START_TEST(links) {
  struct stat s;
  open_directory();
  ck_assert(write_to(path, "one", true));
  ck_assert_int_eq(symlink("a", other), 0);
  ck_assert(write_to(other, "two", true));
  check_holds(path, "two");
  ck_assert_int_eq(lstat(other, &s), 0);
  ck_assert(S_ISLNK(s.st_mode));
  close_directory();
}
END_TEST

START_TEST(pipes) {
  struct stat s;
  char got[8] = {0};
  open_directory();
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  int from = open(path, O_RDONLY | O_NONBLOCK);
  ck_assert(output_is_possible(path));
  ck_assert(write_to(path, "one", true));
  ck_assert_int_eq(read(from, got, sizeof got), 3);
  ck_assert_str_eq(got, "one");
  close(from);
  ck_assert_int_eq(lstat(path, &s), 0);
  ck_assert(S_ISFIFO(s.st_mode));
  close_directory();
}
END_TEST

START_TEST(refused) {
  output_file o;
  open_directory();
  ck_assert(!output_is_possible(dir));
  ck_assert_int_eq(errno, EISDIR);
  ck_assert(!output_open(&o, dir));
  ck_assert(!output_close(&o, true));
  snprintf(path, sizeof path, "%s/none/a", dir);
  ck_assert(!output_is_possible(path));
  ck_assert_int_eq(errno, ENOENT);
  close_directory();
}
END_TEST

START_TEST(full_disk) {
  struct stat s;
  if (stat("/dev/full", &s) != 0 || !S_ISCHR(s.st_mode)) {
    puts("skipped: there is no /dev/full here");
    return;
  }
  ck_assert(!write_to("/dev/full", "one", true));
  ck_assert_int_eq(errno, ENOSPC);
  ck_assert_int_eq(stat("/dev/full", &s), 0);
  ck_assert(S_ISCHR(s.st_mode));
}
END_TEST

UNIT_MAIN("output", files, ended, links, pipes, refused, full_disk)
