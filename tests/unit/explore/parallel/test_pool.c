/* test_pool.c -- a process dies while it holds the lock of a pool, with the list in any state: the pool is discarded,
 * as often as necessary. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "expect.h"
#include "explore/parallel/open_work.h"
#include "explore/parallel/pool_inside.h"

/* Three pieces: one is taken, two wait. */
static struct lp_pool *pool_of_three(void)
{
	struct lp_open_work work = { 0 };
	const uint8_t *taken;

	for (unsigned i = 0; i < 3; i++)
		LP_PUSH(&work, (struct lp_open_piece){ .visited = i / 3.0, .end = (i + 1) / 3.0, .item = (const uint8_t *)"item", .size = 4 });
	struct lp_pool *p = lp_pool_open(2, &work);
	EXPECT(p && lp_pool_take(p, 0, &taken) == 0);
	lp_free(work.at);
	return p;
}

/* It leaves a list without an end. */
static void die_with_lock(struct lp_pool *p)
{
	const pid_t pid = fork();

	if (!pid) {
		lp_pool_lock(p);
		p->piece[2].after = 1;
		raise(SIGKILL);
	}
	EXPECT(waitpid(pid, NULL, 0) == pid);
}

static void is_discarded_when(enum lp_pool_stop stop)
{
	struct lp_pool *p = pool_of_three();
	struct lp_bytes bytes = { 0 };
	struct lp_pool_result result;
	struct lp_open_work work;
	const uint8_t *item;

	if (stop != LP_POOL_RUNS)
		lp_pool_stop(p, stop);
	die_with_lock(p);
	EXPECT(lp_pool_is_discarded(p));
	EXPECT(lp_pool_stopped(p) == (stop == LP_POOL_RUNS ? LP_POOL_TORN : stop)); /* the first reason counts */
	EXPECT(lp_pool_is_over(p, 0));
	EXPECT(!lp_pool_copy(p, &work, &bytes));
	lp_pool_finish(p, 0, &(struct lp_pool_counts){ .executions = 7 }, NULL, 0);
	EXPECT(lp_pool_take(p, 1, &item) == LP_NO_PIECE);
	lp_pool_lose(p, 1);
	lp_pool_result(p, &result);
	EXPECT(!result.failed);
	EXPECT(lp_pool_validate(p));
	lp_open_work_drop(&work);
	lp_free(bytes.at);
	lp_pool_close(p);
}

/* A worker that is killed at another time costs nothing. */
static void is_used_further(void)
{
	struct lp_pool *p = pool_of_three();
	const uint8_t *item;

	lp_pool_lose(p, 0);
	EXPECT(!lp_pool_is_discarded(p));
	EXPECT(lp_pool_stopped(p) == LP_POOL_RUNS);
	EXPECT(lp_pool_take(p, 1, &item) == 0);
	lp_pool_close(p);
}

int main(void)
{
	for (enum lp_pool_stop stop = LP_POOL_RUNS; stop <= LP_POOL_TORN; stop++)
		is_discarded_when(stop);
	is_used_further();
	return expect_status();
}
