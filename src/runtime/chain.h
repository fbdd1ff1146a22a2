/* Associative scans of one row by several threads. */
#ifndef SCANC_RUNTIME_CHAIN_H
#define SCANC_RUNTIME_CHAIN_H

#include "loop/entry.h"

/* For scanc_par. The stretches are taken in their order; nobody waits for one that nobody has
 * taken, so it ends however few pieces for_each runs at a time. What is computed does not depend on
 * who does it. */
void chain_run(const scanc_par *par, const scanc_chain *c, int32_t n);

#endif
