#!/usr/bin/env bash
# shifts.sh LINCHPIN -- attempts that subtract and add again are left out if no thread can tell.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
undo=$here/../../bench/programs/rwlocks/undo.c

# N COUNT [OPTIONS]: the lock is correct, and has COUNT complete executions.
counts() {
	local n=$1 count=$2
	shift 2
	expect 0 run "$undo" "$@" -- -DN="$n"
	out_has " $count complete, which is all of them"
	out_lacks "not reached"
}

for model in sc tso ra rc11; do
	counts 2 48 --no-symmetry --model $model
done
counts 3 3,600 --no-symmetry
counts 3 3,600 --no-symmetry --jobs 2
counts 3 100
counts 3 3,600 --no-symmetry --unroll 1
out_lacks "within the bound"
expect 0 run "$undo" --no-shifts -- -DN=1
out_has " 6 complete"

# A third thread uses the number, and the lock has a mistake.
cat >seen.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#define load(p) atomic_load_explicit(p, memory_order_relaxed)
#define ALL 10
#ifndef BACK
#define BACK ALL
#endif
#ifndef ENOUGH
#define ENOUGH(v) ((v) == ALL)
#endif
static union { atomic_int left; _Atomic uint16_t half[2]; } u = { ALL };
static atomic_int done;
static int value;
static void *writer(void *unused)
{
	while (atomic_fetch_sub_explicit(&u.left, ALL, memory_order_acquire) != ALL) {
		atomic_fetch_add_explicit(&u.left, BACK, memory_order_relaxed);
		while (!ENOUGH(load(&u.left)))
			;
	}
	value++;
	atomic_fetch_add_explicit(&u.left, ALL, memory_order_release);
	atomic_store_explicit(&done, 1, memory_order_relaxed);
	return unused;
}
static void *other(void *unused)
{
	LOOKS;
	return unused;
}
int main(void)
{
	pthread_t t[3];
	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, writer, NULL);
	pthread_create(&t[2], NULL, other, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(load(&u.left) == ALL && value == 2);
	return 0;
}
END

# WHAT LOOKS [FLAGS]: the error WHAT is found, with the reduction and without it, and within a bound on loops.
finds() {
	local what=$1 looks=$2
	shift 2
	for option in "" --no-shifts "--unroll 3"; do
		expect 1 run seen.c $option -- "-DLOOKS=$looks" "$@"
		out_has "violation: $what"
	done
}

expect 0 run seen.c -- -DLOOKS=
out_has " 2 complete"
finds assertion 'assert(load(&u.left) >= 0)'
finds assertion 'if (load(&done)) assert(load(&u.left) >= 0)'
finds assertion 'assert(atomic_fetch_add(&u.left, 0) >= 0)'
finds assertion 'int seen = -10; assert(!atomic_compare_exchange_strong(&u.left, &seen, -10))'
finds assertion 'assert(!load(&u.half[1]))'
finds race 'int seen = *(int *)&u.left; (void)seen'
finds liveness '' -DBACK=9 '-DENOUGH(v)=((v)>=9)'
finds liveness '' '-DENOUGH(v)=((v)>ALL)'
finds liveness '' '-DENOUGH(v)=(load(&done)==2)'
finish
