/* Changes of inputs that keep their brackets: a random change of bytes seldom gives JSON or a
 * program. Half of the changes are libFuzzer's own. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b,
                                 uint8_t *out, size_t max, unsigned seed);

static uint64_t state;
static size_t below(size_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (size_t)(state >> 33) % n;
}

/* A piece of the input: bytes at..at+n-1. */
typedef struct {
  size_t at, n;
} piece;

static int is_word(uint8_t c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '.';
}

/* To the bracket that closes the one at `at`, whatever lies between. */
static piece bracket_at(const uint8_t *data, size_t n, size_t at) {
  size_t depth = 0;
  for (size_t i = at; i < n; i++) {
    uint8_t c = data[i];
    if (c == '(' || c == '[' || c == '{') depth++;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0) return (piece){at, i + 1 - at};
  }
  return (piece){at, n - at};
}

static piece line_at(const uint8_t *data, size_t n, size_t at) {
  size_t start = at, end = at;
  while (start && data[start - 1] != '\n') start--;
  while (end < n && data[end] != '\n') end++;
  return (piece){start, end < n ? end + 1 - start : end - start};
}

static piece word_at(const uint8_t *data, size_t n, size_t at) {
  size_t start = at, end = at;
  while (start && is_word(data[start - 1])) start--;
  while (end < n && is_word(data[end])) end++;
  return (piece){start, end - start};
}

/* A bracket with what is in it, a line, or a word. */
static piece some_piece(const uint8_t *data, size_t n) {
  for (int tries = 0; tries < 50; tries++) {
    size_t at = below(n);
    uint8_t c = data[at];
    if (c == '(' || c == '[' || c == '{') return bracket_at(data, n, at);
    if (c == '\n' && at + 1 < n) return line_at(data, n, at + 1);
    if (is_word(c)) return word_at(data, n, at);
  }
  return (piece){below(n), 1};
}

/* Puts `with` (in `from`) in the place of `p`. Returns 0 if it does not fit. */
static size_t put(const uint8_t *data, size_t n, piece p, const uint8_t *from, piece with,
                  uint8_t *out, size_t max) {
  size_t rest = n - p.at - p.n, total = p.at + with.n + rest;
  if (total > max || !total) return 0;
  memcpy(out, data, p.at);
  memcpy(out + p.at, from + with.at, with.n);
  memcpy(out + p.at + with.n, data + p.at + p.n, rest);
  return total;
}

/* Numbers that are a limit somewhere. */
static size_t put_number(const uint8_t *data, size_t n, uint8_t *out, size_t max) {
  static const char *const numbers[] = {"0",
                                        "1",
                                        "-1",
                                        "2",
                                        "127",
                                        "4096",
                                        "65536",
                                        "2147483647",
                                        "-2147483648",
                                        "4294967296",
                                        "9223372036854775807",
                                        "-9223372036854775808",
                                        "1e308",
                                        "0.5",
                                        "True",
                                        "None"};
  const char *s = numbers[below(sizeof numbers / sizeof *numbers)];
  size_t at = below(n);
  for (int tries = 0; tries < 200 && !(data[at] >= '0' && data[at] <= '9'); tries++) at = below(n);
  return put(data, n, word_at(data, n, at), (const uint8_t *)s, (piece){0, strlen(s)}, out, max);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed) {
  state = seed;
  if (!n || below(2)) return LLVMFuzzerMutate(data, n, max);
  uint8_t *out = malloc(max);
  size_t way = below(4), total;
  piece p = some_piece(data, n), q = some_piece(data, n);
  if (way == 0) q.n = 0;                   /* left out */
  else if (way == 1) p = (piece){p.at, 0}; /* written once more */
  total = way == 3 ? put_number(data, n, out, max) : put(data, n, p, data, q, out, max);
  if (total) memcpy(data, out, total);
  free(out);
  return total ? total : LLVMFuzzerMutate(data, n, max);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b,
                                 uint8_t *out, size_t max, unsigned seed) {
  state = seed;
  if (!n_a || !n_b) return 0;
  return put(a, n_a, some_piece(a, n_a), b, some_piece(b, n_b), out, max);
}
