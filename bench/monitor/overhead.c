/* overhead.c -- what monitoring costs: a Michael-Scott queue with and without.
 *
 *     overhead [--threads N] [--work NS] [--seconds S] [--repeat N] [--only WAY]
 *
 * Every thread enqueues and dequeues in turns, with `work` nanoseconds of something else
 * after each call.  The same binary does it with and without monitor, one after the other,
 * again and again; ratios are those of medians.  `own` is the processor time of the threads
 * that call, `all` that of the process, with the checker; `wall` is what it takes by the
 * clock on the wall, which depends on whether there is a processor to spare.  Ways:
 *
 *     off          lp_monitor_call() on a monitor that is NULL
 *     all          everything is recorded and checked, as far as the checker can
 *     idle         the same, but the checker only gets time that nobody else wants
 *     share        recording and checking take 5 % of the time
 *     recording    everything is recorded, nothing is checked: rings are emptied, and that
 *                  is all (a dump to /dev/null would be slower)
 */
#include <linchpin/monitor.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../examples/monitor/msqueue.h"

enum { MOST = 64, NODES = 1 << 20, REPEATS = 64 };
enum way { PLAIN, OFF, ALL, IDLE, SHARE, RECORDING, WAYS };
static const char *const names[] = { "plain", "off", "all", "idle", "share", "recording" };

static int threads = 2, work_ns, repeat = 7;
static double run_seconds = 0.3;
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

enum measure { OWN, TOTAL, WALL, MEASURES };

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

	LOOP(c = lp_monitor_call(monitor), lp_monitor_return(c, enqueue, next, LP_VOID),
	     lp_monitor_return(c, dequeue, LP_VOID, got ? value : LP_EMPTY));
	j->calls = calls;
	j->cpu = cpu_time(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

/* Nanoseconds for a call. */
static void run(enum way way, struct lp_monitor_stats *stats, double *times)
{
	struct job jobs[MOST];
	uint64_t calls = 0;
	struct lp_monitor_config config = { .spec = "queue", .quiet = true };

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
	const double cpu = cpu_time(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin;
	*stats = (struct lp_monitor_stats){ 0 };
	lp_monitor_close(monitor, stats);
	msqueue_close(&q);
	times[OWN] = own / (double)calls * 1e9;
	times[TOTAL] = cpu / (double)calls * 1e9;
	times[WALL] = seconds * threads / (double)calls * 1e9;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
	static double times[WAYS][MEASURES][REPEATS];
	struct lp_monitor_stats sum[WAYS] = { 0 };
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
			struct lp_monitor_stats stats;
			double t[MEASURES];
			run((enum way)way, &stats, t);
			for (int i = 0; i < MEASURES; i++)
				times[way][i][r] = t[i];
			sum[way].calls += stats.calls;
			sum[way].checked += stats.checked;
			sum[way].lost += stats.lost;
			sum[way].violations += stats.violations;
		}
	}
	printf("%d threads, %d ns of other work after a call, %d times %.1f s\n", threads, work_ns,
	       repeat, run_seconds);
	printf("%-10s %8s %6s %8s %6s %8s %6s %11s %11s %8s\n", "ns/call", "own", "", "all", "",
	       "wall", "", "recorded/s", "checked/s", "lost/s");
	for (int way = 0; way < WAYS; way++) {
		const double all = repeat * run_seconds;
		if (way && only && strcmp(only, names[way]))
			continue;
		printf("%-10s", names[way]);
		for (int i = 0; i < MEASURES; i++) {
			qsort(times[way][i], (size_t)repeat, sizeof ***times, by_size);
			printf(" %8.1f %5.2fx", times[way][i][repeat / 2],
			       times[way][i][repeat / 2] / times[0][i][repeat / 2]);
		}
		printf(" %11.0f %11.0f %8.0f\n", (double)sum[way].calls / all,
		       (double)sum[way].checked / all, (double)sum[way].lost / all);
		if (sum[way].violations)
			printf("%llu violations\n", (unsigned long long)sum[way].violations);
	}
	return 0;
}
