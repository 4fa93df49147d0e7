#!/usr/bin/env bash
# emit.sh LINCHPIN -- `check --emit-test`: the client of a violation as a program that fails with
# the broken object and not with the correct one, even if calls may wait in between.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
examples=$here/../../examples

# emits BROKEN RIGHT WHAT [OPTIONS]: `run` then finds WHAT
emits() {
	local broken=$1 right=$2 what=$3
	shift 3
	expect 1 check "$examples/$broken" --emit-test client.c "$@"
	out_has "hint: the client is in the file"
	expect 1 run client.c; out_has "violation: $what"
	grep -q "$broken\"" client.c || fail "the client does not include $broken"
	sed "s|/$broken\"|/$right\"|" client.c >right.c
	expect 0 run right.c
	# It is a program without linchpin, too.
	cc -g -pthread -Wall -Wextra -Werror -I "$here/../../include" right.c -o right 2>.err || fail "it does not compile"
	timeout 100 ./right 5 >.out 2>.err || fail "the right one goes wrong"
}
emits bug_treiber.c treiber.c assertion
emits bug_lazylist.c lazylist.c assertion
emits bug_hwqueue_once.c hwqueue.c assertion
emits bug_twolock.c twolock.c race
emits bug_hwfbqueue.c hwfbqueue.c liveness
# Calls that may wait in other executions.
emits bug_boundedqueue_if.c boundedqueue.c assertion
emits bug_boundedqueue.c boundedqueue.c deadlock
emits bug_syncqueue.c syncqueue.c deadlock --ops 4
emits bug_syncqueue_lost.c syncqueue.c deadlock
emits bug_syncqueue_early.c syncqueue.c assertion # it returns at all
emits bug_ticketlock_order.c ticketlock.c race
# The client sends a message: two calls in one thread would be ordered by the fence of the first one.
fenced=$here/../objects/fenced.c
expect 1 check "$fenced" --ops update=2,scan=1 --emit-test client.c; out_has "update(1, 1) begins after update(0, 1) has returned"
expect 1 run client.c; out_has "violation: assertion"
expect 0 check "$fenced" --client 'update(0, 1); update(1, 1) | scan()'
# A value is handed over without synchronisation.
emits bug_hwfbqueue_order.c hwfbqueue.c race --sync r
# No client can tell which of two insertions came first.
rm client.c
expect 1 check "$examples/hwfbqueue.c" --sync ri --emit-test client.c
out_has "hint: no test was written"
[ ! -e client.c ] || fail "a test was written"

# The command that the test shows has the compiler flags and the options that matter; its paths are relative.
mkdir -p src/include tests
cat >src/counter.c <<'C'
#include <linchpin.h>
#include <step.h>
#include "counter.h"
#ifndef BY
#error BY is missing
#endif
LP_SPEC("counter")
LP_METHOD(increment) { counter_add(BY); return LP_VOID; }
LP_METHOD(read) { return counter_value(); }
C
echo 'void counter_add(int); int counter_value(void);' >src/counter.h
echo '#define STEP 1' >src/include/step.h
cat >other.c <<'C'
#include <stdatomic.h>
#include "src/counter.h"
static atomic_int n;
void counter_add(int by) { int v = n; n = v + by; }
int counter_value(void) { return n; }
C
expect 1 check src/counter.c --model sc --emit-test tests/client.c --time 50 -- -DBY=STEP -Isrc/include '-DTEXT="*/ $x"' other.c
command=$(sed -n 's/^ \*     linchpin //p' tests/client.c)
[ "$command" = "run tests/client.c --model sc -- -DBY=STEP -Isrc/include '-DTEXT=\"*''/ \$x\"' other.c" ] || fail "the command is $command"
out_has "hint: the client is in the file given with --emit-test: linchpin run tests/client.c --model sc -- "
grep -q '^#include "../src/counter.c"$' tests/client.c || fail "the path is not relative"
eval "expect 1 $command"; out_has "violation: assertion"
build=$(sed -n 's/^ \*     \(cc .*\)  *&& .*/\1/p' tests/client.c)
eval "$build -Wall -Wextra -Werror" 2>.err || fail "$build: it does not compile"
timeout 100 ./client 5 >.out 2>.err; [ $? -lt 2 ] || fail "it does not run"

# C++, and cases that are refused.
expect 2 check "$examples/bug_spsc_order.cpp" --emit-test client.c; says "the object is C++, and so is its test"; alone
expect 2 check "$examples/bug_treiber.c" --emit-test client.txt; says "the name of a C or C++ file is expected"; alone
expect 1 check "$examples/bug_spsc_order.cpp" --ops 5 --emit-test client.cc; expect 1 run client.cc; out_has "violation: "
c++ -g -pthread -Wall -Wextra -Werror -I "$here/../../include" client.cc -o client 2>.err || fail "it does not compile"
timeout 100 ./client 5 >.out 2>.err || fail "it goes wrong, on a processor that does not"
# A harness in C also compiles as C++, and so does its test.
sed 's/atomic_int/std::atomic<int>/; s/stdatomic.h/atomic/' other.c >other.cc
cp src/counter.c src/counter.cc
sed -i '1i #define register_ 1' other.cc
expect 1 check src/counter.cc --emit-test client.cc -- -DBY=1 -Isrc/include other.cc
expect 1 run client.cc -- -DBY=1 -Isrc/include other.cc; out_has "violation: assertion"

# The test keeps the way in which the violation was found: few preemptions, or samples.  Client orders need more preemptions, and
# schedules with fewer preemptions are explored first.
zoo=$here/../../zoo
expect 1 check "$zoo/kfifo_list.c" --model sc --ops enqueue=2,dequeue=2 --preemptions 2 --emit-test client.c -- -DK=1 -DNO_MARK
grep -q '^ \*     linchpin run client.c --model sc --preemptions [0-9]* -- -DK=1 -DNO_MARK$' client.c || fail "no bound in the command"
expect 1 run client.c --model sc --preemptions 9 -- -DK=1 -DNO_MARK; out_has "violation: assertion"
expect 1 check "$zoo/b7_poolqueue.c" --model sc --ak 1 --preemptions 0 --ops 4 --emit-test client.c -- -DB7 -DCAPACITY=2
expect 1 run $(sed -n 's/^ \*     linchpin run //p' client.c); out_has "violation: assertion"
expect 1 check src/counter.c --random 1000 --seed 7 --emit-test client.c -- -DBY=1 -Isrc/include other.c
grep -q '^ \*     linchpin run client.c --random 100000 --seed 7 -- ' client.c || fail "no samples in the command"

# If the specification lets no call wait, main() does not ask which calls have returned.
grep -q '	LP_RETURNED(' client.c && fail "a counter waits"
expect 1 check "$here/../../examples/bug_boundedqueue_if.c" --emit-test client.c
grep -q '	LP_RETURNED(' client.c || fail "a bounded queue does not wait"

# ThreadSanitizer finds the race in the native program.  No two calls are ever ordered here, so this does not depend on luck.
cat >plain.c <<'EOF'
#include <linchpin.h>
static long count;
LP_SPEC("counter")
LP_METHOD(fetch_increment) { return count++; }
EOF
echo 'int main(void) { return 0; }' >tsan.c
if cc -fsanitize=thread tsan.c -o tsan 2>/dev/null && ./tsan 2>/dev/null; then
	expect 1 check plain.c --emit-test client.c; out_has "violation: race"
	cc -g -pthread -fsanitize=thread -I "$here/../../include" client.c -o client 2>.err || fail "it does not compile"
	timeout 200 ./client 2000 >.out 2>.err && fail "no race is seen"
	grep -q "data race" .err || fail "it is not for a race"
else
	echo "skipped: there is no ThreadSanitizer"
fi
finish
