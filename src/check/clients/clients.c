/* clients.c -- the search for an order h that no linearization respects. */
#include "check/clients/clients.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fingerprints.h"
#include "check/clients/counted_orders.h"
#include "check/clients/essential_pairs.h"
#include "check/clients/judged.h"
#include "check/clients/linearization_cache.h"
#include "check/clients/overlap.h"
#include "check/clients/place.h"
#include "check/clients/relations_allow.h"
#include "check/property.h"
#include "check/quasi/quasi.h"
#include "spec/spec.h"

struct lp_clients {
	struct lp_place place;
	struct lp_quasi quasi; /* used if place.close.rule points to it */
	enum lp_order_class class;
	uint32_t length; /* the largest length of interval orders */
	bool counts_calls; /* an order is decided by counts (counted_orders.h) */
	struct lp_counted_orders counted;
	bool cached;
	struct lp_fingerprints seen; /* observations that are known to be correct */
	struct lp_judged judged;     /* observations that were found correct by single pairs */
	struct lp_known known;       /* linearizations */
	struct lp_clients_counts counts;
};

/* How exactly the search decides whether an order is possible.  Later ways are more exact, and take longer.  If an
 * order is impossible in one way, it is impossible in all later ways. */
enum exactness {
	BY_PAIRS,     /* looks at each pair of the order by itself */
	BY_RELATIONS, /* looks at all pairs together (relations_allow.h) */
	BY_ASKING     /* asks o->possible() or o->possible_in_threads(), too */
};

/* The search for a violating order of one observation. */
struct search {
	struct lp_clients *c;
	const struct lp_observation *o;
	enum exactness exactness;
	struct lp_fingerprint name; /* a fingerprint of the calls and their results */
	uint32_t stuck;   /* the stuck call that must be justified, or LP_NO_CALL */
	uint32_t all;     /* the set of all calls */
	uint32_t returned; /* the number of calls that returned */
	uint32_t reached[LP_OBSERVED_CALLS]; /* the inverse of o->reaches: the calls that reach a call */
	uint32_t fixed[LP_OBSERVED_CALLS];   /* bit b of [a]: b before a alone is impossible */
	uint32_t excluded[LP_OBSERVED_CALLS]; /* bit b of [a]: b before a was tried */
	uint32_t chain[LP_OBSERVED_CALLS]; /* for chains: the thread of each call */
	uint32_t *tried, tried_count, tried_room; /* for blocks: the cuts that were tried, each a set of calls */
	uint32_t *before; /* the violating h, when it is found */
};

static bool is_possible(struct search *s, const uint32_t *before)
{
	const struct lp_observation *o = s->o;

	s->c->counts.orders++;
	if (lp_place_must_stop(&s->c->place))
		return false;
	for (uint32_t a = 0; a < o->count; a++)
		if (before[a] & s->fixed[a])
			return false; /* the most common reason */
	if (s->exactness == BY_PAIRS)
		return true;
	return lp_relations_allow(o, s->reached, before) &&
	       (s->exactness < BY_ASKING || lp_relations_decider(o, s->c->class)(o->closure, before));
}

static enum lp_place_found linearize(struct search *s, const uint32_t *before, uint32_t *order)
{
	s->c->counts.linearizations++;
	return lp_place_all(&s->c->place, s->o, before, s->stuck, order);
}

static bool refute(struct search *s, const uint32_t *before);

/* Finds all orders of two calls that contradict the last linearization: bit b of contrary[a] is set if b before a is
 * contradicted, because a comes first or because the two take effect together. */
static void find_contrary(const struct search *s, const uint32_t *order, uint32_t *contrary)
{
	uint32_t later = 0;

	memset(contrary, 0, sizeof *contrary * LP_OBSERVED_CALLS);
	for (uint32_t i = s->returned; i-- > 0;) {
		const uint32_t a = order[i];
		contrary[a] = later | (s->c->place.together[a] & ~(UINT32_C(1) << a));
		later |= UINT32_C(1) << a;
	}
}

/* Finds pairs that contradict `order`.  Every h that neither `order` nor an equivalent order respects contains one of
 * these pairs. */
static void find_against(struct search *s, const uint32_t *before, const uint32_t *order, uint32_t *against)
{
	struct lp_place *p = &s->c->place;

	if (lp_spec_has_meetings(p->spec) || p->close.only || p->explained)
		find_contrary(s, order, against);
	else
		lp_place_essential_pairs(p, s->o, order, s->returned, against);
	if (p->explained)
		lp_overlap_against(p, s->o, before, order, s->returned, against);
}

/* Do the linearizations depend on nothing but the calls, their results and h? */
static bool is_plain(const struct search *s)
{
	const struct lp_place *p = &s->c->place;

	return s->stuck == LP_NO_CALL && !p->owes && !p->close.rule &&
	       !lp_spec_has_meetings(p->spec) && s->o->count <= LP_KNOWN_CALLS;
}

/* Finds a linearization, and the pairs that contradict it.  Since many executions have the same calls, results and
 * orders, the answer is cached. */
static enum lp_place_found find_order(struct search *s, const uint32_t *before, uint32_t *order, uint32_t *against)
{
	const bool plain = is_plain(s);
	struct lp_fingerprint f = s->name;

	if (plain) {
		lp_fingerprint_bytes(&f, before, sizeof *before * s->o->count);
		if (lp_known_find(&s->c->known, f, s->o->count, order, against)) {
			s->c->counts.linearizations++;
			return LP_PLACE_FOUND;
		}
	}
	const enum lp_place_found found = linearize(s, before, order);
	if (found != LP_PLACE_FOUND)
		return found;
	find_against(s, before, order, against);
	if (plain)
		lp_known_add(&s->c->known, f, s->o->count, order, against);
	return LP_PLACE_FOUND;
}

/* Is there a violating h that contains `before`, with b before a? */
static bool refute_by_pair(struct search *s, const uint32_t *before, uint32_t b, uint32_t a)
{
	uint32_t h[LP_OBSERVED_CALLS];
	bool tried = false;

	memcpy(h, before, sizeof h);
	lp_add_before(h, s->o->count, b, a);
	for (uint32_t x = 0; x < s->o->count; x++)
		tried |= (h[x] & s->excluded[x]) != 0;
	const bool refuted = !tried && is_possible(s, h) && refute(s, h);
	s->excluded[a] |= UINT32_C(1) << b;
	return refuted;
}

/* Searches for a violating h, knowing that it contains a pair of `against`.  Stuck calls come last, so for them only
 * a pair that removes overlap can be in `against`. */
static bool refute_by_pairs(struct search *s, const uint32_t *before, const uint32_t *order,
			    const uint32_t *against)
{
	uint32_t excluded[LP_OBSERVED_CALLS], all[LP_OBSERVED_CALLS], count = s->returned;
	bool refuted = false;

	memcpy(excluded, s->excluded, sizeof excluded);
	memcpy(all, order, sizeof *all * count);
	for (uint32_t a = 0; a < s->o->count; a++)
		if (s->o->call[a].stuck)
			all[count++] = a;
	for (uint32_t i = 0; i < count && !refuted; i++) {
		for (uint32_t j = 0; j < s->returned && !refuted; j++) {
			const uint32_t a = all[i], b = all[j];
			if ((against[a] & ~s->fixed[a] & ~s->excluded[a]) >> b & 1 && !(before[b] >> a & 1))
				refuted = refute_by_pair(s, before, b, a);
		}
	}
	memcpy(s->excluded, excluded, sizeof excluded);
	return refuted;
}

/* Are the two calls in one thread, of the actual client or of the client that is constructed? */
static bool are_chained(const struct search *s, uint32_t x, uint32_t y)
{
	return x == y || s->chain[x] == s->chain[y];
}

/* Is x the first (or, with `after`, the last) call of its chain? */
static bool is_end(const struct search *s, const uint32_t *before, uint32_t x, bool after)
{
	for (uint32_t y = 0; y < s->o->count; y++)
		if (y != x && are_chained(s, x, y) && (after ? before[y] >> x & 1 : before[x] >> y & 1))
			return false;
	return true;
}

/* The same for chains.  Joins two chains: b is the last call of one chain and a the first call of the other.  If h
 * contradicts a linearization, then some pair of neighbours in a chain does. */
static bool refute_by_chains(struct search *s, const uint32_t *before, const uint32_t *order)
{
	uint32_t contrary[LP_OBSERVED_CALLS];
	const uint32_t n = s->o->count;
	uint32_t excluded[LP_OBSERVED_CALLS], chain[LP_OBSERVED_CALLS];
	bool refuted = false;

	find_contrary(s, order, contrary);
	memcpy(excluded, s->excluded, sizeof excluded);
	memcpy(chain, s->chain, sizeof chain);
	for (uint32_t i = 0; i < s->returned && !refuted; i++) {
		for (uint32_t j = 0; j < s->returned && !refuted; j++) {
			const uint32_t a = order[i], b = order[j];
			if (!(contrary[a] >> b & 1) || before[b] >> a & 1 || s->excluded[a] >> b & 1 ||
			    !is_end(s, before, a, false) || !is_end(s, before, b, true))
				continue;
			uint32_t h[LP_OBSERVED_CALLS];
			memcpy(h, before, sizeof h);
			lp_add_before(h, n, b, a);
			for (uint32_t x = 0; x < n; x++)
				if (s->chain[x] == chain[b])
					s->chain[x] = chain[a];
			if (is_possible(s, h))
				refuted = refute(s, h);
			memcpy(s->chain, chain, sizeof chain);
			s->excluded[a] |= UINT32_C(1) << b;
		}
	}
	memcpy(s->excluded, excluded, sizeof excluded);
	return refuted;
}

static bool was_tried(const struct search *s, uint32_t cut)
{
	for (uint32_t i = 0; i < s->tried_count; i++)
		if (s->tried[i] == cut)
			return true;
	return false;
}

static void note_tried(struct search *s, uint32_t cut)
{
	if (s->tried_count == s->tried_room) {
		s->tried_room = 2 * s->tried_room + 16;
		s->tried = lp_realloc(s->tried, sizeof *s->tried * s->tried_room);
	}
	s->tried[s->tried_count++] = cut;
}

/* The same for blocks.  h is given by its cuts, and one cut is not a prefix of `order`.  The cuts are nested, because
 * each contains all calls before its calls. */
static bool refute_by_blocks(struct search *s, const uint32_t *before, const uint32_t *order)
{
	const uint32_t n = s->o->count, tried = s->tried_count;
	uint32_t together[LP_OBSERVED_CALLS]; /* calls that take effect together are on the same side of a cut */
	bool refuted = false;

	memcpy(together, s->c->place.together, sizeof together);
	for (uint32_t cut = 1; cut < s->all && !refuted; cut++) {
		uint32_t begun = 0, h[LP_OBSERVED_CALLS];
		bool beginning = false, open = false;
		for (uint32_t i = 0; i < s->returned; i++) {
			begun |= UINT32_C(1) << order[i];
			beginning |= begun == cut && !(together[order[i]] & ~cut);
		}
		for LP_EACH_CALL(a, cut)
			open |= s->o->call[a].stuck || before[a] & ~cut;
		if (beginning || open || was_tried(s, cut))
			continue;
		memcpy(h, before, sizeof h);
		for (uint32_t a = 0; a < n; a++)
			if (!(cut >> a & 1))
				h[a] |= cut;
		if (is_possible(s, h))
			refuted = refute(s, h);
		note_tried(s, cut);
	}
	s->tried_count = tried;
	return refuted;
}

/* Adds to `before` that calls in `cut` come before those in `after`.  Returns false if the result is not an order, or
 * is impossible. */
static bool separate(struct search *s, const uint32_t *before, uint32_t cut, uint32_t after, uint32_t *h)
{
	memcpy(h, before, sizeof *h * LP_OBSERVED_CALLS);
	for LP_EACH_CALL(b, cut) {
		if (before[b] & after)
			return false;
		for LP_EACH_CALL(a, after)
			lp_add_before(h, s->o->count, b, a);
	}
	return is_possible(s, h);
}

/* Does no linearization respect this order?  If orders are decided by counts: are the counts wrong? */
static bool is_wrong(struct search *s, const uint32_t *h)
{
	uint32_t order[LP_OBSERVED_CALLS], against[LP_OBSERVED_CALLS];

	if (!s->c->counts_calls)
		return find_order(s, h, order, against) == LP_PLACE_NONE;
	s->c->counted.k = s->c->length;
	const enum lp_finding finding = lp_counted_orders_decide(&s->c->counted, s->o, s->name, h);
	s->c->place.close.tired |= finding == LP_UNDECIDED;
	return finding == LP_WRONG;
}

/* An interval order is a sequence of moments.  From moment to moment, more calls have ended (`ended` at the last
 * moment), and fewer begin later (`later`).  Tries every way to add one moment, and then up to `left` - 1 further
 * moments. */
static bool refute_by_intervals(struct search *s, const uint32_t *before, uint32_t ended,
				uint32_t later, uint32_t left)
{
	uint32_t h[LP_OBSERVED_CALLS], stuck = 0;

	for (uint32_t a = 0; a < s->o->count; a++)
		stuck |= (uint32_t)s->o->call[a].stuck << a;
	for (uint32_t cut = ended + 1; left && cut < s->all; cut++) {
		uint32_t most = 0;
		if (cut & stuck || ended & ~cut)
			continue;
		for LP_EACH_CALL(a, later & ~cut)
			most |= (uint32_t)separate(s, before, cut, UINT32_C(1) << a, h) << a;
		for (uint32_t after = most; after; after = (after - 1) & most) {
			if (!separate(s, before, cut, after, h))
				continue;
			if (is_wrong(s, h)) {
				memcpy(s->before, h, sizeof h);
				return true;
			}
			if (refute_by_intervals(s, h, cut, after, left - 1))
				return true;
			/* If fewer calls begin later, the order is weaker.  A weaker order can only be wrong if the
			 * stronger one is; with formulae this does not hold. */
			if (after == most && left == 1 && !s->c->counts_calls)
				break;
		}
	}
	return false;
}

/* Can a client add any pair of `against`, given `before`?  If not, there is no violating h.  This check is much
 * cheaper than building all chains or blocks. */
static bool can_matter(struct search *s, const uint32_t *before, const uint32_t *against)
{
	for (uint32_t a = 0; a < s->o->count; a++)
		for LP_EACH_CALL(b, against[a]) {
			uint32_t h[LP_OBSERVED_CALLS];
			if (before[b] >> a & 1)
				continue;
			memcpy(h, before, sizeof h);
			lp_add_before(h, s->o->count, b, a);
			if (is_possible(s, h))
				return true;
		}
	return false;
}

/* Is there an h that contains `before` and has wrong counts? */
static bool refute_by_counts(struct search *s, const uint32_t *before)
{
	if (!is_wrong(s, before))
		return refute_by_intervals(s, before, 0, s->all, s->c->length);
	memcpy(s->before, before, sizeof *before * LP_OBSERVED_CALLS);
	return true;
}

/* Is there an h that contains `before` and that no linearization respects? */
static bool refute(struct search *s, const uint32_t *before)
{
	uint32_t order[LP_OBSERVED_CALLS], against[LP_OBSERVED_CALLS];

	if (s->c->counts_calls)
		return refute_by_counts(s, before);
	switch (find_order(s, before, order, against)) {
	case LP_PLACE_NONE:
		memcpy(s->before, before, sizeof *before * LP_OBSERVED_CALLS);
		return true;
	case LP_PLACE_STOPPED:
		return false;
	case LP_PLACE_FOUND:
		break;
	}
	switch (s->c->class) {
	case LP_ORDERS_ALL:
		return refute_by_pairs(s, before, order, against);
	case LP_ORDERS_CHAINS:
		return can_matter(s, before, against) && refute_by_chains(s, before, order);
	case LP_ORDERS_BLOCKS:
		return can_matter(s, before, against) && refute_by_blocks(s, before, order);
	case LP_ORDERS_INTERVALS:
		return can_matter(s, before, against) &&
		       refute_by_intervals(s, before, 0, s->all, s->c->length);
	case LP_ORDERS_NONE:
		break;
	}
	return false;
}

static bool leaves_none(void *closure, const uint32_t *before)
{
	struct search *s = closure;
	uint32_t order[LP_OBSERVED_CALLS];

	return linearize(s, before, order) == LP_PLACE_NONE;
}

/* Removes pairs from h that are not needed for the violation.  (If an order is a violation, so is every larger
 * order.) */
static void reduce(struct search *s, uint32_t *before)
{
	if (s->c->class == LP_ORDERS_ALL) /* otherwise the smaller order might not be in the class */
		lp_relation_reduce(before, s->o->before, s->o->count, leaves_none, s);
}

static struct lp_fingerprint name_of(const struct lp_observation *o)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_word(&f, o->count);
	for (uint32_t a = 0; a < o->count; a++) {
		const struct lp_observed *c = &o->call[a];
		const uint64_t words[] = {
			c->method | (uint64_t)c->stuck << 32, c->thread, (uint64_t)c->arg[0],
			(uint64_t)c->arg[1], (uint64_t)c->arg[2], (uint64_t)c->result,
		};
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			lp_fingerprint_word(&f, words[i]);
	}
	return f;
}

/* A fingerprint of everything that the answer depends on. */
static struct lp_fingerprint key(const struct lp_observation *o, struct lp_fingerprint name)
{
	for (uint32_t a = 0; a < o->count; a++) {
		lp_fingerprint_word(&name, o->reaches[a] | (uint64_t)o->happens[a] << 32);
		lp_fingerprint_word(&name, o->clashes[a] | (uint64_t)o->before[a] << 32);
		lp_fingerprint_word(&name, o->partial[a]);
	}
	return name;
}

/* The same for answers that only look at single pairs; the fingerprint does not include the pairs. */
static struct lp_fingerprint key_by_pairs(const struct search *s)
{
	const struct lp_observation *o = s->o;
	struct lp_fingerprint f = s->name;

	lp_fingerprint_bytes(&f, o->before, sizeof *o->before * o->count);
	if (s->c->place.owes)
		for (uint32_t a = 0; a < o->count; a++)
			lp_fingerprint_word(&f, lp_observed_given(o, a));
	return f;
}

/* Computes the fields that depend on the observation alone. */
static void describe(struct search *s)
{
	const struct lp_observation *o = s->o;

	s->all = lp_calls_below(o->count);
	lp_relation_turn(o->reaches, o->count, s->reached);
	for (uint32_t a = 0; a < o->count; a++) {
		s->returned += !o->call[a].stuck;
		s->chain[a] = o->call[a].thread;
		s->fixed[a] |= o->reaches[a];
		for LP_EACH_CALL(b, o->clashes[a])
			s->fixed[b] |= UINT32_C(1) << a;
	}
}

/* Is there no violating h?  If there are stuck calls, all of them must wait in the state after the other calls. */
static bool is_right(struct search *s, enum exactness exactness, struct lp_refutation *why)
{
	*why = (struct lp_refutation){ .stuck = LP_NO_CALL };
	s->exactness = exactness;
	s->stuck = LP_NO_CALL;
	for (uint32_t z = s->o->count; z-- > 0;)
		if (s->o->call[z].stuck && !s->c->counts_calls)
			s->stuck = z;
	if (!refute(s, s->o->before))
		return true;
	why->stuck = s->stuck;
	return false;
}

/* Tries the quick way first, which suffices for nearly all correct observations. */
static bool judge(struct search *s, struct lp_refutation *why)
{
	struct lp_clients *c = s->c;
	const struct lp_fingerprint by_pairs = key_by_pairs(s);

	describe(s);
	if (c->cached && lp_judged_right(&c->judged, by_pairs, s->o->count, s->fixed)) {
		c->counts.cached++;
		return true;
	}
	const struct lp_fingerprint f = key(s->o, s->name);
	if (c->cached && lp_fingerprints_have(&c->seen, f)) {
		c->counts.cached++;
		return true;
	}
	/* Quasi-linearizability takes long to decide, so only orders that are really possible are decided. */
	if (!c->place.close.rule && is_right(s, BY_PAIRS, why)) {
		if (c->cached && !c->place.patience.stopped)
			lp_judged_add(&c->judged, by_pairs, s->o->count, s->fixed);
		return true;
	}
	if (is_right(s, BY_RELATIONS, why)) {
		if (c->cached && !c->place.patience.stopped)
			lp_fingerprints_add(&c->seen, f);
		return true;
	}
	return lp_relations_decider(s->o, c->class) && is_right(s, BY_ASKING, why);
}

/* Is the observation correct if the object need not order anything itself?  Then only synchronisation is missing.
 * This is a single search, which is not stopped. */
static void find_missing(struct search *s, struct lp_refutation *why)
{
	struct lp_place *p = &s->c->place;
	uint32_t order[LP_OBSERVED_CALLS];
	bool (*const go_on)(void *) = p->patience.go_on;

	p->owes = false;
	p->patience.go_on = NULL;
	p->patience.stopped = false;
	why->sync_missing = linearize(s, why->before, order) == LP_PLACE_FOUND;
	p->owes = true;
	p->patience.go_on = go_on;
	if (!why->sync_missing)
		return;
	lp_place_missing(&s->c->place, s->o, order, &why->from, &why->to);
	why->handed_over = lp_place_hands(&s->c->place, s->o, why->from, why->to);
}

/* Fills in the longest attempt at a linearization that respects the violating h. */
static void explain(struct search *s, struct lp_refutation *why)
{
	struct lp_place *p = &s->c->place;
	uint32_t order[LP_OBSERVED_CALLS];

	reduce(s, why->before);
	p->tries = true;
	linearize(s, why->before, order);
	p->tries = false;
	why->closest_count = p->best_count;
	memcpy(why->closest, p->best, sizeof why->closest);
}

/* A violation is real even if the search is stopped while it makes the violation smaller.  The answer "right"
 * requires that the search was finished. */
enum lp_clients_answer lp_clients_judge(struct lp_clients *c, const struct lp_observation *o,
					struct lp_refutation *why)
{
	struct search s = { .c = c, .o = o, .name = name_of(o), .before = why->before };

	assert(o->count <= LP_OBSERVED_CALLS);
	c->counts.observations++;
	c->place.tuples = o->tuples;
	c->place.name = s.name;
	c->place.patience.stopped = false;
	const bool right = judge(&s, why);
	if (!right) {
		if (!c->counts_calls)
			explain(&s, why);
		why->order_matters = memcmp(why->before, o->before, sizeof *o->before * o->count) != 0;
		if (c->place.owes)
			find_missing(&s, why);
	}
	lp_free(s.tried);
	if (!right)
		return LP_CLIENTS_WRONG;
	return c->place.patience.stopped ? LP_CLIENTS_STOPPED :
	       c->place.close.tired	? LP_CLIENTS_TIRED :
				  LP_CLIENTS_RIGHT;
}

struct lp_clients *lp_clients_open(const struct lp_spec *spec, enum lp_order_class class,
				   enum lp_sync sync, bool cached)
{
	struct lp_clients *c = lp_alloc_zero(1, sizeof *c);

	c->class = class;
	c->cached = cached;
	lp_place_open(&c->place, spec, sync);
	return c;
}

void lp_clients_length(struct lp_clients *c, uint32_t length)
{
	c->length = length;
}

void lp_clients_count(struct lp_clients *c, const struct lp_formulae *formulae, const struct lp_kernel *kernel)
{
	assert(c->class == LP_ORDERS_INTERVALS && !formulae != !kernel);
	c->counts_calls = true;
	c->counted = (struct lp_counted_orders){ .spec = c->place.spec, .formulae = formulae, .kernel = kernel };
	c->place.owes = false;
}

const char *lp_clients_miscount(const struct lp_clients *c)
{
	return c->counts_calls ? c->counted.why : NULL;
}

void lp_clients_relax(struct lp_clients *c, const struct lp_quasi *quasi)
{
	assert(c->class == LP_ORDERS_ALL || c->class == LP_ORDERS_NONE);
	assert(!c->place.owes && !lp_spec_has_meetings(c->place.spec));
	c->quasi = *quasi;
	c->place.close.rule = &c->quasi;
}

static bool has_role(const struct lp_spec *spec, unsigned roles)
{
	for (uint32_t m = 0; m < spec->kind->method_count; m++)
		if (spec->kind->methods[m].roles & roles)
			return true;
	return false;
}

bool lp_sync_fits(const struct lp_spec *spec, enum lp_sync sync, struct lp_error *error)
{
	static const char *const names[] = { "none", "r", "ri", "rid" };

	if (sync == LP_SYNC_NONE || has_role(spec, LP_INSERTS | LP_REMOVES | LP_REPLACES))
		return true;
	return lp_fail(error, "--sync %s: a %s passes on no values%s", names[sync], spec->kind->name,
		       has_role(spec, LP_TAKES) ? "; that it orders what it protects is always demanded" : "");
}

static bool fits_quasi(const struct lp_spec *spec, enum lp_sync sync, struct lp_error *error)
{
	if (sync != LP_SYNC_NONE)
		return lp_fail(error, "--prop quasi: not together with --sync");
	if (spec->kind->orders)
		return lp_fail(error, "--prop quasi: not for a %s that asks for synchronisation", spec->kind->name);
	if (has_role(spec, LP_TAKES))
		return lp_fail(error, "--prop quasi: not for a %s, whose calls must keep their order", spec->kind->name);
	return !lp_spec_has_meetings(spec) ||
	       lp_fail(error, "--prop quasi: calls of a synchronous '%s' take effect together, and have "
		       "no places of their own", spec->kind->name);
}

struct lp_clients *lp_clients_named(const struct lp_spec *spec, const char *name, enum lp_sync sync,
				    bool one_client, bool cached, struct lp_error *error)
{
	static const enum lp_order_class classes[] = {
		[LP_LINEARIZABLE] = LP_ORDERS_ALL, [LP_SEQUENTIAL] = LP_ORDERS_CHAINS,
		[LP_QUIESCENT] = LP_ORDERS_BLOCKS, [LP_SERIALIZABLE] = LP_ORDERS_NONE,
		[LP_QUASI] = LP_ORDERS_ALL,
	};
	enum lp_property property;
	struct lp_quasi quasi;

	if (!lp_property_parse(name, spec, &property, &quasi, NULL, error) ||
	    (property == LP_QUASI && !fits_quasi(spec, sync, error)) ||
	    (property != LP_LINEARIZABLE && !lp_spec_refuse_overlap(spec, name, error)))
		return NULL;
	struct lp_clients *c =
		lp_clients_open(spec, one_client ? LP_ORDERS_NONE : classes[property], sync, cached);
	if (property == LP_QUASI)
		lp_clients_relax(c, &quasi);
	return c;
}

void lp_clients_close(struct lp_clients *c)
{
	if (!c)
		return;
	lp_place_close(&c->place);
	lp_fingerprints_close(&c->seen);
	lp_judged_close(&c->judged);
	lp_known_close(&c->known);
	lp_fingerprints_close(&c->counted.right);
	lp_free(c);
}

bool lp_clients_hold(const struct lp_clients *c)
{
	return c->place.holds.any && !c->counts_calls;
}

void lp_clients_ask(struct lp_clients *c, bool (*go_on)(void *closure), void *closure)
{
	c->place.patience.go_on = go_on;
	c->place.patience.closure = closure;
}

struct lp_clients_counts lp_clients_counts(const struct lp_clients *c)
{
	return c->counts;
}
