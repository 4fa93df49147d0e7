/* redundant_rereads.c -- two reads of a location in a row, where the second one alone would have had
 * the same effect. */
#include "explore/reduce/redundant_rereads.h"

#include "base/error.h"
#include "base/hash.h"
#include "explore/graph/grow.h"
#include "explore/reduce/omitted_races.h"
#include "explore/reduce/silent_rmw.h"

/* ---- what was tried ---- */

static uint64_t hash_of(const struct lp_reread_fact *f)
{
	uint64_t h = lp_mix((uint64_t)f->before << 32 | f->op);

	h = lp_mix(h ^ f->first.hi);
	h = lp_mix(h ^ f->first.lo ^ f->second.hi);
	return lp_mix(h ^ f->second.lo);
}

static bool same(const struct lp_reread_fact *a, const struct lp_reread_fact *b)
{
	return a->before == b->before && a->op == b->op && lp_value_equal(a->first, b->first) && lp_value_equal(a->second, b->second);
}

/* The fact, with `redundant` filled in, or NULL.  If `after` is 0, a redundant fact: there is at most one, because the thread has read nothing
 * else on the way. */
static const struct lp_reread_fact *find(const struct lp_reread_facts *facts, const struct lp_reread_fact *f, uint64_t hash)
{
	LP_HOLDS(hash == hash_of(f));
	struct lp_hash_probe probe = lp_hash_probe(&facts->by_hash, hash);
	uint32_t id;

	while ((id = lp_hash_next(&facts->by_hash, &probe)) != LP_HASH_NONE)
		if (same(&facts->at[id], f) && (f->after ? facts->at[id].after == f->after : facts->at[id].redundant))
			return &facts->at[id];
	return NULL;
}

void lp_reread_close(struct lp_reread_facts *facts)
{
	lp_free(facts->at);
	lp_hash_close(&facts->by_hash);
	*facts = (struct lp_reread_facts){ 0 };
}

/* ---- trying ---- */

/* The answer that the machine gives when the event is performed. */
static struct lp_response answer_of(const struct lp_explorer *x, const struct lp_event *e)
{
	const bool silent = lp_is_silent_rmw(e, &x->ops.op.at[e->op].op);

	return (struct lp_response){ .value = e->value, .failed = !silent,
				   .wrote = silent ? e->value : (struct lp_value){ 0 } };
}

/* If the thread gets this answer at operation number `at` of the sequence, does it come to live
 * state `live` without other requests and accesses? */
static bool comes_to(struct lp_explorer *x, uint32_t at, lp_tid thread,
		     const struct lp_response *answers, uint32_t count, uint32_t live)
{
	const struct lp_frame *f = lp_top(x);
	const struct lp_to_try to = { .at = at, .thread = thread, .answers = answers, .count = count };
	const struct lp_op *op = lp_machine_try(&x->machine, &f->g, &f->seq, &to, NULL);

	return op && lp_explorer_live_state(x, thread, op) == live;
}

static bool try(struct lp_explorer *x, lp_tid thread, lp_eid a, const struct lp_event *b,
		uint32_t live)
{
	const struct lp_frame *f = lp_top(x);
	const struct lp_response now[] = { answer_of(x, lp_graph_event(&f->g, a)), answer_of(x, b) };
	const struct lp_response instead = { .value = b->value, .failed = true };
	uint32_t at = f->seq.count;

	while (at > 0 && f->seq.at[at - 1] != a)
		at--;
	if (!at)
		LP_BUG("an event of thread %u was not performed", thread);
	LP_HOLDS(lp_graph_event(&f->g, a)->thread == thread && lp_graph_event(&f->g, a)->index + 1 == b->index);
	const bool redundant = comes_to(x, at - 1, thread, now, 2, live) &&
			  comes_to(x, at - 1, thread, &instead, 1, live);
	x->agree = at - 1;
	return lp_catch_up(x) && redundant;
}

/* Is the event a read that took place, and was the only event of its operation? */
static bool is_bare_read(const struct lp_explorer *x, const struct lp_event *e)
{
	const struct lp_op *op = &x->ops.op.at[e->op].op;
	const struct lp_note *note = lp_note_of(&x->frames.at[x->depth - 1]->g, e);

	return e->kind == LP_EV_READ && !e->rmw && !lp_stop_pends(note->stop) && !e->spurious &&
	       (op->kind == LP_OP_LOAD || op->kind == LP_OP_RMW) &&
	       op->otherwise == LP_ELSE_FAIL && op->order != LP_PLAIN && !op->internal;
}

/* Condition 2: is the event a load, or a failed compare-exchange that would also have failed with
 * the answer of b? */
static bool may_be_first(const struct lp_explorer *x, const struct lp_event *a, struct lp_value answer)
{
	const struct lp_op *op = &x->ops.op.at[a->op].op;

	return is_bare_read(x, a) && (op->kind == LP_OP_LOAD ? op->when == LP_ALWAYS : !lp_op_holds(op, answer));
}

/* Condition 3: would a, with the rf of b, be at most as strong as b?  If b is weakened (undone.h), only a load that acquires would be
 * weakened, too. */
static bool is_at_least_as_strong(const struct lp_explorer *x, const struct lp_event *b, const struct lp_event *a)
{
	const enum lp_order strong = lp_undone_order(x, b), order = lp_undone_order(x, a);

	if (b->faint && !(lp_order_acquires(order) && x->ops.op.at[a->op].op.kind == LP_OP_LOAD))
		return false;
	return (lp_order_acquires(strong) || !lp_order_acquires(order)) && (strong == LP_SC || order != LP_SC);
}

/* A silent RMW b counts as a write where it could race with a plain read, but only a remains.  So b is recorded like an operation of
 * an iteration that is left out.  Returns false if it cannot be recorded, or once it has turned out that it may race.  `caught_up`: the machine
 * has the memory of this graph. */
static bool may_be_silent(struct lp_explorer *x, lp_tid thread, const struct lp_event *b, bool caught_up)
{
	const struct lp_op *op = &x->ops.op.at[b->op].op;
	const uint32_t *past = lp_model_past(&lp_top(x)->g, thread, b->index);

	if (!lp_is_silent_rmw(b, op))
		return true;
	if (x->options->reduce.careful != LP_CARELESS || !x->machine.omitted.facts || !past || (!caught_up && x->machine.own.any))
		return false;
	lp_omitted_might_perform(x, thread, b->index, op, past);
	return true;
}

/* Do conditions 1 to 3 hold for the thread's last two events?  Fills in the fact that decides about 4 and 5, except for `after` and
 * `redundant`. */
static bool find_reads(const struct lp_explorer *x, lp_tid thread, struct lp_reread_fact *f)
{
	const struct lp_graph *g = &x->frames.at[x->depth - 1]->g;
	const struct lp_thread *t = &g->threads.at[thread];
	const struct lp_program *p = x->machine.program;

	if (t->count < 2 || !p->class->noise || p->unseen)
		return false;
	const lp_eid first = t->at[t->count - 2];
	const struct lp_event *a = lp_graph_event(g, first), *b = lp_graph_event(g, LP_LAST(t));
	const uint32_t begin = lp_graph_note(g, first)->live;
	if (a->loc != b->loc || a->bytes != b->bytes || !begin || !may_be_first(x, a, b->value) || !is_bare_read(x, b) ||
	    !is_at_least_as_strong(x, b, a))
		return false;
	*f = (struct lp_reread_fact){ begin, 0, b->op, false, a->value, b->value };
	return true;
}

static void mark(struct lp_explorer *x, lp_tid thread)
{
	struct lp_graph *g = &lp_top(x)->g;

	lp_graph_note(g, LP_LAST(&g->threads.at[thread]))->stop = LP_STOP_REREADS;
}

bool lp_is_redundant_reread(struct lp_explorer *x, lp_tid thread, uint32_t live)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[thread];
	struct lp_reread_facts *facts = &x->rereads;
	struct lp_reread_fact f;

	if (!live || !find_reads(x, thread, &f) || lp_graph_note(g, LP_LAST(t))->live == live)
		return false;
	f.after = live;
	const uint64_t hash = hash_of(&f);
	const struct lp_reread_fact *known = find(facts, &f, hash);
	if (!known) {
		f.redundant = try(x, thread, t->at[t->count - 2], lp_graph_event(g, LP_LAST(t)), live);
		lp_hash_add(&facts->by_hash, hash, facts->count);
		LP_PUSH(facts, f);
		known = &LP_LAST(facts);
	}
	LP_AGREES(find(facts, &f, hash)->redundant == known->redundant);
	if (!known->redundant || !may_be_silent(x, thread, lp_graph_event(g, LP_LAST(t)), true))
		return false;
	mark(x, thread);
	return true;
}

bool lp_reread_is_known(struct lp_explorer *x, lp_tid thread)
{
	const struct lp_graph *g = &lp_top(x)->g;
	struct lp_reread_fact f;

	if (!find_reads(x, thread, &f) || !find(&x->rereads, &f, hash_of(&f)) ||
	    !may_be_silent(x, thread, lp_graph_event(g, LP_LAST(&g->threads.at[thread])), false))
		return false;
	mark(x, thread);
	return true;
}
