/* visited.h -- a set of fingerprints that only grows. */
#ifndef LP_ORACLE_VISITED_H
#define LP_ORACLE_VISITED_H

#include "base/alloc.h"
#include "base/hash.h"

#include <stdbool.h>
#include <stdint.h>

/* Begins as zeros; the owner frees `at`.  Open addressing, a zero is free. */
struct visited {
	struct lp_fingerprint *at;
	uint32_t room, count;
};

static inline struct lp_fingerprint *visited_slot(const struct visited *v, struct lp_fingerprint f)
{
	uint32_t i = (uint32_t)f.a & (v->room - 1);

	while (v->at[i].a && (v->at[i].a != f.a || v->at[i].b != f.b))
		i = (i + 1) & (v->room - 1);
	return &v->at[i];
}

static inline void visited_grow(struct visited *v)
{
	const struct visited old = *v;

	v->room = old.room ? old.room * 2 : 1024;
	v->at = lp_alloc_zero(v->room, sizeof *v->at);
	for (uint32_t i = 0; i < old.room; i++)
		if (old.at[i].a)
			*visited_slot(v, old.at[i]) = old.at[i];
	lp_free(old.at);
}

/* False: it was there. */
static inline bool visited_add(struct visited *v, struct lp_fingerprint f)
{
	f.a |= 1; /* never the mark of a free slot */
	if (v->count * 2 >= v->room)
		visited_grow(v);
	struct lp_fingerprint *slot = visited_slot(v, f);
	if (slot->a)
		return false;
	*slot = f;
	v->count++;
	return true;
}

#endif
