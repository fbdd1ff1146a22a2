#!/bin/sh
# Builds and tests scanc with LLVM 22 in a Debian system that has it (trixie), made by debootstrap in a directory of its own.
#   llvm22.sh SOURCE_DIR WORK_DIR
# Needs root (chroot) and debootstrap. WORK_DIR is kept, so that a second run starts from the installed system.
set -eu
src=$1
work=$2
root=$work/trixie
if [ "$(id -u)" != 0 ]; then
  echo "llvm22: skipped: making a chroot needs root"
  exit 77
fi
# What is set out here (directories, wrappers of compilers) is not there inside.
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"; }
command -v debootstrap >/dev/null || { echo "llvm22: skipped: debootstrap is not installed"; exit 77; }

packages="gcc g++ libc6-dev cmake ninja-build pkg-config llvm-22-dev libffi-dev check libsubunit-dev libjansson-dev
libmpfr-dev universal-ctags"
if [ "$(cat "$root/ready" 2>/dev/null)" != "$packages" ]; then
  rm -rf --one-file-system "$root"
  mkdir -p "$work"
  debootstrap --variant=minbase trixie "$root"
  inside apt-get update -q
  inside apt-get install -y -q --no-install-recommends $packages
  echo "$packages" >"$root/ready"
fi

rm -rf "$root/scanc"
mkdir "$root/scanc"
(cd "$src" && git ls-files -z | tar --null -T - -cf -) | tar -xf - -C "$root/scanc"
# The mount is seen by nobody else and goes with the tests, however they end.
unshare --mount sh -euc 'mount --bind /proc "$1/proc" && exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$@"' sh \
  "$root" sh -euc '
  cmake -G Ninja -S /scanc -B /scanc/build -DLLVM_DIR=/usr/lib/llvm-22/lib/cmake/llvm
  cmake --build /scanc/build
  ctest --test-dir /scanc/build -LE long --output-on-failure'
