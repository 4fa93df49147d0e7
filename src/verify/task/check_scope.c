/* check_scope.c -- what the verdict of a check is about, in words. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check/quasi/quasi.h"
#include "verify/program/check_program.h"
#include "verify/task/check_object.h"

static const char *const mode_words[] = {
	[LP_ARG_OPAQUE] = "all different (the object does not look at them)",
	[LP_ARG_EQUAL] = "equal and different ones, in every way",
	[LP_ARG_ORDERED] = "equal, smaller and greater ones, in every way",
	[LP_ARG_FIXED] = "the values given",
};

static void schedules_scope(struct lp_check *c)
{
	const struct lp_schedules *s = &c->schedules;
	const bool all = c->clients == c->schedule_count && !c->cut;

	lp_task_scope(&c->task, "clients", "%" PRIu64 " schedules of up to %" PRIu32 " calls in up to %" PRIu32
		      " threads after up to %" PRIu32 " insertions", c->schedule_count, s->calls, s->threads,
		      s->pre);
	lp_task_scope(&c->task, "explored", "%s%" PRIu32 " of them%s", all ? "all " : "", c->clients,
		      c->total.verdict == LP_VERIFIED && !all ? "; the others are parts of these" : "");
	lp_task_scope(&c->task, "arguments", "%s", lp_schedules_arguments(&c->harness));
}

/* Only claims clients that were explored completely. */
static void clients_scope(struct lp_check *c)
{
	const struct lp_option_value *ops = &c->task.options->at[LP_OPT_OPS];
	const bool sizes = !ops->given || !strchr(ops->text, '=');
	char before[64] = "", looks[64] = "";

	if (c->task.replayed) {
		lp_task_scope(&c->task, "clients", "that of the trace");
		return;
	}
	if (!c->cut) {
		lp_task_scope(&c->task, "clients", "every order on %s%" PRIu32 " calls (%" PRIu32
			      " most parallel ones)", sizes ? "up to " : "", c->largest, c->clients);
		return;
	}
	if (sizes && c->largest > 1)
		snprintf(before, sizeof before, "every order on up to %" PRIu32 " call%s; then ", c->largest - 1,
			 c->largest == 2 ? "" : "s");
	if (c->looks.left)
		snprintf(looks, sizeof looks, "; %" PRIu32 " more explored briefly", c->looks.left);
	lp_task_scope(&c->task, "clients", "%s%" PRIu32 " most parallel one%s of %" PRIu32 " call%s%s%s", before,
		      c->of_largest, c->of_largest == 1 ? "" : "s", c->largest, c->largest == 1 ? "" : "s",
		      c->of_largest == 1 ? ", in part" : ", the last one in part", looks);
}

void lp_check_scope(struct lp_check *c)
{
	const struct lp_options *o = c->task.options;
	const struct lp_clients_counts counts = lp_clients_counts(c->judge.clients);
	char names[256] = "";
	unsigned modes = 0;

	for (uint32_t m = 0; m < c->harness.methods.count; m++) {
		const size_t used = strlen(names);
		snprintf(names + used, sizeof names - used, "%s%s", m ? ", " : "",
			 c->harness.methods.at[m].name);
		for (uint32_t a = 0; a < c->harness.methods.at[m].args; a++)
			modes |= 1u << c->harness.methods.at[m].mode[a];
	}
	if (c->program.file)
		lp_task_scope(&c->task, "spec", "the executions of '%s'", c->program.file);
	else
		lp_task_scope(&c->task, "spec", "%s", c->harness.spec_text);
	lp_task_scope(&c->task, "property", "%s%s%s%s", c->property,
		      lp_task_given(&c->task, LP_OPT_SYNC) ? ", synchronisation " : "",
		      lp_task_given(&c->task, LP_OPT_SYNC) ? o->at[LP_OPT_SYNC].text : "",
		      c->program.file ? lp_check_program_scope(c) :
		      lp_clients_hold(c->judge.clients) ? ", each release happens before the next acquisition" : "");
	if (!strncmp(c->property, "quasi:", 6))
		lp_task_scope(&c->task, "quasi", "%s", LP_QUASI_READING);
	lp_task_scope(&c->task, "methods", "%s", names);
	if (o->at[LP_OPT_CLIENT].given)
		lp_task_scope(&c->task, "clients", "%s", o->at[LP_OPT_CLIENT].text);
	else if (o->at[LP_OPT_SCHEDULES].given)
		schedules_scope(c);
	else
		clients_scope(c);
	if (c->task.native.findings.identity)
		lp_task_scope(&c->task, "threads", "the object depends on the calling thread: clients with several calls in "
			      "a thread were tried, too%s%s",
			      lp_harness_has_rules(&c->harness) ? ", as LP_ROLE and LP_AFTER allow" : "",
			      c->task.native.findings.numbered && o->at[LP_OPT_SCHEDULES].given ?
				      "; of schedules that differ only in the numbers of threads, one" : "");
	if (c->task.explore.reduce.symmetry && c->largest > LP_CALLS_WITHOUT_SYMMETRY)
		lp_task_scope(&c->task, "symmetry", "with more than %d calls, those of one method are interchangeable: "
			      "addresses and passed values are at most compared for equality",
			      LP_CALLS_WITHOUT_SYMMETRY);
	const bool schedules = o->at[LP_OPT_SCHEDULES].given;
	if (c->client.pre && !schedules)
		lp_task_scope(&c->task, "before", "%" PRIu32 " calls before the threads", c->client.pre);
	for (unsigned m = 0; m < 4; m++)
		if (modes >> m & 1 && !o->at[LP_OPT_CLIENT].given && !schedules)
			lp_task_scope(&c->task, "arguments", "%s%s", mode_words[m],
				      m != LP_ARG_ORDERED || !c->learned.inspects ? "" :
				      c->program.file ? " (the object or the specification looks at them)" : " (the object looks at them)");
	/* A property that holds in the explored executions may fail in the others. */
	if (c->judge.fit && c->total.verdict != LP_INCONCLUSIVE) {
		char text[256];
		lp_fit_say(&c->fit, c->total.verdict == LP_VIOLATION, text, sizeof text);
		if (text[0])
			lp_task_scope(&c->task, "fit", "%s", text);
	}
	/* Of several processes, each has counted for itself. */
	if (c->task.explore.jobs <= 1 && !c->task.explore.team && !c->program.file && !lp_task_given(&c->task, LP_OPT_RESUME))
		lp_task_scope(&c->task, "orders", "%" PRIu64 " tried, %" PRIu64 " linearizations found",
			      counts.orders - c->apart.orders, counts.linearizations - c->apart.linearizations);
}

const char *lp_check_claim(struct lp_check *c, bool bounded)
{
	/* Only claims what was tried: these calls, this client, or all clients up to a size. */
	const struct lp_option_value *ops = &c->task.options->at[LP_OPT_OPS];
	char clients[256], claim[512];

	if (c->task.options->at[LP_OPT_CLIENT].given)
		snprintf(clients, sizeof clients, "this client");
	else if (c->task.options->at[LP_OPT_SCHEDULES].given)
		snprintf(clients, sizeof clients, "all %" PRIu64 " schedules", c->schedule_count);
	else if (ops->given && strchr(ops->text, '='))
		snprintf(clients, sizeof clients, "every client that calls %s", ops->text);
	else
		snprintf(clients, sizeof clients, "every client of up to %" PRIu32 " calls", c->largest);
	if (c->program.file)
		snprintf(claim, sizeof claim, "'%s' refines '%s' for %s%s", c->task.file, c->program.file, clients,
			 bounded ? ", within the bound" : "");
	else if (c->counting.file)
		snprintf(claim, sizeof claim, "'%s': %s, for %s%s", c->task.file, c->property, clients, bounded ? ", within the bound" : "");
	else
		snprintf(claim, sizeof claim, "'%s' is a %s %s for %s%s", c->task.file, c->property,
			 c->harness.spec_text, clients, bounded ? ", within the bound" : "");
	return lp_arena_strdup(&c->task.arena, claim);
}
