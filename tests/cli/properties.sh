#!/usr/bin/env bash
# properties.sh LINCHPIN -- `linchpin check` with other properties than linearizability: what each
# of them allows and what it does not.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
zoo=$here/../../zoo

# ---- the words that --help offers are accepted, and no others are ----

cat >one.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int n;
LP_SPEC("counter:k=2")
LP_METHOD(fetch_increment) { return atomic_fetch_xor(&n, 1); }
C
printf '0 0 1 fetch_increment - 0\n' >one.tab
all="linearizable sequential quiescent serializable quasi:METHOD=Q[,..] obstruction-free lock-free wait-free \
deadlock-free starvation-free"
# offers COMMAND: prints its properties, as its help lists them
offers() {
	"$linchpin" "$1" --help | sed -n '/^  --prop /,/^     *the property/p' | sed '$d' | tr '|' ' ' |
		grep -o '[^ ]*' | grep -vx -e --prop
}
# asks WORD COMMAND ARGUMENT...: runs the command with that property
asks() {
	local word=${1/METHOD=*/fetch_increment=1} command=$2
	shift 2
	if offers "$command" | grep -qxF "$word" || [ "$word" != "${word#quasi:}" ]; then
		expect 0 "$command" "$@" --prop "$word"
	else
		expect 2 "$command" "$@" --prop "$word"
		says "--prop takes one of $(offers "$command" | paste -sd '|'), not '$word'"; alone
	fi
}
expect 0 check --help
[ "$(offers check | wc -l)" = 5 ] || fail "check offers $(offers check)"
[ "$(offers states | wc -l)" = 9 ] || fail "states offers $(offers states)"
for word in $all; do
	asks "$word" check one.c --ops 1
	asks "$word" states one.c
	asks "$word" history one.tab --spec counter:k=2
done
expect 0 states one.c --prop lockfree; out_has "is lock-free"
expect 2 states one.c --prop lock--free; says "--prop takes one of"
expect 2 check one.c --model rc-11; says "--model takes one of"

# ---- quasi ----

# A counter whose numbers come in pairs in the wrong order: 1, 0, 3, 2, ...
cat >tickets.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int n;
LP_SPEC("counter")
LP_METHOD(fetch_increment)
{
	return atomic_fetch_add(&n, 1) ^ 1;
}
C
for model in sc tso ra rc11; do
	expect 1 check tickets.c --model $model --ops fetch_increment=2
	expect 0 check tickets.c --model $model --ops fetch_increment=2 --prop quasi:fetch_increment=1
	expect 0 check tickets.c --model $model --ops fetch_increment=4 --prop quasi:fetch_increment=1
	expect 1 check tickets.c --model $model --ops fetch_increment=4 --prop quasi:fetch_increment=0
done
expect 0 check tickets.c --ops fetch_increment=2 --prop 'quasi:*=1'
expect 0 check tickets.c --ops fetch_increment=2 --prop quasi:fetch_increment=any
head -n 1 .out | grep -qF "a quasi:fetch_increment=any counter" || fail "the first line"
# A number that was not returned may still be returned later.
expect 0 check tickets.c --ops fetch_increment=1 --prop quasi:fetch_increment=1
expect 1 check tickets.c --ops fetch_increment=1 --prop quasi:fetch_increment=0
out_has "no order of the calls is close enough to one that explains their results"
# One client with its order.
expect 1 check tickets.c --prop quasi:fetch_increment=0 --client 'fetch_increment(); fetch_increment()'
expect 0 check tickets.c --prop quasi:fetch_increment=1 --client 'fetch_increment(); fetch_increment()'

# The quasi queue: its own factor is enough, and a smaller one is not; if it has a bug, no factor is enough.
for model in sc rc11; do
	expect 0 check "$zoo/quasiqueue.c" --model $model --prop quasi:dequeue=2 -- -DSEGMENTS=2
	expect 1 check "$zoo/quasiqueue.c" --model $model --prop quasi:dequeue=1 -- -DSEGMENTS=2
done
expect 0 check "$zoo/quasiqueue.c" --ops enqueue=3,dequeue=3 --prop quasi:dequeue=1 -- -DFACTOR=1 -DSEGMENTS=3
expect 1 check "$zoo/quasiqueue.c" --ops enqueue=3,dequeue=3 --prop quasi:dequeue=1 -- -DFACTOR=2 -DSEGMENTS=3
out_has "is as close as that to one that gives these results"

# All commands interpret the definition alike (docs/quasi.md): 2 leaves before 1, which may still be removed.
owes='enqueue(1); enqueue(2); dequeue()'
expect 0 check "$zoo/quasiqueue.c" --model sc --client "$owes" --prop quasi:dequeue=1 -- -DFACTOR=1
out_has "calls that are yet to come"
expect 0 check "$zoo/quasiqueue.c" --model sc --client "$owes; dequeue()" --prop quasi:dequeue=1 -- -DFACTOR=1
expect 0 states "$zoo/quasiqueue.c" --prop quasi:dequeue=1 -- -DFACTOR=1
out_has "calls that are yet to come"
printf '0 1 2 enqueue 1 -\n0 3 4 enqueue 2 -\n0 5 6 dequeue - 2\n' >owes.tab
expect 0 history owes.tab --spec queue --prop quasi:dequeue=1
expect 1 history owes.tab --spec queue --prop quasi:dequeue=0
# The last of three values leaves first: neither of the others can leave next and stay within the factor.
printf '0 1 2 enqueue 1 -\n0 3 4 enqueue 2 -\n0 5 6 enqueue 3 -\n0 7 8 dequeue - 3\n' >owes.tab
expect 1 history owes.tab --spec queue --prop quasi:dequeue=1
expect 0 history owes.tab --spec queue --prop quasi:dequeue=2
expect 1 check "$zoo/quasiqueue.c" --model sc --client 'enqueue(1); enqueue(2); enqueue(3); dequeue()' --prop quasi:dequeue=1
expect 1 states "$zoo/quasiqueue.c" --prop quasi:dequeue=1
# A class of several methods, and an infinite factor, apply to all methods of the class.
expect 0 states "$zoo/quasiqueue.c" --prop quasi:dequeue=any
expect 0 states "$zoo/quasiqueue.c" --values 1 --prop quasi:enqueue+dequeue=2 -- -DFACTOR=1
expect 2 states "$zoo/quasiqueue.c" --prop quasi:frob=1; says "no method 'frob'"

expect 2 check tickets.c --prop quasi; says "quasi:METHOD=Q[,..], not 'quasi'"
expect 2 check tickets.c --prop quasi:frob=1; says "no method 'frob'"
expect 2 check tickets.c --prop quasi:fetch_increment=x; says "a whole number or 'any'"
expect 2 check "$zoo/quasiqueue.c" --prop quasi:dequeue=2 --sync r; says "not together with --sync"
expect 2 check "$here/../../examples/syncqueue.c" --prop quasi:dequeue=1; says "take effect together"

# ---- synchronisation ----

# Missing synchronisation, with the lines of both sides; fences count as orders do.
cat >box.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
#ifndef PUT
#define PUT release
#endif
#ifndef GET
#define GET acquire
#endif
#define ORDER__(x) memory_order_##x
#define ORDER_(x) ORDER__(x)
static atomic_int box;
LP_SPEC("register")
LP_ARGS("1")
LP_METHOD(write, v)
{
#ifdef FENCE
	atomic_thread_fence(memory_order_release);
#endif
	atomic_store_explicit(&box, (int)v, ORDER_(PUT)); /* line 19 */
	return LP_VOID;
}
LP_METHOD(read)
{
	int v = atomic_load_explicit(&box, ORDER_(GET)); /* line 24 */
#ifdef FENCE
	atomic_thread_fence(memory_order_acquire);
#endif
	return v;
}
C
expect 0 check box.c --sync r
expect 0 check box.c --sync r -- -DPUT=relaxed -DGET=relaxed -DFENCE
expect 0 check box.c --sync r --model sc -- -DPUT=relaxed -DGET=relaxed
expect 0 check box.c -- -DPUT=relaxed -DGET=relaxed
expect 1 check box.c --sync r -- -DPUT=relaxed
head -n 1 .out | grep -qx "violation: not synchronised" || fail "the first line"
sed -n 2p .out | grep -qx "  write(1) does not happen before what follows read() -> 1" || fail "the second line"
out_has "why: write(1) must happen before what follows read() -> 1, but T2 reads at box.c:24 (acquire) what T1 wrote at box.c:19 (relaxed: release is needed)"
expect 1 check box.c --sync r -- -DGET=relaxed
out_has "T2 reads at box.c:24 (relaxed: acquire is needed) what T1 wrote at box.c:19 (release)"
expect 1 check box.c --sync r --json -- -DGET=relaxed; json_has '"kind":"not synchronised"'
expect 1 check box.c --sync r -j 2 --trace sync.trace -- -DGET=relaxed; out_has "violation: not synchronised"
expect 1 replay sync.trace; out_has "violation: not synchronised"
# Two insertions without synchronisation between them.
expect 1 check box.c --sync ri; out_has "reads nothing that T1, or a thread after it, wrote"

# ---- does the specification fit? ----

expect 0 check box.c --fit; out_has "more could be asked: --sync r"; out_lacks "--sync ri"
expect 0 check box.c --fit --sync r; out_has "no stronger property and no more synchronisation holds"
expect 0 check box.c --fit --prop serializable
out_has "more could be asked: --prop sequential, --prop quiescent, --prop linearizable, --sync r"
expect 0 check box.c --fit -- -DPUT=relaxed; out_has "no stronger property"
# The same results, with synchronisation and without it.
sed 's/int v = .*/int v = lp_choose(2) ? atomic_load_explicit(\&box, memory_order_acquire) : atomic_load_explicit(\&box, memory_order_relaxed);/' box.c >either.c
expect 1 check either.c --sync r --fit; out_has "perhaps too much is asked: 1 of the 2 executions with these results order the calls"
expect 1 check box.c --sync r --fit -- -DPUT=relaxed; out_lacks "perhaps too much"
# Only operations that write what they read synchronise these calls: a thread that reads the value performs such an
# operation after the writer's.  If a reduction left it out, the call would be in error and return something else.
cat >nods.c <<'C'
#include <stdatomic.h>
#include <linchpin.h>
static atomic_int nods, box;
static void nod(void) { atomic_fetch_or_explicit(&nods, 0, memory_order_acq_rel); }
LP_SPEC("register:init=0")
LP_METHOD(write, v)
{
	nod();
	atomic_store_explicit(&box, (int)v, memory_order_relaxed);
	return LP_VOID;
}
LP_METHOD(read)
{
	int v = atomic_load_explicit(&box, memory_order_relaxed);
	nod();
	return v;
}
C
expect 0 check nods.c --ops 3 --sync r
expect 0 check nods.c --ops 3 --sync r -j 2
expect 1 check nods.c --ops 3 --sync ri; out_has "violation: not synchronised"
expect 1 check nods.c --ops 3 --sync ri -j 2; out_has "violation: not synchronised"
# The smallest of the wrong executions is shown, and all of them have the property.
sed -e 's/nods, box;/nods, box, detour;/' \
    -e 's/int v = /if (!lp_choose(2)) { atomic_store(\&detour, 1); atomic_load(\&detour); } &/' \
    -e '/^LP_METHOD(read)/,$s/nod();//' nods.c >detour.c
expect 1 check detour.c --ops 2 --sync r; out_has "violation: not synchronised"; out_has "choice 1 of"
expect 0 check nods.c --ops 3 --fit; out_has "more could be asked: --sync r"; out_lacks "--sync ri"
expect 2 check box.c --fit -j 2; says "--fit"
expect 2 check box.c --fit --client 'read()'; says "--fit"
# Judging one execution can take very long, but never longer than the time limit.
cat >odd.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_long item[16];
static atomic_int pushed, popped;
LP_SPEC("stack")
LP_METHOD(push, v) { item[atomic_fetch_add(&pushed, 1)] = v; return LP_VOID; }
LP_METHOD(pop)
{
	long v;
	if (atomic_load(&popped) >= atomic_load(&pushed))
		return LP_EMPTY;
	const int i = atomic_fetch_add(&popped, 1);
	while (!(v = item[i]))
		;
	return v;
}
C
for jobs in 1 2; do
	expect 3 check odd.c --prop quasi:push=9,pop=9 --ops push=6,pop=6 --time 2 -j $jobs
	out_has "inconclusive: time limit reached"
	out_lacks "0x0"
done
finish
