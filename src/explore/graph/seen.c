/* seen.c -- sets of graphs that have been seen, by fingerprint. */
#include "explore/graph/seen.h"

#include <string.h>

#include "base/error.h"
#include "explore/stops.h"
#include "graph/note.h"

/* An event's name in every graph that has it. */
static uint64_t name_of(const struct lp_graph *g, lp_eid e)
{
	if (e >= LP_INIT)
		return e;
	const struct lp_event *ev = lp_graph_event(g, e);
	return (uint64_t)ev->thread << 32 | ev->index;
}

struct lp_fingerprint lp_graph_event_fingerprint(const struct lp_graph *g, lp_eid e)
{
	const struct lp_event *ev = lp_graph_event(g, e);
	const uint8_t stop = lp_graph_note(g, e)->stop;
	const bool access = lp_event_is_access(ev);
	lp_eid from = LP_NO_EVENT;
	struct lp_fingerprint f = LP_FINGERPRINT;

	if (ev->kind == LP_EV_READ)
		from = ev->rf;
	else if (ev->kind == LP_EV_WRITE)
		from = lp_graph_at(&g->locs.at[ev->loc], ev->pos - 1);
	lp_fingerprint_word(&f, name_of(g, e));
	lp_fingerprint_word(&f, (uint64_t)ev->op << 32 | (uint64_t)ev->kind << 8 |
			    (uint64_t)ev->rmw << 3 | (uint64_t)ev->spurious << 2 |
			    (uint64_t)lp_stop_pends(stop) << 1 | (uint64_t)(stop == LP_STOP_SPINS));
	if (access)
		lp_fingerprint_word(&f, name_of(g, from));
	if (access || lp_event_chooses(ev)) {
		lp_fingerprint_word(&f, ev->value.lo);
		lp_fingerprint_word(&f, ev->value.hi);
	}
	return f;
}

struct lp_fingerprint lp_graph_fingerprint(const struct lp_graph *g)
{
	struct lp_fingerprint sum = LP_FINGERPRINT;

	for (lp_eid e = 0; e < g->ev.count; e++)
		lp_fingerprint_plus(&sum, lp_graph_event_fingerprint(g, e));
	return sum;
}

void lp_seen_close(struct lp_seen *s)
{
	lp_free(s->at);
	memset(s, 0, sizeof *s);
}

void lp_seen_clear(struct lp_seen *s)
{
	if (s->at)
		memset(s->at, 0, sizeof *s->at * (s->mask + 1));
	s->count = 0;
}

static struct lp_seen_slot *slot_of(const struct lp_seen *s, struct lp_fingerprint f)
{
	uint64_t i = f.a & s->mask;

	LP_HOLDS(s->count <= s->mask / 2 + 1); /* make_room() leaves half of the places free */
	while (s->at[i].used && (s->at[i].a != f.a || s->at[i].b != f.b))
		i = (i + 1) & s->mask;
	return &s->at[i];
}

static uint64_t used_places(const struct lp_seen *s)
{
	uint64_t used = 0;

	for (uint64_t i = 0; i <= s->mask; i++)
		used += s->at[i].used;
	return used;
}
static void make_room(struct lp_seen *s)
{
	if (s->at && 2 * s->count <= s->mask)
		return;
	struct lp_seen old = *s;
	s->mask = s->at ? 2 * s->mask + 1 : 255;
	s->at = lp_alloc_zero(s->mask + 1, sizeof *s->at);
	for (uint64_t i = 0; old.at && i <= old.mask; i++) {
		const struct lp_seen_slot *from = &old.at[i];
		if (from->used)
			*slot_of(s, (struct lp_fingerprint){ from->a, from->b }) = *from;
	}
	LP_VALID(used_places(s) == s->count);
	lp_free(old.at);
}

uint32_t lp_seen_number(const struct lp_seen *s, struct lp_fingerprint f)
{
	if (!s->at)
		return UINT32_MAX;
	const struct lp_seen_slot *slot = slot_of(s, f);
	return slot->used ? slot->number : UINT32_MAX;
}

bool lp_seen_put(struct lp_seen *s, struct lp_fingerprint f, uint32_t number)
{
	make_room(s);
	struct lp_seen_slot *slot = slot_of(s, f);
	if (slot->used) {
		if (number < slot->number)
			slot->number = number;
		return false;
	}
	*slot = (struct lp_seen_slot){ f.a, f.b, number, true };
	s->count++;
	LP_HOLDS(s->count <= s->mask); /* or a search might not end */
	return true;
}
