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
expect 1 'the records do not agree: more than 10 %' --compare "$dir/r.json" "$dir/other.json"
echo '{}' >"$dir/none.json"
expect 3 'is no record' --compare "$dir/r.json" "$dir/none.json"
expect 2 'takes two files' --compare "$dir/r.json"
sed 's/"copy": /"copy": 9/' "$dir/r.json" >"$dir/other.json"
expect 1 'the records do not agree: more than 10 %' --compare "$dir/r.json" "$dir/other.json"

# Every name is one, and of what is asked; reports are files, pipes or devices, and not the same one.
expect 2 'no such case: nonsense' --quick --budget=0.01 'cumsum_i32[65536]' nonsense
expect 2 'cumsum_f32\[4096\] is not part of --quick' --quick --budget=0.01 'cumsum_f32[4096]'
expect 2 'are the same file' --quick --json="$dir/same" --html="$dir/same" 'cumsum_i32[65536]'
expect 3 'cannot write .*directory' --quick --json="$dir" 'cumsum_i32[65536]'
mkfifo "$dir/pipe"
cat "$dir/pipe" >"$dir/piped" &
expect 0 '^1 case, 0 failures$' --quick --budget=0.01 --json="$dir/pipe" 'cumsum_i32[65536]'
wait
[ -p "$dir/pipe" ] || fail "a pipe was replaced"
grep -q '"workload": "cumsum_i32"' "$dir/piped" || fail "the pipe got no record"

# With several threads: C functions and memcpy with as many. The table, the JSON and the report tell the same numbers.
expect 0 'scanc --threads=2 .* median' --quick --budget=0.01 --threads=2 --json="$dir/r.json" --html="$dir/r.html" \
  'cumsum_f32[65536]' 'cumsum_i32[65536]'
cat >"$dir/same.awk" <<'END'
function off(what, x) {
  print what " is " x " in the JSON, not " $0
  bad = 1
}
# The last digit that is shown: 0.0034 of 0.034, 0.12, 1.23, 12.3, 123.
function differ(shown, x,    size) {
  size = x < 0.1 ? x * 0.1 : x < 10 ? 0.01 : x < 100 ? 0.1 : 1
  return shown - x > 0.51 * size + 1e-5 * x || x - shown > 0.51 * size + 1e-5 * x
}
FNR == 1 { file++ }
file == 1 && /^   "name": / { name = $2; gsub(/[",]/, "", name) }
file == 1 && /^   "ratios": / { within = "ratios"; next }
file == 1 && /^   "without_kernel": / { within = /\[\]/ ? "" : "without"; next }
file == 1 && /^   [\]}]/ { within = "" }
file == 1 && /^   "losses": / { within = /\[\]/ ? "" : "losses"; next }
file == 1 && within == "losses" { json_losses++ }
file == 2 && /^    scanc.* times as long as/ { table_losses++ }
file == 3 && / times as long as/ { html_losses++ }
file == 1 && within == "ratios" { gsub(/[":,]/, ""); ratio[name, $1] = $1 == "threads" ? 1 / $2 : $2 + 0; n_json++ }
file == 1 && within == "without" { gsub(/[", ]/, ""); without[name, $1] = 1 }
file == 2 && $1 == "case" { split("plain c fused reordered copy c_v3 fused_v3 plain_v3 threads c_threads copy_threads peer", figure, " ") }
file == 2 && $2 ~ /^[0-9.]+$/ && $3 == "ns" {
  for (k = 1; k <= 12; k++) {
    x = $(5 + k)
    if (x == "-") {
      if (($1, figure[k]) in ratio) off($1 " " figure[k], ratio[$1, figure[k]])
      continue
    }
    n_table++
    if (!(($1, figure[k]) in ratio) || differ(x + 0, ratio[$1, figure[k]])) off($1 " " figure[k], ratio[$1, figure[k]])
    if ((x ~ /~$/) != (($1, figure[k]) in without)) off($1 " " figure[k] " without kernel", ($1, figure[k]) in without)
  }
}
file == 3 && /^<h2>/ { key = "" }
file == 3 && /^<h3>/ {
  key = /the plain C loop/ ? (/x86-64-v3/ ? "plain_v3" : "plain") : /best C function with as many/ ? "c_threads" : \
    /memcpy of the bytes by as many/ ? "copy_threads" : /threads to scanc with one/ ? "threads" : /memcpy of the bytes that/ ? "copy" : \
    /v3 to the best.*=off/ ? "c_v3" : /v3 --fp=contract to the best/ ? "fused_v3" : /=contract to the best/ ? "fused" : /is strict/ ? "c" : ""
}
file == 3 && key && /<\/text><rect/ { label = $0; sub(/<\/text><rect.*/, "", label); sub(/.*>/, "", label) }
file == 3 && key && match($0, /<text x="[0-9.]*" y="[0-9]*">[0-9]/) {
  shown = substr($0, RSTART + RLENGTH - 1)
  n_html++
  if (!((label, key) in ratio) || differ(shown + 0, ratio[label, key])) off(label " " key, ratio[label, key])
  if ((shown ~ /^[0-9.e-]*~/) != ((label, key) in without)) off(label " " key " without kernel", (label, key) in without)
}
END {
  if (n_json != n_table || n_html != n_json || n_json < 12) {
    print n_json " ratios in the JSON, " n_table " in the table, " n_html " in the report"
    bad = 1
  }
  if (json_losses != table_losses || html_losses != json_losses) {
    print json_losses + 0 " losses in the JSON, " table_losses + 0 " in the table, " html_losses + 0 " in the report"
    bad = 1
  }
  exit bad
}
END
awk -f "$dir/same.awk" "$dir/r.json" "$dir/out" "$dir/r.html" >"$dir/differ" || fail "$(cat "$dir/differ")"
for what in '"c_threads": [0-9]' '"copy_threads": [0-9]'; do
  grep -q -e "$what" "$dir/r.json" || fail "the JSON lacks $what"
done
if grep -q '"c_v3"' "$dir/r.json"; then
  grep -q '"plain_v3"' "$dir/r.json" || fail "the JSON lacks the ratio of x86-64-v3 to the plain loop"
  grep -q '>[0-9.]*~  (C, [a-z]* x86-64-v3)' "$dir/r.html" || fail "the report does not mark C for x86-64-v3 that is no kernel"
  grep -q '^<p>~: ' "$dir/r.html" || fail "the report does not say what ~ is"
fi
# Several blocks, and parts that are not equal.
expect 0 '^1 case, 0 failures$' --quick --budget=0.01 --threads=3 'affine_scan[65536]'
for what in 'blocks that look back' 'totals of equal parts first'; do
  [ "$(grep -c "^    kernel, .*, 3 threads: $what .* median" "$dir/out")" -ge 1 ] || fail "3 threads: nothing is timed of $what"
done
grep -q '^    memcpy of the same bytes, 3 threads .* median' "$dir/out" || fail "3 threads do not copy"

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
