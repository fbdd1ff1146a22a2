/* CRC-32, eight bytes at a time: weights may be gigabytes. */
#include "base/crc32.h"

#include <pthread.h>

static uint32_t tables[8][256];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++) c = c >> 1 ^ (c & 1 ? 0xEDB88320u : 0);
    tables[0][i] = c;
  }
  for (int t = 1; t < 8; t++)
    for (int i = 0; i < 256; i++)
      tables[t][i] = tables[t - 1][i] >> 8 ^ tables[0][tables[t - 1][i] & 255];
}

uint32_t crc32_add(uint32_t crc, const void *data, size_t n) {
  const unsigned char *p = data;
  pthread_once(&made, make);
  crc = ~crc;
  for (; n >= 8; n -= 8, p += 8) {
    uint32_t a =
        crc ^ ((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
    crc = tables[7][a & 255] ^ tables[6][a >> 8 & 255] ^ tables[5][a >> 16 & 255] ^
          tables[4][a >> 24] ^ tables[3][p[4]] ^ tables[2][p[5]] ^ tables[1][p[6]] ^
          tables[0][p[7]];
  }
  for (; n; n--) crc = crc >> 8 ^ tables[0][(crc ^ *p++) & 255];
  return ~crc;
}
