/* mend.c -- finds the memory orders that have to be stronger. */
#include "verify/orders/mend.h"

#include <stdio.h>
#include <string.h>

#include "explore/parallel/team.h"
#include "report/result.h"
#include "verify/orders/orders_patch.h"

/* A change costs more than any order. */
#define CHANGE UINT64_C(1000000000)

/* The parts of a check that are shown, and must be restored afterwards. */
struct kept {
	struct lp_exploration total;
	struct lp_plan_client client;
	struct lp_explore_options explore;
	struct lp_clients_counts counts;
	uint32_t clients, largest, of_largest, looks_left, planned;
	uint64_t schedule_count;
	double deadline;
	bool cut, quick, unconfirmed, identity;
};

static struct kept keep(const struct lp_check *c)
{
	return (struct kept){
		.total = c->total, .client = c->client, .explore = c->task.explore,
		.counts = lp_clients_counts(c->judge.clients), .clients = c->clients, .largest = c->largest,
		.of_largest = c->of_largest, .looks_left = c->looks.left, .planned = c->planned, .schedule_count = c->schedule_count,
		.deadline = c->deadline, .cut = c->cut, .quick = c->quick, .unconfirmed = c->task.unconfirmed,
		.identity = c->task.native.findings.identity,
	};
}

static void put_back(struct lp_check *c, const struct kept *k)
{
	const struct lp_clients_counts now = lp_clients_counts(c->judge.clients);
	struct lp_exploration again = { 0 };

	c->task.explore = k->explore;
	c->judge.model = lp_model_class_of(k->explore.model);
	lp_check_repeat(c, &k->client, k->total.steps, k->total.step_count, &again);
	c->total = k->total;
	c->clients = k->clients;
	c->largest = k->largest;
	c->of_largest = k->of_largest;
	c->looks.left = k->looks_left;
	c->planned = k->planned;
	c->schedule_count = k->schedule_count;
	c->deadline = k->deadline;
	c->cut = k->cut;
	c->quick = k->quick;
	c->task.unconfirmed = k->unconfirmed;
	c->task.native.findings.identity = k->identity;
	c->apart.orders += now.orders - k->counts.orders;
	c->apart.linearizations += now.linearizations - k->counts.linearizations;
}

static void set_ranges(struct lp_mend *m, struct lp_arena *arena)
{
	const uint32_t count = m->choices.count;

	m->ranges = lp_arena_alloc(arena, sizeof *m->ranges * (count + 1));
	m->source = lp_arena_alloc(arena, count + 1);
	for (uint32_t i = 0; i < count; i++) {
		const struct lp_site_choice *c = &m->choices.at[i];
		struct lp_order_choice *r = &m->ranges[i];
		*r = (struct lp_order_choice){ .use = c->use, .low = c->now, .high = LP_SC };
		m->source[i] = (uint8_t)c->now;
		for (enum lp_order o = LP_RLX; o <= LP_SC; o++)
			r->price[o] = (o != c->now) * CHANGE + lp_order_cost(LP_TARGET_GENERIC, c->use, o);
	}
}

/* Is the object wrong with the strongest orders? */
static enum lp_orders_answer ask_highest(struct lp_mend *m, struct lp_arena *arena)
{
	uint8_t *highest = lp_arena_alloc(arena, m->choices.count + 1), *upper = lp_arena_alloc(arena, m->choices.count + 1);
	uint32_t why;

	memset(highest, LP_SC, m->choices.count);
	/* First tries whether the execution that was found is still possible, which is quick. */
	why = lp_trial_witness(&m->trial);
	if (lp_trial_shows(&m->trial, why, highest))
		return LP_ORDERS_WRONG;
	return lp_trial_ask(&m->trial, highest, upper, &why);
}

static bool is_wrong_under_sc(struct lp_mend *m, enum lp_model model)
{
	struct lp_check *c = m->trial.check;

	if (model == LP_MODEL_SC)
		return true;
	c->task.explore.model = LP_MODEL_SC;
	c->judge.model = lp_model_class_of(LP_MODEL_SC);
	return lp_trial_verify(&m->trial, m->source) == LP_ORDERS_WRONG;
}

/* By all assignments (--exhaustive).  Larger sets count only if there are no others. */
static void exhaust(struct lp_mend *m)
{
	struct lp_orders_search *s = &m->search;
	uint32_t count = 0;

	for (uint32_t i = 0; i < m->choices.count; i++)
		if (!m->trial.met[i])
			m->ranges[i].high = m->ranges[i].low;
	s->ask = lp_trial_ask_alone;
	lp_orders_exhaust(s);
	while (count < s->answers.count && lp_orders_price(s, s->answers.at[count]) <= s->most)
		count++;
	if (s->answers.count)
		s->answers.count = count ? count : 1;
}

static void find(struct lp_mend *m, struct lp_arena *arena, enum lp_model model)
{
	switch (m->choices.count && model != LP_MODEL_SC ? ask_highest(m, arena) : LP_ORDERS_WRONG) {
	case LP_ORDERS_WRONG:
		m->state = is_wrong_under_sc(m, model) ? LP_MEND_NOT_SC : LP_MEND_NO_ORDER;
		return;
	case LP_ORDERS_RIGHT:
		break;
	default:
		return;
	}
	m->search = (struct lp_orders_search){
		.choices = m->ranges, .count = m->choices.count, .ask = lp_trial_ask, .closure = &m->trial,
	};
	m->search.most = lp_orders_price(&m->search, m->source) + 3 * CHANGE - 1;
	if (lp_task_given(&m->trial.check->task, LP_OPT_EXHAUSTIVE))
		exhaust(m);
	else
		lp_orders_search(&m->search);
	if (m->search.answers.count)
		m->state = LP_MEND_FOUND;
}

void lp_mend_find(struct lp_mend *m, struct lp_check *c, double seconds, uint64_t executions)
{
	const struct kept kept = keep(c);
	const double now = lp_task_seconds(&c->task);
	struct lp_arena *arena = &c->task.arena;

	*m = (struct lp_mend){ .state = LP_MEND_UNDECIDED };
	lp_site_choices(&c->task.native, arena, &m->choices);
	set_ranges(m, arena);
	if (seconds > 0 && (c->deadline <= 0 || c->deadline > now + seconds))
		c->deadline = now + seconds;
	if (!lp_team_is_together(c->task.explore.team)) /* which begins with one process each time */
		c->task.explore.jobs = 1;
	lp_trial_open(&m->trial, c, &m->choices, m->ranges);
	m->trial.most_executions = executions;
	lp_trial_note(&m->trial, false); /* what the source reaches */
	find(m, arena, kept.explore.model);
	lp_site_choices_set(&c->task.native, &m->choices, m->source, false);
	put_back(c, &kept);
}

void lp_mend_close(struct lp_mend *m)
{
	lp_orders_search_close(&m->search);
	lp_trial_close(&m->trial);
	lp_free(m->choices.at);
}

/* ---- the report ---- */

static void fill_change(const struct lp_site_choice *c, enum lp_order to, struct lp_result_change *out)
{
	*out = (struct lp_result_change){
		.name = c->name, .operation = c->operation, .variable = c->variable,
		.from = lp_order_name(c->use, c->now), .to = lp_order_name(c->use, to),
	};
}

static void fill_fix(const struct lp_mend *m, const uint8_t *orders, struct lp_arena *arena, struct lp_result_fix *out)
{
	struct lp_result_change *changes = lp_arena_alloc(arena, sizeof *changes * (m->choices.count + 1));
	char text[1024] = "", option[512] = "";
	size_t used = 0, option_used = 0;
	uint32_t count = 0;

	for (uint32_t i = 0; i < m->choices.count; i++) {
		if (orders[i] == m->source[i])
			continue;
		struct lp_result_change *c = &changes[count];
		fill_change(&m->choices.at[i], (enum lp_order)orders[i], c);
		if (used < sizeof text)
			used += (size_t)snprintf(text + used, sizeof text - used, "%s%s: %s%s%s %s -> %s", count ? ", " : "",
						 c->name, c->operation, *c->variable ? " " : "", c->variable, c->from, c->to);
		if (option_used < sizeof option)
			option_used += (size_t)snprintf(option + option_used, sizeof option - option_used, "%s%s=%s",
							count ? "," : "", c->name, c->to);
		count++;
	}
	*out = (struct lp_result_fix){ .text = lp_arena_strdup(arena, text), .option = lp_arena_strdup(arena, option),
				       .changes = changes, .change_count = count };
	out->edit_count = lp_orders_edits(&m->choices, orders, arena, &out->edits);
}

void lp_mend_report(const struct lp_mend *m, bool brief, struct lp_arena *arena, struct lp_result *r)
{
	const uint32_t all = m->search.answers.count, count = brief && all ? 1 : all;
	struct lp_result_fix *fixes = lp_arena_alloc(arena, sizeof *fixes * (count + 1));

	for (uint32_t i = 0; i < count; i++)
		fill_fix(m, m->search.answers.at[i], arena, &fixes[i]);
	r->fixes.at = fixes;
	r->fixes.count = count;
	r->fixes.all = m->search.complete && count == all;
	if (brief)
		return;
	r->fixes.none = m->state == LP_MEND_NOT_SC	   ? "it is wrong under sc, too: not a question of memory order" :
		    m->state == LP_MEND_NO_ORDER   ? "no memory order of its atomic accesses and fences helps" :
		    m->state == LP_MEND_UNDECIDED ? "whether stronger memory orders help could not be decided" : NULL;
}
