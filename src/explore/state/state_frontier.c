/* state_frontier.c -- states that are still to be visited.  The words of a state:
 *
 *     set | words << 32, record | distance of the parent << 32, order, processes, memory, length
 *
 * The length comes at the end, so that the state that was added last can be found.  When states are
 * visited in order, states of one distance are read while states of later distances are written.  A
 * transition has at most LP_PATH_ACCESSES accesses, so a ring with one distance more is enough.
 */
#include "explore/state/state_search.h"

#include <string.h>

#include "base/error.h"

enum { HEAD = 3, RING = LP_PATH_ACCESSES + 1 };

static uint64_t *words_of(const struct lp_distance *d)
{
	return d->pages.at;
}

bool lp_waiting_push(struct lp_waiting *frontier, const struct lp_arrival *a, const uint64_t *words,
		     uint32_t further, uint32_t record)
{
	struct lp_distance *f = &frontier->at[(frontier->distance + further) % RING];
	const uint32_t processes = frontier->processes, size = HEAD + processes + a->words + 1;

	LP_HOLDS(further < RING && a->words <= LP_STATE_WORDS && a->seq < UINT64_C(1) << 36);
	if (sizeof *words * (f->count + size) > f->pages.size &&
	    !lp_pages_grow(&f->pages, frontier->spill, sizeof *words * (2 * f->count + size + 64)))
		return false;
	uint64_t *to = words_of(f) + f->count;
	to[0] = a->set | (uint64_t)a->words << 32;
	to[1] = record | (uint64_t)frontier->parents << 32;
	to[2] = a->seq << 28 | a->record.way;
	memcpy(to + HEAD, words, sizeof *words * processes);
	memcpy(to + HEAD + processes, words + LP_STATE_PROCESSES, sizeof *words * a->words);
	to[size - 1] = size;
	f->count += size;
	f->states++;
	return true;
}

static uint32_t take(const uint64_t *from, uint32_t processes, struct lp_snapshot *n, uint32_t *record)
{
	n->set = (uint32_t)from[0];
	n->words = (uint32_t)(from[0] >> 32);
	*record = (uint32_t)from[1];
	memcpy(n->w, from + HEAD, sizeof *n->w * processes);
	memcpy(n->w + LP_STATE_PROCESSES, from + HEAD + processes, sizeof *n->w * n->words);
	LP_HOLDS(from[HEAD + processes + n->words] == HEAD + processes + n->words + 1);
	return HEAD + processes + n->words + 1;
}

/* Frees the space of a distance that was visited, because others may need it. */
static void give_back(struct lp_waiting *f, struct lp_distance *d)
{
	enum { KEPT = 1 << 16 };

	d->count = d->read = d->states = 0;
	if (d->pages.size > KEPT)
		lp_pages_close(&d->pages, f->spill);
}

bool lp_waiting_advance(struct lp_waiting *f)
{
	for (uint32_t i = 0; i < RING; i++, f->distance++) {
		struct lp_distance *d = &f->at[f->distance % RING];
		if (d->read < d->count)
			return true;
		give_back(f, d);
	}
	return false;
}

bool lp_waiting_pop(struct lp_waiting *f, bool in_order, struct lp_snapshot *n, uint32_t *record)
{
	struct lp_distance *d = &f->at[f->distance % RING];

	if (d->read == d->count)
		return false;
	if (in_order) {
		d->read += take(words_of(d) + d->read, f->processes, n, record);
	} else {
		d->count -= words_of(d)[d->count - 1];
		take(words_of(d) + d->count, f->processes, n, record);
	}
	LP_HOLDS(d->read <= d->count);
	return true;
}

uint64_t lp_waiting_nearest(const struct lp_waiting *f)
{
	/* The states of the current distance were visited. */
	for (uint32_t i = 1; i < RING; i++)
		if (f->at[(f->distance + i) % RING].count)
			return f->distance + i;
	return UINT64_MAX;
}

void lp_waiting_go_to(struct lp_waiting *f, uint32_t distance)
{
	LP_HOLDS(distance >= f->distance && distance - f->distance < RING);
	for (; f->distance < distance; f->distance++)
		give_back(f, &f->at[f->distance % RING]);
	f->parents = distance + 1;
}

/* Counts the states of the distance one by one; for debug builds. */
static uint64_t count_states(const struct lp_distance *d, uint32_t processes)
{
	uint64_t n = 0;

	for (uint64_t at = 0; at < d->count; n++)
		at += HEAD + processes + (words_of(d)[at] >> 32) + 1;
	return n;
}

void lp_waiting_rewind(struct lp_waiting *f)
{
	LP_VALID(count_states(&f->at[f->distance % RING], f->processes) == f->at[f->distance % RING].states);
	f->at[f->distance % RING].read = 0;
}

bool lp_waiting_look(const struct lp_waiting *f, uint64_t *position, struct lp_waiting_key *key)
{
	const struct lp_distance *d = &f->at[f->distance % RING];

	if (*position == d->count)
		return false;
	const uint64_t *from = words_of(d) + *position;
	*key = (struct lp_waiting_key){ from[1] >> 32, from[2] };
	*position += HEAD + f->processes + (from[0] >> 32) + 1;
	LP_HOLDS(*position <= d->count);
	return true;
}

bool lp_waiting_own(struct lp_waiting *f)
{
	bool good = true;

	for (uint32_t i = 0; i < RING; i++)
		good &= lp_pages_own(&f->at[i].pages, f->spill);
	return good;
}

uint64_t lp_waiting_states(const struct lp_waiting *f)
{
	return f->at[f->distance % RING].states;
}

void lp_waiting_clear(struct lp_waiting *f)
{
	for (uint32_t i = 0; i < RING; i++)
		give_back(f, &f->at[i]);
	f->distance = f->parents = 0;
}

void lp_waiting_close(struct lp_waiting *f)
{
	for (uint32_t i = 0; i < RING; i++)
		lp_pages_close(&f->at[i].pages, f->spill);
	*f = (struct lp_waiting){ .spill = f->spill };
}
