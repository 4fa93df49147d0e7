/* sweep.c -- just-in-time linearization. */
#include "check/history/sweep.h"

#include <string.h>

#include "base/vec.h"

enum { SLOTS = 64, MOST = 2048, MOST_WORDS = 128 };

struct possibility {
	uint64_t done; /* of the open calls, by slot */
	struct lp_state state;
};

/* Those beyond `count` are kept for their memory. */
struct possibilities {
	LP_VEC(struct possibility);
	uint32_t made;
};

struct sweep {
	const struct lp_problem *p;
	uint32_t open[SLOTS]; /* operations; LP_NO_OP: free */
	struct possibilities now, next;
	struct lp_state trial;
	bool too_much;
};

/* Adds a possibility, unless it is there already. */
static void add(struct sweep *s, struct possibilities *to, uint64_t done, const struct lp_state *state)
{
	for (uint32_t i = 0; i < to->count; i++)
		if (to->at[i].done == done && lp_state_equal(&to->at[i].state, state))
			return;
	if (to->count == MOST || state->count > MOST_WORDS) {
		s->too_much = true;
		return;
	}
	if (to->count == to->made) {
		struct possibility empty = { 0 };
		lp_state_open(&empty.state);
		LP_RESERVE(to, 1);
		to->at[to->made++] = empty;
	}
	to->at[to->count].done = done;
	lp_state_copy(&to->at[to->count++].state, state);
}

/* The operation takes effect, in every way that it can. */
static void take_effect(struct sweep *s, struct possibilities *to, const struct possibility *from, uint32_t slot)
{
	const struct lp_problem *p = s->p;
	const struct lp_history_op *op = &p->ops[s->open[slot]];
	const struct lp_method *m = lp_op_method(p, op);
	const int64_t args[] = { op->arg, op->result };
	struct lp_spec_call call = { .arg = args, .args = m->args, .results = op->results,
				     .thread = op->call /* lp_problem_take() */ };

	if (op->results != LP_RESULT_UNKNOWN)
		call.result = op->results > 1 ? p->history->values.at + op->result : &op->result;
	do {
		lp_state_copy(&s->trial, &from->state);
		if (lp_spec_step(&p->spec, op->method, &s->trial, &call) != LP_ACCEPTS)
			return;
		add(s, to, from->done | UINT64_C(1) << slot, &s->trial);
		call.choice++;
	} while ((m->roles & LP_CHOOSES) && !s->too_much);
}

/* Computes all possibilities at the end of the slot's call. */
static void end_call(struct sweep *s, uint32_t slot)
{
	const uint64_t bit = UINT64_C(1) << slot;

	s->next.count = 0;
	/* Possibilities in which the call has not taken effect are extended later in this loop. */
	for (uint32_t i = 0; i < s->now.count && !s->too_much; i++) {
		if (s->now.at[i].done & bit) {
			add(s, &s->next, s->now.at[i].done & ~bit, &s->now.at[i].state);
			continue;
		}
		for (uint32_t other = 0; other < SLOTS && !s->too_much; other++) {
			if (s->open[other] == LP_NO_OP || (s->now.at[i].done >> other & 1))
				continue;
			LP_RESERVE(&s->now, 1); /* so that adding does not move the current
						 * element */
			const struct possibility from = s->now.at[i];
			take_effect(s, &s->now, &from, other);
		}
	}
	s->open[slot] = LP_NO_OP;
	const struct possibilities swap = s->now;
	s->now = s->next;
	s->next = swap;
}

static bool start_call(struct sweep *s, uint32_t op)
{
	uint32_t slot = 0;

	while (slot < SLOTS && s->open[slot] != LP_NO_OP)
		slot++;
	if (slot < SLOTS)
		s->open[slot] = op;
	return slot < SLOTS;
}

static uint32_t slot_of(const struct sweep *s, uint32_t op)
{
	uint32_t slot = 0;

	while (s->open[slot] != op)
		slot++;
	return slot;
}

static void possibilities_close(struct possibilities *p)
{
	for (uint32_t i = 0; i < p->made; i++)
		lp_state_close(&p->at[i].state);
	lp_free(p->at);
}

bool lp_sweep_finds_right(const struct lp_problem *p)
{
	struct sweep s = { .p = p };

	if (lp_spec_has_meetings(&p->spec))
		return false;
	for (uint32_t m = 0; m < p->spec.kind->method_count; m++)
		if ((p->methods >> m & 1) && p->spec.kind->methods[m].args + (p->spec.kind->methods[m].result != LP_NOTHING) > 2)
			return false; /* an operation has two words */
	memset(s.open, 0xff, sizeof s.open);
	lp_state_open(&s.trial);
	lp_state_begin(&s.trial, &p->spec);
	add(&s, &s.now, 0, &s.trial);
	for (uint32_t rank = 0; rank < p->ranks && s.now.count && !s.too_much; rank++) {
		const uint32_t op = p->events[rank] / 2;
		s.too_much |= !lp_problem_is_wanted(p, rank);
		if (p->events[rank] & 1)
			end_call(&s, slot_of(&s, op));
		else
			s.too_much |= !start_call(&s, op);
	}
	const bool right = s.now.count && !s.too_much;
	lp_state_close(&s.trial);
	possibilities_close(&s.now);
	possibilities_close(&s.next);
	return right;
}
