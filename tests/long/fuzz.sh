#!/bin/sh
# libFuzzer on what reads programs (tests/fuzz/one.c), from the committed inputs and the programs of the corpus.
#   fuzz.sh SOURCE_DIR WORK_DIR SECONDS
# An input that ends the fuzzer is left in WORK_DIR/found: mend the fault, and commit the input (as small as it gets,
# WORK_DIR/build/tests/fuzz -minimize_crash=1) to tests/fuzz/seeds. What was learnt stays in WORK_DIR/learnt for the next run.
set -eu
src=$1
work=$2
for tool in clang-19 cmake ninja; do
  command -v $tool >/dev/null || { echo "fuzz: skipped: $tool is not installed"; exit 77; }
done
rm -rf "$work/corpus"
mkdir -p "$work/learnt" "$work/found" "$work/corpus" "$work/tmp"
echo 'int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n) { return p && n ? 0 : 0; }' >"$work/try.c"
clang-19 -fsanitize=fuzzer "$work/try.c" -o "$work/try" 2>/dev/null ||
  { echo "fuzz: skipped: clang-19 has no libFuzzer (libclang-rt-19-dev)"; exit 77; }
cmake -G Ninja -S "$src" -B "$work/build" -DCMAKE_C_COMPILER=clang-19 -DSCANC_CODEGEN=OFF -DSCANC_BENCH=OFF \
  -DSCANC_SANITIZE=fuzzer-no-link,address,undefined >/dev/null
cmake --build "$work/build" --target fuzz fuzz_seeds -j "$(nproc)" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
n=0
for f in "$src"/tests/corpus/*/*/model.fx "$src"/tests/corpus/*/*/model.pt2 "$src"/tests/exported/*/*/model.pt2 \
  "$src"/tests/golden/*/*.fx; do
  n=$((n + 1))
  cp "$f" "$work/corpus/$n.${f##*.}"
done
"$work/build/tests/fuzz_seeds" "$work/corpus" "$src"/tests/corpus/*/*/model.pt2 "$src"/tests/exported/*/*/model.pt2
max=262144 # bytes of an input: libFuzzer cuts off what is longer
long=$(find "$work/corpus" "$src/tests/fuzz/seeds" -type f -size +${max}c)
[ -z "$long" ] || { echo "fuzz: longer than $max bytes: $long"; exit 1; }
TMPDIR=$work/tmp exec "$work/build/tests/fuzz" -max_total_time="$3" -max_len=$max -timeout=20 -rss_limit_mb=1500 \
  -malloc_limit_mb=300 -error_exitcode=1 -timeout_exitcode=1 -dict="$src/tests/fuzz/words.dict" \
  -artifact_prefix="$work/found/" -print_final_stats=1 \
  "$work/learnt" "$src/tests/fuzz/seeds" "$work/corpus"
