/* state_arrivals.c -- decides which of the states to which transitions lead are new.
 *
 * If the table is in memory, the states to which one state leads are looked up together: their places in the table are
 * far from each other, and are prefetched.  If the table is in a file, a large batch is looked up in the order of
 * places (visited/README.md).  In both cases sets with the same fingerprint are compared in the order of arrival, and
 * new states are numbered in the order of arrival, so the results are equal.
 */
#include "explore/state/state_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "explore/state/shared/shared.h"


enum {
	PLACES_A_PAGE = 4096 / sizeof(struct lp_antichain_place),
	BATCH_WORDS = 1 << 14, /* the least number of words in a batch */
};

#define NONE UINT64_MAX
#define COVERED UINT32_MAX
#define UNNUMBERED (UINT32_C(1) << 31) /* marks a record that is the index of an arrival, until new states are
                                        * numbered */

void lp_arrivals_push(struct lp_arrivals *to, const struct lp_arrival *a, const uint64_t *words)
{
	const uint32_t body = LP_STATE_PROCESSES + a->words;

	LP_PUSH(&to->heads, *a);
	LP_LAST(&to->heads).first = to->words.count;
	LP_RESERVE(&to->words, body);
	memcpy(to->words.at + to->words.count, words, sizeof *words * body);
	to->words.count += body;
}

static void stop_at_full_disk(struct lp_state_search *s)
{
	const struct lp_spill *spill = s->waiting.spill;

	lp_search_stop(s, spill && spill->reason[0] ? spill->reason : "memory limit reached");
}

/* Adds a new state. */
void lp_search_add(struct lp_state_search *s, const struct lp_arrival *a, const uint64_t *w)
{
	struct lp_records *r = &s->records;

	/* Numbers of records have 31 bits. */
	if (r->count >= UNNUMBERED - 1 ||
	    (sizeof a->record * (r->count + UINT64_C(1)) > r->pages.size &&
	     !lp_pages_grow(&r->pages, s->waiting.spill, sizeof a->record * (2 * (uint64_t)r->count + 64))) ||
	    !lp_waiting_push(&s->waiting, a, w, s->options->shortest ? a->accesses : 0, r->count)) {
		stop_at_full_disk(s);
		return;
	}
	LP_HOLDS(a->record.from == UINT32_MAX || lp_shared_is_split(s->shared) || a->record.from < r->count);
	((struct lp_record *)r->pages.at)[r->count++] = a->record;
	if (lp_shared_is_split(s->shared))
		LP_PUSH(&s->shared->origins, ((struct lp_origin){ a->peer, a->depth }));
	s->counts->states++;
}

static struct lp_antichain_place place_of(const struct lp_arrival *a, uint32_t record)
{
	return (struct lp_antichain_place){ a->print, a->set, record };
}

/* ---- one after the other ---- */

static void take_each(struct lp_state_search *s)
{
	struct lp_arrivals *a = &s->arrivals;
	uint64_t slot;

	for (uint32_t i = 0; i < a->heads.count; i++) {
		const struct lp_arrival *arrival = &a->heads.at[i];
		if (lp_antichains_add(&s->visited, s->monitor, !s->options->antichains, place_of(arrival, s->records.count),
				      &slot))
			lp_search_add(s, arrival, a->words.at + arrival->first);
		else
			s->counts->covered++;
	}
}

/* ---- by place ---- */

struct asked {
	uint64_t slot;  /* where the search for the state begins; then its place, or NONE */
	uint32_t index; /* the index of the arrival */
};

static int by_slot(const void *a, const void *b)
{
	const struct asked *x = a, *y = b;

	return x->slot != y->slot ? (x->slot < y->slot ? -1 : 1) : (x->index > y->index) - (x->index < y->index);
}

static void ask(struct lp_state_search *s, struct asked *asked, uint32_t *number)
{
	const struct lp_arrivals *a = &s->arrivals;

	for (uint32_t k = 0; k < a->heads.count; k++) {
		const struct lp_arrival *arrival = &a->heads.at[asked[k].index];
		const bool fresh = lp_antichains_add(&s->visited, s->monitor, !s->options->antichains,
						     place_of(arrival, UNNUMBERED | asked[k].index), &asked[k].slot);
		number[asked[k].index] = fresh ? 0 : COVERED;
		if (!fresh)
			asked[k].slot = NONE;
	}
}

/* Gives new states their numbers, in the table and in the list of displaced states. */
static void number_new(struct lp_state_search *s, const struct asked *asked, uint32_t *number)
{
	const uint32_t count = s->arrivals.heads.count;
	uint32_t next = s->records.count;

	for (uint32_t i = 0; i < count; i++)
		if (number[i] != COVERED)
			number[i] = next++;
	for (uint32_t k = 0; k < count; k++) {
		struct lp_antichain_place *p = asked[k].slot == NONE ? NULL : lp_antichains_at(&s->visited, asked[k].slot);
		if (p && p->record == (UNNUMBERED | asked[k].index))
			p->record = number[asked[k].index];
	}
	for (uint32_t i = 0; i < s->visited.displaced.count; i++)
		if (s->visited.displaced.at[i] & UNNUMBERED)
			s->visited.displaced.at[i] = number[s->visited.displaced.at[i] & ~UNNUMBERED];
}

static void take_by_place(struct lp_state_search *s)
{
	struct lp_arrivals *a = &s->arrivals;
	const uint32_t count = a->heads.count;
	struct asked *asked = lp_alloc(sizeof *asked * (count + 1));
	uint32_t *number = lp_alloc(sizeof *number * (count + 1));

	for (uint32_t i = 0; i < count; i++)
		asked[i] = (struct asked){ lp_antichains_slot(&s->visited, a->heads.at[i].print), i };
	qsort(asked, count, sizeof *asked, by_slot);
	lp_pages_expect(&s->visited.pages, 8 * (uint64_t)count > s->visited.room / PLACES_A_PAGE);
	ask(s, asked, number);
	number_new(s, asked, number);
	for (uint32_t i = 0; i < count; i++) {
		LP_HOLDS(s->stopped || number[i] == COVERED || number[i] == s->records.count);
		if (number[i] == COVERED)
			s->counts->covered++;
		else
			lp_search_add(s, &a->heads.at[i], a->words.at + a->heads.at[i].first);
	}
	lp_free(asked);
	lp_free(number);
}

/* ---- when ---- */

/* May the batch grow?  It has only a share of memory. */
static bool may_wait(const struct lp_state_search *s)
{
	const uint64_t bytes = sizeof *s->arrivals.words.at * s->arrivals.words.count +
			       sizeof *s->arrivals.heads.at * s->arrivals.heads.count;

	if (lp_shared_is_split(s->shared))
		return true; /* wait until all peers have visited their states */
	return s->visited.pages.file && s->options->shortest &&
	       (s->arrivals.words.count < BATCH_WORDS || bytes < s->waiting.spill->budget / 4) && bytes < UINT32_C(1) << 31;
}

void lp_arrivals_take(struct lp_state_search *s, bool all)
{
	struct lp_arrivals *a = &s->arrivals;

	LP_HOLDS(!a->heads.count || LP_LAST(&a->heads).first < a->words.count);
	if (!a->heads.count || (!all && may_wait(s)))
		return;
	if (!lp_antichains_reserve(&s->visited, a->heads.count))
		stop_at_full_disk(s);
	else if (s->visited.pages.file && s->options->shortest)
		take_by_place(s);
	else
		take_each(s);
	a->heads.count = a->words.count = 0;
}

void lp_search_leave_out(struct lp_state_search *s)
{
	for (uint32_t i = 0; i < s->visited.displaced.count; i++) {
		const uint32_t record = s->visited.displaced.at[i];
		LP_HOLDS(s->stopped || record < s->records.count);
		while (s->records.left_out.count <= record / 64)
			LP_PUSH(&s->records.left_out, 0);
		s->records.left_out.at[record / 64] |= UINT64_C(1) << record % 64;
	}
	s->visited.displaced.count = 0;
}
