/* overlap.c -- the calls that overlap with a call. */
#include "check/clients/overlap.h"

static unsigned roles_of(const struct lp_place *p, const struct lp_observation *o, uint32_t call)
{
	return p->spec->kind->methods[o->call[call].method].roles;
}

static bool only_reads(const struct lp_place *p, const struct lp_observation *o, uint32_t call)
{
	return (roles_of(p, o, call) & LP_READS) == LP_READS;
}

static bool failed(const struct lp_place *p, const struct lp_observed *c)
{
	int64_t value;
	const struct lp_spec_call call = {
		.results = lp_place_shaped(&p->spec->kind->methods[c->method], c->result, &value), .result = &value,
	};

	return lp_method_failed(p->spec->kind, c->method, &call);
}

/* Does a client order neither before the other, and can `other` change anything? */
static bool overlaps(const struct lp_place *p, const struct lp_observation *o, const uint32_t *before, uint32_t call,
		     uint32_t other)
{
	return other != call && !(before[call] >> other & 1) && !(before[other] >> call & 1) && !only_reads(p, o, other);
}

static void add_other(const struct lp_place *p, const struct lp_observation *o, uint32_t call, bool done,
		      struct lp_overlap_room *room)
{
	room->other[room->overlap.count++] = (struct lp_other_call){
		.method = o->call[call].method, .roles = roles_of(p, o, call), .arg = o->call[call].arg, .done = done,
	};
}

void lp_overlap_fill(const struct lp_place *p, const struct lp_observation *o, const uint32_t *before, uint32_t done,
		     uint32_t call, struct lp_overlap_room *room)
{
	room->overlap = (struct lp_overlap){ .at = room->other };
	for (uint32_t x = 0; x < o->count; x++) {
		const bool has_effect = done >> x & 1 && !failed(p, &o->call[x]);
		room->overlap.inserted += has_effect && roles_of(p, o, x) & LP_INSERTS;
		if (overlaps(p, o, before, call, x))
			add_other(p, o, x, has_effect, room);
	}
}

void lp_overlap_fill_stuck(const struct lp_place *p, const struct lp_observation *o, uint32_t stuck, uint32_t call,
			   struct lp_overlap_room *room)
{
	room->overlap = (struct lp_overlap){ .at = room->other };
	for (uint32_t x = 0; x < o->count; x++)
		if (x != call && stuck >> x & 1)
			add_other(p, o, x, false, room);
}

void lp_overlap_against(const struct lp_place *p, const struct lp_observation *o, const uint32_t *before,
			const uint32_t *order, uint32_t returned, uint32_t *against)
{
	uint32_t earlier = 0;

	for (uint32_t i = 0; i < returned; i++) {
		const uint32_t f = order[i];
		for (uint32_t x = 0; p->explained >> f & 1 && x < o->count; x++) {
			if (!overlaps(p, o, before, f, x))
				continue;
			if (earlier >> x & 1)
				against[f] |= UINT32_C(1) << x;
			else
				against[x] |= UINT32_C(1) << f;
		}
		earlier |= UINT32_C(1) << f;
	}
}
