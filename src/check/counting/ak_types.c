/* ak_types.c -- decides whether A_k of a stack's history is correct, without missing a violation.
 *
 * The type of a removed value consists of the interval of its insertion and the interval of its removal.  Two values of the
 * same type are equivalent to one such value (Lemma 7.1 of the paper, see ak.h): in a run with one of them, the calls of the
 * other can be made directly beside its calls.  With places 0 .. k there are finitely many types.  So the removed values can
 * be represented by a set of types, and A_k of any history is equivalent to a history of bounded size, which the exact
 * checker decides.  The paper lists all impossible sets of types in a formula (section 7.2).  This module decides the sets
 * that occur, and caches the answers.
 *
 * Values that stay and have the same interval of insertion are equivalent, too.  Of these it is enough to keep one
 * more than there are removals that could have taken them.
 *
 * The reduced history is checked as the history of a non-blocking stack.  The reason is that it contains removals that found
 * nothing, and a blocking stack has no such removals.  A non-blocking stack can do everything that a blocking one can.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "check/counting/ak_state.h"
#include "check/history/fast/fast.h"
#include "check/history/search.h"

enum { REMEMBERED = 4096 }; /* the number of cached answers; a power of two */

static const uint64_t most_steps = 200000; /* beyond this there is no answer */

struct answer {
	struct lp_fingerprint key;
	bool bad;
};

struct lp_ak_types {
	unsigned places;
	uint64_t *set, *shifted; /* bits, by ((a * places + b) * places + c) * places + d */
	size_t words;
	struct lp_history history; /* the history of bounded size, which is rebuilt for each check */
	struct answer *answers;
};

struct lp_ak_types *lp_ak_types_open(unsigned k)
{
	const size_t places = (size_t)k + 1;

	if (k > LP_AK_MOST_COMPLETE)
		return NULL;
	struct lp_ak_types *t = lp_alloc_zero(1, sizeof *t);
	t->places = k + 1;
	t->words = (places * places * places * places + 63) / 64;
	t->set = lp_alloc_zero(t->words, sizeof *t->set);
	t->shifted = lp_alloc_zero(t->words, sizeof *t->shifted);
	t->answers = lp_alloc_zero(REMEMBERED, sizeof *t->answers);
	lp_history_method(&t->history, "push", 4);
	lp_history_method(&t->history, "pop", 3);
	return t;
}

void lp_ak_types_close(struct lp_ak_types *t)
{
	if (!t)
		return;
	lp_history_close(&t->history);
	lp_free(t->set);
	lp_free(t->shifted);
	lp_free(t->answers);
	lp_free(t);
}

static void put(const struct lp_ak_types *t, uint64_t *set, const uint32_t at[4])
{
	const uint32_t n = t->places, bit = ((at[0] * n + at[1]) * n + at[2]) * n + at[3];

	/* If both calls can be the first of all, the value does not matter. */
	if (at[0] || at[2])
		set[bit / 64] |= UINT64_C(1) << bit % 64;
}

/* Finds the next type in the set from `bit` on, as its four places. */
static bool next_type(const struct lp_ak_types *t, uint32_t *bit, uint32_t at[4])
{
	for (; *bit < t->words * 64; (*bit)++) {
		const uint64_t rest = t->set[*bit / 64] >> *bit % 64;
		if (!rest) {
			*bit |= 63;
			continue;
		}
		*bit += (uint32_t)__builtin_ctzll(rest);
		for (uint32_t i = 0, left = *bit; i < 4; i++, left /= t->places)
			at[3 - i] = left % t->places;
		(*bit)++;
		return true;
	}
	return false;
}

void lp_ak_types_shift(struct lp_ak *m)
{
	struct lp_ak_types *t = m->types;
	uint64_t *old = t->set;

	memset(t->shifted, 0, sizeof *t->shifted * t->words);
	for (uint32_t bit = 0, at[4]; next_type(t, &bit, at);) {
		for (uint32_t i = 0; i < 4; i++)
			at[i] -= at[i] > 0;
		put(t, t->shifted, at);
	}
	t->set = t->shifted;
	t->shifted = old;
}

void lp_ak_types_forget(struct lp_ak_types *t)
{
	memset(t->set, 0, sizeof *t->set * t->words);
}

void lp_ak_types_add(struct lp_ak *m, uint64_t in_start, uint64_t in_end, uint64_t out_start,
		     uint64_t out_end)
{
	const uint32_t at[4] = { lp_ak_place(m, in_start), lp_ak_place(m, in_end),
				 lp_ak_place(m, out_start), lp_ak_place(m, out_end) };

	put(m->types, m->types->set, at);
}

static void add_call(struct lp_ak_types *t, bool takes, uint32_t from, int64_t to, int64_t value)
{
	struct lp_call c = { .start = from, .end = to, .method = takes, .args = !takes,
			     .line = t->history.count + 1 };

	if (!takes)
		c.arg[0] = value;
	c.results = to == LP_PENDING ? LP_RESULT_UNKNOWN : 1;
	c.result = takes ? value : 1;
	LP_PUSH(&t->history, c);
}

/* Makes the reduced history, and returns its fingerprint. */
static struct lp_fingerprint reduce(struct lp_ak *m)
{
	struct lp_ak_types *t = m->types;
	struct lp_fingerprint key = LP_FINGERPRINT;
	const uint32_t top = lp_ak_top(m);
	uint64_t open_removals = 0;
	int64_t value = 0;

	t->history.count = 0;
	lp_fingerprint_word(&key, top);
	for (size_t i = 0; i < t->words; i++)
		lp_fingerprint_word(&key, t->set[i]);
	for (uint32_t bit = 0, at[4]; next_type(t, &bit, at);) {
		add_call(t, false, at[0], at[1], ++value);
		add_call(t, true, at[2], at[3], value);
	}
	for (uint32_t p = 0; p <= top; p++) {
		open_removals += m->open_removals[p];
		lp_fingerprint_word(&key, m->open_removals[p]);
		lp_fingerprint_word(&key, m->empty[p] == LP_AK_NO_EPOCH ?
						  m->k + 1 :
						  lp_ak_place(m, m->empty[p]));
		for (uint64_t i = 0; i < m->open_removals[p]; i++)
			add_call(t, true, p, LP_PENDING, 0);
		if (m->empty[p] != LP_AK_NO_EPOCH)
			add_call(t, true, p, lp_ak_place(m, m->empty[p]), LP_EMPTY);
	}
	for (uint32_t from = 0; from <= top; from++)
		for (uint32_t to = from; to <= top; to++) {
			uint64_t alike = m->live_span[lp_ak_cell(m, from, to)];
			if (alike > open_removals + 1)
				alike = open_removals + 1;
			lp_fingerprint_word(&key, alike);
			while (alike--)
				add_call(t, false, from, to, ++value);
		}
	/* Values that were removed before their insertions returned; there are at most as many as threads. */
	for (uint64_t i = 0, left = m->taken; left; i++) {
		const struct lp_ak_value *v = &m->values.at[i];
		if (!v->used || !v->taken)
			continue;
		left--;
		const uint32_t in = lp_ak_place(m, v->start), from = lp_ak_place(m, v->out_start);
		const uint32_t to = lp_ak_place(m, v->out_end);
		lp_fingerprint_word(&key, in);
		lp_fingerprint_word(&key, from);
		lp_fingerprint_word(&key, to);
		add_call(t, false, in, LP_PENDING, ++value);
		add_call(t, true, from, to, value);
	}
	return key;
}

static bool is_impossible(const struct lp_ak *m)
{
	const struct lp_search_limits limits = { .steps = most_steps };
	struct lp_witness witness = { 0 };
	enum lp_finding finding = LP_UNDECIDED;
	struct lp_spec spec = m->spec;
	struct lp_problem p;

	spec.param[lp_spec_param(&spec, "blocking")] = 0;
	if (!lp_problem_open(&p, &m->types->history, &spec, NULL))
		return false;
	const struct lp_fast *fast = lp_fast_for(&p);
	if (!fast || !fast->check(&p, &finding, &witness)) {
		struct lp_precedence order;
		struct lp_history_search found;
		lp_precedence_open(&order, &p, LP_LINEARIZABLE);
		finding = lp_search(&p, &order, &limits, &found);
		lp_search_close(&found);
		lp_precedence_close(&order);
	}
	lp_free(witness.at);
	lp_problem_close(&p);
	return finding == LP_WRONG;
}

bool lp_ak_types_fail(struct lp_ak *m)
{
	struct lp_ak_types *t = m->types;
	const struct lp_fingerprint key = reduce(m);
	struct answer *a = &t->answers[key.b & (REMEMBERED - 1)];

	if (a->key.a != key.a || a->key.b != key.b)
		*a = (struct answer){ key, is_impossible(m) };
	if (!a->bad)
		return false;
	/* Otherwise the violation would be reported again and again. */
	lp_ak_types_forget(t);
	for (uint32_t p = 0; p <= m->k; p++)
		m->empty[p] = LP_AK_NO_EPOCH;
	return lp_ak_violated(m, LP_AK_ANY, LP_VOID, LP_VOID);
}
