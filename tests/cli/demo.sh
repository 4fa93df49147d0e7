#!/usr/bin/env bash
# demo.sh LINCHPIN -- the two commands that the README shows first; the first one shows a
# violation with its picture.  linchpin is already built, so `make` is told that the build
# is up to date.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
root=$(cd "$here/../.." && pwd)
unset MAKEFLAGS MFLAGS MAKELEVEL # of the `make test` that this may be part of
command -v make >/dev/null || { echo "skipped: no make"; exit 0; }

# The README has both commands, and requires nothing before them.
command_line="README: Two commands"
mapfile -t targets < <(sed -n '/^## Two commands/,/^## /p' "$root/README.md" | sed -n 's/^    make \([a-z]*\) .*/\1/p')
[ "${targets[*]}" = "demo test" ] || fail "these are: ${targets[*]}"
for target in "${targets[@]}"; do
	make -s -n -C "$root" "$target" BUILD="$folder/none" >.out 2>.err || fail "no make $target"
done

# Runs the demonstration with this executable, in a folder of its own.
mkdir built
ln -s "$linchpin" built/linchpin
command_line="make demo"
timeout "${limit:-120}" make -s -C "$root" -o tool demo BUILD="$folder/built" >.out 2>.err || fail "it fails"
out_has "violation: not linearizable"
out_has "   4  |----------- dequeue() -> 4 -----------|"
out_has "The same to look at in a browser: $folder/built/demo.html"
out_has "verified: 'examples/hwqueue.c' is a linearizable queue:blocking"
grep -q '^<!DOCTYPE html>' built/demo.html && grep -q '"verdict":"violation"' built/demo.html || fail "no page"
finish
