/* trial.c -- an object tried with other memory orders. */
#include "verify/orders/trial.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "explore/reduce/reductions.h"
#include "runtime/hooks/sites.h"
#include "verify/interrupt.h"
#include "verify/orders/coherent.h"

/* ---- witnesses ---- */

static const char *calls_of(const struct lp_check *c, const struct lp_plan_client *client, struct lp_arena *arena)
{
	const struct lp_client *all = &client->client;
	char text[1024] = "";
	size_t used = 0;

	for (uint32_t i = 0; i < all->calls && used < sizeof text; i++) {
		const char *between = !i			       ? "" :
				      i == client->pre		       ? " ; then " :
				      all->call[i].thread == all->call[i - 1].thread ? "; " : " | ";
		char call[128];
		lp_harness_say_call(&c->harness, client->method[i], all->call[i].arg, call, sizeof call);
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", between, call);
	}
	return lp_arena_strdup(arena, text);
}

static const char *how_of(const struct lp_exploration *e, struct lp_arena *arena)
{
	char text[256];
	const bool judged = lp_check_is_judged(e);

	snprintf(text, sizeof text, "%s%s%s%s%s", lp_error_name(e->kind), !judged && e->where ? " at " : "",
		 !judged && e->where ? e->where : "", e->other_where ? " with " : "",
		 e->other_where ? e->other_where : "");
	return lp_arena_strdup(arena, text);
}

uint32_t lp_trial_witness(struct lp_trial *t)
{
	struct lp_check *c = t->check;
	const struct lp_trial_witness w = {
		.client = c->client, .steps = c->total.steps, .count = c->total.step_count,
		.how = how_of(&c->total, &c->task.arena),
		.calls = calls_of(c, &c->client, &c->task.arena),
	};

	LP_PUSH(&t->witnesses, w);
	return t->witnesses.count - 1;
}

bool lp_trial_shows(struct lp_trial *t, uint32_t witness, const uint8_t *orders)
{
	const struct lp_trial_witness *w = &t->witnesses.at[witness];
	struct lp_task *task = &t->check->task;
	const struct lp_arena_mark mark = lp_arena_mark(&task->arena);
	struct lp_exploration e = { 0 };

	lp_site_choices_set(&task->native, t->choices, orders, true);
	lp_check_repeat(t->check, &w->client, w->steps, w->count, &e);
	/* In models in which happens-before restricts what a read may return, other orders may make the steps impossible. */
	const bool shown = e.verdict == LP_VIOLATION &&
			   (!lp_model_class_of(task->explore.model)->by_hb ||
			    lp_coherent_steps(e.steps, e.step_count, &task->arena) == LP_COHERENT);
	lp_arena_rewind(&task->arena, mark);
	return shown;
}

static bool is_at(const struct lp_trial *t, const struct lp_site_choice *c, uintptr_t pc)
{
	const struct lp_module *module = lp_native_module(&t->check->task.native);

	for (uint32_t i = 0; i < c->site_count; i++)
		if (pc == (uintptr_t)&module->sites[c->sites[i]])
			return true;
	return false;
}

/* Does the witness perform the operation of that choice, in that way? */
static bool performs(const struct lp_trial *t, const struct lp_trial_witness *w, uint32_t choice)
{
	const struct lp_site_choice *c = &t->choices->at[choice];

	for (uint32_t i = 0; i < w->count; i++) {
		const struct lp_step *s = &w->steps[i];
		if (!is_at(t, c, s->op.pc))
			continue;
		if (c->use != LP_USE_FAILURE && (c->use != LP_USE_RMW || !s->answer.failed || s->blocked))
			return true;
		if (c->use == LP_USE_FAILURE && (s->answer.failed || s->blocked))
			return true;
	}
	return false;
}

/* Under tso, a store that is followed by a fence is another operation; all else is the same (model/tso.c).  Under sc
 * everything is. */
static enum lp_order same_on_tso(enum lp_order_use use, enum lp_order from, enum lp_order high)
{
	const bool matters = use == LP_USE_STORE || use == LP_USE_FENCE;

	if (!matters || from == LP_SC || high != LP_SC)
		return high;
	return use == LP_USE_STORE ? LP_REL : LP_ACQREL;
}

/* Strengthens the choice as far as the witness remains a wrong execution. */
static void raise_choice(struct lp_trial *t, uint32_t witness, uint8_t *upper, uint32_t choice)
{
	const struct lp_order_choice *range = &t->ranges[choice];
	const enum lp_order from = (enum lp_order)upper[choice];

	for (enum lp_order o = LP_SC; o > from; o--) {
		if (!lp_order_fits(range->use, o) || !lp_order_weaker(from, o) || !lp_order_weaker(o, range->high))
			continue;
		upper[choice] = (uint8_t)o;
		if (lp_trial_shows(t, witness, upper))
			return;
	}
	upper[choice] = (uint8_t)from;
}

static void raise_all(struct lp_trial *t, uint32_t witness, uint8_t *upper)
{
	for (uint32_t i = 0; i < t->choices->count; i++)
		if (!performs(t, &t->witnesses.at[witness], i))
			upper[i] = (uint8_t)t->ranges[i].high;
	for (uint32_t i = 0; i < t->choices->count; i++) {
		const struct lp_order_choice *r = &t->ranges[i];
		if (upper[i] == r->high)
			continue;
		if (t->check->task.explore.model == LP_MODEL_SC)
			upper[i] = (uint8_t)r->high;
		else if (t->check->task.explore.model == LP_MODEL_TSO)
			upper[i] = (uint8_t)same_on_tso(r->use, (enum lp_order)upper[i], r->high);
		else
			raise_choice(t, witness, upper, i);
	}
}

/* ---- what is reached ---- */

void lp_trial_open(struct lp_trial *t, struct lp_check *c, const struct lp_site_choices *choices,
		   const struct lp_order_choice *ranges)
{
	*t = (struct lp_trial){ .check = c, .choices = choices, .ranges = ranges, .deadline = c->deadline };
	t->reached = lp_arena_alloc(&c->task.arena, sizeof *t->reached * (choices->count + 1));
	t->met = lp_arena_alloc(&c->task.arena, sizeof *t->met * (choices->count + 1));
}

void lp_trial_note(struct lp_trial *t, bool right)
{
	for (uint32_t i = 0; i < t->choices->count; i++) {
		const unsigned now = lp_site_choice_reached(&t->check->task.native, &t->choices->at[i]);
		t->met[i] |= now;
		t->reached[i] |= right ? now : 0;
	}
	lp_native_unreach(&t->check->task.native);
}

bool lp_trial_is_other_case(const struct lp_trial *t, uint32_t choice)
{
	const struct lp_site_choice *c = &t->choices->at[choice];

	for (uint32_t i = 0; i < t->choices->count && !t->reached[choice]; i++) {
		const struct lp_site_choice *d = &t->choices->at[i];
		if (t->reached[i] && d->sites != c->sites && d->use == c->use && d->origin->line == c->origin->line &&
		    d->origin->column == c->origin->column && d->origin->file == c->origin->file)
			return true;
	}
	return false;
}

/* ---- trials ---- */

/* Why there is nothing more to be explored, or NULL. */
static const char *over(const struct lp_trial *t)
{
	if (lp_interrupt_reason())
		return lp_interrupt_reason();
	if (lp_memory_is_full())
		return lp_memory_reason();
	if (t->deadline > 0 && lp_task_seconds(&t->check->task) >= t->deadline)
		return "time limit reached";
	return t->most_executions && t->executions + t->blocked >= t->most_executions ? "limit on executions reached" : NULL;
}

static enum lp_orders_answer explore(struct lp_trial *t, const uint8_t *orders, bool visible)
{
	struct lp_check *c = t->check;
	struct lp_error error;
	const char *reason = NULL;

	if (over(t)) {
		t->undecided = over(t);
		return LP_ORDERS_STOP;
	}

	lp_site_choices_set(&c->task.native, t->choices, orders, visible);
	lp_native_forget(&c->task.native);
	c->quick = true;
	if (t->most_executions)
		c->task.explore.limits.executions = t->most_executions - t->executions - t->blocked;
	if (!lp_check_explore(c, &error)) {
		t->undecided = lp_arena_strdup(&c->task.arena, error.text);
		return LP_ORDERS_STOP;
	}
	t->executions += c->total.executions;
	t->blocked += c->total.blocked;
	const enum lp_result_verdict verdict = lp_check_verdict(c, &reason);
	lp_trial_note(t, verdict == LP_RESULT_VERIFIED);
	switch (verdict) {
	case LP_RESULT_VERIFIED:
		return LP_ORDERS_RIGHT;
	case LP_RESULT_VIOLATION:
		return LP_ORDERS_WRONG;
	default:
		t->undecided = reason;
		return over(t) ? LP_ORDERS_STOP : LP_ORDERS_UNDECIDED;
	}
}

static bool has_removed_fence(const struct lp_trial *t, const uint8_t *orders)
{
	for (uint32_t i = 0; i < t->choices->count; i++)
		if (t->choices->at[i].use == LP_USE_FENCE && orders[i] == LP_RLX)
			return true;
	return false;
}

/* Explores again, with the program as it would be written. */
static enum lp_orders_answer without_fences(struct lp_trial *t, const uint8_t *orders)
{
	const enum lp_orders_answer answer = explore(t, orders, false);

	if (answer != LP_ORDERS_WRONG)
		return answer;
	t->undecided = "it is right with a fence that does nothing, and wrong without it: please report this";
	return LP_ORDERS_UNDECIDED;
}

enum lp_orders_answer lp_trial_ask(void *closure, const uint8_t *orders, uint8_t *upper, uint32_t *why)
{
	struct lp_trial *t = closure;
	const struct lp_arena_mark mark = lp_arena_mark(&t->check->task.arena);

	const enum lp_orders_answer answer = explore(t, orders, true);
	if (answer == LP_ORDERS_RIGHT) {
		lp_arena_rewind(&t->check->task.arena, mark);
		return has_removed_fence(t, orders) ? without_fences(t, orders) : answer;
	}
	if (answer == LP_ORDERS_WRONG) {
		*why = lp_trial_witness(t);
		memcpy(upper, orders, t->choices->count);
		raise_all(t, *why, upper);
	}
	return answer;
}

enum lp_orders_answer lp_trial_ask_alone(void *closure, const uint8_t *orders, uint8_t *upper, uint32_t *why)
{
	struct lp_trial *t = closure;
	const struct lp_arena_mark mark = lp_arena_mark(&t->check->task.arena);
	const enum lp_orders_answer answer = explore(t, orders, false);

	memcpy(upper, orders, t->choices->count);
	*why = 0;
	if (answer == LP_ORDERS_RIGHT || answer == LP_ORDERS_WRONG)
		lp_arena_rewind(&t->check->task.arena, mark);
	return answer;
}

enum lp_orders_answer lp_trial_verify(struct lp_trial *t, const uint8_t *orders)
{
	return explore(t, orders, false);
}

void lp_trial_look(struct lp_trial *t, const uint8_t *orders, uint64_t executions)
{
	struct lp_explore_options *e = &t->check->task.explore;
	const struct lp_explore_options kept = *e;
	const struct lp_arena_mark mark = lp_arena_mark(&t->check->task.arena);

	lp_reductions_limit(&e->reduce, LP_LOOKING);
	e->limits.executions = executions;
	explore(t, orders, false);
	memcpy(t->reached, t->met, sizeof *t->met * t->choices->count);
	*e = kept;
	t->undecided = NULL;
	lp_arena_rewind(&t->check->task.arena, mark);
}

void lp_trial_note_source(struct lp_trial *t, const uint8_t *source)
{
	bool all = true;

	lp_trial_note(t, true);
	for (uint32_t i = 0; i < t->choices->count; i++)
		all &= t->reached[i] != 0;
	if (!all)
		lp_trial_look(t, source, LP_EXECUTIONS_TO_LOOK);
}

void lp_trial_close(struct lp_trial *t)
{
	lp_free(t->witnesses.at);
}
