#!/bin/sh
# aarch64.sh ROOT -- code that depends on the processor compiles for aarch64, too: the runtime, the loader,
# the monitor, and all assembly.  Skipped unless a compiler with a C library for aarch64 is
# installed (Debian: gcc-aarch64-linux-gnu and libc6-dev-arm64-cross).
root=$1
compiler=aarch64-linux-gnu-gcc
command -v $compiler >/dev/null || { echo "skipped: no $compiler"; exit 77; }
echo '#include <stdlib.h>' | $compiler -fsyntax-only -xc - 2>/dev/null || {
	echo "skipped: $compiler has no C library"
	exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$root" || exit 1
flags="-std=gnu17 -Wall -Wextra -Werror -Isrc -Iinclude -I$folder"
$compiler $flags -c -fPIC -o "$folder/linchpin-main.o" include/linchpin/main.c || exit 1
count=0 failures=0
# The headers of libdw and libelf are the same for all processors.
for file in src/runtime/*.c src/runtime/*/*.c src/frontend/*.c src/frontend/compile/*.c src/frontend/load/*.c \
	src/monitor/*.c src/monitor/live/*.c src/*/*.S src/report/formats/*.S src/cli/gdb/*.S; do
	count=$((count + 1))
	case $file in *.S) what=-c ;; *) what=-fsyntax-only ;; esac
	$compiler $flags $what -o "$folder/made.o" "$file" 2>"$folder/err" || {
		failures=$((failures + 1))
		echo "FAIL: $file"
		head -n 5 "$folder/err"
	}
done
echo "$count files, $failures failures"
[ "$count" -gt 60 ] && [ "$failures" = 0 ]
