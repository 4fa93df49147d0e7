/* fingerprints.c -- a set of 128-bit fingerprints. */
#include "base/fingerprints.h"

#include <string.h>

#include "base/alloc.h"

/* The place of the fingerprint, or the free place where it would be added. */
static struct lp_fingerprint *place(const struct lp_fingerprints *s, struct lp_fingerprint f)
{
	uint64_t i = f.a & (s->room - 1);

	while ((s->at[i].a | s->at[i].b) && (s->at[i].a != f.a || s->at[i].b != f.b))
		i = (i + 1) & (s->room - 1);
	return &s->at[i];
}

/* Replaces the fingerprint of all zeroes, which marks free places, by another one. */
static struct lp_fingerprint proper(struct lp_fingerprint f)
{
	if (!(f.a | f.b))
		f.b = 1;
	return f;
}

bool lp_fingerprints_have(const struct lp_fingerprints *s, struct lp_fingerprint f)
{
	f = proper(f);
	return s->room && place(s, f)->a == f.a && place(s, f)->b == f.b;
}

static void grow(struct lp_fingerprints *s)
{
	const struct lp_fingerprints old = *s;

	s->room = old.room ? 2 * old.room : 64;
	s->at = lp_alloc_zero(s->room, sizeof *s->at);
	for (uint64_t i = 0; i < old.room; i++)
		if (old.at[i].a | old.at[i].b)
			*place(s, old.at[i]) = old.at[i];
	lp_free(old.at);
}

bool lp_fingerprints_add(struct lp_fingerprints *s, struct lp_fingerprint f)
{
	f = proper(f);
	if (2 * s->count >= s->room)
		grow(s);
	struct lp_fingerprint *at = place(s, f);
	if (at->a | at->b)
		return false;
	*at = f;
	s->count++;
	return true;
}

void lp_fingerprints_clear(struct lp_fingerprints *s)
{
	if (s->count)
		memset(s->at, 0, sizeof *s->at * s->room);
	s->count = 0;
}

void lp_fingerprints_close(struct lp_fingerprints *s)
{
	lp_free(s->at);
	*s = (struct lp_fingerprints){ 0 };
}

size_t lp_fingerprints_size(const struct lp_fingerprints *s)
{
	return sizeof *s->at * (2 * s->count >= s->room ? 2 * s->room : s->room);
}
