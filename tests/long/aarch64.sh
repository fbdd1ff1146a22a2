#!/bin/sh
# AArch64, under qemu-user:
#   1. every elementwise row, every conversion and the scans of the corpus as objects for AArch64, called there by a
#      driver: the same bits as the evaluator of loop IR gives here. The driver is linked without the compiler's own
#      library, so objects need libc and libm only.
#   2. scanc itself, built for AArch64 without code generator: the corpus, the same bits as scanc gives here for the
#      same CPU level, and the same text after every pass and for every kernel.
#   aarch64.sh BUILD_DIR SOURCE_DIR WORK_DIR
set -eu
build=$1
src=$2
work=$3
for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
  command -v $tool >/dev/null || { echo "aarch64: skipped: $tool is not installed"; exit 77; }
done
sysroot=$work/sysroot
arm="qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH=$sysroot/usr/lib/aarch64-linux-gnu"
corpus=$src/tests/corpus
rm -rf "$work/kernels" "$work/random" "$work/out"
mkdir -p "$work/kernels" "$work/random" "$work/out"

echo "aarch64: kernels"
# Programs with operators that no executor has are refused as they are read.
programs=$(grep -L '"predispatch"' "$corpus"/scan/*/case.json "$corpus"/assoc/*/case.json "$corpus"/models/*/case.json |
  sed 's/case.json$/model.fx/')
seed=1
while [ $seed -le 200 ]; do
  "$build/tests/random_graphs" print $seed >"$work/random/$seed.fx"
  seed=$((seed + 1))
done
status=0
"$build/tests/aarch64" "$work/kernels" $programs "$src"/tests/golden/loops/*.fx \
  "$src"/tests/long/aarch64/*.fx "$work"/random/*.fx || status=$?
[ $status = 0 ] || exit $status
(
  cd "$work/kernels"
  ls | grep '\.o$' >objects
  aarch64-linux-gnu-gcc -std=c11 -O1 -Wall -Wextra -Werror -I. -nodefaultlibs -o driver \
    "$src/tests/long/aarch64_driver.c" @objects -lm -lc
  $arm ./driver calls.bin
)

echo "aarch64: the library"
# libffi and Jansson for AArch64, beside this system's own packages.
fetch_libraries() {
  [ ! -e "$sysroot/usr/lib/aarch64-linux-gnu/libjansson.so.4" ] || return 0
  command -v apt-get >/dev/null || return 1
  mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial"
  foreign="-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=$(id -un)
    -o Dir::State::Lists=$work/apt/lists -o Dir::Cache=$work/apt/cache"
  (cd "$work/apt" && apt-get $foreign update && apt-get $foreign download libffi8 libffi-dev \
      libjansson4 libjansson-dev &&
    for p in *.deb; do dpkg-deb -x "$p" "$sysroot"; done)
}
fetch_libraries || { echo "aarch64: the library is skipped: there is no libffi or no Jansson for AArch64"; exit 77; }
cat >"$work/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_C_FLAGS_INIT "-isystem $sysroot/usr/include/aarch64-linux-gnu")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-L$sysroot/usr/lib/aarch64-linux-gnu")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-L$sysroot/usr/lib/aarch64-linux-gnu")
END
PKG_CONFIG_LIBDIR=$sysroot/usr/lib/aarch64-linux-gnu/pkgconfig PKG_CONFIG_SYSROOT_DIR=$sysroot \
  cmake -G Ninja -S "$src" -B "$work/build" -DCMAKE_TOOLCHAIN_FILE="$work/toolchain.cmake" -DSCANC_CODEGEN=OFF \
    -DSCANC_TESTS=OFF >/dev/null
cmake --build "$work/build" >"$work/log" || { cat "$work/log"; exit 1; }
cat >"$work/scanc" <<END
#!/bin/sh
exec $arm "$work/build/scanc" "\$@"
END
chmod +x "$work/scanc"
failed=0
for group in ops scan assoc models dyn fxtext; do
  "$build/tests/golden" "$work/scanc" "$corpus" run $group interp || failed=1
done

# same MODEL LEVEL LEVEL_THERE: equal bits, all NaNs being one value, or the same refusal. The order in which associative
# scans combine depends on the CPU level, so both sides compute as the same one does. Functions that docs/design.md leaves
# to libm may differ where the two systems have different ones.
real_function='aten\.(a(sin|cos|tan)h?|atan2|sinh|cosh|hypot|lgamma)\.'
complex_function='"c(64|128)\[[^"]*" = torch\.ops\.aten\.(a?(sin|cos|tan)h?|sqrt|exp|log|pow)\.'
same() {
  dir=$(dirname "$1")
  rm -rf "$work/out"
  if ! "$build/scanc" run "$1" --exec=interp --cpu=$2 --in "$dir" --out "$work/out" >"$work/here" 2>&1; then
    "$work/scanc" run "$1" --exec=interp --cpu=$3 --in "$dir" >"$work/there" 2>&1 || true
    cmp -s "$work/here" "$work/there" && return 0
    echo "run $1 --cpu=$2: here and there:"
    cat "$work/here" "$work/there"
    return 1
  fi
  "$work/scanc" run "$1" --exec=interp --cpu=$3 --in "$dir" --expect "$work/out" --rtol=0 --atol=0 >"$work/there" 2>&1 &&
    return 0
  calls=$(grep -oE "$real_function|$complex_function" "$1" | sed 's/.*aten/aten/' | sort -u | tr '\n' ' ')
  if [ -n "$calls" ] && grep -q 'error: mismatch:' "$work/there"; then
    echo "left out: $1 --cpu=$2: libm computes $calls"
    return 0
  fi
  echo "run $1 --cpu=$2:"
  cat "$work/there"
  return 1
}

same_text() {
  for form in --after=cse --form=loops; do
    "$build/scanc" print "$1" $form >"$work/here" 2>&1 || true
    "$work/scanc" print "$1" $form >"$work/there" 2>&1 || true
    cmp -s "$work/here" "$work/there" || { echo "print $1 $form differs"; return 1; }
  done
}

for model in "$corpus"/ops/*/model.fx "$corpus"/scan/*/model.fx "$corpus"/assoc/*/model.fx "$corpus"/models/*/model.fx; do
  same "$model" aarch64 native || failed=1
  same_text "$model" || failed=1
done
# The orders of a level do not depend on the machine.
for model in "$corpus"/assoc/*/model.fx; do same "$model" x86-64-v3 x86-64-v3 || failed=1; done
for model in "$work"/random/*.fx; do same_text "$model" || failed=1; done
exit $failed
