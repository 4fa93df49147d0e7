/* rwlock.c -- a reader-writer lock.
 *
 * Its state is the threads that hold it, sorted, a reader as 2 * thread and the writer as 2 * thread + 1.
 */
#include "base/alloc.h"
#include "spec/kinds/shared_steps.h"

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

static enum lp_answer read_lock(struct lp_state *s, const struct lp_spec_call *c)
{
	if (is_written(s))
		return LP_BLOCKS;
	lp_state_insert(s, lp_state_place(s, reader(c)), reader(c));
	return LP_ACCEPTS;
}

static enum lp_answer try_read_lock(struct lp_state *s, const struct lp_spec_call *c)
{
	if (is_written(s))
		return lp_answers(c, 0);
	lp_state_insert(s, lp_state_place(s, reader(c)), reader(c));
	return lp_answers(c, 1);
}

static enum lp_answer read_unlock(struct lp_state *s, const struct lp_spec_call *c)
{
	return leave(s, reader(c));
}

static enum lp_answer write_lock(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->count)
		return LP_BLOCKS;
	lp_state_push(s, reader(c) + 1);
	return LP_ACCEPTS;
}

static enum lp_answer try_write_lock(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->count)
		return lp_answers(c, 0);
	lp_state_push(s, reader(c) + 1);
	return lp_answers(c, 1);
}

static enum lp_answer write_unlock(struct lp_state *s, const struct lp_spec_call *c)
{
	return leave(s, reader(c) + 1);
}

/* Without threads, as for locks.  Read: a stretch in which the readers that were there stay, and others come and go. */
static char *grammar(const int64_t *param)
{
	(void)param;
	return lp_strdup("Idle -> | Come Read <read_unlock> Idle | Come Stay | Write Busy;\n"
			 "Busy -> | <write_unlock> Idle | <try_read_lock => false> Busy | <try_write_lock => false> Busy;\n"
			 "Read -> | Come Read <read_unlock> Read | <try_write_lock => false> Read;\n"
			 "Stay -> Read | Read Come Stay;\n"
			 "Come -> <read_lock> | <try_read_lock => true>;\n"
			 "Write -> <write_lock> | <try_write_lock => true>;\n");
}

/* A writer is alone. */
static bool tells(struct lp_state *to, const struct lp_method *m, const struct lp_spec_call *c)
{
	if (!lp_lock_succeeded(m, c) || (m->roles & LP_SHARES))
		return false;
	return (m->roles & LP_GIVES) || m->step(to, c) == LP_ACCEPTS;
}

static const struct lp_method methods[] = {
	{ "read_lock rdlock lock_read acquire_read", 0, LP_NOTHING, LP_TAKES | LP_SHARES, read_lock },
	{ "try_read_lock tryrdlock try_read", 0, LP_TRUTH, LP_TAKES | LP_SHARES | LP_OBSERVES, try_read_lock },
	{ "read_unlock rdunlock unlock_read release_read", 0, LP_NOTHING, LP_GIVES | LP_SHARES, read_unlock },
	{ "write_lock wrlock lock_write acquire_write", 0, LP_NOTHING, LP_TAKES, write_lock },
	{ "try_write_lock trywrlock try_write", 0, LP_TRUTH, LP_TAKES | LP_OBSERVES, try_write_lock },
	{ "write_unlock wrunlock unlock_write release_write", 0, LP_NOTHING, LP_GIVES, write_unlock },
};

const struct lp_builtin lp_kind_rwlock = {
	.kind = { .name = "rwlock", .about = "many readers or one writer", .data = LP_DATA_NONE,
		  .methods = methods, .method_count = LP_COUNT(methods) },
	.traits = { .by_thread = true, .grammar = grammar, .tells = tells },
};
