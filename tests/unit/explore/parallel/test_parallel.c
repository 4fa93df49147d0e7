/* test_parallel.c -- several processes give what one gives, and leave nothing behind.
 *
 * Workers share the work as chance has it, so everything is done many times over.  Work is
 * only given away if it is there when others look for it: some programs are large enough for
 * that to happen thousands of times.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../../oracle/counts.h"
#include "../../../oracle/generate.h"
#include "expect.h"
#include "program/script.h"
#include "same.h"

/* Without symmetry: the samples are of like threads, and would be small. */
static const struct lp_explore_options usual = { .model = LP_MODEL_RC11, .reduce.spin = true,
						 .weak_fails = true };

/* A program with its script and what came of it. */
struct subject {
	struct lp_script *script;
	struct lp_program *program;
	struct lp_arena arena;
	struct lp_exploration out;
};

static void open_subject(struct subject *s, const char *text)
{
	*s = (struct subject){ .script = parse_or_die(text) };
	s->program = lp_script_open(s->script);
}

static void close_subject(struct subject *s)
{
	lp_script_close(s->program);
	lp_script_drop(s->script);
	lp_arena_close(&s->arena);
}

static void explore(struct subject *s, struct lp_explore_options options, uint32_t jobs)
{
	options.jobs = jobs;
	lp_explore_graphs(s->program, &options, &s->arena, &s->out);
	EXPECT(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD); /* no one is left */
}

static char *count_script(const char *name, unsigned n)
{
	for (unsigned i = 0; i < count_case_count; i++)
		if (!strcmp(count_cases[i].name, name))
			return count_cases[i].make(n);
	printf("no such program: %s\n", name);
	exit(1);
}

/* ---- the same result ---- */

static void results_are_the_same(const char *text, enum lp_model model, unsigned times)
{
	struct lp_explore_options options = usual;
	struct subject s;

	options.model = model;
	open_subject(&s, text);
	explore(&s, options, 1);
	const struct lp_exploration one = s.out;
	for (unsigned i = 0; i < times; i++) {
		explore(&s, options, 2 + i % 3);
		if (!same_exploration(&one, &s.out)) {
			printf("model %d, %u processes:\n%s\n", model, 2 + i % 3, text);
			failures++;
			break;
		}
	}
	close_subject(&s);
}

static void samples_are_the_same(void)
{
	char *text;

	for (unsigned i = 0; (text = sample_script(i)); i++) {
		results_are_the_same(text, LP_MODEL_RC11, 12);
		results_are_the_same(text, LP_MODEL_SC, 6);
		free(text);
	}
}

static void random_ones_are_the_same(unsigned count)
{
	for (unsigned i = 0; i < count && failures < 3; i++) {
		char *text = generate_script(1000 + i, i % 64, 8 + i % 4);
		results_are_the_same(text, (enum lp_model)(i % 4), 3);
		free(text);
	}
}

/* Errors in many places of a large tree: always the first one is reported. */
static void the_first_error_is_reported(void)
{
	static const unsigned forbidden[] = { 3, 77, 101, 126, 127 };
	char text[1024] = "";

	for (unsigned i = 0; i < 5; i++) {
		int n = 0;
		for (unsigned t = 0; t < 7; t++)
			n += snprintf(text + n, sizeof text - (size_t)n, "thread\n add.rlx x %u\n",
				      1u << t);
		snprintf(text + n, sizeof text - (size_t)n,
			 "thread\n r0 = load.rlx x\n assert r0 != %u\nfinal\n outcome 8:r0\n",
			 forbidden[i]);
		results_are_the_same(text, LP_MODEL_RC11, 30);
	}
}

/* ---- limits, and what goes wrong ---- */

static bool interrupt(void *closure, const struct lp_progress *p)
{
	unsigned *calls = closure;

	(void)p;
	return ++*calls < 2;
}

static void it_can_be_interrupted(struct subject *large)
{
	struct lp_explore_options options = usual;
	unsigned calls = 0;

	options.callbacks.progress = interrupt;
	options.callbacks.closure = &calls;
	explore(large, options, 3);
	EXPECT(large->out.verdict == LP_INCONCLUSIVE);
	EXPECT(large->out.reason && !strcmp(large->out.reason, "interrupted"));
	EXPECT(calls == 2 && large->out.executions > 0);
}

static void limits_hold(struct subject *large)
{
	struct lp_explore_options options = usual;

	options.limits.seconds = 0.2;
	explore(large, options, 2);
	EXPECT(large->out.verdict == LP_INCONCLUSIVE);
	EXPECT(large->out.reason && !strcmp(large->out.reason, "time limit reached"));

	options.limits = (struct lp_limits){ .executions = 1000 };
	explore(large, options, 4);
	EXPECT(large->out.verdict == LP_INCONCLUSIVE);
	EXPECT(large->out.reason && !strcmp(large->out.reason, "limit of executions reached"));
	EXPECT(large->out.executions >= 1000 && large->out.executions < 1000 + 4);
}

/* The children of a process, from the system's table. */
static unsigned children_of(pid_t parent, pid_t *out, unsigned room)
{
	char path[64];
	unsigned n = 0;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
	FILE *f = fopen(path, "r");
	for (int pid; f && n < room && fscanf(f, "%d", &pid) == 1;)
		out[n++] = pid;
	if (f)
		fclose(f);
	return n;
}

struct killer {
	uint32_t random;
	unsigned often; /* one in so many ticks */
	unsigned left, killed;
};

static bool kill_one(void *closure, const struct lp_progress *p)
{
	struct killer *k = closure;
	pid_t pids[8];
	const unsigned n = children_of(getpid(), pids, 8);

	(void)p;
	k->random = k->random * 1664525 + 1013904223;
	if (n && k->left && !((k->random >> 8) % k->often)) {
		kill(pids[(k->random >> 16) % n], SIGKILL);
		k->left--;
		k->killed++;
	}
	return true;
}

/* Their work is done by others, and nothing is counted twice. */
static void killed_workers_cost_time_only(void)
{
	struct lp_explore_options options = usual;
	struct killer k = { .often = 2 };
	struct subject s;
	char *text = count_script("ainc", 9);

	open_subject(&s, text);
	explore(&s, options, 1);
	const struct lp_exploration whole = s.out;
	options.callbacks.progress = kill_one;
	options.callbacks.closure = &k;
	for (unsigned i = 0; i < 6; i++) {
		k.random = i;
		k.left = 4;
		explore(&s, options, 3);
		EXPECT(same_exploration(&whole, &s.out));
	}
	EXPECT(k.killed > 0);
	close_subject(&s);
	free(text);
}

/* A piece that kills every worker is given up. */
static void too_many_killed_workers_are_no_verdict(struct subject *large)
{
	struct lp_explore_options options = usual;
	struct killer k = { .often = 1, .left = UINT32_MAX };

	options.callbacks.progress = kill_one;
	options.callbacks.closure = &k;
	explore(large, options, 1 + 1);
	EXPECT(large->out.verdict == LP_INCONCLUSIVE);
	EXPECT(large->out.reason && strstr(large->out.reason, "killed by signal 9"));
}

static void workers_die_with_their_parent(struct subject *large)
{
	const struct timespec moment = { 0, 20000000 };
	pid_t pids[8];
	unsigned n = 0;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	const pid_t parent = fork();
	if (parent == 0) {
		struct lp_explore_options options = usual;
		options.jobs = 3;
		lp_explore_graphs(large->program, &options, &large->arena, &large->out);
		_exit(0);
	}
	for (unsigned i = 0; i < 3000 && n < 3; i++) { /* a minute, if the machine is busy */
		nanosleep(&moment, NULL);
		n = children_of(parent, pids, 8);
	}
	EXPECT(n == 3);
	kill(parent, SIGKILL);
	EXPECT(waitpid(parent, NULL, 0) == parent);
	for (unsigned i = 0; i < n; i++) {
		int status = 0;
		EXPECT(waitpid(pids[i], &status, 0) == pids[i]); /* ours now */
		/* One that has only just been started sees by itself that the parent is gone. */
		EXPECT((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) || (WIFEXITED(status) && !WEXITSTATUS(status)));
	}
}

int main(int argc, char **argv)
{
	struct subject large;
	char *text = count_script("ainc", 11); /* 39,916,800 executions */
	pid_t pids[1];

	samples_are_the_same();
	random_ones_are_the_same(argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 60);
	the_first_error_is_reported();

	open_subject(&large, text);
	it_can_be_interrupted(&large);
	limits_hold(&large);
	const pid_t child = fork();
	if (child == 0)
		_exit(0);
	const bool table = children_of(getpid(), pids, 1) == 1;
	waitpid(child, NULL, 0);
	if (table) {
		killed_workers_cost_time_only();
		too_many_killed_workers_are_no_verdict(&large);
		workers_die_with_their_parent(&large);
	} else {
		puts("the system does not list children: nothing was killed");
	}
	close_subject(&large);
	free(text);
	return expect_status();
}
