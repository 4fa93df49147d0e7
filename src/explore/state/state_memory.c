/* state_memory.c -- the words of a state, and accesses to parts of them. */
#include "explore/state/state_search.h"

#include "base/error.h"

void lp_search_put(struct lp_state_search *s, struct lp_snapshot *n, uint32_t word, uint64_t value,
		   bool by_process)
{
	LP_HOLDS(word < s->a.words.count);
	if (word >= LP_STATE_WORDS) {
		lp_search_stop(s, "the object uses too much memory: its states cannot be kept");
		return;
	}
	for (; n->words <= word; n->words++)
		n->w[LP_STATE_PROCESSES + n->words] = s->a.words.at[n->words].initial;
	n->w[LP_STATE_PROCESSES + word] = value;
	if (by_process && !s->a.words.at[word].written) {
		lp_search_learn(s, &s->a.words.at[word].written);
		s->again |= s->a.words.at[word].relied;
	}
}

uint8_t lp_search_bytes(const struct lp_place_of *p)
{
	return p->op.size >= 8 ? UINT8_MAX : (uint8_t)(((1u << p->op.size) - 1) << p->shift / 8);
}

static void note_read(struct lp_state_search *s, uint32_t word, uint8_t bytes)
{
	struct lp_word *w = &s->a.words.at[word];

	s->again |= (w->skipped & bytes & ~w->read) != 0;
	s->step.learnt |= (bytes & ~w->read) != 0;
	w->read |= bytes;
}

void lp_search_reads(struct lp_state_search *s, const struct lp_place_of *p)
{
	note_read(s, p->word, lp_search_bytes(p));
	if (p->op.size == 16)
		note_read(s, p->second, UINT8_MAX);
}

static uint64_t mask_of(unsigned size)
{
	return size >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * size) - 1;
}

struct lp_value lp_search_read(const struct lp_state_search *s, const struct lp_snapshot *n,
			       const struct lp_place_of *p)
{
	LP_HOLDS(p->op.size == 16 ? !p->shift : p->shift + 8u * p->op.size <= 64);
	const uint64_t first = lp_search_word(s, n, p->word);

	if (p->op.size == 16)
		return (struct lp_value){ first, lp_search_word(s, n, p->second) };
	return lp_value(first >> p->shift & mask_of(p->op.size));
}

void lp_search_write(struct lp_state_search *s, struct lp_snapshot *n, const struct lp_place_of *p,
		     struct lp_value value, bool by_process)
{
	LP_HOLDS(p->op.kind != LP_OP_LOAD && p->word != LP_NO_WORD);
	const uint64_t mask = mask_of(p->op.size) << p->shift;
	const uint64_t old = lp_search_word(s, n, p->word);

	lp_search_put(s, n, p->word, (old & ~mask) | (value.lo << p->shift & mask),
		      by_process);
	if (p->op.size == 16)
		lp_search_put(s, n, p->second, value.hi, by_process);
}
