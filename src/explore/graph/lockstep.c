/* lockstep.c -- keeps a program in step with an execution graph. */
#include "explore/graph/lockstep.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "explore/graph/causal_past.h"
#include "explore/reduce/helping.h"
#include "explore/reduce/silent_rmw.h"
#include "explore/stops.h"
#include "graph/note.h"

enum {
	FILTER_BITS = 16,    /* of the filter of atomic granules */
	YIELDS = 10000,      /* yields in a row after which a thread counts as endless */
	SAVE_BYTES = 1024,   /* saving that many bytes costs as much as one operation */
	OPERATION = 2,       /* one operation costs as much as this many plain accesses */
};

/* ---- the observer: plain accesses, between operations ---- */

static void need_done(struct lp_machine *m, lp_tid t)
{
	while (m->done.count <= t)
		LP_PUSH(&m->done, 0);
}

enum activity { OTHER, READ, STACK };

static void note_activity(struct lp_machine *m, lp_tid t, enum activity what)
{
	need_done(m, t);
	struct lp_activity *last = m->active.count ? &LP_LAST(&m->active) : NULL;

	m->observed.all++;
	m->observed.since++;
	if (!last || last->thread != t || last->index != m->done.at[t]) {
		LP_PUSH(&m->active, (struct lp_activity){ t, m->done.at[t], true, false });
		last = &LP_LAST(&m->active);
	}
	last->only_reads &= what != OTHER;
	last->stack |= what == STACK;
}

static bool is_on_own_stack(const struct lp_machine *m, lp_tid t, uintptr_t loc)
{
	lp_tid owner;
	return lp_program_in_stack(m->program, loc, &owner) && owner == t;
}

/* Notes the access if the memory is in the stack of another thread, where the variable's life may end. */
static void note_shared_stack(struct lp_machine *m, lp_tid t, uintptr_t loc)
{
	lp_tid owner;

	if (!lp_program_in_stack(m->program, loc, &owner) || owner == t)
		return;
	if (m->helping)
		lp_helping_stack_shared(m->helping, owner);
	if (m->omitted.facts)
		lp_omitted_stack_shared(&m->omitted, owner);
	if (!owner)
		m->program->main_concerned = true;
}

/* The last of the thread's activities up to that number of events, or NULL. */
static const struct lp_activity *last_activity(const struct lp_machine *m, lp_tid t, uint32_t index)
{
	for (uint32_t i = m->active.count; i-- > 0;)
		if (m->active.at[i].thread == t && m->active.at[i].index <= index)
			return &m->active.at[i];
	return NULL;
}

bool lp_machine_is_quiet(const struct lp_machine *m, lp_tid t, uint32_t from, uint32_t to)
{
	const struct lp_activity *last = last_activity(m, t, to);
	return !last || last->index < from;
}

const struct lp_activity *lp_machine_activity(const struct lp_machine *m, lp_tid t, uint32_t index)
{
	const struct lp_activity *last = last_activity(m, t, index);
	return last && last->index == index ? last : NULL;
}

/* The clock of what happens before the accesses of the thread after the operations performed so far. */
static const uint32_t *past_of(struct lp_machine *m, lp_tid t)
{
	need_done(m, t);
	if (!m->graph || t >= m->graph->threads.count)
		return NULL;
	LP_HOLDS(m->done.at[t] <= m->graph->threads.at[t].count);
	const lp_eid before = lp_graph_before(m->graph, t, m->done.at[t]);
	return before == LP_NO_EVENT ? NULL : lp_graph_clock(m->graph, before, LP_CLOCK_HB);
}

static bool filter_has(const struct lp_machine *m, uintptr_t granule)
{
	const uint64_t h = lp_mix(granule) & ((1u << FILTER_BITS) - 1);
	return m->atomic_filter[h / 64] >> h % 64 & 1;
}

void lp_machine_note(struct lp_machine *m, uintptr_t loc, size_t size)
{
	for (uintptr_t granule = loc >> 3; granule <= (loc + size - 1) >> 3; granule++) {
		const uint64_t h = lp_mix(granule) & ((1u << FILTER_BITS) - 1);
		m->atomic_filter[h / 64] |= UINT64_C(1) << h % 64;
	}
}

bool lp_machine_was_atomic(const struct lp_machine *m, uintptr_t loc, size_t size)
{
	for (uintptr_t g = loc >> 3; g <= (loc + size - 1) >> 3; g++)
		if (filter_has(m, g))
			return true;
	return false;
}

/* Is a plain access of thread t to the location an event?  Yes, if some event on it happens before it.  (An unordered
 * write is a race; if only reads are unordered, all that was ever written there was written plainly, and memory holds
 * it.) This does not depend on the order in which operations are performed.  A write to a location for which a
 * thread waits is an event, too; there the graph decides, if it already has the access. */
static bool location_is_live(const struct lp_machine *m, uint32_t l, lp_tid t, bool write,
			     const uint32_t *past)
{
	if (!m->graph || l >= m->graph->locs.count)
		return false;
	const struct lp_graph *g = m->graph;
	const struct lp_loc *loc = &g->locs.at[l];
	if (!loc->used)
		return false;
	for (uint32_t i = 0; past && i < loc->co.count; i++)
		if (lp_clock_has(past, lp_graph_event(g, loc->co.at[i])))
			return true;
	for (uint32_t i = 0; past && i < loc->reads.count; i++)
		if (lp_clock_has(past, lp_graph_event(g, loc->reads.at[i])))
			return true;
	if (!write)
		return false;
	if (t < g->threads.count && m->done.at[t] < g->threads.at[t].count) {
		const struct lp_event *next = lp_graph_event(g, g->threads.at[t].at[m->done.at[t]]);
		return next->kind == LP_EV_WRITE && next->loc == l &&
		       m->ops->op.at[next->op].op.order == LP_PLAIN;
	}
	for (uint32_t i = 0; i < loc->reads.count; i++)
		if (lp_stop_pends(lp_graph_note(g, loc->reads.at[i])->stop))
			return true;
	return false;
}

/* If the range overlaps a live location, which?  The one that begins first. */
static uint32_t live_location(const struct lp_machine *m, lp_tid t, uintptr_t loc, size_t size,
			      bool write, const uint32_t *past)
{
	uint32_t found = UINT32_MAX;
	const bool maybe = lp_machine_was_atomic(m, loc, size);

	for (uint32_t i = 0; maybe && i < m->ops->loc.count; i++) {
		const struct lp_known_loc *l = &m->ops->loc.at[i];
		/* Unordered accesses to different parts do not race, so all accesses to such a location are events. */
		if (l->address < loc + size && loc < l->address + l->size &&
		    (l->parts || location_is_live(m, i, t, write, past)) &&
		    (found == UINT32_MAX || l->address < m->ops->loc.at[found].address))
			found = i;
	}
	return found;
}

static const char *name_access(const struct lp_race_access *a)
{
	static const char *const names[2][2] = { { "read", "atomic read" }, { "write", "atomic write" } };
	return a->fresh ? "the allocation" : names[a->write][a->atomic];
}

static void describe_race(const struct lp_race_access *now, const struct lp_race_access *earlier,
			  uintptr_t loc, struct lp_program_error *error)
{
	const struct lp_race_access *freed = now->freed ? now : earlier->freed ? earlier : NULL;

	if (freed) {
		error->kind = LP_ERROR_USE_AFTER_FREE;
		snprintf(error->text, sizeof error->text,
			 "memory freed by thread %u while thread %u may still use it", freed->thread,
			 freed == now ? earlier->thread : now->thread);
	} else {
		error->kind = LP_ERROR_RACE;
		snprintf(error->text, sizeof error->text, "%s by thread %u races with %s by thread %u",
			 name_access(now), now->thread, name_access(earlier), earlier->thread);
	}
	error->loc = loc;
	error->pc = now->pc;
	error->other_pc = earlier->pc;
	error->other_thread = earlier->thread;
	error->other_atomic = earlier->atomic;
	error->other_fresh = earlier->fresh;
	error->atomic = now->atomic;
	error->has_wrote = false;
}

enum { GIVEN = 4096 }; /* the most bytes that can count as the argument given to one thread */

/* A thread starts.  If it was declared to be like another one, exchanging the two must change nothing.  But the plain
 * accesses of their parent between the two starts happen before the second thread only.  So the accesses of the
 * second thread are checked as if the first thread made them. The exception is the argument that only the second
 * thread was given, if the argument of the first was complete before its start. */
static void note_like(struct lp_machine *m, const struct lp_graph *g, const struct lp_event *spawn)
{
	const struct lp_event *first = spawn;

	while (m->like.count <= spawn->target)
		LP_PUSH(&m->like, (struct lp_like){ 0 });
	m->like.joined.any |= spawn->elder != 0;
	if (spawn->elder)
		lp_omitted_like(&m->omitted, &m->plains, g, m->ops, spawn->target, spawn->elder - 1);
	LP_HOLDS(spawn->kind == LP_EV_SPAWN);
	while (first->elder)
		first = lp_graph_event(g, g->threads.at[first->elder - 1].spawn);
	struct lp_like *like = &m->like.at[spawn->target];
	*like = (struct lp_like){ 0 };
	if (lp_machine_is_quiet(m, spawn->thread, first->index + 1, spawn->index))
		return;
	const struct lp_op *op = &m->ops->op.at[spawn->op].op; /* for a recognised thread the argument is not used */
	const uint64_t a = m->ops->op.at[first->op].op.operand.lo, b = op->operand.lo, apart = op->value.lo ? 0 : a < b ? b - a : a - b;
	*like = (struct lp_like){ first->index + 1, b, apart < GIVEN ? apart : GIVEN };
}

/* Does the access conflict with an earlier one if only the events in `clock` happen before it, although it does not
 * race? The access is not recorded. */
static bool relies_on_more(struct lp_machine *m, const struct lp_race_access *now, uintptr_t loc, size_t size,
			   const uint32_t *past, const uint32_t *clock)
{
	const size_t mark = lp_race_mark(m->race);
	struct lp_race_access earlier;

	const bool more = lp_race_access(m->race, now, loc, size, (struct lp_race_past){ clock, m->graph->width }, &earlier) &&
			  past[earlier.thread] > earlier.epoch;
	lp_race_rewind(m->race, mark);
	return more;
}

/* May the access of a like thread conflict with accesses of the parent between the starts of the like threads? */
static bool sees_between_starts(struct lp_machine *m, const struct lp_race_access *now, uintptr_t loc,
				size_t size, const uint32_t *past)
{
	const struct lp_graph *g = m->graph;
	const struct lp_like *like = &m->like.at[now->thread];
	LP_HOLDS(g->threads.at[now->thread].spawn != LP_NO_EVENT);
	const struct lp_event *spawn = lp_graph_event(g, g->threads.at[now->thread].spawn);
	uint32_t clock[g->width];

	if (past[spawn->thread] != spawn->index + 1 || /* the thread has learned more since */
	    (loc - like->given < like->room && size <= like->room - (loc - like->given)))
		return false;
	memcpy(clock, past, sizeof clock);
	clock[spawn->thread] = like->first;
	return relies_on_more(m, now, loc, size, past, clock);
}

/* Is the access ordered after a conflicting one only because the thread has joined some of several like threads? */
static bool sees_between_joins(struct lp_machine *m, const struct lp_race_access *now, uintptr_t loc, size_t size,
			       const uint32_t *past)
{
	uint32_t clock[m->graph->width];

	if (!lp_like_joins(&m->like.joined, m->graph, m->performed.count, now->thread, now->epoch, clock))
		return false;
	clock[now->thread] = past[now->thread];
	return relies_on_more(m, now, loc, size, past, clock);
}

/* Races are ignored, but memory that is freed must not be used afterwards.  If no path of po and rf leads from an
 * access to a free, the access can come after the free: the events before both of them are an execution, too.  Only a
 * free and an access are to conflict here, so all accesses except frees count as atomic. */
static bool outlived(struct lp_machine *m, const struct lp_race_access *now, uintptr_t loc, size_t size,
		     struct lp_program_error *error)
{
	struct lp_race_access access = *now, earlier;

	if (!m->graph || now->thread >= m->graph->threads.count)
		return false;
	uint32_t past[m->graph->width];
	lp_causal_past_find(m->graph, now->thread, now->epoch, past);
	access.atomic = !now->freed;
	if (!lp_race_access(m->race, &access, loc, size, (struct lp_race_past){ past, m->graph->width }, &earlier))
		return false;
	describe_race(&access, &earlier, loc, error);
	return true;
}

/* Records the access with the clock `past`.  Returns true if it races. */
static bool raced(struct lp_machine *m, const struct lp_race_access *now, uintptr_t loc, size_t size,
		  const uint32_t *past, struct lp_program_error *error)
{
	const struct lp_race_past before = { past, past ? m->graph->width : 0 };
	const lp_tid t = now->thread;
	struct lp_race_access earlier;

	note_shared_stack(m, t, loc);
	if (m->races_ignored)
		return outlived(m, now, loc, size, error);
	if (past && ((t < m->like.count && m->like.at[t].first && sees_between_starts(m, now, loc, size, past)) ||
		     (m->like.joined.any && sees_between_joins(m, now, loc, size, past))))
		lp_like_tell(m->like.facts);
	if (!lp_race_access(m->race, now, loc, size, before, &earlier))
		return false;
	describe_race(now, &earlier, loc, error);
	return true;
}

/* The access is an event where it overlaps the location `live`; if races are ignored, everywhere. Finds its first
 * piece: a part that can be a location, or the bytes before that location. */
static void find_piece(const struct lp_machine *m, uint32_t live, uintptr_t loc, size_t size,
		       struct lp_plain_piece *piece)
{
	size_t end = size;

	piece->shared = true;
	if (live != UINT32_MAX) {
		const struct lp_known_loc *l = &m->ops->loc.at[live];
		piece->shared = l->address <= loc;
		end = piece->shared ? l->address + l->size - loc : l->address - loc;
		end = end < size ? end : size;
	}
	piece->size = end;
	if (!piece->shared && !m->races_ignored)
		return;
	piece->shared = true;
	piece->size = 1;
	while (piece->size < 16 && piece->size * 2 <= end && loc % (piece->size * 2) == 0)
		piece->size *= 2;
	LP_HOLDS(piece->size <= size && loc % piece->size == 0);
}

/* Appends the access to the log (plains.h). */
static void log_plain(struct lp_machine *m, const struct lp_plain_access *a, const uint32_t *past)
{
	if (m->races_ignored || !past) /* or no other thread has started */
		return;
	lp_plains_log(&m->plains, *a);
	if (!a->own)
		lp_omitted_accessed(&m->omitted, m->graph, m->ops, a, past);
}

/* For the report of an execution that is replayed. */
static void note_plain(struct lp_machine *m, const struct lp_race_access *now, uintptr_t loc, size_t size)
{
	const struct lp_plain_step plain = { .thread = now->thread, .index = now->epoch, .loc = loc, .pc = now->pc,
					.size = size, .write = now->write,
					.early = !m->graph || m->graph->threads.count < 2 };

	lp_trail_note(m->trail, &plain, m->performed.count);
}

static enum lp_plain observe_access(struct lp_observer *o, const struct lp_plain_range *range, struct lp_plain_piece *piece,
				    struct lp_program_error *error)
{
	struct lp_machine *m = (struct lp_machine *)o;
	const lp_tid t = range->thread;
	const uintptr_t loc = range->loc;
	const size_t size = range->size;
	const bool write = range->write;
	const uint32_t *past = past_of(m, t);
	const uint32_t live = live_location(m, t, loc, size, write, past);
	const bool own = lp_own_has(&m->own, t, loc, size), stack = is_on_own_stack(m, t, loc);

	note_activity(m, t, stack ? STACK : write || own ? OTHER : READ);
	if (!t && m->final_joins.from) {
		if (write)
			lp_final_joins_disturbed(&m->final_joins);
		else
			lp_final_joins_read(&m->final_joins, loc, size);
	}
	const struct lp_race_access now = { .thread = t, .epoch = m->done.at[t], .pc = range->pc, .write = write };
	struct lp_plain_access a = { .thread = t, .write = write, .own = own,
				     .apart = stack || (write && live != UINT32_MAX), .index = now.epoch,
				     .loc = loc, .size = size };
	a.found = !own && !a.apart && !m->races_ignored &&
		  lp_own_finds(&m->own, m->race, m->graph, &now, loc, size);
	if (m->trail && live == UINT32_MAX && !m->races_ignored && !stack)
		note_plain(m, &now, loc, size);
	if (raced(m, &now, loc, size, past, error)) {
		if (m->trail)
			lp_trail_stops(m->trail);
		return LP_PLAIN_RACE;
	}
	log_plain(m, &a, past);
	if (live != UINT32_MAX || m->races_ignored) {
		find_piece(m, live, loc, size, piece);
		return LP_PLAIN_EVENT;
	}
	return m->own.on && !stack ? LP_PLAIN_OWN : LP_PLAIN_OK;
}

static void observe_allocated(struct lp_observer *o, lp_tid t, uintptr_t loc, size_t size,
			      uintptr_t pc)
{
	struct lp_machine *m = (struct lp_machine *)o;

	note_activity(m, t, OTHER);
	if (!t)
		lp_final_joins_disturbed(&m->final_joins);
	need_done(m, t);
	const struct lp_race_access fresh = { .thread = t, .epoch = m->done.at[t], .pc = pc, .write = true,
					      .atomic = m->races_ignored, .fresh = true };
	lp_race_allocated(m->race, &fresh, loc, size);
	lp_own_allocated(&m->own, t, loc, size);
}

static bool observe_freed(struct lp_observer *o, lp_tid t, uintptr_t loc, size_t size,
			  uintptr_t pc, struct lp_program_error *error)
{
	struct lp_machine *m = (struct lp_machine *)o;
	const uint32_t *past = past_of(m, t);

	if (m->helping && size)
		lp_helping_freed(m->helping, loc, size);
	note_activity(m, t, OTHER);
	if (!t)
		lp_final_joins_disturbed(&m->final_joins);
	const struct lp_race_access now = { .thread = t, .epoch = m->done.at[t], .pc = pc, .write = true,
					    .freed = true };
	if (size && raced(m, &now, loc, size, past, error))
		return false;
	const struct lp_plain_access a = { .thread = t, .write = true, .apart = true, .index = now.epoch,
					   .own = lp_own_has(&m->own, t, loc, size), .loc = loc,
					   .size = size };
	if (size)
		log_plain(m, &a, past);
	return true;
}

/* ---- performing operations ---- */

/* Nothing was performed; thread 0 is at its first operation. */
static void begin(struct lp_machine *m)
{
	m->graph = NULL;
	lp_program_reset(m->program);
	m->faults |= lp_machine_pending(m, 0)->kind == LP_OP_ERROR;
}

void lp_machine_open(struct lp_machine *m, struct lp_program *program, struct lp_ops *ops,
		     bool races_ignored, bool own)
{
	memset(m, 0, sizeof *m);
	m->observer = (struct lp_observer){ observe_access, observe_allocated, observe_freed };
	m->program = program;
	m->ops = ops;
	m->races_ignored = races_ignored;
	m->own.on = own && !program->unseen;
	m->final_joins.on = program->class->noise && !program->unseen;
	m->omitted.program = program;
	m->race = lp_race_open();
	m->atomic_filter = lp_alloc_zero((1u << FILTER_BITS) / 64, sizeof *m->atomic_filter);
	for (uint32_t i = 0; i < ops->loc.count; i++) /* those that are accessed in parts */
		lp_machine_note(m, ops->loc.at[i].address, ops->loc.at[i].size);
	program->observer = &m->observer;
	begin(m);
}

void lp_machine_close(struct lp_machine *m)
{
	lp_race_close(m->race);
	lp_own_close(&m->own);
	lp_free(m->plains.at);
	lp_final_joins_close(&m->final_joins);
	lp_free(m->performed.at);
	lp_free(m->saves.at);
	lp_free(m->done.at);
	lp_free(m->done_saved.at);
	lp_free(m->active.at);
	lp_free(m->like.at);
	for (uint32_t t = 0; t < m->stores.count; t++)
		lp_free(m->stores.at[t]);
	lp_free(m->stores.at);
	lp_free(m->atomic_filter);
	m->program->observer = NULL;
	memset(m, 0, sizeof *m);
}

/* Records the operation's accesses for race detection. */
static bool record(struct lp_machine *m, const struct lp_graph *g, lp_eid last)
{
	const struct lp_event *e = lp_graph_event(g, last);
	const struct lp_known_op *known = &m->ops->op.at[e->op];
	const uintptr_t loc = known->op.loc;
	const size_t size = known->op.size;

	if (e->kind != LP_EV_READ && e->kind != LP_EV_WRITE)
		return true;
	/* A plain access that is an event was recorded when the program reported it. */
	if (known->op.order == LP_PLAIN)
		return true;
	/* The past includes the events with which this operation itself synchronises. */
	const struct lp_race_access now = { .thread = e->thread, .epoch = e->index, .pc = known->op.pc,
					    .write = e->kind == LP_EV_WRITE || lp_is_silent_rmw(e, &known->op),
					    .atomic = true };
	if (!raced(m, &now, loc, size, lp_graph_clock(g, last, LP_CLOCK_HB), &m->error))
		return true;
	m->error_thread = e->thread;
	return false;
}

/* An operation that may have to wait reads its location as soon as the thread comes to it.  If the operation never
 * takes place, this read is its only access. */
static bool record_attempt(struct lp_machine *m, lp_tid t)
{
	const struct lp_op *op = lp_machine_pending(m, t);

	m->faults |= op->kind == LP_OP_ERROR;
	/* An internal operation that is dropped if it cannot take place is a choice, and accesses nothing. */
	if (op->when == LP_ALWAYS || op->otherwise == LP_ELSE_FAIL ||
	    (op->otherwise == LP_ELSE_DROP && op->internal))
		return true;
	const uint32_t *past = past_of(m, t);
	const struct lp_race_access now = { .thread = t, .epoch = m->done.at[t], .pc = op->pc, .atomic = true };
	if (!raced(m, &now, op->loc, op->size, past, &m->error))
		return true;
	m->error_thread = t;
	return false;
}

const struct lp_op *lp_machine_pass_yields(struct lp_machine *m, lp_tid thread)
{
	const struct lp_op *op = lp_program_pending(m->program, thread);

	for (uint32_t i = 0; op->kind == LP_OP_YIELD; i++) {
		if (i == YIELDS) {
			m->error = (struct lp_program_error){ .kind = LP_ERROR_ENDLESS, .pc = op->pc };
			snprintf(m->error.text, sizeof m->error.text,
				 "thread %u does nothing but yield", thread);
			m->yields = (struct lp_op){ .kind = LP_OP_ERROR, .pc = op->pc,
						    .error = &m->error };
			return &m->yields;
		}
		lp_program_resume(m->program, thread, &(struct lp_response){ 0 });
		op = lp_program_pending(m->program, thread);
	}
	return op;
}

/* Can other threads see that the thread has performed this event? */
static bool is_visible(const struct lp_machine *m, const struct lp_event *e)
{
	const struct lp_op *op = &m->ops->op.at[e->op].op;

	return e->kind == LP_EV_SPAWN ||
	       (e->kind == LP_EV_WRITE && !lp_own_has(&m->own, e->thread, op->loc, op->size));
}

bool lp_machine_is_at(struct lp_machine *m, lp_tid thread, uint32_t id)
{
	const struct lp_op *op = lp_program_pending(m->program, thread);

	if (op && op->kind == LP_OP_STORE && m->ops->parts)
		op = lp_mixed_store(m, thread, op);
	if (__builtin_expect(op && id < m->ops->op.count && lp_ops_is(m->ops, id, op), 1))
		return true;
	m->error = (struct lp_program_error){ .kind = LP_ERROR_UNSUPPORTED, .pc = op ? op->pc : 0 };
	snprintf(m->error.text, sizeof m->error.text,
		 "the program is not deterministic: it does something else when it runs again");
	m->error_thread = thread;
	return false;
}

static bool perform(struct lp_machine *m, const struct lp_graph *g, lp_eid first)
{
	const struct lp_event *e = lp_graph_event(g, first);
	const struct lp_op *op = &m->ops->op.at[e->op].op;
	const struct lp_thread *t = &g->threads.at[e->thread];
	struct lp_response answer = { 0 };
	lp_eid last = first;

	if (e->kind == LP_EV_WRITE) {
		answer.wrote = e->value;
	} else {
		answer.value = e->value;
		answer.failed = !e->rmw;
		if (e->rmw) {
			last = t->at[e->index + 1];
			answer.wrote = lp_graph_event(g, last)->value;
		} else if (lp_is_silent_rmw(e, op)) {
			answer.failed = false;
			answer.wrote = e->value;
		} else if (op->kind == LP_OP_STORE) {
			answer.wrote = e->value; /* by another thread: redundant_stores.h */
		}
	}
	m->graph = g;
	need_done(m, e->thread);
	assert(m->done.at[e->thread] == e->index);
	if (!lp_machine_is_at(m, e->thread, e->op) || !record(m, g, last))
		return false;
	m->done.at[e->thread] = lp_graph_event(g, last)->index + 1;
	LP_PUSH(&m->performed, lp_graph_note(g, first)->uid);
	if (is_visible(m, lp_graph_event(g, last)))
		lp_own_publish(&m->own, e->thread, lp_graph_event(g, last)->index);
	const bool watched = m->final_joins.on && !e->thread;
	if (watched)
		lp_final_joins_resumes(m, g, first);
	lp_program_resume(m->program, e->thread, &answer);
	if (watched)
		lp_final_joins_resumed(m);
	if (m->trail)
		lp_trail_settle(m->trail);
	/* The thread, and a new thread, run to their next operations at once.  So the plain accesses made so far
	 * depend only on the operations performed, and not on the order in which the explorer examines threads. */
	if (e->kind == LP_EV_SPAWN)
		note_like(m, g, e);
	return record_attempt(m, e->thread) &&
	       (e->kind != LP_EV_SPAWN || record_attempt(m, e->target));
}

uint32_t lp_machine_agree(const struct lp_machine *m, const struct lp_graph *g, const struct lp_sequence *seq)
{
	uint32_t n = 0;
	while (n < seq->count && n < m->performed.count &&
	       m->performed.at[n] == lp_graph_note(g, seq->at[n])->uid)
		n++;
	return n;
}

/* Restores the last saved state with at most `at` operations. */
static void go_back(struct lp_machine *m, uint32_t at)
{
	while (m->saves.count && LP_LAST(&m->saves).at > at) {
		m->program->class->forget(m->program, LP_LAST(&m->saves).mark);
		m->done_saved.count = LP_LAST(&m->saves).done;
		m->saves.count--;
	}
	if (m->saves.count) {
		const struct lp_machine_save *s = &LP_LAST(&m->saves);
		m->program->class->restore(m->program, s->mark);
		lp_race_rewind(m->race, s->race_mark);
		lp_own_cut(&m->own, s->own);
		m->plains.count = s->plains;
		m->active.count = s->active;
		m->performed.count = s->at;
		const uint32_t threads = m->done_saved.count - s->done;
		m->done.count = 0;
		for (uint32_t i = 0; i < threads; i++)
			LP_PUSH(&m->done, m->done_saved.at[s->done + i]);
	} else {
		lp_race_rewind(m->race, 0);
		lp_own_cut(&m->own, 0);
		m->plains.count = 0;
		m->active.count = 0;
		m->performed.count = 0;
		m->done.count = 0;
		begin(m);
	}
	LP_HOLDS(m->performed.count <= at && (!m->saves.count || LP_LAST(&m->saves).done <= m->done_saved.count));
	if (m->trail)
		lp_trail_cut(m->trail, m->performed.count);
	m->observed.since = 0;
}

bool lp_machine_follow(struct lp_machine *m, const struct lp_graph *g, const struct lp_sequence *seq, uint32_t agree)
{
	const bool back = agree < m->performed.count;

	LP_HOLDS(agree <= seq->count);
	m->graph = g;
	if (back) {
		go_back(m, agree);
		m->graph = g;
	}
	LP_AGREES(lp_machine_validate(m, g, seq));
	m->like.joined.at = 0;
	while (m->performed.count < seq->count) {
		/* A state that was restored once will be restored again: other writes revisit the same read. */
		if (back && m->performed.count == agree)
			lp_machine_keep(m);
		if (!perform(m, g, seq->at[m->performed.count]))
			return false;
	}
	return true;
}

void lp_machine_keep(struct lp_machine *m)
{
	const uint32_t since = m->performed.count - (m->saves.count ? LP_LAST(&m->saves).at : 0);

	if (!since || (since + m->observed.since / OPERATION) * SAVE_BYTES < m->program->class->save_cost(m->program))
		return;
	LP_HOLDS(!m->saves.count || LP_LAST(&m->saves).at < m->performed.count);
	LP_PUSH(&m->saves, (struct lp_machine_save){ m->performed.count,
						     m->program->class->save(m->program),
						     lp_race_mark(m->race), m->done_saved.count,
						     m->own.blocks.count, m->plains.count,
						     m->active.count });
	for (uint32_t t = 0; t < m->done.count; t++)
		LP_PUSH(&m->done_saved, m->done.at[t]);
	m->observed.since = 0;
}
