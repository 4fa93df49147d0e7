#!/usr/bin/env bash
# harness.sh LINCHPIN -- incorrect harnesses: a message that says what is wrong and where, or a
# violation.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

# wrong TEXT MESSAGE: a file with these lines is refused.
wrong() {
	printf '#include <linchpin.h>\n%s\n' "$1" >wrong.c
	expect 2 check wrong.c; says "$2"; alone
}
good='LP_METHOD(enqueue, v) { (void)v; return LP_VOID; }'
wrong "LP_SPEC(\"quue\") $good" "quue"
wrong "LP_SPEC(\"queue:bonded=1\") $good" "bonded"
wrong "LP_SPEC(\"queue:bounded=x\") $good" "bounded"
wrong "LP_SPEC(\"\") $good" "specification"
wrong "$good" "names no specification"
wrong 'LP_SPEC("queue")' "the harness has no methods"
wrong 'LP_SPEC("queue") LP_METHOD(push, v, w) { return v + w; }' "takes 1 argument, not 2"
wrong 'LP_SPEC("queue")
LP_METHOD(dequeue, v) { return v; }' "wrong.c:3: dequeue of 'queue' takes 0 arguments, not 1"
wrong "LP_SPEC(\"queue\") LP_METHOD(frob) { return 0; }" "has no method 'frob' (it has enqueue"
wrong "LP_SPEC(\"queue\") $good
LP_ROLE(\"frob\")" "wrong.c:3: LP_ROLE names 'frob', which is not a method"
wrong "LP_SPEC(\"queue\") $good
LP_AFTER(\"enqueue\", \"frob\")" "wrong.c:3: LP_AFTER names 'frob', which is not a method"
wrong "LP_SPEC(\"queue\") $good
LP_ARGS(\"frob\")" "wrong.c:3: LP_ARGS: 'frob' is neither"
wrong "LP_SPEC(\"queue\") $good LP_PRE(\"frob()\")" "there is no method 'frob'"
wrong "LP_SPEC(\"queue\") $good LP_PRE(\"enqueue(1, 2)\")" "enqueue takes 1 argument"
wrong 'LP_SPEC("lock") LP_METHOD(unlock) { return LP_VOID; } LP_AFTER("unlock", "unlock")' "does not let any client make a call"
expect 2 check missing.c; says "missing.c"

# A method that never returns, because it loops forever or waits for something that never happens.
cat >never.c <<'C'
#include <linchpin.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static atomic_int flag;
static sem_t none;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static volatile int x;
LP_SPEC("register")
LP_SETUP { if (HOW == 3) pthread_mutex_lock(&held); }
LP_METHOD(read)
{
	while (HOW == 1)
		x++;
	while (HOW == 2 && !atomic_load(&flag))
		;
	if (HOW == 3)
		pthread_mutex_lock(&held);
	if (HOW == 4) /* not touched before */
		sem_wait(&none);
	return 0;
}
C
expect 0 check never.c --ops 2 -- -DHOW=0
expect 1 check never.c --steps 1000 -- -DHOW=1; out_has "violation: endless loop at never.c:1"; out_has "client:"
expect 3 check never.c -- -DHOW=1; out_has "thread 1 does more than 20000 operations in one execution"; out_has "at never.c:1"
for how in 2 3 4; do
	expect 1 check never.c -- -DHOW=$how; out_has "violation: stuck"
	out_has "read() never returns, but by the specification it need not wait, whatever the order of the other calls"
done

# A specification that rejects what the object does even in a single thread.
cat >stack.c <<'C'
#include <linchpin.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t item[8];
static int count;
LP_SPEC("stack")
LP_METHOD(push, v)
{
	pthread_mutex_lock(&lock);
	item[count++] = v;
	pthread_mutex_unlock(&lock);
	return LP_VOID;
}
LP_METHOD(pop)
{
	pthread_mutex_lock(&lock);
	const int64_t v = count ? item[--count] : LP_EMPTY;
	pthread_mutex_unlock(&lock);
	return v;
}
C
expect 0 check stack.c; out_lacks "hint:"
expect 1 check "$here/../../examples/bug_treiber.c"; out_lacks "hint:" # two threads are needed
sed 's/"stack"/"queue"/; s/push/enqueue/; s/pop/dequeue/' stack.c >queue.c
expect 1 check queue.c; out_has "violation: not linearizable"
out_has "thread 1: enqueue(1)"; out_has "hint: one thread is enough for this: is it the specification of this object"
sed 's/return v;/return v == LP_EMPTY ? -1 : v;/' stack.c >minus.c
expect 1 check minus.c; out_has "pop() -> -1"; out_has "hint: one thread is enough"
# A specification that accepts nothing.
cat >never_accepts.c <<'C'
#include <linchpin.h>
static enum lp_answer no(struct lp_state *s, const struct lp_spec_call *c) { (void)s; (void)c; return LP_REJECTS; }
static const struct lp_method methods[] = { { "touch", 0, LP_NOTHING, 0, no } };
static const struct lp_kind strict = { "strict", "nothing is right", LP_DATA_NONE, false, methods, 1, 0, 0, 0, 0 };
LP_SPEC_OWN(strict)
LP_METHOD(touch) { return LP_VOID; }
C
expect 1 check never_accepts.c; out_has "touch()"; out_has "hint: one thread is enough"; out_has "spec         strict"
# LP_VOID is the result of a method that returns nothing.
sed 's/return LP_REJECTS;/return lp_answers(c, LP_VOID);/' never_accepts.c >says_void.c
expect 0 check says_void.c --ops 2
sed 's/return LP_REJECTS;/return lp_answers(c, 0);/' never_accepts.c >says_zero.c
expect 1 check says_zero.c --ops 2
# Clients that unlock what they have not locked: the harness allows it.  Any thread may release a semaphore.
cat >unlocks.c <<'C'
#include <linchpin.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
LP_SPEC("lock")
LP_METHOD(lock) { pthread_mutex_lock(&m); return LP_VOID; }
LP_METHOD(unlock) { pthread_mutex_unlock(&m); return LP_VOID; }
C
expect 1 check unlocks.c
out_has 'hint: unlock() is called by a thread that holds nothing. If no client does that, say so in the harness: LP_AFTER("unlock", "lock")'
expect 1 states unlocks.c
out_has 'hint: unlock() is called by a thread that holds nothing. If no client does that, say so in the harness: LP_AFTER("unlock", "lock")'
{ cat unlocks.c; echo 'LP_AFTER("unlock", "lock")'; } >says.c
expect 0 check says.c --ops 3
# A failed try has not acquired the lock.  A single thread does not show this, because it would hold the lock itself.
cat >tries.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int held;
LP_SPEC("lock")
LP_METHOD(trylock) { return !atomic_exchange(&held, 1); }
LP_METHOD(unlock) { atomic_store(&held, 0); return LP_VOID; }
LP_AFTER("unlock", "trylock")
C
for command in check states; do
	expect 1 $command tries.c
	out_has 'or after a try that failed. If no client does that, say so in the harness: LP_AFTER_TRUE("unlock", "trylock"), not LP_AFTER'
	out_lacks "one thread is enough"
done
sed 's/LP_AFTER(/LP_AFTER_TRUE(/' tries.c >succeeded.c
expect 0 check succeeded.c --ops 3
cat >permits.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int permits = 1;
LP_SPEC("semaphore")
LP_METHOD(try_acquire) { int n = permits; if (!n) return 0; permits = n - 1; return 1; }
LP_METHOD(release) { atomic_fetch_add(&permits, 1); return LP_VOID; }
C
expect 1 check permits.c
out_lacks "holds nothing"
finish
