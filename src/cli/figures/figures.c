/* figures.c -- `linchpin figures`: two experiments on an object, from the paper on A_k (docs/counting.md). */
#include "cli/commands.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/errors.h"
#include "cli/deliver.h"
#include "cli/figures/covered.h"
#include "cli/figures/monitor_cost.h"
#include "report/formats/json.h"
#include "report/text/plot.h"

enum { MOST_POINTS = 64, NAME_ROOM = 32, LEAST_CALLS = 2 };
enum { COVERAGE_CALLS = 8, COVERAGE_CHANGES = 5, OVERHEAD_CALLS = 20, OVERHEAD_CHANGES = 3, EXECUTIONS = 2000, DEFAULT_K = 2 };

struct figure {
	const struct lp_options *options;
	struct lp_options inner; /* of the check: without the experiment's name, and under sc */
	struct lp_check check;
	struct lp_sampling sampling;
	bool coverage, json;
	uint32_t calls, count; /* of the largest client; of points */
	unsigned k;
	struct lp_covered covered[MOST_POINTS];
	struct lp_monitor_cost cost[MOST_POINTS];
	char name[MOST_POINTS][NAME_ROOM];
};

/* ---- what was found ---- */

static uint64_t wrong_histories(const struct figure *f)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < f->count; i++)
		sum += f->coverage ? f->covered[i].wrong : f->cost[i].wrong;
	return sum;
}

/* How many times as long it takes with a monitor; at least once, as far as clocks can tell. */
static double times(double with, double plain)
{
	return plain > 0 && with > plain ? with / plain : 1;
}

/* Of coverage: what part of the wrong histories A_k covers, in all; of monitors: the geometric mean of what A_k costs. */
static double figure_of(const struct figure *f)
{
	double sum = 0, all = 0;

	for (uint32_t i = 0; i < f->count; i++) {
		sum += f->coverage ? (double)f->covered[i].covered[f->k] : log(times(f->cost[i].counted, f->cost[i].plain));
		all += f->coverage ? (double)f->covered[i].wrong : 1;
	}
	return all <= 0 ? 0 : f->coverage ? sum / all : exp(sum / all);
}

/* ---- text ---- */

static void put_covered(const struct figure *f)
{
	printf("%-6s %10s %8s |", "in+out", "histories", "wrong");
	for (unsigned k = 0; k <= LP_COVERED_K; k++)
		printf("   A_%u", k);
	printf(" | a monitor:");
	for (unsigned k = 0; k <= LP_COVERED_K; k++)
		printf("   A_%u", k);
	printf("\n");
	for (uint32_t i = 0; i < f->count; i++) {
		const struct lp_covered *c = &f->covered[i];
		printf("%-6s %10" PRIu64 " %8" PRIu64 " |", f->name[i], c->histories, c->wrong);
		for (unsigned k = 0; k <= LP_COVERED_K; k++)
			printf(" %5" PRIu64, c->covered[k]);
		printf(" |           ");
		for (unsigned k = 0; k <= LP_COVERED_K; k++)
			printf(" %5" PRIu64, c->seen[k]);
		printf("\n");
	}
}

static void put_cost(const struct figure *f)
{
	printf("%-6s %9s | %8s %8s %12s | %14s\n", "in+out", "plain, s", "A_k", "exact", "enumeration", "linearizations");
	for (uint32_t i = 0; i < f->count; i++) {
		const struct lp_monitor_cost *c = &f->cost[i];
		printf("%-6s %9.3f | %7.2fx %7.2fx %11.2fx | %14" PRIu64 "%s\n", f->name[i], c->plain, times(c->counted, c->plain),
		       times(c->decided, c->plain), times(c->enumerated, c->plain), c->linearizations, c->cut ? ", or more" : "");
	}
	printf("A_%u: %.2fx (geometric mean)\n", f->k, figure_of(f));
}

static bool draw(const struct figure *f, const char *svg, struct lp_error *error)
{
	static const char *const covered[] = { "histories", "wrong", "A_4", "A_3", "A_2", "A_1", "A_0" };
	static const char *const monitors[] = { "enumeration", "exact", "A_k" };
	static const char *const colours[] = { "#888", "#000", "#1f77b4", "#2ca02c", "#ff7f0e", "#d62728", "#9467bd" };
	const uint32_t lines = f->coverage ? 7 : 3;
	double at[7][MOST_POINTS];
	const char *names[MOST_POINTS];
	struct lp_series series[7];

	for (uint32_t i = 0; i < f->count; i++) {
		names[i] = f->name[i];
		at[0][i] = f->coverage ? (double)f->covered[i].histories : times(f->cost[i].enumerated, f->cost[i].plain);
		at[1][i] = f->coverage ? (double)f->covered[i].wrong : times(f->cost[i].decided, f->cost[i].plain);
		at[2][i] = f->coverage ? 0 : times(f->cost[i].counted, f->cost[i].plain);
		for (unsigned k = 0; f->coverage && k <= LP_COVERED_K; k++)
			at[6 - k][i] = (double)f->covered[i].covered[k];
	}
	for (uint32_t s = 0; s < lines; s++)
		series[s] = (struct lp_series){ f->coverage ? covered[s] : monitors[s], f->coverage ? "hw43210"[s] : "ela"[s],
						colours[f->coverage ? s : s + 2], at[s] };
	const struct lp_plot plot = {
		.title = f->coverage ? "Wrong histories covered by A_k" : "Monitors, times unmonitored executions",
		.x_axis = "insertions + removals", .y_axis = f->coverage ? "histories" : "times as long",
		.count = f->count, .names = names, .series = series, .series_count = lines,
	};
	if (!f->json) {
		printf("\n");
		lp_plot_text(&plot, stdout);
	}
	return !svg || lp_plot_svg(&plot, svg) || lp_fail(error, "cannot write '%s'", svg);
}

/* ---- JSON ---- */

static void put_point(const struct figure *f, struct lp_json *j, uint32_t i)
{
	lp_json_begin(j, NULL, '{');
	lp_json_text(j, "name", f->name[i]);
	if (f->coverage) {
		lp_json_number(j, "histories", f->covered[i].histories);
		lp_json_number(j, "wrong", f->covered[i].wrong);
		for (int seen = 0; seen < 2; seen++) {
			lp_json_begin(j, seen ? "monitor" : "covered", '[');
			for (unsigned k = 0; k <= LP_COVERED_K; k++)
				lp_json_number(j, NULL, seen ? f->covered[i].seen[k] : f->covered[i].covered[k]);
			lp_json_end(j);
		}
	} else {
		lp_json_real(j, "plain", f->cost[i].plain);
		lp_json_real(j, "counted", f->cost[i].counted);
		lp_json_real(j, "exact", f->cost[i].decided);
		lp_json_real(j, "enumeration", f->cost[i].enumerated);
		lp_json_number(j, "linearizations", f->cost[i].linearizations);
		lp_json_number(j, "wrong", f->cost[i].wrong);
	}
	lp_json_end(j);
}

static void put_json(const struct figure *f)
{
	struct lp_json j = lp_json_on(stdout);
	const bool wrong = wrong_histories(f) > 0;

	lp_json_begin(&j, NULL, '{');
	lp_json_text(&j, "verdict", wrong ? "violation" : "inconclusive");
	if (wrong)
		lp_json_text(&j, "kind", lp_error_name(LP_ERROR_NOT_LINEARIZABLE));
	else
		lp_json_text(&j, "reason", "no wrong history was sampled");
	lp_json_real(&j, "figure", figure_of(f));
	lp_json_number(&j, "executions", f->sampling.executions * f->count);
	lp_json_begin(&j, "points", '[');
	for (uint32_t i = 0; i < f->count; i++)
		put_point(f, &j, i);
	lp_json_end(&j);
	lp_json_end(&j);
	putchar('\n');
}

/* ---- the experiment ---- */

static bool measure(struct figure *f, uint32_t inserts, uint32_t removes, struct lp_error *error)
{
	const uint32_t i = f->count++;

	snprintf(f->name[i], NAME_ROOM, "%u+%u", inserts, removes);
	if (f->coverage) {
		f->covered[i] = (struct lp_covered){ .inserts = inserts, .removes = removes };
		return lp_covered(&f->sampling, &f->covered[i], error);
	}
	f->cost[i] = (struct lp_monitor_cost){ .inserts = inserts, .removes = removes };
	return lp_monitor_cost(&f->sampling, f->k, &f->cost[i], error);
}

/* Coverage: all numbers of insertions and removals up to half of the calls.  Monitors: half of the calls are insertions. */
static bool measure_all(struct figure *f, struct lp_error *error)
{
	const uint32_t half = (f->calls + 1) / 2;
	bool good = true;

	for (uint32_t n = LEAST_CALLS; good && n <= (f->coverage ? 2 * half : f->calls); n++) {
		const uint32_t least = f->coverage ? 1 : (n + 1) / 2, most = f->coverage ? half : least;
		for (uint32_t in = least; good && in <= most && in < n && f->count < MOST_POINTS; in++)
			if (n - in <= half)
				good = measure(f, in, n - in, error);
	}
	return good;
}

static bool take_options(struct figure *f, struct lp_error *error)
{
	const struct lp_options *o = f->options;
	const char *which = o->operand_count == 2 ? o->operands[1] : "";
	char *end = NULL;

	f->json = o->at[LP_OPT_JSON].given;
	f->coverage = !strcmp(which, "coverage");
	if (!f->coverage && strcmp(which, "overhead"))
		return lp_fail(error, "'linchpin figures' takes an object, and 'coverage' or 'overhead'");
	f->calls = f->coverage ? COVERAGE_CALLS : OVERHEAD_CALLS;
	if (o->at[LP_OPT_OPS].given)
		f->calls = (uint32_t)strtoul(o->at[LP_OPT_OPS].text, &end, 10);
	const uint32_t most = f->coverage ? COVERAGE_CALLS : OVERHEAD_CALLS;
	if ((end && *end) || f->calls < LEAST_CALLS || f->calls > most)
		return lp_fail(error, "--ops %s: from %d to %u calls are expected", o->at[LP_OPT_OPS].text, LEAST_CALLS, most);
	f->k = o->at[LP_OPT_AK].given ? (unsigned)o->at[LP_OPT_AK].count : DEFAULT_K;
	if (f->coverage && f->k > LP_COVERED_K)
		return lp_fail(error, "--ak %u: at most %d here", f->k, LP_COVERED_K);
	f->sampling.executions = o->at[LP_OPT_RANDOM].given ? o->at[LP_OPT_RANDOM].count : EXECUTIONS;
	f->sampling.changes = o->at[LP_OPT_PREEMPTIONS].given ? (uint32_t)o->at[LP_OPT_PREEMPTIONS].count :
			      f->coverage			? COVERAGE_CHANGES :
								  OVERHEAD_CHANGES;
	f->sampling.seed = o->at[LP_OPT_SEED].given ? o->at[LP_OPT_SEED].count : 1;
	return true;
}

/* Opens the object under sc.  The experiment itself uses the options about sampling, so they are removed here. */
static bool open_object(struct figure *f, struct lp_error *error)
{
	static const enum lp_option_id own[] = { LP_OPT_OPS, LP_OPT_AK, LP_OPT_RANDOM, LP_OPT_SEED, LP_OPT_PREEMPTIONS };

	f->inner = *f->options;
	f->inner.operand_count--;
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		f->inner.at[own[i]] = (struct lp_option_value){ 0 };
	f->inner.at[LP_OPT_MODEL] = (struct lp_option_value){ .given = true, .count = LP_MODEL_SC, .text = "sc" };
	if (!lp_check_open(&f->check, &f->inner, error) || !lp_sampling_open(&f->sampling, &f->check, error))
		return false;
	lp_task_begin(&f->check.task);
	return true;
}

int lp_cli_figures(const struct lp_options *o)
{
	struct figure *f = lp_alloc_zero(1, sizeof *f);
	struct lp_error error = { .hint = "" };
	bool good;

	f->options = o;
	good = take_options(f, &error);
	if (good) {
		good = open_object(f, &error) && measure_all(f, &error);
		lp_task_end(&f->check.task);
		if (good && !f->json) {
			printf("'%s': %" PRIu64 " random executions for each number of calls, up to %u changes of priority, seed %" PRIu64 "\n",
			       f->inner.operands[0], f->sampling.executions, f->sampling.changes, f->sampling.seed);
			f->coverage ? put_covered(f) : put_cost(f);
		}
		good = good && draw(f, o->at[LP_OPT_SVG].given ? o->at[LP_OPT_SVG].text : NULL, &error);
		lp_check_close(&f->check);
	}
	if (good && f->json)
		put_json(f);
	const int status = !good ? lp_cli_refuse(f->json, &error) : wrong_histories(f) ? LP_EXIT_VIOLATION : LP_EXIT_INCONCLUSIVE;
	lp_free(f);
	return status;
}
