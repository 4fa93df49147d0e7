/* judged.c -- a cache of observations that were found correct. */
#include "check/clients/judged.h"

#include <string.h>

#include "base/alloc.h"

enum { NAMES = 1 << 11, ROWS = 32 };

void lp_judged_close(struct lp_judged *j)
{
	for (uint32_t i = 0; j->at && i < NAMES; i++)
		lp_free(j->at[i].fixed);
	lp_free(j->at);
	j->at = NULL;
}

static bool is_within(const uint32_t *row, const uint32_t *fixed, uint32_t count)
{
	for (uint32_t a = 0; a < count; a++)
		if (row[a] & ~fixed[a])
			return false;
	return true;
}

static bool is_at(const struct lp_judged_name *n, struct lp_fingerprint name)
{
	return n->name.a == name.a && n->name.b == name.b;
}

bool lp_judged_right(const struct lp_judged *j, struct lp_fingerprint name, uint32_t count,
		     const uint32_t *fixed)
{
	if (!j->at)
		return false;
	const struct lp_judged_name *n = &j->at[name.a % NAMES];
	if (!is_at(n, name) || n->count != count)
		return false;
	for (uint32_t i = 0; i < n->rows; i++)
		if (is_within(n->fixed + (size_t)i * count, fixed, count))
			return true;
	return false;
}

void lp_judged_add(struct lp_judged *j, struct lp_fingerprint name, uint32_t count,
		   const uint32_t *fixed)
{
	if (!j->at)
		j->at = lp_alloc_zero(NAMES, sizeof *j->at);
	struct lp_judged_name *n = &j->at[name.a % NAMES];
	if (!is_at(n, name) || n->count != count) {
		lp_free(n->fixed);
		*n = (struct lp_judged_name){ .name = name, .count = count };
		n->fixed = lp_alloc_zero((size_t)ROWS * count + 1, sizeof *n->fixed);
	}
	memcpy(n->fixed + (size_t)n->next * count, fixed, sizeof *fixed * count);
	n->next = (n->next + 1) % ROWS;
	n->rows += n->rows < ROWS;
}
