/* test_race.c -- the race detector against the definition of a race.
 *
 *     test_race [--runs N] [--seed S]     random runs (and the fixed cases)
 *     test_race --bench                   rates
 *
 * A run is a list of operations of a few threads: plain and atomic accesses,
 * events that synchronise, forks, joins, memory that becomes new.  The oracle
 * keeps every access ever made with the set of bytes it touched, and happens-before
 * as a relation: the ancestors of each node of the graph made by po and the edges
 * of synchronisation.  It knows neither clocks nor epochs.  The detector gets the
 * clocks.  At each access both must agree on whether it races, and the party that
 * the detector names must be one that the oracle finds racing.
 *
 * Runs are rewound now and then and go on differently; a second detector,
 * newly made and fed what is left, must give exactly the same answers from then on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "expect.h"
#include "model/race.h"

enum {
	MAX_THREADS = 6,
	MAX_OPS = 160,
	SPAN = 64,             /* bytes of memory that random accesses fall into */
	WORDS = (MAX_OPS + 63) / 64,
	TID_STRIDE = 3,        /* detector's thread ids need not be dense */
	WIDTH = MAX_THREADS * TID_STRIDE,
};

/* The memory lies across the boundary of two pages of any likely size. */
static const uintptr_t base = 0x7f0000010000 - SPAN / 2 - 3;

static uint64_t random_state;

static uint32_t random_word(void)
{
	random_state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t x = random_state;
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)(x >> 32);
}

static uint32_t below(uint32_t n)
{
	return random_word() % n;
}

/* One operation.  An event counts in its thread's clock; `from` is an earlier
 * event that it synchronises with. */
enum kind { PLAIN, ATOMIC, SYNC, FORK, JOIN, ALLOCATE };

struct op {
	enum kind kind;
	uint32_t thread;
	int from;              /* ATOMIC, SYNC: index of an operation, or -1 */
	uint32_t other;        /* FORK: the child; JOIN: the thread that has ended */
	bool write;
	uint32_t offset, size; /* PLAIN, ATOMIC, ALLOCATE */
	uintptr_t pc;
};

/* What an operation looked like when it took place. */
struct node {
	uint64_t past[WORDS];       /* operations that happen before it, and itself */
	uint64_t bytes;             /* touched and not allocated since */
	uint32_t clock[WIDTH];      /* its past; events: with itself counted */
	uint32_t epoch;
};

struct run {
	struct op op[MAX_OPS];
	struct node node[MAX_OPS];
	int count;
	int last[MAX_THREADS];         /* operation, or -1 */
	uint32_t clock[MAX_THREADS][WIDTH];
	uint32_t threads;
	bool ended[MAX_THREADS];
	int first[MAX_THREADS];        /* the FORK that began it, or -1 */
};

static void clear_run(struct run *run)
{
	memset(run, 0, sizeof *run);
	run->threads = 1;
	for (uint32_t t = 0; t < MAX_THREADS; t++)
		run->last[t] = run->first[t] = -1;
}

static uint64_t span(const struct op *op)
{
	if (!op->size)
		return 0;
	return UINT64_MAX >> (64 - op->size) << op->offset;
}

/* To allocate memory is to write to it. */
static bool is_plain(const struct op *op)
{
	return op->kind == PLAIN || op->kind == ALLOCATE;
}

static bool is_access(const struct op *op)
{
	return is_plain(op) || op->kind == ATOMIC;
}

static bool conflicts(const struct op *a, const struct op *b)
{
	return is_access(a) && is_access(b) && (a->write || b->write) &&
	       (is_plain(a) || is_plain(b));
}

static bool before(const struct run *run, int a, int b)
{
	return run->node[b].past[a / 64] >> (a % 64) & 1;
}

static bool races(const struct run *run, int a, int b)
{
	return conflicts(&run->op[a], &run->op[b]) && !before(run, a, b) &&
	       (run->node[a].bytes & run->node[b].bytes);
}

static void join_pasts(struct node *n, const struct run *run, int from)
{
	if (from >= 0)
		for (int w = 0; w < WORDS; w++)
			n->past[w] |= run->node[from].past[w];
}

static void join_clocks(uint32_t *into, const uint32_t *from)
{
	for (int i = 0; i < WIDTH; i++)
		if (into[i] < from[i])
			into[i] = from[i];
}

/* Adds an operation to the run: graph and clocks. */
static void add_op(struct run *run, struct op op)
{
	const int i = run->count++;
	struct node *n = &run->node[i];
	const uint32_t t = op.thread;
	uint32_t *clock = run->clock[t];

	memset(n, 0, sizeof *n);
	run->op[i] = op;
	for (int j = 0; op.kind == ALLOCATE && j < i; j++)
		run->node[j].bytes &= ~span(&op);
	n->past[i / 64] |= UINT64_C(1) << (i % 64);
	join_pasts(n, run, run->last[t] >= 0 ? run->last[t] : run->first[t]);
	if (is_access(&op))
		n->bytes = span(&op);
	n->epoch = clock[t * TID_STRIDE];
	if (!is_plain(&op)) {
		if (op.kind == JOIN) {
			join_pasts(n, run, run->last[op.other] >= 0 ?
				run->last[op.other] : run->first[op.other]);
			join_clocks(clock, run->clock[op.other]);
		} else if (op.from >= 0) {
			join_pasts(n, run, op.from);
			join_clocks(clock, run->node[op.from].clock);
		}
		clock[t * TID_STRIDE]++;
	}
	memcpy(n->clock, clock, sizeof n->clock);
	if (op.kind == FORK) {
		run->first[op.other] = i;
		memcpy(run->clock[op.other], clock, sizeof n->clock);
		if (run->threads < op.other + 1)
			run->threads = op.other + 1;
	}
	run->last[t] = i;
}

/* The end of a thread is an event: what it did last is before the join. */
static void end_thread(struct run *run, uint32_t t)
{
	add_op(run, (struct op){ .kind = SYNC, .thread = t, .from = -1 });
	run->ended[t] = true;
}

static void keep_ops(struct run *run, int count)
{
	static struct run copy;
	bool ended[MAX_THREADS] = { 0 };

	copy = *run;
	clear_run(run);
	for (int i = 0; i < count; i++) {
		add_op(run, copy.op[i]);
		if (copy.op[i].kind == JOIN)
			ended[copy.op[i].other] = true;
	}
	memcpy(run->ended, ended, sizeof ended);
}

/* Feeds operation `i`; false if it is not for the detector. */
static bool feed(struct lp_race *r, const struct run *run, int i,
		 bool *raced, struct lp_race_access *earlier)
{
	const struct op *op = &run->op[i];
	const struct node *n = &run->node[i];

	if (!is_access(op))
		return false;
	const struct lp_race_access now = {
		.thread = op->thread * TID_STRIDE,
		.epoch = n->epoch,
		.pc = op->pc,
		.write = op->write,
		.atomic = op->kind == ATOMIC,
		.fresh = op->kind == ALLOCATE,
	};
	if (op->kind == ALLOCATE) {
		lp_race_allocated(r, &now, base + op->offset, op->size);
		return false;
	}

	/* An atomic access' clock may count itself or not; trailing zeros may be
	 * left out. */
	uint32_t clock[WIDTH];
	uint32_t width = WIDTH;
	memcpy(clock, n->clock, sizeof clock);
	if (op->kind == ATOMIC && (op->pc & 1))
		clock[op->thread * TID_STRIDE]--;
	while (width && !clock[width - 1])
		width--;
	uint32_t *exact = lp_alloc(width * sizeof *exact); /* for ASan to see overruns */
	memcpy(exact, clock, width * sizeof *exact);

	*raced = lp_race_access(r, &now, base + op->offset, op->size, (struct lp_race_past){ exact, width }, earlier);
	lp_free(exact);
	return true;
}

/* Is the party that was named one that races with operation `i`? */
static bool is_party(const struct run *run, int i, const struct lp_race_access *named)
{
	for (int j = 0; j < i; j++)
		if (races(run, j, i) && run->op[j].thread * TID_STRIDE == named->thread &&
		    run->node[j].epoch == named->epoch && run->op[j].pc == named->pc &&
		    run->op[j].write == named->write &&
		    (run->op[j].kind == ATOMIC) == named->atomic)
			return true;
	return false;
}

static void random_place(struct op *op, bool aligned)
{
	static const uint32_t sizes[] = { 1, 2, 4, 8, 16 };

	if (aligned) { /* to the true address */
		op->size = sizes[below(4)];
		op->offset = below(SPAN / 4);
		op->offset += (uint32_t)(-(base + op->offset) % op->size);
	} else {
		op->size = below(8) ? 1 + below(16) : below(SPAN / 2);
		op->offset = below(SPAN + 1 - op->size);
		if (below(2)) /* a crowd in one place */
			op->offset %= 12;
	}
}

/* How a run is made; each run draws its own, so that some have many
 * synchronised accesses before the first race and others none. */
struct mix {
	uint32_t threads, sync, atomic, write, allocate, pcs;
	bool aligned;
};

static uint32_t live_thread(const struct run *run)
{
	uint32_t t;

	do
		t = below(run->threads);
	while (run->ended[t]);
	return t;
}

/* An earlier event that a lock or a release would be: any of another thread, the
 * most recent ones preferred. */
static int random_event(const struct run *run, uint32_t thread)
{
	for (int tries = 0; tries < 8 && run->count; tries++) {
		const int i = run->count - 1 - (int)below((uint32_t)run->count) / (1 + tries % 4);
		if (run->op[i].kind != PLAIN && run->op[i].kind != ALLOCATE &&
		    run->op[i].thread != thread)
			return i;
	}
	return -1;
}

static void random_op(struct run *run, const struct mix *mix)
{
	struct op op = { .from = -1, .thread = live_thread(run) };

	op.pc = 0x1000 + (mix->pcs ? below(mix->pcs) : random_word());
	if (run->threads < mix->threads && !below(4)) {
		op.kind = FORK;
		op.other = run->threads;
	} else if (run->threads > 1 && !below(30)) {
		uint32_t other = live_thread(run);
		if (other == op.thread)
			return;
		end_thread(run, other);
		op.kind = JOIN;
		op.other = other;
	} else if (below(100) < mix->allocate) {
		op.kind = ALLOCATE;
		op.write = true;
		random_place(&op, mix->aligned);
	} else if (below(100) < mix->sync) {
		op.kind = SYNC;
		op.from = random_event(run, op.thread);
	} else {
		op.kind = below(100) < mix->atomic ? ATOMIC : PLAIN;
		op.write = below(100) < mix->write;
		random_place(&op, mix->aligned);
		if (op.kind == ATOMIC && below(100) < mix->sync)
			op.from = random_event(run, op.thread);
	}
	add_op(run, op);
}

/* Feeds operation `i` to the detector, and to its twin if there is one; compares.
 * True if it raced. */
static bool step(struct lp_race *r, struct lp_race *twin, const struct run *run, int i)
{
	struct lp_race_access earlier = { 0 }, twins = { 0 };
	bool raced = false, twin_raced = false, expected = false;

	if (!feed(r, run, i, &raced, &earlier)) {
		if (twin)
			feed(twin, run, i, &twin_raced, &twins);
		return false;
	}
	for (int j = 0; j < i; j++)
		expected |= races(run, j, i);
	REQUIRE(raced == expected, "operation %d: %d", i, raced);
	REQUIRE(!raced || is_party(run, i, &earlier), "operation %d: thread %u epoch %u",
		i, earlier.thread, earlier.epoch);
	if (twin) {
		feed(twin, run, i, &twin_raced, &twins);
		REQUIRE(twin_raced == raced, "operation %d: the twin says %d", i, twin_raced);
		REQUIRE(earlier.thread == twins.thread && earlier.epoch == twins.epoch &&
			earlier.pc == twins.pc && earlier.write == twins.write &&
			earlier.atomic == twins.atomic, "operation %d: another party", i);
	}
	return raced;
}

static struct lp_race *make_twin(const struct run *run)
{
	struct lp_race *twin = lp_race_open();
	struct lp_race_access earlier;
	bool raced = false;

	for (int i = 0; i < run->count; i++)
		feed(twin, run, i, &raced, &earlier);
	return twin;
}

struct totals {
	uint64_t accesses, races, rewinds, quiet;
};

/* `r` is the same for all runs: emptied by rewinding only. */
static void random_run(struct lp_race *r, struct totals *totals)
{
	static struct run run;
	struct {
		int count;
		size_t mark;
	} marks[32];
	int marked = 0;
	struct lp_race *twin = NULL;
	bool quiet = true;
	const struct mix mix = {
		.threads = 1 + below(MAX_THREADS),
		.sync = below(90),
		.atomic = below(3) ? below(100) : 0,
		.write = below(70),
		.allocate = below(3) ? 0 : below(20),
		.pcs = below(2) * (1 + below(4)),
		.aligned = below(3) == 0,
	};
	const uint32_t steps = 1 + below(3 * MAX_OPS);

	clear_run(&run);
	lp_race_rewind(r, 0);
	for (uint32_t n = 0; n < steps && run.count + 2 <= MAX_OPS; n++) {
		bool raced = false;

		if (marked < 32 && !below(6)) {
			marks[marked].count = run.count;
			marks[marked++].mark = lp_race_mark(r);
		}
		const int from = run.count;
		random_op(&run, &mix);
		for (int i = from; i < run.count; i++) {
			raced |= step(r, twin, &run, i);
			totals->accesses += is_access(&run.op[i]);
		}
		totals->races += raced;
		quiet &= !raced;

		if (raced && !marked)
			break;
		if (raced || (marked && !below(25))) {
			marked = (int)below((uint32_t)marked);
			keep_ops(&run, marks[marked].count);
			lp_race_rewind(r, marks[marked].mark);
			marked += below(2); /* the mark still holds */
			totals->rewinds++;
			lp_race_close(twin);
			twin = !below(8) ? make_twin(&run) : NULL;
		}
	}
	totals->quiet += quiet;
	lp_race_close(twin);
}

/* Accesses with an explicit clock, for the cases below. */
static bool touch(struct lp_race *r, uint32_t thread, uint32_t epoch, const char *what,
		  uintptr_t loc, size_t size, const uint32_t *clock, uint32_t width)
{
	struct lp_race_access earlier;
	const struct lp_race_access now = {
		.thread = thread, .epoch = epoch, .pc = 1,
		.write = what[1] == 'w', .atomic = what[0] == 'a',
	};
	return lp_race_access(r, &now, loc, size, (struct lp_race_past){ clock, width }, &earlier);
}

static void allocate(struct lp_race *r, uint32_t thread, uintptr_t loc, size_t size)
{
	const struct lp_race_access now = { .thread = thread, .pc = 1, .write = true, .fresh = true };

	lp_race_allocated(r, &now, loc, size);
}

/* All sixteen pairs of classes, unordered and ordered. */
static void test_pairs(void)
{
	static const char *const class[] = { "pr", "pw", "ar", "aw" };
	const uint32_t none[2] = { 0, 0 }, seen[2] = { 1, 0 };

	for (int a = 0; a < 4; a++)
		for (int b = 0; b < 4; b++) {
			struct lp_race *r = lp_race_open();
			const bool conflict = (class[a][0] == 'p' || class[b][0] == 'p') &&
					      (class[a][1] == 'w' || class[b][1] == 'w');

			touch(r, 0, 0, class[a], 0x5000, 4, none, 2);
			const size_t mark = lp_race_mark(r);
			REQUIRE(touch(r, 1, 0, class[b], 0x5003, 2, none, 2) == conflict,
				"%s, %s", class[a], class[b]);
			lp_race_rewind(r, mark);
			REQUIRE(touch(r, 1, 0, class[b], 0x5003, 2, NULL, 0) == conflict,
				"%s, %s without a clock", class[a], class[b]);
			lp_race_rewind(r, mark);
			REQUIRE(!touch(r, 1, 0, class[b], 0x5003, 2, seen, 2),
				"%s, %s ordered", class[a], class[b]);
			lp_race_rewind(r, mark);
			REQUIRE(!touch(r, 1, 0, class[b], 0x5004, 2, none, 2),
				"%s, %s apart", class[a], class[b]);
			lp_race_close(r);
		}
}

/* Many readers of one byte: each of them must be remembered, and undone. */
static void test_crowd(void)
{
	enum { CROWD = 500 };
	struct lp_race *r = lp_race_open();
	uint32_t clock[CROWD] = { 0 };

	for (uint32_t t = 0; t < CROWD; t++)
		REQUIRE(!touch(r, t, 7, "pr", 0x5000, 1, clock, 0), "reader %u", t);
	const size_t mark = lp_race_mark(r);
	for (uint32_t missing = 0; missing < CROWD; missing++) {
		for (uint32_t t = 0; t < CROWD; t++)
			clock[t] = t == missing ? 7 : 8;
		REQUIRE(touch(r, CROWD, 0, "pw", 0x5000, 8, clock, CROWD), "reader %u", missing);
		lp_race_rewind(r, mark);
	}
	for (uint32_t t = 0; t < CROWD; t++)
		clock[t] = 8;
	REQUIRE(!touch(r, CROWD, 0, "pw", 0x5000, 8, clock, CROWD), "all seen");
	lp_race_rewind(r, mark);
	allocate(r, CROWD, 0x5000, 1);
	REQUIRE(!touch(r, CROWD, 0, "pw", 0x5000, 8, clock, 0), "forgotten");
	REQUIRE(touch(r, 0, 8, "ar", 0x5000, 1, clock, CROWD), "allocated by another thread");
	lp_race_rewind(r, 0);
	REQUIRE(!touch(r, CROWD, 0, "pw", 0x5000, 8, clock, 0), "undone");
	lp_race_close(r);
}

/* Ranges over many pages, some of them absent. */
static void test_ranges(void)
{
	const size_t megabyte = 1 << 20;
	struct lp_race *r = lp_race_open();

	allocate(r, 0, 0x100003, megabyte);
	const uint32_t after[] = { 1 };
	for (size_t at = 0; at < megabyte; at += 4093) { /* whole pages, and what is before and behind */
		REQUIRE(!touch(r, 1, 0, "pr", 0x100003 + at, 1, after, 1), "ordered, at %zu", at);
		REQUIRE(touch(r, 2, 0, "ar", 0x100003 + at, 1, NULL, 0), "unordered, at %zu", at);
	}
	REQUIRE(!lp_race_is_alone(r, 1, 0x100003 + megabyte / 2, 8), "allocated by another thread");
	lp_race_rewind(r, 0);
	REQUIRE(!touch(r, 2, 0, "ar", 0x100003 + megabyte / 2, 1, NULL, 0), "undone");
	lp_race_rewind(r, 0);
	REQUIRE(!touch(r, 0, 0, "pw", 0x100003, megabyte, NULL, 0), "alone");
	const size_t mark = lp_race_mark(r);
	for (int again = 0; again < 2; again++) {
		REQUIRE(touch(r, 1, 0, "ar", 0x100003, 1, NULL, 0), "first byte");
		REQUIRE(touch(r, 1, 0, "ar", 0x100003 + megabyte - 1, 1, NULL, 0), "last byte");
		REQUIRE(!touch(r, 1, 0, "pw", 0x100000, 3, NULL, 0), "before it");
		REQUIRE(!touch(r, 1, 0, "pw", 0x100003 + megabyte, 9, NULL, 0), "after it");
		lp_race_rewind(r, mark);
		allocate(r, 1, 0x100004, 2 * megabyte);
		REQUIRE(!touch(r, 1, 0, "pw", 0x100004, 2 * megabyte, NULL, 0), "forgotten");
		REQUIRE(touch(r, 1, 0, "pr", 0x100003, 1, NULL, 0), "not forgotten");
		lp_race_rewind(r, mark);
	}
	REQUIRE(!touch(r, 1, 0, "pw", 0x100003, 0, NULL, 0), "no bytes, no race");
	for (uintptr_t page = 0; page < 3000; page++) /* the table of pages grows */
		touch(r, 2, 0, "pr", 0x900000000 + page * 4096 * 5, 1, NULL, 0);
	for (uintptr_t page = 0; page < 3000; page++)
		REQUIRE(touch(r, 1, 0, "pw", 0x900000000 + page * 4096 * 5, 1, NULL, 0),
			"page %lu", (unsigned long)page);
	lp_race_close(r);
}

static double now_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void print_rate(const char *what, double since, uint64_t count)
{
	const double each = (now_seconds() - since) / (double)count;

	printf("%-52s %8.2f ns  %8.1f M/s\n", what, each * 1e9, 1e-6 / each);
}

static void bench_repeated(struct lp_race *r, uint32_t words, uint32_t stride,
			   const char *what)
{
	const uint32_t rounds = 100000000 / words;
	const uint32_t clock[2] = { 1, 0 };
	struct lp_race_access access = { .pc = 7, .write = true }, earlier;
	bool raced = false;

	lp_race_rewind(r, 0);
	const double since = now_seconds();
	for (uint32_t i = 0; i < rounds; i++)
		for (uint32_t w = 0; w < words; w++)
			raced |= lp_race_access(r, &access, 0x20000 + w * stride, 8, (struct lp_race_past){ clock, 2 },
						&earlier);
	print_rate(what, since, (uint64_t)rounds * words);
	REQUIRE(!raced, "one thread");
}

/* Two threads in turn work on eight words, synchronising after each turn, and
 * everything is undone after a hundred turns. */
static void bench_turns(struct lp_race *r)
{
	const uint32_t rounds = 20000;
	struct lp_race_access access = { .pc = 7 }, earlier;
	bool raced = false;

	lp_race_rewind(r, 0);
	const double since = now_seconds();
	for (uint32_t i = 0; i < rounds; i++) {
		uint32_t clock[2] = { 0, 0 };
		for (uint32_t turn = 0; turn < 100; turn++) {
			access.thread = turn % 2;
			access.epoch = clock[turn % 2];
			for (uint32_t w = 0; w < 8; w++) {
				access.write = w & 1;
				raced |= lp_race_access(r, &access, 0x20000 + w / 2 * 8, 8,
							(struct lp_race_past){ clock, 2 }, &earlier);
			}
			clock[turn % 2]++;
		}
		lp_race_rewind(r, 0);
	}
	print_rate("new epoch every 8 accesses, changing hands, undone", since,
		   (uint64_t)rounds * 800);
	REQUIRE(!raced, "in turns");
}

static void bench_ranges(struct lp_race *r)
{
	const uint32_t rounds = 500;
	struct lp_race_access access = { .pc = 7, .write = true }, earlier;

	lp_race_rewind(r, 0);
	double since = now_seconds();
	for (uint32_t i = 0; i < rounds; i++) {
		lp_race_access(r, &access, 0x800000, 65536, (struct lp_race_past){ NULL, 0 }, &earlier);
		lp_race_rewind(r, 0);
	}
	print_rate("range of 64 KB written and undone (per 8 bytes)", since, rounds * 8192);
	since = now_seconds();
	for (uint32_t i = 0; i < 100; i++)
		lp_race_allocated(r, &access, 0x80000000, 1 << 20);
	lp_race_rewind(r, 0);
	print_rate("1 MB allocated", since, 100);
}

static void bench(void)
{
	struct lp_race *r = lp_race_open();

	bench_repeated(r, 1, 8, "same epoch, one word");
	bench_repeated(r, 256, 8, "same epoch, 256 words");
	bench_repeated(r, 16, 4096 + 64, "same epoch, another page each time, 16 pages");
	bench_turns(r);
	bench_ranges(r);
	lp_race_close(r);
}

int main(int argc, char **argv)
{
	uint64_t runs = 40000, seed = 1;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--bench")) {
			bench();
			return 0;
		}
		if (i + 1 < argc && !strcmp(argv[i], "--runs")) {
			runs = strtoull(argv[++i], NULL, 10);
		} else if (i + 1 < argc && !strcmp(argv[i], "--seed")) {
			seed = strtoull(argv[++i], NULL, 10);
		} else {
			fprintf(stderr, "usage: test_race [--bench] [--runs N] [--seed S]\n");
			return 2;
		}
	}

	test_pairs();
	test_crowd();
	test_ranges();

	struct lp_race *r = lp_race_open();
	struct totals totals = { 0 };

	printf("%llu runs from seed %llu\n", (unsigned long long)runs, (unsigned long long)seed);
	for (uint64_t n = 0; n < runs; n++) {
		expect_seed = seed + n;
		random_state = expect_seed * UINT64_C(0xd1342543de82ef95);
		random_run(r, &totals);
	}
	lp_race_close(r);
	printf("%llu accesses, %llu races, %llu rewinds, %llu runs without a race\n",
	       (unsigned long long)totals.accesses, (unsigned long long)totals.races,
	       (unsigned long long)totals.rewinds, (unsigned long long)totals.quiet);
	return 0;
}
