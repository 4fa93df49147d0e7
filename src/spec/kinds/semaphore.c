/* semaphore.c -- a semaphore.  Its state is the number of permits that are left. */
#include <stdio.h>

#include "base/alloc.h"
#include "spec/kinds/shared_steps.h"

enum { INIT, BOUNDED, CONTENDED };
enum { MOST_PERMITS = 8 }; /* in the grammar, which has a rule for each number of
			    * permits */

static enum lp_answer acquire(struct lp_state *s, const struct lp_spec_call *c)
{
	(void)c;
	return s->at[0]-- > 0 ? LP_ACCEPTS : LP_BLOCKS;
}

static enum lp_answer try_acquire(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->at[0] <= 0)
		return lp_answers(c, 0);
	if (lp_try_fails(c, CONTENDED))
		return LP_ACCEPTS;
	s->at[0]--;
	return lp_answers(c, 1);
}

static enum lp_answer release(struct lp_state *s, const struct lp_spec_call *c)
{
	if (c->param[BOUNDED] && s->at[0] >= c->param[BOUNDED])
		return LP_REJECTS;
	s->at[0]++;
	return LP_ACCEPTS;
}

/* Level i: i permits are left.  Even derives sequences that end with as many permits as
 * they began with, and never have fewer in between.  Up derives those that never have
 * fewer than at their beginning, and end with any number. */
static char *grammar_text(int64_t permits, int64_t bound)
{
	const size_t room = 4096;
	char *text = lp_alloc(room);
	size_t used = 0;

#define ADD(...) used += (size_t)snprintf(text + used, room - used, __VA_ARGS__)
	ADD("Start -> Level%d;\n", (int)permits);
	for (int i = 0; i <= (bound ? bound : permits); i++) {
		ADD("Level%d ->", i);
		if (i == 0)
			ADD(" | <try_acquire => false> Level0");
		if (bound) {
			if (i > 0)
				ADD(" | Take Level%d", i - 1);
			if (i < bound)
				ADD(" | <release> Level%d", i + 1);
		} else if (i == 0) {
			ADD(" | <release> Even Take Level0 | <release> Up");
		} else {
			ADD(" Up | Even Take Level%d", i - 1);
		}
		ADD(";\n");
	}
	if (!bound)
		ADD("Even -> | <release> Even Take Even;\n"
		    "Up -> Even | Even <release> Up;\n");
	ADD("Take -> <acquire> | <try_acquire => true>;\n");
#undef ADD
	return text;
}

static char *grammar(const int64_t *param)
{
	const int64_t permits = param[INIT], bound = param[BOUNDED];

	if (param[CONTENDED] || param[CONTENDED + 1])
		return NULL;
	if (permits < 0 || permits > MOST_PERMITS || bound < 0 || bound > MOST_PERMITS || (bound && permits > bound))
		return NULL;
	return grammar_text(permits, bound);
}

static const struct lp_method methods[] = {
	{ "acquire wait p down", 0, LP_NOTHING, LP_TAKES, acquire },
	{ "try_acquire tryacquire trywait try_wait", 0, LP_TRUTH, LP_TAKES | LP_OBSERVES, try_acquire },
	{ "release post signal v up", 0, LP_NOTHING, LP_GIVES, release },
	{ "value available", 0, LP_VALUE, LP_READS, lp_number_read },
};

static const struct lp_param params[] = {
	[INIT] = { "init", 1, "permits at first" },
	[BOUNDED] = { "bounded", 0, "at most that many permits; 0: any number" },
	[CONTENDED] = LP_CONTENDED_PARAM,
	LP_FAILING_PARAM,
};

const struct lp_builtin lp_kind_semaphore = {
	.kind = { .name = "semaphore", .about = "permits, taken and given back", .data = LP_DATA_NONE,
		  .begin = lp_number_begin,
		  .methods = methods, .method_count = LP_COUNT(methods),
		  .params = params, .param_count = LP_COUNT(params) },
	.traits = { .overlap_params = 1 << CONTENDED, .grammar = grammar, .tells = lp_number_tells },
};
