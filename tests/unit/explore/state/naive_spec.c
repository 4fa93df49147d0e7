/* naive_spec.c -- the naive checker's view of a specification. */
#include "naive_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "../../check/quasi/naive_quasi.h"
#include "object_calls.h"
#include "product_monitor.h"
#include "spec/spec.h"

struct naive_spec {
	const struct object *object;
	struct lp_spec spec;
	struct lp_state state;
	struct lp_quasi rule;
	struct naive_quasi quasi;
	struct known {
		int64_t codes[2];
		bool will_do;
	} known[1 << 16];
};

/* Every result that the objects can return. */
static const int64_t results[] = { LP_VOID, LP_EMPTY, 0, 1, 2, 3 };

struct naive_spec *naive_spec_open(const struct object *object)
{
	struct naive_spec *n = calloc(1, sizeof *n);
	struct lp_error error;

	n->object = object;
	if (!lp_spec_parse(&n->spec, object_spec(object), &error)) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	lp_state_open(&n->state);
	if (object_factors(object)) {
		const struct naive_values values = { { 1, 2, 3 }, 3 };
		object_rule(object, n->spec.kind->method_count, &n->rule);
		n->quasi = (struct naive_quasi){ .spec = &n->spec, .rule = &n->rule, .further = 4 };
		naive_quasi_fill_menu(&n->quasi, &values);
	}
	return n;
}

void naive_spec_close(struct naive_spec *n)
{
	lp_state_close(&n->state);
	free(n);
}

static void put(struct naive_spec *n, struct naive_way *w)
{
	if (n->state.count > 6)
		abort();
	memset(w->state, 0, sizeof w->state);
	memcpy(w->state, n->state.at, sizeof *n->state.at * n->state.count);
	w->words = (uint8_t)n->state.count;
}

void naive_begin(struct naive_spec *n, struct naive_way *w)
{
	memset(w, 0, sizeof *w);
	lp_state_begin(&n->state, &n->spec);
	if (object_factors(n->object))
		n->state.count = 0;
	put(n, w);
}

/* Will the order of calls, a byte each, do?  Many ways have the same. */
static bool will_do(struct naive_spec *n, const int64_t *codes, uint32_t count)
{
	const uint64_t mixed = (uint64_t)codes[0] * UINT64_C(0x9e3779b97f4a7c15) ^
			       (uint64_t)codes[1] * UINT64_C(0xd6e8feb86659fd93);
	struct known *k = &n->known[mixed >> 48];

	if (k->codes[0] == codes[0] && k->codes[1] == codes[1])
		return k->will_do;
	n->quasi.count = 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t code = (uint32_t)(codes[i / 8] >> i % 8 * 8 & 0xff) - 1;
		const uint32_t method = object_method(n->object, code / 8);
		n->quasi.call[n->quasi.count++] = (struct naive_call){
			.method = method, .arg = { object_argument(n->object, code / 8) },
			.result = results[code % 8],
			.results = n->spec.kind->methods[method].result != LP_NOTHING };
	}
	*k = (struct known){ { codes[0], codes[1] }, naive_quasi_fits(&n->quasi) };
	return k->will_do;
}

/* With quasi factors, what a way has instead of a state is the calls so far, a byte each. */
static bool goes_on_quasi(struct naive_spec *n, const struct naive_way *w, uint32_t call,
			  int64_t result, struct naive_way *next)
{
	uint32_t count = 0, r = 0;

	while (count < w->words * 8u && (w->state[count / 8] >> count % 8 * 8 & 0xff))
		count++;
	if (count == 16)
		abort();
	while (results[r] != result)
		r++;
	*next = *w;
	next->words = (uint8_t)(count / 8 + 1);
	next->state[count / 8] |= (int64_t)((uint64_t)(call * 8 + r + 1) << count % 8 * 8);
	return will_do(n, next->state, count + 1);
}

uint32_t naive_effects(struct naive_spec *n, const struct naive_way *w, uint32_t thread,
		       struct naive_way *next)
{
	uint32_t count = 0;

	if (!w->call[thread] || w->done[thread])
		return 0;
	const uint32_t method = object_method(n->object, w->call[thread] - 1u);
	const bool silent = n->spec.kind->methods[method].result == LP_NOTHING;
	int64_t argument = object_argument(n->object, w->call[thread] - 1u);
	for (uint32_t r = 0; r < sizeof results / sizeof *results; r++) {
		struct lp_spec_call call = { .arg = &argument, .result = &results[r],
					     .args = n->spec.kind->methods[method].args,
					     .results = !silent };
		if (silent != (results[r] == LP_VOID))
			continue;
		if (object_factors(n->object)) {
			if (!goes_on_quasi(n, w, w->call[thread] - 1u, results[r], &next[count]))
				continue;
		} else {
			n->state.count = 0;
			for (uint32_t i = 0; i < w->words; i++)
				lp_state_push(&n->state, w->state[i]);
			if (lp_spec_step(&n->spec, method, &n->state, &call) != LP_ACCEPTS)
				continue;
			next[count] = *w;
			put(n, &next[count]);
		}
		next[count].done[thread] = 1;
		next[count].result[thread] = results[r];
		count++;
	}
	return count;
}

bool naive_returned(struct naive_spec *n, struct naive_way *w, uint32_t thread, int64_t result)
{
	const uint32_t method = object_method(n->object, w->call[thread] - 1u);
	const enum lp_shape shape = n->spec.kind->methods[method].result;

	if (shape == LP_NOTHING)
		result = LP_VOID;
	if (shape == LP_SUCCESS || shape == LP_TRUTH)
		result = result != 0;
	if (!w->done[thread] || w->result[thread] != result)
		return false;
	w->call[thread] = w->done[thread] = 0;
	w->result[thread] = 0;
	return true;
}
