/* test_team.c -- several machines give what one process gives.
 *
 * The machines are processes that a switch connects (tests/unit/ranks/switch.h), which delays messages at random.  Each explores the same
 * scripts one after the other, or explores what rank 0 describes; rank 0 compares with what one process finds.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../../../oracle/generate.h"
#include "../../ranks/switch.h"
#include "expect.h"
#include "explore/parallel/team.h"
#include "program/script.h"
#include "same.h"

struct plan {
	unsigned first, count; /* of random scripts */
	uint32_t jobs;
	bool samples, reductions;
};

static struct lp_explore_options options_of(const struct plan *plan, unsigned i)
{
	struct lp_explore_options o = { .model = (enum lp_model)(i % 4), .weak_fails = true, .jobs = 1 };

	o.reduce.spin = true;
	if (plan->reductions) {
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) o.reduce.field = true;
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	}
	return o;
}

/* The same verdict and outcomes; with reductions that rely on facts, how many executions are visited depends on what is known when. */
static bool agrees(const struct lp_exploration *one, const struct lp_exploration *many, bool exactly)
{
	if (exactly)
		return same_exploration(one, many);
	bool same = one->verdict == many->verdict && one->kind == many->kind && one->outcome_count == many->outcome_count;
	for (uint32_t i = 0; same && one->verdict == LP_VERIFIED && i < one->outcome_count; i++)
		same = !strcmp(one->outcomes[i].text, many->outcomes[i].text);
	return same || one->verdict == LP_VIOLATION;
}

static bool try(struct lp_team *team, uint32_t self, const struct plan *plan, const char *text, unsigned i)
{
	struct lp_explore_options options = options_of(plan, i);
	struct lp_script *script = parse_or_die(text);
	struct lp_program *program = lp_script_open(script);
	struct lp_arena arena = { 0 };
	struct lp_exploration one = { 0 }, many = { 0 };

	if (!self)
		lp_explore_graphs(program, &options, &arena, &one);
	options.team = team;
	options.jobs = plan->jobs;
	lp_explore_graphs(program, &options, &arena, &many);
	const bool good = self || agrees(&one, &many, !plan->reductions);
	if (!good)
		printf("number %u:\n%s\n", i, text);
	lp_arena_close(&arena);
	lp_script_close(program);
	lp_script_drop(script);
	return good;
}

/* One exploration; it may be the last, if it ends with a violation. */
static int explore_one(struct lp_ranks *r, void *closure)
{
	const struct plan *plan = closure;
	struct lp_team *team = lp_team_open(r, plan->first % 5 ? 0 : 0.002);
	char *text = plan->samples ? sample_script(plan->first) : generate_script(plan->first, plan->first * 7 % 512, 6 + plan->first % 4);
	const bool good = try(team, lp_ranks_self(r), plan, text, plan->first);

	free(text);
	lp_team_close(team);
	return !good;
}

/* Errors in many places of a large tree: always the first one is reported.  And no error at all, with all its counts. */
static int explore_large(struct lp_ranks *r, void *closure)
{
	static const unsigned forbidden[] = { 3, 77, 126, 63, 1000 };
	const struct plan *plan = closure;
	struct lp_team *team = lp_team_open(r, 0);
	char text[1024];
	int n = 0;

	for (unsigned t = 0; t < 6; t++)
		n += snprintf(text + n, sizeof text - (size_t)n, "thread\n add.rlx x %u\n", 1u << t);
	snprintf(text + n, sizeof text - (size_t)n, "thread\n r0 = load.rlx x\n assert r0 != %u\nfinal\n outcome 7:r0\n",
		 forbidden[plan->first % 5]);
	const bool good = try(team, lp_ranks_self(r), plan, text, 3);
	lp_team_close(team);
	return !good;
}

/* Limits: of executions, which is exceeded by what is counted between two messages; of time; and the user's patience. */
static bool is_patient(void *closure, const struct lp_progress *p)
{
	(void)closure;
	return !p->executions;
}

static int reach_limits(struct lp_ranks *r, void *closure)
{
	static const char *const reasons[] = { "limit of executions reached", "time limit reached", "interrupted" };
	const struct plan *plan = closure;
	const char *reason = reasons[plan->first < 3 ? plan->first : 0];
	struct lp_explore_options options = options_of(plan, 3);
	struct lp_arena arena = { 0 };
	struct lp_exploration out = { 0 };
	char text[1024] = "";
	int n = 0;

	for (unsigned t = 0; t < 9; t++)
		n += snprintf(text + n, sizeof text - (size_t)n, "thread\n add.rlx x %u\n", 1u << t);
	struct lp_script *script = parse_or_die(text);
	struct lp_program *program = lp_script_open(script);
	options.team = lp_team_open(r, 0);
	if (plan->first == 0)
		options.limits.executions = 1000;
	if (plan->first >= 3) /* one machine reaches it before another one has work */
		options.limits.executions = plan->first - 2;
	if (plan->first == 1)
		options.limits.seconds = 0.5;
	if (plan->first == 2 && !lp_ranks_self(r))
		options.callbacks.progress = is_patient;
	lp_explore_graphs(program, &options, &arena, &out);
	const bool good = out.verdict == LP_INCONCLUSIVE && out.reason && !strcmp(out.reason, reason) && out.executions > 0 &&
			  (plan->first || (out.executions >= 1000 && out.executions < 300000));
	if (!good)
		printf("verdict %d, %s, %llu executions\n", out.verdict, out.reason ? out.reason : "", (unsigned long long)out.executions);
	lp_arena_close(&arena);
	lp_script_close(program);
	lp_script_drop(script);
	lp_team_close(options.team);
	return !good;
}

/* The time is up about when the exploration restarts, as this one does several times: that is for rank 0 to decide, whose clock may be
 * behind those of others. */
static int restart_late(struct lp_ranks *r, void *closure)
{
	static const char text[] = "thread\n r0 = load.acq x\n if r0 != 1 goto out\n r3 = cas.acqrel.rlx x 1 2\n if r3 != 1 goto out\n"
				   " r2 = pload d\n store.rel x 0\n xchg.acqrel f 1\n out:\n"
				   "thread\n pstore d 1\n again:\n r3 = cas.rel.rlx x 0 1\n if r3 != 0 goto out\n r3 = cas.acqrel.acq x 1 0\n"
				   " if r3 == 1 goto again\n r2 = 7\n await.acq f 1\n out:\nfinal\n r0 = load.rlx x\n outcome 0:r0 1:r2 2:r2\n";
	const struct plan *plan = closure;
	struct lp_explore_options options = options_of(plan, 3);
	struct lp_arena arena = { 0 };
	struct lp_exploration out = { 0 };
	struct lp_script *script = parse_or_die(text);
	struct lp_program *program = lp_script_open(script);

	options.team = lp_team_open(r, 0);
	lp_script_bound(program, 2);
	options.limits.seconds = 0.001 * plan->first;
	lp_explore_graphs(program, &options, &arena, &out);
	const bool good = out.verdict == LP_VERIFIED || (out.reason && !strcmp(out.reason, "time limit reached"));
	if (!good)
		printf("verdict %d, kind %d, %s\n", out.verdict, (int)out.kind, out.reason ? out.reason : "");
	lp_arena_close(&arena);
	lp_script_close(program);
	lp_script_drop(script);
	lp_team_close(options.team);
	return !good;
}

/* Several, as `check` makes them, until one is not verified. */
static int explore_many(struct lp_ranks *r, void *closure)
{
	const struct plan *plan = closure;
	struct lp_team *team = lp_team_open(r, plan->first % 5 ? 0 : 0.002);
	bool good = true;

	for (unsigned i = 0; good && i < plan->count && lp_team_is_together(team); i++) {
		char *text = generate_script(plan->first + i, (plan->first + i) % 8, 6 + i % 4);
		good = try(team, lp_ranks_self(r), plan, text, plan->first + i);
		free(text);
	}
	lp_team_close(team);
	return !good;
}

/* ---- the others serve ---- */

enum { MARK = 0x5eed };

static void describe(void *closure, struct lp_bytes *to)
{
	const uint32_t mark = MARK;

	lp_bytes_put(to, &mark, sizeof mark);
	++*(uint32_t *)closure;
}

static bool prepare(void *closure, const struct lp_explore_options *options, struct lp_cursor *from)
{
	(void)closure;
	return !options->bounds.preemptions && lp_cursor_u32(from) == MARK;
}

/* With other options than the ones before, and than those that the others have: model and reductions. */
static bool direct_one(struct lp_program *program, struct lp_team *team, const struct plan *plan, unsigned i)
{
	const struct plan how = { .reductions = i % 3 == 2 };
	struct lp_explore_options options = options_of(&how, i);
	struct lp_arena arena = { 0 };
	struct lp_exploration one = { 0 }, many = { 0 };

	options.weak_fails = i % 2;
	lp_explore_graphs(program, &options, &arena, &one);
	options.team = team;
	options.jobs = plan->jobs;
	lp_explore_graphs(program, &options, &arena, &many);
	const bool good = agrees(&one, &many, !how.reductions) && lp_team_is_together(team);
	lp_arena_close(&arena);
	return good;
}

/* Rank 0 makes one exploration after the other, whatever the verdicts. */
static int direct(struct lp_ranks *r, void *closure)
{
	const struct plan *plan = closure;
	struct lp_team *team = lp_team_open(r, plan->first % 5 ? 0 : 0.002);
	uint32_t described = 0;
	const struct lp_team_errands errands = { describe, prepare, &described };
	char *text = generate_script(plan->first, plan->first * 7 % 512, 6 + plan->first % 4);
	struct lp_script *script = parse_or_die(text);
	struct lp_program *program = lp_script_open(script);
	bool good = true;

	if (lp_ranks_self(r))
		lp_team_serve(team, &errands, program, &(struct lp_explore_options){ .jobs = plan->jobs, .team = team });
	lp_team_direct(team, &errands);
	for (unsigned i = 0; good && i < plan->count; i++)
		good = direct_one(program, team, plan, i);
	good &= described >= (plan->first % 5 ? plan->count : 0);
	if (!good)
		printf("number %u, described %u times:\n%s\n", plan->first, described, text);
	lp_script_close(program);
	lp_script_drop(script);
	free(text);
	lp_ranks_dismiss(r);
	lp_team_close(team);
	return !good;
}

static void run(uint32_t ranks, int (*f)(struct lp_ranks *, void *), struct plan plan)
{
	int status[64];

	switch_run(&(struct switch_options){ .ranks = ranks, .hosts = ranks, .seed = plan.first, .delay_us = plan.first % 3 * 300 }, f, &plan, 60,
		   status);
	for (uint32_t i = 0; i < ranks; i++)
		EXPECT(WIFEXITED(status[i]) && !WEXITSTATUS(status[i]), "rank %u of %u, script %u%s: status %x", i, ranks, plan.first,
		       plan.samples ? " of the samples" : "", (unsigned)status[i]);
}

int main(int argc, char **argv)
{
	static const uint32_t sizes[] = { 2, 4, 7, 3 };
	const unsigned programs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 24;
	char *text;

	setvbuf(stdout, NULL, _IOLBF, 0);

	for (unsigned i = 0; (text = sample_script(i)) && !failures; i++) {
		free(text);
		run(sizes[i % 4], explore_one, (struct plan){ .first = i, .jobs = 1 + i % 2, .samples = true });
	}
	for (unsigned i = 0; i < programs && !failures; i++) {
		run(sizes[i % 4], explore_one, (struct plan){ .first = i, .jobs = 1 + i % 3 });
		run(sizes[i % 4], explore_one, (struct plan){ .first = i, .jobs = 1, .reductions = true });
	}
	for (unsigned i = 0; i < programs / 6 && !failures; i++)
		run(sizes[i % 4], explore_many, (struct plan){ .first = 1000 * i, .count = 20, .jobs = 1 });
	for (unsigned i = 0; i < programs / 2 && !failures; i++)
		run(sizes[i % 4], direct, (struct plan){ .first = i, .count = 12, .jobs = 1 + i % 2 });
	for (unsigned i = 0; i < 5 && !failures; i++)
		run(sizes[i % 4], explore_large, (struct plan){ .first = i, .jobs = 1 + i % 2 });
	for (unsigned i = 0; i < 9 && !failures; i++)
		run(3, reach_limits, (struct plan){ .first = i, .jobs = 1 });
	for (unsigned i = 0; i < 40 && !failures; i++)
		run(3, restart_late, (struct plan){ .first = i, .jobs = 1, .reductions = true });
	return expect_status();
}
