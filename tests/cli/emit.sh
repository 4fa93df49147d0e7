#!/usr/bin/env bash
# emit.sh LINCHPIN -- `check --emit-test`: the client of a violation, as a program that goes wrong with
# the broken object and not with the right one, whatever waits rightly in between.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
examples=$here/../../examples

# emits BROKEN RIGHT WHAT [OPTIONS]: what `run` then finds
emits() {
	local broken=$1 right=$2 what=$3
	shift 3
	expect 1 check "$examples/$broken" --emit-test client.c "$@"
	out_has "hint: the client is in the file"
	expect 1 run client.c; out_has "violation: $what"
	grep -q "$broken\"" client.c || fail "the client does not include $broken"
	sed "s|/$broken\"|/$right\"|" client.c >right.c
	expect 0 run right.c
}
emits bug_treiber.c treiber.c assertion
emits bug_lazylist.c lazylist.c assertion
emits bug_hwqueue_once.c hwqueue.c assertion
emits bug_twolock.c twolock.c race
emits bug_hwfbqueue.c hwfbqueue.c liveness
# Calls that wait rightly in other executions.
emits bug_boundedqueue_if.c boundedqueue.c assertion
emits bug_boundedqueue.c boundedqueue.c deadlock
emits bug_syncqueue.c syncqueue.c deadlock --ops 4
emits bug_syncqueue_lost.c syncqueue.c deadlock
emits bug_syncqueue_early.c syncqueue.c assertion # it returns at all
emits bug_ticketlock_order.c ticketlock.c race
# A value that is handed over without what was done before.
emits bug_hwfbqueue_order.c hwfbqueue.c race --sync r
# Which of two insertions came first no client can tell.
rm client.c
expect 1 check "$examples/hwfbqueue.c" --sync ri --emit-test client.c
out_has "hint: no test was written"
[ ! -e client.c ] || fail "a test was written"
finish
