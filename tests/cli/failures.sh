#!/usr/bin/env bash
# failures.sh LINCHPIN -- calls that may fail, and specifications that keep data outside their state.
. "$(cd "$(dirname "$0")" && pwd)/lib.sh"

# ---- parameters ----
expect 0 specs queue; out_has weak; out_has contended; out_has failing
expect 0 specs work_stealing; out_has losing
printf '0 1 2 enqueue 1 true\n1 3 4 dequeue - empty\n' >alone.tab
expect 2 history alone.tab --spec queue:weak,failing; says "parameters 'weak' and 'failing' of queue exclude each other"; alone
expect 2 history alone.tab --spec queue:weak,blocking; says "exclude each other"; alone
expect 2 history alone.tab --spec lock:weak; says "lock has no parameter 'weak'"; alone

# ---- histories: nothing overlaps; a slow insertion hides the next value; another one does not matter ----
expect 1 history alone.tab --spec queue:weak; out_has "not linearizable"
expect 1 history alone.tab --spec queue:contended
expect 0 history alone.tab --spec queue:failing
printf '0 1 9 enqueue 1 true\n1 2 3 enqueue 2 true\n2 4 5 dequeue - empty\n2 6 7 dequeue - 1\n' >slow.tab
expect 1 history slow.tab --spec queue
expect 0 history slow.tab --spec queue:weak; out_has search
expect 0 history slow.tab --spec queue:contended; out_lacks search
printf '0 1 2 enqueue 1 true\n0 3 4 enqueue 2 true\n0 5 6 enqueue 3 true\n1 7 9 enqueue 4 true\n2 8 10 dequeue - empty\n' >other.tab
expect 1 history other.tab --spec queue:weak
expect 0 history other.tab --spec queue:contended
# A slow removal keeps its slot; if another slot is unused, this is not a reason to fail.
printf '0 1 2 enqueue 1 true\n0 3 4 enqueue 2 true\n1 5 14 dequeue - 1\n2 6 7 dequeue - 2\n0 8 9 enqueue 3 false\n' >slot.tab
expect 1 history slot.tab --spec queue:bounded=2
expect 0 history slot.tab --spec queue:bounded=2,weak
expect 1 history slot.tab --spec queue:bounded=3,weak
printf '0 1 2 trylock - false\n' >try.tab
expect 1 history try.tab --spec lock
expect 1 history try.tab --spec lock:contended
expect 0 history try.tab --spec lock:failing
printf '0 1 2 push 1 true\n0 3 4 push 2 true\n1 5 8 steal - 1\n2 6 7 steal - empty\n' >steal.tab
expect 1 history steal.tab --spec work_stealing
expect 0 history steal.tab --spec work_stealing:losing
printf '0 1 2 insert 1,8 true\n0 3 4 insert 1,9 true\n0 5 6 insert 2,7 true\n0 7 8 remove - 9\n0 9 10 remove - 8\n' >scores.tab
expect 0 history scores.tab --spec scored_queue
expect 1 history scores.tab --spec scored_queue:max

# ---- commands that cannot judge such calls say so ----
expect 2 history slow.tab --spec queue:weak --prop sequential; says "explained by calls that overlap"; alone
expect 2 history slow.tab --spec queue:weak --prop quasi:dequeue=1; says "whose calls may fail"; alone
expect 3 history slow.tab --spec queue:failing --ak 2; out_has "A_2 sees nothing wrong"
expect 3 history slow.tab --spec queue:weak --ak 2; out_has "A_2 sees nothing wrong"
printf '0 1 2 enqueue 1 ?\n' >unknown.tab
expect 2 history unknown.tab --spec queue:failing; says "the result of a call that may fail must be known"; alone
cat >spin.c <<'H'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_flag f = ATOMIC_FLAG_INIT;
#ifndef SPEC
#define SPEC "lock:failing"
#endif
LP_SPEC(SPEC)
LP_AFTER_TRUE("unlock", "trylock")
#ifdef GIVES_UP
static atomic_int taken;
LP_METHOD(trylock) { int free = 0; return atomic_compare_exchange_weak(&taken, &free, 1); }
LP_METHOD(unlock) { atomic_store(&taken, 0); return LP_VOID; }
#else
LP_METHOD(trylock) { return !atomic_flag_test_and_set(&f); }
LP_METHOD(unlock) { atomic_flag_clear(&f); return LP_VOID; }
#endif
H
expect 0 check spin.c --ops 3 -- -DSPEC='"lock"'
expect 1 check spin.c --ops 3 -- -DGIVES_UP -DSPEC='"lock"'
expect 1 check spin.c --ops 3 -- -DGIVES_UP -DSPEC='"lock:contended"'
expect 0 check spin.c --ops 3 -- -DGIVES_UP
expect 2 check spin.c --ops 3 --prop sequential -- -DSPEC='"lock:contended"'; says "explained by calls that overlap"
expect 0 states spin.c -- -DSPEC='"lock:contended"'
expect 1 states spin.c -- -DGIVES_UP -DSPEC='"lock:contended"'
expect 2 states spin.c --prop sequential -- -DSPEC='"lock:contended"'; says "sequential: not for a lock whose failures"
expect 1 states spin.c -- -DGIVES_UP -DSPEC='"lock"'
expect 0 states spin.c -- -DGIVES_UP

# ---- a user's specification may look at overlapping calls, but must keep nothing outside its state ----
cat >cell.c <<'H'
#include <linchpin.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_long v;
#ifdef EACH_THREAD
static _Thread_local
#else
static
#endif
int64_t kept, *block;
static enum lp_answer put(struct lp_state *s, const struct lp_spec_call *c)
{
	(void)s;
#if defined KEEPS
	kept = c->arg[0];
#elif defined COUNTS
	kept++;
#endif
	s->at[0] = c->arg[0];
	return LP_ACCEPTS;
}
static enum lp_answer get(struct lp_state *s, const struct lp_spec_call *c)
{
#ifdef KEEPS
	return lp_answers(c, kept);
#elif defined ALLOCATES
	block = block ? block : calloc(1, sizeof *block);
	return lp_answers(c, (*block)++);
#else
	static bool ready; /* does no harm */
	ready = true;
	if (lp_answers(c, LP_NIL) == LP_ACCEPTS && c->result && c->overlap && c->overlap->count)
		return LP_ACCEPTS;
	return lp_answers(c, s->at[0] + kept * !ready);
#endif
}
static void begin(struct lp_state *s, const int64_t *param) { (void)param; lp_state_push(s, 0); }
static const struct lp_method methods[] = { { "put", 1, LP_NOTHING, LP_INSERTS, put }, { "get", 0, LP_VALUE, LP_READS, get } };
static const struct lp_kind cell = { .name = "cell", .data = LP_DATA_EQUALITY, .methods = methods, .method_count = 2,
				     .begin = begin, .overlaps = true };
LP_SPEC_OWN(cell)
static atomic_int busy;
LP_METHOD(put, x) { atomic_store(&busy, 1); atomic_store(&v, x); atomic_store(&busy, 0); return LP_VOID; }
#ifdef LAZY
LP_METHOD(get) { return LP_NIL; }
#else
LP_METHOD(get) { return atomic_load(&busy) ? LP_NIL : atomic_load(&v); }
#endif
H
expect 0 check cell.c --ops 2; out_has verified
expect 1 check cell.c --ops 2 -- -DLAZY; out_has "not linearizable"
expect 2 states cell.c; says "not for a cell whose failures"
expect 2 check cell.c -- -DKEEPS; says "the specification 'cell' keeps something outside its state: 'get'"; alone
expect 2 check cell.c -- -DCOUNTS; says "keeps something outside its state: 'put' changes a variable"; alone
expect 2 check cell.c -- -DCOUNTS -DEACH_THREAD; says "keeps something outside its state: 'put' changes a variable"; alone
expect 2 check cell.c -- -DALLOCATES; says "the specification 'cell' keeps something outside its state: 'get'"; alone
expect 2 check cell.c -- -DALLOCATES -DEACH_THREAD; says "the specification 'cell' keeps something outside its state: 'get' does not always"; alone
printf '0 1 2 put 1 -\n0 3 4 get - 1\n' >cell.tab
expect 0 history cell.tab --spec cell.c
expect 2 history cell.tab --spec cell.c -- -DCOUNTS; says "keeps something outside its state"; alone
finish
