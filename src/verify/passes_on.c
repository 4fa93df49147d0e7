/* passes_on.c -- repeats executions of a client with other values. */
#include "verify/passes_on.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/tuples.h"
#include "base/vec.h"
#include "runtime/client.h"
#include "runtime/runtime.h"
#include "spec/spec.h"
#include "verify/interrupt.h"

struct call {
	enum lp_call_state state;
	int64_t result;
};

struct execution {
	struct lp_step *steps;
	uint32_t count;
	struct call call[LP_CLIENT_CALLS];
};

enum { VALUES = LP_CLIENT_CALLS * LP_CLIENT_ARGS };

/* The values of arguments of one kind, and those that take their places. */
struct renaming {
	enum lp_arg_mode mode;
	uint32_t count;
	int64_t value[VALUES]; /* ascending */
	int64_t other[VALUES];
};

struct repetition {
	struct lp_native *native;
	struct lp_explore_options options;
	const struct lp_harness *harness;
	const struct lp_plan_client *client;
	struct renaming names;
	const int64_t *from, *to; /* executions with these values are repeated with those: `value` and `other` of the names */
	struct lp_arena *arena;
	struct {
		LP_VEC(struct execution);
	} executions;
};

static bool is_renamed(const struct repetition *p, uint32_t call, uint32_t arg)
{
	const struct lp_harness_method *m = &p->harness->methods.at[p->client->method[call]];

	return arg < m->args && m->mode[arg] == p->names.mode;
}

/* The index of a value of these arguments, or the number of these values. */
static uint32_t index_of(const struct renaming *n, int64_t value)
{
	uint32_t i = 0;

	while (i < n->count && n->value[i] != value)
		i++;
	return i;
}

/* Gives the client these values, which are `value` or `other` of the names. */
static void give(const struct repetition *p, const int64_t *values)
{
	struct lp_client client = p->client->client;

	for (uint32_t i = 0; i < client.calls; i++)
		for (uint32_t a = 0; a < LP_CLIENT_ARGS; a++) {
			const uint32_t at = index_of(&p->names, client.call[i].arg[a]);
			if (is_renamed(p, i, a) && at < p->names.count)
				client.call[i].arg[a] = values[at];
		}
	lp_native_client(p->native, &client);
}

static struct call call_of(const struct repetition *p, uint32_t i)
{
	struct call c;

	c.state = lp_native_call(p->native, i, &c.result);
	return c;
}

static void keep(void *closure, const struct lp_step *steps, uint32_t count)
{
	struct repetition *p = closure;
	struct execution e = { .count = count, .steps = lp_alloc(sizeof *e.steps * (count + 1)) };

	if (count)
		memcpy(e.steps, steps, sizeof *e.steps * count);
	for (uint32_t i = 0; i < p->client->client.calls; i++)
		e.call[i] = call_of(p, i);
	LP_PUSH(&p->executions, e);
}

static void forget(void *closure)
{
	struct repetition *p = closure;

	while (p->executions.count)
		lp_free(p->executions.at[--p->executions.count].steps);
}

/* Is the value that of the execution, or one that takes its place?  It may also be the same by chance. */
static bool is_renamed_value(const struct repetition *p, int64_t before, int64_t now)
{
	bool is = now == before;

	for (uint32_t i = 0; i < p->names.count; i++)
		is |= p->from[i] == before && p->to[i] == now;
	return is;
}

/* Is the call's result that of the execution, except for the values?  The new values differ from the old ones, so a wrong one is
 * usually not mistaken for the right one. */
static bool corresponds(const struct repetition *p, const struct call *before, const struct call *now)
{
	uint32_t count, count_now;

	if (before->state != now->state || now->state != LP_CALL_RETURNED || is_renamed_value(p, before->result, now->result))
		return before->state == now->state;
	const struct lp_tuples *tuples = lp_native_tuples(p->native);
	const int64_t *values = lp_tuples_values(tuples, before->result, &count);
	const int64_t *values_now = lp_tuples_values(tuples, now->result, &count_now);
	bool same = values && values_now && count == count_now;
	for (uint32_t i = 0; same && i < count; i++)
		same = is_renamed_value(p, values[i], values_now[i]);
	return same;
}

/* Repeats the execution with those values.  Is it the same, except for these? */
static bool repeats(const struct repetition *p, const struct execution *e, const int64_t *to)
{
	const struct lp_replay replay = { .steps = e->steps, .count = e->count, .strictly = true };
	struct lp_exploration out = { 0 };
	const struct lp_arena_mark mark = lp_arena_mark(p->arena);

	give(p, to);
	lp_explore_replay(p->native->program, &p->options, &replay, p->arena, &out);
	bool same = out.verdict == LP_VERIFIED;
	for (uint32_t i = 0; same && i < p->client->client.calls; i++) {
		const struct call now = call_of(p, i);
		same = corresponds(p, &e->call[i], &now);
	}
	lp_arena_rewind(p->arena, mark);
	return same;
}

/* Values that are passed on, of up to this many, are put in every order. */
enum { ALL_ORDERS = 4 };

/* In so many ways are values put that are compared for equality. */
enum { WAYS_OF_EQUAL = 26 };

static int64_t param(const struct repetition *p, const char *name)
{
	const int at = lp_spec_param(p->harness->spec, name);

	return at < 0 ? 0 : p->harness->spec->param[at];
}

/* Chooses the other values in the order of the given ranks: all are greater than the values, or all smaller if there are no greater
 * ones.  If there are no values but those below k, they change places. */
static void rank(struct repetition *p, const uint32_t *ranks)
{
	struct renaming *n = &p->names;
	const int64_t least = n->value[0], init = param(p, "init"), last = n->value[n->count - 1], most = last > init ? last : init;
	const int64_t first = most < INT64_MAX - n->count ? most + 1 : least - n->count;
	const bool limited = n->mode == LP_ARG_EQUAL && param(p, "k");

	for (uint32_t i = 0; i < n->count; i++)
		n->other[i] = limited ? n->value[ranks[i]] : first + ranks[i];
}

/* Values that are compared for equality stay different: they are put in the reverse order, or in a random one. */
static bool choose_order(struct repetition *p, uint32_t way)
{
	uint32_t ranks[VALUES];

	for (uint32_t i = 0; i < p->names.count; i++)
		ranks[i] = way ? i : p->names.count - 1 - i;
	for (uint32_t i = p->names.count; way && i > 1; i--) {
		const uint32_t other = (uint32_t)(lp_mix(way * UINT64_C(64) + i) % i), rank = ranks[i - 1];
		ranks[i - 1] = ranks[other];
		ranks[other] = rank;
	}
	rank(p, ranks);
	return p->names.count > 1;
}

/* Chooses the other values in the way with that number, which is below ways().  Returns false if an earlier way puts them in the
 * same order.  First all are equal; then they are in the reverse order; then each rank is a digit of the number, or a random one. */
static bool choose(struct repetition *p, uint32_t way)
{
	const struct renaming *n = &p->names;
	uint32_t ranks[VALUES], number = way - 2;
	bool occurs[VALUES] = { false }, falls = true;

	if (n->mode == LP_ARG_EQUAL)
		return choose_order(p, way);
	for (uint32_t i = 0; i < n->count; i++) {
		const uint64_t any = n->count > ALL_ORDERS ? lp_mix(way * UINT64_C(64) + i) : number;
		ranks[i] = (uint32_t)(way > 1 ? any % n->count : way ? n->count - 1 - i : 0);
		number /= n->count;
		occurs[ranks[i]] = true;
		falls &= ranks[i] == n->count - 1 - i;
	}
	rank(p, ranks);
	if (way < 2)
		return way < n->count;
	if (n->count > ALL_ORDERS)
		return true;
	for (uint32_t i = 1; i < n->count; i++)
		if (occurs[i] && !occurs[i - 1])
			return false;
	return !falls && occurs[0] && n->count > 1 && occurs[1];
}

/* In how many ways the other values are chosen. */
static uint32_t ways(const struct renaming *n)
{
	uint32_t all = 1;

	if (n->mode == LP_ARG_EQUAL)
		return WAYS_OF_EQUAL;
	for (uint32_t i = 0; i < n->count && n->count <= ALL_ORDERS; i++)
		all *= n->count;
	return 2 + (n->count > ALL_ORDERS ? 1 << 16 : all);
}

/* Repeats the execution.  One that cannot even be repeated with its own values says nothing. */
static bool is_the_same(struct repetition *p, const struct execution *e)
{
	if (repeats(p, e, p->to))
		return true;
	const int64_t *to = p->to;
	p->to = p->from;
	const bool repeatable = repeats(p, e, p->from);
	p->to = to;
	return !repeatable;
}

/* Repeats the executions, each in the first two ways, and in as many of the others as there is effort left.  They are distributed
 * among the executions. */
static bool all_repeat(struct repetition *p, uint64_t repetitions, uint64_t *spent)
{
	const uint32_t all = ways(&p->names);
	uint32_t next = 2;

	for (uint32_t i = 0; i < p->executions.count; i++) {
		uint64_t left = repetitions / p->executions.count;
		for (uint32_t tried = 0; tried < all && (tried < 2 || left); tried++) {
			const uint32_t way = tried < 2 ? tried : next;
			if (tried >= 2)
				next = next + 1 < all ? next + 1 : 2;
			if (!choose(p, way))
				continue;
			left -= left > 0;
			++*spent;
			if (!is_the_same(p, &p->executions.at[i]))
				return false;
		}
	}
	return true;
}

/* How often loops go round, if the user does not say. */
enum { ROUNDS = 8 };

/* A call that waits forever is not wrong here. */
static enum lp_judgement accept(void *closure, const struct lp_graph *g, bool stuck, struct lp_program_error *error)
{
	(void)closure;
	(void)g;
	(void)stuck;
	(void)error;
	return LP_JUDGED_RIGHT;
}

static bool is_not_interrupted(void *closure, const struct lp_progress *progress)
{
	(void)closure;
	(void)progress;
	return !lp_interrupt_reason();
}

/* The callbacks are for the exploration itself.  All ranks of a job must come to the same answer, so they are not interrupted. */
static struct lp_explore_options quietly(const struct lp_explore_options *options)
{
	struct lp_explore_options o = *options;
	bool (*ignores)(const struct lp_program_error *) = o.callbacks.ignores;

	o.callbacks = (struct lp_explore_callbacks){ .ignores = ignores, .judge = accept, .progress = o.team ? NULL : is_not_interrupted };
	o.limits.seconds = 0;
	o.jobs = 1;
	o.team = NULL;
	return o;
}

/* How long each exploration takes at most. */
static const double SECONDS = 5;

/* So many executions are explored with other values for each repetition; a fraction of these, if the client itself has more. */
enum { WHOLE = 4, FRACTION = 8 };

static uint64_t most_with_others(struct lp_passes_effort effort)
{
	const uint64_t most = WHOLE * effort.repetitions;

	return effort.known > most ? most / FRACTION : most;
}

/* Explores all executions of the client, if there are at most `most`, and keeps them; or some random ones.  False if one of them has an error. */
static bool explore(struct repetition *p, uint64_t most, uint64_t random)
{
	struct lp_explore_options all = p->options;
	struct lp_exploration out = { 0 };

	all.callbacks.complete = keep;
	all.callbacks.restarted = forget;
	all.callbacks.closure = p;
	all.limits.executions = all.limits.blocked = most;
	all.limits.seconds = SECONDS;
	give(p, p->from);
	if (most)
		lp_explore_graphs(p->native->program, &all, p->arena, &out);
	if (!most || out.verdict == LP_INCONCLUSIVE) {
		forget(p);
		all.limits.executions = all.limits.blocked = 0;
		all.sampling = (struct lp_sample_options){ .executions = random, .seed = 1 };
		out = (struct lp_exploration){ 0 };
		lp_explore_random(p->native->program, &all, p->arena, &out);
	}
	/* If waiting is not recognised, it looks like an endless loop. */
	return out.verdict != LP_VIOLATION || (out.kind == LP_ERROR_ENDLESS && !all.reduce.spin);
}

/* Explores the client in this way.  Are all executions repeated? */
static bool is_repeated(struct repetition *p, const struct lp_explore_options *options, struct lp_passes_effort effort,
			uint64_t *spent)
{
	p->options = *options;
	p->from = p->names.value;
	p->to = p->names.other;
	explore(p, effort.known > effort.executions ? 0 : effort.executions, effort.executions);
	const bool same = all_repeat(p, effort.repetitions, spent);
	forget(p);
	return same;
}

/* Explores the client with other values.  Are all executions those with its own values?  Executions in which calls wait forever are not
 * compared: with equal values, iterations may be redundant that are not redundant with different ones. */
static bool is_nothing_new(struct repetition *p, const struct lp_explore_options *options, struct lp_passes_effort effort, uint32_t way)
{
	if (!choose(p, way))
		return true;
	p->options = *options;
	p->from = p->names.other;
	p->to = p->names.value;
	bool same = explore(p, most_with_others(effort), effort.executions);
	for (uint32_t i = 0; same && i < p->executions.count; i++) {
		bool ends = true;
		for (uint32_t c = 0; c < p->client->client.calls; c++)
			ends &= p->executions.at[i].call[c].state == LP_CALL_RETURNED;
		same = !ends || is_the_same(p, &p->executions.at[i]);
	}
	forget(p);
	return same;
}

static int compare(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Finds the values of the arguments of one kind.  The initial value stands for itself. */
static bool has_values(struct repetition *p, enum lp_arg_mode mode)
{
	struct renaming *n = &p->names;

	*n = (struct renaming){ .mode = mode };
	for (uint32_t i = 0; i < p->client->client.calls; i++)
		for (uint32_t a = 0; a < LP_CLIENT_ARGS; a++) {
			const int64_t value = p->client->client.call[i].arg[a];
			if (is_renamed(p, i, a) && index_of(n, value) == n->count && (mode == LP_ARG_OPAQUE || value != param(p, "init")))
				n->value[n->count++] = value;
		}
	qsort(n->value, n->count, sizeof n->value[0], compare);
	return n->count > 0;
}

bool lp_passes_on(struct lp_native *native, const struct lp_explore_options *options, const struct lp_harness *harness,
		  const struct lp_plan_client *client, struct lp_passes_effort effort, uint64_t *spent)
{
	static const enum lp_arg_mode modes[] = { LP_ARG_OPAQUE, LP_ARG_EQUAL };
	struct lp_arena arena = { 0 };
	struct repetition p = {
		.native = native, .options = quietly(options), .harness = harness, .client = client, .arena = &arena
	};
	bool same = true;

	/* Whether an attempt or an iteration changes anything may depend on values, so all are explored; but not without end. */
	struct lp_explore_options whole = p.options;
	whole.limits.unroll = whole.limits.unroll ? whole.limits.unroll : ROUNDS;
	whole.reduce = (struct lp_reductions){ .symmetry = options->reduce.symmetry,
					       .final_joins = options->reduce.final_joins };
	/* Loops that go round more often, and calls that wait forever, are in executions as the client was explored.  But these must be
	 * feasible. */
	struct lp_explore_options reduced = p.options;
	reduced.reduce.silent_rmw = reduced.reduce.undone = false;
	/* And no operation may be skipped because another thread writes an equal value. */
	struct lp_explore_options plain = reduced;
	plain.reduce.helping = plain.reduce.twins = plain.reduce.shifts = false;
	for (uint32_t m = 0; same && m < sizeof modes / sizeof *modes; m++)
		if (has_values(&p, modes[m]))
			same = is_repeated(&p, &whole, effort, spent) && is_repeated(&p, &reduced, effort, spent) &&
			       is_nothing_new(&p, &plain, effort, 0) && is_nothing_new(&p, &plain, effort, 1);
	lp_free(p.executions.at);
	lp_arena_close(&arena);
	lp_native_client(native, &client->client);
	return same;
}
