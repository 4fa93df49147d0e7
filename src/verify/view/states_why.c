/* states_why.c -- explains a violation that the state explorer found, by the longest attempt at a linearization.
 *
 * Calls and returns are steps in real time: a call comes before another if it has returned when the other begins.  An open call
 * may have taken effect, with any result.  The search tries all orders, for a limited time.  A report shows the best order that
 * was found.
 */
#include "verify/view/states_why.h"

#include <string.h>

#include "base/alloc.h"
#include "check/clients/clients.h"
#include "check/clients/place.h"
#include "check/clients/story.h"
#include "report/result.h"
#include "spec/spec.h"

enum { PATIENCE = 200000 }; /* calls of the specification */

struct attempt {
	struct lp_observation o;
	struct lp_refutation why;    /* `before` is real time; `closest` the best order so far */
	struct lp_place place;
	uint32_t order[LP_OBSERVED_CALLS];
	uint32_t placed, done;       /* the number of calls that are placed, and which calls these are, as a set */
	uint32_t returned;           /* the number of calls that have returned */
	uint32_t best;               /* the number of those that are in the best order */
	uint32_t patience;
	bool meets;                  /* calls that take effect together (lp_kind.settled) cannot be shown as an order */
};

/* False if there are too many. */
static bool take_calls(struct attempt *a, const struct lp_states_call *calls, uint32_t count, const struct lp_harness *harness,
		       const struct lp_menu *menu)
{
	if (count > LP_OBSERVED_CALLS)
		return false;
	a->o.count = count;
	for (uint32_t x = 0; x < count; x++) {
		struct lp_observed *c = &a->o.call[x];
		*c = (struct lp_observed){ .thread = calls[x].thread, .stuck = calls[x].ends == LP_STEP_NONE, .result = calls[x].result,
					   .method = harness->methods.at[menu->method.at[calls[x].call]].spec_method };
		memcpy(c->arg, menu->calls.at[calls[x].call].arg, sizeof c->arg);
		a->returned += !c->stuck;
		for (uint32_t y = 0; y < count; y++)
			if (calls[y].ends < calls[x].begins)
				a->why.before[x] |= UINT32_C(1) << y;
	}
	return true;
}

static uint32_t returned_among(const struct attempt *a, uint32_t calls)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < a->o.count; i++)
		count += calls >> i & 1 && !a->o.call[i].stuck;
	return count;
}

static void search(struct attempt *a)
{
	struct lp_state *now = &a->place.state[a->placed], *then = now + 1;
	const struct lp_kind *kind = a->place.spec->kind;
	const uint32_t got = returned_among(a, a->done);

	if (got > a->best || (got == a->best && a->placed < a->why.closest_count)) {
		a->best = got;
		a->why.closest_count = a->placed;
		memcpy(a->why.closest, a->order, sizeof a->order);
	}
	for (uint32_t i = 0; i < a->o.count && a->best + 1 < a->returned && a->patience; i++) {
		const bool chooses = kind->methods[a->o.call[i].method].roles & LP_CHOOSES;
		if (a->done >> i & 1 || a->why.before[i] & ~a->done)
			continue;
		for (uint32_t choice = 0; a->patience && (chooses || !choice); choice++) {
			a->patience--;
			lp_state_copy(then, now);
			if (lp_place_step(&a->place, &a->o.call[i], then, choice) != LP_ACCEPTS)
				break;
			a->meets |= kind->settled && !kind->settled(then, a->place.spec->param);
			a->order[a->placed++] = i;
			a->done |= UINT32_C(1) << i;
			search(a);
			a->placed--;
			a->done &= ~(UINT32_C(1) << i);
		}
	}
}

static void show(const struct attempt *a, const struct lp_harness *harness, struct lp_arena *arena, struct lp_result_client *out)
{
	const struct lp_story story = lp_story_of(harness->spec, &a->o, &a->why, arena);
	const char **instead = lp_arena_alloc(arena, sizeof *instead * (a->o.count + 1));
	uint32_t *closest = lp_arena_alloc(arena, sizeof *closest * (a->o.count + 1));
	char text[160];

	memcpy(closest, a->why.closest, sizeof *closest * a->why.closest_count);
	for (uint32_t i = 0; i < a->o.count; i++) {
		if (story.end[i] == LP_STORY_WAITS)
			instead[i] = "waits";
		if (story.end[i] != LP_STORY_RETURNS)
			continue;
		for (uint32_t m = 0; m < harness->methods.count; m++)
			if (harness->methods.at[m].spec_method == a->o.call[i].method)
				lp_harness_say_result(harness, m, story.result[i], text, sizeof text);
		if (text[0] && (!out->calls[i].result || strcmp(text, out->calls[i].result)))
			instead[i] = lp_arena_strdup(arena, text);
	}
	out->closest = closest;
	out->closest_count = a->why.closest_count;
	out->states = story.states;
	out->instead = instead;
	out->why = "no order of the calls gives these results";
}

void lp_states_why(const struct lp_exploration *e, const struct lp_harness *harness, const struct lp_menu *menu,
		   uint32_t threads, struct lp_arena *arena, struct lp_result_client *out)
{
	struct attempt *a = lp_alloc_zero(1, sizeof *a);
	uint32_t count;
	const struct lp_states_call *calls = lp_states_calls(e, threads, arena, &count);

	a->patience = PATIENCE;
	lp_place_open(&a->place, harness->spec, LP_SYNC_NONE);
	if (!harness->pre.count && take_calls(a, calls, count, harness, menu)) {
		lp_state_begin(&a->place.state[0], harness->spec);
		search(a);
		if (!a->meets)
			show(a, harness, arena, out);
	}
	lp_place_close(&a->place);
	lp_free(a);
}
