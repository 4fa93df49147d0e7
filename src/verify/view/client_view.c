/* client_view.c -- the client of a violation, as the reports show it.
 *
 * The violation needs certain orders between calls.  These orders are turned into a program: where possible, calls that come directly
 * after each other are put into one thread (a lane); otherwise one call waits for another.  If two calls are put into one thread,
 * they may be ordered more strongly than the violation allows, because a release fence of the first call also orders the second.
 * In that case, each thread of the execution keeps its own lane.
 */
#include "verify/view/client_view.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "check/clients/place.h"
#include "check/clients/relations_allow.h"
#include "check/clients/story.h"
#include "check/refine/refines.h"
#include "check/refine/spec_runs.h"
#include "explore/explore.h"
#include "report/result.h"
#include "verify/judge.h"
#include "verify/plan.h"
#include "verify/task/task.h"

#define NONE UINT32_MAX

struct view {
	const struct lp_judge *judge;
	const struct lp_harness *harness;
	const struct lp_plan_client *plan;
	struct lp_arena *arena;
	bool judged;
	uint32_t call[LP_OBSERVED_CALLS];   /* of the client, by observed call */
	uint32_t before[LP_OBSERVED_CALLS]; /* of observed calls */
	uint32_t count;
	uint32_t lane[LP_OBSERVED_CALLS], next[LP_OBSERVED_CALLS]; /* the one after it there */
	uint32_t lanes;
	uint32_t shown[LP_OBSERVED_CALLS];  /* where it stands among the calls shown */
};

static bool has(uint32_t set, uint32_t i)
{
	return set >> i & 1;
}

static bool is_immediate(const struct view *v, uint32_t b, uint32_t a)
{
	for (uint32_t m = 0; m < v->count; m++)
		if (has(v->before[a], m) && has(v->before[m], b))
			return false;
	return has(v->before[a], b);
}

/* What is known of the calls; their order is the judge's, or that of threads. */
static void take_calls(struct view *v)
{
	if (v->judged) {
		v->count = v->judge->observation.count;
		memcpy(v->call, v->judge->call, sizeof v->call);
		memcpy(v->before, v->judge->why.before, sizeof v->before);
		return;
	}
	for (uint32_t c = 0; c < v->plan->client.calls; c++) {
		int64_t unused;
		if (lp_native_call(v->judge->native, c, &unused) == LP_CALL_NOT_MADE)
			continue;
		for (uint32_t b = 0; b < v->count; b++) {
			const uint32_t t = v->plan->client.call[v->call[b]].thread;
			if (!t || t == v->plan->client.call[c].thread)
				v->before[v->count] |= UINT32_C(1) << b;
		}
		v->call[v->count++] = c;
	}
}

static uint32_t thread_of(const struct view *v, uint32_t i)
{
	return v->plan->client.call[v->call[i]].thread;
}

/* Can b be followed by a, to which it is directly before, in one lane? */
static bool may_share_lane(const struct view *v, uint32_t b, uint32_t a)
{
	return thread_of(v, b) && v->next[b] == NONE && is_immediate(v, b, a) &&
	       (!v->judged || !v->judge->messages || thread_of(v, b) == thread_of(v, a));
}

/* Calls in an order in which each comes after those before it. */
static void make_lanes(struct view *v)
{
	uint32_t done = 0;

	memset(v->next, 0xff, sizeof v->next);
	v->lanes = 1; /* lane 0: before the threads */
	for (uint32_t placed = 0; placed < v->count; placed++) {
		uint32_t a = 0;
		while (has(done, a) || v->before[a] & ~done)
			a++;
		done |= UINT32_C(1) << a;
		v->lane[a] = 0;
		if (!thread_of(v, a))
			continue;
		uint32_t after = NONE;
		for (uint32_t b = 0; b < v->count; b++)
			if (may_share_lane(v, b, a) &&
			    (after == NONE || thread_of(v, b) == thread_of(v, a)))
				after = b;
		if (after == NONE) {
			v->lane[a] = v->lanes++;
		} else {
			v->lane[a] = v->lane[after];
			v->next[after] = a;
		}
	}
}

/* A call begins when those before it are over, and is open until one after it begins.  Time
 * starts with the threads. */
static uint32_t start_of(const struct view *v, uint32_t a)
{
	uint32_t start = 0;

	for (uint32_t b = 0; b < v->count; b++)
		if (has(v->before[a], b) && thread_of(v, b)) {
			const uint32_t s = start_of(v, b) + 1;
			start = s > start ? s : start;
		}
	return start;
}

static uint32_t end_of(const struct view *v, uint32_t a, uint32_t moments)
{
	uint32_t end = moments;

	for (uint32_t b = 0; b < v->count; b++)
		if (has(v->before[b], a)) {
			const uint32_t s = start_of(v, b);
			end = s < end ? s : end;
		}
	return end;
}

static struct lp_result_call say(const struct view *v, uint32_t i, uint32_t moments)
{
	const uint32_t c = v->call[i], m = v->plan->method[c];
	char text[160];
	int64_t result;
	const enum lp_call_state state = lp_native_call(v->judge->native, c, &result);
	struct lp_result_call call = {
		.thread = lp_native_thread(v->judge->native, v->plan->client.call[c].thread),
		.stuck = v->judged && state != LP_CALL_RETURNED,
		.open = !v->judged && state != LP_CALL_RETURNED, .lane = v->lane[i],
		.start = start_of(v, i), .end = end_of(v, i, moments),
	};

	lp_harness_say_call(v->harness, m, v->plan->client.call[c].arg, text, sizeof text);
	call.text = lp_arena_strdup(v->arena, text);
	if (state == LP_CALL_RETURNED) {
		lp_harness_say_result(v->harness, m, result, text, sizeof text);
		call.result = text[0] ? lp_arena_strdup(v->arena, text) : NULL;
	}
	return call;
}

static void show_calls(struct view *v, struct lp_result_client *out)
{
	struct lp_result_call *calls = lp_arena_alloc(v->arena, sizeof *calls * (v->count + 1));

	for (uint32_t a = 0; a < v->count; a++) {
		const uint32_t s = start_of(v, a) + 1;
		out->moments = s > out->moments ? s : out->moments;
	}
	for (uint32_t lane = 0; lane < v->lanes; lane++) {
		/* No call comes before the first of the lane. */
		for (uint32_t a = 0; a < v->count; a++) {
			bool first = v->lane[a] == lane;
			for (uint32_t b = 0; lane && b < v->count; b++)
				first &= v->next[b] != a;
			for (uint32_t x = a; first && x != NONE; x = v->next[x]) {
				v->shown[x] = out->count;
				calls[out->count++] = say(v, x, out->moments);
			}
		}
		if (!lane)
			out->pre = out->count;
	}
	out->calls = calls;
	out->lanes = v->lanes;
}

static void show_waits(const struct view *v, struct lp_result_client *out)
{
	uint32_t (*waits)[2] = lp_arena_alloc(v->arena, sizeof *waits * (v->count * v->count + 1));

	for (uint32_t a = 0; a < v->count; a++)
		for (uint32_t b = 0; b < v->count; b++)
			if (is_immediate(v, b, a) && v->lane[b] && v->next[b] != a) {
				waits[out->wait_count][0] = v->shown[b];
				waits[out->wait_count++][1] = v->shown[a];
			}
	out->waits = (const uint32_t(*)[2])waits;
}

/* "dequeue() -> 1": calls may differ in nothing but their results. */
static const char *say_whole(const struct lp_result_call *c, char *text, size_t size)
{
	snprintf(text, size, "%s%s%s", c->text, c->result ? " -> " : "", c->result ? c->result : "");
	return text;
}

static void show_missing(const struct view *v, struct lp_result_client *out, const char *gap)
{
	const struct lp_refutation *why = &v->judge->why;
	char from[160], to[160], text[1024];

	out->missing_from = v->shown[why->from];
	out->missing_to = v->shown[why->to];
	out->handed_over = why->handed_over && !why->order_matters;
	say_whole(&out->calls[out->missing_from], from, sizeof from);
	say_whole(&out->calls[out->missing_to], to, sizeof to);
	snprintf(text, sizeof text, "%s does not happen before what follows %s", from, to);
	out->missing = lp_arena_strdup(v->arena, text);
	const char *program = v->judge->program;
	snprintf(text, sizeof text, "%s must happen before what follows %s%s%s%s, but %s", from, to, program ? ", as in '" : "",
		 program ? program : "", program ? "'" : "", gap);
	out->why = lp_arena_strdup(v->arena, text);
}

/* What a call that does not fit would return in the last state; NULL if that is not known, or is what it returned. */
static const char *say_instead(const struct view *v, const struct lp_story *story, uint32_t i, const char *observed)
{
	char text[160];

	if (story->end[i] != LP_STORY_RETURNS)
		return story->end[i] == LP_STORY_WAITS ? "waits" : NULL;
	lp_harness_say_result(v->harness, v->plan->method[v->call[i]], story->result[i], text, sizeof text);
	return text[0] && (!observed || strcmp(text, observed)) ? lp_arena_strdup(v->arena, text) : NULL;
}

static void show_story(const struct view *v, struct lp_result_client *out)
{
	const struct lp_story story = lp_story_of(v->harness->spec, &v->judge->observation, &v->judge->why, v->arena);
	const char **instead = lp_arena_alloc(v->arena, sizeof *instead * (v->count + 1));

	for (uint32_t i = 0; i < v->count; i++)
		instead[v->shown[i]] = say_instead(v, &story, i, out->calls[v->shown[i]].result);
	out->states = story.states;
	out->prompt = story.prompt;
	out->instead = instead;
}

/* "; closest: it has pop() -> 1 instead": how the closest run of the specification ends. */
static void say_closest(const struct view *v, char *text, size_t size)
{
	const struct lp_run *run = v->judge->refines->closest;
	size_t used = strlen(text);
	bool any = false;

	for (uint32_t i = 0; run && i < v->count && used < size; i++) {
		const struct lp_observed *theirs = &run->o.call[i], *ours = &v->judge->observation.call[i];
		const uint32_t m = v->plan->method[v->call[i]];
		char call[160], result[160] = "stuck";
		if (theirs->stuck == ours->stuck && (theirs->stuck || theirs->result == ours->result))
			continue;
		if (!theirs->stuck)
			lp_harness_say_result(v->harness, m, theirs->result, result, sizeof result);
		used += (size_t)snprintf(text + used, size - used, "%s%s%s%s", any ? ", " : "; closest: it has ",
					 lp_harness_say_call(v->harness, m, ours->arg, call, sizeof call),
					 theirs->stuck ? " " : result[0] ? " -> " : " return", result);
		any = true;
	}
	if (any && used < size)
		snprintf(text + used, size - used, " instead");
}

/* "; closest: there enqueue(1) does not come before enqueue(2)": a pair that the client orders, and that the closest run, which has
 * the results, does not go with. */
static void say_contrary(const struct view *v, const struct lp_result_client *out, char *text, size_t size)
{
	const struct lp_run *run = v->judge->refines->closest;
	const struct lp_observation *o = &v->judge->observation;

	for (uint32_t a = 0; a < v->count; a++)
		for (uint32_t b = 0; b < v->count; b++) {
			uint32_t before[LP_OBSERVED_CALLS];
			char first[160], then[160];
			if (!has(v->before[a] & ~o->before[a], b))
				continue;
			memcpy(before, o->before, sizeof before);
			lp_add_before(before, v->count, b, a);
			if (lp_relations_allow(&run->o, run->reached, before))
				continue;
			snprintf(text + strlen(text), size - strlen(text), "; closest: there %s does not come before %s",
				 say_whole(&out->calls[v->shown[b]], first, sizeof first),
				 say_whole(&out->calls[v->shown[a]], then, sizeof then));
			return;
		}
}

/* The specification is a program. */
static void show_unrefined(const struct view *v, struct lp_result_client *out)
{
	const struct lp_refutation *why = &v->judge->why;
	const char *program = v->judge->program;
	char text[1024];

	if (why->stuck != LP_NO_CALL)
		snprintf(text, sizeof text, "%s never returns, and no execution of '%s' ends like that",
			 out->calls[v->shown[why->stuck]].text, program);
	else if (v->judge->refines->alike)
		snprintf(text, sizeof text, "'%s' has these results, but not for a client that orders the calls in this way", program);
	else
		snprintf(text, sizeof text, "no execution of '%s' has these results", program);
	if (v->judge->refines->alike)
		say_contrary(v, out, text, sizeof text);
	else
		say_closest(v, text, sizeof text);
	out->why = lp_arena_strdup(v->arena, text);
}

static void show_reasons(const struct view *v, struct lp_result_client *out, const char *gap)
{
	const struct lp_refutation *why = &v->judge->why;
	uint32_t *closest = lp_arena_alloc(v->arena, sizeof *closest * (v->count + 1));
	char text[1024 + 256];

	for (uint32_t i = 0; i < why->closest_count; i++)
		closest[i] = v->shown[why->closest[i]];
	out->closest = closest;
	out->closest_count = why->closest_count;
	if (!v->judge->refines && !v->judge->counting && strncmp(v->judge->property, "quasi:", 6)) /* close to a correct run is not one */
		show_story(v, out);
	if (why->sync_missing) {
		show_missing(v, out, gap);
		return;
	}
	if (v->judge->refines) {
		show_unrefined(v, out);
		return;
	}
	if (v->judge->counting)
		snprintf(text, sizeof text, "'%s' does not allow these counts: %s", v->judge->counting,
			 lp_clients_miscount(v->judge->clients));
	else if (why->stuck != LP_NO_CALL)
		snprintf(text, sizeof text,
			 "%s never returns, but by the specification it need not wait, whatever the order of the other "
			 "calls%s%s", out->calls[v->shown[why->stuck]].text, gap ? ": " : "",
			 gap ? gap : "");
	else
		snprintf(text, sizeof text, "no order of the calls%s %s these results",
			 why->order_matters ? " that keeps what the client orders" : "",
			 strncmp(v->judge->property, "quasi:", 6) ? "gives" : "is as close as that to one that gives");
	out->why = lp_arena_strdup(v->arena, text);
}

const struct lp_result_client *lp_client_view(const struct lp_judge *judge,
					      const struct lp_harness *harness,
					      const struct lp_plan_client *plan, bool judged,
					      const char *gap, struct lp_arena *arena)
{
	struct view v = { .judge = judge, .harness = harness, .plan = plan, .arena = arena,
			  .judged = judged };
	struct lp_result_client *out = lp_arena_alloc(arena, sizeof *out); /* zeroed */

	take_calls(&v);
	make_lanes(&v);
	show_calls(&v, out);
	show_waits(&v, out);
	if (judged)
		show_reasons(&v, out, gap);
	return out;
}

/* The call that a thread makes as its `number`-th, by index from 1; 0 if there is none. */
static uint32_t nth_call(const struct lp_result_client *client, uint32_t thread, uint32_t number)
{
	for (uint32_t a = client->pre; a < client->count; a++) {
		uint32_t earlier = 0;
		if (client->calls[a].thread != thread)
			continue;
		for (uint32_t b = client->pre; b < client->count; b++)
			earlier += client->calls[b].thread == thread &&
				   client->calls[b].start < client->calls[a].start;
		if (earlier == number)
			return a + 1;
	}
	return 0;
}

/* A thread with one call has no event that begins it.  For a step of thread 0, it is not known to which of the calls
 * before the threads it belongs. */
void lp_client_view_steps(struct lp_result_violation *v, const struct lp_step *all, uint32_t count,
			  struct lp_arena *arena)
{
	struct lp_result_step *steps = lp_arena_alloc(arena, sizeof *steps * (v->step_count + 1));

	for (uint32_t i = 0; i < v->step_count; i++) {
		uint32_t begun = 0;
		steps[i] = v->steps[i];
		for (uint32_t k = 0; k < count; k++)
			begun += all[k].thread == steps[i].thread && all[k].event < steps[i].event &&
				 all[k].op.kind == LP_OP_CALL;
		if (steps[i].thread)
			steps[i].call = nth_call(v->client, steps[i].thread, begun ? begun - 1 : 0);
	}
	v->steps = steps;
}

/* Is the step about the object, and not about the client that calls it?  What is done after the first thread has been waited
 * for is about neither if the calls are wrong: `closure` is that step, or NULL. */
static bool concerns_object(const struct lp_step *s, const void *closure)
{
	const struct lp_step *joined = closure;
	const bool clients = s->op.name && !strcmp(s->op.name, "call");

	return s->op.kind != LP_OP_END && !clients && (!joined || s->thread || s->event < joined->event);
}

/* When a violation is about the calls: where the client begins to wait for its threads. */
static const struct lp_step *first_join(const struct lp_exploration *e)
{
	for (uint32_t i = 0; i < e->step_count; i++)
		if (!e->steps[i].thread && e->steps[i].op.kind == LP_OP_JOIN)
			return &e->steps[i];
	return NULL;
}

void lp_client_view_keep(struct lp_task *task, struct lp_exploration *e, bool judged)
{
	struct lp_plain_step *plains = lp_arena_alloc(&task->arena, sizeof *plains * (e->plain_count + 1));
	uint32_t count = 0;

	lp_task_keep_steps(task, e, concerns_object, judged ? first_join(e) : NULL);
	for (uint32_t i = 0; i < e->plain_count; i++)
		if (e->plains[i].thread || !judged) /* those of the client's own thread are no part of the calls */
			plains[count++] = e->plains[i];
	e->plains = plains;
	e->plain_count = count;
}
