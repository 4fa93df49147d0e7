/* state_frontier.c -- states that are still to be visited.
 *
 *     set | words << 32, record, fingerprint (2), processes (LP_STATE_PROCESSES), memory, length
 *
 * The length at the end lets the last one be taken.  Breadth first, one level is read while
 * the next is written.
 */
#include "explore/state_search.h"

#include <string.h>

enum { HEAD = 4 };

void lp_waiting_push(struct lp_waiting *f, const struct lp_snapshot *n, uint32_t record,
		      struct lp_fingerprint print)
{
	const uint32_t body = LP_STATE_PROCESSES + n->words, size = HEAD + body + 1;

	LP_RESERVE(f, size);
	uint64_t *to = f->at + f->count;
	to[0] = n->set | (uint64_t)n->words << 32;
	to[1] = record;
	to[2] = print.a;
	to[3] = print.b;
	memcpy(to + HEAD, n->w, sizeof *n->w * body);
	to[HEAD + body] = size;
	f->count += size;
}

static uint32_t take(const uint64_t *from, struct lp_snapshot *n, uint32_t *record,
		     struct lp_fingerprint *print)
{
	n->set = (uint32_t)from[0];
	n->words = (uint32_t)(from[0] >> 32);
	*record = (uint32_t)from[1];
	*print = (struct lp_fingerprint){ from[2], from[3] };
	memcpy(n->w, from + HEAD, sizeof *n->w * (LP_STATE_PROCESSES + n->words));
	return HEAD + LP_STATE_PROCESSES + n->words + 1;
}

bool lp_waiting_pop(struct lp_waiting *current, struct lp_waiting *next, bool in_order,
		     struct lp_snapshot *n, uint32_t *record, struct lp_fingerprint *print)
{
	if (!in_order) {
		if (!next->count)
			return false;
		next->count -= (uint32_t)LP_LAST(next);
		take(next->at + next->count, n, record, print);
		return true;
	}
	if (current->read == current->count) {
		const struct lp_waiting done = *current;
		*current = *next;
		*next = done;
		lp_waiting_clear(next);
		current->read = 0;
	}
	if (current->read == current->count)
		return false;
	current->read += take(current->at + current->read, n, record, print);
	return true;
}

void lp_waiting_clear(struct lp_waiting *f)
{
	f->count = f->read = 0;
}

void lp_waiting_close(struct lp_waiting *f)
{
	lp_free(f->at);
	*f = (struct lp_waiting){ 0 };
}
