#!/usr/bin/env bash
# many.sh LINCHPIN -- several objects at once.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/ci_lib.sh"

# Several objects: a report for each, a table, and the worst exit status.
expect 0 check counter.c counter.c --ops 2; out_has "2 objects: 2 verified; "
[ "$(grep -c '^== counter.c$' .out)" = 2 ] || fail "not a heading for each"
[ "$(grep -c '^  verified     counter.c  [0-9]* executions, ' .out)" = 2 ] || fail "not a line for each"
expect 1 check counter.c sub/bug.c sub/race.c --sarif log.sarif --junit log.xml
out_has "3 objects: 1 verified, 2 in violation; "
out_has "  violation    sub/bug.c   not linearizable, "; out_has "  violation    sub/race.c  race, "
out_has "intervals:"; junit_is 3 2 0
python3 "$here/sarif.py" log.sarif | cut -d' ' -f1 | tr '\n' ' ' | grep -qx "not-linearizable race successful " ||
	fail "the log is another"
expect 2 check counter.c broken.c sub/bug.c --sarif log.sarif --junit log.xml --ops 3; junit_is 3 1 1
out_has "1 verified, 1 in violation, 1 in error"
expect 3 check counter.c counter.c --executions 1 --json; json_has '"verdict":"inconclusive"'
expect 1 check counter.c sub/bug.c --json --ops 3; json_has '"verdict":"violation","subject":"sub/bug.c","kind":"not linearizable"'
python3 -c '
import json
r = json.load(open(".out"))
assert [f["verdict"] for f in r["files"]] == ["verified", "violation"]
assert r["executions"] == sum(f["executions"] for f in r["files"])
assert r["files"][1]["violation"]["steps"]' || fail "the JSON of several"
expect 1 check -q sub/bug.c counter.c --ops 3; err_empty
[ "$(wc -l <.out)" = 2 ] || fail "not a line for each"
[ "$(cut -d' ' -f1 .out | tr '\n' ' ')" = "violation verified " ] || fail "not their verdicts"
expect 1 check counter.c sub/race.c --ops 2 -- -DBUG; out_has "1 verified, 1 in violation"
expect 2 check counter.c counter.c --trace t; says "--trace is for one object at a time"; alone
expect 2 check counter.c counter.c --emit-test t; says "--emit-test is for one object at a time"; alone
expect 2 check counter.c counter.c --html t; says "--html is for one object at a time"; alone

# Each object has its own time limit.
cat >long.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int n;
LP_SPEC("counter")
LP_METHOD(increment)
{
	for (int i = 0; i < 200; i++)
		atomic_fetch_add_explicit(&n, i % 2 ? -1 : 1, memory_order_relaxed);
	return LP_VOID;
}
C
expect 3 check long.c long.c counter.c --ops 2 --time 0.5
out_has "1 verified, 2 inconclusive"
[ "$(grep -c '^  inconclusive long.c     time limit' .out)" = 2 ] || fail "not both had their time"

# If the process of one object dies, this is an internal error, and the other objects are checked.
cat >clang <<'SH'
#!/bin/sh
case "$*" in *sub/bug.c*) kill -9 $PPID; sleep 5 ;; esac
exec clang-19 "$@"
SH
chmod +x clang
expect 70 check counter.c sub/bug.c counter.c --ops 2 --cc "$folder/clang" --junit log.xml --sarif log.sarif
says "internal error: the process for this object ended with signal 9"
out_has "2 verified, 1 in error"; junit_is 3 0 1; sarif_is "unsuccessful 1"

# An interrupt ends all of them, and no remaining object is reported as verified.
command_line="(interrupted)"
for signal in INT TERM; do
	# The signal is sent to the first process only, as a script would do it.
	env --default-signal=INT "$linchpin" check counter.c long.c counter.c --ops 2 --junit log.xml >.out 2>.err &
	until grep -q '^== long.c' .out; do sleep 0.1; done
	sleep 1
	kill -$signal $!
	wait $!
	status=$?
	[ "$status" = 3 ] || fail "exit status $status instead of 3"
	out_has "3 objects: 1 verified, 2 inconclusive"; junit_is 3 0 2
	out_has "  inconclusive long.c     interrupted (SIGTERM)"; out_has "complete so far"
	out_has "  inconclusive counter.c  interrupted (SIG$signal)"
done
finish
