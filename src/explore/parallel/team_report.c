/* team_report.c -- the messages of a machine to rank 0. */
#include "explore/parallel/team_session.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "ranks/records.h"

static const double PERSISTENT = 0.002; /* seconds: workers that wait longer get nothing from each other */
static const double TELL_EVERY = 0.1;
static const double FACTS_EVERY = 2;    /* seconds, the longest pause between exchanges: each is twice as long as the one before */

static void report_part(struct lp_team_session *s, uint32_t part, enum lp_pool_part how, const struct lp_bytes *result)
{
	const uint32_t failed = how == LP_PART_FAILED;

	LP_HOLDS(how != LP_PART_NONE && (how == LP_PART_FAILING || result->count >= sizeof(struct lp_pool_counts)));
	s->bytes.count = 0;
	lp_bytes_put(&s->bytes, &part, sizeof part);
	if (how != LP_PART_FAILING) {
		lp_bytes_put(&s->bytes, &failed, sizeof failed);
		lp_bytes_put(&s->bytes, result->at, result->count);
	}
	lp_team_report(s, how == LP_PART_FAILING ? LP_TEAM_FAILING : LP_TEAM_PART, &s->bytes);
}

/* A worker that stops at a limit first reports the reason, and then ends its piece although it is not done (parallel.c).  The machine
 * must report the reason first, too: when rank 0 learns that a part has ended, and there is no other part, everything counts as
 * visited. */
void lp_team_report_parts(struct lp_team_session *s)
{
	struct lp_bytes result = { 0 };
	enum lp_pool_part how;
	uint32_t part;

	while ((how = lp_pool_part_ended(s->workers.pool, &part, &result)) != LP_PART_NONE) {
		if (!s->stop && lp_pool_stopped(s->workers.pool) != LP_POOL_RUNS)
			lp_team_look_for_reasons(s);
		report_part(s, part, how, &result);
	}
	lp_free(result.at);
}

void lp_team_give(struct lp_team_session *s)
{
	struct lp_bytes item = { 0 }, after = { 0 };
	struct lp_team_work w;

	memset(&w, 0, sizeof w);
	if (lp_pool_withdraw(s->workers.pool, &w.part, &w.visited, &item, &after)) {
		s->bytes.count = 0;
		lp_bytes_put(&s->bytes, &w, sizeof w);
		lp_bytes_put_string(&s->bytes, after.at, after.count);
		lp_bytes_put(&s->bytes, item.at, item.count);
		lp_team_report(s, LP_TEAM_GIVE, &s->bytes);
	}
	lp_free(item.at);
	lp_free(after.at);
}

/* Waiting workers usually get pieces from other workers of this machine at once.  If they wait
 * longer, asks rank 0 for work. */
void lp_team_ask(struct lp_team_session *s, double now)
{
	const bool hungry = lp_pool_hunger(s->workers.pool) > 0;

	if (!hungry)
		s->hungry_since = 0;
	else if (s->hungry_since <= 0)
		s->hungry_since = now;
	if (!hungry || s->asked || (lp_pool_left(s->workers.pool) > 0 && now < s->hungry_since + PERSISTENT))
		return;
	s->asked = true;
	lp_team_report(s, LP_TEAM_ASK, NULL);
}

void lp_team_tell(struct lp_team_session *s, double now)
{
	struct lp_progress *p = &s->workers.progress;
	struct lp_team_told told;

	if (now < s->last_told + TELL_EVERY && !s->pass->options.limits.executions)
		return;
	s->last_told = now;
	memset(&told, 0, sizeof told);
	lp_pool_progress(s->workers.pool, p);
	told.executions = p->executions;
	told.blocked = p->blocked;
	told.counted = lp_pool_count(s->workers.pool, 0);
	told.left = lp_pool_left(s->workers.pool);
	lp_ranks_send(s->team->ranks, 0, LP_TEAM_TELL, &told, sizeof told);
}

void lp_team_report_stop(struct lp_team_session *s, enum lp_pool_stop why, const char *text)
{
	const uint32_t reason = why;

	if (s->told_stop == why || (s->told_stop && why != LP_POOL_TORN))
		return;
	LP_HOLDS(why != LP_POOL_RUNS);
	s->told_stop = why;
	s->bytes.count = 0;
	lp_bytes_put(&s->bytes, &reason, sizeof reason);
	lp_bytes_put_text(&s->bytes, text);
	lp_team_report(s, LP_TEAM_STOPPED, &s->bytes);
}

void lp_team_look_for_reasons(struct lp_team_session *s)
{
	const struct lp_explore_options *o = &s->pass->options;
	struct lp_pool *pool = s->workers.pool;
	const enum lp_pool_stop stop = lp_pool_stopped(pool);

	if (stop == LP_POOL_LOST || stop == LP_POOL_TORN)
		lp_team_report_stop(s, stop, s->workers.loss);
	else if (stop != LP_POOL_RUNS)
		lp_team_report_stop(s, stop, lp_pool_reason(pool));
	else if (lp_watch_asks_for_restart(o->watch) || lp_mixed_parts_are_new(&o->watch->parts))
		lp_team_report_stop(s, LP_POOL_RESTART, "");
	else if (s->team->self && o->callbacks.progress && !o->callbacks.progress(o->callbacks.closure, &s->workers.progress))
		lp_team_report_stop(s, lp_memory_is_full() ? LP_POOL_GAVE_UP : LP_POOL_INTERRUPTED, lp_memory_is_full() ? lp_memory_reason() : "");
}

static uint64_t hash_of(const struct lp_bytes *bytes)
{
	uint64_t h = bytes->count;

	for (uint32_t i = 0; i < bytes->count; i += 8) {
		uint64_t word = 0;
		memcpy(&word, bytes->at + i, bytes->count - i < 8 ? bytes->count - i : 8);
		h = lp_mix(h ^ word);
	}
	return h;
}

static void write_facts(struct lp_team_session *s)
{
	s->bytes.count = 0;
	lp_watch_write(s->pass->options.watch, &s->bytes);
}

/* Sends the facts that the other side does not have: rank 0 to all machines, the others to rank 0. */
void lp_team_exchange_facts(struct lp_team_session *s, double now)
{
	if (now < s->last_facts + s->facts_pause || (!s->team->self && !s->facts_dirty))
		return;
	s->last_facts = now;
	s->facts_pause = 2 * s->facts_pause < FACTS_EVERY ? 2 * s->facts_pause : FACTS_EVERY;
	s->facts_dirty = false;
	write_facts(s);
	const uint64_t hash = hash_of(&s->bytes);
	if (hash == s->facts_known)
		return;
	s->facts_known = hash;
	if (s->team->self)
		lp_team_report(s, LP_TEAM_FACTS, &s->bytes);
	for (uint32_t i = 1; !s->team->self && i < s->team->count; i++)
		lp_team_send(s, i, LP_TEAM_FACTS, &s->bytes);
}

void lp_team_merge_facts(struct lp_team_session *s, const uint8_t *bytes, size_t size)
{
	if (!lp_watch_merge(s->pass->options.watch, bytes, size))
		LP_BUG("facts of another rank cannot be read");
	s->facts_dirty = true;
	if (!s->team->self)
		return;
	/* If rank 0 knows all facts of this machine, none need be sent. */
	const struct lp_bytes theirs = { .at = (uint8_t *)bytes, .count = (uint32_t)size };
	s->facts_known = hash_of(&theirs);
}

void lp_team_ask_for_names(struct lp_team_session *s)
{
	const struct lp_shared_class *shared = s->pass->program->class->shared;

	s->bytes.count = 0;
	if (s->team->self && shared && shared->asks(s->pass->program, &s->bytes))
		lp_team_report(s, LP_TEAM_REQUEST, &s->bytes);
}
