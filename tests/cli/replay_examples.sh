#!/usr/bin/env bash
# replay_examples.sh LINCHPIN -- the violation of every example, replayed twice: both replays are the same
# to the byte, and show the violation that was found.
#
# The command lines are taken from examples/CMakeLists.txt: for each bug_*, the first that is
# expected to find a violation.  A bug_* without such a line fails the test.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
examples=$(cd "$here/../../examples" && pwd)
replayed=0
limit=300 # some take a second or two on an idle machine

# A report and its replay may differ in the cost and in the location of the program.
settled() { sed -E 's/^  cost .*//; s/0x[4-7][0-9a-f]{8,}/ADDRESS/g' "$@"; }

# The part of a report that is about the execution: the error, and all steps.  The value that
# a waiting operation has read last may come from any write for which it waits.
execution() { sed -n '/^violation/p; /^the execution/,/^explored/p' | sed 's/, waits  <- .*/, waits/'; }

# replay_twice COMMAND FILE OPTION...: the violation that the command finds is replayed twice.
replay_twice() {
	local command=$1
	shift
	rm -f found.trace
	expect 1 "$command" --trace found.trace "$@"
	settled .out | execution >found
	expect 1 replay found.trace
	cp .out first
	settled first | execution | cmp -s - found || fail "another execution is replayed"
	expect 1 replay found.trace
	if setarch -R true 2>.err; then # addresses can be the same
		cmp -s first .out || fail "two replays differ"
	else
		settled first >a; settled .out >b
		cmp -s a b || fail "two replays differ"
	fi
	replayed=$((replayed + 1))
}

for file in "$examples"/bug_*; do
	name=$(basename "$file")
	mapfile -t rows < <(tr '\n' ' ' <"$examples/CMakeLists.txt" |
		sed -E 's/(object\([a-z-]+ +"(\([^)]*\)|[^"])*" +[^)]*\))/\n\1\n/g' |
		grep -E "^object.*\" +$name" | grep -v '"verified"' |
		sed -E 's/^.*" +([^"]*)\)$/\1/')
	[ "${#rows[@]}" -gt 0 ] || { command_line=$name; fail "no row in examples/CMakeLists.txt"; continue; }
	read -r -a words <<<"${rows[0]}"
	replay_twice check "$examples/${words[0]}" "${words[@]:1}"
done
# Programs: each file names the options with which its error is found.
for row in "ring_bug.c" "account.cpp --model sc -- -DBUG" "account.cpp -- -DBUG"; do
	read -r -a words <<<"$row"
	replay_twice run "$examples/${words[0]}" "${words[@]:1}"
done
[ "$replayed" -ge 20 ] || { command_line=; fail "only $replayed examples were replayed"; }
echo "$replayed examples"
finish
