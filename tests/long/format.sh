#!/bin/sh
# Every C file is as clang-format 19 writes it.
#   format.sh SOURCE_DIR
set -eu
cd "$1"
command -v clang-format-19 >/dev/null || { echo "format: skipped: clang-format-19 is not installed"; exit 77; }
git ls-files -z '*.c' '*.h' | xargs -0 clang-format-19 --dry-run -Werror
