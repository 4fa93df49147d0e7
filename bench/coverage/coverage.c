/* coverage.c -- how many wrong histories does A_k cover?
 *
 *     coverage [--inserts N] [--removes N] [--slots N] [--delays N] [--most N]
 *              [--least N] [--svg FILE]
 *
 * The experiment of section 9.1 of "Tractable Refinement Checking for Concurrent
 * Objects" (POPL 2015), on a relaxed queue.  For each number of insertions and
 * removals, all executions with few delays give a set of histories; some are wrong, by
 * an exact checker.  A_k covers a wrong history h if A_k(h') is wrong for some history
 * h' of the set, and is weaker than h.  Beside it: how many are reported by a monitor
 * of A_k that sees the execution of h itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/vec.h"
#include "check/counting/ak.h"
#include "check/history/history_check.h"
#include "history/history.h"
#include "plot.h"
#include "relaxed.h"
#include "spec/spec.h"

enum { MOST_K = 4, MOST_POINTS = 16, LABELS = 12 };

/* What is before what, by label: insert 1..4, remove 1..4, then removals that found
 * nothing.  Those are interchangeable. */
struct order {
	uint16_t before[LABELS]; /* bit b of row a: a is before b */
	uint16_t labels;
};

struct wrong {
	struct execution e;
	struct order order;
	bool covered[MOST_K + 1];
};

struct point {
	uint32_t inserts, removes;
	uint64_t executions, histories;
	uint64_t covered[MOST_K + 1], seen[MOST_K + 1];
	struct {
		LP_VEC(struct wrong);
	} wrong;
	/* Histories met so far. */
	struct lp_fingerprint *met;
	uint64_t size;
	const struct lp_spec *spec;
};

struct options {
	uint32_t inserts, removes, slots, delays;
	uint64_t most, least;
	const char *svg;
};

static void history_of(struct lp_history *h, const struct execution *e)
{
	const uint16_t in = lp_history_method(h, "enqueue", 7), out = lp_history_method(h, "dequeue", 7);

	for (uint32_t i = 0; i < e->ops; i++) {
		const bool inserts = i < e->inserts;
		struct lp_call c = { .start = e->op[i].start, .end = e->op[i].end, .thread = i,
				     .line = i + 1, .method = inserts ? in : out, .args = inserts,
				     .arg = { i + 1 }, .results = 1,
				     .result = inserts ? 1 :
					       e->op[i].result ? e->op[i].result : LP_EMPTY };
		LP_PUSH(h, c);
	}
}

static struct order order_of(const struct lp_history *h, uint32_t inserts)
{
	struct order o = { 0 };
	uint32_t label[MOST_OPS], empty = 8;

	for (uint32_t i = 0; i < h->count; i++) {
		const struct lp_call *c = &h->at[i];
		label[i] = i < inserts ? i :
			   c->result == LP_EMPTY ? empty++ : 4 + (uint32_t)c->result - 1;
		o.labels = (uint16_t)(o.labels | 1u << label[i]);
	}
	for (uint32_t a = 0; a < h->count; a++)
		for (uint32_t b = 0; b < h->count; b++)
			if (h->at[a].end < h->at[b].start)
				o.before[label[a]] = (uint16_t)(o.before[label[a]] | 1u << label[b]);
	return o;
}

static bool is_wrong(const struct lp_history *h, const struct lp_spec *spec)
{
	const struct lp_check_options options = { .property = LP_LINEARIZABLE };
	struct lp_check_result r;
	struct lp_error error;

	if (!lp_history_check(h, spec, &options, &r, &error) || r.finding == LP_UNDECIDED) {
		fprintf(stderr, "cannot check a history: %s\n", error.text);
		exit(2);
	}
	const bool wrong = r.finding == LP_WRONG;
	lp_check_result_close(&r);
	return wrong;
}

/* A history, up to which removal of a value it was. */
static bool is_new(struct point *p, const struct execution *e)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	for (uint32_t i = 0; i < e->ops; i++) {
		lp_fingerprint_word(&f, (uint64_t)e->op[i].start << 16 | (uint64_t)e->op[i].end << 8 |
						(uint64_t)e->op[i].result);
	}
	if (2 * (p->histories + 1) > p->size) {
		const uint64_t size = p->size ? 2 * p->size : 1024;
		struct lp_fingerprint *met = lp_alloc_zero(size, sizeof *met);
		for (uint64_t i = 0; i < p->size; i++) {
			uint64_t at = p->met[i].b & (size - 1);
			if (!p->met[i].a && !p->met[i].b)
				continue;
			while (met[at].a || met[at].b)
				at = (at + 1) & (size - 1);
			met[at] = p->met[i];
		}
		lp_free(p->met);
		p->met = met;
		p->size = size;
	}
	uint64_t at = f.b & (p->size - 1);
	for (; p->met[at].a || p->met[at].b; at = (at + 1) & (p->size - 1))
		if (p->met[at].a == f.a && p->met[at].b == f.b)
			return false;
	p->met[at] = f;
	p->histories++;
	return true;
}

static void meet(void *context, const struct execution *e)
{
	struct point *p = context;
	struct lp_history h = { 0 };

	if (!is_new(p, e))
		return;
	history_of(&h, e);
	if (is_wrong(&h, p->spec)) {
		const struct wrong w = { .e = *e, .order = order_of(&h, e->inserts) };
		LP_PUSH(&p->wrong, w);
		for (unsigned k = 0; k <= MOST_K; k++) {
			const struct lp_ak_options options = { .k = k };
			struct lp_ak_result r;
			struct lp_error error;
			p->seen[k] += lp_ak_check(&h, p->spec, &options, &r, &error) && r.violated;
		}
	}
	lp_history_close(&h);
}

/* Is `w` weaker than `h`?  Their labels are the same; the removals that found nothing
 * may be matched in any way. */
static bool is_weaker(const struct order *w, const struct order *h, uint32_t empties,
		      uint32_t *match, uint32_t matched)
{
	if (matched < empties) {
		for (uint32_t i = 0; i < empties; i++) {
			bool used = false;
			for (uint32_t j = 0; j < matched; j++)
				used |= match[j] == i;
			match[matched] = i;
			if (!used && is_weaker(w, h, empties, match, matched + 1))
				return true;
		}
		return false;
	}
	for (uint32_t a = 0; a < 8 + empties; a++) {
		const uint32_t there = a < 8 ? a : 8 + match[a - 8];
		uint32_t row = w->before[a] & 0xff;
		for (uint32_t i = 0; i < empties; i++)
			if (w->before[a] >> (8 + i) & 1)
				row |= 1u << (8 + match[i]);
		if (row & ~(uint32_t)h->before[there])
			return false;
	}
	return true;
}

static int by_order(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct order));
}

static void cover(struct point *p, unsigned k)
{
	struct {
		LP_VEC(struct order);
	} weak = { 0 };
	uint32_t count = 0, match[4];

	for (uint32_t i = 0; i < p->wrong.count; i++) {
		struct lp_history h = { 0 };
		history_of(&h, &p->wrong.at[i].e);
		lp_ak_weaken(&h, k);
		if (is_wrong(&h, p->spec))
			LP_PUSH(&weak, order_of(&h, p->inserts));
		lp_history_close(&h);
	}
	if (weak.count)
		qsort(weak.at, weak.count, sizeof *weak.at, by_order);
	for (uint32_t i = 0; i < weak.count; i++)
		if (!i || by_order(&weak.at[i], &weak.at[count - 1]))
			weak.at[count++] = weak.at[i];
	for (uint32_t i = 0; i < p->wrong.count; i++) {
		struct wrong *w = &p->wrong.at[i];
		const uint32_t empties = (uint32_t)__builtin_popcount(w->order.labels >> 8);
		for (uint32_t j = 0; j < count && !w->covered[k]; j++)
			w->covered[k] = weak.at[j].labels == w->order.labels &&
					is_weaker(&weak.at[j], &w->order, empties, match, 0);
		p->covered[k] += w->covered[k];
	}
	lp_free(weak.at);
}

static int by_executions(const void *a, const void *b)
{
	const struct point *x = a, *y = b;
	const uint64_t left = x->executions * (y->inserts + y->removes);
	const uint64_t right = y->executions * (x->inserts + x->removes);
	return (left > right) - (left < right);
}

static bool print(const struct point *points, uint32_t count)
{
	bool good = true;

	printf("%-6s %10s %10s %10s |", "in+out", "executions", "histories", "wrong");
	for (unsigned k = 0; k <= MOST_K; k++)
		printf("     A_%u", k);
	printf(" | a monitor:");
	for (unsigned k = 0; k <= MOST_K; k++)
		printf("     A_%u", k);
	printf("\n");
	for (uint32_t i = 0; i < count; i++) {
		const struct point *p = &points[i];
		printf("%u+%-4u %10llu %10llu %10u |", p->inserts, p->removes,
		       (unsigned long long)p->executions, (unsigned long long)p->histories,
		       p->wrong.count);
		for (unsigned k = 0; k <= MOST_K; k++)
			printf(" %7llu", (unsigned long long)p->covered[k]);
		printf(" |           ");
		for (unsigned k = 0; k <= MOST_K; k++)
			printf(" %7llu", (unsigned long long)p->seen[k]);
		printf("\n");
		for (unsigned k = 0; k <= MOST_K; k++)
			good &= p->covered[k] <= p->wrong.count && p->seen[k] <= p->wrong.count &&
				(!k || (p->covered[k - 1] <= p->covered[k] && p->seen[k - 1] <= p->seen[k]));
	}
	return good;
}

static void draw(const struct point *points, uint32_t count, const char *svg)
{
	static const char *const names[] = { "histories", "wrong", "A_4", "A_3", "A_2", "A_1", "A_0" };
	static const char *const colours[] = { "#888", "#000", "#1f77b4", "#2ca02c",
					       "#ff7f0e", "#d62728", "#9467bd" };
	static const char marks[] = "hw43210";
	double at[7][MOST_POINTS];
	char text[MOST_POINTS][8];
	const char *name[MOST_POINTS];
	struct series series[7];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(text[i], sizeof text[i], "%u+%u", points[i].inserts, points[i].removes);
		name[i] = text[i];
		at[0][i] = (double)points[i].histories;
		at[1][i] = points[i].wrong.count;
		for (unsigned k = 0; k <= MOST_K; k++)
			at[6 - k][i] = (double)points[i].covered[k];
	}
	for (uint32_t s = 0; s < 7; s++)
		series[s] = (struct series){ names[s], marks[s], colours[s], at[s] };
	const struct plot plot = { .title = "Wrong histories of a relaxed queue covered by A_k",
				   .x_axis = "insertions + removals, by executions per operation",
				   .y_axis = "histories", .count = count, .names = name,
				   .series = series, .series_count = 7 };
	printf("\n");
	plot_text(&plot, stdout);
	if (svg && !plot_svg(&plot, svg)) {
		fprintf(stderr, "cannot write '%s'\n", svg);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	struct options o = { .inserts = 4, .removes = 4, .slots = 2, .delays = 5, .most = 3000000,
			     .least = 1000 };
	struct point points[MOST_POINTS];
	struct lp_spec spec;
	struct lp_error error;
	uint32_t count = 0;

	for (int i = 1; i + 1 < argc; i += 2) {
		const uint64_t n = strtoull(argv[i + 1], NULL, 10);
		if (!strcmp(argv[i], "--inserts") && n <= 4)
			o.inserts = (uint32_t)n;
		else if (!strcmp(argv[i], "--removes") && n <= 4)
			o.removes = (uint32_t)n;
		else if (!strcmp(argv[i], "--slots") && n >= 1 && n <= 4)
			o.slots = (uint32_t)n;
		else if (!strcmp(argv[i], "--delays"))
			o.delays = (uint32_t)n;
		else if (!strcmp(argv[i], "--most"))
			o.most = n;
		else if (!strcmp(argv[i], "--least"))
			o.least = n;
		else if (!strcmp(argv[i], "--svg"))
			o.svg = argv[i + 1];
		else
			return fprintf(stderr, "what is %s %s?\n", argv[i], argv[i + 1]), 2;
	}
	lp_spec_parse(&spec, "queue", &error);
	printf("a queue with segments of %u, all schedules with up to %u delays\n", o.slots, o.delays);
	for (uint32_t inserts = 1; inserts <= o.inserts; inserts++)
		for (uint32_t removes = 1; removes <= o.removes; removes++) {
			struct point p = { .inserts = inserts, .removes = removes, .spec = &spec };
			p.executions = each_execution(inserts, removes, o.slots, o.delays, o.most, meet, &p);
			for (unsigned k = 0; k <= MOST_K; k++)
				cover(&p, k);
			lp_free(p.met);
			if (p.executions >= o.least)
				points[count++] = p;
			else
				lp_free(p.wrong.at);
		}
	qsort(points, count, sizeof *points, by_executions);
	const bool good = print(points, count);
	if (count)
		draw(points, count, o.svg);
	for (uint32_t i = 0; i < count; i++)
		lp_free(points[i].wrong.at);
	if (!good)
		fprintf(stderr, "coverage is not monotone in k\n");
	return !good;
}
