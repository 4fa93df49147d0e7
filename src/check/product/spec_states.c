/* spec_states.c -- states of a specification, as numbers. */
#include "check/product/spec_states.h"

#include "base/alloc.h"
#include "base/hash.h"

uint32_t lp_spec_states_number(struct lp_spec_states *t, const struct lp_state *s)
{
	struct lp_fingerprint print = LP_FINGERPRINT;
	struct lp_state copy;
	uint32_t id;

	lp_fingerprint_bytes(&print, s->at, sizeof *s->at * s->count);
	struct lp_hash_probe probe = lp_hash_probe(&t->by_hash, print.a);
	while ((id = lp_hash_next(&t->by_hash, &probe)) != LP_HASH_NONE)
		if (lp_state_equal(&t->at[id], s))
			return id;
	lp_state_open(&copy);
	lp_state_copy(&copy, s);
	lp_hash_add(&t->by_hash, print.a, t->count);
	LP_PUSH(t, copy);
	LP_PUSH(&t->hashes, print.a);
	return t->count - 1;
}

void lp_spec_states_close(struct lp_spec_states *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		lp_state_close(&t->at[i]);
	lp_free(t->at);
	lp_free(t->hashes.at);
	lp_hash_close(&t->by_hash);
}
