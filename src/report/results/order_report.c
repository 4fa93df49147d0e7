/* order_report.c -- the memory orders that an object needs: a table for people, JSON for scripts. */
#include "report/results/order_report.h"

#include <inttypes.h>
#include <string.h>

#include "report/formats/json.h"
#include "report/text/terminal.h"
#include "report/words.h"

enum { COLUMNS = 4 };

struct widths {
	int at[COLUMNS];
};

static void widen(int *width, const char *text)
{
	const int length = (int)strlen(text);

	*width = *width < length ? length : *width;
}

/* "load q->head" */
static const char *what(const struct lp_orders_row *r, char *out, size_t size)
{
	snprintf(out, size, "%s%s%s", r->operation, *r->variable ? " " : "", r->variable);
	return out;
}

static const char *needed(const struct lp_orders_row *r)
{
	return r->state == LP_ORDERS_NOT_REACHED ? "?" : r->needed;
}

static struct widths measure(const struct lp_orders_result *o)
{
	struct widths w = { { 4, 9, 3, 6 } }; /* of the header */
	char text[256];

	for (uint32_t i = 0; i < o->row_count; i++) {
		widen(&w.at[0], o->rows[i].name);
		widen(&w.at[1], what(&o->rows[i], text, sizeof text));
		widen(&w.at[2], o->rows[i].now);
		widen(&w.at[3], needed(&o->rows[i]));
	}
	return w;
}

static void put_why(FILE *out, const struct lp_orders_why *w)
{
	if (w->how)
		fprintf(out, "%s: %s, %s", w->order, w->how, w->client);
	else
		fprintf(out, "%s: could not be decided (%s)", w->order, w->reason);
}

static void put_row(const struct lp_terminal *t, const struct widths *w, const struct lp_orders_row *r)
{
	const bool bold = t->colour && r->weaker;
	char text[256];

	fprintf(t->out, "  %-*s  %-*s  %-*s  %s%-*s%s", w->at[0], r->name, w->at[1], what(r, text, sizeof text),
		w->at[2], r->now, bold ? "\033[1m" : "", w->at[3], needed(r), bold ? "\033[0m" : "");
	if (r->state == LP_ORDERS_NOT_REACHED)
		fputs("  not reached by these clients", t->out);
	else if (r->state == LP_ORDERS_ALONE)
		fputs("  only while there are no other threads", t->out);
	for (uint32_t i = 0; i < r->why_count; i++) {
		if (i)
			fprintf(t->out, "\n  %*s", w->at[0] + w->at[1] + w->at[2] + w->at[3] + 6, "");
		fputs("  ", t->out);
		put_why(t->out, &r->why[i]);
	}
	putc('\n', t->out);
}

static void put_table(const struct lp_terminal *t, const struct lp_orders_result *o)
{
	const struct widths w = measure(o);

	fprintf(t->out, "\n  %-*s  %-*s  %-*s  %-*s  %s\n", w.at[0], "line", w.at[1], "operation", w.at[2], "now",
		w.at[3], "needed", "why not weaker");
	for (uint32_t i = 0; i < o->row_count; i++)
		put_row(t, &w, &o->rows[i]);
}

static uint32_t weaker(const struct lp_orders_result *o)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < o->row_count; i++)
		count += o->rows[i].weaker;
	return count;
}

/* The first command of the table: how to look at such an execution. */
static const char *first_command(const struct lp_orders_result *o)
{
	for (uint32_t i = 0; i < o->row_count; i++)
		for (uint32_t w = 0; w < o->rows[i].why_count; w++)
			if (o->rows[i].why[w].command)
				return o->rows[i].why[w].command;
	return NULL;
}

static void put_assignments(const struct lp_terminal *t, const struct lp_orders_result *o)
{
	if (o->minimal_count == 1) {
		fprintf(t->out, o->all ? "there is no other assignment that cannot be weakened\n" :
					 "other assignments that cannot be weakened were not looked for (--all)\n");
		return;
	}
	fprintf(t->out, "assignments that cannot be weakened: %s%" PRIu32 ", the cheapest first\n",
		o->all ? "" : "at least ", o->minimal_count);
	for (uint32_t i = 0; i < o->minimal_count; i++)
		fprintf(t->out, "  cost %-4" PRIu64 "  %s\n", o->minimal[i].cost,
			*o->minimal[i].changes ? o->minimal[i].changes : "(as it is)");
}

static void put_patch(const struct lp_terminal *t, const struct lp_orders_result *o)
{
	if (o->patch)
		fprintf(t->out, "the patch is in '%s'\n", o->patch);
	for (uint32_t i = 0; i < o->unpatched_count; i++)
		fprintf(t->out, "  it lacks %s: %s\n", o->unpatched[i].name, o->unpatched[i].trouble);
}

static void put_summary(const struct lp_terminal *t, const struct lp_orders_result *o)
{
	const uint32_t count = weaker(o);
	const char *command = first_command(o);
	char tried[LP_WORDS_ROOM], executions[LP_WORDS_ROOM], seconds[LP_WORDS_ROOM];

	fprintf(t->out, "\n%" PRIu32 " of %" PRIu32 " orders can be weaker; cost (%s): %" PRIu64 " now, %" PRIu64
		" then\n", count, o->row_count, o->target, o->cost_now, o->minimal[0].cost);
	put_assignments(t, o);
	if (command)
		fprintf(t->out, "to see an execution of the last column:\n  %s\n", command);
	put_patch(t, o);
	lp_words_count(tried, o->tried);
	lp_words_count(executions, o->executions);
	lp_words_duration(seconds, o->seconds);
	fprintf(t->out, "%s assignments tried, %s executions, %s\n", tried, executions, seconds);
}

void lp_terminal_orders(const struct lp_terminal *t, const struct lp_orders_result *o)
{
	if (!o->minimal_count) {
		fprintf(t->out, "inconclusive: %s\n", o->reason);
		return;
	}
	fprintf(t->out, "%s: with the orders below, %s\n", lp_result_verdict_name(o->verdict), o->claim);
	if (o->reason)
		fprintf(t->out, "  %s\n", o->reason);
	if (t->quiet)
		return;
	put_table(t, o);
	put_summary(t, o);
}

/* ---- JSON ---- */

static void json_why(struct lp_json *j, const struct lp_orders_why *w)
{
	lp_json_begin(j, NULL, '{');
	lp_json_text(j, "order", w->order);
	lp_json_text(j, "violation", w->how);
	if (!w->how)
		lp_json_text(j, "undecided", w->reason);
	lp_json_text(j, "client", w->client);
	lp_json_text(j, "command", w->command);
	lp_json_end(j);
}

static void json_row(struct lp_json *j, const struct lp_orders_row *r)
{
	static const char *const states[] = { "reached", "alone", "not reached" };

	lp_json_begin(j, NULL, '{');
	lp_json_text(j, "name", r->name);
	lp_json_text(j, "operation", r->operation);
	lp_json_text(j, "variable", r->variable);
	lp_json_text(j, "function", r->function);
	lp_json_text(j, "now", r->now);
	lp_json_text(j, "needed", r->needed);
	lp_json_text(j, "state", states[r->state]);
	lp_json_begin(j, "why", '[');
	for (uint32_t i = 0; i < r->why_count; i++)
		json_why(j, &r->why[i]);
	lp_json_end(j);
	lp_json_end(j);
}

static void json_assignments(struct lp_json *j, const struct lp_orders_result *o)
{
	lp_json_begin(j, "minimal", '[');
	for (uint32_t i = 0; i < o->minimal_count; i++) {
		lp_json_begin(j, NULL, '{');
		lp_json_number(j, "cost", o->minimal[i].cost);
		lp_json_text(j, "order", o->minimal[i].changes);
		lp_json_end(j);
	}
	lp_json_end(j);
	lp_json_bool(j, "all", o->all);
}

static void json_unpatched(struct lp_json *j, const struct lp_orders_result *o)
{
	lp_json_begin(j, "unpatched", '[');
	for (uint32_t i = 0; i < o->unpatched_count; i++) {
		lp_json_begin(j, NULL, '{');
		lp_json_text(j, "name", o->unpatched[i].name);
		lp_json_text(j, "reason", o->unpatched[i].trouble);
		lp_json_end(j);
	}
	lp_json_end(j);
}

void lp_json_orders(FILE *out, const struct lp_orders_result *o)
{
	struct lp_json j = lp_json_on(out);

	lp_json_begin(&j, NULL, '{');
	lp_json_text(&j, "verdict", lp_result_verdict_name(o->verdict));
	lp_json_text(&j, "subject", o->subject);
	lp_json_text(&j, "claim", o->minimal_count ? o->claim : NULL);
	lp_json_text(&j, "reason", o->reason);
	lp_json_text(&j, "model", o->model);
	lp_json_text(&j, "target", o->target);
	lp_json_number(&j, "cost", o->cost_now);
	lp_json_begin(&j, "sites", '[');
	for (uint32_t i = 0; i < o->row_count; i++)
		json_row(&j, &o->rows[i]);
	lp_json_end(&j);
	json_assignments(&j, o);
	if (o->patch) {
		lp_json_text(&j, "patch", o->patch);
		json_unpatched(&j, o);
	}
	lp_json_number(&j, "tried", o->tried);
	lp_json_number(&j, "executions", o->executions);
	lp_json_real(&j, "seconds", o->seconds);
	lp_json_end(&j);
	putc('\n', out);
}
