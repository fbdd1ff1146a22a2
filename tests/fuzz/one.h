/* What must hold of any bytes that are read as a program. */
#ifndef SCANC_TESTS_FUZZ_ONE_H
#define SCANC_TESTS_FUZZ_ONE_H

#include <stddef.h>
#include <stdint.h>

enum { FUZZ_PAYLOAD = 256 }; /* bytes of "weight_0" */

/* Bytes are read by how they begin: "PK" as an archive, "{" as the program of an archive, else as
 * printed text. Behind a zero byte, the JSON of a program may be followed by that of its weights,
 * and again by that of its constants; the payloads are "weight_0", and "none" without bytes. Ends
 * the process where a promise is broken. Returns 0, as libFuzzer wants it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

extern int fuzz_n_valid; /* how many of the inputs were valid programs */

#endif
