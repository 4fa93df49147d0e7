/* executions.c -- every execution of an object's clients, as text: for the naive checker of refinement.
 *
 *     executions [--reduced] OBJECT [options of `linchpin check`] [-- COMPILER FLAGS]
 *
 * For each client of --ops N, and each of its executions, a line of three columns:
 *     the calls with their results;
 *     the calls that each call happens before, a number in base 16 for each: by the definition (tests/oracle/axioms.h), with
 *     partial locks that order nothing; under sc, where there is nothing to synchronise, all of them;
 *     which client orders are possible, a bit for each strict partial order on the calls: asked of the axioms.
 * Reductions are off as far as they can be turned off: only loops that wait are still recognised, those under a lock only if the
 * executions are infinitely many otherwise.  Strict partial orders are those among all relations on the calls, in the order of the
 * numbers that their pairs are the bits of: (0, 1), (0, 2), ...
 *
 * With --reduced the reductions that do not let infeasible executions in are left on.  What they leave out has the results of an execution that
 * is listed, and at least its order (docs/algorithms/reductions.md), so it adds nothing to refinement; or it differs in the names of
 * like calls, which naive.py exchanges.  This is for objects that have too many executions otherwise, like those with counted
 * pointers: each attempt that fails is another execution.
 *
 * Most of the time goes into the axioms: there are 219 orders on four calls.  An order that contains an impossible one is impossible; of four
 * calls this is used, of fewer it is checked.
 *
 * The specification has no part in it.  Of executions of four calls with the same results and relations (model/calls.h) two are
 * looked at, if they do not say everything.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/fingerprints.h"
#include "client_graph.h"
#include "spec/spec.h"
#include "verify/task/check_object.h"

enum { MOST = 4, FEW = 3, TIMES = 2, ORDERS = 219 }; /* so many on four calls */

struct orders {
	uint32_t number[ORDERS], count;
	bool known;
};

struct printer {
	struct lp_check check;
	struct client_graph graph;
	struct lp_fingerprints seen[TIMES];
	uint64_t clients, executions;
	bool failed;
};

/* ---- orders ---- */

/* The relation with that number: bit b of before[a] for the pair (b, a). */
static void relation_of(uint32_t number, uint32_t n, uint32_t *before)
{
	memset(before, 0, sizeof *before * LP_CALLS);
	for (uint32_t b = 0; b < n; b++)
		for (uint32_t a = 0; a < n; a++) {
			if (a == b)
				continue;
			before[a] |= (number & 1) << b;
			number >>= 1;
		}
}

static bool is_order(const uint32_t *before, uint32_t n)
{
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			if (before[a] >> b & 1 && ((before[b] & ~before[a]) || before[b] >> a & 1))
				return false;
	return true;
}

/* Does it keep the client's order, and let nothing follow a call that never returns? */
static bool is_clients(const struct lp_judge *j, const uint32_t *before)
{
	const uint32_t pre = j->observation.count - j->calls.count;

	for (uint32_t a = 0; a < j->calls.count; a++) {
		if ((j->observation.before[a + pre] >> pre) & ~before[a])
			return false;
		for (uint32_t b = 0; b < j->calls.count; b++)
			if (before[a] >> b & 1 && j->observation.call[b + pre].stuck)
				return false;
	}
	return true;
}

/* All strict partial orders on n calls, by their numbers. */
static const struct orders *orders_on(uint32_t n)
{
	static struct orders all[MOST + 1];
	struct orders *o = &all[n];

	for (uint32_t number = 0; !o->known && number < UINT32_C(1) << n * (n - 1); number++) {
		uint32_t before[LP_CALLS];
		relation_of(number, n, before);
		if (is_order(before, n))
			o->number[o->count++] = number;
	}
	o->known = true;
	return o;
}

/* Is an order impossible that this one contains?  Then so is this one: what a client orders only adds to what happens before what.  (Under
 * tso that is not taken for granted.)  With few calls, where all orders are asked about, it is checked. */
static bool contains_impossible(const struct orders *o, uint32_t which, const bool *possible)
{
	for (uint32_t i = 0; i < which; i++)
		if (!possible[i] && (o->number[i] & ~o->number[which]) == 0)
			return true;
	return false;
}

static bool is_possible(struct printer *p, const struct orders *o, uint32_t which, const bool *possible)
{
	const struct lp_judge *j = &p->check.judge;
	const bool implied = p->check.task.explore.model != LP_MODEL_TSO && contains_impossible(o, which, possible);
	uint32_t before[LP_CALLS];

	if (implied && j->calls.count > FEW)
		return false;
	relation_of(o->number[which], j->calls.count, before);
	const bool asked = client_graph_possible(&p->graph, before);
	if (implied && asked)
		LP_BUG("a possible order contains an impossible one");
	return asked;
}

static void print_orders(struct printer *p)
{
	const struct lp_judge *j = &p->check.judge;
	const struct orders *o = orders_on(j->calls.count);
	bool possible[ORDERS]; /* as far as is known: of orders that are not the client's the axioms are not asked */
	unsigned digit = 0;

	for (uint32_t i = 0; i < o->count; i++) {
		uint32_t before[LP_CALLS];
		relation_of(o->number[i], j->calls.count, before);
		const bool clients = is_clients(j, before);
		possible[i] = !clients || is_possible(p, o, i, possible);
		digit |= (unsigned)(clients && possible[i]) << i % 4;
		if (i % 4 == 3) {
			printf("%x", digit);
			digit = 0;
		}
	}
	printf("%x\n", digit);
}

/* ---- synchronisation ---- */

static bool is_partial(const struct lp_graph *g, uintptr_t loc)
{
	for (lp_eid id = 0; id < g->ev.count; id++)
		if (lp_graph_event(g, id)->partial && lp_graph_event(g, id)->loc == loc)
			return true;
	return false;
}

static void print_given(const struct printer *p)
{
	static struct candidate c;
	const struct lp_judge *j = &p->check.judge;
	const enum lp_model model = p->check.task.explore.model;

	c = p->graph.plain;
	for (unsigned i = 0; i < c.count; i++)
		if ((c.event[i].reads || c.event[i].writes) && is_partial(j->graph, c.event[i].loc))
			c.event[i].order = LP_PLAIN;
	axioms_prepare(&c, model);
	for (uint32_t a = 0; a < j->calls.count; a++) {
		uint32_t given = 0;
		for (uint32_t b = 0; b < j->calls.count; b++)
			for (unsigned e = 0; e < c.count; e++)
				if (model == LP_MODEL_SC || (in(p->graph.through[a] & ~p->graph.earlier[a], e) &&
							     set_any(c.hb.row[e] & p->graph.through[b] & ~p->graph.earlier[b])))
					given |= UINT32_C(1) << b;
		printf("%s%" PRIx32, a ? "," : "\t", given & ~(UINT32_C(1) << a));
	}
	putchar('\t');
}

/* ---- executions ---- */

static void print_calls(const struct printer *p)
{
	const struct lp_judge *j = &p->check.judge;

	for (uint32_t a = 0; a < j->observation.count; a++) {
		const struct lp_observed *call = &j->observation.call[a];
		const struct lp_method *m = &p->check.harness.spec->kind->methods[call->method];
		char name[32];
		printf("%s%" PRIu32 ":%s(", a ? " " : "", call->thread, lp_method_name(m, name));
		for (uint32_t i = 0; i < m->args; i++)
			printf("%s%" PRId64, i ? "," : "", call->arg[i]);
		printf(")=");
		if (call->stuck)
			printf("stuck");
		else
			printf("%" PRId64, call->result);
	}
}

static bool was_seen(struct printer *p)
{
	const struct lp_observation *o = &p->check.judge.observation;
	struct lp_fingerprint f = LP_FINGERPRINT;

	if (o->count <= FEW)
		return false;
	for (uint32_t a = 0; a < o->count; a++) {
		lp_fingerprint_word(&f, (uint64_t)o->call[a].result ^ o->call[a].stuck);
		lp_fingerprint_word(&f, o->reaches[a] | (uint64_t)o->happens[a] << 32);
		lp_fingerprint_word(&f, o->clashes[a] | (uint64_t)o->partial[a] << 32);
	}
	for (int i = 0; i < (o->exact ? 1 : TIMES); i++)
		if (lp_fingerprints_add(&p->seen[i], f))
			return false;
	return true;
}

static enum lp_judgement print(void *closure, const struct lp_graph *g, bool stuck, struct lp_program_error *error)
{
	struct printer *p = closure;
	struct lp_judge *j = &p->check.judge;

	(void)stuck;
	lp_judge_observe(j, g);
	p->executions++;
	if (was_seen(p))
		return LP_JUDGED_RIGHT;
	if (j->calls.count > MOST || !client_graph_fits(g, &j->calls)) {
		if (error)
			snprintf(error->text, sizeof error->text, "an execution is too large");
		return LP_NOT_JUDGED;
	}
	client_graph_open(&p->graph, g, &j->calls, p->check.task.explore.model);
	print_calls(p);
	print_given(p);
	print_orders(p);
	return LP_JUDGED_RIGHT;
}

static bool visit(void *closure, const struct lp_plan_client *client)
{
	struct printer *p = closure;
	struct lp_exploration e = { 0 };

	for (int i = 0; i < TIMES; i++)
		lp_fingerprints_clear(&p->seen[i]);
	lp_check_client(&p->check, client);
	lp_task_explore(&p->check.task, &e);
	if (e.kind == LP_ERROR_ENDLESS && !p->check.task.explore.reduce.attempts) { /* a loop that waits under a lock */
		p->check.task.explore.reduce.attempts = true;
		return visit(closure, client);
	}
	p->clients++;
	if (e.verdict != LP_VERIFIED) {
		fprintf(stderr, "%s: %s\n", e.kind ? lp_error_name(e.kind) : "inconclusive", e.reason ? e.reason : e.text ? e.text : "");
		p->failed = true;
	}
	return !p->failed;
}

/* Loops that wait would not end without `spin`. */
static void switch_off(struct lp_reductions *r, bool reduced)
{
	enum { EXACT, STATES, VERDICTS, DOUBTFUL };
	const bool spin = r->spin;

#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) r->field &= reduced && answers != DOUBTFUL;
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	r->spin = spin;
}

int main(int argc, char **argv)
{
	static struct printer p;
	struct lp_options options;
	struct lp_error error = { .hint = "" };
	const bool reduced = argc > 1 && !strcmp(argv[1], "--reduced");

	if (!lp_options_parse(LP_COMMAND_CHECK, argc - 1 - reduced, (const char **)argv + 1 + reduced, &options, &error) ||
	    !lp_check_open(&p.check, &options, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return 2;
	}
	struct lp_explore_options *e = &p.check.task.explore;
	switch_off(&e->reduce, reduced);
	e->callbacks.judge = print;
	e->callbacks.judge_closure = &p;
	const struct lp_plan plan = { .harness = &p.check.harness, .visit = visit, .closure = &p };
	const struct lp_option_value *ops = &options.at[LP_OPT_OPS];
	lp_task_begin(&p.check.task);
	lp_plan_sizes(&plan, ops->given ? (uint32_t)strtoul(ops->text, NULL, 10) : FEW);
	lp_task_end(&p.check.task);
	fprintf(stderr, "%" PRIu64 " clients, %" PRIu64 " executions\n", p.clients, p.executions);
	const bool failed = p.failed || !p.clients;
	for (int i = 0; i < TIMES; i++)
		lp_fingerprints_close(&p.seen[i]);
	lp_check_close(&p.check);
	lp_options_close(&options);
	return failed;
}
