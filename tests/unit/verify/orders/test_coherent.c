/* test_coherent.c -- coherence of executions that are written down step by step (verify/orders/coherent.h).
 *
 * The four forbidden shapes of coherence, CoWW, CoRW, CoWR and CoRR, each within a thread and between two threads, and for each
 * the same steps without the happens-before, which are allowed.
 */
#include "verify/orders/coherent.h"

#include "base/alloc.h"
#include "explore/explore.h"

#include "../../../expect.h"

enum { X = 64, Y = 128, THREADS = 2 };

/* One access.  `read` and `over` are what it reads from and overwrites: a step, INIT or NO. */
struct row {
	lp_tid thread;
	uint32_t event;
	uint8_t kind;
	uintptr_t loc;
	uint32_t read, over;
	uint32_t hb[THREADS];
};

#define INIT LP_STEP_INITIAL
#define NO LP_STEP_NONE

static enum lp_coherence judge(const struct row *rows, uint32_t count, uint8_t last_size)
{
	struct lp_step steps[8] = { 0 };
	struct lp_arena arena = { 0 };

	for (uint32_t i = 0; i < count; i++)
		steps[i] = (struct lp_step){
			.thread = rows[i].thread, .event = rows[i].event, .reads_from = rows[i].read, .co_after = rows[i].over,
			.op = { .kind = rows[i].kind, .loc = rows[i].loc, .size = i + 1 == count && last_size ? last_size : 4 },
			.hb = rows[i].hb, .hb_width = THREADS,
		};
	const enum lp_coherence answer = lp_coherent_steps(steps, count, &arena);
	lp_arena_close(&arena);
	return answer;
}

#define JUDGE(...) judge((const struct row[]){ __VA_ARGS__ }, sizeof((const struct row[]){ __VA_ARGS__ }) / sizeof(struct row), 0)

/* Thread 0 stores 1 and then 2; co has them in the order of po, or the other way round. */
static void test_writes(void)
{
	EXPECT(JUDGE({ 0, 0, LP_OP_STORE, X, NO, INIT, { 1, 0 } }, { 0, 1, LP_OP_STORE, X, NO, 0, { 2, 0 } }) == LP_COHERENT);
	EXPECT(JUDGE({ 0, 0, LP_OP_STORE, X, NO, 1, { 1, 0 } }, { 0, 1, LP_OP_STORE, X, NO, INIT, { 2, 0 } }) == LP_NOT_COHERENT);
	/* On two locations there is no such order. */
	EXPECT(JUDGE({ 0, 0, LP_OP_STORE, X, NO, INIT, { 1, 0 } }, { 0, 1, LP_OP_STORE, Y, NO, INIT, { 2, 0 } }) == LP_COHERENT);
	/* Of two threads: only if one store happens before the other. */
	EXPECT(JUDGE({ 0, 0, LP_OP_STORE, X, NO, 1, { 1, 0 } }, { 1, 0, LP_OP_STORE, X, NO, INIT, { 0, 1 } }) == LP_COHERENT);
	EXPECT(JUDGE({ 0, 0, LP_OP_STORE, X, NO, 1, { 1, 0 } }, { 1, 0, LP_OP_STORE, X, NO, INIT, { 1, 1 } }) == LP_NOT_COHERENT);
}

/* Thread 1 reads x after, or before, stores of thread 0. */
static void test_reads(void)
{
	/* CoWR: the initial value after a store that happens before. */
	EXPECT(JUDGE({ 0, 0, LP_OP_STORE, X, NO, INIT, { 1, 0 } }, { 1, 0, LP_OP_LOAD, X, INIT, NO, { 0, 1 } }) == LP_COHERENT);
	EXPECT(JUDGE({ 0, 0, LP_OP_STORE, X, NO, INIT, { 1, 0 } }, { 1, 0, LP_OP_LOAD, X, INIT, NO, { 1, 1 } }) == LP_NOT_COHERENT);
	EXPECT(JUDGE({ 0, 0, LP_OP_STORE, X, NO, INIT, { 1, 0 } }, { 1, 0, LP_OP_LOAD, X, 0, NO, { 1, 1 } }) == LP_COHERENT);
	/* CoRR: a thread reads the new value, then the old one. */
	EXPECT(JUDGE({ 0, 0, LP_OP_STORE, X, NO, INIT, { 1, 0 } }, { 1, 0, LP_OP_LOAD, X, 0, NO, { 0, 1 } },
		     { 1, 1, LP_OP_LOAD, X, INIT, NO, { 0, 2 } }) == LP_NOT_COHERENT);
	EXPECT(JUDGE({ 0, 0, LP_OP_STORE, X, NO, INIT, { 1, 0 } }, { 1, 0, LP_OP_LOAD, X, INIT, NO, { 0, 1 } },
		     { 1, 1, LP_OP_LOAD, X, 0, NO, { 0, 2 } }) == LP_COHERENT);
	/* A read from a later store of the same thread. */
	EXPECT(JUDGE({ 0, 0, LP_OP_LOAD, X, 1, NO, { 1, 0 } }, { 0, 1, LP_OP_STORE, X, NO, INIT, { 2, 0 } }) == LP_NOT_COHERENT);
	/* CoRW: a thread reads a store, and then writes below it. */
	EXPECT(JUDGE({ 0, 0, LP_OP_STORE, X, NO, 2, { 1, 0 } }, { 1, 0, LP_OP_LOAD, X, 0, NO, { 0, 1 } },
		     { 1, 1, LP_OP_STORE, X, NO, INIT, { 0, 2 } }) == LP_NOT_COHERENT);
	EXPECT(JUDGE({ 0, 0, LP_OP_STORE, X, NO, INIT, { 1, 0 } }, { 1, 0, LP_OP_LOAD, X, 0, NO, { 0, 1 } },
		     { 1, 1, LP_OP_STORE, X, NO, 0, { 0, 2 } }) == LP_COHERENT);
}

/* A read-modify-write is two events; its write is the second. */
static void test_rmw(void)
{
	EXPECT(JUDGE({ 0, 0, LP_OP_RMW, X, INIT, INIT, { 2, 0 } }, { 1, 0, LP_OP_RMW, X, 0, 0, { 2, 2 } }) == LP_COHERENT);
	/* Only its read happens before the load, which may then still miss its write. */
	EXPECT(JUDGE({ 0, 0, LP_OP_RMW, X, INIT, INIT, { 2, 0 } }, { 1, 0, LP_OP_LOAD, X, INIT, NO, { 1, 1 } }) == LP_COHERENT);
	EXPECT(JUDGE({ 0, 0, LP_OP_RMW, X, INIT, INIT, { 2, 0 } }, { 1, 0, LP_OP_LOAD, X, INIT, NO, { 2, 1 } }) == LP_NOT_COHERENT);
}

static void test_sizes(void)
{
	const struct row rows[] = { { 0, 0, LP_OP_STORE, X, NO, INIT, { 1, 0 } }, { 1, 0, LP_OP_LOAD, X, INIT, NO, { 0, 1 } } };

	EXPECT(judge(rows, 2, 8) == LP_COHERENCE_UNDECIDED);
}

int main(void)
{
	test_writes();
	test_reads();
	test_rmw();
	test_sizes();
	return expect_status();
}
