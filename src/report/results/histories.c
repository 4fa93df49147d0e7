/* histories.c -- recorded histories, for people. */
#include "report/results/histories.h"

#include <string.h>

#include "report/text/step_table.h"
#include "report/text/terminal.h"
#include "report/words.h"

/* The largest number of calls that are listed without --verbose; and the least, on a screen without room for more. */
enum { LIST = 40, LEAST = 2 };

/* A history, and how it is shown. */
struct shown {
	const struct lp_histories_result *r;
	const struct lp_history_result *h;
	bool brief;    /* one of several */
	uint32_t list; /* calls in a list, at most */
	bool pictured; /* the calls have a picture */
};

enum lp_result_verdict lp_histories_verdict(const struct lp_histories_result *r)
{
	static const enum lp_result_verdict by_weight[] = { LP_RESULT_ERROR, LP_RESULT_VIOLATION,
							    LP_RESULT_INCONCLUSIVE };

	for (size_t v = 0; v < sizeof by_weight / sizeof *by_weight; v++)
		for (uint32_t i = 0; i < r->count; i++)
			if (r->at[i].verdict == by_weight[v])
				return by_weight[v];
	return LP_RESULT_VERIFIED;
}

static void put_verdict(const struct lp_terminal *t, const struct lp_history_result *h)
{
	static const char *const colour[] = { LP_GREEN, LP_RED, LP_YELLOW, LP_RED };

	lp_terminal_colour(t, colour[h->verdict]);
	fprintf(t->out, "%s:", lp_result_verdict_name(h->verdict));
	lp_terminal_colour(t, LP_NORMAL);
	fputs(" '", t->out);
	lp_terminal_text(t, h->subject);
	switch (h->verdict) {
	case LP_RESULT_VERIFIED:
		fprintf(t->out, "' is %s\n", h->claim);
		break;
	case LP_RESULT_VIOLATION:
		fprintf(t->out, "' is not %s\n", h->claim);
		break;
	case LP_RESULT_INCONCLUSIVE:
	case LP_RESULT_ERROR:
		fputs("' is ", t->out);
		lp_terminal_text(t, h->text);
		fputc('\n', t->out);
		break;
	}
}

static void put_row(const struct lp_terminal *t, const char *name, const char *value)
{
	fprintf(t->out, "  %-13s ", name);
	lp_terminal_text(t, value);
	fputc('\n', t->out);
}

static void put_cost(const struct lp_terminal *t, double seconds, uint64_t peak_rss_kb)
{
	char time[LP_WORDS_ROOM], memory[LP_WORDS_ROOM];

	lp_words_duration(time, seconds);
	lp_words_memory(memory, peak_rss_kb);
	fprintf(t->out, "  %-13s %s, %s\n", "cost", time, memory);
}

static void put_scope(const struct lp_terminal *t, const struct lp_histories_result *r,
		      const struct lp_history_result *h, bool brief)
{
	char calls[LP_WORDS_ROOM], pending[LP_WORDS_ROOM], threads[LP_WORDS_ROOM];
	char parts[LP_WORDS_ROOM], steps[LP_WORDS_ROOM];

	lp_words_count(calls, h->calls);
	lp_words_count(pending, h->pending);
	lp_words_count(threads, h->threads);
	lp_words_count(parts, h->parts);
	lp_words_count(steps, h->steps);
	if (!brief) {
		put_row(t, "specification", r->spec);
		put_row(t, "property", r->prop);
	}
	fprintf(t->out, "  %-13s %s call%s by %s thread%s, %s of them pending\n", "history", calls,
		h->calls == 1 ? "" : "s", threads, h->threads == 1 ? "" : "s", pending);
	if (h->method && *h->method) {
		fprintf(t->out, "  %-13s %s", "decided by", h->method);
		if (h->parts > 1)
			fprintf(t->out, ", %s parts", parts);
		if (h->steps)
			fprintf(t->out, ", %s steps", steps);
		fputc('\n', t->out);
	}
}

void lp_terminal_recorded(const struct lp_terminal *t, const struct lp_recorded_call *c)
{
	fprintf(t->out, "T%-4u ", c->thread);
	lp_terminal_text(t, c->call);
	if (*c->result && !c->open && !c->pending) {
		fputs(" -> ", t->out);
		lp_terminal_text(t, c->result);
	}
	fputs("  ", t->out);
	lp_terminal_colour(t, LP_DIM);
	lp_terminal_text(t, c->where);
	lp_terminal_colour(t, LP_NORMAL);
	if (c->pending || c->open)
		fputs("  (has not returned)", t->out);
}

static void put_why(const struct lp_terminal *t, const struct lp_history_violation *v,
		    const struct lp_recorded_stuck *s)
{
	if (!strcmp(s->why, "later")) {
		fputs("  has to come after ", t->out);
		lp_terminal_text(t, v->calls[s->first].call);
		if (*v->calls[s->first].result) {
			fputs(" -> ", t->out);
			lp_terminal_text(t, v->calls[s->first].result);
		}
	} else if (!strcmp(s->why, "blocked")) {
		fputs("  cannot come next: it would wait", t->out);
	} else if (s->gives) {
		fputs("  cannot come next: it would give ", t->out);
		lp_terminal_text(t, s->gives);
	} else {
		fputs("  cannot come next", t->out);
	}
}

static void put_attempt(const struct lp_terminal *t, const struct lp_history_violation *v, uint32_t list)
{
	const uint32_t first = t->verbose || v->order_count <= list ? 0 : v->order_count - list;

	fputs(v->order_count ? "\nthe longest order of calls that the specification accepts:\n" :
			       "\nno call can come first:\n", t->out);
	if (first)
		fprintf(t->out, "  ... the first %u are not shown (--verbose does)\n", first);
	for (uint32_t i = first; i < v->order_count; i++) {
		fprintf(t->out, "  %5u  ", i + 1);
		lp_terminal_recorded(t, &v->calls[v->order[i]]);
		fputc('\n', t->out);
	}
	if (v->order_count && v->stuck_count)
		fputs("after these, none of the other calls can come next:\n", t->out);
	else if (v->order_count == v->call_count)
		fputs("and it cannot end there: another call would have to meet it\n", t->out);
	else if (v->order_count)
		fputs("and then nothing more fits\n", t->out);
	for (uint32_t i = 0; i < v->stuck_count; i++) {
		if (i == list && !t->verbose) {
			fprintf(t->out, "  ... %u more (--verbose shows them)\n", v->stuck_count - i);
			break;
		}
		fputs("         ", t->out);
		lp_terminal_recorded(t, &v->calls[v->stuck[i].call]);
		put_why(t, v, &v->stuck[i]);
		fputc('\n', t->out);
	}
}

static void put_violation(const struct lp_terminal *t, const struct shown *shown)
{
	const struct lp_history_result *h = shown->h;
	const struct lp_history_violation *v = h->violation;
	char all[LP_WORDS_ROOM], some[LP_WORDS_ROOM];

	if (v->anomaly) {
		fputc('\n', t->out);
		if (shown->pictured)
			lp_terminal_intervals(t, v);
		lp_terminal_dependencies(t, v);
		return;
	}
	lp_words_count(all, h->calls);
	lp_words_count(some, v->call_count);
	if (v->call_count < h->calls)
		fprintf(t->out, "\n%s of its %s calls %s%s%s\n", some, all,
			v->call_count == 1 ? "is enough for the violation" : "are enough for the violation",
			v->minimal && v->call_count > 1 ? ", and none of them can be left out" : "",
			shown->pictured ? ":" : "");
	else if (shown->pictured)
		fputs("\nits calls:\n", t->out);
	if (shown->pictured)
		lp_terminal_intervals(t, v);
	if (v->order_count || v->stuck_count)
		put_attempt(t, v, shown->list);
}

/* The scope in one line, for a screen without room for more. */
static void put_short_scope(const struct lp_terminal *t, const struct shown *shown)
{
	char calls[LP_WORDS_ROOM], time[LP_WORDS_ROOM];

	lp_words_count(calls, shown->h->calls);
	lp_words_duration(time, shown->r->seconds);
	fprintf(t->out, "\nchecked: %s, %s calls, %s; --verbose shows more\n%s", shown->r->spec, calls, time,
		shown->brief ? "\n" : "");
}

static void put_history(const struct lp_terminal *t, const void *what)
{
	const struct shown *shown = what;
	const struct lp_histories_result *r = shown->r;
	const struct lp_history_result *h = shown->h;

	put_verdict(t, h);
	if (t->quiet || h->verdict == LP_RESULT_ERROR)
		return;
	if (h->verdict == LP_RESULT_VIOLATION && h->text) {
		fputs("  ", t->out);
		lp_terminal_text(t, h->text);
		fputc('\n', t->out);
	}
	if (h->violation)
		put_violation(t, shown);
	if (h->violation && t->rows && !t->verbose) {
		put_short_scope(t, shown);
		return;
	}
	if (h->verdict != LP_RESULT_VERIFIED)
		fputs("\nchecked:\n", t->out);
	put_scope(t, r, h, shown->brief);
	if (!shown->brief)
		put_cost(t, r->seconds, r->peak_rss_kb);
	else if (h->verdict == LP_RESULT_VIOLATION)
		fputc('\n', t->out);
}

/* On a screen, the lists become shorter until all of it fits; then the picture goes. */
void lp_terminal_history(const struct lp_terminal *t, const struct lp_histories_result *r,
			 const struct lp_history_result *h, bool brief)
{
	struct shown shown = { r, h, brief, LIST, true };

	while (t->rows && !t->verbose && !t->quiet && lp_terminal_lines(t, put_history, &shown) >= t->rows) {
		if (shown.list > LEAST)
			shown.list--;
		else if (shown.pictured)
			shown = (struct shown){ r, h, brief, LIST, false };
		else
			break;
	}
	put_history(t, &shown);
}

void lp_terminal_histories(const struct lp_terminal *t, const struct lp_histories_result *r)
{
	uint64_t by_verdict[4] = { 0 }, calls = 0;
	char text[LP_WORDS_ROOM];

	if (t->quiet)
		return;
	for (uint32_t i = 0; i < r->count; i++) {
		by_verdict[r->at[i].verdict]++;
		calls += r->at[i].calls;
	}
	lp_words_count(text, r->count);
	fprintf(t->out, "\n%s histories:", text);
	for (int v = 0, some = 0; v < 4; v++)
		if (by_verdict[v]) {
			lp_words_count(text, by_verdict[v]);
			fprintf(t->out, "%s %s %s", some++ ? "," : "", text,
				v == LP_RESULT_VERIFIED	    ? "verified" :
				v == LP_RESULT_VIOLATION    ? "in violation" :
				v == LP_RESULT_INCONCLUSIVE ? "inconclusive" :
							      "refused");
		}
	fputc('\n', t->out);
	put_row(t, "specification", r->spec);
	put_row(t, "property", r->prop);
	lp_words_count(text, calls);
	put_row(t, "calls", text);
	put_cost(t, r->seconds, r->peak_rss_kb);
}
