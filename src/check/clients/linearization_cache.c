/* linearization_cache.c -- linearizations that were found before. */
#include "check/clients/linearization_cache.h"

#include "base/alloc.h"

enum { ROOM = 1 << 16 };

void lp_known_close(struct lp_known *k)
{
	lp_free(k->at);
	k->at = NULL;
}

bool lp_known_find(const struct lp_known *k, struct lp_fingerprint name, uint32_t count,
		   uint32_t *order, uint32_t *against)
{
	if (!k->at)
		return false;
	const struct lp_known_order *found = &k->at[name.a % ROOM];
	if (found->name.a != name.a || found->name.b != name.b)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		order[i] = found->order >> 4 * i & 15;
		against[i] = found->against[i];
	}
	return true;
}

void lp_known_add(struct lp_known *k, struct lp_fingerprint name, uint32_t count,
		  const uint32_t *order, const uint32_t *against)
{
	if (!k->at)
		k->at = lp_alloc_table(ROOM, sizeof *k->at);
	struct lp_known_order *here = &k->at[name.a % ROOM];
	*here = (struct lp_known_order){ .name = name };
	for (uint32_t i = 0; i < count; i++) {
		here->order |= (uint64_t)order[i] << 4 * i;
		here->against[i] = (uint16_t)against[i];
	}
}
