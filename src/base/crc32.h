/* CRC-32 as zip and PNG have it. */
#ifndef SCANC_BASE_CRC32_H
#define SCANC_BASE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of what `crc` stands for (0: nothing) followed by n bytes. Thread-safe. */
uint32_t crc32_add(uint32_t crc, const void *data, size_t n);

#endif
