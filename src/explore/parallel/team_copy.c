/* team_copy.c -- what is left on all machines at one moment, for checkpoints.
 *
 * Rank 0 asks all machines for a copy of their parts.  A machine makes its copy at once, and then answers.  From the answer of a machine until the last
 * machine has answered, rank 0 holds back the messages of that machine.
 *
 *     rank 0:      COPY to all   GIVE of A   copy of A   (PART of A waits)   copy of B   compose   PART of A
 *     machine A:             GIVE   COPY: copies   PART
 *     machine B:                                         COPY: copies
 *
 * Why the copies and the pool of machines fit together when the last one has come.  Messages between two ranks stay in order.
 *   1.  If a machine has told rank 0 something before it made its copy (it gave the end of a part away, a part has ended), the pool of machines contains
 *      this change.  Later messages of that machine are held back.  So a piece is in the pool or in the copy, but not in both.
 *   2.  Pieces that rank 0 sends after COPY are not in the machine's copy.  Such a piece is unchanged, and rank 0 still has it.
 *   3.  A piece goes from one machine to another only through rank 0.  So 1 and 2 are the only cases.
 * A machine writes its facts after its copy, so they contain everything that was recorded by executions which need not be visited again.  Rank 0 adds them to
 * its own facts before it writes the checkpoint (keep.h).
 *
 * At a limit each machine sends such a copy without being asked, when its workers have ended.
 */
#include "explore/parallel/team_session.h"

#include "base/error.h"
#include "explore/clock.h"
#include "explore/keep.h"
#include "explore/parallel/open_work.h"
#include "ranks/records.h"

static const double PAUSE = 0.05; /* seconds after a copy that failed because a worker was giving a part away */

/* ---- a machine ---- */

void lp_team_put_known(struct lp_team_session *s)
{
	const struct lp_shared_class *shared = s->pass->program->class->shared;

	if (shared)
		shared->write_seen(s->pass->program, &s->bytes);
	lp_watch_write(s->pass->options.watch, &s->bytes);
}

void lp_team_report_copy(struct lp_team_session *s)
{
	struct lp_bytes parts = { 0 };
	const uint32_t good = lp_pool_copy_parts(s->workers.pool, &parts) && parts.count <= LP_RANKS_MOST / 2;

	s->bytes.count = 0;
	lp_bytes_put(&s->bytes, &good, sizeof good);
	lp_bytes_put_string(&s->bytes, parts.at, good ? parts.count : 0);
	lp_team_put_known(s);
	lp_team_report(s, LP_TEAM_COPIED, &s->bytes);
	lp_free(parts.at);
}

/* ---- rank 0 ---- */

void lp_team_merge_known(struct lp_team_session *s, uint32_t machine, struct lp_cursor *from)
{
	const struct lp_shared_class *shared = s->pass->program->class->shared;

	if (!machine)
		return; /* its own */
	if (shared && !shared->merge_seen(s->pass->program, from))
		LP_BUG("what another rank has seen cannot be read");
	lp_team_merge_facts(s, from->at, from->left);
}

void lp_team_copy_begin(struct lp_team_session *s)
{
	LP_HOLDS(!s->team->self && !s->copying.runs && s->copying.next == s->copying.later.count);
	s->copying.runs = s->copying.good = true;
	s->copying.missing = s->team->count;
	for (uint32_t i = 0; i < s->team->count; i++)
		s->machine[i].copied = false;
}

bool lp_team_copy_is_due(const struct lp_team_session *s, double now)
{
	const struct lp_keep *keep = s->pass->options.limits.keep;

	return keep && lp_keep_is_due(keep) && now >= s->copying.not_before;
}

bool lp_team_copy_holds_back(struct lp_team_session *s, uint32_t machine, const struct lp_message *m)
{
	if (s->team->self || !s->copying.runs || !s->machine[machine].copied)
		return false;
	LP_PUSH(&s->copying.later, *m);
	return true;
}

bool lp_team_copy_next(struct lp_team_session *s, struct lp_message *out)
{
	struct lp_team_copying *c = &s->copying;

	if (c->runs || c->next == c->later.count) {
		if (!c->runs)
			c->next = c->later.count = 0;
		return false;
	}
	LP_HOLDS(c->next < c->later.count);
	*out = c->later.at[c->next++];
	return true;
}

/* The parts of all machines. */
struct copied_part {
	uint32_t machine, part;
	struct lp_open_work work;
};

struct copies {
	LP_VEC(struct copied_part);
};

static const struct lp_open_work *part_of(void *closure, uint32_t machine, lp_piece part)
{
	const struct copies *all = closure;

	for (uint32_t i = 0; i < all->count; i++)
		if (all->at[i].machine == machine && all->at[i].part == part)
			return &all->at[i].work;
	return NULL;
}

static void read_copies(const struct lp_team_session *s, struct copies *out)
{
	for (uint32_t i = 0; i < s->team->count; i++) {
		struct lp_cursor from = { s->machine[i].copy.at, s->machine[i].copy.count, false };
		while (from.left) {
			struct copied_part p = { .machine = i, .part = lp_cursor_u32(&from) };
			if (!lp_open_work_read(&p.work, &from))
				LP_BUG("what is left on machine %u cannot be read", i);
			LP_PUSH(out, p);
		}
	}
}

/* The list of all pieces, in the order of a single walk. */
static void keep(struct lp_team_session *s)
{
	struct lp_open_work whole, all;
	struct lp_bytes items = { 0 };
	struct copies copies = { 0 };

	const bool copied = lp_pool_copy(s->pool, &whole, &items);
	if (copied) {
		read_copies(s, &copies);
		lp_open_work_compose(&whole, part_of, &copies, &all);
		lp_keep_pass(s->pass, &all);
		lp_open_work_drop(&all);
	} else {
		s->copying.good = false;
	}
	for (uint32_t i = 0; i < copies.count; i++)
		lp_open_work_drop(&copies.at[i].work);
	lp_free(copies.at);
	lp_open_work_drop(&whole);
	lp_free(items.at);
}

static uint32_t count_missing(const struct lp_team_session *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->team->count; i++)
		n += !s->machine[i].copied;
	return n;
}

void lp_team_note_copy(struct lp_team_session *s, uint32_t machine, struct lp_cursor *from)
{
	struct lp_team_machine *m = &s->machine[machine];

	if (!s->copying.runs || m->copied)
		LP_BUG("machine %u sends a copy that is not asked for", machine);
	s->copying.good &= lp_cursor_u32(from) != 0;
	const struct lp_cursor parts = lp_cursor_string(from);
	if (from->bad)
		LP_BUG("what is left on machine %u cannot be read", machine);
	LP_HOLDS(s->copying.missing == count_missing(s));
	m->copied = true;
	m->copy.count = 0;
	lp_bytes_put(&m->copy, parts.at, parts.left);
	lp_team_merge_known(s, machine, from);
	if (--s->copying.missing)
		return;
	if (s->copying.good)
		keep(s);
	if (!s->copying.good)
		s->copying.not_before = lp_clock_seconds() + PAUSE;
	s->copying.runs = false;
}

void lp_team_copy_drop(struct lp_team_session *s)
{
	for (uint32_t i = s->copying.next; i < s->copying.later.count; i++)
		lp_message_drop(&s->copying.later.at[i]);
	lp_free(s->copying.later.at);
	for (uint32_t i = 0; s->machine && i < s->team->count; i++)
		lp_free(s->machine[i].copy.at);
}
