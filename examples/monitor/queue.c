/* queue.c -- a queue that is watched while it works.
 *
 *     queue [SECONDS [THREADS]]
 *
 * Threads enqueue and dequeue and do a little of something else; the monitor looks on.  With -DBUG (see
 * msqueue.h) it reports a violation while the program runs; the program then ends with
 * status 1.
 */
#include <linchpin/monitor.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "msqueue.h"

enum { MOST_THREADS = 64, NODES = 1 << 22 };

static struct msqueue q;
static struct lp_monitor *monitor;
static int enqueue, dequeue;
static _Atomic int stop;

/* What a program has a queue for. */
static void something_else(void)
{
	for (int i = 0; i < 500; i++)
		__asm__ volatile("" ::: "memory");
}

/* Values are distinct: the number of the thread, then a count. */
static void *work(void *argument)
{
	struct ms_thread mine = { MS_NONE };
	int64_t next = (int64_t)(intptr_t)argument << 40, value;

	while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
		struct lp_monitor_call c = lp_monitor_call(monitor);
		const bool put = msqueue_enqueue(&q, &mine, ++next);
		lp_monitor_return(c, enqueue, next, put ? LP_VOID : LP_FULL);
		something_else();

		c = lp_monitor_call(monitor);
		const bool got = msqueue_dequeue(&q, &mine, &value);
		lp_monitor_return(c, dequeue, LP_VOID, got ? value : LP_EMPTY);
		something_else();
	}
	return NULL;
}

/* From the checker thread: this is where production code would raise an alarm. */
static void on_violation(const struct lp_monitor_violation *v, void *context)
{
	(void)v;
	(void)context;
	atomic_store(&stop, 1);
}

int main(int argc, char **argv)
{
	const double seconds = argc > 1 ? atof(argv[1]) : 1;
	const int threads = argc > 2 ? atoi(argv[2]) : 3;
	pthread_t ids[MOST_THREADS];
	char error[256];
	struct lp_monitor_stats stats;
	struct lp_monitor_config config = {
		.spec = "queue:bounded=4194304", /* it may be full */
		.seq_cst = true, /* by what msqueue.h does */
		.most_reports = 1,
		.violation = on_violation,
	};

	monitor = lp_monitor_open(&config, error, sizeof error);
	if (!monitor || !msqueue_open(&q, NODES) || threads < 1 || threads > MOST_THREADS) {
		fprintf(stderr, "cannot begin: %s\n", monitor ? "bad arguments" : error);
		return 2;
	}
	enqueue = lp_monitor_method(monitor, "enqueue");
	dequeue = lp_monitor_method(monitor, "dequeue");
	for (int i = 0; i < threads; i++)
		pthread_create(&ids[i], NULL, work, (void *)(intptr_t)(i + 1));
	for (int i = 0; i < seconds * 100 && !atomic_load(&stop); i++)
		nanosleep(&(struct timespec){ .tv_nsec = 10 * 1000 * 1000 }, NULL);
	atomic_store(&stop, 1);
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	lp_monitor_close(monitor, &stats);
	msqueue_close(&q);
	return stats.violations ? 1 : 0;
}
