#include "base/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum { PLACE_FILE, PLACE_NOTHING, PLACE_DIRECTORY, PLACE_STREAM } place;

static place place_at(const char *path) {
  struct stat s;
  if (stat(path, &s) != 0) return PLACE_NOTHING;
  return S_ISREG(s.st_mode) ? PLACE_FILE : S_ISDIR(s.st_mode) ? PLACE_DIRECTORY : PLACE_STREAM;
}

static char *part_of(const char *path) {
  size_t n = strlen(path) + 32;
  char *part = malloc(n);
  if (part) snprintf(part, n, "%s.%ld.tmp", path, (long)getpid());
  return part;
}

bool output_open(output_file *o, const char *path) {
  *o = (output_file){0};
  place p = place_at(path);
  if (p == PLACE_DIRECTORY) {
    errno = EISDIR;
    return false;
  }
  if (p == PLACE_STREAM) return (o->to = fopen(path, "wb")) != NULL;
  o->path = p == PLACE_FILE ? realpath(path, NULL) : strdup(path);
  o->part = o->path ? part_of(o->path) : NULL;
  if (o->part) o->to = fopen(o->part, "wb");
  return o->to != NULL;
}

bool output_is_possible(const char *path) {
  output_file o;
  if (place_at(path) == PLACE_STREAM) return access(path, W_OK) == 0;
  bool ok = output_open(&o, path);
  int why = errno;
  output_close(&o, false);
  errno = why;
  return ok;
}

bool output_end(output_file *o) {
  int why = o->to ? ferror(o->to) ? EIO : 0 : EBADF;
  if (o->to && fclose(o->to) != 0 && !why) why = errno;
  if (o->to && o->part && why) unlink(o->part);
  o->ended = !why;
  o->to = NULL;
  errno = why;
  return !why;
}

bool output_close(output_file *o, bool keep) {
  int why = o->ended || output_end(o) ? 0 : errno;
  if (o->ended && o->part && keep && rename(o->part, o->path) != 0) why = errno;
  if (o->ended && o->part && (!keep || why)) unlink(o->part);
  free(o->path);
  free(o->part);
  *o = (output_file){0};
  errno = why;
  return !why;
}
