#!/bin/sh
# snippets_arm.sh CLANG LOWER SOURCES [run] -- lowers the snippets of aarch64 and compiles them; with
# `run`, also runs them in an emulator, and is skipped (77) if the emulator or a C library is missing.
clang=$1 lower=$2 sources=$3 run=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
set -e
flags="--target=aarch64-linux-gnu -O1 -march=armv8.1-a -mno-outline-atomics"
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64 || true)
if [ -n "$run" ] && { [ -z "$qemu" ] || ! command -v aarch64-linux-gnu-gcc >/dev/null; }; then
	echo "needs qemu-user-static and gcc-aarch64-linux-gnu"
	exit 77
fi
cd "$folder"
# The headers of the host's compiler are enough; those of a C library are not needed.
"$clang" $flags -ffreestanding -DSNIPPETS=lowered_snippets -Xclang -disable-llvm-passes -emit-llvm -S \
	"$sources/snippets_arm.c" -o snippets.ll
"$lower" snippets.ll lowered.ll
"$clang" $flags -c lowered.ll -o lowered.o
"$clang" $flags -ffreestanding -DSNIPPETS=original_snippets -c "$sources/snippets_arm.c" -o original.o
[ -n "$run" ] || exit 0
aarch64-linux-gnu-gcc -O1 -static "$sources/run_snippets.c" original.o lowered.o -o run
"$qemu" ./run
