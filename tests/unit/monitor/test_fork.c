/* test_fork.c -- processes with a monitor fork.
 *
 *     test_fork [FORKS [SEED]]
 *
 * The child has no checker: there, waiting for it, closing, and looking at the numbers return, in whatever
 * state the checker of the parent was; nothing is written to the parent's dump; and the child can have
 * a monitor of its own.  The parent notices nothing.  A child that hangs is ended by its alarm.
 * FORKS children do these things, or some of them, in random orders and at random moments.
 */
#include <linchpin/monitor.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	FORKS = 60,
	HANGS = 100, /* seconds after which a child is taken to wait forever */
	WAITS = 10   /* seconds that lp_monitor_sync() waits for a checker that does not exist */
};

static int failures;
static int stop;
static useconds_t rest; /* what changes all the time takes long to copy */

static void expect(bool claim, const char *what)
{
	printf("%-4s %s\n", claim ? "ok" : "FAIL", what);
	failures += !claim;
}

static void call(struct lp_monitor *m, const char *method, int64_t arg, int64_t result)
{
	struct lp_monitor_call c = lp_monitor_call(m);

	lp_monitor_return(c, lp_monitor_method(m, method), arg, result);
}

/* Keeps the checker busy, and within its lock now and then.  Calls at least once, even if it is told to stop at once. */
static void *work(void *context)
{
	struct lp_monitor *m = context;
	const int enqueue = lp_monitor_method(m, "enqueue"), dequeue = lp_monitor_method(m, "dequeue");

	for (int64_t i = 1; i == 1 || !__atomic_load_n(&stop, __ATOMIC_RELAXED); i++) {
		struct lp_monitor_call c = lp_monitor_call(m);
		lp_monitor_return(c, enqueue, i, LP_VOID);
		c = lp_monitor_call(m);
		lp_monitor_return(c, dequeue, LP_VOID, i);
		if (rest && i % 16 == 0)
			usleep(rest);
	}
	return NULL;
}

/* Does lp_monitor_sync() wait in a child?  Only this call is timed, because the others can take long on a busy machine. */
static bool waits(struct lp_monitor *m)
{
	struct timespec before, after;

	clock_gettime(CLOCK_MONOTONIC, &before);
	lp_monitor_sync(m);
	clock_gettime(CLOCK_MONOTONIC, &after);
	return after.tv_sec - before.tv_sec >= WAITS;
}

/* What a child finds wrong, in bits. */
static int child(struct lp_monitor *m)
{
	const struct lp_monitor_config config = { .spec = "set", .quiet = true };
	struct lp_monitor_stats before = { 0 }, after = { 0 }, own = { 0 };

	alarm(HANGS);
	lp_monitor_stats(m, &before);
	for (int i = 0; i < 100; i++)
		call(m, "enqueue", -5 - i, LP_VOID);
	const bool waited = waits(m);
	lp_monitor_stats(m, &after);
	lp_monitor_close(m, NULL);

	struct lp_monitor *mine = lp_monitor_open(&config, NULL, 0);
	call(mine, "insert", 1, 1);
	call(mine, "insert", 1, 1);
	lp_monitor_sync(mine);
	lp_monitor_close(mine, &own);
	return (before.calls != after.calls) | (own.violations != 1) << 1 | (own.calls != 2) << 2 | waited << 3;
}

static void test_busy(void)
{
	const struct lp_monitor_config config = { .spec = "queue", .quiet = true, .poll_us = 1 };
	struct lp_monitor *m = lp_monitor_open(&config, NULL, 0);
	struct lp_monitor_stats stats;
	pthread_t id;
	int bad = 0, hung = 0;

	pthread_create(&id, NULL, work, m);
	for (int i = 0; i < FORKS && !hung; i++) {
		int status = 0;
		const pid_t pid = fork();
		if (!pid)
			_exit(child(m));
		waitpid(pid, &status, 0);
		hung += (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) || (WIFEXITED(status) && WEXITSTATUS(status) & 8);
		bad += !WIFEXITED(status) || WEXITSTATUS(status);
	}
	expect(!hung, "no child waits for a checker that it does not have");
	expect(!bad, "they see nothing of their own calls, and can have their own monitor");
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(id, NULL);
	lp_monitor_close(m, &stats);
	expect(stats.calls && !stats.violations, "the parent is checked all the same");
}

static uint32_t below(uint64_t *state, uint32_t n)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33) % n;
}

/* A few things in a random order; what is wrong, in bits. */
static int random_child(struct lp_monitor *m, uint64_t seed)
{
	struct lp_monitor_stats first = { 0 }, later = { 0 }, own = { 0 };
	const struct lp_monitor_config config = { .spec = "set", .quiet = true };
	int bad = 0;

	alarm(HANGS);
	lp_monitor_stats(m, &first);
	for (uint32_t left = below(&seed, 6); left; left--) {
		const uint32_t what = below(&seed, 16);
		if (what < 6)
			call(m, what % 2 ? "dequeue" : "enqueue", what % 2 ? LP_VOID : -5, what % 2 ? -7 : LP_VOID);
		else if (what < 10)
			bad |= waits(m) << 3;
		else if (what < 15)
			lp_monitor_stats(m, &later);
		else {
			struct lp_monitor *mine = lp_monitor_open(&config, NULL, 0);
			call(mine, "insert", 1, 1);
			call(mine, "insert", 1, 1);
			lp_monitor_close(mine, &own);
			bad |= (own.violations != 1 || own.calls != 2) << 1;
		}
	}
	bad |= later.calls && later.calls != first.calls;
	if (below(&seed, 2))
		lp_monitor_close(m, NULL);
	return bad;
}

/* With a thread that calls all the time, and a new monitor now and then. */
static void test_random(uint32_t forks, uint64_t seed)
{
	struct lp_monitor *m = NULL;
	uint64_t violations = 0, calls = 0;
	uint32_t bad = 0, done = 0;

	printf("%u forks, seed %llu\n", forks, (unsigned long long)seed);
	while (done < forks && !bad) {
		const struct lp_monitor_config config = { .spec = "queue", .quiet = true, .poll_us = 1 + below(&seed, 500), .ring = 256,
							   .threads = 4, .values = 1024 };
		struct lp_monitor_stats stats;
		pthread_t id;
		m = lp_monitor_open(&config, NULL, 0);
		stop = 0;
		rest = 20;
		pthread_create(&id, NULL, work, m);
		for (uint32_t i = 0; i < 1000 && done < forks && !bad; i++, done++) {
			int status = 0;
			const uint64_t its = seed + done;
			const pid_t pid = fork();
			if (!pid)
				_exit(random_child(m, its));
			waitpid(pid, &status, 0);
			bad += !WIFEXITED(status) || WEXITSTATUS(status);
			if (bad)
				printf("fork %u: status %x, seed %llu\n", done, (unsigned)status, (unsigned long long)its);
		}
		__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
		pthread_join(id, NULL);
		lp_monitor_close(m, &stats);
		violations += stats.violations;
		calls += stats.calls;
	}
	expect(done >= forks && !bad, "no child hangs, or sees what it should not");
	expect(calls && !violations, "the parent is checked all the same");
}

/* What is in stdio's buffer at the fork is the parent's to write. */
static void test_dump(void)
{
	char name[32]; /* there may be other runs of this test at the same time */
	const struct lp_monitor_config config = { .spec = "queue", .quiet = true, .dump = name };
	snprintf(name, sizeof name, "fork-%d.jsonl", (int)getpid());
	struct lp_monitor *m = lp_monitor_open(&config, NULL, 0);
	int lines = 0, c, status;

	call(m, "enqueue", 1, LP_VOID);
	lp_monitor_sync(m);
	const pid_t pid = fork();
	if (!pid) {
		alarm(HANGS);
		call(m, "enqueue", 2, LP_VOID);
		lp_monitor_sync(m);
		lp_monitor_close(m, NULL);
		exit(0); /* writes all buffers */
	}
	waitpid(pid, &status, 0);
	call(m, "enqueue", 3, LP_VOID);
	lp_monitor_close(m, NULL);
	FILE *from = fopen(name, "r");
	while (from && (c = getc(from)) != EOF)
		lines += c == '\n';
	if (from)
		fclose(from);
	remove(name);
	expect(WIFEXITED(status) && !WEXITSTATUS(status) && lines == 2, "a dump has the parent's calls only");
}

int main(int argc, char **argv)
{
	test_dump();
	test_busy();
	test_random(argc > 1 ? (uint32_t)atoi(argv[1]) : 1000, argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
	return failures != 0;
}
