/* steady.c -- memory while a monitor runs for long.
 *
 *     steady [--minutes M] [--threads N] [--every SECONDS]
 *
 * Threads call a Michael-Scott queue, a stack, a set and a register (these three under a
 * lock), each of them watched by a monitor of its own; values never come again.  Now and
 * then, a line: what has been called and checked, what the monitors say they hold, and what
 * the system says that the process does.  The status is 1 if in the second half of the time
 * the process ever took a megabyte more than ever in the first, or if anything was
 * reported.
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

enum { MOST = 64, NODES = 1 << 16, ROOM = 1024, KEYS = 512 };
enum kind { QUEUE, STACK, SET, REGISTER, KINDS };
static const char *const specs[] = { "queue", "stack", "set", "register" };
static const char *const puts_in[] = { "enqueue", "push", "insert", "write" };
static const char *const takes_out[] = { "dequeue", "pop", "remove", "read" };

static struct msqueue q;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t stack[ROOM], cell;
static uint32_t depth;
static bool has[KEYS];
static struct lp_monitor *monitors[KINDS];
static int put_method[KINDS], take_method[KINDS];
static _Atomic int stop;
static _Atomic uint64_t calls;

/* True if it could be done: a stack that is full is not pushed to. */
static bool put(enum kind kind, struct ms_thread *mine, int64_t value)
{
	bool done = true;

	if (kind == QUEUE)
		return msqueue_enqueue(&q, mine, value);
	pthread_mutex_lock(&lock);
	if (kind == STACK) {
		if ((done = depth < ROOM))
			stack[depth++] = value;
	} else if (kind == SET) {
		done = !has[value % KEYS];
		has[value % KEYS] = true;
	} else {
		cell = value;
	}
	pthread_mutex_unlock(&lock);
	return done;
}

static int64_t take(enum kind kind, struct ms_thread *mine, int64_t key)
{
	int64_t value = LP_EMPTY;

	if (kind == QUEUE)
		return msqueue_dequeue(&q, mine, &value) ? value : LP_EMPTY;
	pthread_mutex_lock(&lock);
	if (kind == STACK) {
		value = depth ? stack[--depth] : LP_EMPTY;
	} else if (kind == SET) {
		value = has[key];
		has[key] = false;
	} else {
		value = cell;
	}
	pthread_mutex_unlock(&lock);
	return value;
}

/* More goes in than out for a while, then the other way round. */
static void *work(void *number)
{
	struct ms_thread mine = { MS_NONE };
	int64_t next = (int64_t)(intptr_t)number << 40;
	uint64_t random = (uint64_t)next;

	while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
		for (int i = 0; i < 4096; i++) {
			random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
			const enum kind kind = (enum kind)(random >> 62);
			const bool in = (random >> 32 & 15) < (next >> 9 & 1 ? 9 : 7);
			struct lp_monitor_call c = lp_monitor_call(monitors[kind]);
			if (in) {
				const int64_t value = kind == SET ? ++next % KEYS : ++next;
				const bool done = put(kind, &mine, value);
				lp_monitor_return(c, put_method[kind], value,
						  kind == SET ? done : done ? LP_VOID : LP_FULL);
			} else {
				const int64_t key = (int64_t)(random >> 40) % KEYS;
				const int64_t value = take(kind, &mine, key);
				lp_monitor_return(c, take_method[kind], kind == SET ? key : LP_VOID, value);
			}
		}
		atomic_fetch_add(&calls, 4096);
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

static void open_monitors(void)
{
	struct lp_monitor_config config = { 0 };
	char error[256], spec[64];

	for (int k = 0; k < KINDS; k++) {
		snprintf(spec, sizeof spec, "%s%s", specs[k],
			 k == QUEUE ? ":bounded=65536" : k == STACK ? ":bounded=1024" : "");
		config.spec = spec;
		if (!(monitors[k] = lp_monitor_open(&config, error, sizeof error))) {
			fprintf(stderr, "cannot watch a %s: %s\n", spec, error);
			exit(2);
		}
		put_method[k] = lp_monitor_method(monitors[k], puts_in[k]);
		take_method[k] = lp_monitor_method(monitors[k], takes_out[k]);
	}
}

int main(int argc, char **argv)
{
	double minutes = 10, every = 15;
	int threads = 2;
	pthread_t ids[MOST];
	struct lp_monitor_stats s;
	uint64_t most[2] = { 0 }, violations = 0; /* kB, in each half */

	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--minutes"))
			minutes = atof(argv[i + 1]);
		else if (!strcmp(argv[i], "--threads"))
			threads = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--every"))
			every = atof(argv[i + 1]);
	}
	if (threads < 1 || threads > MOST || minutes <= 0 || every <= 0 || !msqueue_open(&q, NODES)) {
		fprintf(stderr, "at most %d threads, for some minutes\n", MOST);
		return 2;
	}
	open_monitors();
	for (int i = 0; i < threads; i++)
		pthread_create(&ids[i], NULL, work, (void *)(intptr_t)(i + 1));
	printf("%8s %14s %14s %12s %12s\n", "seconds", "calls", "checked", "monitors kB", "resident kB");
	for (double at = every; at <= minutes * 60 + every / 2; at += every) {
		uint64_t checked = 0, bytes = 0;
		nanosleep(&(struct timespec){ (time_t)every, (long)((every - (double)(long)every) * 1e9) },
			  NULL);
		for (int k = 0; k < KINDS; k++) {
			lp_monitor_stats(monitors[k], &s);
			checked += s.checked;
			bytes += s.bytes;
		}
		const uint64_t kb = resident_kb();
		printf("%8.0f %14llu %14llu %12llu %12llu\n", at,
		       (unsigned long long)atomic_load(&calls), (unsigned long long)checked,
		       (unsigned long long)bytes / 1024, (unsigned long long)kb);
		fflush(stdout);
		const int half = at > minutes * 30;
		most[half] = kb > most[half] ? kb : most[half];
	}
	atomic_store(&stop, 1);
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	for (int k = 0; k < KINDS; k++) {
		lp_monitor_close(monitors[k], &s);
		violations += s.violations;
	}
	msqueue_close(&q);
	printf("at most %llu kB in the first half, %llu kB in the second; %llu violations\n",
	       (unsigned long long)most[0], (unsigned long long)most[1],
	       (unsigned long long)violations);
	return violations || most[1] > most[0] + 1024;
}
