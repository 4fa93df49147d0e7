/* states_view.c -- the calls of an execution that the state explorer found wrong.
 *
 * Calls and returns are steps of the execution, in real time.  A new moment begins when a call begins
 * after another call has returned.
 */
#include "verify/view/states_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "explore/state/state.h"
#include "report/result.h"

struct view {
	const struct lp_harness *harness;
	const struct lp_menu *menu;
	struct lp_arena *arena;
	uint32_t moment;
	bool returned; /* a call, since the last one began */
};

static void begin_call(struct view *v, const struct lp_step *s, struct lp_result_call *c)
{
	const uint32_t call = (uint32_t)s->answer.value.lo;
	char text[160];

	v->moment += v->returned;
	v->returned = false;
	lp_harness_say_call(v->harness, v->menu->method.at[call], v->menu->calls.at[call].arg, text,
			    sizeof text);
	*c = (struct lp_result_call){ .text = lp_arena_strdup(v->arena, text), .thread = s->thread,
				      .open = true, .lane = s->thread, .start = v->moment };
}

static void end_call(struct view *v, const struct lp_step *s, uint32_t call,
		     struct lp_result_call *c)
{
	char text[160];

	v->returned = true;
	lp_harness_say_result(v->harness, v->menu->method.at[call], (int64_t)s->op.operand.lo, text,
			      sizeof text);
	c->result = text[0] ? lp_arena_strdup(v->arena, text) : NULL;
	c->open = false;
	c->end = v->moment + 1;
}

/* The calls of one thread; all threads are gone through step by step for each. */
static uint32_t calls_of(struct view *v, const struct lp_exploration *e, uint32_t thread,
			 struct lp_result_call *out)
{
	uint32_t count = 0, call = 0;

	v->moment = 0;
	v->returned = false;
	for (uint32_t i = 0; i < e->step_count; i++) {
		const struct lp_step *s = &e->steps[i];
		struct lp_result_call other;
		const bool own = s->thread == thread;
		if (s->op.kind == LP_OP_CALL) {
			begin_call(v, s, own ? &out[count++] : &other);
			call = own ? (uint32_t)s->answer.value.lo : call;
		} else if (s->op.kind == LP_OP_RETURN && own && count) {
			end_call(v, s, call, &out[count - 1]);
		} else if (s->op.kind == LP_OP_RETURN) {
			v->returned = true;
		}
	}
	for (uint32_t i = 0; i < count; i++)
		if (out[i].open)
			out[i].end = v->moment + 1;
	return count;
}

const struct lp_states_call *lp_states_calls(const struct lp_exploration *e, uint32_t threads, struct lp_arena *arena, uint32_t *count)
{
	struct lp_states_call *calls = lp_arena_alloc(arena, sizeof *calls * (e->step_count + 1));

	*count = 0;
	for (uint32_t t = 1; t <= threads; t++)
		for (uint32_t i = 0; i < e->step_count; i++) {
			const struct lp_step *s = &e->steps[i];
			struct lp_states_call *last = *count ? &calls[*count - 1] : NULL;
			if (s->thread != t)
				continue;
			if (s->op.kind == LP_OP_CALL) {
				calls[(*count)++] = (struct lp_states_call){ .thread = t, .call = (uint32_t)s->answer.value.lo,
									     .begins = i, .ends = LP_STEP_NONE };
			} else if (s->op.kind == LP_OP_RETURN && last && last->thread == t) {
				last->ends = i;
				last->result = (int64_t)s->op.operand.lo;
			}
		}
	return calls;
}

struct lp_result_client *lp_states_view(const struct lp_exploration *e, const struct lp_harness *harness,
					const struct lp_menu *menu, uint32_t threads, struct lp_arena *arena)
{
	struct lp_result_client *out = lp_arena_alloc(arena, sizeof *out); /* zeroed */
	struct lp_result_call *calls =
		lp_arena_alloc(arena, sizeof *calls * (e->step_count + 1));
	struct view v = { .harness = harness, .menu = menu, .arena = arena };

	for (uint32_t t = 1; t <= threads; t++)
		out->count += calls_of(&v, e, t, calls + out->count);
	out->calls = calls;
	out->lanes = threads + 1;
	out->moments = v.moment + 1;
	return out;
}

/* "malloc of 16 bytes: node#2", "free of node#2" */
static const char *say_block(const struct lp_step *s, struct lp_arena *arena)
{
	const char *name = s->location ? s->location : "a block";
	char words[160];

	if (s->op.kind == LP_OP_ALLOC)
		snprintf(words, sizeof words, "malloc of %" PRIu64 " bytes: %s", s->op.operand.lo, name);
	else
		snprintf(words, sizeof words, "free of %s", name);
	return lp_arena_strdup(arena, words);
}

const struct lp_result_step *lp_states_steps(const struct lp_exploration *e,
					     const struct lp_result_violation *shown,
					     const struct lp_harness *harness,
					     const struct lp_menu *menu, struct lp_arena *arena)
{
	struct lp_result_step *steps = lp_arena_alloc(arena, sizeof *steps * (shown->step_count + 1));
	uint32_t call[LP_STATE_PROCESSES + 1] = { 0 }; /* that each thread is in */
	char what[160], result[160], words[400];

	for (uint32_t i = 0, at = 0; i < e->step_count && at < shown->step_count; i++) {
		const struct lp_step *s = &e->steps[i];
		if (s->op.kind == LP_OP_ERROR)
			continue; /* not among those shown */
		steps[at] = shown->steps[at];
		if (s->op.kind == LP_OP_CALL) {
			call[s->thread] = (uint32_t)s->answer.value.lo;
			steps[at].where = steps[at].function = NULL; /* it is not the object's */
		}
		if (s->op.kind == LP_OP_CALL || s->op.kind == LP_OP_RETURN || s->op.kind == LP_OP_POINT) {
			const uint32_t method = menu->method.at[call[s->thread]];
			lp_harness_say_call(harness, method, menu->calls.at[call[s->thread]].arg, what,
					    sizeof what);
			result[0] = '\0';
			if (s->op.kind != LP_OP_CALL)
				lp_harness_say_result(harness, method, (int64_t)s->op.operand.lo, result,
						      sizeof result);
			snprintf(words, sizeof words, "%s %s%s%s", s->op.kind == LP_OP_CALL ? "call" :
				 s->op.kind == LP_OP_POINT ? "linearization point of" : "return from", what,
				 result[0] ? " -> " : "", result);
			steps[at].action = lp_arena_strdup(arena, words);
		}
		if (s->op.kind == LP_OP_ALLOC || s->op.kind == LP_OP_FREE)
			steps[at].action = say_block(s, arena);
		at++;
	}
	return steps;
}

/* The last call of that lane that has returned before the call begins; UINT32_MAX if there is none. */
static uint32_t last_before(const struct lp_result_client *c, uint32_t call, uint32_t lane)
{
	uint32_t last = UINT32_MAX;

	for (uint32_t i = c->pre; i < c->count; i++)
		if (c->calls[i].lane == lane && !c->calls[i].open && c->calls[i].end <= c->calls[call].start)
			last = i;
	return last;
}

/* A call that any thread can make next, whatever it has called before; UINT32_MAX if there is none. */
static uint32_t free_call(const struct lp_menu *menu, uint32_t role)
{
	for (uint32_t i = 0; i < menu->rule.count; i++)
		if ((!menu->rule.at[i].role || menu->rule.at[i].role == role) && !menu->rule.at[i].needs && !menu->rule.at[i].unless)
			return i;
	return UINT32_MAX;
}

static bool has_open(const struct lp_result_client *c)
{
	for (uint32_t i = 0; i < c->count; i++)
		if (c->calls[i].open)
			return true;
	return false;
}

const struct lp_result_client *lp_states_test_client(const struct lp_result_client *shown, const struct lp_harness *h,
						     const struct lp_menu *menu, lp_tid waiting, struct lp_arena *arena)
{
	const uint32_t role = waiting && waiting <= h->roles ? waiting : h->roles + 1;
	const uint32_t more = waiting && !has_open(shown) ? free_call(menu, role) : UINT32_MAX;
	const uint32_t pre = h->pre.count, count = pre + shown->count + (more != UINT32_MAX);
	struct lp_result_client *c = lp_arena_alloc(arena, sizeof *c);
	struct lp_result_call *calls = lp_arena_alloc(arena, sizeof *calls * (count + 1));
	uint32_t (*waits)[2] = lp_arena_alloc(arena, sizeof *waits * (count * shown->lanes + 1));
	char text[160];

	for (uint32_t i = 0; i < pre; i++) {
		lp_harness_say_call(h, h->pre.at[i].method, h->pre.at[i].arg, text, sizeof text);
		calls[i] = (struct lp_result_call){ .text = lp_arena_strdup(arena, text) };
	}
	if (shown->count)
		memcpy(calls + pre, shown->calls, sizeof *calls * shown->count);
	if (more != UINT32_MAX) {
		lp_harness_say_call(h, menu->method.at[more], menu->calls.at[more].arg, text, sizeof text);
		calls[count - 1] = (struct lp_result_call){ .text = lp_arena_strdup(arena, text), .thread = waiting, .open = true,
							    .lane = waiting, .start = shown->moments, .end = shown->moments + 1 };
	}
	*c = *shown;
	c->calls = calls;
	c->pre = pre;
	c->count = count;
	for (uint32_t i = pre; i < count; i++)
		for (uint32_t lane = 1; lane < c->lanes; lane++) {
			const uint32_t last = lane == calls[i].lane ? UINT32_MAX : last_before(c, i, lane);
			if (last == UINT32_MAX)
				continue;
			waits[c->wait_count][0] = last;
			waits[c->wait_count++][1] = i;
		}
	c->waits = (const uint32_t (*)[2])waits;
	return c;
}
