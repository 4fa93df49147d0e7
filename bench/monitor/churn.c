/* churn.c -- a monitor among threads that come and go.
 *
 *     churn [--seconds S] [--threads N] [--calls N] [--work NS] [--every MS] [--ring N]
 *
 * N threads at a time call a Michael-Scott queue; each ends after so many calls (0: never), and
 * another takes its place.  Every few milliseconds one of them takes a value twice on purpose, in
 * calls of its own: the time from the second one's return to the report is the latency of detection.
 * A fault in a stretch that is not recorded is not found; the last line says how many those were.
 *
 * At the end: calls per second, the share that was checked, latency (median, 99th percentile, most),
 * pauses, the most memory that the monitor held and that the process took.
 */
#define _GNU_SOURCE
#include <linchpin/monitor.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../examples/monitor/msqueue.h"

enum { MOST = 64, NODES = 1 << 20, FAULTS = 1 << 20 };

static struct msqueue q;
static struct lp_monitor *monitor;
static int enqueue, dequeue;
static int threads = 4, calls_each = 20000, work_ns, every_ms = 20, ring;
static double run_seconds = 10;
static _Atomic int stop;
static _Atomic int64_t thread_count;
static _Atomic uint64_t calls, threads_made;
static uint64_t spin_per_us;

/* Faults: values below -1000, numbered, each removed twice; when the second removal returned. */
static double made[FAULTS], latency[FAULTS];
static _Atomic uint32_t faults;
static uint32_t found;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static __attribute__((noinline)) void spin(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		__asm__ volatile("" ::: "memory");
}

static void on_violation(const struct lp_monitor_violation *v, void *context)
{
	(void)context;
	for (uint32_t i = 0; i < v->count; i++) {
		const int64_t value = v->ops[i].result;
		if (value < -1000 && value > -1000 - FAULTS) {
			const uint32_t fault = (uint32_t)(-1000 - value);
			if (made[fault] > 0)
				latency[found++] = now() - made[fault];
			made[fault] = 0;
			return;
		}
	}
}

/* A value that comes out though it never went in. */
static void fault(void)
{
	const uint32_t i = atomic_fetch_add(&faults, 1) + 1;

	if (i >= FAULTS)
		return;
	struct lp_monitor_call c = lp_monitor_call(monitor);
	made[i] = now();
	lp_monitor_return(c, dequeue, LP_VOID, -1000 - (int64_t)i);
}

static void *work(void *unused)
{
	struct ms_thread mine = { MS_NONE };
	int64_t next = (atomic_fetch_add(&thread_count, 1) + 1) << 32, value;
	const uint64_t pause = spin_per_us * (uint64_t)work_ns / 1000;
	static _Atomic uint64_t next_fault;
	int i = 0;

	(void)unused;
	for (; (!calls_each || i < calls_each) && !atomic_load_explicit(&stop, memory_order_relaxed);
	     i += 2) {
		struct lp_monitor_call c = lp_monitor_call(monitor);
		msqueue_enqueue(&q, &mine, ++next);
		lp_monitor_return(c, enqueue, next, LP_VOID);
		spin(pause);
		c = lp_monitor_call(monitor);
		const bool got = msqueue_dequeue(&q, &mine, &value);
		lp_monitor_return(c, dequeue, LP_VOID, got ? value : LP_EMPTY);
		spin(pause);
		if (i % 1024)
			continue;
		const uint64_t ms = (uint64_t)(now() * 1e3);
		uint64_t due = atomic_load(&next_fault);
		if (ms >= due && atomic_compare_exchange_strong(&next_fault, &due, ms + (uint64_t)every_ms))
			fault();
	}
	atomic_fetch_add(&calls, (uint64_t)i);
	return NULL;
}

/* Keeps one place taken. */
static void *place(void *unused)
{
	(void)unused;
	while (!atomic_load(&stop)) {
		pthread_t id;
		if (pthread_create(&id, NULL, work, NULL))
			break;
		pthread_join(id, NULL);
		atomic_fetch_add(&threads_made, 1);
	}
	return NULL;
}

static uint64_t resident_kb(void)
{
	unsigned long pages = 0;
	FILE *from = fopen("/proc/self/statm", "r");

	if (from && fscanf(from, "%*u %lu", &pages) != 1)
		pages = 0;
	if (from)
		fclose(from);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

static void arguments(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--seconds"))
			run_seconds = atof(argv[i + 1]);
		else if (!strcmp(argv[i], "--threads"))
			threads = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--calls"))
			calls_each = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--work"))
			work_ns = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--every"))
			every_ms = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--ring"))
			ring = atoi(argv[i + 1]);
	}
}

int main(int argc, char **argv)
{
	struct lp_monitor_config config = { .spec = "queue", .seq_cst = true, .quiet = true,
					   .violation = on_violation };
	struct lp_monitor_stats s = { 0 };
	pthread_t ids[MOST];
	uint64_t most_kb = 0, most_bytes = 0;

	arguments(argc, argv);
	if (threads < 1 || threads > MOST || !msqueue_open(&q, NODES))
		return 2;
	config.ring = (uint32_t)ring;
	const double t = now();
	spin(100 * 1000 * 1000);
	spin_per_us = (uint64_t)(100 / (now() - t));
	monitor = lp_monitor_open(&config, NULL, 0);
	enqueue = lp_monitor_method(monitor, "enqueue");
	dequeue = lp_monitor_method(monitor, "dequeue");
	const double begin = now();
	for (int i = 0; i < threads; i++)
		pthread_create(&ids[i], NULL, place, NULL);
	while (now() - begin < run_seconds) {
		nanosleep(&(struct timespec){ 0, 100 * 1000 * 1000 }, NULL);
		const uint64_t kb = resident_kb();
		most_kb = kb > most_kb ? kb : most_kb;
		lp_monitor_stats(monitor, &s);
		most_bytes = s.bytes > most_bytes ? s.bytes : most_bytes;
	}
	atomic_store(&stop, 1);
	const double seconds = now() - begin;
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	lp_monitor_close(monitor, &s);
	qsort(latency, found, sizeof *latency, by_size);
	const double all = (double)(s.calls + s.lost + s.skipped);
	printf("%d threads at a time, %d calls each, %d ns of other work, %.0f s\n", threads, calls_each,
	       work_ns, seconds);
	printf("  %llu threads, %.2f million calls a second, %.1f %% checked%s\n",
	       (unsigned long long)atomic_load(&threads_made), (double)atomic_load(&calls) / seconds / 1e6,
	       100 * (double)s.checked / all, s.stopped ? ", STOPPED" : "");
	if (found)
		printf("  detected within %.1f ms (median), %.1f ms (99 %%), %.1f ms (most)\n",
		       latency[found / 2] * 1e3, latency[(uint64_t)found * 99 / 100] * 1e3,
		       latency[found - 1] * 1e3);
	printf("  %u faults, %u found, %llu pauses\n", atomic_load(&faults), found,
	       (unsigned long long)s.muted);
	printf("  at most %.1f MB of the monitor, %.1f MB of the process\n", (double)most_bytes / 1e6,
	       (double)most_kb / 1e3);
	msqueue_close(&q);
	return 0;
}
