/* relaxed.c -- the queue, one step at a time, and its schedules, depth-first. */
#include "relaxed.h"

#include <string.h>

enum { SEGMENTS = 10, MOST_SLOTS = 4 };

/* Where a thread is: what it does in its next step. */
enum where {
	NOT_STARTED,
	READ_TAIL,  /* insert: which segment? */
	FIND_FREE,  /* insert: look at one slot */
	PUT,        /* insert: try to take it */
	RECHECK,    /* insert: is the segment still in use? */
	UNDO,       /* insert: no; take the value back, if it is still there */
	ADD,        /* insert: full; move the tail */
	READ_HEAD,  /* remove: which segment? */
	FIND_VALUE, /* remove: look at one slot */
	TAKE,       /* remove: try to take it */
	IS_LAST,    /* remove: nothing there; is it the last one? */
	ADVANCE,    /* remove: no; move the head */
	DONE,
};

struct thread {
	uint8_t where, segment, slot, looked, seen;
};

struct state {
	uint8_t slot[SEGMENTS][MOST_SLOTS]; /* 0: free */
	uint8_t head, tail;
	struct thread thread[MOST_OPS];
	struct op op[MOST_OPS];
	int8_t epoch;
	bool returned;
};

struct search {
	uint32_t inserts, ops, slots;
	uint64_t count, most;
	void (*each)(void *, const struct execution *);
	void *context;
};

static void finish(struct state *s, uint32_t t, uint8_t result)
{
	s->thread[t].where = DONE;
	s->op[t].end = s->epoch;
	s->op[t].result = (int8_t)result;
	s->returned = true;
}

/* The next slot to look at, or what to do when all have been. */
static void next_slot(const struct search *x, struct thread *me, enum where again, enum where all)
{
	me->slot = (uint8_t)((me->slot + 1) % x->slots);
	me->looked++;
	me->where = (uint8_t)(me->looked < x->slots ? again : all);
}

static void begin_segment(const struct search *x, struct thread *me, uint32_t t, uint8_t segment,
			  enum where next)
{
	me->segment = segment;
	me->looked = 0;
	me->slot = (uint8_t)(t % x->slots); /* threads begin at different ones */
	me->where = (uint8_t)next;
}

static void step(const struct search *x, struct state *s, uint32_t t)
{
	struct thread *me = &s->thread[t];
	uint8_t *slot = &s->slot[me->segment][me->slot];

	if (me->where == NOT_STARTED) {
		s->epoch = (int8_t)(s->epoch + s->returned);
		s->returned = false;
		s->op[t].start = s->epoch;
		me->where = t < x->inserts ? READ_TAIL : READ_HEAD;
	}
	switch ((enum where)me->where) {
	case READ_TAIL:
		begin_segment(x, me, t, s->tail, FIND_FREE);
		break;
	case FIND_FREE:
		if (*slot == 0)
			me->where = PUT;
		else
			next_slot(x, me, FIND_FREE, ADD);
		break;
	case PUT:
		if (*slot == 0) {
			*slot = (uint8_t)(t + 1);
			me->where = RECHECK;
		} else {
			me->where = READ_TAIL;
		}
		break;
	case RECHECK:
		if (s->head > me->segment)
			me->where = UNDO;
		else
			finish(s, t, 0);
		break;
	case UNDO:
		if (*slot == t + 1) {
			*slot = 0;
			me->where = READ_TAIL;
		} else {
			finish(s, t, 0);
		}
		break;
	case ADD:
		if (s->tail == me->segment && s->tail + 1 < SEGMENTS)
			s->tail++;
		me->where = READ_TAIL;
		break;
	case READ_HEAD:
		begin_segment(x, me, t, s->head, FIND_VALUE);
		break;
	case FIND_VALUE:
		me->seen = *slot;
		if (*slot)
			me->where = TAKE;
		else
			next_slot(x, me, FIND_VALUE, IS_LAST);
		break;
	case TAKE:
		if (*slot == me->seen) {
			*slot = 0;
			finish(s, t, me->seen);
		} else {
			me->where = READ_HEAD;
		}
		break;
	case IS_LAST:
		if (s->tail == me->segment)
			finish(s, t, 0);
		else
			me->where = ADVANCE;
		break;
	case ADVANCE:
		if (s->head == me->segment)
			s->head++;
		me->where = READ_HEAD;
		break;
	case NOT_STARTED:
	case DONE:
		break;
	}
}

/* The next thread after t, in turn, that is not done; t itself if it is the only one. */
static uint32_t turn(const struct search *x, const struct state *s, uint32_t t)
{
	for (uint32_t i = 1; i <= x->ops; i++)
		if (s->thread[(t + i) % x->ops].where != DONE)
			return (t + i) % x->ops;
	return x->ops;
}

static void explore(struct search *x, struct state s, uint32_t t, uint32_t delays)
{
	while (x->count < x->most) {
		const uint32_t other = turn(x, &s, t);
		if (delays && other != t)
			explore(x, s, other, delays - 1);
		step(x, &s, t);
		if (s.thread[t].where == DONE)
			t = turn(x, &s, t);
		if (t == x->ops) {
			struct execution e = { .inserts = x->inserts, .ops = x->ops };
			memcpy(e.op, s.op, sizeof e.op);
			if (x->count++ < x->most)
				x->each(x->context, &e);
			return;
		}
	}
}

uint64_t each_execution(uint32_t inserts, uint32_t removes, uint32_t slots, uint32_t delays,
			uint64_t most, void (*each)(void *, const struct execution *),
			void *context)
{
	struct search x = { inserts, inserts + removes, slots, 0, most, each, context };
	struct state s;

	memset(&s, 0, sizeof s);
	explore(&x, s, 0, delays);
	return x.count < most ? x.count : most;
}
