/* tuples.c -- the table of tuples by name. */
#include "base/tuples.h"

#include "base/alloc.h"
#include "base/hash.h"

void lp_tuples_close(struct lp_tuples *t)
{
	lp_free(t->all.at);
	lp_free(t->values.at);
	*t = (struct lp_tuples){ 0 };
}

/* A linear search is fast enough: there is one tuple for each different result that was
 * seen. */
static const struct lp_tuple *find(const struct lp_tuples *t, int64_t name)
{
	for (uint32_t i = 0; i < t->all.count; i++)
		if (t->all.at[i].name == name)
			return &t->all.at[i];
	return NULL;
}

int64_t lp_tuples_name(struct lp_tuples *t, const int64_t *values, uint32_t count)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_word(&f, count);
	for (uint32_t i = 0; i < count; i++)
		lp_fingerprint_word(&f, (uint64_t)values[i]);
	const int64_t name = (int64_t)(f.a >> 2);
	if (find(t, name))
		return name;
	const struct lp_tuple tuple = { name, t->values.count, count };
	LP_PUSH(&t->all, tuple);
	for (uint32_t i = 0; i < count; i++)
		LP_PUSH(&t->values, values[i]);
	return name;
}

const int64_t *lp_tuples_values(const struct lp_tuples *t, int64_t name, uint32_t *count)
{
	const struct lp_tuple *tuple = t ? find(t, name) : NULL;

	*count = tuple ? tuple->count : 0;
	return tuple && tuple->count ? t->values.at + tuple->first : NULL;
}
