/* txn_check.c -- from a history of transactions to a verdict and its explanation.
 *
 * The levels are those of Adya ("Weak consistency", 1999).  A level forbids cycles of certain edges.  The table has these
 * edges, and the names of the anomalies:
 *
 *     read uncommitted     ww                              G0
 *     read committed       ww wr                           G1c; G1a and G1b, which facts.c finds
 *     snapshot isolation   ww wr rw, no two rw in a row    G-single, G-nonadjacent
 *     serializable         ww wr rw                        G2-item
 *
 * Some levels also have edges of so (the order of a thread's transactions) or rt (real time): their names say so.
 */
#include "check/txn/txn.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "check/sort.h"
#include "check/txn/cycle.h"
#include "check/txn/facts.h"
#include "check/txn/groups.h"
#include "check/txn/repeated.h"
#include "check/txn/settle.h"
#include "history/history.h"

#define SEARCH_SECONDS 60.0

#define WW (1u << LP_TXN_WW)
#define WR (1u << LP_TXN_WR)
#define RW (1u << LP_TXN_RW)
#define SO (1u << LP_TXN_SO)
#define RT (1u << LP_TXN_RT)

static void say(struct lp_txn_result *r, const char *anomaly, const char *reason)
{
	snprintf(r->anomaly, sizeof r->anomaly, "%s", anomaly);
	snprintf(r->reason, sizeof r->reason, "%s: %s", anomaly, reason);
}

static void add_core(struct lp_txn_result *r, uint32_t txn)
{
	for (uint32_t i = 0; i < r->core_count; i++)
		if (r->core[i] == txn)
			return;
	if (txn == LP_TXN_NONE)
		return;
	r->core = lp_realloc(r->core, sizeof *r->core * (r->core_count + 1));
	r->core[r->core_count++] = txn;
}

static void tell_flaw(const struct lp_txn_facts *f, struct lp_txn_result *r)
{
	static const struct {
		const char *anomaly, *reason;
	} words[] = {
		[LP_TXN_GARBAGE] = { "garbage read", "a value was read from '%s' that no transaction wrote" },
		[LP_TXN_DUPLICATE] = { "duplicate elements", "an element is twice in the list '%s'" },
		[LP_TXN_INCOMPATIBLE] = { "incompatible order", "the elements of '%s' were read in orders that contradict each other" },
		[LP_TXN_INTERNAL] = { "internal inconsistency", "a transaction reads '%s' differently from what it wrote itself" },
		[LP_TXN_DIRTY_UPDATE] = { "dirty update", "a transaction that committed has built on a value of '%s' that was aborted" },
		[LP_TXN_ABORTED_READ] = { "G1a (aborted read)", "what was read from '%s' is of a transaction that was aborted" },
		[LP_TXN_INTERMEDIATE_READ] = { "G1b (intermediate read)",
					       "what was read from '%s' is not the last that its transaction wrote there" },
		[LP_TXN_UNREPEATABLE] = { "internal inconsistency", "a transaction reads '%s' twice, and differently" },
		[LP_TXN_LOST_UPDATE] = { "lost update", "two transactions read the same version of '%s', and both write it" },
	};
	char key[64], text[200];

	lp_call_describe_value(f->h, f->t->keys.at[f->flaw_key].name, key, sizeof key);
	snprintf(text, sizeof text, words[f->flaw].reason, key);
	say(r, words[f->flaw].anomaly, text);
	r->finding = LP_WRONG;
	snprintf(r->method, sizeof r->method, "versions");
	add_core(r, f->flawed);
	add_core(r, f->other);
	if (f->flaw == LP_TXN_LOST_UPDATE) {
		const uint32_t what = f->flaw_key << 3 | LP_TXN_RW;
		LP_PUSH(&r->cycle, (struct lp_txn_edge){ f->flawed, f->other, what });
		LP_PUSH(&r->cycle, (struct lp_txn_edge){ f->other, f->flawed, what });
		r->is_shortest = true;
	}
}

/* The name of a cycle by what it consists of, and which orders it needs. */
static void name_cycle(const struct lp_txn_edges *cycle, char *name, size_t size)
{
	unsigned kinds = 0, rw = 0;
	bool adjacent = false;

	for (uint32_t i = 0; i < cycle->count; i++) {
		const enum lp_txn_edge_kind kind = lp_txn_kind(cycle->at[i].what);
		const enum lp_txn_edge_kind next = lp_txn_kind(cycle->at[(i + 1) % cycle->count].what);
		kinds |= 1u << kind;
		rw += kind == LP_TXN_RW;
		adjacent |= kind == LP_TXN_RW && next == LP_TXN_RW;
	}
	const char *base = !rw ? (kinds & WR ? "G1c" : "G0") : rw == 1 ? "G-single" : adjacent ? "G2-item" : "G-nonadjacent";
	snprintf(name, size, "%s%s", base, kinds & RT ? "-realtime" : kinds & SO ? "-process" : "");
}

static const char *cycle_words(const char *name)
{
	static const struct {
		const char *prefix, *words;
	} names[] = {
		{ "G0", "writes are in the order of no transactions" },
		{ "G1c", "each has read or replaced what the one before wrote, in a circle" },
		{ "G-single", "a transaction has seen some effects of another, but not all that came before them (read skew)" },
		{ "G-nonadjacent", "transactions have seen each other's effects in orders that contradict each other" },
		{ "G2-item", "each has missed what another wrote, in a circle (write skew)" },
	};

	for (size_t i = sizeof names / sizeof *names; i-- > 0;)
		if (!strncmp(name, names[i].prefix, strlen(names[i].prefix)))
			return names[i].words;
	return "";
}

/* Two transactions, one after the other, of which the second has not seen what the first wrote? */
static bool is_stale_read(const struct lp_txn_edges *cycle)
{
	unsigned kinds = 0;

	for (uint32_t i = 0; i < cycle->count; i++)
		kinds |= 1u << lp_txn_kind(cycle->at[i].what);
	return cycle->count == 2 && (kinds == (RW | RT) || kinds == (RW | SO));
}

/* An attempt to find a cycle; attempts go from weak levels to strong ones. */
struct attempt {
	unsigned kinds;
	bool split, one_rw;
};

static bool try_cycle(const struct lp_txn_facts *f, const struct attempt *a, const bool *among,
		      const struct lp_txn_edges *derived, struct lp_txn_result *r)
{
	const struct lp_txn_wanted wanted = { .kinds = a->kinds, .split = a->split, .among = among, .extra = derived };
	struct lp_txn_graph g;
	bool found = false;

	lp_txn_graph_open(&g, f, &wanted);
	if (!lp_txn_graph_acyclic(&g)) {
		uint32_t *component = lp_txn_graph_components(&g);
		found = lp_txn_cycle_find(&g, component, a->one_rw, &r->cycle, &r->is_shortest);
		lp_free(component);
	}
	lp_txn_graph_close(&g);
	return found;
}

/* Returns which transactions are on some cycle; the others need not be looked at again. */
static bool *on_cycles(const struct lp_txn_graph *g)
{
	uint32_t *component = lp_txn_graph_components(g);
	bool *among = lp_alloc_zero((size_t)g->txns + 1, sizeof *among);

	for (uint32_t t = 0; t < g->txns; t++)
		among[t] = component[lp_txn_start_of(g, t)] || component[lp_txn_commit_of(g, t)];
	lp_free(component);
	return among;
}

static unsigned kinds_of(const struct lp_txn_level *level)
{
	static const unsigned kinds[] = { WW, WW | WR, WW | WR | RW, WW | WR | RW };

	return kinds[level->base] | (level->sessions ? SO : 0) | (level->realtime ? RT : 0);
}

/* The weakest cycle that is forbidden, and a short one of its kind. */
static void explain_cycle(const struct lp_txn_facts *f, const struct lp_txn_graph *g, const struct lp_txn_edges *derived,
			  struct lp_txn_result *r)
{
	static const struct attempt attempts[] = {
		{ WW, false, false },	       { WW | WR, false, false },     { WW | WR | RW, false, true },
		{ WW | WR | RW, true, false }, { WW | WR | RW, false, false },
	};
	const unsigned kinds = kinds_of(f->level), orders = kinds & (SO | RT);
	bool *among = on_cycles(g), found = false;
	char name[64];

	for (unsigned with = 0; !found && with <= (orders ? 1u : 0u); with++)
		for (size_t i = 0; i < sizeof attempts / sizeof *attempts && !found; i++) {
			struct attempt a = attempts[i];
			if ((a.kinds & ~kinds) || (f->level->base == LP_TXN_SNAPSHOT && (a.kinds & RW) && !a.split && !a.one_rw))
				continue;
			a.kinds |= with ? orders : 0;
			found = try_cycle(f, &a, among, derived, r);
		}
	lp_free(among);
	if (!found)
		LP_BUG("a cycle of transactions was not found again");
	for (uint32_t i = 0; i < r->cycle.count; i++)
		add_core(r, r->cycle.at[i].from);
	name_cycle(&r->cycle, name, sizeof name);
	say(r, name, is_stale_read(&r->cycle) ? "a transaction has not seen what was written before it started (stale read)" :
						cycle_words(name));
}

static void blame_cycle(const struct lp_txn_facts *f, const struct lp_txn_graph *g, const struct lp_txn_edges *derived,
			bool explain, struct lp_txn_result *r)
{
	r->finding = LP_WRONG;
	if (explain)
		explain_cycle(f, g, derived, r);
	else
		snprintf(r->reason, sizeof r->reason, "its dependencies have a cycle");
}

/* Explains that there is no order, by a cycle through derived edges. */
static void blame_derived(const struct lp_txn_facts *f, const struct lp_txn_wanted *wanted,
			  const struct lp_txn_edges *derived, bool explain, struct lp_txn_result *r)
{
	struct lp_txn_wanted all = *wanted;
	struct lp_txn_graph g;

	all.extra = derived;
	lp_txn_graph_open(&g, f, &all);
	blame_cycle(f, &g, derived, explain, r);
	lp_txn_graph_close(&g);
}

/* A serializable history also satisfies snapshot isolation, and serializability is decided faster,
 * because a transaction has one node and not two.  If the history is not serializable, its
 * dependencies usually have a cycle, so little time is lost. */
static bool is_even_serial(const struct lp_txn_facts *f, const struct lp_txn_wanted *wanted, const struct lp_txn_limits *limits,
			   uint64_t *steps)
{
	struct lp_txn_wanted whole = *wanted;
	struct lp_txn_limits some = *limits;
	struct lp_txn_edges derived = { 0 };
	struct lp_txn_graph g;

	whole.split = false;
	lp_txn_graph_open(&g, f, &whole);
	some.steps = 100 * ((uint64_t)g.nodes + g.first[g.nodes]);
	const bool good = lp_txn_graph_acyclic(&g) && lp_txn_settle(f, &g, &some, &derived, steps) == LP_CORRECT;
	lp_txn_graph_close(&g);
	lp_free(derived.at);
	return good;
}

static void settle(const struct lp_txn_facts *f, const struct lp_txn_graph *g, const struct lp_txn_wanted *wanted,
		   const struct lp_txn_options *options, struct lp_txn_result *r)
{
	const double seconds = options->seconds > 0 ? options->seconds : SEARCH_SECONDS;
	const struct lp_txn_limits limits = { .until = lp_txn_clock() + seconds, .go_on = options->go_on,
					      .closure = options->closure };
	struct lp_txn_edges derived = { 0 };

	snprintf(r->method, sizeof r->method, "search for an order of the versions");
	if (wanted->split && is_even_serial(f, wanted, &limits, &r->steps)) {
		r->finding = LP_CORRECT;
		return;
	}
	r->finding = lp_txn_settle(f, g, &limits, &derived, &r->steps);
	if (r->finding == LP_WRONG)
		blame_derived(f, wanted, &derived, options->explain, r);
	else if (r->finding == LP_UNDECIDED)
		snprintf(r->reason, sizeof r->reason,
			 "undecided: no anomaly was found, but the order of the versions is not known (%s)",
			 limits.until < lp_txn_clock() ? "out of time" : "interrupted");
	lp_free(derived.at);
}

/* Does the graph leave something open? */
static bool is_complete(const struct lp_txn_facts *f)
{
	if (f->level->base < LP_TXN_SNAPSHOT)
		return true;
	for (uint32_t i = 0; i < f->t->ops.count; i++)
		if (f->t->ops.at[i].action == LP_TXN_WRITE ||
		    (f->level->base == LP_TXN_SNAPSHOT && f->t->ops.at[i].action == LP_TXN_APPEND))
			return false;
	return true;
}

static void judge(const struct lp_txn_facts *f, const struct lp_txn_options *options, struct lp_txn_result *r)
{
	const struct lp_txn_wanted wanted = { .kinds = kinds_of(f->level), .split = f->level->base == LP_TXN_SNAPSHOT };
	struct lp_txn_graph g;

	lp_txn_graph_open(&g, f, &wanted);
	snprintf(r->method, sizeof r->method, "cycles of dependencies");
	if (!lp_txn_graph_acyclic(&g))
		blame_cycle(f, &g, NULL, options->explain, r);
	else if (!is_complete(f))
		settle(f, &g, &wanted, options, r);
	lp_txn_graph_close(&g);
}

/* Transactions of a thread come one after the other, or there is no order of a session. */
static bool threads_are_in_order(const struct lp_history *h, struct lp_error *error)
{
	struct lp_keyed *at = lp_txn_by_thread(h);
	bool good = true;

	for (uint32_t i = 1; i < h->count && good; i++) {
		const struct lp_call *a = &h->at[at[i - 1].id], *b = &h->at[at[i].id];
		if (a->thread == b->thread && !lp_call_is_pending(a) && a->end > b->start)
			good = lp_call_fail(h, b, error, "thread %u has two transactions at a time, so there is no order of its session",
					    b->thread);
	}
	lp_free(at);
	return good;
}

static bool check_once(const struct lp_history *h, const struct lp_txn_options *options, struct lp_txn_result *result,
		       bool *is_ambiguous, struct lp_error *error)
{
	struct lp_txn_facts f;

	*result = (struct lp_txn_result){ .finding = LP_CORRECT };
	if (!lp_txn_facts_open(&f, h, options->level, options->initial, error))
		return false;
	*is_ambiguous = f.is_ambiguous && options->level->base > LP_TXN_READ_UNCOMMITTED;
	if (f.flaw < LP_TXN_FLAWLESS) {
		tell_flaw(&f, result);
	} else if (options->go_on && !options->go_on(options->closure, 0)) {
		result->finding = LP_UNDECIDED;
		snprintf(result->reason, sizeof result->reason, "undecided: interrupted");
	} else {
		judge(&f, options, result);
	}
	lp_txn_facts_close(&f);
	return true;
}

/* Checks a history in which only values were renamed, so it needs no further validation. */
static void check_renamed(const struct lp_history *h, const struct lp_txn_options *options, struct lp_txn_result *result)
{
	struct lp_error error;
	bool is_ambiguous;

	if (!check_once(h, options, result, &is_ambiguous, &error) || is_ambiguous)
		LP_BUG("values of transactions were not told apart");
}

bool lp_txn_check(const struct lp_history *h, const struct lp_txn_options *options, struct lp_txn_result *result,
		  struct lp_error *error)
{
	bool is_ambiguous;

	if (options->level->sessions && h->has_times && !threads_are_in_order(h, error))
		return false;
	if (!check_once(h, options, result, &is_ambiguous, error))
		return false;
	if (is_ambiguous && result->finding == LP_CORRECT) {
		result->finding = LP_UNDECIDED;
		snprintf(result->reason, sizeof result->reason,
			 "undecided: no anomaly was found, but values that were written twice were read, and not all ways to read them were tried");
		lp_txn_check_repeated(h, options, check_renamed, result);
	}
	return true;
}

void lp_txn_result_close(struct lp_txn_result *result)
{
	lp_free(result->core);
	lp_free(result->cycle.at);
	*result = (struct lp_txn_result){ 0 };
}
