/* calls_test.c -- what clients could add to an execution: src/model/calls.h against axioms.
 *
 *     calls_test --model rc11 --count 1000 --seed 1 [--symmetry]     random programs
 *     calls_test --model rc11 --file PROGRAM                         one program
 *
 * The threads of a random program are its calls, some of them cut in two.  For complete
 * executions, and those in which threads wait forever, and for random orders on the
 * calls: lp_calls_possible() says what the axioms say of the graph with real messages in
 * it; so do the relations if they are said to be exact, and else they allow as much.
 * And orders that the axioms call hopeless are, with whatever is added to them.
 *
 * Exit status: 0 all agree, 1 some do not, 2 usage.
 */
#include "client_graph.h"
#include "generate.h"

#include "base/error.h"
#include "base/hash.h"
#include "program/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
	int model; /* < 0: all */
	uint64_t count, seed;
	bool symmetry;
	const char *file;
};

struct tally {
	uint64_t graphs, orders, possible, inexact, narrowed;
};

/* What a judge of executions knows. */
struct judge {
	enum lp_model model;
	uint64_t random;
	uint32_t graphs; /* of this program */
	bool loud;
	const char *failed;
	struct tally *tally;
};

static uint32_t below(struct judge *j, uint32_t n)
{
	j->random += UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(lp_mix(j->random) >> 33) % n;
}

/* ---- by the relations, as calls.h has it ---- */

typedef bool matrix[LP_CALLS][LP_CALLS];

/* to = h ; (middle ; h)* */
static void alternate(uint32_t n, const matrix h, const matrix middle, matrix to)
{
	memcpy(to, h, sizeof(matrix));
	for (bool more = true; more;) {
		more = false;
		for (uint32_t b = 0; b < n; b++)
			for (uint32_t m = 0; m < n; m++)
				for (uint32_t k = 0; k < n; k++)
					for (uint32_t a = 0; a < n; a++)
						if (to[b][m] && middle[m][k] && h[k][a] && !to[b][a])
							more = to[b][a] = true;
	}
}

static bool related_possible(const struct lp_calls *c, const uint32_t *before)
{
	static matrix h, happens, reaches, by_happens, by_reaches;
	const uint32_t n = c->count;

	for (uint32_t x = 0; x < n; x++)
		for (uint32_t y = 0; y < n; y++) {
			h[x][y] = before[y] >> x & 1;
			happens[x][y] = c->happens[x] >> y & 1;
			reaches[x][y] = c->reaches[x] >> y & 1;
		}
	alternate(n, h, happens, by_happens);
	alternate(n, h, reaches, by_reaches);
	for (uint32_t b = 0; b < n; b++)
		for (uint32_t a = 0; a < n; a++)
			if ((by_happens[b][a] && c->clashes[b] >> a & 1) ||
			    (by_reaches[b][a] && reaches[a][b]))
				return false;
	return true;
}

/* ---- calls and orders ---- */

/* Every thread is a call, or, some of the time, two. */
static void cut_into_calls(struct judge *j, const struct lp_graph *g, struct lp_calls *c)
{
	c->count = 0;
	for (uint32_t t = 1; t < g->threads.count; t++) {
		const struct lp_thread *th = &g->threads.at[t];
		const uint32_t cut = th->count > 2 && !below(j, 3) ? 1 + below(j, th->count - 2) : 0;
		const bool splits = cut && lp_graph_event(g, th->at[cut])->rmw &&
				    lp_graph_event(g, th->at[cut])->kind == LP_EV_WRITE;
		if (!th->count)
			continue;
		if (cut && !splits)
			c->at[c->count++] = (struct lp_call_span){ t, 0, cut };
		c->at[c->count++] = (struct lp_call_span){ t, splits ? 0 : cut, th->count };
	}
}

static bool returned(const struct lp_graph *g, const struct lp_call_span *s)
{
	const struct lp_thread *t = &g->threads.at[s->thread];

	return s->end < t->count || lp_graph_event(g, LP_LAST(t))->kind == LP_EV_END;
}

static void close_order(uint32_t *before, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t a = 0; a < n; a++)
			if (before[a] >> k & 1)
				before[a] |= before[k];
}

/* The order that the calls have by their threads. */
static void thread_order(const struct lp_calls *c, uint32_t *before)
{
	memset(before, 0, sizeof *before * LP_CALLS);
	for (uint32_t a = 0; a < c->count; a++)
		for (uint32_t b = 0; b < c->count; b++)
			if (c->at[a].thread == c->at[b].thread && c->at[b].first < c->at[a].first)
				before[a] |= UINT32_C(1) << b;
}

/* `more` has another pair than `before`, if there is one; after what never returns comes
 * nothing. */
static bool add_pair(struct judge *j, const struct lp_graph *g, const struct lp_calls *c,
		     const uint32_t *before, uint32_t *more)
{
	const uint32_t a = below(j, c->count), b = below(j, c->count);

	if (a == b || before[a] >> b & 1 || before[b] >> a & 1 || !returned(g, &c->at[b]))
		return false;
	memcpy(more, before, sizeof *more * LP_CALLS);
	more[a] |= UINT32_C(1) << b;
	close_order(more, c->count);
	return true;
}

/* ---- the comparison ---- */

static void show(const struct lp_calls *c, const uint32_t *before, const char *what)
{
	printf("  %s; calls:", what);
	for (uint32_t a = 0; a < c->count; a++)
		printf(" %u:[%u,%u)", c->at[a].thread, c->at[a].first, c->at[a].end);
	printf("; order:");
	for (uint32_t a = 0; a < c->count; a++)
		for (uint32_t b = 0; b < c->count; b++)
			if (before[a] >> b & 1)
				printf(" %u-%u", b, a);
	printf("\n");
}

static const char *difference(struct judge *j, const struct lp_graph *g, const struct lp_calls *c,
			      const uint32_t *before, bool axioms)
{
	const bool built = lp_calls_possible(c, g, lp_model_class_of(j->model), before);
	const bool related = related_possible(c, before);

	j->tally->orders++;
	j->tally->possible += axioms;
	j->tally->inexact += !c->exact;
	j->tally->narrowed += related && !axioms;
	if (built != axioms)
		return built ? "possible, the axioms say impossible" : "impossible, the axioms say possible";
	if (axioms && !related)
		return "the relations exclude it, the axioms do not";
	if (c->exact && related != axioms)
		return "the relations allow it, the axioms do not";
	return NULL;
}

/* client_graph_hopeful() says that an order is impossible, and all that contain it: some of them. */
static const char *hope_difference(struct judge *j, const struct client_graph *k, const uint32_t *before,
				   bool possible)
{
	uint32_t larger[LP_CALLS], more[LP_CALLS];

	if (client_graph_hopeful(k, before))
		return NULL;
	memcpy(larger, before, sizeof larger);
	for (uint32_t i = 0; i < k->calls->count && !possible; i++)
		if (add_pair(j, k->g, k->calls, larger, more)) {
			memcpy(larger, more, sizeof larger);
			possible = client_graph_possible(k, larger);
		}
	return possible ? "hopeless, and the axioms say possible" : NULL;
}

/* Pairs are added at random as long as the execution stays one: the border is near. */
static void add_pairs(struct judge *j, const struct lp_graph *g, const struct lp_calls *c)
{
	static struct client_graph k;
	uint32_t before[LP_CALLS], more[LP_CALLS];

	client_graph_open(&k, g, c, j->model);
	thread_order(c, before);
	for (uint32_t i = 0; i < 4 * c->count && !j->failed; i++) {
		if (!add_pair(j, g, c, before, more))
			continue;
		const bool possible = client_graph_possible(&k, more);
		j->failed = difference(j, g, c, more, possible);
		if (!j->failed)
			j->failed = hope_difference(j, &k, more, possible);
		if (j->failed && j->loud)
			show(c, more, j->failed);
		if (possible)
			memcpy(before, more, sizeof before);
	}
}

static enum lp_judgement judge_execution(void *closure, const struct lp_graph *g, bool stuck,
					 struct lp_program_error *error)
{
	struct judge *j = closure;
	struct lp_calls calls = { .count = 0 };

	(void)stuck;
	(void)error;
	if (j->failed || j->graphs++ >= 12)
		return LP_JUDGED_RIGHT;
	cut_into_calls(j, g, &calls);
	if (calls.count && client_graph_fits(g, &calls)) {
		j->tally->graphs++;
		lp_calls_relate(&calls, g, lp_model_class_of(j->model));
		add_pairs(j, g, &calls);
		if (!j->failed)
			add_pairs(j, g, &calls);
	}
	lp_calls_close(&calls);
	return LP_JUDGED_RIGHT;
}

static bool agrees(const struct settings *s, const char *text, enum lp_model model, uint64_t seed,
		   struct tally *tally, bool loud)
{
	struct lp_script *script = lp_script_parse(text, NULL);
	struct judge j = { .model = model, .random = lp_mix(seed), .loud = loud, .tally = tally };
	const struct lp_explore_options options = {
		.model = model, .reduce = { .spin = true, .symmetry = s->symmetry }, .weak_fails = true,
		.callbacks = { .judge = judge_execution, .judge_closure = &j },
		.limits = { .executions = 2000 },
	};
	struct lp_arena arena = { 0 };
	struct lp_exploration e = { 0 };

	if (!script)
		LP_BUG("a generated script does not parse");
	struct lp_program *program = lp_script_open(script);
	lp_explore_graphs(program, &options, &arena, &e);
	lp_script_close(program);
	lp_arena_close(&arena);
	lp_script_drop(script);
	return !j.failed;
}

struct failing {
	const struct settings *settings;
	enum lp_model model;
	uint64_t seed;
};

/* A smaller program has other graphs, and other orders are drawn: several times. */
static bool still_fails(void *closure, const char *text)
{
	const struct failing *f = closure;
	struct tally ignored = { 0 };

	for (uint64_t i = 0; i < 20; i++)
		if (!agrees(f->settings, text, f->model, f->seed + i, &ignored, false))
			return true;
	return false;
}

static void report(const struct settings *s, const char *text, enum lp_model model, uint64_t seed)
{
	struct failing f = { s, model, seed };
	struct tally ignored = { 0 };
	char *small = shrink_script(text, still_fails, &f);

	printf("model %s, seed %llu:\n%s", axiom_model_names[model], (unsigned long long)seed, small);
	for (uint64_t i = 0; i < 20; i++)
		if (!agrees(s, small, model, seed + i, &ignored, true))
			break;
	free(small);
}

static unsigned features_of(const struct settings *s, uint64_t seed)
{
	const unsigned wanted = GENERATE_LOCKS | GENERATE_AWAITS | GENERATE_LOOPS | GENERATE_CHOICES;
	const uint64_t bits = lp_mix(seed ^ UINT64_C(0x2545f491));

	return ((unsigned)(bits & bits >> 8) & wanted) | (s->symmetry ? GENERATE_TWINS : 0);
}

static unsigned run_random(const struct settings *s, enum lp_model model)
{
	struct tally t = { 0 };
	unsigned failures = 0;

	for (uint64_t seed = s->seed; seed < s->seed + s->count && !failures; seed++) {
		char *text = generate_script(seed, features_of(s, seed), 4 + (unsigned)(seed % 6));

		if (model == LP_MODEL_RC11_C20)
			text = generate_again(text, seed);
		if (!agrees(s, text, model, seed, &t, false)) {
			report(s, text, model, seed);
			failures++;
		}
		free(text);
	}
	printf("%s: %llu graphs, %llu orders, %llu possible; %llu where relations are not exact, %llu "
	       "times too wide\n",
	       axiom_model_names[model], (unsigned long long)t.graphs, (unsigned long long)t.orders,
	       (unsigned long long)t.possible, (unsigned long long)t.inexact,
	       (unsigned long long)t.narrowed);
	/* Agreement on nothing is none. */
	return failures + (!t.possible || t.possible == t.orders);
}

static unsigned run_file(const struct settings *s, enum lp_model model)
{
	struct { LP_VEC(char); } text = { 0 };
	struct failing f = { s, model, s->seed };
	FILE *in = fopen(s->file, "r");

	if (!in) {
		fprintf(stderr, "cannot open '%s'\n", s->file);
		return 1;
	}
	for (int ch; (ch = fgetc(in)) != EOF;)
		LP_PUSH(&text, (char)ch);
	LP_PUSH(&text, 0);
	fclose(in);
	const bool fails = still_fails(&f, text.at);
	printf("%s: %s: %s\n", s->file, axiom_model_names[model], fails ? "different" : "same");
	lp_free(text.at);
	return fails;
}

static bool parse_options(int argc, char **argv, struct settings *s)
{
	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : NULL;

		if (!strcmp(argv[i], "--symmetry"))
			s->symmetry = true;
		else if (!value)
			return false;
		else if (!strcmp(argv[i], "--count"))
			s->count = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--seed"))
			s->seed = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--file"))
			s->file = argv[++i];
		else if (!strcmp(argv[i], "--model")) {
			i++;
			for (int m = 0; m < AXIOM_MODELS; m++)
				s->model = strcmp(axiom_model_names[m], value) ? s->model : m;
		} else
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct settings s = { .model = -1, .count = 500, .seed = 1 };
	unsigned failures = 0;

	if (!parse_options(argc, argv, &s)) {
		fprintf(stderr, "usage: calls_test [--model sc|tso|ra|rc11|rc11-c20] [--count N] [--seed S]\n"
				"                  [--symmetry] [--file SCRIPT]\n");
		return 2;
	}
	for (int m = 0; m < AXIOM_MODELS; m++)
		if (s.model < 0 || s.model == m)
			failures += s.file ? run_file(&s, (enum lp_model)m) : run_random(&s, (enum lp_model)m);
	return failures != 0;
}
