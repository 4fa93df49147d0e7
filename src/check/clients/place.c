/* place.c -- searches for one linearization of a few calls. */
#include "check/clients/place.h"

#include <string.h>

#include "base/tuples.h"
#include "check/clients/commute.h"
#include "check/clients/overlap.h"
#include "check/quasi/place_quasi.h"

struct run {
	struct lp_place *p;
	const struct lp_observation *o;
	const uint32_t *before;
	const uint32_t *client; /* `before` without the pairs that demands.h added */
	uint32_t *order;
	uint32_t placed, done; /* the number of placed calls, and the set of them */
	uint32_t left;         /* calls that returned and are not done */
	uint32_t group;        /* the calls placed since the state was last settled */
	uint32_t stuck;
	uint32_t explained;    /* the placed calls that are correct only because others overlap with them */
	uint32_t fixed[LP_OBSERVED_CALLS]; /* for each call, the calls that no client can order before it */
};

static const struct lp_method *method_of(const struct lp_place *p, const struct lp_observed *c)
{
	return &p->spec->kind->methods[c->method];
}

/* ---- what the specification sees ---- */

uint32_t lp_place_shaped(const struct lp_method *m, int64_t result, int64_t *value)
{
	*value = result;
	if (lp_is_thrown(result)) /* every method can end with an exception */
		return 1;
	switch (m->result) {
	case LP_NOTHING:
		return 0;
	case LP_VALUE_OR_EMPTY:
		if (result == LP_NIL || result == LP_VOID)
			*value = LP_EMPTY;
		return 1;
	case LP_SUCCESS:
		*value = result != 0 && result != LP_FULL;
		return 1;
	case LP_TRUTH:
		*value = result != 0;
		return 1;
	case LP_VALUE:
	case LP_VALUES:
		return 1;
	}
	return 1;
}

/* Returns the call in the form that specifications take.  `*value` is the room for its result. */
static struct lp_spec_call spec_call_of(const struct lp_place *p, const struct lp_observed *c, int64_t *value)
{
	const struct lp_method *m = method_of(p, c);
	struct lp_spec_call call = {
		.arg = c->arg, .args = m->args, .thread = c->thread,
		.results = lp_place_shaped(m, c->result, value), .param = p->spec->param,
	};

	call.result = c->stuck ? NULL : value;
	if (m->result == LP_VALUES && !c->stuck) {
		/* If the number is not the name of a tuple, there are no values. */
		const int64_t *values = lp_tuples_values(p->tuples, c->result, &call.results);
		call.result = values ? values : value;
	}
	return call;
}

static enum lp_answer step_among(const struct lp_place *p, const struct lp_observed *c, struct lp_state *state,
				 uint32_t choice, const struct lp_overlap *overlap)
{
	int64_t value;
	struct lp_spec_call call = spec_call_of(p, c, &value);

	call.choice = choice;
	call.overlap = overlap;
	return lp_spec_step(p->spec, c->method, state, &call);
}

enum lp_answer lp_place_step(const struct lp_place *p, const struct lp_observed *c,
			     struct lp_state *state, uint32_t choice)
{
	return step_among(p, c, state, choice, NULL);
}

/* ---- synchronisation that the object owes ---- */

static int64_t value_of(const struct lp_place *p, const struct lp_observed *c)
{
	int64_t value;
	lp_place_shaped(method_of(p, c), c->result, &value);
	return value;
}

/* Did the call insert a value? */
static bool inserts(const struct lp_place *p, const struct lp_observed *c)
{
	const struct lp_method *m = method_of(p, c);

	return m->roles & (LP_INSERTS | LP_REPLACES) &&
	       ((m->result != LP_SUCCESS && m->result != LP_TRUTH) || value_of(p, c) == 1);
}

/* Did the call remove a value? */
static bool removes(const struct lp_place *p, const struct lp_observed *c)
{
	const struct lp_method *m = method_of(p, c);

	return m->roles & LP_REMOVES && value_of(p, c) != LP_EMPTY &&
	       (m->result != LP_TRUTH || value_of(p, c) == 1);
}

bool lp_place_inserts(const struct lp_place *p, const struct lp_observed *c)
{
	return !c->stuck && inserts(p, c);
}

bool lp_place_removes(const struct lp_place *p, const struct lp_observed *c)
{
	return !c->stuck && removes(p, c);
}

/* Did the call see an inserted value or key?  If so, sets `*what` to it. */
static bool sees(const struct lp_place *p, const struct lp_observed *c, int64_t *what)
{
	const struct lp_method *m = method_of(p, c);
	const int64_t value = value_of(p, c);
	const bool by_key = p->spec->kind->by_key && m->args;

	*what = by_key ? c->arg[0] : value;
	if (lp_is_thrown(value))
		return false;
	switch (m->result) {
	case LP_TRUTH:
		if (m->roles & LP_INSERTS) /* an insertion that fails has seen the value of another one */
			return value == 0 && by_key;
		*what = by_key || !m->args ? *what : c->arg[0];
		return value == 1 && (by_key || m->roles & LP_REPLACES);
	case LP_VALUE_OR_EMPTY:
		return value != LP_EMPTY && m->roles & (LP_REMOVES | LP_OBSERVES);
	case LP_VALUE: /* for a set or multiset, the value is a number of keys, or of copies of a key */
		return value != LP_NIL && !(m->roles & LP_WHOLE) && (value || p->cells.valued) &&
		       m->roles & (LP_REMOVES | LP_OBSERVES | LP_REPLACES);
	case LP_NOTHING:
	case LP_SUCCESS:
	case LP_VALUES:
		return false;
	}
	return false;
}

/* Is the call an insertion of `what`? */
static bool put_in(const struct lp_place *p, const struct lp_observed *c, int64_t what)
{
	const struct lp_method *m = method_of(p, c);

	if (!inserts(p, c) || !m->args)
		return false;
	return c->arg[p->spec->kind->by_key ? 0 : m->args - 1] == what;
}

/* Does the call overwrite the previous value, of its key or of the only cell?  If not, a value may be present several
 * times, and a call that sees it may have seen any of its insertions. */
static bool overwrites(const struct lp_place *p, const struct lp_observed *c)
{
	const struct lp_method *m = method_of(p, c);

	return p->cells.overwrites || (p->spec->kind->by_key && (m->args > 1 || m->result == LP_TRUTH));
}

/* Is the call the last insertion into its component? */
static bool is_last(const struct lp_place *p, const struct lp_observation *o, const uint32_t *order,
		    uint32_t placed, uint32_t i)
{
	bool last = inserts(p, &o->call[order[i]]);

	for (uint32_t k = i + 1; k < placed; k++)
		last &= !inserts(p, &o->call[order[k]]) || o->call[order[k]].arg[0] != o->call[order[i]].arg[0];
	return last;
}

/* Is the synchronisation of enum lp_sync provided: an insertion happens before the call that returns its value, and so on? */
static bool follows_values(const struct lp_place *p, const struct lp_observation *o, const uint32_t *order,
			   uint32_t placed, uint32_t call, uint32_t *from)
{
	const struct lp_observed *c = &o->call[call];
	int64_t what;

	if (p->sync == LP_SYNC_NONE)
		return true;
	bool looks = sees(p, c, &what);
	const bool scans = method_of(p, c)->result == LP_VALUES;
	for (uint32_t i = placed; i-- > 0;) {
		const struct lp_observed *d = &o->call[order[i]];
		bool related = (p->sync >= LP_SYNC_RI && inserts(p, c) && inserts(p, d)) ||
			       (p->sync == LP_SYNC_RID && removes(p, c) && removes(p, d));
		if (looks && put_in(p, d, what)) {
			related = true;
			looks = !overwrites(p, d);
		}
		related |= scans && is_last(p, o, order, placed, i);
		if (related && !(lp_observed_given(o, order[i]) >> call & 1)) {
			*from = order[i];
			return false;
		}
	}
	return true;
}

/* Is the synchronisation between each two calls provided that lp_kind.orders requires? */
static bool follows_pairs(const struct lp_place *p, const struct lp_observation *o, const uint32_t *order,
			  uint32_t placed, uint32_t call, uint32_t *from)
{
	int64_t value[2];

	if (!p->spec->kind->orders)
		return true;
	const struct lp_spec_call then = spec_call_of(p, &o->call[call], &value[1]);
	for (uint32_t i = 0; i < placed; i++) {
		const struct lp_observed *d = &o->call[order[i]];
		const struct lp_spec_call first = spec_call_of(p, d, &value[0]);
		if (!(lp_observed_given(o, order[i]) >> call & 1) &&
		    p->spec->kind->orders(d->method, &first, o->call[call].method, &then)) {
			*from = order[i];
			return false;
		}
	}
	return true;
}

bool lp_place_synchronised(const struct lp_place *p, const struct lp_observation *o,
			   const uint32_t *order, uint32_t placed, uint32_t call, uint32_t *from)
{
	return !p->owes || o->call[call].stuck ||
	       (follows_values(p, o, order, placed, call, from) && follows_pairs(p, o, order, placed, call, from) &&
		lp_holds_synchronised(p, o, order, placed, call, from));
}

bool lp_place_hands(const struct lp_place *p, const struct lp_observation *o, uint32_t from, uint32_t to)
{
	int64_t what;

	return lp_holds_handed(p, o, from, to) ||
	       (sees(p, &o->call[to], &what) && put_in(p, &o->call[from], what));
}

void lp_place_missing(const struct lp_place *p, const struct lp_observation *o,
		      const uint32_t *order, uint32_t *from, uint32_t *to)
{
	for (uint32_t i = 0; i < o->count; i++) {
		*to = order[i];
		if (!lp_place_synchronised(p, o, order, i, order[i], from))
			return;
	}
}

bool lp_place_changes_nothing(const struct lp_place *p, const struct lp_observed *c,
		   const struct lp_state *now, const struct lp_state *then)
{
	const unsigned roles = method_of(p, c)->roles;

	return roles & LP_OBSERVES && !(roles & LP_CHOOSES) && lp_state_equal(now, then) &&
	       !(p->owes && (p->spec->kind->orders || inserts(p, c) || removes(p, c) || lp_holds_concern(p, c)));
}

/* ---- calls that wait ---- */

static enum lp_answer step_stuck(const struct lp_place *p, const struct lp_observation *o, uint32_t stuck, uint32_t call,
				 struct lp_state *state, uint32_t choice)
{
	struct lp_overlap_room room;

	if (!p->uses_overlap)
		return lp_place_step(p, &o->call[call], state, choice);
	lp_overlap_fill_stuck(p, o, stuck, call, &room);
	return step_among(p, &o->call[call], state, choice, &room.overlap);
}

/* Could some of the stuck calls return, alone or together, in the state stored at `depth`?  Then the specification does
 * not allow them to wait. */
static bool could_go_on(struct lp_place *p, const struct lp_observation *o, uint32_t stuck,
			uint32_t depth)
{
	struct lp_state *then = &p->state[depth + 1];

	for (uint32_t z = 0; z < o->count; z++) {
		if (!(stuck >> z & 1))
			continue;
		const unsigned roles = method_of(p, &o->call[z])->roles;
		for (uint32_t choice = 0; !choice || roles & LP_CHOOSES; choice++) {
			lp_state_copy(then, &p->state[depth]);
			if (step_stuck(p, o, stuck, z, then, choice) != LP_ACCEPTS)
				break;
			if (lp_spec_is_settled(p->spec, then) ||
			    could_go_on(p, o, stuck & ~(UINT32_C(1) << z), depth + 1))
				return true;
		}
	}
	return false;
}

bool lp_place_rests(struct lp_place *p, const struct lp_observation *o, uint32_t depth)
{
	struct lp_state *then = &p->state[depth + 1];
	uint32_t stuck = 0;

	for (uint32_t z = 0; z < o->count; z++)
		stuck |= (uint32_t)o->call[z].stuck << z;
	for (uint32_t z = 0; z < o->count; z++) {
		if (!o->call[z].stuck)
			continue;
		lp_state_copy(then, &p->state[depth]);
		if (step_stuck(p, o, stuck, z, then, 0) == LP_REJECTS)
			return false; /* a call that the specification rejects in the state does not wait */
	}
	return !could_go_on(p, o, stuck, depth);
}

/* ---- the search ---- */

/* Returns the placed calls whose value overwrote another one and was not overwritten since.  They determine which calls
 * the object must order before later calls. */
static uint32_t still_there(const struct run *r)
{
	uint32_t there = 0;

	for (uint32_t i = r->placed; i-- > 0;) {
		const struct lp_observed *d = &r->o->call[r->order[i]];
		const struct lp_method *m = method_of(r->p, d);
		bool gone = !inserts(r->p, d) || !m->args || !overwrites(r->p, d);
		if (r->p->cells.components) {
			there |= (uint32_t)is_last(r->p, r->o, r->order, r->placed, i) << r->order[i];
			continue;
		}
		for (uint32_t k = i + 1; k < r->placed && !gone; k++)
			gone = put_in(r->p, &r->o->call[r->order[k]],
				      d->arg[r->p->spec->kind->by_key ? 0 : m->args - 1]);
		there |= (uint32_t)!gone << r->order[i];
	}
	return there;
}

/* Returns a key that differs for states of the search that continue differently. */
static struct lp_fingerprint position(const struct run *r)
{
	const struct lp_state *s = &r->p->state[r->placed];
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_word(&f, r->done | (uint64_t)r->group << 32);
	lp_fingerprint_bytes(&f, s->at, sizeof *s->at * s->count);
	if (r->p->sync != LP_SYNC_NONE)
		lp_fingerprint_word(&f, still_there(r));
	return f;
}

static void fill_fixed(struct run *r)
{
	for (uint32_t a = 0; a < r->o->count; a++)
		r->fixed[a] = r->o->reaches[a] | UINT32_C(1) << a;
	for (uint32_t b = 0; b < r->o->count; b++)
		for (uint32_t set = r->o->clashes[b] | r->before[b]; set; set &= set - 1)
			r->fixed[__builtin_ctz(set)] |= UINT32_C(1) << b;
}

/* Counts the remaining calls that a client could order before this call. */
static uint32_t contradictable(const struct run *r, uint32_t call)
{
	return (uint32_t)__builtin_popcount(r->left & ~r->fixed[call]);
}

/* Are there at most two? */
static bool is_few(uint32_t calls)
{
	calls &= calls - 1;
	return !(calls & (calls - 1));
}

/* Lists the calls that can come next, the best one first. */
static uint32_t candidates(const struct run *r, uint32_t *call)
{
	uint32_t n = 0, cost[LP_OBSERVED_CALLS];

	for (uint32_t a = 0; a < r->o->count; a++) {
		if (!(r->left >> a & 1) || r->before[a] & (r->left | r->group))
			continue;
		const uint32_t c = contradictable(r, a);
		uint32_t at = n++;
		for (; at && cost[at - 1] > c; at--) {
			cost[at] = cost[at - 1];
			call[at] = call[at - 1];
		}
		cost[at] = c;
		call[at] = a;
	}
	return n;
}

static void note_best(struct run *r)
{
	struct lp_place *p = r->p;

	if (r->placed <= p->best_count && p->best_count)
		return;
	p->best_count = r->placed;
	memcpy(p->best, r->order, sizeof *p->best * r->placed);
}

/* Records that the call takes effect together with the calls since the last settled state. */
static void join_group(struct run *r, uint32_t call, const struct lp_state *then)
{
	r->group |= UINT32_C(1) << call;
	for (uint32_t a = 0; a < r->o->count; a++)
		if (r->group >> a & 1)
			r->p->together[a] = r->group;
	if (lp_spec_is_settled(r->p->spec, then))
		r->group = 0;
}

static bool place_rest(struct run *r);

/* Does the specification accept the call, by the state alone or because other calls overlap? */
static bool accepts(struct run *r, uint32_t call, uint32_t choice, struct lp_state *then)
{
	struct lp_place *p = r->p;
	struct lp_overlap_room room;

	lp_state_copy(then, &p->state[r->placed]);
	if (lp_place_step(p, &r->o->call[call], then, choice) == LP_ACCEPTS)
		return true;
	if (!p->uses_overlap)
		return false;
	lp_overlap_fill(p, r->o, r->client, r->done, call, &room);
	lp_state_copy(then, &p->state[r->placed]);
	if (step_among(p, &r->o->call[call], then, choice, &room.overlap) != LP_ACCEPTS)
		return false;
	r->explained |= UINT32_C(1) << call;
	return true;
}

/* Places the call next, and searches on from each state that this can lead to.  `*changes_nothing`: a call with this
 * result never changes the state. */
static bool place_call(struct run *r, uint32_t call, bool *changes_nothing)
{
	struct lp_place *p = r->p;
	const struct lp_observed *c = &r->o->call[call];
	const unsigned roles = method_of(p, c)->roles;
	struct lp_state *now = &p->state[r->placed], *then = now + 1;
	const uint32_t group = r->group;
	uint32_t from;

	*changes_nothing = false;
	if (!lp_place_synchronised(p, r->o, r->order, r->placed, call, &from))
		return false;
	for (uint32_t choice = 0; !choice || roles & LP_CHOOSES; choice++) {
		if (!accepts(r, call, choice, then))
			break;
		*changes_nothing = !group && lp_place_changes_nothing(p, c, now, then);
		join_group(r, call, then);
		r->order[r->placed++] = call;
		r->done |= UINT32_C(1) << call;
		r->left &= ~(UINT32_C(1) << call);
		note_best(r);
		if (place_rest(r))
			return true;
		r->placed--;
		r->done &= ~(UINT32_C(1) << call);
		r->explained &= ~(UINT32_C(1) << call);
		r->left |= UINT32_C(1) << call;
		r->group = group;
	}
	return false;
}

static bool place_rest(struct run *r)
{
	struct lp_place *p = r->p;
	uint32_t next[LP_OBSERVED_CALLS];

	if (lp_place_must_stop(p))
		return false;
	if (!r->left) {
		if (r->group)
			return false; /* some call takes effect together with a call that is not placed */
		if (r->stuck == LP_NO_CALL)
			return true;
		r->order[r->placed] = r->stuck;
		p->together[r->stuck] = UINT32_C(1) << r->stuck;
		return lp_place_rests(p, r->o, r->placed);
	}
	/* Looks up failed states only if there are any, which is rare, and if more than a few calls are left, since a
	 * few calls are quickly tried. */
	const bool few = is_few(r->left);
	if (!few && p->failed.count && lp_fingerprints_have(&p->failed, position(r)))
		return false;
	const uint32_t n = candidates(r, next);
	for (uint32_t i = 0; i < n; i++) {
		bool changes_nothing;
		if (place_call(r, next[i], &changes_nothing))
			return true;
		/* A call that changes nothing can be placed here without alternatives, because it affects no other
		 * call. */
		if (changes_nothing)
			break;
	}
	if (!few)
		lp_fingerprints_add(&p->failed, position(r));
	return false;
}

enum lp_place_found lp_place_all(struct lp_place *p, const struct lp_observation *o, const uint32_t *before,
				 uint32_t stuck, uint32_t *order)
{
	uint32_t demanded[LP_OBSERVED_CALLS];
	struct run r = { .p = p, .o = o, .before = before, .client = before, .order = order, .stuck = stuck };
	bool hopeless = false;

	if (p->demands.may && !p->tries) {
		memcpy(demanded, before, sizeof *before * o->count);
		hopeless = !lp_demands_add(p, o, demanded);
		r.before = demanded;
	}
	for (uint32_t a = 0; a < o->count; a++)
		if (!o->call[a].stuck)
			r.left |= UINT32_C(1) << a;
	fill_fixed(&r);
	p->best_count = 0;
	lp_fingerprints_clear(&p->failed);
	lp_state_begin(&p->state[0], p->spec);
	p->close.only = false;
	p->explained = 0;
	if (!hopeless && place_rest(&r)) {
		p->explained = r.explained;
		return LP_PLACE_FOUND; /* a correct run has distance 0 from itself */
	}
	p->close.only = p->close.rule && lp_place_quasi(p, o, before, order);
	return p->close.only ? LP_PLACE_FOUND : p->patience.stopped ? LP_PLACE_STOPPED : LP_PLACE_NONE;
}

void lp_place_open(struct lp_place *p, const struct lp_spec *spec, enum lp_sync sync)
{
	*p = (struct lp_place){ .spec = spec, .sync = sync, .cells.overwrites = true };
	for (uint32_t i = 0; i < spec->kind->method_count; i++) {
		const struct lp_method *m = &spec->kind->methods[i];
		p->cells.overwrites &= !(m->roles & LP_REMOVES);
		p->cells.components |= m->result == LP_VALUES;
		p->cells.valued |= m->roles & LP_INSERTS && m->args > (spec->kind->by_key ? 1 : 0);
	}
	lp_demands_open(p);
	for (uint32_t i = 0; i < LP_OBSERVED_CALLS + 3; i++)
		lp_state_open(&p->state[i]);
	lp_holds_open(p);
	p->owes = sync != LP_SYNC_NONE || p->holds.any || spec->kind->orders;
	p->uses_overlap = lp_spec_uses_overlap(spec);
	p->commuting.may = !p->owes && !p->uses_overlap && lp_commute_may(spec);
}

void lp_place_close(struct lp_place *p)
{
	for (uint32_t i = 0; i < LP_OBSERVED_CALLS + 3; i++)
		lp_state_close(&p->state[i]);
	lp_fingerprints_close(&p->failed);
}
