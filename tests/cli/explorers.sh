#!/usr/bin/env bash
# explorers.sh LINCHPIN -- verdicts and messages of sampling, bounds on preemptions, several processes, and limits.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

cat >lost.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *arg)
{
	int v = atomic_load(&x);
	atomic_store(&x, v + 1);
	return arg;
}
int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, add, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	assert(!WANTED || atomic_load(&x) == 2);
	return 0;
}
C
bug="lost.c -- -DWANTED=1"
good="lost.c -- -DWANTED=0"

# Sampling finds violations, says how to reproduce them, and never says "verified".
expect 1 run --random 1000 $bug
out_has "violation: assertion at lost.c:18 (T0)"; out_has "again: --random 1 --seed "
again=$(sed -n 's/.*again: \(--random 1.*--seed [0-9]*\)).*/\1/p' .out)
expect 1 run $again $bug; out_has "violation: assertion"
expect 1 run --random 1000 --pct 2 --model sc $bug; out_has "again: --random 1 --pct 2 --seed "
expect 3 run --random 50 $good; out_has "inconclusive: sampled 50 executions at random (seed 1)"
out_has "sampling"
expect 3 run --random 50 --seed 9 --pct 3 --json $good
json_has '"verdict":"inconclusive"'; out_has '"distinct":'; out_has '"executions":50,'; out_has 'seed 9'
# The same seed gives the same result, except for the cost.
for i in 1 2; do
	expect 3 run --random 50 --seed 9 --json $good
	sed 's/"seconds":[^,]*,"peak_rss_kb":[0-9]*//' .out >sample$i
done
cmp -s sample1 sample2 || fail "the same seed gives another result"

# A bound on preemptions, which is defined only for sc.
expect 0 run --preemptions 0 --model sc $bug; out_has "within the bound"; out_has "at most 0"
expect 1 run --preemptions 1 --model sc $bug; out_has "after 1 preemption"
expect 0 run --preemptions 5 --model sc $good; out_has "preemptions  at most 5"
expect 2 run --preemptions 1 $bug; says "--preemptions requires --model sc"; alone
expect 2 run --preemptions 1 --random 5 --model sc $bug; says "exclude each other"; alone
expect 2 run --random 5 -j 2 $bug; says "-j cannot be combined with --random"; alone
expect 2 run --preemptions 1 --model sc -j2 $bug; says "-j cannot be combined with --preemptions"; alone
# Delays and rounds.
expect 0 run --delays 0 --model sc $bug; out_has "within the bound"; out_has "delays       at most 0"
expect 1 run --delays 1 --model sc $bug; out_has "after 1 delay)"
expect 0 run --rounds 2 --model sc $bug; out_has "within the bound"; out_has "rounds       at most 2"
expect 1 run --rounds 3 --model sc $bug; out_has "after 3 rounds)" # in the last of them main() looks at the counter
expect 2 run --delays 1 $bug; says "--delays requires --model sc"; alone
expect 2 run --rounds 1 $bug; says "--rounds requires --model sc"; alone
expect 2 run --rounds 0 --model sc $bug; says "--rounds takes a number from 1"; alone
expect 2 run --rounds 1 --model sc -j2 $bug; says "-j cannot be combined with --rounds"; alone
# A thread loops while another one is never scheduled.
cat >unfair.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag, count;
static void *set(void *p) { flag = 1; return p; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, set, 0);
	while (!flag)
		count++;
	pthread_join(t, 0);
}
C
expect 1 run unfair.c --steps 50; out_has "endless loop"
expect 0 run unfair.c --steps 50 --fair; out_has "within the bound"; out_has "no thread is passed over forever"
sed 's/flag = 1;//' unfair.c >never.c
expect 1 run never.c --steps 50 --fair; out_has "goes on without end"
cat >unfair_object.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int permits, rounds;
LP_SPEC("semaphore:init=0")
LP_METHOD(acquire)
{
	while (!permits)
		rounds++;
	permits--;
	return LP_VOID;
}
LP_METHOD(release) { permits++; return LP_VOID; }
C
for model in sc rc11; do
	object="check unfair_object.c --model $model --steps 50 --no-suggest"
	expect 1 $object --client 'acquire() | release()'; out_has "endless loop"
	expect 0 $object --client 'acquire() | release()' --fair; out_has "within the bound"; out_has "no thread is passed over forever"
	expect 1 $object --client 'acquire()' --fair; out_has "goes on without end"
done
expect 2 run unfair.c --fair --random 5; says "--random and --fair exclude each other"; alone
expect 2 run --seed 5 $bug; says "--seed requires --random N"; alone
expect 2 run --pct 5 $bug; says "--pct requires --random N"; alone
expect 2 run --random 0 $bug; says "--random takes a number from 1"; alone

# Several processes give the same answer.
expect 0 run -j 2 --json --no-symmetry $good; sed 's/.*\("executions":[0-9]*\).*/\1/' .out >two
expect 0 run --json --no-symmetry $good; sed 's/.*\("executions":[0-9]*\).*/\1/' .out >one
cmp -s one two || fail "another number of executions"
json_has '"abandoned":'
expect 1 run -j 2 $bug; out_has "violation: assertion at lost.c:18 (T0)"

# Leaks, on request.
cat >leak.c <<'C'
#include <stdlib.h>
int main(void) { *(volatile char *)malloc(3) = 1; return 0; }
C
expect 0 run leak.c
expect 1 run leak.c --leaks; out_has "violation: leak at leak.c:2"; out_has "1 block of memory lost"

# A limit on linchpin's own memory.
cat >long.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *worker(void *arg)
{
	for (int i = 0; i < 8; i++)
		atomic_fetch_add(&x, 1 + (arg != 0));
	return arg;
}
int main(void)
{
	pthread_t t[6];
	for (long i = 0; i < 6; i++)
		pthread_create(&t[i], 0, worker, (void *)i);
	for (int i = 0; i < 6; i++)
		pthread_join(t[i], 0);
	return 0;
}
C
for jobs in 1 2; do
	expect 3 run long.c --memory 1 -j $jobs; out_has "inconclusive: memory limit of 1 MB reached (--memory)"
done

# All explorers recognise an attempt under a lock that changed nothing, since a thread may wait in this way.
examples=$(cd "$here/../../examples" && pwd)
# Exploring with a bound costs no more than without: the Michael-Scott queue with four enqueues and four dequeues.
expect 0 check $examples/msqueue.c --model sc --ops enqueue=4,dequeue=4; out_has " 70 complete"
for n in 0 1 2 3; do
	expect 0 check $examples/msqueue.c --model sc --ops enqueue=4,dequeue=4 --preemptions $n; out_has " 70 complete"
done
# Without helping the bound is strict.
expect 0 check $examples/msqueue.c --model sc --ops enqueue=2,dequeue=2 --no-helping --preemptions 0; out_has " 6 complete"
expect 0 check $examples/pollqueue.c --ops 3 --model sc --preemptions 2; out_has "within the bound"
for model in sc rc11; do
	expect 3 check $examples/pollqueue.c --ops 3 --model $model --random 20; out_has "sampled 20 executions of each client"
	expect 3 check $examples/pollqueue.c --ops 3 --model $model --random 20 --pct 3; out_has "sampled 20 executions of each client"
	expect 1 check $examples/bug_pollqueue.c --ops 3 --model $model --random 50; out_has "violation: not linearizable"
done
finish
