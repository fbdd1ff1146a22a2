#!/bin/sh
# The command line: exit status, diagnostics, generated inputs, files all or none. Usage: cli.sh TOOL CORPUS LIBS
tool=$1 corpus=$2 libs=$3
tmp=$(mktemp -d) || exit 2
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
failed=0

# expect STATUS PATTERN ARGS...: exit status, and a line of output or diagnostics that matches
expect() {
  status=$1 pattern=$2
  shift 2
  "$tool" "$@" >"$tmp/log" 2>&1 </dev/null
  got=$?
  if [ $got != "$status" ] || ! grep -qE -- "$pattern" "$tmp/log"; then
    echo "FAIL scanc $*: expected exit $status and '$pattern', got exit $got:"
    head -5 "$tmp/log"
    failed=1
  fi
}

# check WHAT COMMAND...: the command succeeds
check() {
  what=$1
  shift
  "$@" >/dev/null 2>&1 || { echo "FAIL $what"; failed=1; }
}

ema=$corpus/models/ema
model=$ema/model.fx

expect 2 'error: usage: no command'
expect 2 "error: usage: unknown command 'frobnicate'" frobnicate x
expect 2 'error: usage: unknown option' run "$model" --nonsense
expect 2 'error: usage: .*needs a model' run
expect 2 'error: usage: .*has no option --form' run "$model" --form=code
expect 2 'error: usage: --exec: expected auto' run "$model" --exec=fast
expect 2 'error: usage: --cpu: expected native' run "$model" --cpu=z80
expect 2 'error: usage: --fp: expected strict' run "$model" --fp=fast
expect 0 'prims.fma' print "$model" --after=contract --fp=contract
expect 0 'mul' print "$model" --after=contract --fp=strict
expect 0 'equal to' run "$model" --in "$ema" --expect "$ema" --exec=jit --fp=contract
expect 0 'subnormal numbers are flushed to zero' explain "$model" --ftz
expect 0 'equal to' run "$model" --in "$ema" --expect "$ema" --ftz
expect 2 'error: usage: .*has no option --ftz' print "$model" --ftz
sum=$corpus/assoc/add_f32_4097
expect 0 'network of 8' print "$sum/model.fx" --form=loops
expect 0 't < steps prefix carry' print "$sum/model.fx" --form=loops --assoc=left
expect 0 'equal to' run "$model" --in "$ema" --expect "$ema" --exec=interp --fp=reassociate
expect 2 'error: usage: --max-bytes' run "$model" --max-bytes=12Q
expect 2 'error: usage: .*NAME=VALUE' run "$model" what
expect 2 "input 'x' is given twice" run "$model" x=zeros x=ones
expect 2 "no input 'nosuch'" run "$model" nosuch=zeros
expect 2 "no pass|unknown pass" print "$model" --after=nosuch
expect 3 'nonexistent.fx: error: io' run "$tmp/nonexistent.fx"
expect 0 '^scanc [0-9]' --version
expect 0 '^scanc run' --help
expect 0 '--max-bytes=N' run --help
expect 0 '\| add \|' --list-ops
expect 0 'no errors' check "$model"
expect 0 'inputs:' inspect "$model"
expect 0 'scan' explain "$model"
expect 0 'f32' print "$model" --form=table
expect 0 '^digraph ' print "$model" --form=dot
expect 0 'lhead=cluster_1' print "$model" --form=dot --after=canonicalise
expect 0 '"op": "scan"' print "$model" --form=json --after=canonicalise
expect 2 'error: usage: --form: expected code.table.dot.json.loops' print "$model" --form=xml

# without the code generator: said by explain, an error where compiled code is asked for, else interpreted
cp "$tool" "$tmp/alone"
check "explain without the code generator" sh -c '"$1" explain "$2" | grep "interpreted: .*code generator"' sh "$tmp/alone" "$model"
"$tmp/alone" run "$model" --in "$ema" --exec=jit 2>&1 | grep -q 'error: no-kernel: .*code generator' || { echo "FAIL --exec=jit without it"; failed=1; }
check "a run without the code generator" "$tmp/alone" run "$model" --in "$ema" --expect "$ema"

# inputs
expect 1 'error: missing-input' run "$model"
expect 0 '^out.0' run "$model" --in "$ema"
expect 3 'error: io: not a directory' run "$model" --in "$tmp/nothing"
expect 3 'error: io: not a directory' run "$model" --in "$model"
expect 3 'in.x.npy: error: no-memory: the array needs 480 bytes' run "$model" --in "$ema" --max-bytes=490 # after p_alpha's 16
expect 2 'threads is 1000, expected 1 to 256' run "$model" --in "$ema" --threads=1000
mixed=$corpus/dyn/length_and_batch
expect 1 'give its symbols with --dim' run "$mixed/model.fx" $(sed -n 's/^    *\([a-z_0-9]*\): USER_INPUT.*/\1=normal/p' "$mixed/model.fx")

if [ -e "$(dirname "$tool")/libscanc-codegen.so" ]; then
  expect 0 'equal to' run "$model" --in "$ema" --expect "$ema" --exec=jit
  expect 0 'equal to' run "$model" --in "$ema" --expect "$ema" --exec=jit --threads=3
  expect 0 'threads: *one, no parallel axis is long enough' explain "$model" --threads=3
fi

# host functions
cat >"$tmp/host.fx" <<'END'
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[3]", n: "i64[3]"):
        a: "f32[3]" = torch.ops.mylib.softclip.default(x, 1.0)
        b: "i64[3]" = collatz(n)
        return (a, b)
END
lib=$libs/host_lib.so
expect 1 'unknown-op: .*mylib.softclip.* --ops' check "$tmp/host.fx"
expect 0 'no errors' check "$tmp/host.fx" --ops="$lib" --ops="$lib"
expect 0 'collatz' print "$tmp/host.fx" --ops="$lib"
expect 0 'outputs:' inspect "$tmp/host.fx" --ops="$lib"
expect 0 'program:' explain "$tmp/host.fx" --ops="$lib"
check "a library in the current directory" sh -c 'cd "$2" && "$1" run "$3" x=ones n=ones --ops=host_lib.so | grep "^out.0 a: f32.3.  0.5, 0.5"' \
  sh "$tool" "$libs" "$tmp/host.fx"
expect 2 'error: usage: --ops: expected LIB.so' check "$tmp/host.fx" --ops=
expect 2 'error: usage: no command' --ops="$lib"
expect 3 'nosuch.so: error: io: cannot load: ' check "$tmp/host.fx" --ops=nosuch.so
expect 3 'host.fx: error: io: cannot load: ' check "$tmp/host.fx" --ops="$tmp/host.fx"
expect 2 'libm.so.6: error: usage: .*no function scanc_register_ops' check "$tmp/host.fx" --ops=libm.so.6
expect 2 'host_lib_refused.so: error: usage: cannot register .*broken.*f16' check "$tmp/host.fx" --ops="$libs/host_lib_refused.so"
expect 1 'host_lib_failed.so: error: data: scanc_register_ops failed' check "$tmp/host.fx" --ops="$libs/host_lib_failed.so"

# results
check "--out writes" "$tool" run "$model" --in "$ema" --out "$tmp/out"
check "results are the expected ones" "$tool" run "$model" --in "$ema" --expect "$tmp/out" --rtol=0 --atol=0
[ -z "$(ls -A "$tmp/out" | grep -v '^out\.[0-9]*\.npy$')" ] || { echo "FAIL other files in --out"; failed=1; }
cp -r "$tmp/out" "$tmp/more"
cp "$tmp/more/out.0.npy" "$tmp/more/out.9.npy"
check "extra files do not matter" "$tool" run "$model" --in "$ema" --expect "$tmp/more"
n=$(ls "$tmp/out" | wc -l)
cp "$tmp/more/out.0.npy" "$tmp/more/out.$n.npy"
expect 1 "the program has $n outputs only" run "$model" --in "$ema" --expect "$tmp/more"
expect 3 'error: io' run "$model" --in "$ema" --expect "$tmp/nothing"
expect 3 'error: io: cannot make' run "$model" --in "$ema" --out "$tmp/no/such"
mkdir "$tmp/blocked" "$tmp/blocked/out.0.npy"
expect 3 'error: io' run "$model" --in "$ema" --out "$tmp/blocked"
[ "$(ls -A "$tmp/blocked")" = out.0.npy ] || { echo "FAIL files left after a failed --out"; failed=1; }
gru=$corpus/models/gru
mkdir "$tmp/partly" "$tmp/partly/out.1.npy"
expect 3 'error: io' run "$gru/model.fx" --in "$gru" --out "$tmp/partly"
[ "$(ls -A "$tmp/partly")" = out.1.npy ] || { echo "FAIL some of the files after a failed --out"; failed=1; }
mkdir "$tmp/linked"
ln -s ../target.npy "$tmp/linked/out.0.npy"
echo old >"$tmp/target.npy"
check "--out through a link" "$tool" run "$model" --in "$ema" --out "$tmp/linked"
[ -L "$tmp/linked/out.0.npy" ] && cmp -s "$tmp/out/out.0.npy" "$tmp/target.npy" || { echo "FAIL --out replaced a link"; failed=1; }
if [ -c /dev/full ]; then
  mkdir "$tmp/full" && ln -s /dev/full "$tmp/full/out.1.npy"
  expect 3 'out.1.npy: error: io: cannot write: No space' run "$gru/model.fx" --in "$gru" --out "$tmp/full"
  [ "$(ls -A "$tmp/full")" = out.1.npy ] || { echo "FAIL some of the files after a full disk"; failed=1; }
else
  echo "skipped: there is no /dev/full here"
fi

# archives
archive=$ema/model.pt2
mkdir "$tmp/user"
cp "$ema/in.x.npy" "$tmp/user"
expect 0 'equal to|^out.0' run "$archive" --in "$tmp/user"
check "an archive brings its parameters" "$tool" run "$archive" --in "$tmp/user" --expect "$ema"
expect 0 'p_alpha .*PARAMETER .* alpha  16 bytes' inspect "$archive"
expect 0 '^out.0' run "$archive" x=ones alpha=zeros
expect 0 'no errors' check "$archive"
pickled=$corpus/scan/torch26_dim1_reverse
expect 1 'hold parameters as objects of Python' run "$pickled/model.pt2" init=ones xs=ones
"$tool" run "$pickled/model.pt2" p_l__s___w=ones b_l__s___b=ones init=ones >"$tmp/log" 2>&1
grep -q "no array was given for input 'xs'" "$tmp/log" || { echo "FAIL a missing input of the user's"; failed=1; }
grep -q 'objects of Python' "$tmp/log" && { echo "FAIL what is said of parameters is said of inputs"; failed=1; }
expect 0 'p.b$' inspect "$corpus/scan/c43_pytree_closure/model.pt2"
expect 0 '^out.0' run "$corpus/scan/c43_pytree_closure/model.pt2" init=ones xs=ones p.p=ones p.b=ones
expect 2 "has no program 'other'; it has model" run "$archive" --model=other
expect 2 'cannot be chosen here' run "$model" --model=other
expect 2 'save needs -o' save "$archive"
expect 1 'missing-input: .*no value to save' save "$model" -o "$tmp/none.pt2"
expect 1 'give it as DIR/in.NAME.npy' save "$model" -o "$tmp/none.pt2"
expect 2 "'x' is an argument of the program" save "$model" x=zeros p_alpha=ones -o "$tmp/none.pt2"
expect 2 "no input 'nosuch'" save "$model" nosuch=ones -o "$tmp/none.pt2"
expect 1 "input-dtype: .*'p_alpha': expected f32, got i64" save "$model" p_alpha=i64[4]:ones -o "$tmp/none.pt2"
expect 1 "input-shape: .*'p_alpha'" save "$model" p_alpha=f32[5]:ones -o "$tmp/none.pt2"
[ ! -e "$tmp/none.pt2" ] || { echo "FAIL a refused archive was written"; failed=1; }
expect 3 'error: io: cannot write' save "$archive" -o "$tmp/no/such.pt2"
check "save a text with the values of its parameters" "$tool" save "$model" --in "$ema" -o "$tmp/text.pt2"
check "a saved text runs" "$tool" run "$tmp/text.pt2" --in "$tmp/user" --expect "$ema"
check "save a text with one value" "$tool" save "$model" alpha="$ema/in.p_alpha.npy" -o "$tmp/text.pt2"
check "a text saved with one value runs" "$tool" run "$tmp/text.pt2" --in "$tmp/user" --expect "$ema"
check "save an archive with another value" "$tool" save "$archive" p_alpha=zeros -o "$tmp/zeros.pt2"
expect 0 'equal to' run "$tmp/zeros.pt2" --in "$tmp/user" p_alpha="$ema/in.p_alpha.npy" --expect "$ema"
expect 1 'mismatch|differs' run "$tmp/zeros.pt2" --in "$tmp/user" --expect "$ema"
check "save an archive whose values are not read" "$tool" save "$pickled/model.pt2" --in "$pickled" -o "$tmp/read.pt2"
mkdir "$tmp/read"
for f in "$pickled"/*.npy; do case $f in */in.[pb]_*) ;; *) cp "$f" "$tmp/read" ;; esac; done
check "it runs" "$tool" run "$tmp/read.pt2" --in "$tmp/read" --expect "$pickled"
check "save" "$tool" save "$archive" -o "$tmp/saved.pt2"
check "a saved archive runs" "$tool" run "$tmp/saved.pt2" --in "$tmp/user" --expect "$ema"
grep -abo weight_0 "$tmp/saved.pt2" >"$tmp/found" # the data begin at the next multiple of 64
at=$(head -n 1 "$tmp/found" | cut -d: -f1)
printf '\101' | dd of="$tmp/saved.pt2" bs=1 seek=$(((at + 12 + 63) / 64 * 64)) conv=notrunc 2>/dev/null
expect 0 '^out.0' run "$tmp/saved.pt2" --in "$tmp/user"
expect 1 "bad-archive: .*weight_0' has checksum" check "$tmp/saved.pt2"
check "save after a pass" "$tool" save "$archive" --after=canonicalise -o "$tmp/after.pt2"
check "a rewritten archive runs" "$tool" run "$tmp/after.pt2" --in "$tmp/user" --expect "$ema"
"$tool" run - --in "$tmp/user" --expect "$ema" <"$archive" >/dev/null || { echo "FAIL an archive on standard input"; failed=1; }
[ -z "$(ls "$tmp" | grep 'tmp$')" ] || { echo "FAIL files left by save"; failed=1; }

# several programs in one archive, parameters that the caller gives, what a program changes
two=$corpus/../exported/several/two_models/model.pt2
expect 0 '^out.0 .*2, 2, 2$' run "$two" --model=double x=ones
expect 0 '^out.0 .*3, 3, 3$' run "$two" --model=triple x=ones
expect 0 '^out.0 .*0, 0, 0$' run "$two" --model=triple x=ones w=zeros
expect 0 '^out.0 .*1, 1, 1$' run "$two" --model=triple x=ones p_w=ones
expect 0 'w  12 bytes' inspect "$two" --model=triple
expect 0 'mul' print "$two" --model=double
expect 0 'no errors' check "$two" --model=triple
expect 2 'several programs; choose one of double, triple' run "$two" x=ones
expect 2 "has no program 'single'; it has double, triple" run "$two" --model=single x=ones
check "save one of several" "$tool" save "$two" --model=triple -o "$tmp/triple.pt2"
expect 0 '^out.0 .*3, 3, 3$' run "$tmp/triple.pt2" x=ones
expect 1 'w.*expected f32' run "$two" --model=triple x=ones w=f64[3]:ones
# arguments that are constants of the program: printed as PyTorch does, told by inspect, kept by save
constants=$corpus/../exported/pt2/constants/model.pt2
expect 0 'forward\(self, x: "f32\[3, 2\]", mask, n, f, mode, flag\):$' print "$constants"
check "save constants" "$tool" save "$constants" -o "$tmp/constants.pt2"
for file in "$constants" "$tmp/constants.pt2"; do
  expect 0 'mask .* constant None$' inspect "$file"
  expect 0 'n .* constant 2$' inspect "$file"
  expect 0 'f .* constant 2.5$' inspect "$file"
  expect 0 "mode .* constant 'mean'\$" inspect "$file"
  expect 0 'flag .* constant True$' inspect "$file"
done

mutated=$corpus/../exported/pt2/mutated_decomposed
check "run what changes its arguments" "$tool" run "$mutated/model.pt2" --in "$mutated" --out "$tmp/mutated"
for f in mut.b_count mut.b_scratch mut.h_a mut.x out.0 out.1; do
  check "$f.npy" cmp "$tmp/mutated/$f.npy" "$mutated/$f.npy"
done
[ "$(ls "$tmp/mutated" | wc -l)" = 6 ] || { echo "FAIL other files of changed arguments"; failed=1; }

# standard input, full disk
"$tool" print - <"$model" >"$tmp/printed" || { echo "FAIL print -"; failed=1; }
"$tool" print - <"$tmp/printed" | cmp -s - "$tmp/printed" || { echo "FAIL print of print"; failed=1; }
if [ -w /dev/full ]; then
  "$tool" print "$model" >/dev/full 2>"$tmp/log"
  [ $? = 3 ] || { echo "FAIL a full disk goes unnoticed"; failed=1; }
fi

exit $failed
