/* kernel_words.c -- searches for a word, letter by letter.
 *
 * Most histories are correct, and then a word is found quickly, by a memoised depth-first search over leftmost
 * derivations.  Among the calls that can be the next letter, the search takes the one with the earliest deadline;
 * it takes a pending call only if there is no other.  (In a word that takes another call here, the two calls can
 * be exchanged.)  If the search reaches the same derivation again with fewer calls left, the steps between the two
 * are a loop, and the search repeats this loop as often as possible at once.  So a million calls at one place cost no
 * more than a few.
 *
 * If the search has tried everything within the limits, and has repeated no loop, there is no word.
 * A derivation tree in which a nonterminal derives the same part of the word again below itself is not needed.  So
 * the stack is bounded by the number of letters left.
 */
#include <string.h>

#include "base/fingerprints.h"
#include "check/counting/languages/kernel_grammar.h"

enum { MOST_STEPS = 20000, FEW_STEPS = 600, MOST_TRIES = 24, RECENT = 32, RESERVE = 4, MOST_DEPTH = 4000 };

struct recent { /* earlier positions on the current path */
	struct lp_fingerprint stack;
	uint32_t place, depth;
	uint64_t *left;
};

struct hunt {
	const struct lp_kernel *g;
	const struct lp_supplies *calls;
	uint32_t places;
	uint64_t *left;   /* for each supply, the number of calls left */
	uint64_t must;    /* the number of calls left that have returned */
	uint64_t may;     /* the number of calls left that are pending */
	uint32_t *least;  /* for each name the length of its shortest word; UINT32_MAX: it has no word */
	struct {
		LP_VEC(uint32_t);
	} stack; /* the symbols to derive; the next one is the last */
	struct lp_fingerprints seen;
	uint32_t steps, depth;
	bool gave_up; /* some possibility was not tried */
	uint32_t most_steps, try;
	struct recent recent[RECENT]; /* for each depth */
};

static bool find(struct hunt *h, uint32_t place);

static uint64_t least_of(const struct hunt *h, uint32_t symbol)
{
	return symbol < LP_SYMBOL_NAME ? 1 : h->least[symbol - LP_SYMBOL_NAME];
}

static void find_least(struct hunt *h)
{
	bool changed = true;

	memset(h->least, 0xff, sizeof *h->least * h->g->names);
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < h->g->rules.count; i++) {
			const struct lp_rule *r = &h->g->rules.at[i];
			uint64_t sum = 0;
			for (uint32_t j = 0; j < r->length; j++)
				sum += least_of(h, r->right[j]);
			if (sum < h->least[r->left]) {
				h->least[r->left] = (uint32_t)sum;
				changed = true;
			}
		}
	}
}

static struct lp_fingerprint stack_print(const struct hunt *h)
{
	struct lp_fingerprint print = LP_FINGERPRINT;

	for (uint32_t i = 0; i < h->stack.count; i++)
		lp_fingerprint_word(&print, h->stack.at[i]);
	lp_fingerprint_word(&print, ~(uint64_t)h->stack.count);
	return print;
}

static bool is_seen(struct hunt *h, struct lp_fingerprint print, uint32_t place)
{
	lp_fingerprint_word(&print, (uint64_t)h->try << 32 | place);
	for (uint32_t i = 0; i < h->calls->count; i++)
		lp_fingerprint_word(&print, h->left[i]);
	return !lp_fingerprints_add(&h->seen, print);
}

static void spend(struct hunt *h, uint32_t supply, uint64_t count)
{
	h->left[supply] -= count;
	*(h->calls->at[supply].open.pending ? &h->may : &h->must) -= count;
}

/* Was the same derivation reached before, with more calls left?  Then repeats the loop until few calls are
 * left. */
static void go_round(struct hunt *h, struct lp_fingerprint stack, uint32_t place)
{
	for (uint32_t depth = h->depth; depth && depth + RECENT > h->depth + 1; depth--) {
		const struct recent *old = &h->recent[(depth - 1) % RECENT];
		uint64_t times = UINT64_MAX;
		if (old->depth != depth - 1 || old->stack.a != stack.a || old->stack.b != stack.b || old->place != place)
			continue;
		for (uint32_t i = 0; i < h->calls->count; i++) {
			if (old->left[i] < h->left[i])
				times = 0;
			else if (old->left[i] > h->left[i] &&
				 h->left[i] / (old->left[i] - h->left[i]) < times)
				times = h->left[i] / (old->left[i] - h->left[i]);
		}
		if (times == UINT64_MAX || times <= 2 * RESERVE)
			continue;
		for (uint32_t i = 0; i < h->calls->count; i++)
			spend(h, i, (times - RESERVE) * (old->left[i] - h->left[i]));
		h->gave_up = true;
		break;
	}
	struct recent *new = &h->recent[h->depth % RECENT];
	new->depth = h->depth;
	new->stack = stack;
	new->place = place;
	memcpy(new->left, h->left, sizeof *new->left * h->calls->count);
}

static bool find_letter(struct hunt *h, uint32_t terminal, uint32_t place)
{
	bool found = false;

	for (uint32_t p = place; p < h->places && !found; p++) {
		uint32_t best = UINT32_MAX;
		for (uint32_t i = 0; i < h->calls->count; i++) {
			const struct lp_supply *s = &h->calls->at[i];
			/* Is there a call that must have been used before place p? */
			if (!s->open.pending && h->left[i] && s->to < p)
				return false;
			if (!h->left[i] || s->from > p || s->to < p ||
			    !lp_supply_gives(h->g, s, terminal))
				continue;
			if (best == UINT32_MAX || h->calls->at[best].open.pending > s->open.pending ||
			    (h->calls->at[best].open.pending == s->open.pending &&
			     h->calls->at[best].to > s->to))
				best = i;
		}
		if (best == UINT32_MAX)
			continue;
		spend(h, best, 1);
		found = find(h, p);
		if (!found)
			spend(h, best, UINT64_MAX); /* gives one call back */
	}
	return found;
}

static bool find_name(struct hunt *h, uint32_t name, uint32_t place)
{
	const uint32_t below = h->stack.count;
	const uint64_t room = h->g->names * (2 * (h->must + h->may) + 1) + 2;
	uint64_t needed = 0;

	for (uint32_t i = 0; i < below; i++)
		needed += least_of(h, h->stack.at[i]);
	for (uint32_t i = 0; i < h->g->rules.count; i++) {
		const struct lp_rule *r = &h->g->rules.at[(i + h->try) % h->g->rules.count];
		uint64_t more = needed;
		if (r->left != name)
			continue;
		for (uint32_t j = r->length; j--;) {
			LP_PUSH(&h->stack, r->right[j]);
			more += least_of(h, r->right[j]);
		}
		if (more <= h->must + h->may && h->stack.count <= room && find(h, place))
			return true;
		h->stack.count = below;
	}
	return false;
}

static bool find(struct hunt *h, uint32_t place)
{
	if (!h->stack.count)
		return !h->must;
	if (++h->steps > h->most_steps || h->depth >= MOST_DEPTH) {
		h->gave_up = true;
		return false;
	}
	const struct lp_fingerprint print = stack_print(h);
	if (is_seen(h, print, place))
		return false;
	/* The calls of a repeated loop are given back together. */
	uint64_t *left = lp_alloc(sizeof *left * (h->calls->count + 1));
	const uint64_t must = h->must, may = h->may;
	memcpy(left, h->left, sizeof *left * h->calls->count);
	go_round(h, print, place);

	const uint32_t symbol = h->stack.at[--h->stack.count];
	h->depth++;
	const bool found = symbol < LP_SYMBOL_NAME ?
				   find_letter(h, symbol, place) :
				   find_name(h, symbol - LP_SYMBOL_NAME, place);
	h->depth--;
	if (!found)
		LP_PUSH(&h->stack, symbol);
	memcpy(h->left, left, sizeof *left * h->calls->count);
	h->must = must;
	h->may = may;
	lp_free(left);
	return found;
}

enum lp_finding lp_kernel_hunt(const struct lp_kernel *g, const struct lp_supplies *calls,
			       uint32_t places)
{
	struct hunt h = { .g = g, .calls = calls, .places = places };

	h.left = lp_alloc(sizeof *h.left * (calls->count + 1));
	h.least = lp_alloc(sizeof *h.least * (g->names + 1));
	for (uint32_t i = 0; i < RECENT; i++)
		h.recent[i].left = lp_alloc(sizeof *h.left * (calls->count + 1));
	for (uint32_t i = 0; i < calls->count; i++) {
		h.left[i] = calls->at[i].count;
		*(calls->at[i].open.pending ? &h.may : &h.must) += calls->at[i].count;
	}
	find_least(&h);
	/* Tries each order of the rules with a few steps, and then with many. */
	bool found = false;
	for (h.try = g->rules.count < MOST_TRIES ? g->rules.count : MOST_TRIES; !found; h.try--) {
		h.most_steps = h.try ? FEW_STEPS : MOST_STEPS;
		h.steps = h.stack.count = 0;
		h.gave_up = false;
		for (uint32_t i = 0; i < RECENT; i++)
			h.recent[i].depth = UINT32_MAX;
		LP_PUSH(&h.stack, LP_SYMBOL_NAME);
		found = find(&h, 0);
		if (!h.try || !(found || h.gave_up))
			break;
	}
	for (uint32_t i = 0; i < RECENT; i++)
		lp_free(h.recent[i].left);
	lp_free(h.stack.at);
	lp_free(h.left);
	lp_free(h.least);
	lp_fingerprints_close(&h.seen);
	return found ? LP_CORRECT : h.gave_up ? LP_UNDECIDED : LP_WRONG;
}
