#!/bin/sh
# The harness runs two cases, writes both reports, and notices a reference that is wrong.
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

expect 1 'FAILED C, .*number 99 is .*, expected' --quick --budget=0.01 self_test
expect 0 'cumsum_f32\[65536\]  *quick' --list
expect 2 'no such case' --quick nonsense
expect 2 'unknown option' --nonsense
expect 2 'cannot be' --budget=0
expect 2 'unknown peer' --peers=nonsense ema_lanes
expect 3 'cannot write' --quick --budget=0.01 --json="$dir/none/r.json" 'ema_lanes[2000,64]'
