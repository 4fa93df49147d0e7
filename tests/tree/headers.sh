#!/bin/sh
# headers.sh ROOT COMPILER -- every header compiles alone, and twice.
root=$1
compiler=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
llvm=$(llvm-config-19 --includedir 2>/dev/null)
count=0 failures=0
for header in $(cd "$root" && find src include -name '*.h' | sort); do
	count=$((count + 1))
	printf '#include "%s"\n#include "%s"\n' "$root/$header" "$root/$header" >"$folder/alone.c"
	"$compiler" -std=gnu17 -Wall -Wextra -Werror -fsyntax-only -I"$root/src" -I"$root/include" \
		${llvm:+-isystem "$llvm"} \
		"$folder/alone.c" 2>"$folder/err" || {
		failures=$((failures + 1))
		echo "FAIL: $header"
		head -n 5 "$folder/err"
	}
done
echo "$count headers, $failures failures"
[ "$count" -gt 20 ] && [ "$failures" = 0 ]
