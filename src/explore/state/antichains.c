/* antichains.c -- which states were visited. */
#include "explore/state/antichains.h"

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

static void grow(struct lp_antichains *s)
{
	const struct lp_antichains old = *s;

	s->room = old.room ? 2 * old.room : 1024;
	s->at = lp_alloc_table(s->room, sizeof *s->at);
	s->count = 0;
	for (uint64_t i = 0; i < old.room; i++) {
		if (is_free(&old.at[i]) || old.at[i].set == GONE)
			continue;
		uint64_t slot = old.at[i].print.a & (s->room - 1);
		while (!is_free(&s->at[slot]))
			slot = (slot + 1) & (s->room - 1);
		s->at[slot] = old.at[i];
		s->count++;
	}
	lp_free(old.at);
}

bool lp_antichains_add(struct lp_antichains *s, const struct lp_state_monitor *m, bool exact,
		       struct lp_fingerprint print, uint32_t set)
{
	struct lp_antichain_place *displaced = NULL;

	print = proper(print);
	if (4 * s->count >= 3 * s->room)
		grow(s);
	uint64_t slot = print.a & (s->room - 1);
	for (; !is_free(&s->at[slot]); slot = (slot + 1) & (s->room - 1)) {
		struct lp_antichain_place *p = &s->at[slot];
		if (!is_of(p, print) || p->set == GONE)
			continue;
		if (p->set == set || (!exact && m->within(m->closure, p->set, set)))
			return false;
		if (!exact && m->within(m->closure, set, p->set)) {
			p->set = GONE;
			displaced = p;
		}
	}
	if (displaced) {
		displaced->set = set;
		return true;
	}
	s->at[slot] = (struct lp_antichain_place){ print, set };
	s->count++;
	LP_HOLDS(s->count < s->room && set != GONE);
	return true;
}

bool lp_antichains_have(const struct lp_antichains *s, struct lp_fingerprint print, uint32_t set)
{
	print = proper(print);
	for (uint64_t slot = print.a & (s->room - 1); !is_free(&s->at[slot]);
	     slot = (slot + 1) & (s->room - 1))
		if (is_of(&s->at[slot], print) && s->at[slot].set == set)
			return true;
	return false;
}

void lp_antichains_clear(struct lp_antichains *s)
{
	if (s->count)
		memset(s->at, 0, sizeof *s->at * s->room);
	s->count = 0;
}

void lp_antichains_close(struct lp_antichains *s)
{
	lp_free(s->at);
	*s = (struct lp_antichains){ 0 };
}
