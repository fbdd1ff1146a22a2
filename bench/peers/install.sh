#!/bin/sh
# Makes bench/peers/venv with the Python frameworks that scanc is compared with, and bench/peers/build with the
# programs in C++. Every one is optional: what cannot be had is said and the rest goes on. Run it again to add.
#
#   bench/peers/install.sh [PACKAGE...]      all of them, or these: numpy scipy numba jax onnxruntime torch cxx ggml
#
# SCANC_GGML_DIR names a source tree of ggml; without it that peer is left out.
set -eu
case ${SCANC_GGML_DIR:-/} in /*) ;; *) SCANC_GGML_DIR=$PWD/$SCANC_GGML_DIR ;; esac
cd "$(dirname "$0")"
left_out=

missing() {
  echo "install.sh: left out: $1: $2" >&2
  left_out="$left_out $1"
}

make_venv() {
  [ ! -x venv/bin/python ] || return 0
  if command -v uv >/dev/null 2>&1; then uv venv -q venv && return 0; fi
  python3 -m venv venv && return 0
  rm -rf venv
  echo "install.sh: no virtual environment: install uv, or Debian's package python3-venv" >&2
  exit 1
}

# pip ARGUMENT...: installs into the environment
pip() {
  if command -v uv >/dev/null 2>&1; then uv pip install -q --python venv/bin/python "$@"
  else venv/bin/python -m pip install -q --disable-pip-version-check "$@"; fi
}

package() {
  echo "install.sh: $1"
  pip "$@" || missing "$1" "pip could not install it"
}

# The build for CPUs: the ordinary one brings gigabytes for GPUs along.
torch() {
  echo "install.sh: torch"
  version=2.13.0
  if command -v uv >/dev/null 2>&1 && pip --torch-backend=cpu "torch==$version"; then return 0; fi
  pip "torch==$version+cpu" 2>/dev/null && return 0
  echo "install.sh: no torch $version for CPUs in the configured index; trying the one with GPU libraries"
  pip "torch==$version" || missing torch "pip could not install torch $version"
}

cxx() {
  command -v g++ >/dev/null 2>&1 || { missing cxx "no g++"; return 0; }
  echo "install.sh: cxx"
  flags="-O3 -march=native -std=c++17 -fopenmp-simd -Wall -Wextra -Wshadow"
  if g++ $flags -DHAVE_TBB cxx.cc -o build/cxx -ltbb 2>build/cxx.log; then return 0; fi
  echo "install.sh: std::execution left out: no TBB (Debian's package libtbb-dev)" >&2
  g++ $flags cxx.cc -o build/cxx || missing cxx "does not compile"
}

# What runs the models, through the C library of the wheel.
onnxruntime() {
  package onnxruntime onnx
  command -v g++ >/dev/null 2>&1 || { missing ort "no g++"; return 0; }
  g++ -O2 -std=c++17 -Wall -Wextra -Wshadow ort.cc -o build/ort -ldl || missing ort "does not compile"
}

ggml() {
  tree=${SCANC_GGML_DIR:-}
  [ -n "$tree" ] || { missing ggml "SCANC_GGML_DIR does not name a source tree"; return 0; }
  [ -e "$tree/include/ggml.h" ] || { missing ggml "$tree/include/ggml.h is not there"; return 0; }
  echo "install.sh: ggml from $tree"
  keeps=
  tr -d ' \n' <"$tree/include/ggml.h" | grep -q 'ggml_ssm_scan([^;]*ids,int64_tK)' && keeps=-DGGML_SSM_SCAN_KEEPS_STATES
  version=$(sed -n 's/^set(GGML_VERSION_[A-Z]* \([0-9]*\))$/\1/p' "$tree/CMakeLists.txt" | paste -sd .)
  [ ! -e "$tree/.git" ] || version="$version $(git -C "$tree" log -1 --format=%h 2>/dev/null)"
  cmake -S "$tree" -B build/ggml-tree -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DGGML_NATIVE=ON \
    -DGGML_OPENMP=OFF -DGGML_BUILD_TESTS=OFF -DGGML_BUILD_EXAMPLES=OFF >build/ggml.log 2>&1 &&
    cmake --build build/ggml-tree --target ggml-base ggml-cpu -j "$(nproc)" >>build/ggml.log 2>&1 &&
    g++ -O2 -std=c++17 $keeps "-DGGML_TREE=\"$version\"" \
      -I "$tree/include" ggml.cc build/ggml-tree/src/libggml-cpu.a build/ggml-tree/src/libggml-base.a -pthread -ldl \
      -o build/ggml >>build/ggml.log 2>&1 || missing ggml "it does not build: see bench/peers/build/ggml.log"
}

make_venv
mkdir -p build
[ $# != 0 ] || set -- numpy scipy numba jax onnxruntime torch cxx ggml
for peer in "$@"; do
  case $peer in
  torch | cxx | ggml | onnxruntime) "$peer" ;;
  numpy | scipy | numba | jax) package "$peer" ;;
  *) missing "$peer" "unknown" ;;
  esac
done
[ -z "$left_out" ] && echo "install.sh: done" || echo "install.sh: done, without$left_out"
