#!/usr/bin/env bash
# check.sh LINCHPIN -- `linchpin check`: correct and incorrect harnesses, verdicts, reports.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

# A counter and a register, whose errors are chosen by macros.
cat >counter.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int n;
LP_SPEC("counter")
LP_METHOD(increment)
{
#ifdef BUG
	atomic_store(&n, atomic_load(&n) + 1);
#else
	atomic_fetch_add(&n, 1);
#endif
	return LP_VOID;
}
LP_METHOD(read) { return atomic_load(&n); }
C
expect 0 check counter.c; err_empty
head -n 1 .out | grep -qx "verified: 'counter.c' is a linearizable counter for every client of up to 4 calls" ||
	fail "the first line"
out_has "property     linearizable"; out_has "every order on up to 4 calls"; out_has "rc11"
expect 0 check counter.c --ops 3 --json; json_has '"verdict":"verified"'; json_has '"prop":"linearizable"'
expect 1 check counter.c -- -DBUG; out_has "violation: not linearizable"
out_has "increment()"; out_has "read() -> 1"; out_has "intervals:"; out_has "closest:"
expect 1 check counter.c --json -- -DBUG; json_has '"kind":"not linearizable"'; json_has '"size":3'
for model in sc tso ra rc11; do
	expect 0 check counter.c --model $model --ops 3
	expect 1 check counter.c --model $model -- -DBUG
	for prop in linearizable sequential quiescent serializable quasi:read=1; do
		expect 0 check counter.c --model $model --prop $prop --ops 3
	done
done
# A call that accesses no memory is a call: others can come before and after it.
cat >idle.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int n, other;
LP_SPEC("counter")
LP_METHOD(increment) { return LP_VOID; }
LP_METHOD(read) { return atomic_load(&n) + atomic_load(&other); }
C
for model in sc tso ra rc11; do
	expect 1 check idle.c --model $model --ops 2; out_has "violation: not linearizable"
	expect 0 check idle.c --model $model --ops 3 --prop serializable
done
# The results are correct if the client orders nothing.
expect 0 check counter.c --prop serializable --ops increment=1,read=1 -- -DBUG
expect 1 check counter.c -j 2 -- -DBUG
expect 0 check counter.c -j 2
expect 0 check counter.c --no-cache; expect 1 check counter.c --no-cache -- -DBUG
expect 0 check counter.c --no-symmetry; expect 1 check counter.c --no-symmetry -- -DBUG

# A worker finds an error while other threads are at their ends.  The worker knows that these do not matter,
# and the parent must find the same error again.
mcslock=$here/../../zoo/mcslock.c
expect 1 check "$mcslock" -j 2 -- -DHAND=memory_order_relaxed; out_has "violation: race"
# If waiting is not recognised, the report does not say which threads wait.
expect 3 check "$mcslock" --no-spin; out_has "a loop that waits is not told from one that never ends"
# The scope says that calls may fail without reason.
cat >weak.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int64_t v; struct node *next; };
static _Atomic(struct node *) top;
LP_SPEC("stack")
LP_METHOD(push, v)
{
	struct node *n = malloc(sizeof *n);
	n->v = v;
	n->next = atomic_load(&top);
	while (!atomic_compare_exchange_weak(&top, &n->next, n))
		;
	return LP_VOID;
}
C
expect 0 check weak.c --ops 2
expect 3 check weak.c --ops 2 --reuse; out_has "--no-weak-fail"
expect 0 check weak.c --ops 2 --reuse --no-weak-fail

# Each multiset of calls gives one client.
expect 0 check counter.c --client 'increment(); read() | read()'; out_has "for this client"
expect 1 check counter.c --client 'increment(); read() | increment(); read()' -- -DBUG
expect 0 check counter.c --client 'increment(); read() | read()' -- -DBUG
expect 1 check counter.c --ops increment=2,read=1 -- -DBUG
# "verified" names what was tried.
expect 0 check counter.c --ops increment=3 -- -DBUG; out_has "for every client that calls increment=3"
expect 0 check counter.c --model sc --preemptions 0 -- -DBUG; out_has "of up to 4 calls, within the bound"

# A violation becomes a program that fails.
expect 1 check counter.c --emit-test client.c -- -DBUG
expect 1 run client.c -- -DBUG; out_has "violation: assertion"
expect 0 run client.c
# Names from the object, arguments that are not numbers, and errors that show only at the end.
cat >names.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static _Atomic int64_t result = LP_NIL, done, thread_1;
LP_SPEC("register:init=nil")
LP_METHOD(read) { return atomic_load(&result); }
#ifdef END
LP_METHOD(cas, old, new) { thread_1 = new; return atomic_compare_exchange_strong(&result, &old, new); }
LP_INVARIANT { return thread_1 == 0; }
#else
LP_METHOD(cas, old, new) { done = new; return atomic_load(&result) == old; }
#endif
C
expect 1 check names.c --emit-test client.c; out_has "cas(nil, "
expect 1 run client.c; out_has "violation: assertion"
expect 1 check names.c --emit-test client.c -- -DEND; out_has "violation: invariant"
expect 1 run client.c -- -DEND; out_has "violation: invariant"

# Incorrect harnesses.
cat >none.c <<'C'
int nothing;
C
expect 2 check none.c; says "'none.c' has no harness"
cat >nospec.c <<'C'
#include <linchpin.h>
LP_METHOD(read) { return 0; }
C
expect 2 check nospec.c; says "names no specification"
expect 1 check nospec.c --spec register:init=1; out_has "read() -> 0"
expect 0 check nospec.c --spec register
expect 2 check nospec.c --spec regster; says "regster"
cat >nomethods.c <<'C'
#include <linchpin.h>
LP_SPEC("queue")
C
expect 2 check nomethods.c; says "no methods"
cat >unknown.c <<'C'
#include <linchpin.h>
LP_SPEC("queue")
LP_METHOD(frobnicate) { return 0; }
C
expect 2 check unknown.c; says "'queue' has no method 'frobnicate' (it has enqueue, dequeue"
cat >arity.c <<'C'
#include <linchpin.h>
LP_SPEC("queue")
LP_METHOD(enqueue) { return LP_VOID; }
C
expect 2 check arity.c; says "enqueue of 'queue' takes 1 argument, not 0"
expect 2 check counter.c --ops 0; says "--ops 0"
expect 2 check counter.c --ops frob=1; says "there is no method 'frob'"
expect 2 check counter.c --ops increment; says "a number of calls is expected"
expect 2 check counter.c --prop nice; says "--prop takes one of linearizable|"
expect 2 check counter.c --client 'frob()'; says "there is no method 'frob'"
expect 2 check counter.c --client 'increment(1)'; says "increment takes 0 arguments"
expect 2 check counter.c --client 'increment('; says "')'"
expect 2 check counter.c --client ''; says "--client"
expect 2 check counter.c --client 'read()' --ops 2; says "exclude each other"
expect 2 check; says "no object given"

# Several clients of one size: first, a few executions of each are explored.  The first clients of this object have
# hundreds of thousands of executions.
stack=$(realpath "$here/../../zoo/tsstack.c")
expect 1 check $stack --model ra --ops push=3,pop=2 -- -DTS_CAS; out_has " more explored briefly"
briefly=$(sed -n 's/^  executions *\([0-9,]*\) complete.*/\1/p' .out | tr -d ,)
[ "$briefly" -lt 5000 ] || fail "$briefly executions"
expect 1 check $stack --model ra --ops push=3,pop=2 -j 2 -- -DTS_CAS; out_has " more explored briefly"
[ "$(sed -n 's/^  executions *\([0-9,]*\) complete.*/\1/p' .out | tr -d ,)" = "$briefly" ] || fail "other executions with -j"

# A method that never returns; a call that waits forever, where it may and where it may not.
cat >spin.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int full, value;
#ifndef SPEC
#define SPEC "queue:bounded=1,blocking"
#endif
LP_SPEC(SPEC)
LP_METHOD(enqueue, v)
{
	int empty = 0;
	while (!atomic_compare_exchange_strong(&full, &empty, 1))
		empty = 0;
	atomic_store(&value, (int)v);
	atomic_store(&full, 2);
	return LP_VOID;
}
LP_METHOD(dequeue)
{
	int two = 2;
	while (!atomic_compare_exchange_strong(&full, &two, 3))
		two = 2;
	int v = atomic_load(&value);
	atomic_store(&full, 0);
	return v;
}
C
expect 0 check spin.c --ops 3
expect 1 check spin.c --ops 3 -- '-DSPEC="queue"'; out_has "violation: stuck"; out_has "never returns"
cat >endless.c <<'C'
#include <linchpin.h>
static volatile int x;
LP_SPEC("register")
LP_METHOD(read) { for (;;) x++; }
C
expect 1 check endless.c --ops 1 --steps 1000; out_has "endless loop"
expect 3 check endless.c --ops 1; out_has "and perhaps without end: too long to explore (see --unroll) at endless.c:4"

# An object that looks at the values that it should only pass on.
looks=$here/../objects/looks.c
expect 1 check "$looks" -- -DCELL; out_has "in every way (the object looks at them)"
expect 0 check "$looks" -- -DRIGHT; out_has "all different (the object does not look at them)"
expect 3 check "$looks" --schedules 4,4,0 -- -DREPEATED; out_has "looks at its arguments"

# Two calls can prevent each other from coming to an end, so that executions become longer and longer.  Short loops are enough
# for the violation, if there is one.
cat >lost.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static _Atomic int x, turn, writes;
LP_SPEC("register")
LP_METHOD(write, v)
{
	int t;

	do
		t = atomic_fetch_add(&turn, 1);
	while (atomic_load(&turn) != t + 1);
	atomic_store(&x, (int)v);
	atomic_fetch_add(&writes, 1);
	return LP_VOID;
}
LP_METHOD(read) { return atomic_load(&writes) == WRONG ? -1 : atomic_load(&x); }
C
expect 1 check lost.c -- -DWRONG=2; out_has "violation: not linearizable"; out_has "loops        at most 4 times round"
expect 3 check lost.c --ops write=2 -- -DWRONG=9; out_has "longer and longer executions, without end"
out_has "short loops  at most 4 times round: no violation in "; out_has " executions, which is all of them"

# Errors of the object itself, with the client that leads to them.
cat >race.c <<'C'
#include <linchpin.h>
static int x;
LP_SPEC("register")
LP_METHOD(write, v) { x = (int)v; return LP_VOID; }
LP_METHOD(read) { return x; }
C
expect 1 check race.c; out_has "violation: race"; out_has "client:"
expect 0 check race.c --model sc --races ignore

# Setup, teardown, invariant, calls before the threads; roles and needs.
cat >all.c <<'C'
#include <linchpin.h>
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *owner, locks;
static int depth;
LP_SPEC("lock")
LP_SETUP { owner = malloc(sizeof *owner); atomic_init(owner, 0); }
LP_METHOD(lock)
{
	int nobody = 0;
	while (!atomic_compare_exchange_strong(owner, &nobody, 1))
		nobody = 0;
	assert(++depth == 1);
	atomic_fetch_add(&locks, 1);
	return LP_VOID;
}
LP_METHOD(unlock)
{
	atomic_fetch_sub(&locks, 1);
	depth--;
#ifdef LOST
	if (atomic_load(&locks) < 0)
#endif
	atomic_store(owner, 0);
	return LP_VOID;
}
LP_AFTER("unlock", "lock")
LP_INVARIANT { return atomic_load(&locks) >= MIN; }
LP_TEARDOWN { free(owner); }
C
expect 0 check all.c --ops 5 -- -DMIN=0
expect 1 check all.c -- -DMIN=1; out_has "violation: invariant"
expect 1 check all.c -- -DMIN=0 -DLOST; out_has "violation: stuck"
cat >single.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int item[8], in, out;
LP_SPEC("queue")
LP_ROLE("enqueue")
#ifndef MANY
LP_ROLE("dequeue")
#endif
LP_METHOD(enqueue, v)
{
	int i = atomic_load_explicit(&in, memory_order_relaxed);
	atomic_store_explicit(&item[i], (int)v, memory_order_relaxed);
	atomic_store_explicit(&in, i + 1, memory_order_release);
	return LP_VOID;
}
LP_METHOD(dequeue)
{
	int i = atomic_load_explicit(&out, memory_order_relaxed);
	if (i == atomic_load_explicit(&in, memory_order_acquire))
		return LP_EMPTY;
	int v = atomic_load_explicit(&item[i], memory_order_relaxed);
	atomic_store_explicit(&out, i + 1, memory_order_relaxed);
	return v;
}
C
expect 0 check single.c --ops 5
expect 1 check single.c --ops 5 -- -DMANY; out_has "not linearizable"
expect 0 check single.c --sync r --ops 4
expect 1 check single.c --pre 1 --ops 2 -- -DMANY; out_has "before them: enqueue(1)"

# An object that depends on the calling thread: then clients in which calls share a thread are tried, too.
cat >who.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int n;
static _Thread_local int calls;
LP_SPEC("counter")
LP_METHOD(increment) { if (calls++ == 0) atomic_fetch_add(&n, 1); return LP_VOID; }
LP_METHOD(read) { return atomic_load(&n); }
C
expect 1 check who.c; out_has "thread 1: increment() [T1]; increment() [T1]; read() -> 1 [T1]"
sed 's/calls++ == 0/calls++ >= 0/' who.c >who_cares.c
expect 0 check who_cares.c --ops 3; out_has "depends on the calling thread"

# The system call gettid and recursive mutexes distinguish threads as well.
cat >whom.c <<'C'
#define _GNU_SOURCE
#include <linchpin.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
static pthread_mutex_t mutex;
static int holder;
LP_SPEC("lock")
LP_SETUP
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
#ifdef RECURSIVE
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
#endif
	pthread_mutex_init(&mutex, &a);
}
LP_METHOD(trylock)
{
#ifdef RECURSIVE
	return pthread_mutex_trylock(&mutex) == 0;
#else
	const int self = (int)syscall(SYS_gettid);
	pthread_mutex_lock(&mutex);
	const int got = !holder || holder == self;
	holder = got ? self : holder;
	pthread_mutex_unlock(&mutex);
	return got;
#endif
}
C
for how in RECURSIVE SYSCALL; do
	expect 1 check whom.c -- -D$how; out_has "thread 1: trylock() -> true [T1]; trylock() -> true [T1]"
done

# These calls are not interchangeable: only the fourth thread behaves differently.
cat >fourth.c <<'C'
#include <linchpin.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n;
LP_SPEC("counter")
LP_METHOD(fetch_increment) { return pthread_self() == 5 && atomic_load(&n) == 0 ? 7 : atomic_fetch_add(&n, 1); }
C
expect 1 check fourth.c --client 'fetch_increment()|fetch_increment()|fetch_increment()|fetch_increment()'

# A system call does not distinguish callers, unless it is gettid or may be.
cat >wakes.c <<'C'
#define _GNU_SOURCE
#include <linchpin.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifdef UNKNOWN
static volatile long number = SYS_futex;
#else
enum { number = SYS_futex };
#endif
static atomic_int n;
LP_SPEC("counter")
LP_METHOD(fetch_increment)
{
	const int was = atomic_fetch_add(&n, 1);
	syscall(number, &n, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	return was;
}
C
expect 0 check wakes.c --ops 4; out_lacks "without symmetry"
expect 0 check wakes.c --ops 4 -- -DUNKNOWN; out_has "without symmetry"

# A mutex that knows its owner distinguishes callers, too; linchpin notices this when the mutex is locked.
cat >owner.cpp <<'C'
#include <linchpin.h>
#include <mutex>
static std::recursive_mutex m;
LP_SPEC("lock")
LP_METHOD(trylock) { return m.try_lock(); }
C
expect 1 check owner.cpp; out_has "thread 1: trylock() -> true [T1]; trylock() -> true [T1]"
expect 1 check owner.cpp -j 2
sed 's/recursive_//' owner.cpp >nobody.cpp
expect 0 check nobody.cpp; out_lacks "depends on the calling thread"

# A readers-writer lock knows its writer.  linchpin notices this if a call returns without unlocking it.
cat >writer.c <<'C'
#include <linchpin.h>
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
LP_SPEC("lock")
LP_METHOD(lock) { (void)pthread_rwlock_wrlock(&l); return LP_VOID; }
C
expect 1 check writer.c; out_has "thread 1: lock() [T1]; lock() [T1]"
expect 1 check writer.c -j 2
cat >writers.c <<'C'
#include <linchpin.h>
#include <pthread.h>
static pthread_rwlock_t l[256];
LP_SPEC("lock")
LP_METHOD(lock) { for (int i = 0; i < 256; i++) (void)pthread_rwlock_wrlock(&l[i]); return LP_VOID; }
C
expect 1 check writers.c --ops 2; out_has "thread 1: lock() [T1]; lock() [T1]"
cat >written.c <<'C'
#include <linchpin.h>
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static long n;
LP_SPEC("counter")
LP_METHOD(fetch_increment)
{
	pthread_rwlock_wrlock(&l);
	const long was = n++;
	pthread_rwlock_unlock(&l);
	return was;
}
C
expect 0 check written.c; out_lacks "depends on the calling thread"

# A user's specification.
cat >own.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int greatest;
static enum lp_answer say_raise(struct lp_state *s, const struct lp_spec_call *c)
{
	if (c->arg[0] > s->at[0])
		s->at[0] = c->arg[0];
	return LP_ACCEPTS;
}
static enum lp_answer say_read(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, s->at[0]);
}
static void begin(struct lp_state *s, const int64_t *param) { (void)param; lp_state_push(s, 0); }
static const struct lp_method methods[] = {
	{ "raise", 1, LP_NOTHING, 0, say_raise },
	{ "read", 0, LP_VALUE, LP_READS, say_read },
};
static const struct lp_kind max_register = {
	"max_register", "the greatest value written", LP_DATA_ORDER, false, methods, 2, 0, 0, begin
};
LP_SPEC_OWN(max_register)
LP_METHOD(raise, v)
{
	int old = atomic_load(&greatest);
#ifdef BUG
	if (old < v)
		atomic_store(&greatest, (int)v);
#else
	while (old < v && !atomic_compare_exchange_weak(&greatest, &old, (int)v))
		;
#endif
	return LP_VOID;
}
LP_METHOD(read) { return atomic_load(&greatest); }
C
expect 0 check own.c --ops 3; out_has "max_register"
expect 1 check own.c -- -DBUG; out_has "raise(2)"
sed 's/stdatomic.h/atomic/; s/atomic_int/std::atomic_int/; s/^static enum/static enum/' own.c >own.cpp
sed -i 's/\(atomic_[a-z_]*\)(&/std::\1(\&/g' own.cpp
expect 0 check own.cpp --ops 2; err_empty

# An object that inspects a value that it should only pass on.
cat >nosy.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int item[8], in, out;
LP_SPEC("queue")
LP_METHOD(enqueue, v)
{
	if (v == 2 && atomic_load(&in) == 0)
		v = 7;
	atomic_store(&item[atomic_fetch_add(&in, 1)], (int)v);
	return LP_VOID;
}
LP_METHOD(dequeue)
{
	int i = atomic_load(&out);
	if (!atomic_load(&item[i]))
		return LP_EMPTY;
	return atomic_compare_exchange_strong(&out, &i, i + 1) ? atomic_load(&item[i]) : LP_EMPTY;
}
C
expect 1 check nosy.c; out_has "-> 7"

# Freed memory is allocated again: the ABA problem of a stack with a pool.
cat >aba.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
struct node { _Atomic(struct node *) next; atomic_int value; };
static _Atomic(struct node *) top;
LP_SPEC("stack")
LP_METHOD(push, v)
{
	struct node *n = lp_pool_alloc(sizeof *n), *t = atomic_load(&top);
	atomic_store_explicit(&n->value, (int)v, memory_order_relaxed);
	do
		atomic_store_explicit(&n->next, t, memory_order_relaxed);
	while (!atomic_compare_exchange_strong(&top, &t, n));
	return LP_VOID;
}
LP_METHOD(pop)
{
	struct node *t = atomic_load(&top);
	do
		if (!t)
			return LP_EMPTY;
	while (!atomic_compare_exchange_strong(&top, &t, atomic_load(&t->next)));
	int v = atomic_load(&t->value);
	lp_pool_free(t);
	return v;
}
C
expect 0 check aba.c --pre 2 --ops push=1,pop=4
expect 1 check aba.c --pre 2 --ops push=1,pop=4 --reuse; out_has "not linearizable"
sed 's/lp_pool_alloc/malloc/; s/lp_pool_free/free/; s/^#include <stdatomic.h>/&\n#include <stdlib.h>/' aba.c >heap.c
expect 1 check heap.c; out_has "use after free"

# Attempts under locks that changed nothing are left out, but not if memory is reused.
cat >validated.c <<'C'
#include <linchpin.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int version;
LP_SPEC("counter")
LP_METHOD(increment)
{
	for (;;) {
		const int seen = atomic_load(&version);
		pthread_mutex_lock(&lock);
		if (atomic_load(&version) == seen)
			break;
		pthread_mutex_unlock(&lock);
	}
	atomic_fetch_add(&version, 1);
	pthread_mutex_unlock(&lock);
	return LP_VOID;
}
C
executions() { expect 0 check validated.c --ops 3 --json "$@"; grep -o '"executions":[0-9]*' .out; }
[ "$(executions)" != "$(executions --no-attempts)" ] || fail "no attempt is left out"
[ "$(executions --reuse)" = "$(executions --reuse --no-attempts)" ] || fail "an attempt is left out"

# Limits.
expect 3 check counter.c --ops 20 --time 0.2; out_has "time limit"
expect 3 check counter.c --executions 3; out_has "limit of executions"
finish
