/* state_frontier.c -- states that are still to be visited.
 *
 *     set | words << 32, record, fingerprint (2), processes, memory, length
 *
 * The length at the end lets the last one be taken.  In order, those of one distance are read
 * while others are written: a transition has LP_PATH_ACCESSES at most, so that a ring of as
 * many distances and one will do.
 */
#include "explore/state/state_search.h"

#include <string.h>

enum { HEAD = 4, RING = LP_PATH_ACCESSES + 1 };

void lp_waiting_push(struct lp_waiting *frontier, const struct lp_arrival *a, const uint64_t *words,
		     uint32_t further, uint32_t record)
{
	struct lp_distance *f = &frontier->at[(frontier->distance + further) % RING];
	const uint32_t processes = frontier->processes, size = HEAD + processes + a->words + 1;

	LP_RESERVE(f, size);
	uint64_t *to = f->at + f->count;
	to[0] = a->set | (uint64_t)a->words << 32;
	to[1] = record;
	to[2] = a->print.a;
	to[3] = a->print.b;
	memcpy(to + HEAD, words, sizeof *words * processes);
	memcpy(to + HEAD + processes, words + LP_STATE_PROCESSES, sizeof *words * a->words);
	to[size - 1] = size;
	f->count += size;
}

void lp_arrivals_push(struct lp_arrivals *to, const struct lp_arrival *a, const uint64_t *words)
{
	const uint32_t body = LP_STATE_PROCESSES + a->words;

	LP_PUSH(&to->heads, *a);
	LP_LAST(&to->heads).first = to->words.count;
	LP_RESERVE(&to->words, body);
	memcpy(to->words.at + to->words.count, words, sizeof *words * body);
	to->words.count += body;
}

static uint32_t take(const uint64_t *from, uint32_t processes, struct lp_snapshot *n,
		     uint32_t *record, struct lp_fingerprint *print)
{
	n->set = (uint32_t)from[0];
	n->words = (uint32_t)(from[0] >> 32);
	*record = (uint32_t)from[1];
	*print = (struct lp_fingerprint){ from[2], from[3] };
	memcpy(n->w, from + HEAD, sizeof *n->w * processes);
	memcpy(n->w + LP_STATE_PROCESSES, from + HEAD + processes, sizeof *n->w * n->words);
	return HEAD + processes + n->words + 1;
}

/* Those that are nearest. */
static struct lp_distance *nearest(struct lp_waiting *f)
{
	for (uint32_t i = 0; i < RING; i++, f->distance++) {
		struct lp_distance *w = &f->at[f->distance % RING];
		if (w->read < w->count)
			return w;
		w->count = w->read = 0;
	}
	return NULL;
}

bool lp_waiting_pop(struct lp_waiting *f, bool in_order, struct lp_snapshot *n, uint32_t *record,
		     struct lp_fingerprint *print)
{
	struct lp_distance *w = in_order ? nearest(f) : &f->at[0];

	if (!w || w->read == w->count)
		return false;
	if (in_order) {
		w->read += take(w->at + w->read, f->processes, n, record, print);
	} else {
		w->count -= (uint32_t)LP_LAST(w);
		take(w->at + w->count, f->processes, n, record, print);
	}
	return true;
}

bool lp_waiting_next(const struct lp_waiting *f, bool in_order, struct lp_fingerprint *print)
{
	const struct lp_distance *w = &f->at[in_order ? f->distance % RING : 0];

	if (w->read == w->count)
		return false;
	const uint64_t *at = w->at + (in_order ? w->read : w->count - (uint32_t)LP_LAST(w));
	*print = (struct lp_fingerprint){ at[2], at[3] };
	return true;
}

uint32_t lp_waiting_size(const struct lp_waiting *f)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < RING; i++)
		most = f->at[i].count > most ? f->at[i].count : most;
	return most;
}

void lp_waiting_clear(struct lp_waiting *f)
{
	for (uint32_t i = 0; i < RING; i++)
		f->at[i].count = f->at[i].read = 0;
	f->distance = 0;
}

void lp_waiting_close(struct lp_waiting *f)
{
	for (uint32_t i = 0; i < RING; i++)
		lp_free(f->at[i].at);
	*f = (struct lp_waiting){ 0 };
}
