/* visited.c -- a set of fingerprints. */
#include "check/visited.h"

#include "base/alloc.h"

static bool is_free(const struct lp_fingerprint *f)
{
	return !(f->a | f->b);
}

void lp_visited_open(struct lp_visited *s)
{
	*s = (struct lp_visited){ .mask = 1023 };
	s->at = lp_alloc_zero((size_t)s->mask + 1, sizeof *s->at);
}

void lp_visited_close(struct lp_visited *s)
{
	lp_free(s->at);
	*s = (struct lp_visited){ 0 };
}

bool lp_visited_add(struct lp_visited *s, struct lp_fingerprint f)
{
	uint64_t at = f.a & s->mask;

	if (is_free(&f))
		f.b = 1;
	for (; !is_free(&s->at[at]); at = (at + 1) & s->mask)
		if (s->at[at].a == f.a && s->at[at].b == f.b)
			return false;
	s->at[at] = f;
	s->count++;
	return true;
}

static void grow(struct lp_visited *s)
{
	struct lp_fingerprint *old = s->at;
	const uint64_t size = s->mask + 1;

	s->mask = s->mask * 2 + 1;
	s->at = lp_alloc_zero((size_t)s->mask + 1, sizeof *s->at);
	for (uint64_t i = 0; i < size; i++) {
		if (is_free(&old[i]))
			continue;
		uint64_t at = old[i].a & s->mask;
		while (!is_free(&s->at[at]))
			at = (at + 1) & s->mask;
		s->at[at] = old[i];
	}
	lp_free(old);
}

bool lp_visited_make_room(struct lp_visited *s, size_t memory)
{
	if (s->count * 3 <= s->mask * 2)
		return true;
	if (memory && ((size_t)s->mask + 1) * 2 * sizeof *s->at > memory)
		return false;
	grow(s);
	return true;
}
