/* quiet.c -- sets of possible states at quiet moments.
 *
 * The operations between two quiet moments are run in all orders from each state in which they can begin.  This is
 * only done if there are few operations and few states, as is usual for locks and semaphores.  If there are more, the
 * second moment and all later ones are ignored.
 */
#include "check/history/quiet.h"

#include <string.h>

#include "base/fingerprints.h"
#include "base/hash.h"
#include "base/vec.h"
#include "check/sort.h"

enum { MOST_OPS = 48, MOST_STATES = 64, MOST_STEPS = 100000 };

struct states {
	LP_VEC(struct lp_state);
};

struct stretch {
	const struct lp_problem *p;
	uint32_t ops[MOST_OPS];
	uint32_t count;
	uint64_t done;
	struct states *after;
	struct lp_fingerprints seen;
	uint32_t steps;
	bool too_much;
};

static struct lp_fingerprint print_of(const struct lp_state *s, uint64_t done)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_word(&f, done);
	for (uint32_t i = 0; i < s->count; i++)
		lp_fingerprint_word(&f, (uint64_t)s->at[i]);
	return f;
}

static void states_close(struct states *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		lp_state_close(&s->at[i]);
	lp_free(s->at);
	*s = (struct states){ 0 };
}

static void states_add(struct states *s, const struct lp_state *state)
{
	struct lp_state copy;

	for (uint32_t i = 0; i < s->count; i++)
		if (lp_state_equal(&s->at[i], state))
			return;
	lp_state_open(&copy);
	lp_state_copy(&copy, state);
	LP_PUSH(s, copy);
}

static bool is_ready(const struct stretch *t, uint32_t i)
{
	for (uint32_t j = 0; j < t->count; j++)
		if (!(t->done >> j & 1) && t->p->ops[t->ops[j]].end < t->p->ops[t->ops[i]].start)
			return false;
	return !(t->done >> i & 1);
}

static void run(struct stretch *t, const struct lp_state *from);

static void run_op(struct stretch *t, uint32_t i, const struct lp_state *from, struct lp_state *to)
{
	struct lp_spec_call call = lp_problem_call(t->p, t->ops[i]);
	const struct lp_history_op *op = &t->p->ops[t->ops[i]];
	const bool chooses = lp_op_method(t->p, op)->roles & LP_CHOOSES;

	do {
		t->too_much |= ++t->steps > MOST_STEPS;
		lp_state_copy(to, from);
		if (t->too_much || lp_spec_step(&t->p->spec, op->method, to, &call) != LP_ACCEPTS)
			return;
		t->done |= UINT64_C(1) << i;
		run(t, to);
		t->done &= ~(UINT64_C(1) << i);
		call.choice++;
	} while (chooses);
}

/* Runs the remaining operations in all orders. */
static void run(struct stretch *t, const struct lp_state *from)
{
	struct lp_state to;

	if (!lp_fingerprints_add(&t->seen, print_of(from, t->done)))
		return;
	if (t->done == (UINT64_C(1) << t->count) - 1) {
		states_add(t->after, from);
		t->too_much |= t->after->count > MOST_STATES;
		return;
	}
	lp_state_open(&to);
	for (uint32_t i = 0; i < t->count && !t->too_much; i++)
		if (is_ready(t, i))
			run_op(t, i, from, &to);
	lp_state_close(&to);
}

/* A quiet moment: the rank after it, and the set of states. */
struct moment {
	uint32_t rank;
	uint32_t stay; /* operations before it that stay */
	struct states states;
};

struct moments {
	LP_VEC(struct moment);
};

static bool same_states(const struct states *a, const struct states *b)
{
	for (uint32_t i = 0; i < a->count; i++) {
		bool there = false;
		for (uint32_t j = 0; j < b->count && !there; j++)
			there = lp_state_equal(&a->at[i], &b->at[j]);
		if (!there)
			return false;
	}
	return a->count == b->count;
}

/* Finds the moments up to the first one that is too expensive, or at which no state is possible. */
static void find_moments(const struct lp_problem *p, const bool *stays, struct moments *all)
{
	struct stretch t = { .p = p };
	struct lp_state first;
	uint32_t open = 0, stay = 0;

	LP_PUSH(all, (struct moment){ 0 });
	lp_state_open(&first);
	lp_state_begin(&first, &p->spec);
	states_add(&LP_LAST(all).states, &first);
	lp_state_close(&first);
	for (uint32_t rank = 0; rank < p->ranks; rank++) {
		const bool ends = p->events[rank] & 1;
		if (!ends && t.count == MOST_OPS)
			break;
		if (!ends) {
			stay += stays[p->events[rank] / 2];
			t.ops[t.count++] = p->events[rank] / 2;
		}
		open += ends ? UINT32_MAX : 1;
		if (open)
			continue;
		struct states after = { 0 };
		t.after = &after;
		for (uint32_t i = 0; i < LP_LAST(all).states.count && !t.too_much; i++)
			run(&t, &LP_LAST(all).states.at[i]);
		lp_fingerprints_clear(&t.seen);
		t.count = 0;
		if (t.too_much || !after.count) {
			states_close(&after);
			break;
		}
		LP_PUSH(all, (struct moment){ rank + 1, stay, after });
	}
	lp_fingerprints_close(&t.seen);
}

/* Returns, for each moment, the last moment with the same set of states such that no operation between the two
 * must stay. */
static uint32_t *last_alike(const struct moments *all)
{
	int64_t *hash = lp_alloc_zero(all->count, sizeof *hash);
	uint32_t *number = lp_alloc(sizeof *number * all->count);
	uint32_t *last = lp_alloc(sizeof *last * all->count);

	for (uint32_t i = 0; i < all->count; i++) { /* the order of the states in the set does not matter */
		hash[i] = (int64_t)all->at[i].stay << 32;
		for (uint32_t j = 0; j < all->at[i].states.count; j++)
			hash[i] += (int64_t)(print_of(&all->at[i].states.at[j], 0).a >> 32);
	}
	const uint32_t classes = lp_sort_number_values(hash, all->count, number);
	uint32_t *of = lp_alloc(sizeof *of * (classes + 1));
	for (uint32_t i = 0; i < all->count; i++)
		of[number[i]] = i;
	for (uint32_t i = 0; i < all->count; i++) {
		last[i] = of[number[i]];
		if (all->at[i].stay != all->at[last[i]].stay || !same_states(&all->at[i].states, &all->at[last[i]].states))
			last[i] = i;
	}
	lp_free(of);
	lp_free(number);
	lp_free(hash);
	return last;
}

uint32_t lp_quiet_cut(const struct lp_problem *p, const bool *stays, uint32_t *ops)
{
	struct moments all = { 0 };
	uint32_t count = 0;

	if (!lp_spec_has_meetings(&p->spec))
		find_moments(p, stays, &all);
	uint32_t *last = last_alike(&all);
	for (uint32_t at = 0; at < all.count; at++) {
		at = last[at];
		/* Keep the stretch that follows. */
		const uint32_t to = at + 1 < all.count ? all.at[at + 1].rank : p->ranks;
		for (uint32_t rank = all.at[at].rank; rank < to; rank++)
			if (!(p->events[rank] & 1))
				ops[count++] = p->events[rank] / 2;
	}
	lp_free(last);
	for (uint32_t i = 0; i < all.count; i++)
		states_close(&all.at[i].states);
	if (!all.count)
		for (; count < p->count; count++)
			ops[count] = count;
	lp_free(all.at);
	return count;
}
