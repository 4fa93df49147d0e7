/* terminal.c -- a result for people, in plain words. */
#include "report/text/terminal.h"
#include "report/text/client_text.h"
#include "report/results/coverage_report.h"
#include "report/text/listing.h"
#include "report/result.h"
#include "report/text/step_table.h"
#include "report/words.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct lp_terminal lp_terminal_on(FILE *out)
{
	struct lp_terminal t = { .out = out, .columns = 80 };
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	struct winsize screen;

	if (isatty(fileno(out))) {
		t.wraps = true;
		t.colour = !(no_color && *no_color) && !(term && !strcmp(term, "dumb"));
		if (!ioctl(fileno(out), TIOCGWINSZ, &screen) && screen.ws_col)
			t.columns = screen.ws_col;
		if (!ioctl(fileno(out), TIOCGWINSZ, &screen))
			t.rows = screen.ws_row;
	}
	return t;
}

void lp_terminal_colour(const struct lp_terminal *t, const char *code)
{
	if (t->colour)
		fprintf(t->out, "\033[%sm", code);
}

static void put_character(const struct lp_terminal *t, char c)
{
	fputc(c == *LP_GLUE ? ' ' : (unsigned char)c < ' ' || c == 0x7f ? '?' : c, t->out);
}

void lp_terminal_text(const struct lp_terminal *t, const char *text)
{
	for (; *text; text++)
		put_character(t, *text);
}

/* Up to a blank; a call and its result are one: "dequeue() -> 1" */
static size_t word_length(const char *text)
{
	size_t length = strcspn(text, " ");

	while (!strncmp(text + length, " -> ", 4))
		length += 4 + strcspn(text + length + 4, " ");
	return length;
}

void lp_terminal_sentence(const struct lp_terminal *t, const char *text, unsigned used, unsigned indent)
{
	while (*text) {
		const size_t word = word_length(text);
		const size_t blanks = strspn(text + word, " ");
		if (t->wraps && used > indent && used + word > t->columns) {
			fprintf(t->out, "\n%*s", (int)indent, "");
			used = indent;
		}
		for (size_t i = 0; i < word; i++)
			put_character(t, text[i]);
		used += (unsigned)(word + blanks);
		text += word + blanks;
		/* A blank at the end of a line would only be in the way. */
		if (*text && !(t->wraps && used > indent && used + word_length(text) > t->columns))
			fprintf(t->out, "%*s", (int)blanks, "");
	}
	fputc('\n', t->out);
}

/* "race at queue.c:31 (T1) with queue.c:12" */
static void write_error(FILE *out, const struct lp_result *r)
{
	const struct lp_result_violation *v = r->violation;

	fputs(r->kind, out);
	if (v && v->where)
		fprintf(out, " at %s (T%u)", v->where, v->thread);
	if (v && v->other_where)
		fprintf(out, " with %s", v->other_where);
}

/* What follows the colon. */
static void write_verdict(FILE *out, const void *result)
{
	const struct lp_result *r = result;
	const struct lp_result_violation *v = r->violation;

	switch (r->verdict) {
	case LP_RESULT_VERIFIED:
		if (r->question.claim)
			fputs(r->question.claim, out);
		else
			fprintf(out, "%s in any execution of '%s'%s", r->question.prop, r->subject.name,
				r->question.bounded ? " within the bound" : "");
		break;
	case LP_RESULT_VIOLATION:
		write_error(out, r);
		break;
	case LP_RESULT_INCONCLUSIVE:
		if (r->suspected) {
			fputs("suspected violation: ", out);
			write_error(out, r);
			break;
		}
		fprintf(out, "%s", r->reason ? r->reason : "the exploration was not completed");
		if (v && v->where)
			fprintf(out, " at %s (T%u)", v->where, v->thread);
		break;
	case LP_RESULT_ERROR:
		break; /* never here: see lp_terminal_result() */
	}
}

/* To the end of the line, as lp_terminal_sentence(). */
static void put_written(const struct lp_terminal *t, void (*write)(FILE *, const void *), const void *what, unsigned used,
			unsigned indent)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	write(out, what);
	fclose(out);
	lp_terminal_sentence(t, text, used, indent);
	free(text);
}

static void put_verdict(const struct lp_terminal *t, const struct lp_result *r)
{
	static const char *const colour[] = { LP_GREEN, LP_RED, LP_YELLOW, LP_RED };
	const char *name = lp_result_verdict_name(r->verdict);

	lp_terminal_colour(t, colour[r->verdict]);
	fprintf(t->out, "%s:", name);
	lp_terminal_colour(t, LP_NORMAL);
	fputc(' ', t->out);
	put_written(t, write_verdict, r, (unsigned)strlen(name) + 2, 2);
}

static void put_row(const struct lp_terminal *t, const char *name, const char *value)
{
	fprintf(t->out, "  %-12s ", name);
	lp_terminal_sentence(t, value, strlen(name) > 12 ? (unsigned)strlen(name) + 3 : 15, 15);
}

/* How many executions were seen, of how many. */
static void write_executions(FILE *out, const void *result)
{
	const struct lp_result *r = result;
	char complete[LP_WORDS_ROOM], blocked[LP_WORDS_ROOM], total[LP_WORDS_ROOM];
	char abandoned[LP_WORDS_ROOM], distinct[LP_WORDS_ROOM];

	lp_words_count(complete, r->counts.executions);
	lp_words_count(blocked, r->counts.blocked);
	lp_words_about(total, r->counts.estimate);
	lp_words_count(abandoned, r->counts.abandoned);
	lp_words_count(distinct, r->counts.distinct);
	fprintf(out, "%s complete", complete);
	if (r->verdict == LP_RESULT_VERIFIED)
		fprintf(out, ", which is all of them%s", r->question.bounded ? " within the bound" : "");
	else if (r->counts.distinct)
		fprintf(out, ", %s distinct", distinct);
	else
		fputs(" so far", out);
	if (r->counts.blocked)
		fprintf(out, "; %s blocked", blocked);
	if (r->counts.abandoned)
		fprintf(out, "; %s given up early", abandoned);
	if (r->verdict != LP_RESULT_VERIFIED && r->counts.estimate > (double)r->counts.executions)
		fprintf(out, "; about %s in all", total);
}

static void put_executions(const struct lp_terminal *t, const struct lp_result *r)
{
	fprintf(t->out, "  %-12s ", "executions");
	put_written(t, write_executions, r, 15, 15);
}

static void put_states(const struct lp_terminal *t, const struct lp_result *r)
{
	char states[LP_WORDS_ROOM], rate[LP_WORDS_ROOM];

	lp_words_count(states, r->counts.states);
	lp_words_about(rate, r->seconds > 0 ? (double)r->counts.states / r->seconds : 0);
	fprintf(t->out, "  %-12s %s%s, %s a second\n", "states", states,
		r->verdict == LP_RESULT_VERIFIED ? ", which is all of them" : " so far", rate);
}

static void put_cost(const struct lp_terminal *t, const struct lp_result *r)
{
	char time[LP_WORDS_ROOM], memory[LP_WORDS_ROOM];

	lp_words_duration(time, r->seconds);
	lp_words_memory(memory, r->peak_rss_kb);
	fprintf(t->out, "  %-12s %s, %s\n", "cost", time, memory);
}

static void put_outcomes(const struct lp_terminal *t, const struct lp_result *r)
{
	char number[LP_WORDS_ROOM];

	if (!r->counts.outcome_count)
		return;
	fprintf(t->out, "\noutcomes, and the number of executions that have them:\n");
	for (uint32_t i = 0; i < r->counts.outcome_count; i++) {
		lp_words_count(number, r->counts.outcomes[i].executions);
		fprintf(t->out, "  %12s  ", number);
		lp_terminal_text(t, r->counts.outcomes[i].text);
		fputc('\n', t->out);
	}
}

static void put_output(const struct lp_terminal *t, const char *output)
{
	bool fresh = true;

	fputs("\nwhat the program printed:\n", t->out);
	for (; *output; output++) {
		if (fresh)
			fputs("  | ", t->out);
		fresh = *output == '\n';
		if (fresh || (unsigned char)*output >= ' ' || *output == '\t')
			fputc(*output, t->out);
		else
			fputc('?', t->out);
	}
	if (!fresh)
		fputc('\n', t->out);
}

static void put_summary(const struct lp_terminal *t, const struct lp_result *r)
{
	if (r->question.model)
		put_row(t, "model", r->question.model);
	for (uint32_t i = 0; i < r->question.scope_count; i++)
		put_row(t, r->question.scope[i].name, r->question.scope[i].value);
	if (r->counts.states)
		put_states(t, r);
	else
		put_executions(t, r);
	if (r->peak_rss_kb)
		put_cost(t, r);
}

/* The same in one line, for a screen without room for more. */
static void put_short_summary(const struct lp_terminal *t, const struct lp_result *r)
{
	const uint64_t count = r->counts.states ? r->counts.states : r->counts.executions;
	char number[LP_WORDS_ROOM], time[LP_WORDS_ROOM];

	lp_words_count(number, count);
	lp_words_duration(time, r->seconds);
	/* Where rows are scarce, a fix stands in the place of the blank line. */
	fprintf(t->out, "%sexplored: %s%s%s %s%s so far, %s; --verbose shows more\n", t->brief && r->fixes.count == 1 ? "" : "\n",
		r->question.model ? r->question.model : "", r->question.model ? ", " : "", number, r->counts.states ? "state" : "execution",
		count == 1 ? "" : "s", time);
}

/* What stands above the steps. */
static void put_head(const struct lp_terminal *t, const struct lp_result *r)
{
	put_verdict(t, r);
	if (t->quiet)
		return;
	if (r->suspected) {
		fputs("  ", t->out);
		lp_terminal_sentence(t, r->reason, 2, 2);
	}
	if (r->text && !(t->brief && r->violation->client && r->violation->client->why)) {
		fputs("  ", t->out);
		lp_terminal_sentence(t, r->text, 2, 2);
	}
	if (r->verdict == LP_RESULT_INCONCLUSIVE && !r->violation)
		fputs("  no error was found in the part that was explored\n", t->out);
	if (r->violation && r->violation->client)
		lp_terminal_client(t, r->violation->client);
	if (r->violation && r->violation->why) {
		fputs("\nwhy: ", t->out);
		lp_terminal_sentence(t, r->violation->why, 5, 2);
	}
}

static void put_hint(const struct lp_terminal *t, const char *hint)
{
	fputs("\nhint: ", t->out);
	lp_terminal_sentence(t, hint, 6, 2);
}

/* One is a suggestion, in a line; several are a list. */
static void put_fixes(const struct lp_terminal *t, const struct lp_result *r)
{
	const char *before = t->rows ? "" : "\n";

	if (r->fixes.none || r->fixes.count == 1) {
		fprintf(t->out, "%sfix: ", before);
		lp_terminal_sentence(t, r->fixes.none ? r->fixes.none : r->fixes.at[0].text, 5, 2);
		return;
	}
	if (r->fixes.count)
		fprintf(t->out, "%sfix, by any of these:\n", before);
	for (uint32_t i = 0; i < r->fixes.count; i++) {
		fputs("  ", t->out);
		lp_terminal_sentence(t, r->fixes.at[i].text, 2, 4);
	}
}

/* What stands below them. */
static void put_tail(const struct lp_terminal *t, const struct lp_result *r)
{
	if (r->violation && r->violation->output)
		put_output(t, r->violation->output);
	if (t->rows) {
		put_short_summary(t, r);
	} else {
		if (r->verdict != LP_RESULT_VERIFIED)
			fputs("\nexplored:\n", t->out);
		put_summary(t, r);
	}
	put_outcomes(t, r);
	if (r->aside && !t->brief)
		put_hint(t, r->aside);
	put_fixes(t, r);
	if (r->hint)
		put_hint(t, r->hint);
	for (uint32_t i = 0; i < r->warning_count; i++) {
		lp_terminal_colour(t, LP_YELLOW);
		fputs("warning: ", t->out);
		lp_terminal_colour(t, LP_NORMAL);
		lp_terminal_sentence(t, r->warnings[i], 9, 2);
	}
}

unsigned lp_terminal_lines(const struct lp_terminal *t,
			   void (*put)(const struct lp_terminal *, const void *), const void *what)
{
	struct lp_terminal draft = *t;
	unsigned lines = 0;
	char *text = NULL;
	size_t size;

	draft.colour = false; /* codes would count as characters */
	draft.out = open_memstream(&text, &size);
	if (!draft.out)
		return 0;
	put(&draft, what);
	fclose(draft.out);
	for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		const size_t width = strcspn(at, "\n");
		lines += 1 + (width ? (unsigned)((width - 1) / t->columns) : 0);
	}
	free(text);
	return lines;
}

static void put_around(const struct lp_terminal *t, const void *result)
{
	put_head(t, result);
	put_tail(t, result);
}

void lp_terminal_result(const struct lp_terminal *given, const struct lp_result *r)
{
	struct lp_terminal t = *given;
	unsigned room = 0;

	if (r->verdict == LP_RESULT_ERROR) {
		fprintf(t.out, "linchpin: %s\n", r->text);
		if (r->hint)
			fprintf(t.out, "hint: %s\n", r->hint);
		return;
	}
	if (t.verbose || t.quiet || t.steps || r->verdict != LP_RESULT_VIOLATION)
		t.rows = 0;
	if (t.rows) {
		/* A blank line before the steps, and one for what is typed next. */
		unsigned used = lp_terminal_lines(&t, put_around, r) + 2;
		t.brief = r->violation && used + LP_STEPS_SOME > t.rows;
		if (t.brief)
			used = lp_terminal_lines(&t, put_around, r) + 2;
		room = t.rows > used + LP_STEPS_LEAST ? t.rows - used : LP_STEPS_LEAST;
	}
	put_head(&t, r);
	if (t.quiet)
		return;
	if (r->violation && r->violation->step_count) {
		fputc('\n', t.out);
		if (t.steps)
			lp_terminal_listing(&t, r);
		else
			lp_terminal_steps(&t, r, room);
	}
	put_tail(&t, r);
	if (r->cover)
		lp_terminal_coverage(&t, r->cover);
}
