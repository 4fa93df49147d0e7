#!/usr/bin/env bash
# ignored.sh LINCHPIN -- --only and --ignore: findings that the user ignores, and those that come after them.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
examples=$here/../../examples

cat >ring.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x;
static void *first(void *p)
{
	int *q = malloc(sizeof *q);
	int v = *q;
	free(q);
	if (v == 12345)
		atomic_store(&x, 7);
	assert(!"first");
	return p;
}
static void *second(void *p)
{
	atomic_store(&x, 1);
	assert(atomic_load(&x) == 1);
	assert(!"second");
	return p;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], 0, first, 0);
	pthread_create(&t[1], 0, second, 0);
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
	return 0;
}
C
# Findings are ignored one after the other: an error of the first thread does not hide those of other threads.
expect 1 run ring.c; out_has "violation: uninitialised at ring.c:9"
expect 1 run ring.c --ignore uninitialised@ring.c:9; out_has "violation: assertion at ring.c:13"
out_has "  ignored      uninitialised@ring.c:9"
out_has "  passed over  1 finding: uninitialised at ring.c:9; the program continues"
for rules in "uninitialised,assertion@ring.c:13" "*@first" "uninitialised@first, assertion@first" "*@ring.c:9,*@ring.c:13"; do
	expect 1 run ring.c --ignore "$rules"; out_has "violation: assertion at ring.c:20"
	out_has "  cut off      1 finding: assertion at ring.c:13; what would follow was not explored"
done
for how in "" -j2 "--model sc" "--model sc --preemptions 1" --no-spin "--no-symmetry --no-helping --no-final-joins"; do
	expect 0 run ring.c --ignore uninitialised,assertion $how
	out_has "but for 3 findings that are ignored"
	out_has "  passed over  1 finding: uninitialised at ring.c:9"
	out_has "  cut off      2 findings: assertion at ring.c:13, assertion at ring.c:20"
	out_has "each one is cut off"
done
expect 0 run ring.c --only leak -q; out_has "but for 3 findings that are ignored"
expect 0 run ring.c --only deadlock,leak@nowhere.c; out_has "  only         deadlock,leak@nowhere.c; races and endless loops"
expect 1 run ring.c --only assertion; out_has "violation: assertion at ring.c:13"
expect 1 run ring.c --only '*@second'; out_has "violation: assertion at ring.c:20"
expect 1 run ring.c --only assertion --ignore assertion@first; out_has "violation: assertion at ring.c:20"
expect 1 run ring.c --ignore leak; out_has "  findings     none was met that is ignored"

# Rules from a file.
cat >judged.txt <<'T'
# looked at
uninitialised@ring.c:9   # discarded

assertion@first, assertion@second
T
expect 0 run ring.c --ignore @judged.txt; out_has "  ignored      @judged.txt"; out_has "but for 3 findings"
expect 1 run ring.c --ignore @judged.txt --only '*@ring.c:20' --ignore uninitialised; out_has "assertion at ring.c:20"

# In JSON, and on HTML pages.
expect 0 run ring.c --ignore @judged.txt --json --sarif log --html page
json_has '"cut off":"2 findings: assertion at ring.c:13, assertion at ring.c:20; what would follow was not explored"'
json_has '"ignored":[{"kind":"uninitialised","where":"ring.c:9","then":"passed over"},{"kind":"assertion","where":"ring.c:13","then":"cut off"}'
python3 - log page <<'P' || fail "SARIF or the page lack what was ignored"
import json, sys
results = json.load(open(sys.argv[1]))["runs"][0]["results"]
assert [r["locations"][0]["physicalLocation"]["region"]["startLine"] for r in results] == [9, 13, 20], results
assert all(r["suppressions"] == [{"kind": "external"}] and r["properties"]["scope"]["ignored"] == "@judged.txt" for r in results)
assert "but for" in open(sys.argv[2]).read() or "cut off" in open(sys.argv[2]).read()
P
expect 1 run ring.c --ignore uninitialised --sarif log
python3 - log <<'P' || fail "SARIF lacks the scope"
import json, sys
first, second = json.load(open(sys.argv[1]))["runs"][0]["results"]
assert first["properties"]["scope"]["ignored"] == "uninitialised" and "suppressions" not in first
assert second["ruleId"] == "uninitialised" and second["suppressions"]
P
expect 1 run ring.c --ignore uninitialised --trace trace
expect 1 replay trace; out_has "violation: assertion at ring.c:13"; out_has "  ignored      uninitialised"

# Kinds that cannot be ignored, and rules that make no sense: a message of one line.
refused() { expect 2 run ring.c --ignore "$1"; says "--ignore: $2"; alone; }
refused race "a 'race' cannot be ignored"; err_has "--races ignore"
refused endless-loop "'endless-loop' cannot be ignored"
refused 'use after fre' "there is no kind 'use after fre'"; err_has "did you mean 'use after free'?"
refused '*' "'*' would ignore everything"
refused leak, "a kind is expected"
refused leak@ "a place is expected"
refused leak@ring.c:99999999999 "'ring.c:99999999999' is not FILE:LINE"
refused leak@:3 "':3' is not FILE:LINE"
refused leak@ns::push "'ns::push': functions are named without their classes and namespaces"
refused @missing "cannot read 'missing'"
echo '@judged.txt' >nested
expect 2 run ring.c --ignore @nested; says "nested:1: '@judged.txt': a file in a file"; alone
printf '\nleek\n' >wrong; expect 2 run ring.c --ignore @wrong; says "wrong:2: there is no kind 'leek'"; err_has "did you mean 'leak'?"
expect 2 check "$examples/treiber.c" --fit --ignore leak; says "--fit cannot be combined with --ignore"; alone
for command in states orders mutants; do
	expect 2 $command "$examples/treiber.c" --ignore leak; says "'--ignore' is not supported by 'linchpin $command'"; alone
done

# A race is always reported.
sed 's/atomic_store(&x, 1)/y++/; s/int v = \*q;/int v = y;/; s/static atomic_int x;/static atomic_int x; static int y;/' ring.c >racy.c
expect 1 run racy.c --only leak; out_has "violation: race at racy.c:"

# An object: wrong results are a finding, too, and an ignored invariant does not hide them.
cat >counter.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int n;
LP_SPEC("counter")
LP_METHOD(increment) { int v = n; n = v + 1; return LP_VOID; }
LP_METHOD(get) { return n; }
LP_INVARIANT { return 0; }
C
expect 1 check counter.c; out_has "violation: invariant"
expect 1 check counter.c --ignore invariant; out_has "violation: not linearizable"; out_has "passed over  1 finding: invariant at counter.c:7"
expect 1 check counter.c --ignore invariant -j2; out_has "violation: not linearizable"
expect 0 check counter.c --ignore invariant,not-linearizable --ops 3; out_has "passed over  2 findings"
expect 1 check "$examples/bug_treiber.c" --only assertion,not-linearizable; out_has "violation: not linearizable"
expect 0 check "$examples/bug_treiber.c" --only assertion --ops 3; out_has "1 finding: not linearizable; the program continues"

# C++: functions with their unmangled names, templates with and without arguments.
cat >cpp.cc <<'C'
#include <cassert>
#include <thread>
namespace ns {
struct q {
	void push(int v) { assert(v != 1); }
};
template <class T> T id(T v)
{
	assert(v != 2);
	return v;
}
}
int main()
{
	std::thread t([] { ns::q().push(1); }), u([] { ns::id(2); });
	t.join();
	u.join();
}
C
expect 1 run cpp.cc --ignore assertion@push; out_has "violation: assertion at cpp.cc:9"
expect 1 run cpp.cc --ignore assertion@id; out_has "violation: assertion at cpp.cc:5"
expect 0 run cpp.cc --ignore 'assertion@push,assertion@id<int>'; out_has "2 findings"

# Other kinds.
cat >kinds.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;
static int *volatile lost;
static void *other(void *p)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return p;
}
static int deep(int n) { volatile char c[4096]; c[0] = (char)n; return n < 0 ? 0 : deep(n + 1) + c[0]; }
static void leak_here(void) { lost = malloc(4); lost = NULL; }
static void leak_there(void) { lost = malloc(8); lost = NULL; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, other, 0);
	if (HOW == 1) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); }
	if (HOW == 2) { leak_here(); leak_there(); }
	if (HOW == 3) *(volatile int *)0 = 1;
	if (HOW == 4) deep(0);
	if (HOW == 5) atomic_load_explicit(&x, memory_order_release);
	if (HOW == 6) { _Atomic int *q = malloc(sizeof *q); x = *q; free(q); }
	pthread_join(t, 0);
	return HOW == 7 ? *(int *)(free(lost = malloc(4)), lost) : 0;
}
C
# kind HOW KIND PLACE THEN
kind() {
	expect 1 run kinds.c --leaks -- -DHOW=$1; out_has "violation: $2"
	expect 0 run kinds.c --leaks --ignore "$2@$3" -- -DHOW=$1; out_has "$4"
	expect 1 run kinds.c --leaks --ignore "$2@nowhere" -- -DHOW=$1; out_has "violation: $2"
}
kind 1 deadlock kinds.c "cut off      1 finding: deadlock at kinds.c"
kind 3 "out of bounds" main "cut off      1 finding: out of bounds at kinds.c:24"
kind 5 "invalid order" kinds.c "passed over  1 finding: invalid order at kinds.c:26"
kind 6 uninitialised main "passed over  1 finding: uninitialised at kinds.c:27"
kind 7 "use after free" kinds.c:29 "cut off      1 finding: use after free at kinds.c:29"
expect 0 run kinds.c --ignore stack-overflow -- -DHOW=4; out_has "cut off      1 finding: stack overflow"
expect 1 run kinds.c --leaks --ignore leak@leak_here -- -DHOW=2; out_has "violation: leak at kinds.c:17"
expect 1 run kinds.c --leaks --ignore leak@leak_there -- -DHOW=2; out_has "violation: leak at kinds.c:16"
expect 0 run kinds.c --leaks --ignore leak -- -DHOW=2; out_has "passed over  2 findings: leak at kinds.c:16, leak at kinds.c:17"
finish
