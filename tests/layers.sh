#!/bin/sh
# The include rule: base <- ir <- {frontend, passes, loop} <- codegen; runtime above them; tools on top. LLVM headers
# appear in codegen only. Usage: layers.sh SOURCE_DIR
cd "$1" || exit 2
failed=0

# check LAYER ALLOWED...: files of src/LAYER include only headers of the layers named.
check() {
  layer=$1
  pattern=$(echo "scanc $*" | sed 's/ /|/g')
  bad=$(grep -nE '^ *# *include +"[a-z_]+/' "src/$layer"/*.[ch] "src/$layer"/*.def "src/$layer"/*.inc 2>/dev/null |
    grep -vE "include +\"($pattern)/")
  if [ -n "$bad" ]; then
    echo "src/$layer may include only: scanc $*"
    echo "$bad"
    failed=1
  fi
}

check base
check ir base
check frontend base ir
check passes base ir
check loop base ir
check codegen base ir loop
check runtime base ir frontend passes loop codegen

bad=$(grep -rnE '^ *# *include +[<"]llvm' src include tools | grep -v '^src/codegen/')
if [ -n "$bad" ]; then
  echo "LLVM headers outside src/codegen:"
  echo "$bad"
  failed=1
fi
exit $failed
