#!/usr/bin/env bash
# arguments.sh LINCHPIN -- `linchpin check`: every argument that can matter is tried, and a check
# without any client is not reported as verified.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

# A compare-and-swap that succeeds without writing: the error shows only if its argument equals the
# current value: the initial one, one that was written, or one that was written before the threads started.
cat >cas.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static _Atomic int64_t r = FIRST;
LP_SPEC(SPEC)
#ifdef WRITES
LP_METHOD(write, v) { atomic_store(&r, v); return LP_VOID; }
LP_PRE("write(7)")
#endif
LP_METHOD(read) { return atomic_load(&r); }
LP_METHOD(cas, old, new)
{
#ifdef BUG
	(void)new;
	return atomic_load(&r) == old;
#else
	return atomic_compare_exchange_strong(&r, &old, new);
#endif
}
C
for first in 0 5 LP_NIL; do
	init=$first
	[ $first = LP_NIL ] && init=nil
	expect 0 check cas.c --ops 2 -- -DFIRST=$first "-DSPEC=\"register:init=$init\""
	expect 1 check cas.c --ops 2 -- -DFIRST=$first "-DSPEC=\"register:init=$init\"" -DBUG
	out_has "cas($init, "
done
expect 0 check cas.c --ops 2 -- -DFIRST=0 '-DSPEC="register"' -DWRITES
expect 1 check cas.c --ops 2 -- -DFIRST=0 '-DSPEC="register"' -DWRITES -DBUG; out_has "cas(7, "
# If there are k values, no other values are used.
expect 0 check cas.c --ops 3 -- -DFIRST=0 '-DSPEC="register:k=2"'

# The same in a map, where values are compared as well as keys.
cat >map.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static _Atomic int64_t at[8];
LP_SPEC("map")
LP_SETUP { for (int i = 0; i < 8; i++) atomic_init(&at[i], LP_NIL); }
LP_METHOD(get, k) { return atomic_load(&at[k]); }
LP_METHOD(put, k, v) { atomic_store(&at[k], v); return LP_VOID; }
LP_METHOD(cas, k, old, new)
{
#ifdef BUG
	if (old != LP_NIL)
		return atomic_load(&at[k]) == old;
#endif
	return atomic_compare_exchange_strong(&at[k], &old, new);
}
C
expect 0 check map.c --ops 2
expect 1 check map.c --ops 3 -- -DBUG; out_has "get(1) -> 0"

# Values that are only passed on differ from those that were inserted before the threads started; keys are
# equal to those, smaller and greater.
cat >queue.c <<'C'
#include <linchpin.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int64_t at[8];
static int count;
LP_SPEC("queue")
LP_PRE("enqueue(1)")
LP_METHOD(enqueue, v)
{
	pthread_mutex_lock(&mutex);
	at[count++] = v;
	pthread_mutex_unlock(&mutex);
	return LP_VOID;
}
LP_METHOD(dequeue) /* a stack, where there are two */
{
	pthread_mutex_lock(&mutex);
	int64_t v = count ? at[count == 2] : LP_EMPTY;
	count -= count > 0;
	for (int i = 0; i < count && count != 1; i++)
		at[i] = at[i + 1];
	pthread_mutex_unlock(&mutex);
	return v;
}
C
expect 1 check queue.c --ops 2; out_has "before them: enqueue(1)"; out_has "dequeue() -> 2"
expect 1 check queue.c --client 'enqueue(2) | dequeue()'
expect 0 check queue.c --client 'enqueue(1) | dequeue()'
cat >set.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int is_in[64];
LP_SPEC("set")
LP_PRE("insert(50); insert(9)")
LP_METHOD(insert, k) { return !atomic_exchange(&is_in[k], 1); }
LP_METHOD(contains, k)
{
	int below = 0;
	for (int i = 1; i < k; i++)
		below += atomic_load(&is_in[i]);
	return below != WRONG && atomic_load(&is_in[k]);
}
C
expect 1 check set.c --ops 1 -- -DWRONG=0; out_has "contains(1)"
expect 1 check set.c --ops 1 -- -DWRONG=1; out_has "contains(2)"
expect 1 check set.c --ops 2 -- -DWRONG=2; out_has "contains(3)"
expect 0 check set.c --ops 1 -- -DWRONG=2
# If the client is given, its arguments are used as they are.
expect 0 check set.c --client 'contains(50)' -- -DWRONG=2
expect 1 check set.c --client 'contains(50)' -- -DWRONG=1; out_has "contains(50)"

# A user's specification that compares values: its arguments are not all different.
cat >own.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static enum lp_answer insert(struct lp_state *s, const struct lp_spec_call *c)
{
	const int64_t key = c->arg[0];
	if (lp_state_has(s, key))
		return lp_answers(c, 0);
	lp_state_insert(s, lp_state_place(s, key), key);
	return lp_answers(c, 1);
}
static enum lp_answer contains(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, lp_state_has(s, c->arg[0]));
}
static const struct lp_method methods[] = {
	{ "insert", 1, LP_TRUTH, LP_INSERTS, insert }, { "contains", 1, LP_TRUTH, LP_READS, contains },
};
static const struct lp_kind keys = { .name = "keys", .about = "keys", .data = LP_DATA_EQUALITY,
				     .methods = methods, .method_count = 2 };
static atomic_int is_in[8];
LP_SPEC_OWN(keys)
LP_METHOD(insert, k) { return !atomic_exchange(&is_in[k], 1); }
LP_METHOD(contains, k) { return atomic_load(&is_in[k]) && RIGHT; }
C
expect 0 check own.c --ops 3 -- -DRIGHT=1
expect 1 check own.c --ops 2 -- -DRIGHT=0

# An object whose behaviour depends on addresses: it keeps what is pushed in the order of
# addresses.  Calls that look alike are then not interchangeable.
cat >addresses.c <<'C'
#include <linchpin.h>
#include <pthread.h>
#include <stdlib.h>
struct node { int64_t value; struct node *next; };
static struct node *first;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
LP_SPEC("stack")
LP_METHOD(push, v)
{
	struct node *n = malloc(sizeof *n), **at = &first;
	n->value = v;
	pthread_mutex_lock(&mutex);
	while (*at && *at > n)
		at = &(*at)->next;
	n->next = *at;
	*at = n;
	pthread_mutex_unlock(&mutex);
	return LP_VOID;
}
LP_METHOD(pop)
{
	pthread_mutex_lock(&mutex);
	int64_t v = first ? first->value : LP_EMPTY;
	first = first ? first->next : NULL;
	pthread_mutex_unlock(&mutex);
	return v;
}
C
expect 1 check addresses.c; out_has "not linearizable"

# Results of several values: how they are returned, printed and compared.
cat >snapshot.c <<'C'
#include <linchpin.h>
LP_SPEC("snapshot")
LP_METHOD(scan) { return 0; }
C
expect 1 check snapshot.c; out_has "scan() -> 0 (not by lp_several)"
expect 2 states snapshot.c --threads 2; says "scan gives several values"
cat >several.c <<'C'
#include <linchpin.h>
#ifndef N
#define N 3
#endif
static const int64_t all[4] = { 0, 0, LAST, 0 };
LP_SPEC("snapshot:n=3")
LP_METHOD(scan) { return lp_several(all, N); }
C
expect 0 check several.c --ops 2 -- -DLAST=0
expect 1 check several.c --emit-test client.c -- -DLAST=-7; out_has "scan() -> [0, 0, -7]"
expect 1 run client.c -- -DLAST=-7; out_has "violation: assertion"
expect 0 run client.c -- -DLAST=0
expect 1 check several.c -- -DLAST=0 -DN=2; out_has "scan() -> [0, 0]"
expect 1 check several.c -- -DLAST=LP_NIL; out_has "scan() -> [0, 0, nil]"
# There are more components than values of arguments: the harness says which components are written.
examples=$here/../../examples
expect 0 check "$examples/snapshot.c" --ops 2 -- -DCOMPONENTS=16
expect 2 check "$examples/snapshot.c" --ops 2 -- -DCOMPONENTS=17; says "LP_ARGS must say which ones 'update' writes"; alone
printf '#define COMPONENTS 17\n#include "%s"\nLP_ARGS("update 0 16")\n' "$examples/snapshot.c" >seventeen.c
expect 0 check seventeen.c --ops 2

# Parameters of structures are applied or rejected, but never truncated.
zoo=$here/../../zoo
expect 1 check "$zoo/kregister.c" --client 'write(6) | read()' -- -DK=6; out_has "out of bounds"
expect 0 check "$zoo/kregister.c" --ops write=1,read=1 -- -DK=7
out_has "7 most parallel ones" # one for each value
refused() {
	expect 2 check "$@"; says "the compiler"
}
refused "$zoo/kregister.c" -- -DK=17
refused "$zoo/amp_simplelinear.c" -- -DRANGE=17
refused "$zoo/amp_simpletree.c" -- -DLEVELS=5
refused "$zoo/slotsemaphore.c" -- -DINIT=9
refused "$zoo/segmentqueue.c" -- -DSIZE=33
refused "$zoo/kfifo.c" -- -DSEGMENTS=1
refused "$examples/snapshot.c" -- -DCOLLECTS=3
for structure in kregister counter mailbox msqueue_counted quasipq quasiqueue snzi; do
	refused "$zoo/$structure.c" -- -DBUG=5
done
refused "$zoo/b6_lockcoupling.c" -- -DB6=4
refused "$here/../states/progress.c" -- -DWAY=10
# Threads are not a parameter of the compiler.
expect 1 check "$zoo/tsstack.c" --ops push=7 -- -DPOOLS=6; out_has "pthread_self() <= POOLS + 1"

# Calls that are impossible, or too many of them.
cat >lock.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int held;
LP_SPEC("lock")
LP_AFTER("unlock", "lock")
#ifdef PRE
LP_PRE(PRE)
#endif
LP_METHOD(lock) { while (atomic_exchange(&held, 1)) ; return LP_VOID; }
LP_METHOD(unlock) { atomic_store(&held, 0); return LP_VOID; }
C
expect 0 check lock.c --ops lock=1,unlock=1
expect 2 check lock.c --ops unlock=1; says "does not let any client make these calls"
expect 2 check lock.c --ops lock=1,unlock=2; says "does not let any client make these calls"
expect 2 check lock.c --pre 1; says "--pre: the harness has no method that inserts"
pairs=$(printf 'lock(); unlock();%.0s' 1 2 3 4)
expect 0 check lock.c --ops 2 -- "-DPRE=\"$pairs\""
expect 2 check lock.c --ops 2 -- "-DPRE=\"$pairs lock()\""; says "LP_PRE: more than 8 calls"
expect 2 check queue.c --pre 8; says "--pre and LP_PRE: more than 8 calls"

# Samples are taken of every client, not only of the first.
cat >counter.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int n;
LP_SPEC("counter")
LP_METHOD(increment) { atomic_store(&n, atomic_load(&n) + 1); return LP_VOID; }
LP_METHOD(read) { return atomic_load(&n); }
C
expect 1 check counter.c --ops 3 --random 500; out_has "not linearizable"
expect 3 check counter.c --ops 2 --random 20; out_has "sampled 20 executions of each client"
out_has "100 complete"
finish
