/* naive_clients.c -- all orders, all permutations; see naive_clients.h. */
#include "naive_clients.h"

#include <stdlib.h>
#include <string.h>

#include "../naive_excuse.h"
#include "../quasi/naive_quasi.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/tuples.h"
#include "naive_holds.h"
#include "naive_orders.h"
#include "spec/spec.h"

/* ---- linearizations ---- */

bool naive_is(const struct lp_spec *spec, const struct lp_method *m, const char *list)
{
	const size_t kind = strlen(spec->kind->name), method = strcspn(m->names, " ");

	for (; *list; list += strcspn(list, " "), list += *list == ' ')
		if (!strncmp(list, spec->kind->name, kind) && list[kind] == '.' &&
		    !strncmp(list + kind + 1, m->names, method) && strcspn(list, " ") == kind + 1 + method)
			return true;
	return false;
}

/* What did the call see of what was put in: nothing, the value that it returned, what is
 * there for its key, what is there (a register), or all that is there (a snapshot). */
enum seen { NOTHING, VALUE, KEY, CELL, CELLS };

static enum seen seen_by(const struct lp_spec *spec, const struct lp_method *m, int64_t value)
{
	if (naive_is(spec, m, "queue.dequeue queue.front stack.pop stack.top deque.pop_front deque.pop_back "
			      "priority_queue.remove priority_queue.peek scored_queue.remove scored_queue.peek multiset.take "
			      "work_stealing.pop work_stealing.steal fifo_work_stealing.pop fifo_work_stealing.steal"))
		return value == LP_EMPTY ? NOTHING : VALUE;
	if (naive_is(spec, m, "register.read register.swap"))
		return CELL;
	if (naive_is(spec, m, "snapshot.scan"))
		return CELLS;
	if (naive_is(spec, m, "register.cas"))
		return value == 1 ? CELL : NOTHING;
	if (naive_is(spec, m, "set.insert map.put_if_absent"))
		return value == 0 ? KEY : NOTHING;
	if (naive_is(spec, m, "set.remove set.contains multiset.remove multiset.contains map.remove map.contains map.cas"))
		return value == 1 ? KEY : NOTHING;
	if (naive_is(spec, m, "map.get"))
		return value != LP_NIL ? KEY : NOTHING;
	if (naive_is(spec, m, "multiset.count"))
		return value != 0 ? KEY : NOTHING;
	return NOTHING;
}

static bool goes_in(const struct lp_spec *spec, const struct lp_method *m, int64_t value)
{
	if (naive_is(spec, m, "register.cas map.cas"))
		return value == 1;
	return m->roles & LP_INSERTS && ((m->result != LP_SUCCESS && m->result != LP_TRUTH) || value == 1);
}

static bool goes_out(const struct lp_method *m, int64_t value)
{
	return m->roles & LP_REMOVES && value != LP_EMPTY && (m->result != LP_TRUTH || value == 1);
}

struct node {
	struct lp_state state;
	rel order, owed; /* the permutation; what the object has to order by itself */
	rel handed;      /* permits: from whom each may have its own */
	uint32_t settled; /* so many calls came before the last settled state */
	uint32_t call[N], count;
};

/* What all permutations come to. */
struct sweep {
	const struct naive_question *q;
	uint32_t stuck;
	rel h;            /* to be respected */
	bool sync;        /* what is owed counts */
	bool any;         /* some permutation is accepted */
	uint32_t longest; /* that far one gets */
	rel owed_ever;    /* by accepted ones */
	const uint32_t *wanted; /* if set: only permutations that begin so */
	uint32_t wanted_count;
	bool begins;      /* one does */
	rel accepted[120]; /* the accepted ones, as orders */
	uint32_t accepted_count;
};

int64_t naive_result(const struct lp_method *m, const struct lp_observed *c)
{
	if (lp_is_thrown(c->result))
		return c->result;
	switch (m->result) {
	case LP_SUCCESS:
		return c->result == 0 || c->result == LP_FULL ? 0 : 1;
	case LP_TRUTH:
		return c->result != 0;
	case LP_VALUE_OR_EMPTY:
		return c->result == LP_NIL || c->result == LP_VOID ? LP_EMPTY : c->result;
	default:
		return c->result;
	}
}

/* Must it wait for another stuck call, one not in `gone`? */
static bool yields(const struct naive_question *q, uint32_t call, uint32_t gone)
{
	for (uint32_t z = 0; z < q->o->count; z++)
		if (z != call && q->o->call[z].stuck && !(gone >> z & 1) &&
		    naive_yields(q->spec, q->o->call[call].method, q->o->call[z].method))
			return true;
	return false;
}

static enum lp_answer run(const struct naive_question *q, uint32_t call, struct lp_state *s,
			  uint32_t choice)
{
	const struct lp_spec strict = naive_strict(q->spec);
	const struct lp_observed *c = &q->o->call[call];
	const struct lp_method *m = &q->spec->kind->methods[c->method];
	const int64_t value = naive_result(m, c);
	struct lp_spec_call step = { .arg = c->arg, .args = m->args, .thread = c->thread,
				     .choice = choice, .results = m->result != LP_NOTHING || lp_is_thrown(value),
				     .result = c->stuck ? NULL : &value };

	if (m->result == LP_VALUES && !c->stuck)
		step.result = lp_tuples_values(q->o->tuples, c->result, &step.results);
	return lp_spec_step(&strict, c->method, s, &step);
}

static bool owes(const struct naive_question *q)
{
	return q->sync != LP_SYNC_NONE || naive_holds_any(q);
}

/* What the object has to order before the call, which comes next. */
static rel owed_by(const struct naive_question *q, const struct node *n, uint32_t call)
{
	const struct lp_observed *c = &q->o->call[call];
	const struct lp_method *m = &q->spec->kind->methods[c->method];
	const int64_t value = naive_result(m, c);
	const enum seen seen = seen_by(q->spec, m, value);
	const bool several = q->spec->kind == lp_kind_named("multiset");
	rel owed = 0;
	bool found = seen == NOTHING;
	uint64_t cells = 0; /* those whose last writer was met */

	for (uint32_t i = n->count; i-- > 0;) {
		const struct lp_observed *d = &q->o->call[n->call[i]];
		const struct lp_method *dm = &q->spec->kind->methods[d->method];
		const bool d_in = goes_in(q->spec, dm, naive_result(dm, d)), d_out = goes_out(dm, naive_result(dm, d));
		const rel this = pair(n->call[i], call);
		if (seen == CELLS && d_in) {
			owed |= cells >> d->arg[0] & 1 ? 0 : this;
			cells |= UINT64_C(1) << d->arg[0];
		} else if (!found && d_in &&
		    (seen == CELL || d->arg[naive_is(q->spec, dm, "scored_queue.insert")] == (seen == KEY ? c->arg[0] : value))) {
			owed |= this;
			/* A key or a register holds one; else any of them may be the one. */
			found = seen == CELL || (seen == KEY && !several);
		}
		if ((q->sync >= LP_SYNC_RI && goes_in(q->spec, m, value) && d_in) ||
		    (q->sync == LP_SYNC_RID && goes_out(m, value) && d_out))
			owed |= this;
	}
	return q->sync == LP_SYNC_NONE ? 0 : owed;
}

/* Do other calls explain that it failed?  Which ones overlap, h says. */
static bool is_excused(const struct sweep *w, const struct node *n, uint32_t call)
{
	const struct lp_observation *o = w->q->o;
	const struct lp_method *methods = w->q->spec->kind->methods;
	struct naive_other others[N];

	for (uint32_t x = 0; x < o->count; x++) {
		const struct lp_observed *c = &o->call[x];
		others[x] = (struct naive_other){
			.method = c->method, .arg = c->arg[0],
			.failed = naive_failed(w->q->spec, c->method, !c->stuck, naive_result(&methods[c->method], c)),
			.overlaps = x != call && !has(w->h, x, call) && !has(w->h, call, x),
		};
	}
	const struct lp_observed *c = &o->call[call];
	for (uint32_t i = 0; i < n->count; i++)
		others[n->call[i]].earlier = true;
	return naive_excused(w->q->spec, c->method, true, naive_result(&methods[c->method], c), &n->state, others, o->count);
}

static void visit(struct sweep *w, struct node *n);

static void enter(struct sweep *w, const struct node *n, const struct lp_state *state, uint32_t call)
{
	struct node next = *n;

	lp_state_open(&next.state);
	lp_state_copy(&next.state, state);
	/* What takes effect together has no order. */
	for (uint32_t i = 0; i < n->settled; i++)
		next.order |= pair(n->call[i], call);
	next.owed |= owed_by(w->q, n, call);
	naive_holds_next(w->q, n->call, n->count, call, &next.owed, &next.handed);
	next.call[next.count++] = call;
	if (lp_spec_is_settled(w->q->spec, state))
		next.settled = next.count;
	if (!w->sync || (!(next.owed & ~from_rows(w->q->o->happens, w->q->o->count)) &&
			 (!next.handed || naive_holds_enough(w->q, next.call, next.count))))
		visit(w, &next);
	lp_state_close(&next.state);
}

/* Is there a way for some of the stuck calls, those not in `gone`, to go on? */
static bool goes_on(const struct naive_question *q, const struct lp_state *from, uint32_t gone)
{
	bool found = false;

	for (uint32_t z = 0; z < q->o->count; z++) {
		const bool chooses = q->spec->kind->methods[q->o->call[z].method].roles & LP_CHOOSES;
		bool more = q->o->call[z].stuck && !(gone >> z & 1);
		for (uint32_t choice = 0; more && (!choice || chooses); choice++) {
			struct lp_state s;
			lp_state_open(&s);
			lp_state_copy(&s, from);
			more = !yields(q, z, gone) && run(q, z, &s, choice) == LP_ACCEPTS;
			if (more)
				found |= lp_spec_is_settled(q->spec, &s) ||
					 goes_on(q, &s, gone | UINT32_C(1) << z);
			lp_state_close(&s);
		}
	}
	return found;
}

static void arrive(struct sweep *w, struct node *n)
{
	if (n->settled != n->count)
		return; /* some call was not met */
	for (uint32_t z = 0; w->stuck != LP_NO_CALL && z < w->q->o->count; z++) {
		struct lp_state s;
		if (!w->q->o->call[z].stuck)
			continue;
		lp_state_open(&s);
		lp_state_copy(&s, &n->state);
		const bool rejects = run(w->q, z, &s, 0) == LP_REJECTS;
		lp_state_close(&s);
		if (rejects)
			return;
	}
	if (w->stuck != LP_NO_CALL && goes_on(w->q, &n->state, 0))
		return;
	w->any = true;
	w->owed_ever |= n->owed | n->handed;
	for (uint32_t i = 0; i < w->accepted_count; i++)
		if (w->accepted[i] == n->order)
			return;
	w->accepted[w->accepted_count++] = n->order;
}

static void visit(struct sweep *w, struct node *n)
{
	const struct lp_observation *o = w->q->o;
	bool complete = true;

	w->longest = n->count > w->longest ? n->count : w->longest;
	w->begins |= n->count == w->wanted_count;
	for (uint32_t a = 0; a < o->count; a++) {
		bool ready = !o->call[a].stuck;
		for (uint32_t i = 0; i < n->count; i++)
			ready &= n->call[i] != a;
		complete &= !ready;
		for (uint32_t b = 0; b < o->count && ready; b++) {
			bool done = false;
			for (uint32_t i = 0; i < n->count; i++)
				done |= n->call[i] == b;
			ready = done || !has(w->h, b, a);
		}
		if (w->wanted && n->count < w->wanted_count && w->wanted[n->count] != a)
			ready = false;
		if (!ready)
			continue;
		const bool chooses = w->q->spec->kind->methods[o->call[a].method].roles & LP_CHOOSES;
		for (uint32_t choice = 0; !choice || chooses; choice++) {
			struct lp_state s;
			lp_state_open(&s);
			lp_state_copy(&s, &n->state);
			bool accepted = run(w->q, a, &s, choice) == LP_ACCEPTS;
			if (!accepted && !choice && (accepted = is_excused(w, n, a)))
				lp_state_copy(&s, &n->state);
			if (accepted)
				enter(w, n, &s, a);
			lp_state_close(&s);
			if (!accepted)
				break;
		}
	}
	if (complete)
		arrive(w, n);
}

static void sweep(struct sweep *w, const struct naive_question *q, uint32_t stuck, rel h, bool sync)
{
	struct node root = { .count = 0 };

	w->q = q;
	w->stuck = stuck;
	w->h = h;
	w->sync = sync && owes(q);
	lp_state_open(&root.state);
	lp_state_begin(&root.state, q->spec);
	visit(w, &root);
	lp_state_close(&root.state);
}

/* ---- quasi-linearizability: any order that is close enough ---- */

/* Do all that are stuck wait in that state? */
static bool all_wait(const struct naive_question *q, const struct lp_state *state)
{
	for (uint32_t z = 0; z < q->o->count; z++) {
		struct lp_state s;
		if (!q->o->call[z].stuck)
			continue;
		lp_state_open(&s);
		lp_state_copy(&s, state);
		const bool rejects = run(q, z, &s, 0) == LP_REJECTS;
		lp_state_close(&s);
		if (rejects)
			return false;
	}
	return !goes_on(q, state, 0);
}

static bool rests(void *closure, const struct lp_state *state)
{
	const struct sweep *w = closure;

	return w->stuck == LP_NO_CALL || all_wait(w->q, state);
}

static void open_quasi(struct sweep *w, struct naive_quasi *n)
{
	const struct naive_question *q = w->q;
	struct naive_values values = { { 0 }, 0 };

	*n = (struct naive_quasi){ .spec = q->spec, .rule = q->quasi, .further = 3 };
	for (int64_t v = -3; v < 6 && q->spec->kind->data == LP_DATA_NONE; v++)
		naive_values_add(&values, v);
	for (uint32_t a = 0; a < q->o->count; a++) {
		const struct lp_method *m = &q->spec->kind->methods[q->o->call[a].method];
		for (uint32_t i = 0; i < m->args; i++)
			naive_values_add(&values, q->o->call[a].arg[i]);
		if (m->result == LP_VALUE || m->result == LP_VALUE_OR_EMPTY)
			naive_values_add(&values, q->o->call[a].result);
	}
	naive_values_add(&values, 9);
	naive_quasi_fill_menu(n, &values);
	n->rests = rests;
	n->closure = w;
}

static void push_call(const struct naive_question *q, struct naive_quasi *n, uint32_t call)
{
	const struct lp_observed *c = &q->o->call[call];
	const struct lp_method *m = &q->spec->kind->methods[c->method];
	struct naive_call *to = &n->call[n->count++];

	*to = (struct naive_call){ .method = c->method, .thread = c->thread,
				   .results = m->result != LP_NOTHING || lp_is_thrown(c->result), .result = naive_result(m, c) };
	memcpy(to->arg, c->arg, sizeof to->arg);
}

/* Every permutation, `order` followed by those not in `done`: accepts it if it will do. */
static void permute(struct sweep *w, struct naive_quasi *n, rel order, uint32_t done)
{
	const struct lp_observation *o = w->q->o;
	bool complete = true;

	for (uint32_t a = 0; a < o->count; a++) {
		rel next = order;
		if (done >> a & 1 || o->call[a].stuck)
			continue;
		complete = false;
		for (uint32_t b = 0; b < o->count; b++)
			next |= done >> b & 1 ? pair(b, a) : 0;
		push_call(w->q, n, a);
		permute(w, n, next, done | UINT32_C(1) << a);
		n->count--;
	}
	if (complete && naive_quasi_fits(n))
		w->accepted[w->accepted_count++] = order;
}

/* All orders that will do, whatever h is. */
static void restart_sweep(struct sweep *w, const struct naive_question *q, uint32_t stuck)
{
	struct naive_quasi n;

	if (!q->quasi) {
		sweep(w, q, stuck, 0, true);
		return;
	}
	w->q = q;
	w->stuck = stuck;
	open_quasi(w, &n);
	permute(w, &n, 0, 0);
}

/* All that they depend on, and what orders clients have, but the specification and the factors. */
struct sweep_key {
	uint32_t sync, quasi, count, stuck, class, length;
	struct {
		uint64_t method, thread, stuck;
		int64_t arg[LP_OBSERVED_ARGS], result;
		uint64_t before, happens; /* if something is owed */
	} call[N];
};

struct kept {
	bool used;
	struct sweep_key key;
	struct sweep sweep;
	uint16_t wrong[ORDERS]; /* members of the class that none of them respects */
	uint32_t wrong_count;
};

enum { KEPT = 1 << 13 };
enum answer { UNKNOWN, POSSIBLE, IMPOSSIBLE };

struct naive_memo {
	struct kept at[KEPT]; /* by hash; the last one */
	/* Of the present observation, by the number of an order: */
	uint8_t answer[ORDERS];
	rel closed[ORDERS]; /* it, with the given one */
	uint32_t count;     /* so many, for so many calls and the given order: */
	uint32_t calls;
	rel given;
	naive_hopeful *hopeful;
	bool asks_all, hoped_wrongly;
};

struct naive_memo *naive_memo_open(void)
{
	return lp_alloc_zero(1, sizeof(struct naive_memo));
}

void naive_memo_close(struct naive_memo *m)
{
	lp_free(m);
}

void naive_memo_next(struct naive_memo *m, const struct lp_observation *o, naive_hopeful *hopeful,
		     bool asks_all)
{
	const rel given = from_before(o->before, o->count);

	make_orders();
	memset(m->answer, UNKNOWN, sizeof m->answer);
	m->hopeful = hopeful;
	m->asks_all = asks_all;
	if (m->calls == o->count && m->given == given)
		return;
	m->calls = o->count;
	m->given = given;
	m->count = orders_upto[o->count];
	for (uint32_t i = 0; i < m->count; i++)
		m->closed[i] = with_given(orders[i], given);
}

bool naive_memo_hoped_wrongly(const struct naive_memo *m)
{
	return m->hoped_wrongly;
}

/* What permutations can say about an order: calls that never return are in none. */
static rel said_of(const struct lp_observation *o)
{
	rel said = 0;

	for (uint32_t y = 0; y < o->count; y++)
		for (uint32_t x = 0; x < N && !o->call[y].stuck; x++)
			said |= pair(x, y);
	return said;
}

/* Does an accepted permutation respect h?  All of them are looked at, several at once. */
static bool is_respected(const struct sweep *w, rel h)
{
	uint32_t respected = 0;

	for (uint32_t i = 0; i < w->accepted_count; i++)
		respected |= (h & ~w->accepted[i]) == 0;
	return respected;
}

static bool is_accepted_with(const struct naive_question *q, uint32_t stuck, rel h, bool sync);

/* Kept, or made now. */
static const struct kept *sweep_all(const struct naive_question *q, uint32_t stuck)
{
	struct sweep_key key;

	memset(&key, 0, sizeof key);
	key.sync = q->sync;
	key.quasi = q->quasi != NULL;
	key.count = q->o->count;
	key.stuck = stuck;
	key.class = q->class;
	key.length = q->length;
	for (uint32_t a = 0; a < q->o->count; a++) {
		const struct lp_observed *c = &q->o->call[a];
		key.call[a].method = c->method;
		key.call[a].thread = c->thread;
		key.call[a].stuck = c->stuck;
		memcpy(key.call[a].arg, c->arg, sizeof c->arg);
		key.call[a].result = c->result;
		key.call[a].before = q->o->before[a];
		key.call[a].happens = owes(q) ? q->o->happens[a] : 0;
	}
	struct lp_fingerprint f = LP_FINGERPRINT;
	lp_fingerprint_bytes(&f, &key, sizeof key);
	static struct kept unshared;
	struct kept *kept = q->memo ? &q->memo->at[f.a % KEPT] : &unshared;
	if (q->memo && kept->used && !memcmp(&kept->key, &key, sizeof key))
		return kept;
	const struct members *m = members_of(q);
	const rel said = said_of(q->o);
	kept->used = true;
	kept->key = key;
	kept->wrong_count = 0;
	kept->sweep = (struct sweep){ 0 };
	const bool by_order = lp_spec_uses_overlap(q->spec);
	if (!by_order)
		restart_sweep(&kept->sweep, q, stuck);
	for (uint32_t i = 0; i < m->count; i++)
		if (!(by_order ? is_accepted_with(q, stuck, m->h[i], true) : is_respected(&kept->sweep, m->h[i] & said)))
			kept->wrong[kept->wrong_count++] = (uint16_t)i;
	return kept;
}

/* ---- the answer ---- */

/* No order that contains h is possible. */
static void strike(struct naive_memo *m, const struct known *known, rel h)
{
	for (uint32_t i = 0; i < m->count; i++) {
		if (h & ~m->closed[i])
			continue;
		if (m->asks_all && m->answer[i] == UNKNOWN && is_strict_order(m->closed[i]))
			m->hoped_wrongly |= is_possible(known, m->closed[i]);
		m->answer[i] = IMPOSSIBLE;
	}
}

/* The same for an order by its number, which is asked for once. */
static bool is_known_possible(struct naive_memo *m, const struct known *known, uint32_t number)
{
	if (m->answer[number] != UNKNOWN)
		return m->answer[number] == POSSIBLE;
	const rel h = m->closed[number];
	uint32_t before[LP_OBSERVED_CALLS] = { 0 };
	to_before(h, before);
	if (m->hopeful && !m->hopeful(known->o->closure, before))
		strike(m, known, h);
	else
		m->answer[number] = is_possible(known, h) ? POSSIBLE : IMPOSSIBLE;
	return m->answer[number] == POSSIBLE;
}

static bool is_refuted(const struct naive_question *q, uint32_t stuck)
{
	const struct members *m = members_of(q);
	const struct known known = known_of(q->o);
	const struct kept *kept = sweep_all(q, stuck);

	for (const uint16_t *i = kept->wrong; i < kept->wrong + kept->wrong_count; i++) {
		if ((q->memo ? is_known_possible(q->memo, &known, m->number[*i]) : is_possible(&known, m->h[*i])) &&
		    is_possible_of_class(q, m->h[*i]))
			return true;
	}
	return false;
}

bool naive_right(const struct naive_question *q)
{
	uint32_t stuck = LP_NO_CALL;

	for (uint32_t z = 0; z < q->o->count; z++)
		if (q->o->call[z].stuck)
			stuck = z;
	return !is_refuted(q, stuck);
}

/* ---- reasons ---- */

static bool is_accepted_with(const struct naive_question *q, uint32_t stuck, rel h, bool sync)
{
	struct sweep w = { 0 };

	if (q->quasi)
		return is_respected(&sweep_all(q, stuck)->sweep, h & said_of(q->o));
	sweep(&w, q, stuck, h, sync);
	return w.any;
}

static const char *order_objection(const struct naive_question *q, const struct lp_refutation *why)
{
	const rel given = from_before(q->o->before, q->o->count);
	const rel h = from_before(why->before, q->o->count);
	const struct members *m = members_of(q);
	const struct known known = known_of(q->o);
	bool of_class = false;

	if (!is_strict_order(h) || given & ~h)
		return "h is no order that contains the one given";
	for (uint32_t i = 0; i < m->count; i++)
		of_class |= m->h[i] == h;
	if (!of_class)
		return "h is not of the class";
	if (!is_possible(&known, h) || !is_possible_of_class(q, h))
		return "h is not possible";
	if (is_accepted_with(q, why->stuck, h, true))
		return "there is a linearization";
	if (why->order_matters != (h != given))
		return "order_matters is wrong";
	for (uint32_t b = 0; b < N && q->class == LP_ORDERS_ALL; b++)
		for (uint32_t a = 0; a < N; a++) {
			const rel less = h & ~pair(b, a);
			if (has(h, b, a) && !has(given, b, a) && is_strict_order(less) &&
			    !is_accepted_with(q, why->stuck, less, true))
				return "h is not minimal";
		}
	return NULL;
}

/* As far as one gets: an order that respects h, and that some run may be close to. */
static bool is_beginning(const struct naive_question *q, const struct lp_refutation *why)
{
	const rel h = from_before(why->before, q->o->count);
	struct sweep w = { .q = q, .stuck = LP_NO_CALL };
	struct naive_quasi n;
	uint32_t done = 0;

	open_quasi(&w, &n);
	for (uint32_t i = 0; i < why->closest_count; i++) {
		for (uint32_t b = 0; b < q->o->count; b++)
			if (has(h, b, why->closest[i]) && !(done >> b & 1))
				return false;
		push_call(q, &n, why->closest[i]);
		done |= UINT32_C(1) << why->closest[i];
	}
	return naive_quasi_fits_so_far(&n);
}

static const char *closest_objection(const struct naive_question *q, const struct lp_refutation *why)
{
	const rel h = from_before(why->before, q->o->count);
	struct sweep far = { 0 }, begin = { .wanted = why->closest, .wanted_count = why->closest_count };

	if (q->quasi)
		return is_beginning(q, why) ? NULL : "closest is no beginning of an order that is close";
	sweep(&far, q, why->stuck, h, true);
	sweep(&begin, q, why->stuck, h, true);
	if (!begin.begins)
		return "closest is no beginning of a linearization";
	if (far.longest != why->closest_count)
		return "one gets further than closest";
	return NULL;
}

static const char *sync_objection(const struct naive_question *q, const struct lp_refutation *why)
{
	const rel h = from_before(why->before, q->o->count);
	struct sweep w = { 0 };

	sweep(&w, q, why->stuck, h, false);
	if (why->sync_missing != (owes(q) && w.any))
		return "sync_missing is wrong";
	if (why->sync_missing && (!has(w.owed_ever, why->from, why->to) ||
				  has(from_rows(q->o->happens, q->o->count), why->from, why->to)))
		return "that is not what is missing";
	return NULL;
}

const char *naive_objection(const struct naive_question *q, const struct lp_refutation *why)
{
	bool any = false;
	const char *objection;

	for (uint32_t z = 0; z < q->o->count; z++)
		any |= q->o->call[z].stuck;
	if (any ? why->stuck >= q->o->count || !q->o->call[why->stuck].stuck : why->stuck != LP_NO_CALL)
		return "that call is not stuck";
	objection = order_objection(q, why);
	if (!objection)
		objection = closest_objection(q, why);
	return objection ? objection : sync_objection(q, why);
}
