/* simulate.c -- how well many ranks share an exploration.
 *
 *     bench_steal [OPTION]... TREE         TREE as bench_record has written it
 *     bench_steal --self                   a test of the simulation
 *
 * Options, with their defaults:
 *     --ranks 16,64,256,1024,4096   --per-host 32   --graphs 0 (as recorded), or 1e9
 *     --batch 1   --groups 1
 *     --graph 30e-6   --local 60e-6   --latency 2e-6   --piece 4e-6   --serve 2e-6   (seconds)
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/sample/rng.h"
#include "simulation.h"

static const struct costs DEFAULTS = { .graph = 30e-6, .local = 60e-6, .latency = 2e-6, .piece = 4e-6, .serve = 2e-6 };

static uint32_t groups_for(uint32_t groups, uint32_t hosts)
{
	return groups > hosts ? hosts : groups;
}

static void show(const struct tree *t, const struct setting *s)
{
	const struct outcome o = simulate(t, s);

	printf("| %" PRIu32 " | %" PRIu32 " | %.3g | %.1f | %.1f %% | %" PRIu64 " | %" PRIu64 " | %.1f %% |\n", s->hosts * s->workers, s->hosts,
	       (double)tree_size(t), o.seconds, 100 * o.efficiency, o.local, o.messages, 100 * o.root);
	fflush(stdout);
}

/* ---- a test ---- */

static int failures;

static void expect(bool holds, const char *what, uint64_t seed)
{
	if (holds)
		return;
	printf("FAIL %s (seed %" PRIu64 ")\n", what, seed);
	failures++;
}

/* A random tree, by the definition: a graph, then for each of its choices, last one first, graphs of its alternatives. */
static void grow(struct lp_rng *rng, uint16_t *depth, uint64_t *count, uint64_t most, uint16_t at, uint32_t deepest)
{
	const uint32_t choices = at < deepest ? lp_rng_below(rng, deepest - at + 1) : 0;

	for (uint32_t c = choices; c-- > 0;) {
		for (uint32_t a = lp_rng_below(rng, 3); a > 0 && *count < most; a--) {
			depth[(*count)++] = (uint16_t)(at + c + 1);
			grow(rng, depth, count, most, (uint16_t)(at + c + 1), deepest);
		}
	}
}

/* Naively: the first of the smallest. */
static uint64_t split_naively(const uint16_t *depth, uint64_t from, uint64_t end)
{
	uint64_t best = end;

	for (uint64_t i = from + 1; i < end; i++)
		if (best == end || depth[i] < depth[best])
			best = i;
	return best;
}

static void test_splits(const struct tree *t, const uint16_t *depth, struct lp_rng *rng, uint64_t seed)
{
	const uint32_t n = (uint32_t)tree_size(t);

	for (uint32_t i = 0; i < 200; i++) {
		const uint32_t a = lp_rng_below(rng, n), b = a + 1 + lp_rng_below(rng, n - a);
		expect(tree_split(t, a, b) == split_naively(depth, a, b), "another split", seed);
	}
}

static void test_simulation(const struct tree *t, struct lp_rng *rng, uint64_t seed)
{
	struct setting s = { .hosts = 1 + lp_rng_below(rng, 9), .workers = 1 + lp_rng_below(rng, 5), .costs = DEFAULTS, .seed = seed,
			     .batch = 1 + lp_rng_below(rng, 4) };
	s.groups = groups_for(1 + lp_rng_below(rng, 4), s.hosts);
	const struct outcome o = simulate(t, &s);
	const double work = (double)tree_size(t) * s.costs.graph;

	expect(o.explored == tree_size(t), "not everything is explored, or something twice", seed);
	expect(o.seconds <= work * 1.5 + 1 && o.seconds * s.hosts * s.workers >= work * (1 - 1e-9), "an impossible time", seed);
	s.hosts = s.workers = s.groups = 1;
	const struct outcome alone = simulate(t, &s);
	expect(fabs(alone.seconds - work) < 1e-6 * work && alone.efficiency > 0.999, "one worker is not alone", seed);
}

static int test(void)
{
	enum { MOST = 20000 };
	static uint16_t depth[MOST + 1];

	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct lp_rng rng = { seed };
		uint64_t count = 1;
		depth[0] = 0;
		grow(&rng, depth, &count, MOST, 0, 4 + (uint32_t)seed % 14);
		struct tree *t = tree_make(depth, count), *large = tree_enlarge(t, 1e5, seed);
		test_splits(t, depth, &rng, seed);
		test_simulation(t, &rng, seed);
		test_simulation(large, &rng, seed);
		tree_close(t);
		tree_close(large);
	}
	puts(failures ? "wrong" : "ok");
	return failures != 0;
}

/* ---- the command line ---- */

struct asked {
	struct setting setting;
	const char *ranks, *file;
	double graphs;
	uint32_t per_host, groups;
};

static bool take(struct asked *a, const char *name, const char *value)
{
	const struct { const char *name; double *to; } reals[] = {
		{ "--graph", &a->setting.costs.graph }, { "--local", &a->setting.costs.local }, { "--latency", &a->setting.costs.latency },
		{ "--piece", &a->setting.costs.piece }, { "--serve", &a->setting.costs.serve }, { "--graphs", &a->graphs },
	};
	const struct { const char *name; uint32_t *to; } counts[] = {
		{ "--per-host", &a->per_host }, { "--batch", &a->setting.batch }, { "--groups", &a->groups },
	};
	char *end;

	if (!strcmp(name, "--ranks")) {
		a->ranks = value;
		return true;
	}
	for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
		if (!strcmp(name, reals[i].name)) {
			*reals[i].to = strtod(value, &end);
			return end != value && !*end && *reals[i].to >= 0;
		}
	}
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		if (!strcmp(name, counts[i].name)) {
			*counts[i].to = (uint32_t)strtoul(value, &end, 10);
			return end != value && !*end && *counts[i].to;
		}
	}
	return false;
}

static void run(struct asked *a, const struct tree *t)
{
	char *rest;

	puts("| ranks | hosts | graphs | seconds | efficiency | within hosts | messages | list busy |\n"
	     "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
	for (const char *at = a->ranks; *at; at = *rest ? rest + 1 : rest) {
		const uint32_t ranks = (uint32_t)strtoul(at, &rest, 10);
		if (!ranks || rest == at)
			break;
		a->setting.workers = ranks < a->per_host ? ranks : a->per_host;
		a->setting.hosts = (ranks + a->setting.workers - 1) / a->setting.workers;
		a->setting.groups = groups_for(a->groups, a->setting.hosts);
		show(t, &a->setting);
	}
}

int main(int argc, char **argv)
{
	struct asked a = { .setting = { .batch = 1, .costs = DEFAULTS, .seed = 1 }, .ranks = "16,64,256,1024,4096", .per_host = 32, .groups = 1 };

	if (argc == 2 && !strcmp(argv[1], "--self"))
		return test();
	bool good = argc > 1;
	for (int i = 1; i < argc && good; i++) {
		if (argv[i][0] != '-') {
			a.file = argv[i];
			continue;
		}
		good = i + 1 < argc && take(&a, argv[i], argv[i + 1]);
		i++;
	}
	if (!good || !a.file) {
		fputs("usage: bench_steal [OPTION]... TREE (bench/steal/simulate.c lists the options), or bench_steal --self\n", stderr);
		return 2;
	}
	struct tree *t = tree_read(a.file);
	if (!t)
		return 2;
	struct tree *large = a.graphs > (double)tree_size(t) ? tree_enlarge(t, a.graphs, 1) : NULL;
	run(&a, large ? large : t);
	if (large)
		tree_close(large);
	tree_close(t);
	return 0;
}
