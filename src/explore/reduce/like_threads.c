/* like_threads.c -- checks that the threads that are treated as alike really are. */
#include "explore/reduce/like_threads.h"

#include <string.h>

#include "base/error.h"
#include "explore/graph/frame.h"

/* ---- groups ---- */

/* Is the thread in a group of like threads that the program has not declared? */
static bool is_recognised(const struct lp_explorer *x, const struct lp_graph *g, lp_tid thread)
{
	for (lp_tid t = 0; t < g->threads.count; t++) {
		const struct lp_thread *other = &g->threads.at[t];
		if (other->exists && other->elder != LP_NO_THREAD && other->eldest == g->threads.at[thread].eldest &&
		    x->ops.op.at[lp_graph_event(g, other->spawn)->op].op.value.lo)
			return true;
	}
	return false;
}

static bool has_joined(const struct lp_graph *g, lp_tid thread, uint32_t count, lp_tid target)
{
	const struct lp_thread *t = &g->threads.at[thread];

	LP_HOLDS(count <= t->count);
	while (count-- > 0) {
		const struct lp_event *e = lp_graph_event(g, t->at[count]);
		if (e->kind == LP_EV_JOIN && e->target == target)
			return true;
	}
	return false;
}

static bool is_join(const struct lp_graph *g, lp_eid e)
{
	return e != LP_NO_EVENT && lp_graph_event(g, e)->kind == LP_EV_JOIN;
}

/* The thread has performed `count` events, the last of which is a join.  Has it joined some members of a group, but not all? */
static bool is_joining(const struct lp_graph *g, lp_tid thread, uint32_t count)
{
	for (lp_tid t = 0; t < g->threads.count && is_join(g, lp_graph_before(g, thread, count)); t++) {
		const struct lp_thread *other = &g->threads.at[t];
		if (other->exists && other->elder != LP_NO_THREAD &&
		    has_joined(g, thread, count, t) != has_joined(g, thread, count, other->elder))
			return true;
	}
	return false;
}

bool lp_like_joins(struct lp_like_joined *known, const struct lp_graph *g, uint64_t performed, uint32_t thread, uint32_t count, uint32_t *clock)
{
	if (known->at == performed + 1 && known->thread == thread)
		return false;
	if (!is_joining(g, thread, count)) {
		known->at = performed + 1;
		known->thread = thread;
		return false;
	}
	LP_HOLDS(count); /* is_joining() has found a join */
	while (is_join(g, lp_graph_before(g, thread, count)))
		count--;
	const lp_eid before = lp_graph_before(g, thread, count);
	memset(clock, 0, sizeof *clock * g->width);
	if (before != LP_NO_EVENT)
		memcpy(clock, lp_graph_clock(g, before, LP_CLOCK_HB), sizeof *clock * g->width);
	return true;
}

/* ---- looking ---- */

void lp_like_tell(struct lp_like_facts *facts)
{
	if (facts)
		atomic_store_explicit(&facts->told_apart, true, memory_order_relaxed);
}

bool lp_like_is_broken(const struct lp_like_facts *facts)
{
	return facts && atomic_load_explicit(&facts->told_apart, memory_order_relaxed);
}

void lp_like_heed(const struct lp_like_facts *facts, struct lp_explore_options *options)
{
	if (!lp_like_is_broken(facts))
		return;
	options->reduce.symmetry &= options->reduce.recognised;
	options->reduce.recognised = false;
}

void lp_like_note(struct lp_explorer *x, lp_eid id)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_event *e = lp_graph_event(g, id);

	if (e->kind == LP_EV_SPAWN) {
		if (e->elder && x->ops.op.at[e->op].op.value.lo)
			atomic_store_explicit(&x->machine.like.facts->recognised, true, memory_order_relaxed);
		if (is_recognised(x, g, e->thread))
			lp_like_tell(x->machine.like.facts);
	} else if (e->kind != LP_EV_JOIN && is_joining(g, e->thread, e->index)) {
		lp_like_tell(x->machine.like.facts);
	}
}

static bool has_bit(const uint64_t *bits, lp_tid t)
{
	return t < LP_TOLD_APART && bits[t / 64] >> t % 64 & 1;
}

/* Does the set contain a thread that is like this one? */
static bool group_has(const struct lp_graph *g, const uint64_t *bits, lp_tid thread)
{
	for (lp_tid t = 0; t < g->threads.count; t++)
		if (g->threads.at[t].exists && g->threads.at[t].eldest == g->threads.at[thread].eldest && has_bit(bits, t))
			return true;
	return false;
}

/* Merges a process's bits with those of all processes.  If two processes each add to one of two
 * sets, at least one of them finds both bits. */
static void share(_Atomic uint64_t *all, uint64_t *own, uint32_t words)
{
	for (uint32_t i = 0; i < words; i++) {
		if (own[i] & ~atomic_load_explicit(&all[i], memory_order_relaxed))
			atomic_fetch_or(&all[i], own[i]);
		own[i] = atomic_load(&all[i]);
	}
}

static bool has_any(const uint64_t *bits, uint32_t words)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < words; i++)
		all |= bits[i];
	return all;
}

/* A fact that was seen of one member counts for all members: it would have been seen of another one in an execution that
 * is left out. */
void lp_like_look(struct lp_explorer *x)
{
	struct lp_told_apart *told = &x->machine.program->told_apart;
	const struct lp_graph *g = &lp_top(x)->g;
	struct lp_like_facts *facts = x->machine.like.facts;

	if (!told->any)
		return;
	/* Only threads that have existed here: facts of other processes about further threads are checked when such threads
	 * exist here. */
	const lp_tid threads = lp_program_threads(x->machine.program);
	const uint32_t words = (threads < LP_TOLD_APART ? threads + 63 : LP_TOLD_APART) / 64;
	if (facts) {
		share(facts->differs, told->differs, words);
		share(facts->returned, told->returned, words);
		share(facts->asked, told->asked, words);
	}
	if (!has_any(told->differs, words) && !(has_any(told->returned, words) && has_any(told->asked, words)))
		return;
	for (lp_tid t = 0; t < g->threads.count; t++) {
		const struct lp_thread *thread = &g->threads.at[t];
		if (!thread->exists || thread->elder == LP_NO_THREAD)
			continue;
		LP_HOLDS(thread->spawn != LP_NO_EVENT && thread->elder < t);
		const bool recognised = x->ops.op.at[lp_graph_event(g, thread->spawn)->op].op.value.lo;
		if ((recognised && group_has(g, told->differs, t)) || (group_has(g, told->returned, t) && group_has(g, told->asked, t)))
			lp_like_tell(x->machine.like.facts);
	}
}
