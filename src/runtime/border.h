/* What a scan takes in of the elementwise work around it (passes/absorb.h): one with a kernel what
 * it computes in lanes as well as a pass of its own would; one that becomes a loop of the entry
 * what goes with a group or product of its steps, so that no step gets another call. */
#ifndef SCANC_RUNTIME_BORDER_H
#define SCANC_RUNTIME_BORDER_H

#include "loop/scan_nest.h"
#include "runtime/program.h"

/* Whether every element of the scan is computed in lanes of a vector. */
bool border_has_lanes(const scan_nest *n);
/* For a scan that has a kernel, or will be a loop (nest NULL), before fusion. What has moved goes
 * to p->moved; true if anything has, so that the kernel has to be made anew. */
bool border_absorb(program *p, node *scan, const scan_nest *nest);

#endif
