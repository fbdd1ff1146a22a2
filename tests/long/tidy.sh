#!/bin/sh
# clang-tidy 19 has nothing to say about the sources (.clang-tidy names the checks).
#   tidy.sh SOURCE_DIR WORK_DIR
set -eu
for tool in clang-19 clang-tidy-19; do
  command -v $tool >/dev/null || { echo "tidy: skipped: $tool is not installed"; exit 77; }
done
# A compilation database of clang's own: gcc's has flags that clang does not know.
cmake -G Ninja -S "$1" -B "$2" -DCMAKE_C_COMPILER=clang-19 >/dev/null
cd "$1"
git ls-files -z 'src/*.c' 'tools/*.c' | xargs -0 -n 4 -P "$(nproc)" clang-tidy-19 -p "$2" --quiet --warnings-as-errors='*'
