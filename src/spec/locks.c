/* locks.c -- locks, reader-writer locks, semaphores. */
#include "spec/steps.h"

/* A lock's state is its holder: thread + 1, or 0.  param: anyone */
void lp_lock_begin(struct lp_state *s, const int64_t *param)
{
	(void)param;
	lp_state_push(s, 0);
}

static int64_t holder(const struct lp_spec_call *c)
{
	return c->param[0] ? 1 : (int64_t)c->thread + 1;
}

enum lp_answer lp_lock_lock(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->at[0])
		return LP_BLOCKS;
	s->at[0] = holder(c);
	return LP_ACCEPTS;
}

enum lp_answer lp_lock_try(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->at[0])
		return lp_answers(c, 0);
	s->at[0] = holder(c);
	return lp_answers(c, 1);
}

enum lp_answer lp_lock_unlock(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->at[0] != holder(c))
		return LP_REJECTS;
	s->at[0] = 0;
	return LP_ACCEPTS;
}

/* A reader-writer lock's state: the threads that hold it, sorted, a reader as
 * 2 * thread and the writer as 2 * thread + 1. */
static int64_t reader(const struct lp_spec_call *c)
{
	return 2 * (int64_t)c->thread;
}

static bool is_written(const struct lp_state *s)
{
	return s->count == 1 && (s->at[0] & 1);
}

static enum lp_answer leave(struct lp_state *s, int64_t who)
{
	if (!lp_state_has(s, who))
		return LP_REJECTS;
	lp_state_remove(s, lp_state_place(s, who));
	return LP_ACCEPTS;
}

enum lp_answer lp_rwlock_read(struct lp_state *s, const struct lp_spec_call *c)
{
	if (is_written(s))
		return LP_BLOCKS;
	lp_state_insert(s, lp_state_place(s, reader(c)), reader(c));
	return LP_ACCEPTS;
}

enum lp_answer lp_rwlock_try_read(struct lp_state *s, const struct lp_spec_call *c)
{
	if (is_written(s))
		return lp_answers(c, 0);
	lp_state_insert(s, lp_state_place(s, reader(c)), reader(c));
	return lp_answers(c, 1);
}

enum lp_answer lp_rwlock_read_unlock(struct lp_state *s, const struct lp_spec_call *c)
{
	return leave(s, reader(c));
}

enum lp_answer lp_rwlock_write(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->count)
		return LP_BLOCKS;
	lp_state_push(s, reader(c) + 1);
	return LP_ACCEPTS;
}

enum lp_answer lp_rwlock_try_write(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->count)
		return lp_answers(c, 0);
	lp_state_push(s, reader(c) + 1);
	return lp_answers(c, 1);
}

enum lp_answer lp_rwlock_write_unlock(struct lp_state *s, const struct lp_spec_call *c)
{
	return leave(s, reader(c) + 1);
}

/* A semaphore's state: permits that are left.  param: init, bounded */
void lp_semaphore_begin(struct lp_state *s, const int64_t *param)
{
	lp_state_push(s, param[0]);
}

enum lp_answer lp_semaphore_acquire(struct lp_state *s, const struct lp_spec_call *c)
{
	(void)c;
	return s->at[0]-- > 0 ? LP_ACCEPTS : LP_BLOCKS;
}

enum lp_answer lp_semaphore_try(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->at[0] <= 0)
		return lp_answers(c, 0);
	s->at[0]--;
	return lp_answers(c, 1);
}

enum lp_answer lp_semaphore_release(struct lp_state *s, const struct lp_spec_call *c)
{
	if (c->param[1] && s->at[0] >= c->param[1])
		return LP_REJECTS;
	s->at[0]++;
	return LP_ACCEPTS;
}

enum lp_answer lp_semaphore_value(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, s->at[0]);
}
