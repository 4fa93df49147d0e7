/* covered.c -- real objects: is what is not explored for a verdict about all clients covered?
 *
 *     covered OBJECT [options of `linchpin check`] [-- COMPILER FLAGS]
 *
 * All multisets of up to --ops N calls are explored twice: with silent read-modify-writes, redundant
 * rereads and redundant attempts, and without.  For everything that is observed with them there must be an
 * observation without: the same calls and results, and no relation between calls that the former
 * has not.  Whatever order of calls is possible with the former then is with the latter, and
 * asks for no less.  Where the relations do not tell what is possible, every order of up to 3
 * calls is asked for.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/fingerprints.h"
#include "verify/task/check_object.h"

struct seen {
	struct lp_observation o;
	uint64_t possible; /* which orders are, by number; where relations tell, none */
};

struct observations {
	LP_VEC(struct seen);
	struct lp_fingerprints seen;
	uint64_t executions;
};

struct comparison {
	struct lp_check *check;
	struct observations all, fewer, *now;
	uint64_t clients, observations, executions, left_out;
	bool failed;
};

enum { CALLS = 3, RELATIONS = 1 << CALLS * CALLS };

/* Is the relation, bit CALLS * a + b of which is b before a, an order of that many calls? */
static bool is_order(uint32_t relation, uint32_t count, uint32_t *before)
{
	bool order = true;

	for (uint32_t a = 0; a < CALLS; a++) {
		before[a] = relation >> CALLS * a & ((1u << CALLS) - 1);
		order &= !(before[a] >> a & 1) && (a < count ? !(before[a] >> count) : !before[a]);
	}
	for (uint32_t a = 0; a < CALLS; a++)
		for (uint32_t b = 0; b < CALLS; b++)
			order &= !(before[a] >> b & 1) || !(before[b] & ~before[a]);
	return order;
}

static uint64_t possible_orders(const struct lp_observation *o)
{
	uint32_t before[LP_OBSERVED_CALLS] = { 0 };
	uint64_t possible = 0;

	if (o->exact || o->count > CALLS)
		return 0;
	for (uint32_t relation = 0, order = 0; relation < RELATIONS; relation++) {
		bool more = true;
		if (!is_order(relation, o->count, before))
			continue;
		for (uint32_t a = 0; a < o->count; a++)
			for (uint32_t b = 0; b < o->count; b++)
				more &= before[a] >> b & 1 ? !o->call[b].stuck : !(o->before[a] >> b & 1);
		if (more && o->possible(o->closure, before))
			possible |= UINT64_C(1) << order;
		order++;
	}
	return possible;
}

static enum lp_judgement judge(void *closure, const struct lp_graph *g, bool stuck,
			       struct lp_program_error *error)
{
	struct comparison *k = closure;
	const struct lp_observation *o = &k->check->judge.observation;
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_judge_execution(&k->check->judge, g, stuck, error); /* for what it observes */
	k->now->executions++;
	for (uint32_t a = 0; a < o->count; a++) {
		lp_fingerprint_word(&f, (uint64_t)o->call[a].result);
		lp_fingerprint_word(&f, (uint64_t)o->call[a].stuck);
		lp_fingerprint_word(&f, o->reaches[a] | (uint64_t)o->happens[a] << 32);
		lp_fingerprint_word(&f, o->clashes[a] | (uint64_t)o->before[a] << 32);
	}
	const uint64_t possible = possible_orders(o);
	lp_fingerprint_word(&f, possible);
	lp_fingerprint_word(&f, o->exact);
	if (lp_fingerprints_add(&k->now->seen, f))
		LP_PUSH(k->now, (struct seen){ *o, possible });
	return LP_JUDGED_RIGHT;
}

/* What comes to a call that never returns goes nowhere: no client has anything after it. */
static bool covers(const struct lp_observation *less, const struct lp_observation *more)
{
	uint32_t returned = 0;

	if (less->count != more->count)
		return false;
	for (uint32_t a = 0; a < less->count; a++)
		returned |= (uint32_t)!less->call[a].stuck << a;
	for (uint32_t a = 0; a < less->count; a++) {
		const struct lp_observed *c = &less->call[a], *d = &more->call[a];
		if (c->method != d->method || c->thread != d->thread || c->stuck != d->stuck ||
		    (!c->stuck && c->result != d->result) || memcmp(c->arg, d->arg, sizeof c->arg))
			return false;
		if ((less->reaches[a] & ~more->reaches[a] & returned) ||
		    (less->happens[a] & ~more->happens[a] & returned) ||
		    (less->before[a] & ~more->before[a]) ||
		    (!c->stuck && less->clashes[a] & ~more->clashes[a]))
			return false;
	}
	return true;
}

static bool is_covered(const struct comparison *k, const struct seen *s)
{
	for (uint32_t i = 0; i < k->fewer.count; i++) {
		const struct seen *f = &k->fewer.at[i];
		if (covers(&f->o, &s->o) && (f->o.exact || !(s->possible & ~f->possible)))
			return true;
	}
	return false;
}

static void report(struct comparison *k, const struct lp_observation *o)
{
	printf("not covered:\n");
	for (uint32_t a = 0; a < o->count; a++)
		printf("  %" PRIu32 ": thread %" PRIu32 ", method %" PRIu32 ", argument %" PRId64 ", %s %" PRId64
		       ": reaches %" PRIx32 " happens %" PRIx32 " clashes %" PRIx32 "\n", a, o->call[a].thread,
		       o->call[a].method, o->call[a].arg[0], o->call[a].stuck ? "stuck" : "result",
		       o->call[a].result, o->reaches[a], o->happens[a], o->clashes[a]);
	k->failed = true;
}

static void forget(struct observations *o)
{
	lp_fingerprints_close(&o->seen);
	lp_free(o->at);
	*o = (struct observations){ 0 };
}

static struct comparison *all_of_it;

/* What was observed before then may be more than there is: it is to cover nothing. */
static void restarted(void *closure)
{
	(void)closure; /* the task's */
	forget(all_of_it->now);
}

static bool visit(void *closure, const struct lp_plan_client *client)
{
	struct comparison *k = closure;
	struct lp_check *c = k->check;
	struct lp_exploration e[2] = { { 0 } };

	lp_check_client(c, client);
	for (int reduced = 0; reduced < 2; reduced++) {
		c->task.explore.reduce.silent_rmw = c->task.explore.reduce.rereads = c->task.explore.reduce.attempts = reduced;
		k->now = reduced ? &k->fewer : &k->all;
		lp_task_explore(&c->task, &e[reduced]);
		if (e[reduced].verdict == LP_INCONCLUSIVE) {
			printf("inconclusive: %s\n", e[reduced].reason ? e[reduced].reason : e[reduced].text);
			k->failed = true;
		}
	}
	if (e[0].verdict != e[1].verdict) {
		printf("%s without, %s with reductions\n", e[0].kind ? lp_error_name(e[0].kind) : "fine",
		       e[1].kind ? lp_error_name(e[1].kind) : "fine");
		k->failed = true;
	}
	for (uint32_t i = 0; e[0].verdict == LP_VERIFIED && i < k->all.count; i++)
		if (!is_covered(k, &k->all.at[i]))
			report(k, &k->all.at[i].o);
	k->clients++;
	k->observations += k->all.count;
	k->executions += k->all.executions;
	k->left_out += k->all.executions - k->fewer.executions;
	forget(&k->all);
	forget(&k->fewer);
	return !k->failed;
}

int main(int argc, char **argv)
{
	struct lp_options options;
	struct lp_error error = { .hint = "" };
	struct lp_check check;
	static struct comparison k;

	k.check = &check;
	all_of_it = &k;
	if (!lp_options_parse(LP_COMMAND_CHECK, argc - 1, (const char **)argv + 1, &options, &error) ||
	    !lp_check_open(&check, &options, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return 2;
	}
	const struct lp_plan plan = {
		.harness = &check.harness, .visit = visit, .closure = &k,
		.pre = (uint32_t)lp_task_count(&check.task, LP_OPT_PRE),
		.shapes = check.task.native.findings.identity,
	};
	/* Which of several like executions is met may differ: so all of them are. */
	check.task.explore.reduce.symmetry = false;
	check.task.explore.callbacks.judge = judge;
	check.task.explore.callbacks.judge_closure = &k;
	check.task.explore.callbacks.restarted = restarted;
	lp_task_begin(&check.task);
	lp_plan_sizes(&plan, options.at[LP_OPT_OPS].given ? (uint32_t)strtoul(options.at[LP_OPT_OPS].text, NULL, 10) : 4);
	lp_task_end(&check.task);
	printf("%s: %" PRIu64 " clients, %" PRIu64 " observations of %" PRIu64 " executions, %" PRIu64
	       " of them left out\n", check.task.file, k.clients, k.observations, k.executions, k.left_out);
	const bool failed = k.failed || !k.clients;
	lp_check_close(&check);
	lp_options_close(&options);
	return failed;
}
