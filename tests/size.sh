#!/bin/sh
# The size budget: functions at most 80 lines, half of them at most 12 and nine tenths at most 40; files at most 600
# lines. Usage: size.sh SOURCE_DIR
cd "$1" || exit 2
ctags --version 2>/dev/null | grep -q Universal || { echo "size.sh needs universal-ctags"; exit 2; }
failed=0

# What ./dev bench-peers installs below bench/peers is not ours.
for f in $(find src tools tests include bench examples \( -path bench/peers/venv -o -path bench/peers/build \) -prune \
  -o \( -name '*.[ch]' -o -name '*.def' -o -name '*.inc' \) -print); do
  n=$(wc -l < "$f")
  [ "$n" -le 600 ] || { echo "$f: $n lines, at most 600 allowed"; failed=1; }
done

find src tools -name '*.c' | ctags -L - -f - --fields=+ne --languages=C --kinds-C=f 2>/dev/null |
  sed -n 's/^\([^	]*\)	\([^	]*\)	.*	line:\([0-9]*\).*	end:\([0-9]*\).*/\1 \2 \3 \4/p' |
  awk '$1 !~ /^[A-Z][A-Z0-9_]*$/ { print $4 - $3 + 1, $2 ":" $3 ": " $1 }' | sort -n | # capitals: macros
  awk '{ n[NR] = $1; if ($1 > 80) { print $2, $3, "is", $1, "lines long, at most 80 allowed"; bad = 1 } }
    END {
      if (!NR) { print "no functions found"; exit 1 }
      median = n[int((NR + 1) / 2)]; tenth = n[int(NR * 0.9 + 0.5)]
      printf "%d functions, median %d lines, nine tenths at most %d\n", NR, median, tenth
      if (median > 12 || tenth > 40) { print "over the budget of 12 and 40"; bad = 1 }
      exit bad
    }' || failed=1
exit $failed
