#!/usr/bin/env bash
# interrupt.sh LINCHPIN -- signals at many moments: the verdict is true, or it is "inconclusive", and
# then no execution is shown.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
examples=$(realpath "$here/../../examples")
zoo=$(realpath "$here/../../zoo")

# Judging one execution takes seconds here, so the signal arrives while a judge is at work.
slow="$examples/twolock.c --ops enqueue=5,dequeue=5 --ak 5 --model sc"

# interrupted SIGNAL SECONDS VERDICT ARGUMENT...     VERDICT: the verdict without the signal
interrupted() {
	local signal=$1 seconds=$2 verdict=$3 got said
	shift 3
	command_line="$* (SIG$signal after $seconds s)"
	timeout --preserve-status -s "$signal" "$seconds" "$linchpin" "$@" --json >.out 2>.err </dev/null
	got=$?
	[ "$got" -gt 128 ] && return # before it was ready for signals: nothing is said
	said=$(python3 -c '
import json, sys
r = json.load(sys.stdin)
print(r["verdict"], "execution" if r.get("violation") else "none", r.get("reason"))' <.out) ||
		{ fail "not JSON"; return; }
	case "$got $said" in
	"3 inconclusive none interrupted (SIG$signal)") ;;
	"0 verified none "*) [ "$verdict" = verified ] || fail "not the verdict: $said" ;;
	"1 violation execution "*) [ "$verdict" = violation ] || fail "not the verdict: $said" ;;
	*) fail "status $got, $said" ;;
	esac
}

for seconds in 0.3 0.6 0.9 1.3; do
	interrupted INT $seconds verified check $slow
	interrupted TERM $seconds verified check $slow -j 2
	interrupted INT $seconds verified check $zoo/counter.c --ops 9 --ak 4 --model sc
	interrupted INT $seconds verified check $examples/treiber.c --ops 8 --fit
	interrupted INT $seconds verified check $examples/hwqueue.c --ops 8 # at its end, arguments are checked
	interrupted TERM $seconds violation check $examples/bug_msqueue.c --ops 7
	interrupted INT $seconds violation check $examples/bug_treiber_push.c --ops 6 --sync rid -j 2
done

# The time limit has the same effect.
expect 3 check $slow --time 1; out_has "inconclusive: time limit reached"; out_lacks "what happens"
expect 3 check $slow --time 1 -j 2; out_has "inconclusive: time limit reached"
expect 3 check $slow --time 1 --json; out_lacks '"steps"'

# orphaned ARGUMENT...     When linchpin is killed by SIGKILL, no child process remains that explores or compiles.
orphaned() {
	local parent child tries
	command_line="$* (SIGKILL)"
	"$linchpin" "$@" >.out 2>.err </dev/null &
	parent=$!
	for ((tries = 0; tries < 100; tries++)); do
		child=$(pgrep -P $parent | head -n 1)
		[ -z "$child" ] || break
		sleep 0.1
	done
	[ -n "$child" ] || fail "it has no child"
	sleep 0.3
	kill -KILL $parent
	wait $parent 2>/dev/null
	for ((tries = 0; tries < 50; tries++)); do
		[ -n "$child" ] && kill -0 "$child" 2>/dev/null || return
		sleep 0.1
	done
	fail "its child goes on"
	kill -KILL "$child"
}

cat >long.cc <<'C'
constexpr long f() { long n = 0; for (long i = 0; i < 1000000000; i++) n += i; return n; }
static_assert(f() != 1);
int main() { return 0; }
C
if command -v pgrep >/dev/null; then
	orphaned check $slow $slow
	orphaned check $slow -j 2
	orphaned run long.cc --no-compile-cache -- -fconstexpr-steps=2000000000
	orphaned run long.cc --no-compile-cache --cc clang-19 -- -fconstexpr-steps=2000000000
fi

finish
