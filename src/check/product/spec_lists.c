/* spec_lists.c -- sets of states of a specification, as numbers. */
#include "check/product/spec_lists.h"

#include <string.h>

#include "base/hash.h"
#include "check/clients/place.h"

uint64_t lp_lists_hash(const void *bytes, size_t size)
{
	struct lp_fingerprint print = LP_FINGERPRINT;

	lp_fingerprint_bytes(&print, bytes, size);
	return print.a;
}

/* Adds a state to `found`, which stays sorted. */
static void note_state(struct lp_spec_lists *p, uint32_t state)
{
	uint32_t i = p->found.count;

	for (uint32_t k = 0; k < p->found.count; k++)
		if (p->found.at[k] == state)
			return;
	LP_PUSH(&p->found, state);
	for (; i > 0 && p->found.at[i - 1] > state; i--)
		p->found.at[i] = p->found.at[i - 1];
	p->found.at[i] = state;
}

/* Returns the list of the states in `found`. */
static uint32_t intern_found(struct lp_spec_lists *p)
{
	const uint32_t begin = p->lists.count, count = p->found.count;
	const size_t size = sizeof *p->lists.at * (1 + (size_t)count);

	LP_PUSH(&p->lists, count);
	for (uint32_t i = 0; i < count; i++)
		LP_PUSH(&p->lists, p->found.at[i]);
	const uint64_t hash = lp_lists_hash(p->lists.at + begin, size);
	struct lp_hash_probe probe = lp_hash_probe(&p->by_list, hash);
	uint32_t known;
	while ((known = lp_hash_next(&p->by_list, &probe)) != LP_HASH_NONE) {
		if (p->lists.at[known] == count && !memcmp(p->lists.at + known, p->lists.at + begin, size)) {
			p->lists.count = begin;
			return known;
		}
	}
	lp_hash_add(&p->by_list, hash, begin);
	return begin;
}

void lp_lists_add_after(struct lp_spec_lists *p, uint32_t list, const struct lp_product_call *c, int64_t result)
{
	const struct lp_method *method = &p->spec->kind->methods[c->method];
	int64_t value;
	struct lp_spec_call call = { .arg = c->arg, .args = c->args, .result = &value };

	call.results = lp_place_shaped(method, result, &value);
	for (uint32_t i = 0; i < p->lists.at[list]; i++) {
		call.choice = 0;
		do {
			lp_state_copy(&p->scratch, &p->states.at[p->lists.at[list + 1 + i]]);
			if (lp_spec_step(p->spec, c->method, &p->scratch, &call) != LP_ACCEPTS)
				break;
			note_state(p, lp_spec_states_number(&p->states, &p->scratch));
			call.choice++;
		} while (method->roles & LP_CHOOSES);
	}
}

uint32_t lp_lists_take(struct lp_spec_lists *p)
{
	const uint32_t list = intern_found(p);

	p->found.count = 0;
	return list;
}

uint32_t lp_lists_after(struct lp_spec_lists *p, uint32_t list, const struct lp_product_call *call, int64_t result)
{
	lp_lists_add_after(p, list, call, result);
	return lp_lists_take(p);
}

bool lp_lists_block(struct lp_spec_lists *p, uint32_t list, const struct lp_product_call *call)
{
	for (uint32_t i = 0; i < p->lists.at[list]; i++) {
		struct lp_spec_call unknown = { .arg = call->arg, .args = call->args };
		lp_state_copy(&p->scratch, &p->states.at[p->lists.at[list + 1 + i]]);
		if (lp_spec_step(p->spec, call->method, &p->scratch, &unknown) == LP_BLOCKS)
			return true;
	}
	return false;
}

uint32_t lp_lists_open(struct lp_spec_lists *p, const struct lp_spec *spec)
{
	p->spec = spec;
	lp_state_open(&p->scratch);
	lp_state_begin(&p->scratch, spec);
	note_state(p, lp_spec_states_number(&p->states, &p->scratch));
	return lp_lists_take(p);
}

void lp_lists_close(struct lp_spec_lists *p)
{
	lp_spec_states_close(&p->states);
	lp_free(p->lists.at);
	lp_hash_close(&p->by_list);
	lp_free(p->found.at);
	lp_state_close(&p->scratch);
}
