/* rwlock.c -- a reader-writer lock.
 *
 * Its state is the sorted list of threads that hold it: 2 * thread for a reader, and 2 * thread + 1 for the writer.
 */
#include "base/alloc.h"
#include "spec/kinds/shared_steps.h"

enum { WRITERS, READERS, CONTENDED };
enum { READ_LOCK, TRY_READ_LOCK, READ_UNLOCK, WRITE_LOCK, TRY_WRITE_LOCK, WRITE_UNLOCK };

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

/* Does a writer's call overlap, so that a reader may wait for it?  The reader need not wait, because the lock cannot
 * know which of the two comes first. */
static bool yields_to_writer(const struct lp_spec_call *c)
{
	bool yields = false;

	for (uint32_t i = 0; c->param[WRITERS] && c->overlap && i < c->overlap->count; i++)
		yields |= c->overlap->at[i].method == WRITE_LOCK && !c->overlap->at[i].done;
	return yields;
}

static bool yields_to_reader(const struct lp_spec_call *c)
{
	bool yields = false;

	for (uint32_t i = 0; c->param[READERS] && c->overlap && i < c->overlap->count; i++)
		yields |= (c->overlap->at[i].roles & (LP_TAKES | LP_SHARES)) == (LP_TAKES | LP_SHARES) && !c->overlap->at[i].done;
	return yields;
}

/* Does the try fail although the lock could be taken? */
static bool gives_up(const struct lp_spec_call *c, bool yields)
{
	return lp_try_fails(c, CONTENDED) || (yields && c->result && lp_answers(c, 0) == LP_ACCEPTS);
}

static enum lp_answer read_lock(struct lp_state *s, const struct lp_spec_call *c)
{
	if (is_written(s) || (!c->result && yields_to_writer(c)))
		return LP_BLOCKS;
	lp_state_insert(s, lp_state_place(s, reader(c)), reader(c));
	return LP_ACCEPTS;
}

static enum lp_answer try_read_lock(struct lp_state *s, const struct lp_spec_call *c)
{
	if (is_written(s))
		return lp_answers(c, 0);
	if (gives_up(c, yields_to_writer(c)))
		return LP_ACCEPTS;
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
	if (gives_up(c, yields_to_reader(c)))
		return LP_ACCEPTS;
	lp_state_push(s, reader(c) + 1);
	return lp_answers(c, 1);
}

static enum lp_answer write_unlock(struct lp_state *s, const struct lp_spec_call *c)
{
	return leave(s, reader(c) + 1);
}

/* Labels do not name threads, as in lock.c.  Read derives sequences during which the present readers stay, and others
 * come and go. */
static char *grammar(const int64_t *param)
{
	if (param[READERS] || param[WRITERS] || param[CONTENDED] || param[CONTENDED + 1])
		return NULL;
	return lp_strdup("Idle -> | Come Read <read_unlock> Idle | Come Stay | Write Busy;\n"
			 "Busy -> | <write_unlock> Idle | <try_read_lock => false> Busy | <try_write_lock => false> Busy;\n"
			 "Read -> | Come Read <read_unlock> Read | <try_write_lock => false> Read;\n"
			 "Stay -> Read | Read Come Stay;\n"
			 "Come -> <read_lock> | <try_read_lock => true>;\n"
			 "Write -> <write_lock> | <try_write_lock => true>;\n");
}

/* After a successful call of a writer, the state is known: only that writer holds the lock, or no thread does. */
static bool tells(struct lp_state *to, const struct lp_method *m, const struct lp_spec_call *c)
{
	if (!lp_lock_succeeded(m, c) || (m->roles & LP_SHARES))
		return false;
	return (m->roles & LP_GIVES) || m->step(to, c) == LP_ACCEPTS;
}

static const struct lp_method methods[] = {
	[READ_LOCK] = { "read_lock rdlock lock_read acquire_read", 0, LP_NOTHING, LP_TAKES | LP_SHARES, read_lock },
	[TRY_READ_LOCK] = { "try_read_lock tryrdlock try_read", 0, LP_TRUTH, LP_TAKES | LP_SHARES | LP_OBSERVES, try_read_lock },
	[READ_UNLOCK] = { "read_unlock rdunlock unlock_read release_read", 0, LP_NOTHING, LP_GIVES | LP_SHARES, read_unlock },
	[WRITE_LOCK] = { "write_lock wrlock lock_write acquire_write", 0, LP_NOTHING, LP_TAKES, write_lock },
	[TRY_WRITE_LOCK] = { "try_write_lock trywrlock try_write", 0, LP_TRUTH, LP_TAKES | LP_OBSERVES, try_write_lock },
	[WRITE_UNLOCK] = { "write_unlock wrunlock unlock_write release_write", 0, LP_NOTHING, LP_GIVES, write_unlock },
};

static const struct lp_param params[] = {
	[WRITERS] = { "writers", 0, "1: it prefers writers: a reader may also wait for a writer that waits" },
	[READERS] = { "readers", 0, "1: it prefers readers: a try to write may fail while a reader comes" },
	[CONTENDED] = LP_CONTENDED_PARAM,
	LP_FAILING_PARAM,
};

const struct lp_builtin lp_kind_rwlock = {
	.kind = { .name = "rwlock", .about = "many readers or one writer", .data = LP_DATA_NONE,
		  .methods = methods, .method_count = LP_COUNT(methods),
		  .params = params, .param_count = LP_COUNT(params) },
	.traits = { .by_thread = true, .overlap_params = 1 << WRITERS | 1 << READERS | 1 << CONTENDED,
		    .grammar = grammar, .tells = tells },
};
