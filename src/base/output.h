/* Files that are written whole or not at all. What is written goes to a file beside the one that is
 * meant, and takes its place at the end. Devices and pipes are written to directly, and a link
 * stays one: the file that it names is replaced. Needs nothing of scanc. */
#ifndef SCANC_BASE_OUTPUT_H
#define SCANC_BASE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct {
  FILE *to;
  char *path, *part; /* NULL: written to directly */
  bool ended;
} output_file;

/* False with errno if there is no writing to path (EISDIR: it is a directory). `o` is to be closed
 * in any case. */
bool output_open(output_file *o, const char *path);
/* Whether output_open would succeed, as far as can be told without writing anything; errno. */
bool output_is_possible(const char *path);
/* After the last byte, where other files shall be written before this one takes its place: gives
 * the stream back. False with errno if it could not all be written. */
bool output_end(output_file *o);
/* keep: what was written takes its place; else nothing is left of it. False with errno if it could
 * not all be written, and if the file was never open. */
bool output_close(output_file *o, bool keep);

#endif
