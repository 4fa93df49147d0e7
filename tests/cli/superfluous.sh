#!/usr/bin/env bash
# superfluous.sh LINCHPIN -- a counterexample has nothing superfluous: no spurious failure that is not needed, no steps
# of other threads on which nothing depends, no tear-down, no iteration that is repeated.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

cat >weak.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int top, bad;
static void *push(void *p)
{
	int seen = atomic_load(&top);
	if (!atomic_compare_exchange_weak(&top, &seen, seen + 1))
		atomic_store(&top, seen + 1);
	return p;
}
int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, 0, push, 0);
	pthread_create(&b, 0, push, 0);
	pthread_create(&c, 0, push, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(c, 0);
	assert(atomic_load(&top) == 3);
}
C
expect 1 run weak.c
out_lacks "spuriously"

# If the error needs a spurious failure, the counterexample has one.
sed 's/pthread_create(&c, 0, push, 0);//; s/pthread_join(c, 0);//; s/== 3/== 2/; s/, c;/;/' weak.c >needed.c
expect 1 run needed.c
out_has "failed spuriously (it is weak)"
expect 0 run --no-weak-fail needed.c

cat >spin.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag, tries;
static void *one(void *p) { atomic_store(&flag, 1); return p; }
int main(void)
{
	pthread_t a;
	int n = 0;
	pthread_create(&a, 0, one, 0);
	for (int i = 0; i < 9; i++)
		n += !atomic_load(&flag);
	assert(n < 8);
	pthread_join(a, 0);
}
C
expect 1 run spin.c
out_has "load flag = 0 (seq_cst), and 8 more times the same"
out_lacks "join"

# Steps of another thread on which the error does not depend.
cat >mixed.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, other;
static void *one(void *p) { atomic_store(&x, 1); return p; }
static void *two(void *p) { atomic_store(&other, 1); atomic_store(&other, 2); return p; }
int main(void)
{
	pthread_t a, b;
	pthread_create(&b, 0, two, 0);
	pthread_create(&a, 0, one, 0);
	assert(!atomic_load(&x));
	pthread_join(a, 0);
	pthread_join(b, 0);
}
C
expect 1 run --trace t mixed.c
out_has "load x = 1"; out_lacks "other"; out_lacks "start T1"
expect 1 replay t
out_has "load x = 1"; out_lacks "other"

cat >tear.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_long n, seen;
LP_SPEC("counter")
LP_SETUP { atomic_store(&n, 0); }
LP_METHOD(increment) { long s = atomic_load(&n); atomic_store(&n, s + 1); return LP_VOID; }
LP_METHOD(read) { return atomic_load(&n); }
LP_TEARDOWN { atomic_store(&seen, atomic_load(&n)); }
C
expect 1 check tear.c
out_has "lp_setup"
out_lacks "seen = "

# The set-up is summarised in one line, except for the store whose value two calls read; so is the initialisation in main().
sed 's/LP_SETUP {/LP_SETUP { for (int i = 9; i; i--) atomic_store(\&n, i);/' tear.c >long.c
expect 1 check long.c --trace t
out_has "   ... T0 sets up: steps 1 to 9; --verbose shows them"
out_has "   10  T0  long.c:5  lp_setup   store n = 0"; out_lacks "    9  T0"
expect 1 replay t; out_has "   ... T0 sets up: steps 1 to 9; --verbose shows them"
expect 1 check long.c --verbose; out_has "    1  T0"; out_lacks "sets up"

cat >main.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x[6];
static void *one(void *p) { atomic_fetch_add(&x[5], 1); return p; }
int main(void)
{
	pthread_t a;
	for (int i = 0; i < 6; i++)
		atomic_store(&x[i], i);
	pthread_create(&a, 0, one, 0);
	assert(atomic_load(&x[5]) == 5);
	pthread_join(a, 0);
}
C
expect 1 run main.c
out_has "   ... T0 initialises: steps 1 to 6; --verbose shows them"; out_has "start T1"
finish
