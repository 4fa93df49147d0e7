/* mixed.c -- comparing explorations with the naive judge; see mixed.h. */
#include "mixed.h"

#include "collect.h"
#include "naive.h"

#include "base/error.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reductions, as bits. */
enum {
	SPIN = 1,
	SYMMETRY = 2,
	HELPING = 4,
	ATTEMPTS = 8,
	TAIL = 16,
	IDLE = 32,
	VAIN = 64,
	ALL = 127,
	AS_RUN = SPIN | SYMMETRY | HELPING | ATTEMPTS | TAIL,
	NEED_SPIN = HELPING | ATTEMPTS | VAIN,
};

enum { RANDOM_SETS = 2, STEPS = 60, EXECUTIONS = 20000 };

struct subject {
	const struct mixed_options *options;
	struct lp_script *script;
	struct naive_result naive;
	bool alike, loops, rewrites;
	bool loud;
};

static const char *const names[MIXED_REDUCTIONS] = { "spin", "symmetry", "helping", "attempts",
				     "tail", "idle", "vain" };

unsigned mixed_reduction(const char *name)
{
	for (unsigned i = 0; i < MIXED_REDUCTIONS; i++)
		if (!strcmp(names[i], name))
			return 1u << i;
	return 0;
}

const char *mixed_reduction_name(unsigned i)
{
	return names[i];
}

static void name_reductions(unsigned set, char *out, size_t size)
{
	size_t used = (size_t)snprintf(out, size, "with");

	for (unsigned i = 0; i < MIXED_REDUCTIONS; i++)
		if (set >> i & 1 && used < size)
			used += (size_t)snprintf(out + used, size - used, " %s", names[i]);
	if (!set)
		snprintf(out + used, size - used, "out reductions");
}

/* Leaving executions out is no difference if a reduction does that, the one for what is written
 * again (retry.h) included, which comes with `spin`. */
static bool keeps_graphs(const struct subject *s, unsigned set)
{
	return (set == SPIN && !s->rewrites) || !set;
}

static bool is_undefined(const struct naive_result *n)
{
	return n->race || n->misuse;
}

static bool is_wrong(const struct naive_result *n)
{
	return is_undefined(n) || n->assertion || n->stuck || n->out_of_bounds;
}

static bool knows(const struct naive_result *n, const char *kind)
{
	return is_undefined(n) || (!strcmp(kind, "assertion") && n->assertion) ||
	       (!strcmp(kind, "out of bounds") && n->out_of_bounds) ||
	       ((!strcmp(kind, "deadlock") || !strcmp(kind, "liveness")) && n->stuck);
}

static bool sets_agree(const struct subject *s, unsigned set, const struct lp_exploration *e,
		       struct collector *c)
{
	struct graph_set outcomes = { 0 };
	bool same = true;

	for (uint32_t i = 0; i < e->outcome_count; i++)
		LP_PUSH(&outcomes, lp_strdup(e->outcomes[i].text));
	graph_set_sort(&outcomes);
	/* Outcomes name threads, and are not there if the end of main() is not performed.  And
	 * idle operations that are taken for reads may make more of them (idle.h). */
	if (set & TAIL || (set & SYMMETRY && s->alike))
		;
	else if (set & IDLE)
		same = compare_sets(&outcomes, &s->naive.outcomes, true, s->loud);
	else
		same = compare_sets(&s->naive.outcomes, &outcomes, false, s->loud);
	if (keeps_graphs(s, set)) {
		if (graph_set_sort(&c->graphs) && describes_all(s->script, false)) {
			say(s->loud, "graphs visited more than once", "");
			same = false;
		}
		/* An exploration that began anew may keep redundant iterations (omitted.h). */
		same &= c->again ? compare_sets(&c->graphs, &s->naive.graphs, true, s->loud)
				 : compare_sets(&s->naive.graphs, &c->graphs, false, s->loud);
	}
	graph_set_drop(&outcomes);
	return same;
}

static enum mixed_answer judge(const struct subject *s, unsigned set, const struct lp_exploration *e,
			       struct collector *c)
{
	if (e->verdict == LP_INCONCLUSIVE || (e->kind && !strcmp(e->kind, "endless loop")))
		return MIXED_TOO_LARGE;
	if (e->verdict == LP_VIOLATION && !knows(&s->naive, e->kind)) {
		say(s->loud, "no such violation: ", e->kind);
		return MIXED_DIFFERENT;
	}
	if (e->verdict == LP_VERIFIED && is_wrong(&s->naive)) {
		say(s->loud, "a violation was missed: ",
		    s->naive.race ? "race" : s->naive.misuse ? "use after free" :
		    s->naive.assertion ? "assertion" : s->naive.stuck ? "deadlock or liveness" :
		    "out of bounds");
		return MIXED_DIFFERENT;
	}
	return e->verdict == LP_VIOLATION || sets_agree(s, set, e, c) ? MIXED_SAME : MIXED_DIFFERENT;
}

static void explore(const struct subject *s, unsigned set, struct collector *c, struct lp_arena *arena,
		    struct lp_exploration *e)
{
	struct lp_program *program = lp_script_open(s->script);
	const struct lp_explore_options options = {
		.model = s->options->model, .weak_fails = true, .preemptions = -1,
		.spin = set & SPIN, .symmetry = set & SYMMETRY, .helping = set & HELPING,
		.attempts = set & ATTEMPTS, .tail = set & TAIL, .idle = set & IDLE, .vain = set & VAIN,
		.limits = { .steps = STEPS, .executions = EXECUTIONS },
		.closure = c, .begun_anew = collect_again,
		.complete = keeps_graphs(s, set) ? collect : NULL,
	};

	lp_explore_graphs(program, &options, arena, e);
	lp_script_close(program);
}

static enum mixed_answer explore_with(const struct subject *s, unsigned set, struct mixed_tally *tally)
{
	struct collector c = { .script = s->script };
	struct lp_arena arena = { 0 };
	struct lp_exploration e = { 0 };
	char name[80];

	explore(s, set, &c, &arena, &e);
	tally->explorations++;
	const enum mixed_answer answer = judge(s, set, &e, &c);
	if (s->loud && answer == MIXED_DIFFERENT) {
		name_reductions(set, name, sizeof name);
		say(true, "  ", name);
	}
	collector_drop(&c);
	lp_arena_close(&arena);
	return answer;
}

/* How much the exploration took. */
static uint64_t effort(const struct subject *s, unsigned set)
{
	struct collector c = { .script = s->script };
	struct lp_arena arena = { 0 };
	struct lp_exploration e = { 0 };

	explore(s, set, &c, &arena, &e);
	const uint64_t much = e.executions * 1000000 + e.blocked * 1000 + e.abandoned;
	collector_drop(&c);
	lp_arena_close(&arena);
	return much;
}

static void note_what_mattered(const struct subject *s, struct mixed_tally *tally)
{
	const uint64_t most = effort(s, ALL);

	for (unsigned i = 0; i < MIXED_REDUCTIONS; i++) {
		const unsigned rest = ALL & ~(1u << i);
		if (rest & SPIN)
			tally->mattered[i] += effort(s, rest) != most;
		else if (!s->loops)
			tally->mattered[i] += effort(s, rest & ~(unsigned)NEED_SPIN) != most;
	}
}

/* A random set that makes sense; without `spin` loops might not end. */
static unsigned random_set(const struct subject *s, uint64_t bits)
{
	unsigned set = (unsigned)bits & ALL;

	if (s->loops || bits >> 8 & 1)
		set |= SPIN;
	return set & SPIN ? set : set & ~(unsigned)NEED_SPIN;
}

static void look_at(struct subject *s)
{
	for (uint32_t b = 0; b < s->script->blocks.count; b++) {
		s->alike |= b > 1 && lp_script_alike(s->script, b - 1, b);
		for (uint32_t i = 0; i < s->script->blocks.at[b].count; i++) {
			const struct lp_script_line *line = &s->script->blocks.at[b].at[i];
			s->loops |= line->loop;
			s->rewrites |= line->loop && (line->kind == LP_LINE_STORE || line->kind == LP_LINE_PSTORE);
		}
	}
}

static enum mixed_answer explore_all(const struct subject *s, struct mixed_tally *tally)
{
	unsigned sets[3 + RANDOM_SETS] = { SPIN, AS_RUN, ALL };
	enum mixed_answer answer = MIXED_SAME;

	for (unsigned i = 0; i < RANDOM_SETS; i++)
		sets[3 + i] = random_set(s, lp_mix(s->options->seed * RANDOM_SETS + i + 77) >> 11);
	for (unsigned i = 0; i < 3 + RANDOM_SETS && answer == MIXED_SAME; i++)
		answer = explore_with(s, sets[i] & ~s->options->without, tally);
	return answer;
}

/* All sets that make sense.  Of those that fail, says which have no smaller one. */
static enum mixed_answer explore_every(struct subject *s, struct mixed_tally *tally)
{
	enum mixed_answer answer = MIXED_SAME;
	bool failed[ALL + 1] = { false };
	const bool loud = s->loud;

	for (unsigned set = 0; set <= ALL; set++) {
		bool smaller = false;

		if ((!(set & SPIN) && (s->loops || set & NEED_SPIN)) || set & s->options->without)
			continue;
		for (unsigned other = 0; other < set; other++)
			smaller |= failed[other] && !(other & ~set);
		s->loud = loud && !smaller;
		const enum mixed_answer now = explore_with(s, set, tally);
		failed[set] = now == MIXED_DIFFERENT;
		if (failed[set] || answer == MIXED_SAME)
			answer = now;
	}
	return answer;
}

/* A redundant iteration may race all the same, so for races one a thread is kept; not for the
 * graphs. */
static void judge_naively(struct subject *s)
{
	struct naive_options options = { .model = s->options->model, .spin = true, .weak_fails = true,
					 .judge = true, .patience = s->loops };

	naive_enumerate(s->script, &options, &s->naive);
	if (!s->loops || is_undefined(&s->naive) || s->naive.ill_formed || s->naive.too_large)
		return;
	options.patience = 0;
	naive_result_drop(&s->naive);
	naive_enumerate(s->script, &options, &s->naive);
}

enum mixed_answer mixed_compare(const char *text, const struct mixed_options *mixed,
				struct mixed_tally *tally)
{
	struct subject s = { .options = mixed, .script = lp_script_parse(text, NULL), .loud = mixed->loud };
	enum mixed_answer answer;

	if (!s.script)
		LP_BUG("a generated script does not parse");
	look_at(&s);
	judge_naively(&s);
	if (s.naive.ill_formed)
		answer = MIXED_ILL_FORMED;
	else if (s.naive.too_large)
		answer = MIXED_TOO_LARGE;
	else
		answer = mixed->seed == MIXED_EVERY ? explore_every(&s, tally) : explore_all(&s, tally);
	tally->ill_formed += answer == MIXED_ILL_FORMED;
	tally->too_large += answer == MIXED_TOO_LARGE;
	if (answer <= MIXED_DIFFERENT) {
		tally->programs++;
		tally->wrong += is_wrong(&s.naive);
		tally->undefined += is_undefined(&s.naive);
		tally->graphs += s.naive.graphs.count;
		if (mixed->seed % 8 == 0)
			note_what_mattered(&s, tally);
	}
	naive_result_drop(&s.naive);
	lp_script_drop(s.script);
	return answer;
}
