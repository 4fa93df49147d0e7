#!/usr/bin/env bash
# undone.sh LINCHPIN -- iterations that take back what they have written are left out if no thread can tell.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
examples=$here/../../examples

# MODEL CALLS COUNT [OPTIONS]: the elimination stack is correct, and has COUNT complete executions.
counts() {
	local model=$1 calls=$2 count=$3
	shift 3
	expect 0 check "$examples/elimination.c" --model "$model" --ops "$calls" "$@"
	out_has "$count complete, which is all of them"
}

for model in sc tso ra rc11; do
	counts $model push=2,pop=2 27
done
for model in sc tso ra; do
	counts $model push=3,pop=2 227
done
counts rc11 push=3,pop=2 233 # the second of two reads is weaker than the first one (redundant_rereads.h, 3)
counts sc push=2,pop=2 64 --no-undone
counts rc11 push=2,pop=2 105 --no-undone
counts rc11 push=3,pop=3 3,787
counts rc11 push=3,pop=3 3,787 --jobs 2

# An offer that is withdrawn by a store can be lost.
for option in "" --no-undone; do
	expect 1 check "$examples/elimination.c" --ops push=2,pop=2 $option -- -DWITHDRAW_BY_STORE
	out_has "not linearizable"
	expect 1 check "$examples/bug_elimination.c" $option
done

# A pop that relies on an offer that it has only read: the offer may be withdrawn, and another pop may take it as well.
sed 's/return node && swing(&s->offer, node, NULL, TAKEN) ? node : NULL;/swing(\&s->offer, node, NULL, TAKEN); return node;/' \
	"$examples/elimination.c" >believes.c
! cmp -s "$examples/elimination.c" believes.c || fail "the text of elimination.c has changed"
for option in "" --no-undone; do
	expect 1 check believes.c --ops push=2,pop=2 $option
done

# A thread that reads one half of an offer, after the loop of the thread that made it, sees the offer.
cat >half.c <<'END'
#include <assert.h>
#include <linchpin.h>
#include <stdatomic.h>
static _Alignas(8) atomic_ulong offered;
static atomic_int turn, done;
static int swing(atomic_ulong *place, unsigned long from, unsigned long to)
{
	return atomic_compare_exchange_strong_explicit(place, &from, to, memory_order_acq_rel, memory_order_relaxed);
}
static int step(int seen)
{
	return atomic_compare_exchange_strong_explicit(&turn, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed);
}
static void offer(void)
{
	while (!step(atomic_load_explicit(&turn, memory_order_relaxed)) && swing(&offered, 0, 3UL << 32) && swing(&offered, 3UL << 32, 0)) {
	}
	atomic_store_explicit(&done, 1, memory_order_relaxed);
}
LP_SPEC("counter")
LP_METHOD(inc)
{
	if (lp_thread() == 1)
		offer();
	else if (lp_thread() == 2)
		step(0);
	else if (atomic_load_explicit(&done, memory_order_relaxed))
		assert(!atomic_load_explicit((atomic_uint *)&offered + HALF, memory_order_relaxed));
	return LP_VOID;
}
END
for option in "" --no-undone; do
	expect 1 check half.c --ops inc=3 $option -- -DHALF=1
	out_has "violation: assertion"
	expect 0 check half.c --ops inc=3 $option -- -DHALF=0
done
finish
