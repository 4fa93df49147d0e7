/* test_threads.c -- the monitor among real threads.
 *
 *     test_threads [--rounds N] [--tick N] [--dump FILE] [--churn THREADS [--seed S]]
 *
 * What is called here is correct by construction: queue, stack, set and register are plain
 * ones under a lock.  So whatever the monitor reports is a false alarm, even with tiny rings, threads that come and go, calls that are left by a jump, pauses, or more threads
 * than rings.  And then one that is wrong, which has to be found.  With --dump, a queue is
 * dumped and nothing else is done.  With --churn, so many threads come and go, in groups of random sizes with monitors of random
 * settings, and nothing else is done.
 */
#include <linchpin/monitor.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEYS = 8, ROOM = 4096, THREADS = 4 };

enum kind { QUEUE, STACK, SET, REGISTER, KINDS };
static const char *const specs[] = { "queue:bounded=4096", "stack:bounded=4096", "set", "register" };

struct object {
	enum kind kind;
	bool wrong;
	pthread_mutex_t lock;
	int64_t at[ROOM];
	uint32_t first, count;
	bool has[KEYS];
	struct lp_monitor *monitor;
	int method[3];
	int64_t next;     /* a value that was never used */
	uint32_t calls;   /* of each thread */
	bool jumps, meet;
	pthread_barrier_t all_here;
};

/* What the threads of a run do. */
enum {
	JUMPS = 1, /* leave some calls without a return */
	WRONG = 2, /* use an object that is not correct */
	MEET = 4,  /* wait for each other after their first call, so that all of them run at the same time */
	SYNC = 8,  /* wait for the checker, twice, before the first round and after every tenth */
};

struct rng {
	uint64_t x;
};

static uint32_t below(struct rng *r, uint32_t n)
{
	r->x = r->x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(r->x >> 33) % n;
}

/* Inserts or writes; false: it was full, or there. */
static bool put(struct object *o, int64_t value)
{
	bool done = true;

	pthread_mutex_lock(&o->lock);
	if (o->kind == REGISTER) {
		o->at[0] = value;
	} else if (o->kind == SET) {
		done = !o->has[value];
		o->has[value] = true;
	} else if ((done = o->count < ROOM)) {
		o->at[(o->first + o->count++) % ROOM] = value;
	}
	pthread_mutex_unlock(&o->lock);
	return done;
}

static int64_t take(struct object *o, int64_t key)
{
	int64_t result = LP_EMPTY;

	pthread_mutex_lock(&o->lock);
	if (o->kind == REGISTER) {
		result = o->at[0];
	} else if (o->kind == SET) {
		result = o->has[key];
		o->has[key] = false;
	} else if (o->count) {
		/* The wrong ones take the next but one from time to time. */
		const uint32_t skip = o->wrong && o->count > 1 &&
				      __atomic_load_n(&o->next, __ATOMIC_RELAXED) % 64 == 0;
		o->count--;
		if (o->kind == QUEUE) {
			const uint32_t i = (o->first + skip) % ROOM;
			result = o->at[i];
			o->at[i] = o->at[o->first];
			o->first = (o->first + 1) % ROOM;
		} else {
			const uint32_t last = (o->first + o->count) % ROOM;
			const uint32_t i = (o->first + o->count - skip) % ROOM;
			result = o->at[i];
			o->at[i] = o->at[last];
		}
	}
	pthread_mutex_unlock(&o->lock);
	return result;
}

static void one_call(struct object *o, struct rng *r)
{
	struct lp_monitor_call c;

	if (below(r, 2)) {
		const int64_t value = o->kind == SET ? below(r, KEYS) :
						       __atomic_add_fetch(&o->next, 1, __ATOMIC_RELAXED);
		c = lp_monitor_call(o->monitor);
		const bool done = put(o, value);
		if (o->jumps && !below(r, 50))
			return; /* as by an exception */
		lp_monitor_return(c, o->method[0], value,
				  o->kind == SET ? done : done ? LP_VOID : LP_FULL);
	} else {
		const int64_t key = below(r, KEYS);
		c = lp_monitor_call(o->monitor);
		const int64_t result = take(o, key);
		lp_monitor_return(c, o->method[1], o->kind == SET ? key : LP_VOID, result);
	}
}

static void *work(void *context)
{
	struct object *o = context;
	struct rng r = { (uint64_t)(uintptr_t)&r ^ (uint64_t)__atomic_add_fetch(&o->next, 1, __ATOMIC_RELAXED) };

	for (uint32_t i = 0; i < o->calls; i++) {
		one_call(o, &r);
		if (o->meet && i == 0)
			pthread_barrier_wait(&o->all_here);
	}
	return NULL;
}

static int failures;

static void start(pthread_t *id, void *(*body)(void *), void *context)
{
	if (pthread_create(id, NULL, body, context)) {
		fprintf(stderr, "cannot start a thread\n");
		exit(1);
	}
}

static void sync_twice(struct lp_monitor *m)
{
	lp_monitor_sync(m);
	lp_monitor_sync(m);
}

/* Every call is somewhere: recorded, lost, or made while recording was off. */
static void run(enum kind kind, const struct lp_monitor_config *base, uint32_t rounds,
		uint32_t calls, unsigned how, struct lp_monitor_stats *stats)
{
	struct lp_monitor_config config = *base;
	struct object *o = calloc(1, sizeof *o);
	char error[256];

	config.spec = specs[kind];
	*o = (struct object){ .kind = kind, .calls = calls, .jumps = how & JUMPS, .wrong = how & WRONG, .meet = how & MEET };
	pthread_mutex_init(&o->lock, NULL);
	pthread_barrier_init(&o->all_here, NULL, THREADS);
	o->monitor = lp_monitor_open(&config, error, sizeof error);
	if (!o->monitor) {
		fprintf(stderr, "%s\n", error);
		exit(1);
	}
	static const char *const put_names[] = { "enqueue", "push", "insert", "write" };
	static const char *const take_names[] = { "dequeue", "pop", "remove", "read" };
	o->method[0] = lp_monitor_method(o->monitor, put_names[kind]);
	o->method[1] = lp_monitor_method(o->monitor, take_names[kind]);
	for (uint32_t round = 0; round < rounds; round++) {
		pthread_t ids[THREADS];
		if (how & SYNC && round % 10 == 0)
			sync_twice(o->monitor);
		for (int i = 0; i < THREADS; i++)
			start(&ids[i], work, o);
		for (int i = 0; i < THREADS; i++)
			pthread_join(ids[i], NULL);
	}
	sync_twice(o->monitor);
	lp_monitor_close(o->monitor, stats);
	if (stats->calls + stats->lost + stats->skipped != (uint64_t)rounds * THREADS * calls) {
		printf("FAIL %s: of %llu calls, %llu + %llu + %llu are accounted for\n", specs[kind],
		       (unsigned long long)rounds * THREADS * calls, (unsigned long long)stats->calls,
		       (unsigned long long)stats->lost, (unsigned long long)stats->skipped);
		failures++;
	}
	pthread_barrier_destroy(&o->all_here);
	pthread_mutex_destroy(&o->lock);
	free(o);
}

static void expect(bool good, const char *what, enum kind kind, const struct lp_monitor_stats *s)
{
	printf("%-4s %-9.9s %-12s %llu calls, %llu checked, %llu unchecked, %llu lost, %llu gaps, "
	       "%llu pauses, %llu violations, %llu kB%s\n",
	       good ? "ok" : "FAIL", specs[kind], what, (unsigned long long)s->calls,
	       (unsigned long long)s->checked, (unsigned long long)s->unchecked,
	       (unsigned long long)s->lost, (unsigned long long)s->gaps, (unsigned long long)s->muted,
	       (unsigned long long)s->violations, (unsigned long long)s->bytes / 1024, s->stopped ? ", stopped" : "");
	failures += !good;
}

/* What the checker had to forget without any loss is counted, and why is told. */
static void test_forgotten(void)
{
	const struct lp_monitor_config config = { .spec = "queue", .quiet = true, .values = 64 };
	struct lp_monitor *m = lp_monitor_open(&config, NULL, 0);
	struct lp_monitor_stats stats = { 0 };

	for (int i = 0; i < 100; i++)
		lp_monitor_return(lp_monitor_call(m), lp_monitor_method(m, "enqueue"), i, LP_VOID);
	lp_monitor_close(m, &stats);
	expect(stats.forgotten == 1 && stats.calls == 100 && !stats.violations &&
		       strstr(stats.forgotten_why, "config.values"),
	       "forgotten", QUEUE, &stats);
}

struct heard {
	uint64_t losses, recoveries, not_checked;
	bool wrong; /* they do not come in turns */
};

static void hear(const struct lp_monitor_notice *n, void *context)
{
	struct heard *h = context;

	h->wrong |= n->event == LP_MONITOR_LOSS ? h->losses != h->recoveries || !n->why :
						  h->losses != h->recoveries + 1;
	h->losses += n->event == LP_MONITOR_LOSS;
	h->recoveries += n->event == LP_MONITOR_RECOVERY;
	h->not_checked += n->not_checked;
}

/* Threads come and go while the checker sleeps: 4 at a time, 400 altogether.  Their rings are those of 4, which hold
 * 16384 records.  Ten rounds make 20000 calls, so in each ten a ring gets full, though no thread makes many calls.  Then
 * the checker is woken twice: the first time it reports the loss, the second time the recovery. */
static void test_churn(void)
{
	struct heard heard = { 0 };
	const struct lp_monitor_config config = { .quiet = true, .poll_us = 1000 * 1000 * 1000, .ring = 4096,
						   .notice = hear, .context = &heard };
	struct lp_monitor_stats s;

	run(QUEUE, &config, 100, 500, SYNC, &s);
	expect(s.bytes < 2 * 1024 * 1024, "churn", QUEUE, &s);
	expect(s.lost && s.skipped && !s.violations && !s.stopped && heard.losses == 10 && heard.recoveries == 10 &&
		       !heard.wrong,
	       "overload", QUEUE, &s);
}

/* One monitor among threads that come and go: no false alarm, and memory for those that are there at a time.  The
 * check may stop only if there are too few rings and a thread without a ring leaves its call by a jump. */
static uint32_t churn_once(struct rng *r, uint64_t *violations, uint32_t *stopped)
{
	static const uint32_t rings[] = { 4, 16, 64, 1024 };
	const enum kind kind = (enum kind)below(r, KINDS);
	const struct lp_monitor_config config = { .quiet = true, .ring = rings[below(r, 4)], .poll_us = 1 + below(r, 2000),
						   .threads = below(r, 4) ? 0 : 2, .tick = below(r, 3),
						   .values = 4096 };
	const uint32_t rounds = 1 + below(r, 40), calls = 1 + below(r, 60);
	const bool jumps = !below(r, 4), wrong = kind < SET && !below(r, 4), meet = below(r, 2);
	const bool may_stop = jumps && config.threads;
	const uint64_t room = (uint64_t)2 * 1024 * 1024;
	struct lp_monitor_stats s;

	run(kind, &config, rounds, calls, (jumps ? JUMPS : 0) | (wrong ? WRONG : 0) | (meet ? MEET : 0), &s);
	if ((s.violations && !wrong) || s.bytes > room || (s.stopped && !may_stop)) {
		printf("ring %u, threads %u, poll %u us, tick %u, %u rounds of %u calls%s%s%s\n", config.ring, config.threads,
		       config.poll_us, config.tick, rounds, calls, jumps ? ", with jumps" : "", wrong ? ", wrong" : "",
		       meet ? ", all at the same time" : "");
		expect(false, "random churn", kind, &s);
	}
	*violations += s.violations;
	*stopped += s.stopped;
	return rounds * THREADS;
}

static void test_random_churn(uint32_t threads, uint64_t seed)
{
	struct rng r = { seed };
	uint32_t done = 0, monitors = 0, stopped = 0;
	uint64_t violations = 0;

	for (; done < threads && !failures; monitors++)
		done += churn_once(&r, &violations, &stopped);
	failures += !violations;
	printf("%s %u threads, %u monitors, %u of which stopped, seed %llu: %llu violations of wrong objects\n",
	       failures ? "FAIL" : "ok  ", done, monitors, stopped, (unsigned long long)seed, (unsigned long long)violations);
}

/* A counter, a map, a lock and a snapshot among threads, right and wrong; attempts that had no effect. */
struct small {
	struct lp_monitor *counter, *map, *lock, *snapshot;
	int64_t count, values[4], parts[2];
	pthread_mutex_t mutex;
	bool wrong;
	int64_t next;
};

static void one_of_each(struct small *o, struct rng *r)
{
	const int64_t key = below(r, 4), value = __atomic_add_fetch(&o->next, 1, __ATOMIC_RELAXED);

	struct lp_monitor_call c = lp_monitor_call(o->lock);
	lp_monitor_cancel(c); /* thought better of it */
	c = lp_monitor_call(o->lock);
	pthread_mutex_lock(&o->mutex);
	lp_monitor_return(c, lp_monitor_method(o->lock, "lock"), LP_VOID, LP_VOID);
	c = lp_monitor_call(o->map);
	const bool puts = below(r, 2);
	if (puts)
		o->values[key] = value;
	if (puts)
		lp_monitor_return_words(c, lp_monitor_method(o->map, "put"), (int64_t[]){ key, value }, 2, NULL, 0);
	else
		lp_monitor_return(c, lp_monitor_method(o->map, "get"), key,
				  o->values[key] - (o->wrong && value % 64 == 0));
	c = lp_monitor_call(o->lock);
	pthread_mutex_unlock(&o->mutex);
	lp_monitor_return(c, lp_monitor_method(o->lock, "unlock"), LP_VOID, LP_VOID);

	c = lp_monitor_call(o->counter);
	const int64_t was = o->wrong && value % 64 == 1 ?
				    __atomic_load_n(&o->count, __ATOMIC_SEQ_CST) :
				    __atomic_fetch_add(&o->count, 1, __ATOMIC_SEQ_CST);
	lp_monitor_return(c, lp_monitor_method(o->counter, "fetch_increment"), LP_VOID, was);

	pthread_mutex_lock(&o->mutex);
	c = lp_monitor_call(o->snapshot);
	if (puts)
		o->parts[key & 1] = value;
	const int64_t seen[] = { o->parts[0], o->parts[1] + (o->wrong && value % 64 == 2) };
	pthread_mutex_unlock(&o->mutex);
	if (puts)
		lp_monitor_return_words(c, lp_monitor_method(o->snapshot, "update"),
					(int64_t[]){ key & 1, value }, 2, NULL, 0);
	else
		lp_monitor_return_words(c, lp_monitor_method(o->snapshot, "scan"), NULL, 0, seen, 2);
}

static void *work_small(void *context)
{
	struct rng r = { (uint64_t)(uintptr_t)&r };

	for (int i = 0; i < 1500; i++)
		one_of_each(context, &r);
	return NULL;
}

static void test_small(bool wrong)
{
	const struct lp_monitor_config base = { .quiet = true, .poll_us = 200 };
	static const char *const names[] = { "counter", "map:init=0", "lock", "snapshot" };
	struct small o = { .wrong = wrong };
	struct lp_monitor **all[] = { &o.counter, &o.map, &o.lock, &o.snapshot };
	pthread_t ids[THREADS];

	pthread_mutex_init(&o.mutex, NULL);
	for (int i = 0; i < 4; i++) {
		struct lp_monitor_config config = base;
		config.spec = names[i];
		*all[i] = lp_monitor_open(&config, NULL, 0);
	}
	for (int i = 0; i < THREADS; i++)
		start(&ids[i], work_small, &o);
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
	for (int i = 0; i < 4; i++) {
		struct lp_monitor_stats s;
		char text[8192], expected[96];
		lp_monitor_sync(*all[i]);
		const size_t length = lp_monitor_metrics(*all[i], text, sizeof text);
		lp_monitor_close(*all[i], &s);
		snprintf(expected, sizeof expected, "\nlinchpin_monitor_calls_total{spec=\"%s\"} %llu\n", names[i],
			 (unsigned long long)s.calls);
		const uint64_t calls = (i == 2 ? 2u : 1u) * 1500u * THREADS; /* what was cancelled is none */
		const bool good = (wrong && i != 2 ? s.violations > 0 : !s.violations) && s.checked &&
				  s.calls + s.lost + s.skipped == calls && strlen(text) == length &&
				  strstr(text, expected);
		printf("%-4s %-11s %s: %llu calls, %llu checked, %llu lost, %llu violations, %llu forgotten\n",
		       good ? "ok" : "FAIL", names[i], wrong ? "wrong" : "right", (unsigned long long)s.calls,
		       (unsigned long long)s.checked, (unsigned long long)s.lost,
		       (unsigned long long)s.violations, (unsigned long long)s.forgotten);
		failures += !good;
	}
	pthread_mutex_destroy(&o.mutex);
}

static void *one_insert(void *context)
{
	struct lp_monitor *m = context;

	lp_monitor_return(lp_monitor_call(m), lp_monitor_method(m, "insert"), 1, 0);
	return NULL;
}

static void *one_jump(void *context)
{
	(void)lp_monitor_call(context);
	return NULL;
}

/* A thread without a ring: while it is in its call nothing can be said, then all is well.  If it leaves its call by a
 * jump, it counts as being in it from then on. */
static void test_too_many(bool jumps)
{
	struct heard heard = { 0 };
	const struct lp_monitor_config config = { .spec = "set", .quiet = true, .threads = 1,
						   .notice = hear, .context = &heard };
	struct lp_monitor *m = lp_monitor_open(&config, NULL, 0);
	struct lp_monitor_stats s;
	pthread_t other;

	const int insert = lp_monitor_method(m, "insert"), contains = lp_monitor_method(m, "contains");
	lp_monitor_return(lp_monitor_call(m), insert, 1, 1);
	start(&other, jumps ? one_jump : one_insert, m);
	pthread_join(other, NULL);
	lp_monitor_sync(m);
	lp_monitor_sync(m);
	lp_monitor_return(lp_monitor_call(m), insert, 2, 1);
	lp_monitor_sync(m);
	lp_monitor_return(lp_monitor_call(m), contains, 2, 0);
	lp_monitor_sync(m);
	lp_monitor_close(m, &s);
	expect(heard.losses == 1 && heard.recoveries == !jumps && !heard.wrong, jumps ? "jump outside" : "outside", SET, &s);
	expect(s.stopped == jumps && s.lost == 1 && s.violations == !jumps, "afterwards", SET, &s);
}

/* A monitor can be opened again where one was before, with threads that knew that one. */
static void test_slots(void)
{
	struct lp_monitor_config config = { .spec = "set", .quiet = true };
	struct lp_monitor *all[LP_MONITOR_SLOTS + 1];
	struct lp_monitor_stats stats = { 0 };
	char error[256] = "";

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i <= LP_MONITOR_SLOTS; i++)
			all[i] = lp_monitor_open(&config, error, sizeof error);
		for (int i = 0; i < LP_MONITOR_SLOTS; i++)
			lp_monitor_return(lp_monitor_call(all[i]), lp_monitor_method(all[i], "insert"), i, 1);
		expect(!all[LP_MONITOR_SLOTS] && strstr(error, "more than"), "slots", SET, &stats);
		for (int i = 0; i < LP_MONITOR_SLOTS; i++) {
			lp_monitor_close(all[i], &stats);
			if (stats.calls != 1 || stats.violations)
				expect(false, "slot", SET, &stats);
		}
	}
	config.spec = "no_such_kind";
	expect(!lp_monitor_open(&config, error, sizeof error), "no kind", SET, &stats);
	config.spec = "mailbox";
	expect(!lp_monitor_open(&config, error, sizeof error), "not live", SET, &stats);
	lp_monitor_return(lp_monitor_call(NULL), 0, 1, 1); /* switched off */
}

/* Every call is a line; whether they are correct is for the offline checker to say. */
static void test_dump(const char *name)
{
	const struct lp_monitor_config config = { .quiet = true, .dump = name, .ring = 1 << 16 };
	struct lp_monitor_stats stats;
	uint64_t lines = 0;
	int c;

	run(QUEUE, &config, 1, 500, 0, &stats);
	FILE *from = fopen(name, "r");
	while (from && (c = getc(from)) != EOF)
		lines += c == '\n';
	if (from)
		fclose(from);
	expect(lines == 4 * 500 && stats.calls == lines, "dump", QUEUE, &stats);
}

int main(int argc, char **argv)
{
	uint32_t rounds = 30, tick = 0, churn = 0;
	uint64_t seed = 1;
	const char *dump = NULL;
	struct lp_monitor_stats s;

	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--rounds"))
			rounds = (uint32_t)atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--tick"))
			tick = (uint32_t)atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--dump"))
			dump = argv[i + 1];
		else if (!strcmp(argv[i], "--churn"))
			churn = (uint32_t)atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--seed"))
			seed = strtoull(argv[i + 1], NULL, 10);
	}
	if (churn) {
		test_random_churn(churn, seed);
		return failures != 0;
	}
	if (dump) {
		test_dump(dump);
		return failures != 0;
	}
	for (int k = 0; k < KINDS; k++) {
		const enum kind kind = (enum kind)k;
		struct lp_monitor_config config = { .tick = tick, .poll_us = 200, .most_reports = 3 };
		config.quiet = true;
		run(kind, &config, rounds, 2000, 0, &s);
		expect(!s.violations && s.checked + s.unchecked + s.ignored + s.unclear == s.calls &&
			       s.calls + s.lost <= (uint64_t)rounds * 2000 * THREADS && s.checked,
		       "come and go", kind, &s);
		config.ring = 16;
		run(kind, &config, rounds, 2000, 0, &s);
		expect(!s.violations && s.lost, "tiny rings", kind, &s);
		config.ring = 1024;
		run(kind, &config, rounds, 2000, JUMPS, &s);
		expect(!s.violations && s.lost, "jumps", kind, &s);
		config.share = 0.3;
		run(kind, &config, rounds * 4, 2000, 0, &s);
		expect(!s.violations, "pauses", kind, &s);
		config.share = 0;
		config.threads = 2;
		run(kind, &config, 3, 2000, 0, &s);
		expect(!s.violations, "few rings", kind, &s);
		config.threads = 0;
		config.ring = 0;
		config.tick = 1;
		if (kind == QUEUE || kind == STACK) {
			run(kind, &config, 20, 2000, WRONG, &s);
			expect(s.violations, "wrong", kind, &s);
		}
	}
	test_slots();
	test_forgotten();
	test_churn();
	test_too_many(false);
	test_too_many(true);
	test_small(false);
	test_small(true);
	return failures != 0;
}
