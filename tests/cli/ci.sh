#!/usr/bin/env bash
# ci.sh LINCHPIN -- what CI servers read: --junit, --sarif, marks; several objects at once.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

# Names that need care in XML, in addresses and in marks.
mkdir 'a b' sub
cat >'a b/lib%,<&>.h' <<'C'
static atomic_int n;
static void bump(void)
{
#ifdef RACE
	static int plain;
	plain++;
#endif
#ifdef BUG
	atomic_store(&n, atomic_load(&n) + 1);
#else
	atomic_fetch_add(&n, 1);
#endif
}
C
cat >counter.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
#include "a b/lib%,<&>.h"
LP_SPEC("counter")
LP_METHOD(increment) { bump(); return LP_VOID; }
LP_METHOD(read) { return atomic_load(&n); }
C
(echo '#define BUG'; sed 's/"a b/"..\/a b/' counter.c) >sub/bug.c
(echo '#define RACE'; sed 's/"a b/"..\/a b/' counter.c) >sub/race.c
echo 'int x = not_declared;' >broken.c
cat >program.c <<'C'
#include <assert.h>
int main(void) { assert(!"this & <that>"); return 0; }
C

# sarif_is LINE...: the log is right, and this is what is in it.
sarif_is() {
	printf '%s\n' "$@" >want
	python3 "$here/sarif.py" log.sarif >got 2>&1 || fail "not SARIF: $(cat got)"
	diff want got >.diff || fail "the log is another: $(cat .diff)"
}
# junit_is TESTS FAILURES ERRORS: well-formed, and the sums are those of the cases.
junit_is() {
	python3 - "$@" >got 2>&1 <<'P' || fail "not JUnit's: $(cat got)"
import sys, xml.etree.ElementTree as tree
root = tree.parse("log.xml").getroot()
suite = root.find("testsuite")
cases = suite.findall("testcase")
sums = [len(cases)] + [sum(c.find(k) is not None for c in cases) for k in ("failure", "error")]
for element in (root, suite):
    assert [int(element.get(k)) for k in ("tests", "failures", "errors")] == sums, sums
    float(element.get("time"))
for c in cases:
    assert c.get("name") and c.get("classname") and float(c.get("time")) >= 0
    assert len(c) == 1 and c[0].text, "a case says one thing"
    assert c[0].tag == "system-out" or (c[0].get("type") and c[0].get("message"))
assert sums == [int(a) for a in sys.argv[1:]], sums
P
}

# One object, one program.
expect 0 check counter.c --ops 2 --sarif log.sarif --junit log.xml; err_empty
out_has "verified: 'counter.c'"; sarif_is "successful 0"; junit_is 1 0 0
expect 1 check sub/bug.c --sarif log.sarif --junit=log.xml
# Two increments, each a load and a store, and a read.
sarif_is "not-linearizable error sub/bug.c:1 T1,T2,T3 5" "successful 0"; junit_is 1 1 0
grep -q 'message="not linearizable: .*: increment(); read() -&gt; 1 | increment()"' log.xml || fail "the message"
expect 1 check sub/race.c --sarif log.sarif --json; json_has '"kind":"race"'
sarif_is "race error a%20b/lib%25%2C%3C%26%3E.h:6 T1,T2 $(grep -o '"executionOrder"' log.sarif | wc -l)" "successful 0"
grep -q relatedLocations log.sarif || fail "the other access is not there"
expect 3 check counter.c --executions 1 --sarif log.sarif --junit log.xml
sarif_is "inconclusive warning counter.c:1 - 0" "successful 0"; junit_is 1 0 1
expect 2 check broken.c --sarif log.sarif --junit log.xml
sarif_is "unsuccessful 1"; junit_is 1 0 1
expect 2 check missing.c --sarif log.sarif --junit log.xml; says "missing.c"
sarif_is "unsuccessful 1"; junit_is 1 0 1
expect 1 run program.c --sarif log.sarif --junit log.xml
sarif_is "assertion error program.c:2 T0 1" "successful 0"; junit_is 1 1 0
(cd sub && timeout 60 "$linchpin" check race.c --sarif ../log.sarif >/dev/null)
command_line="(in another folder)"
grep -q "\"uri\":\"file://$folder/a%20b/lib" log.sarif || fail "a file outside the folder"

# A report that cannot be written: said at once, and the verdict is not taken for one.
expect 2 check counter.c --junit no/such/folder.xml; says "cannot write 'no/such/folder.xml'"; alone
expect 2 check counter.c counter.c --sarif sub; says "cannot write 'sub'"; alone
expect 2 check counter.c --json --sarif sub; json_has '"verdict":"error"'
if [ -w /dev/full ]; then
	expect 2 check counter.c --ops 1 --junit /dev/full; says "cannot write '/dev/full'"
fi
expect 2 history x --spec queue --junit log.xml; says "'--junit' is not supported"

# Marks for GitHub, and where they go.
export GITHUB_ACTIONS=true
expect 0 check counter.c --ops 2; err_empty
expect 1 check sub/race.c --json; json_has '"kind":"race"'
err_has "::error file=a b/lib%25%2C<&>.h,line=6,title=linchpin%3A race::race: "
expect 1 run program.c; err_has "::error file=program.c,line=2,title=linchpin%3A assertion::"
expect 3 check counter.c --executions 1; err_has "::warning file=counter.c,line=1,title=linchpin%3A inconclusive::not verified: "
expect 2 check missing.c; err_has "::error file=missing.c,line=1,title=linchpin%3A error::cannot read"
[ "$(grep -c '^::' .err)" = 1 ] || fail "not one mark"
command_line="(below the workspace)"
(cd sub && GITHUB_WORKSPACE=$folder timeout 60 "$linchpin" check bug.c 2>../.err >../.out)
err_has "::error file=sub/bug.c,line=1,"
GITHUB_ACTIONS=false expect 1 run program.c; err_empty
unset GITHUB_ACTIONS

# Several objects: each one's report, a line for each, the worst as status.
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

# Each has its own time.
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

# One whose process dies is an internal error, and the others are checked.
cat >cc <<'SH'
#!/bin/sh
case "$*" in *sub/bug.c*) kill -9 $PPID; sleep 5 ;; esac
exec gcc "$@"
SH
chmod +x cc
expect 70 check counter.c sub/bug.c counter.c --ops 2 --cc "$folder/cc" --junit log.xml --sarif log.sarif
says "internal error: the process for this object ended with signal 9"
out_has "2 verified, 1 in error"; junit_is 3 0 1; sarif_is "unsuccessful 1"

# An interrupt ends them all, and none of the rest passes for verified.
command_line="(interrupted)"
for signal in INT TERM; do
	# To the first process only, as a script would do it.
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
