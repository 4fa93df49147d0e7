/* orders.c -- `linchpin orders`: the weakest memory orders with which an object verifies.
 *
 * First the object is explored as it is.  An assignment is a memory order for each site.  orders/order_search.h searches
 * for the minimal assignments, whose orders are at most those of the source; trial.h says whether an assignment is
 * correct.  Each assignment that the search finds is explored once more in full.  For each assignment that is one step
 * weaker than one that was found, a wrong execution is replayed.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/check_command.h"
#include "cli/deliver.h"
#include "explore/parallel/team.h"
#include "model/model.h"
#include "report/results/order_report.h"
#include "report/text/terminal.h"
#include "runtime/hooks/sites.h"
#include "verify/interrupt.h"
#include "verify/orders/errands.h"
#include "verify/orders/mend.h"
#include "verify/orders/orders_patch.h"
#include "verify/orders/trial.h"

/* All minimal assignments are looked for if at most this number of orders is reached. */
enum { SMALL = 12 };
static const double SEARCH_SHARE = 0.6, DESCENT_SHARE = 0.3; /* of --time */
static const double WORTH_SECONDS = 0.1; /* a client that takes less is not worth several processes */

struct orders {
	struct lp_check check;
	double opened;                   /* seconds until it could be explored */
	double slice;                    /* seconds for one assignment, if there was no time for the search; else 0 */
	struct lp_site_choices choices;
	struct lp_order_choice *ranges;  /* by choice, like all that follow */
	uint8_t *source;                 /* as it is */
	uint8_t *shown;                  /* the cheapest answer, as it is shown */
	struct lp_trial trial;
	struct lp_orders_search search;
	enum lp_order_target target;
	FILE *patch;                     /* of --patch, or NULL */
	struct lp_unpatched_list unpatched;
	struct lp_orders_result result;
};

static void *allot(struct orders *o, size_t size)
{
	return lp_arena_alloc(&o->check.task.arena, size * (o->choices.count + 1));
}

/* From relaxed to what the source says.  A source with an invalid order is refused when that is reached. */
static void set_ranges(struct orders *o)
{
	o->ranges = allot(o, sizeof *o->ranges);
	o->source = allot(o, 1);
	for (uint32_t i = 0; i < o->choices.count; i++) {
		const struct lp_site_choice *c = &o->choices.at[i];
		struct lp_order_choice *r = &o->ranges[i];
		*r = (struct lp_order_choice){ .use = c->use, .low = LP_RLX, .high = c->now };
		o->source[i] = (uint8_t)c->now;
		/* Of orders that cost the same on the processor, the one that forbids less is cheaper. */
		for (enum lp_order order = LP_RLX; order <= LP_SC; order++)
			r->price[order] = (uint64_t)lp_order_cost(o->target, c->use, order) * 100000 +
					  lp_order_cost(LP_TARGET_GENERIC, c->use, order);
	}
}

/* How the choice was reached in explorations with correct orders. */
static enum lp_orders_state state(const struct orders *o, uint32_t choice)
{
	const unsigned reached = o->trial.reached[choice];

	return reached & LP_REACHED ? LP_ORDERS_REACHED : reached ? LP_ORDERS_ALONE : LP_ORDERS_NOT_REACHED;
}

/* Of what is reached. */
static uint64_t cost_of(const struct orders *o, const uint8_t *orders)
{
	uint64_t cost = 0;

	for (uint32_t i = 0; i < o->choices.count; i++)
		if (state(o, i) != LP_ORDERS_NOT_REACHED)
			cost += lp_order_cost(o->target, o->choices.at[i].use, (enum lp_order)orders[i]);
	return cost;
}

static uint32_t count_reached(const struct orders *o)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < o->choices.count; i++)
		count += state(o, i) == LP_ORDERS_REACHED && o->source[i] != LP_RLX;
	return count;
}

/* ---- words ---- */

/* "queue.c:44=relaxed,queue.c:50=none": where it is not what the source says. */
static const char *changes(struct orders *o, const uint8_t *orders)
{
	size_t size = 1, used = 0;

	for (uint32_t i = 0; i < o->choices.count; i++)
		size += strlen(o->choices.at[i].name) + 16;
	char *text = lp_arena_alloc(&o->check.task.arena, size);
	for (uint32_t i = 0; i < o->choices.count; i++) {
		const struct lp_site_choice *c = &o->choices.at[i];
		if (orders[i] != o->source[i])
			used += (size_t)snprintf(text + used, size - used, "%s%s=%s", used ? "," : "", c->name,
						 lp_order_name(c->use, (enum lp_order)orders[i]));
	}
	return text;
}

/* For explorations from here on; 0: none. */
static void set_deadline(struct orders *o, double at)
{
	o->check.deadline = o->trial.deadline = at;
}

/* ---- the result ---- */

/* An execution that is wrong with `orders`, which is one step below an answer; it is repeated.  NULL if it
 * cannot be decided, for the reason. */
static const struct lp_trial_witness *shown_wrong(struct orders *o, const uint8_t *orders, const char **reason)
{
	const struct lp_orders_refutation *no = lp_orders_refuted(&o->search, orders);
	uint8_t *upper = allot(o, 1);
	uint32_t why;

	*reason = "it was not tried";
	if (no && !no->undecided && lp_trial_shows(&o->trial, no->why, orders))
		return &o->trial.witnesses.at[no->why];
	switch (lp_trial_ask(&o->trial, orders, upper, &why)) {
	case LP_ORDERS_WRONG:
		return &o->trial.witnesses.at[why];
	case LP_ORDERS_RIGHT:
		*reason = "weaker orders were found wrong, and this one right: please report this";
		return NULL;
	default:
		*reason = o->trial.undecided;
		return NULL;
	}
}

static void explain(struct orders *o, uint32_t choice, const uint8_t *answer, struct lp_orders_row *row)
{
	struct lp_orders_why *why = lp_arena_alloc(&o->check.task.arena, sizeof *why * 2);
	uint8_t *orders = allot(o, 1);
	enum lp_order next[2];
	const unsigned count = lp_orders_next(&o->ranges[choice], (enum lp_order)answer[choice], next);

	for (unsigned n = 0; n < count; n++) {
		memcpy(orders, answer, o->choices.count);
		orders[choice] = (uint8_t)next[n];
		if (o->slice > 0)
			set_deadline(o, lp_task_seconds(&o->check.task) + o->slice);
		const struct lp_trial_witness *w = shown_wrong(o, orders, &why[n].reason);
		why[n].order = lp_order_name(o->choices.at[choice].use, next[n]);
		if (w) {
			why[n].how = w->how;
			why[n].client = w->calls;
			why[n].command = lp_check_command(&o->check.task, "--order", changes(o, orders));
		} else {
			o->result.verdict = LP_RESULT_INCONCLUSIVE;
			o->result.reason = "whether some orders can be weaker could not be decided";
		}
	}
	row->why = why;
	row->why_count = count;
}

static void fill_rows(struct orders *o)
{
	struct lp_orders_row *rows = lp_arena_alloc(&o->check.task.arena, sizeof *rows * (o->choices.count + 1));
	uint32_t count = 0;

	for (uint32_t i = 0; i < o->choices.count; i++) {
		const struct lp_site_choice *c = &o->choices.at[i];
		const enum lp_order order = (enum lp_order)o->shown[i];
		if (lp_trial_is_other_case(&o->trial, i))
			continue;
		struct lp_orders_row *row = &rows[count++];
		*row = (struct lp_orders_row){
			.name = c->name, .operation = c->operation, .variable = c->variable, .function = c->function,
			.now = lp_order_name(c->use, c->now), .needed = lp_order_name(c->use, order),
			.weaker = order != c->now, .state = state(o, i),
		};
		if (row->state != LP_ORDERS_NOT_REACHED)
			explain(o, i, o->shown, row);
	}
	o->result.rows = rows;
	o->result.row_count = count;
}

/* The answer as it would be written to the source: orders that are not reached keep their values.  This assignment is explored, too. */
static bool settle(struct orders *o, const uint8_t *answer, uint8_t *out)
{
	memcpy(out, answer, o->choices.count);
	for (uint32_t i = 0; i < o->choices.count; i++)
		if (state(o, i) == LP_ORDERS_NOT_REACHED)
			out[i] = o->source[i];
	return lp_trial_verify(&o->trial, out) == LP_ORDERS_RIGHT;
}

static bool fill_minimal(struct orders *o)
{
	struct lp_orders_assignment *all = lp_arena_alloc(&o->check.task.arena, sizeof *all * (o->search.answers.count + 1));

	for (uint32_t i = o->search.answers.count; i-- > 0;) {
		uint8_t *settled = allot(o, 1);
		if (!settle(o, o->search.answers.at[i], settled))
			return false;
		all[i] = (struct lp_orders_assignment){ changes(o, settled), cost_of(o, settled) };
		o->shown = settled;
	}
	o->result.claim = lp_check_claim(&o->check, false);
	o->result.cost_now = cost_of(o, o->source);
	o->result.minimal = all;
	o->result.minimal_count = o->search.answers.count;
	o->result.all = o->search.complete;
	return true;
}

/* Orders that are reached neither with the strongest nor with the weakest assignment are left unchanged.  Most of them are in
 * functions that were inlined everywhere, so that the originals are never called. */
static void fix_unreached(struct orders *o, bool *fixed)
{
	uint8_t *lowest = allot(o, 1), *ignored = allot(o, 1);
	uint32_t why;

	memset(lowest, LP_RLX, o->choices.count);
	lp_trial_ask_alone(&o->trial, lowest, ignored, &why);
	for (uint32_t i = 0; i < o->choices.count; i++) {
		fixed[i] = !o->trial.met[i];
		if (fixed[i])
			o->ranges[i].high = LP_RLX;
	}
}

static void exhaust(struct orders *o)
{
	bool *fixed = allot(o, sizeof *fixed), wrong = false;

	fix_unreached(o, fixed);
	o->search.ask = lp_trial_ask_alone;
	lp_orders_exhaust(&o->search);
	for (uint32_t i = 0; i < o->choices.count; i++) {
		wrong |= fixed[i] && o->trial.met[i];
		o->ranges[i].high = (enum lp_order)o->source[i];
	}
	if (o->search.monotone && !wrong)
		return;
	o->result.verdict = LP_RESULT_INCONCLUSIVE;
	o->result.reason = wrong ? "an access is reached with some orders only, and was not tried with all of its own" :
				   "with some orders it is right, with stronger ones it is wrong: please report this";
}

static void write_patch(struct orders *o)
{
	lp_orders_write_patch(&o->choices, o->shown, o->patch, &o->check.task.arena, &o->unpatched);
	o->result.patch = o->check.task.options->at[LP_OPT_PATCH].text;
	o->result.unpatched = o->unpatched.at;
	o->result.unpatched_count = o->unpatched.count;
}

/* Weakens one choice as far as can be verified. */
static void descend_at(struct orders *o, uint8_t *orders, uint32_t choice)
{
	enum lp_order next[2];
	bool lower = true;

	while (lower) {
		const enum lp_order now = (enum lp_order)orders[choice];
		const unsigned count = lp_orders_next(&o->ranges[choice], now, next);
		lower = false;
		for (unsigned n = 0; n < count && !lower; n++) {
			const struct lp_arena_mark mark = lp_arena_mark(&o->check.task.arena);
			orders[choice] = (uint8_t)next[n];
			set_deadline(o, lp_task_seconds(&o->check.task) + o->slice);
			lower = lp_trial_verify(&o->trial, orders) == LP_ORDERS_RIGHT;
			lp_arena_rewind(&o->check.task.arena, mark);
			if (!lower)
				orders[choice] = (uint8_t)now;
		}
	}
}

/* The search goes up from all relaxed, and an assignment that takes too long stops it.  From the source, which is correct,
 * there is a way down: each step is verified, or not taken.  Where that ends, the next weaker orders are wrong, or could
 * not be decided. */
static void descend(struct orders *o, double whole)
{
	uint8_t *orders = lp_arena_alloc(&o->search.arena, o->choices.count + 1);

	o->slice = whole * DESCENT_SHARE / (4 * count_reached(o) + 1);
	memcpy(orders, o->source, o->choices.count);
	for (uint32_t i = 0; i < o->choices.count && !lp_interrupt_reason(); i++)
		if (state(o, i) != LP_ORDERS_NOT_REACHED)
			descend_at(o, orders, i);
	LP_PUSH(&o->search.answers, orders);
}

static void find(struct orders *o, bool all)
{
	const double whole = o->check.deadline;

	/* Several machines begin with one process each time. */
	if (!lp_team_is_together(o->check.task.explore.team) && lp_task_seconds(&o->check.task) - o->opened < WORTH_SECONDS * o->check.clients)
		o->check.task.explore.jobs = 1;
	lp_trial_note_source(&o->trial, o->source);
	o->search = (struct lp_orders_search){
		.choices = o->ranges, .count = o->choices.count, .ask = lp_trial_ask, .closure = &o->trial,
		.enough = all || count_reached(o) <= SMALL ? 0 : 1,
	};
	/* Some time is left for exploring the answers once more. */
	set_deadline(o, whole * SEARCH_SHARE);
	if (lp_task_given(&o->check.task, LP_OPT_EXHAUSTIVE))
		exhaust(o);
	else
		lp_orders_search(&o->search);
	if (!o->search.answers.count && o->search.stopped && whole > 0 && !lp_interrupt_reason())
		descend(o, whole);
	set_deadline(o, whole);
	if (!o->search.answers.count || !fill_minimal(o)) {
		o->result.verdict = LP_RESULT_INCONCLUSIVE;
		o->result.reason = o->trial.undecided ? o->trial.undecided :
						       "everything was found wrong, what is right included: please report this";
		return;
	}
	fill_rows(o);
	if (o->patch)
		write_patch(o);
}

static int deliver(struct orders *o)
{
	static const char *const targets[] = { "generic", "x86", "arm" };
	struct lp_task *task = &o->check.task;
	struct lp_terminal terminal = lp_terminal_on(stdout);

	o->result.subject = task->file;
	o->result.model = lp_model_class_of(task->explore.model)->name;
	o->result.target = targets[o->target];
	o->result.tried = o->search.asked;
	o->result.executions = o->trial.executions;
	o->result.seconds = lp_task_seconds(task);
	terminal.quiet = lp_task_given(task, LP_OPT_QUIET);
	if (lp_task_given(task, LP_OPT_JSON))
		lp_json_orders(stdout, &o->result);
	else
		lp_terminal_orders(&terminal, &o->result);
	return lp_cli_exit_status(o->result.verdict);
}

/* Opens the object, and explores it as it is. */
static bool open_orders(struct orders *o, const struct lp_options *options, struct lp_error *error)
{
	const char *patch = options->at[LP_OPT_PATCH].text;

	if (!lp_check_open(&o->check, options, error))
		return false;
	lp_errands_begin(&o->check);
	if (patch && !(o->patch = fopen(patch, "w")))
		return lp_fail(error, "cannot write '%s': %s", patch, strerror(errno));
	o->target = (enum lp_order_target)options->at[LP_OPT_COST].count;
	lp_site_choices(&o->check.task.native, &o->check.task.arena, &o->choices);
	set_ranges(o);
	lp_trial_open(&o->trial, &o->check, &o->choices, o->ranges);
	o->opened = lp_task_seconds(&o->check.task);
	return lp_check_explore(&o->check, error);
}

/* It is wrong as it is: shows that, and what would help. */
static int mend(struct lp_check *c)
{
	struct lp_mend m = { .state = LP_MEND_UNDECIDED };

	if (c->total.verdict == LP_VIOLATION && !c->task.unconfirmed) {
		lp_mend_find(&m, c, 0, 0);
		c->mend = &m;
	}
	const int status = lp_check_show(c);
	lp_mend_close(&m);
	return status;
}

int lp_cli_orders(const struct lp_options *options)
{
	struct orders o = { .result = { .verdict = LP_RESULT_VERIFIED } };
	struct lp_error error = { .hint = "" };
	const char *reason;
	int status;

	if (!open_orders(&o, options, &error)) {
		status = lp_deliver_error(options, &error);
	} else if (lp_check_verdict(&o.check, &reason) != LP_RESULT_VERIFIED) {
		status = mend(&o.check);
	} else {
		find(&o, options->at[LP_OPT_ALL].given);
		status = deliver(&o);
	}
	if (o.patch && fclose(o.patch)) {
		lp_fail(&error, "cannot write '%s': %s", options->at[LP_OPT_PATCH].text, strerror(errno));
		status = lp_deliver_error(options, &error);
	}
	lp_free(o.unpatched.at);
	lp_orders_search_close(&o.search);
	lp_trial_close(&o.trial);
	lp_free(o.choices.at);
	lp_check_close(&o.check);
	return status;
}
