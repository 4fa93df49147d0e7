/* test_stream.c -- rings and rounds, one moment after the other.
 *
 * Threads are played by one, as in test_live.c, so that each case is the same every time:
 *   - a thread that is in a call while recording is switched on again does not keep the
 *     others from being checked when it has left it, whether it calls again or not;
 *   - while it is in that call, nothing is said;
 *   - nor is while recording is off: a look at a stack would miss what is popped meanwhile;
 *   - the ring of a thread that has ended is for another one, even if it was not read yet:
 *     however many threads come and go between two rounds, there are as many rings as threads at a
 *     time, and every call is still known by the number of its thread;
 *   - a thread that gets no ring stops the check only as long as it is in calls.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "monitor/stream.h"

enum { THREADS = 2, SCALE = 16 };

static int failures;

static void expect(bool claim, const char *what)
{
	printf("%-4s %s\n", claim ? "ok" : "FAIL", what);
	failures += !claim;
}

struct play {
	uint64_t clock;
	struct lp_monitor_face face[THREADS]; /* each thread has a slot of its own */
	struct lp_rings rings;
	struct lp_stream stream;
	struct lp_spec spec;
	uint32_t insert, remove;
};

static void play_open(struct play *p, const char *kind)
{
	static uint64_t id = 1000;
	struct lp_error error;

	*p = (struct play){ .clock = SCALE };
	id++;
	for (uint32_t t = 0; t < THREADS; t++)
		p->face[t] = (struct lp_monitor_face){
			.clock = &p->clock, .id = id, .every = UINT64_MAX, .slot = t,
			.mode = LP_MONITOR_RECORDS | LP_MONITOR_FENCES };
	if (!lp_spec_parse(&p->spec, kind, &error) || !lp_rings_open(&p->rings, THREADS, 64) ||
	    !lp_stream_open(&p->stream, &p->rings, &p->face[0]) ||
	    !lp_live_open(&p->stream.live, lp_live_kind_of(&p->spec, false), &p->spec, 64, 0))
		exit(1);
	p->insert = lp_method_named(p->spec.kind, "insert", 6); /* as both call it, too */
	p->remove = lp_method_named(p->spec.kind, "remove", 6);
	p->stream.has_live = true;
	lp_stream_begin(&p->stream, false);
	for (uint32_t t = 0; t < THREADS; t++)
		lp_rings_enter(&p->rings, id, t);
}

static void play_close(struct play *p)
{
	lp_stream_close(&p->stream);
	for (uint32_t t = 0; t < THREADS; t++) {
		lp_monitor_rings[t] = NULL;
		lp_ring_at(&p->rings, t)->state = LP_RING_LEFT;
	}
	lp_rings_close(&p->rings, false);
}

/* There is one face in real life. */
static void share_mode(struct play *p)
{
	for (uint32_t t = 1; t < THREADS; t++) {
		p->face[t].mode = p->face[0].mode;
		p->face[t].muted_at = p->face[0].muted_at;
	}
}

static void call(struct play *p, uint32_t thread, uint32_t method, int64_t arg, int64_t result)
{
	p->clock += SCALE;
	const struct lp_monitor_call c = lp_monitor_call((void *)&p->face[thread]);
	p->clock += SCALE;
	lp_monitor_return(c, (int)method, arg, result);
}

static void rounds(struct play *p, int count)
{
	while (count-- > 0)
		lp_stream_round(&p->stream);
	share_mode(p);
}

static void mute(struct play *p)
{
	lp_stream_mute(&p->stream);
	rounds(p, 2);
}

static void unmute(struct play *p)
{
	lp_stream_unmute(&p->stream);
	rounds(p, 1);
}

/* A value that was certainly never inserted. */
static uint64_t violations_after_nonsense(struct play *p)
{
	call(p, 0, p->insert, 1, LP_VOID);
	call(p, 0, p->insert, 2, LP_VOID);
	call(p, 0, p->remove, LP_VOID, 2);
	call(p, 0, p->remove, LP_VOID, 1);
	rounds(p, 4);
	return p->stream.violations;
}

static void test_mute(bool calls_again)
{
	struct play p;

	play_open(&p, "queue");
	call(&p, 0, p.insert, 7, LP_VOID);
	rounds(&p, 2);
	mute(&p);
	const struct lp_monitor_call unheard = lp_monitor_call((void *)&p.face[1]);
	unmute(&p);
	expect(p.stream.muting.unmuting && p.stream.muting.rings == 1, "somebody is in a call that is not recorded");
	expect(!violations_after_nonsense(&p), "which may explain anything");
	lp_monitor_return(unheard, (int)p.insert, 5, LP_VOID);
	if (calls_again)
		call(&p, 1, p.insert, 6, LP_VOID);
	rounds(&p, 2);
	expect(!p.stream.muting.unmuting && !p.stream.muting.muted,
	       calls_again ? "it is over when another one is recorded" :
			     "it is over, and heard of without another call");
	expect(lp_ring_at(&p.rings, 1)->face.skipped == 1, "and counted");
	expect(violations_after_nonsense(&p) == 1, "nonsense is found again");
	play_close(&p);
}

static void test_look(void)
{
	struct play p;

	play_open(&p, "stack");
	call(&p, 0, p.insert, 1, LP_VOID);
	call(&p, 0, p.insert, 2, LP_VOID);
	p.clock += SCALE;
	const struct lp_monitor_call pop = lp_monitor_call((void *)&p.face[1]);
	p.clock += SCALE;
	mute(&p);
	call(&p, 0, p.remove, LP_VOID, 2); /* not reported */
	p.clock += SCALE;
	lp_monitor_return(pop, (int)p.remove, LP_VOID, 1);
	p.clock += SCALE;
	rounds(&p, 3);
	expect(p.stream.gap.open && p.stream.calls == 3, "what is below another leaves, and something is lost");
	lp_stream_look(&p.stream);
	expect(!p.stream.violations, "a look sees nothing");
	play_close(&p);
}

/* As the end of its thread does. */
static void end_thread(struct lp_ring *r)
{
	r->state = LP_RING_LEFT;
	lp_monitor_rings[r->slot] = NULL;
}

static void test_rings(void)
{
	struct play p;

	play_open(&p, "queue");
	struct lp_ring *r = lp_ring_at(&p.rings, 1);
	call(&p, 1, p.insert, 7, LP_VOID);
	end_thread(r);
	expect(r->state == LP_RING_LEFT && r->face.head == 2, "a thread has ended and left a record");
	expect(lp_rings_enter(&p.rings, p.face[1].id, 1) == r, "another takes its ring before it is read");
	call(&p, 1, p.remove, LP_VOID, 7);
	rounds(&p, 3);
	expect(p.stream.calls == 2 && !p.stream.violations && !p.stream.gaps, "and both are heard");
	play_close(&p);
}

/* Who made the calls of the last violation. */
static uint32_t core_threads[LP_LIVE_CORE], core_count;

static void keep_core(struct lp_stream *s, void *unused)
{
	(void)unused;
	core_count = s->live.core_count;
	for (uint32_t i = 0; i < core_count; i++)
		core_threads[i] = s->live.core[i].thread;
}

/* Ten threads, one after the other, a call each, in the same tick or not: the ninth and tenth
 * find nothing, though the eighth left a value. */
static void test_turns(bool same_tick)
{
	struct play p;

	play_open(&p, "queue");
	p.stream.report = keep_core;
	core_count = 0;
	for (int i = 2; i < 10; i++) { /* 0 and 1 have been there since the beginning */
		if (!same_tick || i == 9)
			p.clock += SCALE;
		const struct lp_monitor_call c = lp_monitor_call((void *)&p.face[1]);
		if (i < 9)
			lp_monitor_return(c, (int)p.insert, i, LP_VOID);
		else
			lp_monitor_return(c, (int)p.remove, LP_VOID, LP_EMPTY);
		end_thread(lp_ring_at(&p.rings, 1));
		lp_rings_enter(&p.rings, p.face[1].id, 1);
	}
	rounds(&p, 3);
	expect(p.stream.calls == 8 && p.stream.violations == 1, "eight threads had the same ring");
	bool good = core_count == 2;
	for (uint32_t i = 0; good && i < 2; i++)
		good = core_threads[i] >= 1 && core_threads[i] <= 8;
	expect(good && core_threads[0] != core_threads[1] &&
		       (core_threads[0] == 8 || core_threads[1] == 8),
	       "and each call is known to be of its own");
	play_close(&p);
}

/* A ring is full after a few threads, none of which made many calls. */
static void test_full(void)
{
	struct play p;
	uint32_t threads = 0;

	play_open(&p, "queue");
	struct lp_ring *r = lp_ring_at(&p.rings, 1);
	for (; (p.face[1].mode & LP_MONITOR_RECORDS) && threads < 100; threads++) {
		call(&p, 1, p.insert, 100 + threads, LP_VOID);
		call(&p, 1, p.remove, LP_VOID, 100 + threads);
		end_thread(r);
		lp_rings_enter(&p.rings, p.face[1].id, 1);
	}
	expect(threads < 40, "a ring of 64 records is full, and recording stops");
	p.face[0].mode = p.face[1].mode;
	p.face[0].muted_at = p.face[1].muted_at;
	rounds(&p, 3);
	expect(p.stream.muting.muted && p.stream.gap.loss && p.stream.drained, "which is told");
	unmute(&p);
	p.clock += SCALE;
	rounds(&p, 2);
	expect(!p.stream.gap.open && !p.stream.muting.muted, "it goes on, even without a call");
	p.stream.gap.loss = NULL;
	expect(violations_after_nonsense(&p) == 1 && !p.stream.gap.loss, "and nonsense is found");
	play_close(&p);
}

/* Two rings, three threads. */
static void test_outside(void)
{
	struct play p;

	play_open(&p, "queue");
	rounds(&p, 2);
	expect(!lp_rings_enter(&p.rings, p.face[0].id, 5), "there is no ring for a third thread");
	rounds(&p, 1);
	expect(p.stream.gap.deaf && p.stream.gap.loss, "which is told");
	expect(!violations_after_nonsense(&p), "while it is in a call, it may explain anything");
	lp_rings_outside_ends(&p.rings);
	p.clock += SCALE;
	rounds(&p, 2);
	expect(!p.stream.gap.deaf && !p.stream.gap.open, "when it has left, the check goes on");
	expect(violations_after_nonsense(&p) == 1, "and nonsense is found");
	expect(!lp_rings_enter(&p.rings, p.face[0].id, 5), "it calls again,");
	lp_rings_outside_ends(&p.rings);
	rounds(&p, 1);
	expect(p.stream.gap.deaf, "and is noticed, though it has returned");
	play_close(&p);
}

/* A thread ends in a call; the next one has its ring, and what was lost is not lost sight of. */
static void test_left(bool calls)
{
	struct play p;

	play_open(&p, "queue");
	rounds(&p, 2);
	p.clock += SCALE;
	lp_monitor_call((void *)&p.face[1]);
	lp_monitor_rings[1] = &lp_ring_at(&p.rings, 1)->face;
	lp_rings_enter(&p.rings, p.face[1].id, 1); /* leaves it, and takes it again */
	if (calls)
		call(&p, 1, p.insert, 7, LP_VOID);
	rounds(&p, 3);
	expect(p.stream.gaps == 1 && p.stream.gap.loss, "a call that was never left is a gap");
	p.clock += SCALE;
	rounds(&p, 2);
	expect(!p.stream.gap.open, "which is over");
	expect(violations_after_nonsense(&p) == 1, "and nonsense is found");
	play_close(&p);
}

/* A call on a set was left by a jump while another thread was still in one that is not recorded: the gap lasts until both are
 * over.  The call that was left outlasts the other, and removes 7 in between. */
static void test_two_gaps(void)
{
	struct play p;

	play_open(&p, "set");
	rounds(&p, 2);
	mute(&p);
	const struct lp_monitor_call unheard = lp_monitor_call((void *)&p.face[1]);
	unmute(&p);
	p.clock += SCALE;
	lp_monitor_call((void *)&p.face[0]); /* never returns */
	p.clock += SCALE;
	lp_monitor_return(unheard, (int)p.insert, 6, 1);
	for (int i = 0; i < 3; i++)
		call(&p, 1, p.insert, 7, i != 1);
	call(&p, 0, p.insert, 7, 0);
	p.clock += SCALE;
	rounds(&p, 4);
	expect(!p.stream.violations, "a call that was left outlasts one that is not recorded");
	for (int i = 0; i < 2; i++)
		call(&p, 1, p.insert, 8, 1);
	p.clock += SCALE;
	rounds(&p, 2);
	expect(!p.stream.gap.open && p.stream.violations == 1, "and nonsense is found later");
	play_close(&p);
}

int main(void)
{
	test_mute(false);
	test_mute(true);
	test_look();
	test_rings();
	test_turns(false);
	test_turns(true);
	test_full();
	test_outside();
	test_left(false);
	test_left(true);
	test_two_gaps();
	return failures != 0;
}
