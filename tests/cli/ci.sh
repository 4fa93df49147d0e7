#!/usr/bin/env bash
# ci.sh LINCHPIN -- output for CI servers: --junit, --sarif, annotations.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/ci_lib.sh"

# One object, one program.
expect 0 check counter.c --ops 2 --sarif log.sarif --junit log.xml; err_empty
out_has "verified: 'counter.c'"; sarif_is "successful 0"; junit_is 1 0 0
expect 1 check sub/bug.c --sarif log.sarif --junit=log.xml
# Two increments, each made of a load and a store, and a read.
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
expect 2 states broken.c --sarif log.sarif --junit log.xml; sarif_is "unsuccessful 1"; junit_is 1 0 1
cat >register.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int n;
LP_SPEC("register")
LP_ARGS("1")
LP_METHOD(write, v) { atomic_store(&n, (int)v + WRONG); return LP_VOID; }
LP_METHOD(read) { return atomic_load(&n); }
C
expect 0 states register.c --sarif log.sarif --junit log.xml -- -DWRONG=0; sarif_is "successful 0"; junit_is 1 0 0
expect 1 states register.c --sarif log.sarif --junit log.xml -- -DWRONG=1; junit_is 1 1 0
python3 "$here/sarif.py" log.sarif | grep -q "^not-linearizable error register.c:1 " || fail "the log of states"
(cd sub && timeout 60 "$linchpin" check race.c --sarif ../log.sarif >/dev/null)
command_line="(in another folder)"
grep -q "\"uri\":\"file://$folder/a%20b/lib" log.sarif || fail "a file outside the folder"

# A report that cannot be written leads to an error at once, and the exit status is not that of a verdict.
expect 2 check counter.c --junit no/such/folder.xml; says "cannot write 'no/such/folder.xml'"; alone
expect 2 check counter.c counter.c --sarif sub; says "cannot write 'sub'"; alone
expect 2 check counter.c --json --sarif sub; json_has '"verdict":"error"'
if [ -w /dev/full ]; then
	expect 2 check counter.c --ops 1 --junit /dev/full; says "cannot write '/dev/full'"
fi
expect 2 replay x --junit log.xml; says "'--junit' is not supported"

# Histories: the steps are calls, and the places are lines of the history.
cat >'bad h.tab' <<'H'
0 1 5   enqueue 1 -
1 6 9   enqueue 2 -
2 10 14 dequeue - 2
3 15 18 dequeue - 1
3 20 30 enqueue 3 true
H
head -n 3 'bad h.tab' | sed 's/- 2/- 1/' >good.tab
expect 0 history good.tab --spec queue --sarif log.sarif --junit log.xml; err_empty
sarif_is "successful 0"; junit_is 1 0 0
expect 1 history 'bad h.tab' good.tab --spec queue --sarif log.sarif --junit log.xml
sarif_is "not-linearizable error bad%20h.tab:4 T0,T1,T2,T3 5" "successful 0"; junit_is 2 1 0
grep -q "4 of its 5 calls are enough for the violation" log.xml || fail "the report"
echo "0 1 2 dequeue - 1" >one.tab
expect 1 history one.tab --spec queue --prop sequential --sarif log.sarif -q
sarif_is "not-sequentially-consistent error one.tab:1 T0 2" "successful 0"
input=one.tab expect 1 history --spec queue --sarif log.sarif --junit log.xml; junit_is 1 1 0
grep -q '"locations":\[{"physicalLocation"' log.sarif && fail "standard input has no place"
expect 2 history good.tab missing.tab --spec queue --sarif log.sarif --junit log.xml
sarif_is "unsuccessful 1"; junit_is 2 0 1

# Annotations for GitHub, and the stream on which they are printed.
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
# A study: a row that does not match is a failure, whatever the verdict; its place is its line in the table.
mkdir zoo
cp counter.c 'zoo/counter.c'; cp -r 'a b' zoo
title="file	flags	spec	property	sync	model	options	verdict	kind	calls	seconds	source	note"
cat >zoo/expected.tsv <<T
$title
counter.c	-	-	-	-	-	--ops 2	verified	-	-	fast	-	-
counter.c	-DBUG	-	-	-	-	--ops 3	violation	not linearizable	3	fast	-	-
T
expect 0 study --zoo zoo --sarif log.sarif --junit log.xml; err_empty
sarif_is "successful 0"; junit_is 2 0 0
grep -q 'name="counter.c --ops 2"' log.xml || fail "the name of a row"
cat >>zoo/expected.tsv <<T
counter.c	-DBUG	-	-	-	-	--ops 3	verified	-	-	fast	-	says <who>
counter.c	-	-	-	-	-	--executions 1	verified	-	-	fast	-	-
T
GITHUB_ACTIONS=true expect 1 study --zoo zoo --sarif log.sarif --junit log.xml
sarif_is "not-as-expected error zoo/expected.tsv:4 T0 1" "not-as-expected error zoo/expected.tsv:5 T0 1" "successful 0"
junit_is 4 2 0
grep -q 'message="not as expected.*: expected verified, found not linearizable, 3 calls"' log.xml || fail "the message of a row"
err_has "::error file=zoo/expected.tsv,line=4,"
expect 2 study --zoo nowhere --sarif log.sarif --junit log.xml; says "no tables"
sarif_is "unsuccessful 1"; junit_is 1 0 1
expect 2 study --zoo zoo --junit no/such/folder.xml; says "cannot write"; alone
finish
