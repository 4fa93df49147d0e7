/* mutant_report.c -- the mutants of an object: a text for people, JSON for scripts. */
#include "report/results/mutant_report.h"

#include <inttypes.h>
#include <string.h>

#include "report/formats/json.h"
#include "report/text/terminal.h"
#include "report/words.h"

const char *lp_mutant_class_name(enum lp_mutant_class c)
{
	static const char *const names[] = {
		[LP_SURVIVES_SCOPE] = "scope", [LP_SURVIVES_NOT_REACHED] = "not reached",
		[LP_SURVIVES_NO_DIFFERENCE] = "no difference", [LP_SURVIVES_MORE] = "more results",
		[LP_SURVIVES_ORDER] = "weaker order", [LP_SURVIVES_FEWER] = "fewer results",
		[LP_SURVIVES_SAME] = "same results", [LP_SURVIVES_NOT_COMPARED] = "not compared",
	};

	return names[c];
}

uint32_t lp_mutants_count(const struct lp_mutants_result *m, enum lp_mutant_state state)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < m->count; i++)
		count += m->rows[i].state == state;
	return count;
}

/* ---- text ---- */

static void put_headline(const struct lp_terminal *t, const struct lp_mutants_result *m)
{
	const uint32_t survive = lp_mutants_count(m, LP_MUTANT_SURVIVED);
	const uint32_t undecided = lp_mutants_count(m, LP_MUTANT_UNDECIDED);

	if (survive)
		fprintf(t->out, "%" PRIu32 " of %" PRIu32 " mutants survive", survive, m->count);
	else if (undecided)
		fprintf(t->out, "%" PRIu32 " of %" PRIu32 " mutants are killed", lp_mutants_count(m, LP_MUTANT_KILLED), m->count);
	else
		fprintf(t->out, "all %" PRIu32 " mutants are killed", m->count);
	if (undecided)
		fprintf(t->out, ", %" PRIu32 " could not be decided", undecided);
	fprintf(t->out, ": %s\n", m->claim);
}

/* How many were killed like this one; 0 if one before it was. */
static uint32_t like(const struct lp_mutants_result *m, uint32_t row)
{
	uint32_t count = 0;

	if (m->rows[row].state != LP_MUTANT_KILLED)
		return 0;
	for (uint32_t i = 0; i < m->count; i++) {
		const bool same = m->rows[i].state == LP_MUTANT_KILLED && m->rows[i].error == m->rows[row].error;
		if (same && i < row)
			return 0;
		count += same;
	}
	return count;
}

/* "killed: 12 race, 9 not linearizable", the most frequent first. */
static void put_kinds(const struct lp_terminal *t, const struct lp_mutants_result *m)
{
	const char *between = "\nkilled:";

	for (uint32_t count = m->count; count; count--)
		for (uint32_t i = 0; i < m->count; i++)
			if (like(m, i) == count) {
				fprintf(t->out, "%s %" PRIu32 " %s", between, count, lp_error_name(m->rows[i].error));
				between = ",";
			}
	if (*between == ',')
		putc('\n', t->out);
}

/* What was changed. */
static void put_change(const struct lp_terminal *t, const struct lp_mutant_row *r)
{
	fprintf(t->out, "  %s%s%s%s%s\n", t->colour ? "\033[1m" : "", r->name, t->colour ? "\033[0m" : "",
		*r->source ? "    " : "", r->source);
	fprintf(t->out, "      %s%s%s\n", r->change, *r->detail ? ": " : "", r->detail);
}

static void put_all(const struct lp_terminal *t, const struct lp_mutants_result *m, enum lp_mutant_state state,
		    const char *title)
{
	if (lp_mutants_count(m, state))
		fprintf(t->out, "\n%s:\n", title);
	for (uint32_t i = 0; i < m->count; i++) {
		const struct lp_mutant_row *r = &m->rows[i];
		if (r->state != state)
			continue;
		put_change(t, r);
		if (state == LP_MUTANT_SURVIVED)
			fprintf(t->out, "      %s: %s\n", lp_mutant_class_name(r->why), r->means);
		else
			fprintf(t->out, "      %s\n", r->reason);
	}
}

static void put_killed(const struct lp_terminal *t, const struct lp_mutants_result *m)
{
	int width = 0;

	for (uint32_t i = 0; i < m->count; i++)
		if (m->rows[i].state == LP_MUTANT_KILLED && width < (int)strlen(m->rows[i].name))
			width = (int)strlen(m->rows[i].name);
	for (uint32_t i = 0; i < m->count; i++)
		if (m->rows[i].state == LP_MUTANT_KILLED)
			fprintf(t->out, "  %-*s  %s: %s\n", width, m->rows[i].name, m->rows[i].how, m->rows[i].client);
}

static void put_end(const struct lp_terminal *t, const struct lp_mutants_result *m)
{
	const struct lp_mutant_row *shown = NULL;
	char executions[LP_WORDS_ROOM], seconds[LP_WORDS_ROOM];
	uint64_t all = 0;

	for (uint32_t i = 0; i < m->count; i++) {
		const struct lp_mutant_row *r = &m->rows[i];
		all += r->executions;
		if (!shown || (r->state == LP_MUTANT_KILLED && shown->state != LP_MUTANT_KILLED))
			shown = r;
	}
	if (shown)
		fprintf(t->out, "\nto see one:\n  %s\n", shown->command);
	lp_words_count(executions, all);
	lp_words_duration(seconds, m->seconds);
	fprintf(t->out, "%" PRIu32 " mutants, %s executions, %s\n", m->count, executions, seconds);
}

void lp_terminal_mutants(const struct lp_terminal *t, const struct lp_mutants_result *m)
{
	put_headline(t, m);
	if (t->quiet)
		return;
	put_kinds(t, m);
	if (t->verbose)
		put_killed(t, m);
	put_all(t, m, LP_MUTANT_SURVIVED, "survivors");
	put_all(t, m, LP_MUTANT_UNDECIDED, "undecided");
	put_end(t, m);
}

/* ---- JSON ---- */

static void json_row(struct lp_json *j, const struct lp_mutant_row *r)
{
	static const char *const states[] = { "undecided", "killed", "survived" };
	const bool killed = r->state == LP_MUTANT_KILLED, survived = r->state == LP_MUTANT_SURVIVED;

	lp_json_begin(j, NULL, '{');
	lp_json_text(j, "name", r->name);
	lp_json_text(j, "operator", r->operation);
	lp_json_text(j, "file", r->path);
	lp_json_number(j, "line", r->line);
	lp_json_text(j, "function", r->function);
	lp_json_text(j, "change", r->change);
	lp_json_text(j, "detail", r->detail);
	lp_json_text(j, "state", states[r->state]);
	if (killed) {
		lp_json_text(j, "kind", lp_error_name(r->error));
		lp_json_text(j, "violation", r->how);
		lp_json_text(j, "client", r->client);
	} else if (survived) {
		lp_json_text(j, "class", lp_mutant_class_name(r->why));
		lp_json_text(j, "means", r->means);
	} else {
		lp_json_text(j, "reason", r->reason);
	}
	lp_json_text(j, "command", r->command);
	lp_json_number(j, "executions", r->executions);
	lp_json_number(j, "blocked", r->blocked);
	lp_json_real(j, "seconds", r->seconds);
	lp_json_end(j);
}

void lp_json_mutants(FILE *out, const struct lp_mutants_result *m)
{
	struct lp_json j = lp_json_on(out);

	lp_json_begin(&j, NULL, '{');
	lp_json_text(&j, "subject", m->subject);
	lp_json_text(&j, "claim", m->claim);
	lp_json_text(&j, "model", m->model);
	lp_json_number(&j, "killed", lp_mutants_count(m, LP_MUTANT_KILLED));
	lp_json_number(&j, "survived", lp_mutants_count(m, LP_MUTANT_SURVIVED));
	lp_json_number(&j, "undecided", lp_mutants_count(m, LP_MUTANT_UNDECIDED));
	lp_json_begin(&j, "mutants", '[');
	for (uint32_t i = 0; i < m->count; i++)
		json_row(&j, &m->rows[i]);
	lp_json_end(&j);
	lp_json_real(&j, "seconds", m->seconds);
	lp_json_end(&j);
	putc('\n', out);
}
