/* test_team_keep.c -- what several machines keep is continued by others, with the result of one process.
 *
 * An exploration is ended after a random number of executions, on a random number of machines, which a switch connects (tests/unit/ranks/switch.h) with
 * random delays.  Rank 0 keeps what is left every few milliseconds.  Whichever of these was kept is continued, as if all ranks had been killed
 * just then, or what was kept at the end; with another number of machines, or by one process, until there is a verdict.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "../../../oracle/generate.h"
#include "../../ranks/switch.h"
#include "expect.h"
#include "explore/clock.h"
#include "explore/keep.h"
#include "explore/parallel/open_work.h"
#include "explore/parallel/team.h"
#include "program/script.h"
#include "same.h"

enum { ROOM = 8 << 20, SEED = 1 };

/* Shared by all processes. */
struct shelf {
	const char *text;
	enum lp_model model;
	uint32_t jobs;
	double alone;
	uint64_t limit;
	uint64_t random;
	bool resumes, over, same;
	unsigned taken, pieces, failed; /* how often something was kept, pieces in that, and errors among them */
	uint32_t size, next_size;
	uint8_t from[ROOM], next[ROOM];
};

static unsigned draw(struct shelf *s, unsigned n)
{
	s->random = s->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(s->random >> 33) % n;
}

/* The last one, or one before it. */
static void take(void *closure, const struct lp_bytes *bytes)
{
	struct shelf *s = closure;

	s->taken++;
	if (bytes->count > ROOM || (s->next_size && draw(s, 3) == 0))
		return;
	memcpy(s->next, bytes->at, bytes->count);
	s->next_size = bytes->count;
}

static struct lp_explore_options options_of(const struct shelf *s)
{
	return (struct lp_explore_options){ .model = s->model, .reduce = { .spin = true, .symmetry = true, .helping = true, .park = true,
						       .stale = true, .rereads = true, .attempts = true },
					    .weak_fails = true, .jobs = 1 };
}

static bool was_interrupted(const struct lp_exploration *e)
{
	return e->verdict == LP_INCONCLUSIVE && e->reason && !strcmp(e->reason, "limit of executions reached");
}

static bool agrees(const struct shelf *s, bool several, struct lp_program *program, struct lp_arena *arena, struct lp_exploration *parts)
{
	const struct lp_explore_options options = options_of(s);
	struct lp_exploration whole;

	lp_explore_graphs(program, &options, arena, &whole);
	parts->abandoned = whole.abandoned; /* depends on what a process has seen */
	/* If several processes reach the limit when one of them has found an error, that error is reported, and need not be the first. */
	if (several && parts->verdict == LP_VIOLATION && s->limit && parts->executions >= s->limit)
		return whole.verdict == LP_VIOLATION;
	return same_exploration(&whole, parts);
}

/* One rank; without ranks, one process. */
static int explore(struct lp_ranks *r, void *closure)
{
	struct shelf *s = closure;
	struct lp_script *script = parse_or_die(s->text);
	struct lp_program *program = lp_script_open(script);
	struct lp_arena arena = { 0 };
	struct lp_exploration out;
	struct lp_keep keep = { .every = 0.002, .next = lp_clock_seconds(), .take = take, .closure = s };
	struct lp_explore_options options = options_of(s);

	if (s->resumes)
		keep.from = (struct lp_cursor){ s->from, s->size, false };
	options.team = r ? lp_team_open(r, s->alone) : NULL;
	options.jobs = s->jobs;
	options.limits.keep = &keep;
	options.limits.executions = s->limit;
	EXPECT(!s->resumes || lp_keep_is_whole(&options, keep.from), "what was kept is refused");
	lp_explore_graphs(program, &options, &arena, &out);
	if (!r || !lp_ranks_self(r)) {
		s->over = !was_interrupted(&out);
		s->same = !s->over || agrees(s, s->jobs > 1 || (r && lp_ranks_count(r) > 1), program, &arena, &out);
	}
	lp_team_close(options.team);
	lp_arena_close(&arena);
	lp_script_close(program);
	lp_script_drop(script);
	return failures != 0;
}

/* Looks at what was kept. */
static void count_pieces(struct shelf *s)
{
	struct lp_keep keep = { .from = { s->from, s->size, false } };
	struct lp_arena arena = { 0 };
	struct lp_pass pass = { .options = options_of(s), .arena = &arena };
	struct lp_open_work work;

	pass.options.limits.keep = &keep;
	lp_keep_begin(&pass, &work);
	s->pieces += work.count;
	s->failed += work.count && work.at[work.count - 1].failed;
	lp_open_work_drop(&work);
	lp_arena_close(&arena);
}

/* One job, or one process.  False if a rank failed. */
static bool run(struct shelf *s, uint32_t ranks)
{
	int status[8] = { 0 };

	s->next_size = 0;
	s->alone = draw(s, 3) ? 0 : 0.001;
	s->jobs = 1 + draw(s, 2);
	switch_run(&(struct switch_options){ .ranks = ranks, .hosts = ranks, .seed = draw(s, 1000), .delay_us = draw(s, 3) * 300 }, explore, s, 60,
		   status);
	for (uint32_t i = 0; i < ranks; i++)
		if (!WIFEXITED(status[i]) || WEXITSTATUS(status[i]))
			return false;
	return true;
}

/* The exploration in parts.  Also when it is over, what was kept before is continued.  Returns how many there were. */
static unsigned explore_in_parts(struct shelf *s, unsigned limit)
{
	static const uint32_t sizes[] = { 1, 2, 3, 5, 2, 3 };
	unsigned parts = 0;
	bool good = true;

	s->resumes = false;
	s->limit = 0;
	for (bool more = true; more && good; parts++) {
		s->limit = parts > 8 || !limit ? 0 : s->limit + 1 + draw(s, limit);
		good = run(s, sizes[draw(s, 6)]) && s->same && (s->over || s->next_size);
		more = s->next_size && (!s->over || parts < 5);
		memcpy(s->from, s->next, s->next_size);
		s->size = s->next_size;
		s->resumes = true;
		if (more)
			count_pieces(s);
	}
	EXPECT(good, "seed %d, model %d, part %u, limit %llu:\n%s", SEED, (int)s->model, parts, (unsigned long long)s->limit, s->text);
	return parts;
}

/* Errors in many places of a large tree: always the first one is reported. */
static char *large_script(unsigned forbidden)
{
	char *text = calloc(1, 1024);
	int n = 0;

	for (unsigned t = 0; t < 6; t++)
		n += snprintf(text + n, 1024 - (size_t)n, "thread\n add.rlx x %u\n", 1u << t);
	snprintf(text + n, 1024 - (size_t)n, "thread\n r0 = load.rlx x\n assert r0 != %u\nfinal\n outcome 7:r0\n", forbidden);
	return text;
}

static unsigned explore_script(struct shelf *s, char *text, unsigned i, unsigned limit)
{
	s->text = text;
	s->model = (enum lp_model)(i % 4);
	const unsigned parts = explore_in_parts(s, limit);
	free(text);
	return parts;
}

int main(int argc, char **argv)
{
	static const unsigned forbidden[] = { 3, 1000, 22, 61, 1000, 22 };
	const unsigned programs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 18;
	struct shelf *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned parts = 0;
	char *text;

	setvbuf(stdout, NULL, _IOLBF, 0);
	s->random = SEED;
	for (unsigned i = 0; (text = sample_script(i)) && !failures; i++)
		parts += explore_script(s, text, i, 400);
	for (unsigned i = 0; i < programs && !failures; i++) {
		parts += explore_script(s, generate_script(i, i % 64, 5 + i % 5), i, 20);
		parts += explore_script(s, large_script(forbidden[i % 6]), i, forbidden[i % 6] == 1000 ? 2000 : 0);
	}
	printf("seed %d: %u parts, kept %u times, %u pieces, %u errors\n", SEED, parts, s->taken, s->pieces, s->failed);
	EXPECT(parts > 100 && 2 * s->pieces > parts && s->failed, "hardly anything was kept");
	return expect_status();
}
