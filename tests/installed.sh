#!/bin/sh
# An installed copy is complete: a host compiles against its headers and library alone, and runs.
#   installed.sh c|cc SOURCE_DIR BUILD_DIR CC [CXX]
set -eu
language=$1 source=$2 build=$3 cc=$4 cxx=${5:-}
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix" >"$prefix/log" || { cat "$prefix/log"; exit 1; }
flags="-Wall -Wextra -Wpedantic -Werror -ffp-contract=off -I $prefix/include"
libs="-L $prefix/lib -lscanc -lm -Wl,-rpath,$prefix/lib"

# Every public header is complete by itself. compile EXTENSION COMMAND...
headers() {
  extension=$1
  shift
  for header in "$prefix"/include/scanc/*.h; do
    case $header in */build_ops.h) continue ;; esac # part of build.h
    echo "#include \"scanc/$(basename "$header")\"" >"$prefix/one.$extension"
    "$@" $flags -fsyntax-only "$prefix/one.$extension"
  done
}

if [ "$language" = c ]; then
  headers c "$cc" -std=c11
  "$cc" -std=c11 $flags -o "$prefix/host" "$source/examples/host.c" $libs
elif [ -n "$cxx" ]; then
  headers cc "$cxx" -std=c++17
  "$cxx" -std=c++17 $flags -o "$prefix/host" "$source/examples/host.cc" $libs
else
  echo "SKIP: no C++ compiler"
  exit 77
fi
"$prefix/host"
