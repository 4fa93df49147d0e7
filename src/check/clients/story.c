/* story.c -- runs the longest attempt at a linearization on the specification.
 *
 * A call may lead to several states (LP_CHOOSES); the story follows the first states with which all calls of the attempt
 * are accepted.  To find what a call would return, each likely result is tried on the specification: special values,
 * true and false, the words of the state, and the arguments of all calls.
 */
#include "check/clients/story.h"

#include "base/alloc.h"
#include "check/clients/place.h"
#include "spec/show.h"
#include "spec/spec.h"

enum {
	TEXT_ROOM = 200,
	STEPS_MOST = 100000, /* the largest number of steps of the specification to find out whether calls may wait */
};

struct telling {
	const struct lp_observation *o;
	const struct lp_refutation *why;
	const struct lp_spec *spec;
	struct lp_place place;
	struct lp_arena *arena;
	const char **states;
	struct lp_state last;
	uint32_t steps;
};

static const char *show(const struct telling *t, const struct lp_state *s)
{
	char text[TEXT_ROOM];

	lp_state_show(t->spec, s, text, sizeof text);
	return lp_arena_strdup(t->arena, text);
}

/* Runs the calls of the attempt from index `at` on.  Returns false if they are not accepted. */
static bool go_on(struct telling *t, const struct lp_state *from, uint32_t at)
{
	const struct lp_refutation *why = t->why;
	bool good = false;

	t->states[at] = show(t, from);
	if (at == why->closest_count) {
		lp_state_copy(&t->last, from);
		return true;
	}
	const struct lp_observed *call = &t->o->call[why->closest[at]];
	const bool chooses = t->spec->kind->methods[call->method].roles & LP_CHOOSES;
	struct lp_state next;
	lp_state_open(&next);
	for (uint32_t choice = 0; !good && (chooses || !choice); choice++) {
		lp_state_copy(&next, from);
		if (lp_place_step(&t->place, call, &next, choice) != LP_ACCEPTS) {
			if (choice || !lp_spec_uses_overlap(t->spec))
				break;
			lp_state_copy(&next, from); /* overlapping calls explain it, so it does not change the state */
		}
		good = go_on(t, &next, at + 1);
	}
	lp_state_close(&next);
	return good;
}

static bool is_accepted(struct telling *t, struct lp_observed call, int64_t result, bool *waits)
{
	struct lp_state next;

	call.result = result;
	lp_state_open(&next);
	lp_state_copy(&next, &t->last);
	const enum lp_answer answer = lp_place_step(&t->place, &call, &next, 0);
	lp_state_close(&next);
	*waits |= answer == LP_BLOCKS;
	return answer == LP_ACCEPTS;
}

static bool find_result(struct telling *t, const struct lp_observed *call, int64_t *result, bool *waits)
{
	static const int64_t special[] = { LP_EMPTY, LP_FULL, LP_NIL, 1, 0, LP_VOID };
	const struct lp_observation *o = t->o;

	for (uint32_t i = 0; i < t->last.count; i++)
		for (int64_t d = 0; d < 3; d++) /* the word itself, the word + 1 and the word - 1 */
			if (is_accepted(t, *call, *result = t->last.at[i] + (d == 2 ? -1 : d), waits))
				return true;
	for (size_t i = 0; i < sizeof special / sizeof *special; i++)
		if (is_accepted(t, *call, *result = special[i], waits))
			return true;
	for (uint32_t i = 0; i < t->spec->kind->thrown_count; i++)
		if (is_accepted(t, *call, *result = t->spec->kind->thrown[i].number, waits))
			return true;
	for (uint32_t i = 0; i < o->count; i++)
		for (uint32_t a = 0; a < LP_OBSERVED_ARGS; a++)
			if (is_accepted(t, *call, *result = o->call[i].arg[a], waits))
				return true;
	return false;
}

/* Finds what the call would do after the attempt.  If it may return its actual result, another reason prevents it from
 * being placed, such as missing synchronisation. */
static enum lp_story_end find_instead(struct telling *t, uint32_t i, int64_t *result)
{
	const struct lp_observed *call = &t->o->call[i];
	bool waits = false;

	if (t->spec->kind->methods[call->method].result == LP_VALUES || is_accepted(t, *call, call->result, &waits))
		return LP_STORY_UNKNOWN;
	return find_result(t, call, result, &waits) ? LP_STORY_RETURNS : waits ? LP_STORY_WAITS : LP_STORY_UNKNOWN;
}

/* May a call that is not in `done` wait, in this state or after other calls, whatever results the specification gives
 * them? */
static bool may_wait(struct telling *t, const struct lp_state *from, uint32_t done)
{
	bool waits = false;
	struct lp_state next;

	lp_state_open(&next);
	for (uint32_t i = 0; !waits && i < t->o->count; i++) {
		struct lp_observed call = t->o->call[i];
		const bool chooses = t->spec->kind->methods[call.method].roles & LP_CHOOSES;
		if (done >> i & 1)
			continue;
		call.stuck = true; /* any result */
		for (uint32_t choice = 0; !waits && (chooses || !choice); choice++) {
			lp_state_copy(&next, from);
			const enum lp_answer answer = lp_place_step(&t->place, &call, &next, choice);
			if (answer != LP_ACCEPTS && choice)
				break;
			waits = answer != LP_ACCEPTS || ++t->steps > STEPS_MOST || may_wait(t, &next, done | UINT32_C(1) << i);
		}
	}
	lp_state_close(&next);
	return waits;
}

static bool is_placed(const struct lp_refutation *why, uint32_t call)
{
	for (uint32_t i = 0; i < why->closest_count; i++)
		if (why->closest[i] == call)
			return true;
	return false;
}

/* Are all calls that must precede the call in the attempt? */
static bool is_next(const struct lp_refutation *why, uint32_t count, uint32_t call)
{
	for (uint32_t b = 0; b < count; b++)
		if (why->before[call] >> b & 1 && !is_placed(why, b))
			return false;
	return !is_placed(why, call);
}

struct lp_story lp_story_of(const struct lp_spec *spec, const struct lp_observation *o,
			    const struct lp_refutation *why, struct lp_arena *arena)
{
	struct telling t = { .o = o, .why = why, .spec = spec, .arena = arena,
			     .place = { .spec = spec, .tuples = o->tuples },
			     .states = lp_arena_alloc(arena, sizeof *t.states * (why->closest_count + 1)) };
	struct lp_story story = { .end = lp_arena_alloc(arena, sizeof *story.end * (o->count + 1)),
				  .result = lp_arena_alloc(arena, sizeof *story.result * (o->count + 1)) };
	struct lp_state first;

	lp_state_open(&first);
	lp_state_open(&t.last);
	lp_state_begin(&first, spec);
	story.prompt = !lp_spec_has_meetings(spec) && !may_wait(&t, &first, 0);
	if (go_on(&t, &first, 0)) {
		story.states = t.states;
		for (uint32_t i = 0; i < o->count; i++)
			if (is_next(why, o->count, i) && !o->call[i].stuck)
				story.end[i] = find_instead(&t, i, &story.result[i]);
	}
	lp_state_close(&first);
	lp_state_close(&t.last);
	return story;
}
