/* forecast_report.c -- what an exploration will cost: lines for people, JSON for scripts. */
#include "report/results/forecast_report.h"

#include <inttypes.h>
#include <math.h>

#include "report/formats/json.h"
#include "report/words.h"

static const double HOUR = 3600;

/* "about 2.4 million (1.9 million to 3.1 million)" */
static void put_number(FILE *out, bool exact, const struct lp_forecast_number *n, void (*words)(char *, double))
{
	char about[LP_WORDS_ROOM], low[LP_WORDS_ROOM], high[LP_WORDS_ROOM];

	words(about, n->about);
	words(low, n->low);
	words(high, n->high);
	if (exact)
		fprintf(out, "%s", about);
	else
		fprintf(out, "about %s (%s to %s)", about, low, high);
}

static void put_clients(FILE *out, const struct lp_forecast_report *f)
{
	char all[LP_WORDS_ROOM], some[LP_WORDS_ROOM];

	lp_words_count(all, f->clients);
	lp_words_count(some, f->sampled);
	fprintf(out, "  clients:     %s%s", f->more_clients ? "more than " : "", all);
	if (f->sampled < f->clients)
		fprintf(out, ", of which %s were sampled", some);
	putc('\n', out);
}

/* How many processes have an answer within an hour, if one has not. */
static void put_processes(FILE *out, const struct lp_forecast_report *f)
{
	if (f->seconds.about > HOUR && f->seconds.about < 1e7 * HOUR)
		fprintf(out, "  in an hour:  %.0f processes\n", ceil(f->seconds.about / HOUR));
}

static void put_costs(FILE *out, const struct lp_forecast_report *f)
{
	char text[LP_WORDS_ROOM];

	if (f->clients)
		put_clients(out, f);
	fprintf(out, "  executions:  ");
	put_number(out, f->exact, &f->executions, lp_words_about);
	lp_words_about(text, f->rate);
	fprintf(out, "\n  rate:        about %s a second in each process\n  time:        ", text);
	put_number(out, f->exact, &f->seconds, lp_words_duration);
	fprintf(out, " with one process\n");
	if (f->jobs > 1) {
		lp_words_duration(text, f->seconds.about / f->jobs);
		fprintf(out, "               about %s with %s%" PRIu32 "%s\n", text, f->by_ranks ? "the " : "-j ", f->jobs,
			f->by_ranks ? " processes of this job" : "");
	}
	fprintf(out, "  core hours:  %.3g\n", f->seconds.about / HOUR);
	put_processes(out, f);
	lp_words_memory(text, f->memory_kb);
	fprintf(out, "  memory:      about %s in each process\n", text);
}

void lp_forecast_report_text(FILE *out, const struct lp_forecast_report *f)
{
	char text[LP_WORDS_ROOM];

	fprintf(out, "plan for %s: ", f->subject);
	if (f->reason)
		fprintf(out, "none (%s)\n", f->reason);
	else if (f->error)
		fprintf(out, "sampling found an error, at which the exploration will end\n  error:       %s\n", f->error);
	else
		fprintf(out, "%s\n", f->exact ? "all executions were visited" : "from a sample");
	if (!f->reason && !f->error)
		put_costs(out, f);
	lp_words_duration(text, f->took);
	fprintf(out, "nothing is verified by a plan, which took %s\n", text);
}

static void json_number(struct lp_json *j, const char *name, const struct lp_forecast_number *n)
{
	lp_json_begin(j, name, '{');
	lp_json_real(j, "about", n->about);
	lp_json_real(j, "low", n->low);
	lp_json_real(j, "high", n->high);
	lp_json_end(j);
}

void lp_forecast_report_json(FILE *out, const struct lp_forecast_report *f)
{
	struct lp_json j = lp_json_on(out);

	lp_json_begin(&j, NULL, '{');
	lp_json_text(&j, "plan", f->subject);
	lp_json_bool(&j, "exact", f->exact);
	lp_json_text(&j, "error", f->error);
	lp_json_text(&j, "reason", f->reason);
	if (f->clients) {
		lp_json_number(&j, "clients", f->clients);
		lp_json_bool(&j, "more_clients", f->more_clients);
		lp_json_number(&j, "sampled", f->sampled);
	}
	if (!f->reason && !f->error) {
		json_number(&j, "executions", &f->executions);
		lp_json_real(&j, "rate", f->rate);
		json_number(&j, "seconds", &f->seconds);
		lp_json_number(&j, "jobs", f->jobs);
		lp_json_real(&j, "core_hours", f->seconds.about / HOUR);
		lp_json_number(&j, "memory_kb", f->memory_kb);
	}
	lp_json_real(&j, "took", f->took);
	lp_json_end(&j);
	putc('\n', out);
}
