/* judge.c -- comparing explorations; see judge.h. */
#include "judge.h"

#include "naive.h"
#include "observe.h"
#include "switch.h"

#include "base/alloc.h"
#include "base/error.h"
#include "explore/parallel/team.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 2, KEPT_ROUNDS = 2, MORE_ROUNDS = 5, STEPS = 80, EXECUTIONS = 400, BLOCKED = 2000, STATES = 1500, PATIENCE = 4 };

struct subject {
	const struct judge_options *options;
	struct judge_tally *tally;
	struct lp_script *script;
	struct view view;
	struct naive_result naive;
	bool loops, alike, loud, naive_known;
	bool bounded; /* explore within options->bound */
	struct {
		bool known, unknown;
		uint32_t stuck; /* naive.h */
	} forever;              /* which threads may spin forever, though no iteration is redundant with `spin` alone */
};

/* One exploration, and what was seen in it. */
struct run {
	struct lp_arena arena;
	struct lp_exploration e;
	struct observer seen;
	bool cut; /* loops were bounded, though they need not have been with redundant iterations left out */
};

static bool is_exact(unsigned set)
{
	for (unsigned i = 0; i < LP_REDUCTIONS; i++)
		if (set >> i & 1 && lp_reduction_is_doubtful(i))
			return false;
	return true;
}

/* ---- exploring ---- */

/* An exploration by several ranks; rank 0 has the result. */
struct ranked {
	struct lp_program *program;
	struct lp_explore_options options;
	struct run *run;
	struct lp_exploration e; /* without what it points to */
	uint32_t restarts;
};

static int explore_with_others(struct lp_ranks *ranks, void *closure)
{
	struct ranked **all = closure, *a = *all;
	struct lp_exploration e = { 0 };

	a->options.team = lp_team_open(ranks, 0);
	lp_explore_graphs(a->program, &a->options, &a->run->arena, &e);
	if (!lp_ranks_self(ranks)) {
		a->e = (struct lp_exploration){ .verdict = e.verdict, .kind = e.kind, .executions = e.executions,
						.blocked = e.blocked, .abandoned = e.abandoned };
		a->restarts = a->run->seen.restarts;
	}
	lp_team_close(a->options.team);
	return 0;
}

static void explore_ranked(const struct subject *s, struct lp_program *program, const struct lp_explore_options *options, struct run *r)
{
	struct ranked *all = lp_try_alloc_pages(sizeof *all, true);
	int status[16];

	LP_HOLDS(all && s->options->ranks <= 16);
	*all = (struct ranked){ .program = program, .options = *options, .run = r, .e = { .verdict = LP_INCONCLUSIVE } };
	switch_run(&(struct switch_options){ .ranks = s->options->ranks, .hosts = s->options->ranks, .seed = s->tally->explorations,
					     .delay_us = (unsigned)(s->tally->explorations % 3) * 300 },
		   explore_with_others, &all, 60, status);
	for (uint32_t i = 0; i < s->options->ranks; i++)
		if (status[i])
			LP_BUG("rank %u of %u ended with status %x", i, s->options->ranks, (unsigned)status[i]);
	r->e = all->e;
	r->seen.restarts = all->restarts;
	lp_free_pages(all, sizeof *all);
}

static void run(const struct subject *s, unsigned set, uint32_t rounds, struct run *r)
{
	const uint64_t patience = s->options->patient ? PATIENCE : 1;

	*r = (struct run){ .seen = { .view = &s->view } };
	struct lp_program *program = lp_script_open(s->script);
	struct lp_explore_options options = {
		.model = s->options->model, .weak_fails = true,
		.races_ignored = s->options->races_ignored,
		.limits = { .steps = STEPS, .executions = EXECUTIONS * patience, .blocked = BLOCKED * patience },
		.callbacks = { .closure = &r->seen, .restarted = observe_again, .judge = observe, .judge_closure = &r->seen },
	};

#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) options.reduce.field = set & USE_##field;
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	r->seen.program = program;
	const struct judge_bound *b = &s->options->bound;
	const bool loops = s->bounded && b->by == JUDGE_LOOPS;
	lp_script_bound(program, loops ? 0 : rounds);
	if (s->bounded) {
		options.limits.unroll = loops ? 1 + b->most : 0;
		options.bounds.preemptions = b->by == JUDGE_PREEMPTIONS ? 1 + b->most : 0;
		options.bounds.delays = b->by == JUDGE_DELAYS ? 1 + b->most : 0;
		options.bounds.rounds = b->by == JUDGE_ROUNDS ? 1 + b->most : 0;
	}
	options.jobs = set && s->options->jobs ? s->options->jobs : 1;
	const bool ranked = set && s->options->ranks > 1, shared = ranked || options.jobs > 1;
	if (shared)
		observer_share(&r->seen);
	if (s->bounded && !loops)
		lp_explore_bounded(program, &options, &r->arena, &r->e);
	else if (ranked)
		explore_ranked(s, program, &options, r);
	else
		lp_explore_graphs(program, &options, &r->arena, &r->e);
	if (shared && !observer_gather(&r->seen) && r->e.verdict == LP_VERIFIED)
		r->e.verdict = LP_INCONCLUSIVE;
	lp_script_close(program);
	s->tally->explorations++;
	s->tally->restarts += r->seen.restarts;
}

static void drop(struct run *r)
{
	observer_drop(&r->seen);
	lp_arena_close(&r->arena);
}

static bool is_endless(const struct run *r)
{
	return r->e.kind == LP_ERROR_ENDLESS;
}

static bool is_too_large(const struct run *r)
{
	return r->e.verdict == LP_INCONCLUSIVE || is_endless(r);
}

/* Loops end because iterations are redundant; if they do not, they are bounded. */
static void run_to_the_end(const struct subject *s, unsigned set, struct run *r)
{
	run(s, set, set & USE_spin ? 0 : ROUNDS, r);
	if (set & USE_spin && s->loops && is_too_large(r)) {
		drop(r);
		run(s, set, ROUNDS, r);
		r->cut = true;
	}
}

/* The exploration has recognised fewer threads that spin forever than it should.  Perhaps it keeps iterations, and the bound stops
 * threads before they come to those that it leaves out (judge.h): explores again with a higher bound. */
static void run_with_kept(const struct subject *s, unsigned set, struct run *r)
{
	LP_HOLDS(set & USE_spin && r->seen.restarts && !is_too_large(r));
	drop(r);
	run(s, set, ROUNDS + KEPT_ROUNDS, r);
	r->cut = true;
}

/* ---- differences ---- */

__attribute__((format(printf, 2, 3)))
static void say(const struct subject *s, const char *format, ...)
{
	va_list args;

	if (!s->loud)
		return;
	va_start(args, format);
	printf("# ");
	vprintf(format, args);
	va_end(args);
}

static void say_observation(const struct subject *s, const char *what, const struct observation *o)
{
	if (!s->loud)
		return;
	printf("# %s:", what);
	print_observation(stdout, &s->view, o);
}

static bool is_undefined(const struct naive_result *n)
{
	return n->race || n->misuse;
}

static bool knows(const struct naive_result *n, enum lp_error_kind kind)
{
	return n->too_large || is_undefined(n) || (kind == LP_ERROR_ASSERTION && n->assertion) ||
	       (kind == LP_ERROR_OUT_OF_BOUNDS && n->out_of_bounds);
}

static bool has_error(const struct naive_result *n)
{
	return is_undefined(n) || n->assertion || n->out_of_bounds;
}

static uint32_t most_states(const struct subject *s)
{
	return STATES * (s->options->patient ? PATIENCE : 1);
}

static void enumerate(struct subject *s, bool spin, uint32_t rounds)
{
	const struct naive_options options = { .model = s->options->model, .spin = spin, .rounds = rounds,
					       .weak_fails = true, .judge = true,
					       .max_states = most_states(s) };

	if (s->naive_known)
		naive_result_drop(&s->naive);
	naive_enumerate(s->script, &options, &s->naive);
	s->naive_known = true;
	s->tally->naive++;
}

static void say_similar(const struct subject *s, const struct run *r, const struct observation *o, bool without_main)
{
	for (uint32_t i = 0; i < r->seen.seen.count; i++)
		if (has_same_results(&r->seen.seen.at[i], o, without_main))
			say_observation(s, "there is", &r->seen.seen.at[i]);
}

static bool is_lost(const struct subject *s, const struct run *r, const struct observation *o, bool without_main)
{
	if (is_covered(&s->view, &r->seen.seen, o, without_main))
		return false;
	say_observation(s, "not covered", o);
	say_similar(s, r, o, without_main);
	return true;
}

static void find_forever(struct subject *s)
{
	const struct naive_options options = { .model = s->options->model, .spin = true, .rounds = ROUNDS + 1,
					       .cut_spins = true, .weak_fails = true, .judge = true,
					       .max_states = most_states(s) };
	struct naive_result naive;

	naive_enumerate(s->script, &options, &naive);
	s->forever.known = true;
	s->forever.unknown = naive.too_large || naive.ill_formed || is_undefined(&naive);
	s->forever.stuck = naive.stuck_with;
	naive_result_drop(&naive);
	s->tally->naive++;
	s->tally->forever++;
	s->tally->unknown += s->forever.unknown;
}

/* Can threads spin forever where the others end as in the observation?  (With other names, perhaps.) */
static bool may_go_on_forever(struct subject *s, const struct observation *o)
{
	if (s->options->races_ignored)
		return true;
	if (!s->forever.known)
		find_forever(s);
	bool may = s->forever.unknown;
	for (uint32_t ended = 0; ended < 32 && !may; ended += 2)
		may = s->forever.stuck & naive_stuck_bit(ended) &&
		      (s->view.fold ? __builtin_popcount(ended) == __builtin_popcount(o->ended & 30)
				    : ended == (o->ended & 30));
	return may;
}

/* Are threads that spin forever missing from the observations, though they are there with redundant iterations only? */
static bool misses_stuck(const struct subject *s, const struct run *spinning, const struct run *r, unsigned set)
{
	for (uint32_t i = 0; i < spinning->seen.seen.count; i++) {
		const struct observation *o = &spinning->seen.seen.at[i];
		if (o->stuck && !is_covered(&s->view, &r->seen.seen, o, set & USE_final_joins))
			return true;
	}
	return false;
}

/* Conditions 1 and 2.  `spinning` is where to find threads that spin forever; NULL if there are none. */
static bool observations_agree(struct subject *s, const struct run *f, const struct run *spinning,
			       const struct run *r, unsigned set)
{
	const bool without_main = set & USE_final_joins;
	bool agree = true;

	for (uint32_t i = 0; i < f->seen.seen.count; i++)
		agree &= !is_lost(s, r, &f->seen.seen.at[i], without_main);
	for (uint32_t i = 0; spinning && i < spinning->seen.seen.count; i++)
		if (spinning->seen.seen.at[i].stuck)
			agree &= !is_lost(s, r, &spinning->seen.seen.at[i], without_main);
	for (uint32_t i = 0; is_exact(set) && i < r->seen.seen.count; i++) {
		const struct observation *o = &r->seen.seen.at[i];
		if (o->deep || (spinning && is_covered(&s->view, &spinning->seen.seen, o, without_main)) ||
		    is_covered_in_parts(&s->view, &f->seen.seen, o, without_main))
			continue;
		/* What goes on forever otherwise may be recognised by the set. */
		if (o->stuck && spinning && spinning->cut && may_go_on_forever(s, o))
			continue;
		say_observation(s, "invented", o);
		say_similar(s, f, o, without_main);
		agree = false;
	}
	return agree;
}

/* R has an error, and F, with its bound, has none: perhaps that is too low. */
static enum judged judge_deeper(const struct subject *s, const struct run *r)
{
	struct run deeper;
	enum judged answer = JUDGED_RIGHT;

	run(s, 0, s->loops ? MORE_ROUNDS : ROUNDS, &deeper);
	if (is_too_large(&deeper)) {
		answer = JUDGED_TOO_LARGE;
	} else if (deeper.e.verdict != LP_VIOLATION) {
		say(s, "no such error: %s\n", lp_error_name(r->e.kind));
		answer = JUDGED_WRONG;
	}
	drop(&deeper);
	return answer;
}

/* Condition 5, of those of the set that leave complete executions as they are. */
static enum judged judge_counts(const struct subject *s, unsigned set)
{
	const unsigned with = set & (USE_spin | USE_park | USE_symmetry | USE_attempts | USE_stale);
	enum judged answer = JUDGED_RIGHT;
	struct run all, parked;

	run(s, with & ~USE_park, 0, &all);
	run(s, with, 0, &parked);
	if (all.e.verdict == LP_VERIFIED && parked.e.verdict == LP_VERIFIED && !all.seen.restarts && !parked.seen.restarts &&
	    all.seen.complete != parked.seen.complete) {
		say(s, "%llu executions with threads parked, and not %llu\n", (unsigned long long)parked.seen.complete,
		    (unsigned long long)all.seen.complete);
		answer = JUDGED_WRONG;
	}
	drop(&all);
	drop(&parked);
	return answer;
}

/* Condition 6. */
static bool stale_is_exact(const struct subject *s, const struct run *r, unsigned set)
{
	struct run without;

	if (!(set & USE_stale) || set & USE_twins || r->cut)
		return true;
	run(s, set & ~(unsigned)USE_stale, 0, &without);
	/* What its trials might have raced with may make the exploration careful (omitted_races.h): then iterations are kept. */
	const bool careful = r->seen.restarts > without.seen.restarts && r->seen.complete > without.seen.complete;
	const bool exact = is_too_large(&without) || without.e.verdict == LP_VIOLATION || careful ||
			   without.seen.complete == r->seen.complete;
	if (!exact)
		say(s, "complete: %llu, and %llu without stale\n", (unsigned long long)r->seen.complete,
		    (unsigned long long)without.seen.complete);
	drop(&without);
	return exact;
}

/* Conditions 1 to 3, and 6, for one set of reductions. */
static enum judged judge_set(struct subject *s, const struct run *f, const struct run *spinning, unsigned set)
{
	enum judged answer = JUDGED_RIGHT;
	struct run r;

	s->view.fold = set & USE_symmetry && s->alike;
	run_to_the_end(s, set, &r);
	if (spinning && r.cut && r.seen.restarts && r.e.verdict == LP_VERIFIED && misses_stuck(s, spinning, &r, set))
		run_with_kept(s, set, &r);
	if (is_too_large(&r)) {
		say(s, "with reductions: %s\n", r.e.reason ? r.e.reason : lp_error_name(r.e.kind));
		answer = JUDGED_TOO_LARGE;
	} else if (f->e.verdict == LP_VIOLATION) {
		if (r.e.verdict != LP_VIOLATION) {
			say(s, "an error was missed: %s\n", lp_error_name(f->e.kind));
			answer = JUDGED_WRONG;
		} else if (s->naive_known && !knows(&s->naive, r.e.kind)) {
			say(s, "no execution has an error of kind %s\n", lp_error_name(r.e.kind));
			answer = JUDGED_WRONG;
		}
	} else if (r.e.verdict == LP_VIOLATION) {
		answer = judge_deeper(s, &r);
	} else if (!observations_agree(s, f, spinning, &r, set) || !stale_is_exact(s, &r, set)) {
		answer = JUDGED_WRONG;
	}
	s->tally->observations += r.seen.seen.count;
	drop(&r);
	return answer;
}

/* The set needs another F, or exploration with redundant iterations, if observations are folded. */
static enum judged judge_sets(struct subject *s, const struct run *full, unsigned *failed)
{
	struct run f[2] = { *full }, spinning[2];
	bool known[2] = { false, false }, counted = !s->loops;
	enum judged answer = JUDGED_RIGHT;

	for (unsigned i = 0; i < s->options->count && answer == JUDGED_RIGHT; i++) {
		const unsigned set = s->options->sets[i];
		const bool folded = set & USE_symmetry && s->alike;

		if (!known[folded]) {
			s->view.fold = folded;
			if (folded)
				run(s, 0, ROUNDS, &f[folded]);
			run_to_the_end(s, s->loops ? USE_spin : 0, &spinning[folded]);
			known[folded] = true;
		}
		if (s->loops && set & USE_spin && is_too_large(&spinning[folded])) {
			answer = JUDGED_TOO_LARGE; /* threads that spin forever cannot be compared */
			break;
		}
		const bool spins = s->loops && set & USE_spin && spinning[folded].e.verdict == LP_VERIFIED;
		answer = judge_set(s, &f[folded], spins ? &spinning[folded] : NULL, set);
		if (answer == JUDGED_RIGHT && set & USE_park && !counted) {
			counted = true;
			answer = judge_counts(s, set);
		}
		if (answer == JUDGED_WRONG)
			*failed = set;
	}
	for (unsigned i = 0; i < 2; i++)
		if (known[i]) {
			if (i)
				drop(&f[i]);
			drop(&spinning[i]);
		}
	return answer;
}

/* ---- the exploration without reductions ---- */

static bool has_stuck(const struct run *r)
{
	for (uint32_t i = 0; i < r->seen.seen.count; i++)
		if (r->seen.seen.at[i].stuck)
			return true;
	return false;
}

/* Threads that wait or spin forever: the exploration with redundant iterations left out says so, and the
 * naive enumerator, which does not know of all iterations that are redundant (overwritten_iterations.h). */
static enum judged judge_stuck(struct subject *s)
{
	enum judged answer = JUDGED_RIGHT;
	struct run r;

	run(s, USE_spin, ROUNDS, &r);
	enumerate(s, true, ROUNDS);
	if (r.e.verdict == LP_VERIFIED && r.seen.restarts && s->naive.stuck && !has_stuck(&r))
		run_with_kept(s, USE_spin, &r);
	if (is_too_large(&r) || s->naive.too_large) {
		answer = s->options->patient ? JUDGED_RIGHT : JUDGED_TOO_LARGE;
	} else if (r.e.verdict == LP_VERIFIED && has_stuck(&r) != s->naive.stuck && !(has_stuck(&r) && s->naive.cut)) {
		say(s, "that threads are stuck is %s\n", s->naive.stuck ? "missed" : "invented");
		answer = JUDGED_WRONG;
	}
	drop(&r);
	return answer;
}

/* Condition 4. */
static enum judged judge_full(struct subject *s, const struct run *f)
{
	if (!s->naive_known)
		enumerate(s, false, ROUNDS);
	if (s->naive.ill_formed)
		return JUDGED_ILL_FORMED;
	if (s->naive.too_large) /* what was written by hand is compared all the same */
		return s->options->patient ? JUDGED_RIGHT : JUDGED_TOO_LARGE;
	if (has_error(&s->naive) != (f->e.verdict == LP_VIOLATION)) {
		say(s, "without reductions: %s %s\n", f->e.verdict == LP_VIOLATION ? "there is no" : "missed: ",
		    f->e.kind ? lp_error_name(f->e.kind) : "an error");
		return JUDGED_WRONG;
	}
	if (f->e.verdict == LP_VERIFIED && describes_all(s->script, false) &&
	    f->seen.complete != s->naive.graphs.count) {
		say(s, "without reductions: %llu executions, and not %u\n", (unsigned long long)f->seen.complete,
		    s->naive.graphs.count);
		return JUDGED_WRONG;
	}
	return f->e.verdict == LP_VERIFIED ? judge_stuck(s) : JUDGED_RIGHT;
}

/* How much there was to do, main()'s end included. */
static uint64_t effort(const struct run *r)
{
	uint64_t much = r->e.executions * 1000000 + r->e.blocked * 1000 + r->e.abandoned + (uint64_t)r->seen.restarts * 1000000000;

	for (uint32_t i = 0; i < r->seen.seen.count; i++)
		much += r->seen.seen.at[i].ended & 1 ? 500 : 0;
	return much;
}

/* Which reductions make a difference, each alone (with `spin`, if it needs that, or if there are loops)? */
static void find_what_applies(const struct subject *s)
{
	struct run without, with;

	for (unsigned i = 0; i < LP_REDUCTIONS; i++) {
		const unsigned base = 1u << i != USE_spin && (s->loops || lp_reduction_needs_spin(i)) ? USE_spin : 0;

		run(s, base, base ? 0 : ROUNDS, &without);
		run(s, base | 1u << i, base ? 0 : ROUNDS, &with);
		s->tally->applied[i] += effort(&with) != effort(&without);
		drop(&without);
		drop(&with);
	}
	s->tally->sampled++;
}

/* ---- within a bound ---- */

static uint64_t graphs_of(const struct run *r)
{
	return r->e.executions + r->e.blocked + r->e.abandoned;
}

/* Condition 8.  Where an exploration has restarted, what it relies on is not the same in both; and some reductions (park, stale, twins)
 * apply only after something was seen, which may be later within a bound. */
static bool is_cheap(struct subject *s, const struct run *r, unsigned set)
{
	struct run all;

	if (s->options->bound.by == JUDGE_LOOPS)
		return true;
	s->bounded = false;
	run_to_the_end(s, set, &all);
	s->bounded = true;
	const bool cheap = all.e.verdict != LP_VERIFIED || all.seen.restarts || r->seen.restarts || all.cut != r->cut ||
			   graphs_of(r) <= graphs_of(&all) + graphs_of(&all) / 8 + 2;
	if (!cheap)
		say(s, "%llu graphs within the bound, and %llu without it\n", (unsigned long long)graphs_of(r),
		    (unsigned long long)graphs_of(&all));
	drop(&all);
	return cheap;
}

/* Errors that are reported wherever they are met, also beyond a bound on schedules. */
static bool is_met_anywhere(const struct subject *s, enum lp_error_kind kind)
{
	if (s->options->bound.by == JUDGE_LOOPS)
		return false;
	return kind == LP_ERROR_RACE || kind == LP_ERROR_USE_AFTER_FREE || kind == LP_ERROR_DOUBLE_FREE || kind == LP_ERROR_INVALID_FREE ||
	       kind == LP_ERROR_OUT_OF_BOUNDS || kind == LP_ERROR_UNINITIALISED;
}

/* Conditions 7 and 8, for one set of reductions. */
static enum judged judge_bounded_set(struct subject *s, unsigned set)
{
	struct run f, r;
	enum judged answer = JUDGED_RIGHT;

	s->view.fold = set & USE_symmetry && s->alike;
	run(s, 0, ROUNDS, &f);
	run_to_the_end(s, set, &r);
	if (is_too_large(&f) || is_too_large(&r)) {
		answer = JUDGED_TOO_LARGE;
	} else if (f.e.verdict == LP_VIOLATION) {
		if (r.e.verdict != LP_VIOLATION && !is_met_anywhere(s, f.e.kind)) {
			say(s, "an error within the bound was missed: %s\n", lp_error_name(f.e.kind));
			answer = JUDGED_WRONG;
		}
	} else if (r.e.verdict == LP_VERIFIED) {
		for (uint32_t i = 0; i < f.seen.seen.count; i++)
			if (is_lost(s, &r, &f.seen.seen.at[i], set & USE_final_joins))
				answer = JUDGED_WRONG;
		if (!is_cheap(s, &r, set))
			answer = JUDGED_WRONG;
	}
	s->tally->observations += f.seen.seen.count;
	drop(&f);
	drop(&r);
	return answer;
}

static enum judged judge_bounded(struct subject *s, unsigned *failed)
{
	enum judged answer = JUDGED_RIGHT;

	s->bounded = true;
	for (unsigned i = 0; i < s->options->count && answer == JUDGED_RIGHT; i++) {
		*failed = s->options->sets[i];
		answer = judge_bounded_set(s, *failed);
	}
	s->tally->programs += answer <= JUDGED_WRONG;
	s->tally->too_large += answer == JUDGED_TOO_LARGE;
	return answer;
}

static void look_at(struct subject *s)
{
	for (uint32_t b = 0; b < s->script->blocks.count; b++) {
		s->alike |= b > 1 && lp_script_alike(s->script, b - 1, b);
		for (uint32_t i = 0; i < s->script->blocks.at[b].count; i++)
			s->loops |= s->script->blocks.at[b].at[i].loop;
	}
}

static enum judged judge_all(struct subject *s, unsigned *failed)
{
	enum judged answer;
	struct run f;

	run(s, 0, ROUNDS, &f);
	if (f.e.kind == LP_ERROR_UNSUPPORTED) {
		answer = JUDGED_ILL_FORMED;
	} else if (is_too_large(&f)) {
		say(s, "without reductions: %s\n", f.e.reason ? f.e.reason : lp_error_name(f.e.kind));
		answer = JUDGED_TOO_LARGE;
	} else {
		const bool compare = s->options->naive || f.e.verdict == LP_VIOLATION;

		answer = compare && !s->options->races_ignored ? judge_full(s, &f) : JUDGED_RIGHT;
		if (answer == JUDGED_WRONG)
			*failed = 0;
		else if (answer == JUDGED_RIGHT)
			answer = judge_sets(s, &f, failed);
	}
	if (answer <= JUDGED_WRONG) {
		s->tally->programs++;
		s->tally->executions += f.seen.complete;
		s->tally->errors += f.e.verdict == LP_VIOLATION;
		s->tally->undefined += f.e.verdict == LP_VIOLATION && is_undefined(&s->naive);
		if (s->options->sample && f.e.verdict == LP_VERIFIED)
			find_what_applies(s);
	}
	s->tally->too_large += answer == JUDGED_TOO_LARGE;
	s->tally->ill_formed += answer == JUDGED_ILL_FORMED;
	drop(&f);
	return answer;
}

enum judged judge(const char *text, const struct judge_options *options, struct judge_tally *tally, unsigned *failed)
{
	struct lp_error error = { 0 };
	struct subject s = { .options = options, .tally = tally, .script = lp_script_parse(text, &error),
			     .loud = options->loud };
	enum judged answer = JUDGED_TOO_LARGE;

	if (!s.script)
		LP_BUG("not a script: %s", error.text);
	look_at(&s);
	if (view_open(&s.view, s.script, options->model, ROUNDS))
		answer = options->bound.by ? judge_bounded(&s, failed) : judge_all(&s, failed);
	else
		tally->too_large++;
	if (s.naive_known)
		naive_result_drop(&s.naive);
	lp_script_drop(s.script);
	return answer;
}
