#!/bin/sh
# The harness runs two cases, writes both reports, and notices a reference that is wrong and a peer that hangs.
#   test.sh SCANC WORK_DIR
set -eu
scanc=$1 dir=$(mktemp -d "$2/test-XXXXXX")
trap 'rm -rf "$dir"' EXIT

fail() {
  echo "$1"
  cat "$dir"/out
  exit 1
}

# expect STATUS PATTERN ARGUMENT...: of scanc bench
expect() {
  status=$1 pattern=$2
  shift 2
  got=0
  "$scanc" bench "$@" >"$dir/out" 2>&1 || got=$?
  [ "$got" = "$status" ] || fail "scanc bench $*: status $got, expected $status"
  grep -q -e "$pattern" "$dir/out" || fail "scanc bench $*: nothing matches '$pattern'"
}

expect 0 '^2 cases, 0 failures$' --quick --budget=0.01 --json="$dir/r.json" --html="$dir/r.html" 'ema_lanes[2000,64]' \
  'cumsum_i32[65536]'
grep -q '"workload": "ema_lanes"' "$dir/r.json" || fail "the JSON lacks a case"
grep -q '^</body></html>$' "$dir/r.html" || fail "the HTML is not complete"
[ ! -e "$dir/r.json.part" ] || fail "a part of a file is left"

# What is in a record: every build of scanc and of C, and nothing that names this machine.
for what in '"ratios"' '"what": "memcpy"' '"fresh_pages": false' '"fused"' '"fp": "contract"' '"compile_cached_ms"' '"fma_gflops"' \
  '"commit"' '"libc"' '"load_average_at_the_end"'; do
  grep -q -e "$what" "$dir/r.json" || fail "the JSON lacks $what"
done
if grep -q -w -F -e "$dir" -e "$(uname -n)" "$dir/r.json" "$dir/r.html"; then fail "a record names this machine"; fi
expect 0 'c  *differs by  *0.0 % in the median of 2 cases' --compare "$dir/r.json" "$dir/r.json"
sed 's/"c": /"c": 9/' "$dir/r.json" >"$dir/other.json"
expect 1 'the records do not agree: more than 10 % to C' --compare "$dir/r.json" "$dir/other.json"
echo '{}' >"$dir/none.json"
expect 3 'is no record' --compare "$dir/r.json" "$dir/none.json"
expect 2 'takes two files' --compare "$dir/r.json"

# A peer answers, says something and hangs: what it said counts, it is killed, and started again for the next case.
# In place of Python stands the shell.
mkdir "$dir/peers"
cat >"$dir/peers/run.py" <<'END'
if [ "$1" = --list ]; then
  echo slow
  exit
fi
say() { printf '{"peer": "slow", "variant": "%s", "version": "1", "ok": true, "times_ns": [5, 6, 7], "note": ""}\n' "$1"; }
[ "$2" = --serve ]
read -r line
say "first, ${3#--}"
echo
read -r line
say "second, ${3#--}"
trap '' TERM ALRM
while :; do sleep 100; done
END
export SCANC_BENCH_PEERS="$dir/peers" SCANC_BENCH_PYTHON=/bin/sh
expect 0 'slow: first, threads=1 .* median' --quick --budget=0.01 --peers=slow 'ema_lanes[2000,64]' 'hmm_forward' 'gae'
grep -q 'slow: second, threads=1 .* median' "$dir/out" || fail "the second answer is missing"
[ "$(grep -c 'slow: first.* median' "$dir/out")" = 2 ] || fail "the peer was not started again"
grep -q 'slow  *killed after [0-9]* s' "$dir/out" || fail "the peer was not killed"
expect 2 'unknown peer' --peers=nonsense ema_lanes
unset SCANC_BENCH_PEERS SCANC_BENCH_PYTHON

expect 1 'FAILED C, .*: result 0 .*number 99 is .*, expected' --quick --budget=0.01 self_test
grep -q 'FAILED kernel, .*: after the timing .*number 99 is .*, expected' "$dir/out" || fail "what goes wrong later counts"
grep -q 'FAILED kernel, .*: with NaN, ties or overflow result 0 .*number 75 is 0, expected nan' "$dir/out" ||
  fail "what loses a NaN counts"
expect 0 'cumsum_f32\[65536\]  *quick' --list
expect 2 'no such case' --quick nonsense
expect 2 'unknown option' --nonsense
expect 2 'cannot be' --budget=0
expect 2 'cannot be' --threads=0
expect 0 'scanc --threads=2 .* median' --quick --budget=0.01 --threads=2 'cumsum_axis[1,256,256]'
expect 0 '^1 case, 0 failures$' --quick --budget=0.01 --fresh-pages --json="$dir/fresh.json" 'cumsum_i32[65536]'
grep -q '"fresh_pages": true' "$dir/fresh.json" || fail "the JSON does not say that page faults count"
expect 2 'unknown peer' --peers=nonsense ema_lanes
expect 3 'cannot write' --quick --budget=0.01 --json="$dir/none/r.json" 'ema_lanes[2000,64]'

# Where the tool is not to be found, that is said: what is interpreted is then not known.
mkdir "$dir/alone"
cp "$2/scanc-bench" "$dir/alone"
LD_LIBRARY_PATH=$(dirname "$scanc") "$dir/alone/scanc-bench" --quick --budget=0.01 'cumsum_i32[65536]' >"$dir/out" 2>&1 ||
  fail "scanc-bench without the tool fails"
grep -q 'not known: the tool scanc does not lie beside' "$dir/out" || fail "scanc-bench does not miss the tool"
