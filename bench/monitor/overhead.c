/* overhead.c -- what monitoring costs: a Michael-Scott queue with and without.
 *
 *     overhead [--threads N] [--work NS] [--seconds S] [--repeat N] [--only WAY]
 *              [--pin 0] [--tick N] [--ring N]
 *
 * Every thread enqueues and dequeues in turns, with `work` nanoseconds of something else
 * after each call.  The same binary does it with and without monitor, one after the other,
 * again and again; a ratio is the median of those to the plain run of the same round, with
 * the quarter below and above, which tell how much to believe of it.
 *
 *     own       processor time of a call, of the threads that call
 *     wall      the same by the clock on the wall: with as many threads as processors, the
 *               checker takes its time from them
 *     calls/s   of all threads together
 *     recorded, checked   of the calls, in percent: the rest is lost, and is counted as such
 *     checker   its processor time, for each call that was recorded
 *
 * Threads are pinned to processors, one to each, unless --pin 0.  Left alone, the two of
 * a queue may find themselves on one processor, where they never meet: then a call takes
 * 4 ns instead of 40 to 150, which is no queue that anybody fights for.
 *
 * The other way round, a third thread on two processors keeps the two apart: with a checker
 * that is always busy, less than 1.00x is possible, and no merit of the monitor.  Ways:
 *
 *     off          lp_monitor_call() on a monitor that is NULL
 *     all          everything is recorded and checked, as far as the checker can
 *     fenced       the same, without config.seq_cst, which is true of this queue
 *     idle         the same, but the checker runs only while a processor is idle
 *     share        recording and checking take 5 % of the time
 *     recording    everything is recorded, nothing is checked: rings are emptied, and that
 *                  is all (a dump to /dev/null would be slower)
 */
#define _GNU_SOURCE /* pthread_setaffinity_np */
#include <linchpin/monitor.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../examples/monitor/msqueue.h"

enum { MOST = 64, NODES = 1 << 20, REPEATS = 64 };
enum way { PLAIN, OFF, ALL, FENCED, IDLE, SHARE, RECORDING, WAYS };
static const char *const names[] = { "plain", "off",   "all",      "fenced",
				     "idle",  "share", "recording" };

static int threads = 2, work_ns, repeat = 15, pinned = 1, tick, ring;
static double run_seconds = 0.1;
static struct msqueue q;
static struct lp_monitor *monitor;
static int enqueue, dequeue;
static _Atomic int stop;
static uint64_t spin_per_us;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Not inlined: where the loop happens to lie decides how fast it is. */
static __attribute__((noinline)) void spin(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		__asm__ volatile("" ::: "memory");
}

struct job {
	pthread_t id;
	int number;
	uint64_t calls;
	double cpu;
};

static double cpu_time(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Each thread on a processor of its own: two threads on one take turns, never meet, and
 * the queue is twenty times as fast. */
static void pin(int number)
{
	cpu_set_t mine;
	const long count = sysconf(_SC_NPROCESSORS_ONLN);

	CPU_ZERO(&mine);
	CPU_SET((size_t)(number % (count > 0 ? count : 1)), &mine);
	if (pinned)
		pthread_setaffinity_np(pthread_self(), sizeof mine, &mine);
}

enum measure { OWN, WALL, MEASURES };

/* The two loops differ in nothing but the monitor. */
#define LOOP(before, after_enqueue, after_dequeue)                                        \
	do {                                                                              \
		const uint64_t pause = spin_per_us * (uint64_t)work_ns / 1000;            \
		while (!atomic_load_explicit(&stop, memory_order_relaxed)) {              \
			for (int i = 0; i < 32; i++) {                                    \
				before;                                                   \
				msqueue_enqueue(&q, &mine, ++next);                       \
				after_enqueue;                                            \
				spin(pause);                                              \
				before;                                                   \
				const bool got = msqueue_dequeue(&q, &mine, &value);      \
				after_dequeue;                                            \
				spin(pause);                                              \
				(void)got;                                                \
			}                                                                 \
			calls += 64;                                                      \
		}                                                                         \
	} while (0)

static void *plain(void *context)
{
	struct job *j = context;
	struct ms_thread mine = { MS_NONE };
	int64_t next = (int64_t)(j->number + 1) << 40, value;
	uint64_t calls = 0;

	pin(j->number);
	LOOP(, , );
	j->calls = calls;
	j->cpu = cpu_time(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

static void *monitored(void *context)
{
	struct job *j = context;
	struct ms_thread mine = { MS_NONE };
	int64_t next = (int64_t)(j->number + 1) << 40, value;
	uint64_t calls = 0;
	struct lp_monitor_call c;

	pin(j->number);
	LOOP(c = lp_monitor_call(monitor), lp_monitor_return(c, enqueue, next, LP_VOID),
	     lp_monitor_return(c, dequeue, LP_VOID, got ? value : LP_EMPTY));
	j->calls = calls;
	j->cpu = cpu_time(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

struct sums {
	double calls, recorded, checked, seconds, checker;
	uint64_t violations;
};

/* Nanoseconds for a call. */
static void run(enum way way, struct sums *sum, double *times)
{
	struct job jobs[MOST];
	uint64_t calls = 0;
	struct lp_monitor_stats stats = { 0 };
	struct lp_monitor_config config = { .spec = "queue", .quiet = true, .tick = (uint32_t)tick,
					   .ring = (uint32_t)ring };

	config.seq_cst = way != FENCED;
	if (way == IDLE)
		config.nice = 20;
	if (way == SHARE)
		config.share = 0.05;
	monitor = NULL;
	if (way == RECORDING)
		config.nothing = true;
	if (way > OFF && !(monitor = lp_monitor_open(&config, NULL, 0))) {
		fprintf(stderr, "cannot open the monitor\n");
		exit(2);
	}
	enqueue = monitor ? lp_monitor_method(monitor, "enqueue") : 0;
	dequeue = monitor ? lp_monitor_method(monitor, "dequeue") : 0;
	if (!msqueue_open(&q, NODES))
		exit(2);
	atomic_store(&stop, 0);
	const double begin = now(), cpu_begin = cpu_time(CLOCK_PROCESS_CPUTIME_ID);
	double own = 0;
	for (int i = 0; i < threads; i++) {
		jobs[i] = (struct job){ .number = i };
		pthread_create(&jobs[i].id, NULL, way == PLAIN ? plain : monitored, &jobs[i]);
	}
	nanosleep(&(struct timespec){ (time_t)run_seconds,
				      (long)((run_seconds - (double)(long)run_seconds) * 1e9) }, NULL);
	atomic_store(&stop, 1);
	const double seconds = now() - begin;
	for (int i = 0; i < threads; i++) {
		pthread_join(jobs[i].id, NULL);
		calls += jobs[i].calls;
		own += jobs[i].cpu;
	}
	lp_monitor_close(monitor, &stats);
	const double cpu = cpu_time(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin;
	msqueue_close(&q);
	times[OWN] = own / (double)calls * 1e9;
	times[WALL] = seconds * threads / (double)calls * 1e9;
	sum->calls += (double)calls;
	sum->recorded += (double)stats.calls;
	sum->checked += (double)stats.checked;
	sum->violations += stats.violations;
	sum->seconds += seconds;
	sum->checker += cpu - own;
	if (monitor && stats.calls + stats.lost + stats.skipped != calls) {
		fprintf(stderr, "%llu calls, but %llu recorded, %llu lost, %llu skipped\n",
			(unsigned long long)calls, (unsigned long long)stats.calls,
			(unsigned long long)stats.lost, (unsigned long long)stats.skipped);
		exit(1);
	}
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

/* Of the values from `at` on, sorted: the lower quarter, the middle, the upper quarter. */
static void print_ratio(double *at)
{
	qsort(at, (size_t)repeat, sizeof *at, by_size);
	printf(" %5.2fx (%.2f-%.2f)", at[repeat / 2], at[repeat / 4], at[repeat - 1 - repeat / 4]);
}

static void print_way(enum way way, double times[WAYS][MEASURES][REPEATS], const struct sums *sum)
{
	double ratio[MEASURES][REPEATS];

	for (int i = 0; i < MEASURES; i++)
		for (int r = 0; r < repeat; r++)
			ratio[i][r] = times[way][i][r] / times[PLAIN][i][r];
	printf("%-10s", names[way]);
	for (int i = 0; i < MEASURES; i++) {
		double ns[REPEATS];
		memcpy(ns, times[way][i], sizeof ns);
		qsort(ns, (size_t)repeat, sizeof *ns, by_size);
		printf(" %7.1f", ns[repeat / 2]);
		print_ratio(ratio[i]);
	}
	printf(" %11.0f", sum->calls / sum->seconds);
	if (sum->recorded > 0)
		printf(" %8.1f%% %7.1f%% %7.1f", 100 * sum->recorded / sum->calls,
		       100 * sum->checked / sum->calls, sum->checker / sum->recorded * 1e9);
	putchar('\n');
	if (sum->violations)
		printf("%llu violations\n", (unsigned long long)sum->violations);
}

int main(int argc, char **argv)
{
	static double times[WAYS][MEASURES][REPEATS];
	struct sums sum[WAYS] = { 0 };
	const char *only = NULL; /* beside plain, which is always there to compare with */

	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--threads"))
			threads = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--work"))
			work_ns = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--seconds"))
			run_seconds = atof(argv[i + 1]);
		else if (!strcmp(argv[i], "--repeat"))
			repeat = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--tick"))
			tick = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--ring"))
			ring = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--pin"))
			pinned = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--only"))
			only = argv[i + 1];
	}
	if (threads < 1 || threads > MOST || repeat < 1 || repeat > REPEATS) {
		fprintf(stderr, "at most %d threads and %d repetitions\n", MOST, REPEATS);
		return 2;
	}
	const double begin = cpu_time(CLOCK_THREAD_CPUTIME_ID);
	spin(100 * 1000 * 1000);
	spin_per_us = (uint64_t)(100 / (cpu_time(CLOCK_THREAD_CPUTIME_ID) - begin));

	for (int r = 0; r < repeat; r++) {
		for (int way = 0; way < WAYS; way++) {
			if (way && only && strcmp(only, names[way]))
				continue;
			double t[MEASURES];
			run((enum way)way, &sum[way], t);
			for (int i = 0; i < MEASURES; i++)
				times[way][i][r] = t[i];
		}
	}
	printf("%d threads, %d ns of other work after a call, %d times %.2f s%s\n", threads, work_ns,
	       repeat, run_seconds, pinned ? "" : ", not pinned");
	printf("%-10s %7s %18s %7s %18s %11s %9s %8s %7s\n", "ns/call", "own", "", "wall", "",
	       "calls/s", "recorded", "checked", "checker");
	for (int way = 0; way < WAYS; way++)
		if (!way || !only || !strcmp(only, names[way]))
			print_way((enum way)way, times, &sum[way]);
	return 0;
}
