/* antichains.c -- the table of visited states. */
#include "explore/state/visited/antichains.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "explore/state/state.h"

#define GONE UINT32_MAX /* a set that a smaller one has displaced; its place stays */

static bool is_free(const struct lp_antichain_place *p)
{
	return !(p->print.a | p->print.b);
}

static struct lp_fingerprint proper(struct lp_fingerprint f)
{
	if (!(f.a | f.b))
		f.b = 1;
	return f;
}

static bool is_of(const struct lp_antichain_place *p, struct lp_fingerprint print)
{
	return p->print.a == print.a && p->print.b == print.b;
}

/* The new slot of a place is its old slot, or the old slot plus the old room. So both tables are traversed
 * in order, which is fast for files. */
static bool grow(struct lp_antichains *s, uint64_t room)
{
	const struct lp_antichains old = *s;

	if (!lp_pages_table(&s->pages, s->spill, room * sizeof(struct lp_antichain_place)))
		return false;
	s->room = room;
	s->count = 0;
	LP_HOLDS(!(room & (room - 1)) && 4 * old.count <= 3 * room);
	for (uint64_t i = 0; i < old.room; i++) {
		const struct lp_antichain_place *p = lp_antichains_at(&old, i);
		if (is_free(p) || p->set == GONE)
			continue;
		uint64_t slot = lp_antichains_slot(s, p->print);
		while (!is_free(lp_antichains_at(s, slot)))
			slot = (slot + 1) & (s->room - 1);
		*lp_antichains_at(s, slot) = *p;
		s->count++;
	}
	LP_HOLDS(s->count <= old.count); /* displaced sets are not copied */
	struct lp_pages pages = old.pages;
	lp_pages_close(&pages, s->spill);
	return true;
}

bool lp_antichains_reserve(struct lp_antichains *s, uint64_t more)
{
	uint64_t room = s->room ? s->room : 1024;

	while (4 * (s->count + more) > 3 * room)
		room *= 2;
	return room == s->room || grow(s, room);
}

/* Is none of the state's sets within another one? */
static bool is_antichain(const struct lp_antichains *s, const struct lp_state_monitor *m, struct lp_fingerprint print)
{
	const struct lp_antichain_place *p, *q;

	for (uint64_t i = lp_antichains_slot(s, print); p = lp_antichains_at(s, i), !is_free(p); i = (i + 1) & (s->room - 1))
		for (uint64_t k = lp_antichains_slot(s, print); q = lp_antichains_at(s, k), !is_free(q); k = (k + 1) & (s->room - 1))
			if (i != k && is_of(p, print) && is_of(q, print) && p->set != GONE && q->set != GONE && m->within(m->closure, p->set, q->set))
				return false;
	return true;
}

bool lp_antichains_add(struct lp_antichains *s, const struct lp_state_monitor *m, bool exact,
		       struct lp_antichain_place new, uint64_t *at)
{
	struct lp_antichain_place *p, *displaced = NULL;

	LP_HOLDS(4 * s->count < 3 * s->room); /* lp_antichains_reserve() was called */
	new.print = proper(new.print);
	uint64_t slot = lp_antichains_slot(s, new.print);
	for (; p = lp_antichains_at(s, slot), !is_free(p); slot = (slot + 1) & (s->room - 1)) {
		if (!is_of(p, new.print) || p->set == GONE)
			continue;
		if (p->set == new.set || (!exact && m->within(m->closure, p->set, new.set)))
			return false;
		if (!exact && m->within(m->closure, new.set, p->set)) {
			LP_PUSH(&s->displaced, p->record);
			p->set = GONE;
			displaced = p;
		}
	}
	if (displaced) {
		*displaced = new;
		*at = (uint64_t)(displaced - lp_antichains_at(s, 0));
		LP_AGREES(is_antichain(s, m, new.print));
		return true;
	}
	*p = new;
	*at = slot;
	s->count++;
	LP_HOLDS(s->count < s->room && new.set != GONE);
	LP_AGREES(exact || is_antichain(s, m, new.print));
	return true;
}

/* A table in a file is given back, because most searches that restart are small until they learn the next fact. */
void lp_antichains_clear(struct lp_antichains *s)
{
	s->displaced.count = 0;
	if (s->pages.file) {
		lp_pages_close(&s->pages, s->spill);
		s->room = 0;
	} else if (s->count) {
		memset(s->pages.at, 0, s->pages.size);
	}
	s->count = 0;
}

void lp_antichains_close(struct lp_antichains *s)
{
	lp_pages_close(&s->pages, s->spill);
	lp_free(s->displaced.at);
	*s = (struct lp_antichains){ .spill = s->spill };
}
