/* test_traits.c -- what kinds claim about themselves (spec/traits.h), judged by random runs.
 *
 * A run makes random calls with random results, of which it keeps those that the specification accepts.  In every state
 * that is reached:
 *   - a kind that is not by_thread accepts a call of any thread alike, and comes to the same state;
 *   - what a call tells about the state after it is that state;
 *   - a method that a replica can have has the effect that it claims, wherever it is called.
 * And each verb is that of one method at most.
 *
 *     test_traits [--runs N] [--seed N]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "../../../expect.h"
#include "spec/spec.h"
#include "spec/traits.h"

static uint64_t random_state;

static uint32_t below(uint32_t most)
{
	random_state += UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(lp_mix(random_state) % most);
}

struct call {
	uint32_t method;
	int64_t arg[LP_MAX_ARGS], result[8];
	struct lp_spec_call spec;
};

static void make_call(const struct lp_spec *spec, const struct lp_state *s, struct call *c)
{
	const int64_t special[] = { LP_EMPTY, LP_NIL, 0, 1 };

	c->method = below(spec->kind->method_count);
	const struct lp_method *m = &spec->kind->methods[c->method];
	for (uint32_t i = 0; i < m->args; i++)
		c->arg[i] = below(3);
	c->spec = (struct lp_spec_call){ .arg = c->arg, .args = m->args, .result = c->result, .thread = below(3),
					 .results = m->result != LP_NOTHING };
	c->result[0] = below(2) ? (int64_t)below(4) : special[below(4)];
	if (m->result == LP_VALUES) { /* hardly ever right by chance */
		c->spec.results = s->count < 8 ? s->count : 8;
		memcpy(c->result, s->at, sizeof *s->at * c->spec.results);
	}
}

/* Another thread calls the same. */
static void try_thread(const struct lp_spec *spec, const struct lp_state *before, const struct lp_state *after,
		       enum lp_answer answer, const struct call *c)
{
	struct lp_spec_call other = c->spec;
	struct lp_state then;

	lp_state_open(&then);
	lp_state_copy(&then, before);
	other.thread = (c->spec.thread + 1 + below(2)) % 3;
	EXPECT(lp_spec_step(spec, c->method, &then, &other) == answer);
	EXPECT(answer != LP_ACCEPTS || lp_state_equal(&then, after));
	lp_state_close(&then);
}

/* In a state that is pairs: the value of a key, or NULL. */
static const int64_t *value_of(const struct lp_state *s, int64_t key)
{
	for (uint32_t i = 0; i + 1 < s->count; i += 2)
		if (s->at[i] == key)
			return &s->at[i + 1];
	return NULL;
}

static bool has_pair(const struct lp_state *s, const int64_t *pair)
{
	const int64_t *value = value_of(s, pair[0]);

	return value && *value == pair[1];
}

/* Returns whether something was told. */
static bool try_tells(const struct lp_spec *spec, const struct lp_state *after, const struct call *c)
{
	const struct lp_traits *traits = lp_kind_traits(spec->kind);
	struct lp_spec_call call = c->spec;
	struct lp_state told;

	call.param = spec->param;
	lp_state_open(&told);
	const bool tells = traits->tells(&told, &spec->kind->methods[c->method], &call);
	if (tells) /* of pairs, about one key alone */
		EXPECT(traits->pairs ? told.count == 2 && has_pair(after, told.at) : lp_state_equal(&told, after));
	lp_state_close(&told);
	return tells;
}

/* The effect on a replica, which is one key, or one number. */
static void try_effect(const struct lp_spec *spec, const struct lp_state *before, const struct lp_state *after,
		       const struct call *c)
{
	const struct lp_method_traits *m = &lp_kind_traits(spec->kind)->methods[c->method];
	const bool pairs = lp_kind_traits(spec->kind)->pairs;

	if (m->look == LP_SAYS_UNKNOWN)
		return;
	switch (m->effect) {
	case LP_EFFECT_NONE:
		EXPECT(lp_state_equal(before, after));
		break;
	case LP_EFFECT_ADDS:
		EXPECT(after->at[0] - before->at[0] == (m->amount ? m->amount : c->arg[0]));
		break;
	case LP_EFFECT_ERASES:
		EXPECT(pairs ? !value_of(after, c->arg[0]) : !lp_state_has(after, c->arg[0]));
		break;
	case LP_EFFECT_SETS:
		EXPECT(pairs		    ? has_pair(after, c->arg) :
		       spec->kind->by_key ? lp_state_has(after, c->arg[0]) : after->at[0] == c->arg[0]);
		break;
	}
}

static void try_run(const struct lp_spec *spec, uint64_t *told)
{
	const struct lp_traits *traits = lp_kind_traits(spec->kind);
	struct lp_state now, next;
	struct call c;

	lp_state_open(&now);
	lp_state_open(&next);
	lp_state_begin(&now, spec);
	for (uint32_t i = 0; i < 60; i++) {
		make_call(spec, &now, &c);
		lp_state_copy(&next, &now);
		const enum lp_answer answer = lp_spec_step(spec, c.method, &next, &c.spec);
		if (!traits->by_thread)
			try_thread(spec, &now, &next, answer, &c);
		if (answer != LP_ACCEPTS)
			continue;
		if (traits->tells)
			*told += try_tells(spec, &next, &c);
		if (traits->methods)
			try_effect(spec, &now, &next, &c);
		lp_state_copy(&now, &next);
	}
	lp_state_close(&now);
	lp_state_close(&next);
}

static void try_verbs(const struct lp_kind *kind)
{
	for (uint32_t m = 0; m < kind->method_count; m++) {
		const enum lp_verb verb = lp_kind_verb(kind, m);
		EXPECT(verb == LP_VERB_OTHER || lp_kind_method(kind, verb) == m);
	}
	EXPECT(lp_kind_named(kind->name) == kind);
	EXPECT(lp_kind_is_builtin(kind));
}

/* A user's kind with the name of one of ours is another kind, of which nothing is known. */
static void try_stranger(void)
{
	const struct lp_kind stranger = *lp_kind_named("queue");

	EXPECT(!lp_kind_is_builtin(&stranger));
	EXPECT(lp_kind_traits(&stranger)->by_thread);
	EXPECT(lp_kind_traits(&stranger)->leaves == LP_LEAVES_NONE);
	EXPECT(lp_kind_verb(&stranger, 0) == LP_VERB_OTHER);
	EXPECT(lp_kind_method(&stranger, LP_VERB_INSERT) == LP_NO_METHOD);
}

int main(int argc, char **argv)
{
	uint64_t runs = 2000, seed = 1;

	for (int i = 1; i + 1 < argc; i += 2)
		*(strcmp(argv[i], "--seed") ? &runs : &seed) = strtoull(argv[i + 1], NULL, 10);
	printf("seed %llu\n", (unsigned long long)seed);
	try_stranger();
	EXPECT(lp_kind_named("pq") == lp_kind_named("priority-queue") && lp_kind_named("pq"));
	for (uint32_t k = 0; k < lp_kind_count(); k++) {
		const struct lp_kind *kind = lp_kind_at(k);
		struct lp_error error;
		struct lp_spec spec;
		uint64_t told = 0;

		try_verbs(kind);
		random_state = seed;
		EXPECT(lp_spec_of(&spec, kind, NULL, &error));
		for (uint64_t i = 0; i < runs; i++)
			try_run(&spec, &told);
		EXPECT(!lp_kind_traits(kind)->tells == !told); /* else nothing was tried */
	}
	return expect_status();
}
