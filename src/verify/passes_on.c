/* passes_on.c -- repeats executions of a client with other values. */
#include "verify/passes_on.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/vec.h"
#include "runtime/client.h"
#include "runtime/runtime.h"

struct call {
	enum lp_call_state state;
	int64_t result;
};

struct execution {
	struct lp_step *steps;
	uint32_t count;
	struct call call[LP_CLIENT_CALLS];
};

/* The values that are only passed on, and those that take their places. */
struct renaming {
	uint32_t count;
	int64_t value[LP_CLIENT_CALLS * LP_CLIENT_ARGS]; /* ascending */
	int64_t other[LP_CLIENT_CALLS * LP_CLIENT_ARGS];
};

struct repetition {
	struct lp_native *native;
	struct lp_explore_options options;
	const struct lp_harness *harness;
	const struct lp_plan_client *client;
	struct renaming names;
	struct lp_arena *arena;
	struct {
		LP_VEC(struct execution);
	} executions;
};

static bool is_opaque(const struct repetition *p, uint32_t call, uint32_t arg)
{
	const struct lp_harness_method *m = &p->harness->methods.at[p->client->method[call]];

	return arg < m->args && m->mode[arg] == LP_ARG_OPAQUE;
}

/* The index of a value that is passed on, or the number of these values. */
static uint32_t index_of(const struct renaming *n, int64_t value)
{
	uint32_t i = 0;

	while (i < n->count && n->value[i] != value)
		i++;
	return i;
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

/* Is the call's result that of the execution, or the value that takes its place?  A result may also equal a value by chance.
 * The other values differ from all of these, so a wrong one is never mistaken for the right one. */
static bool corresponds(const struct repetition *p, const struct call *before, const struct call *now)
{
	if (before->state != now->state || now->state != LP_CALL_RETURNED || now->result == before->result)
		return before->state == now->state;
	const uint32_t i = index_of(&p->names, before->result);
	return i < p->names.count && now->result == p->names.other[i];
}

/* Repeats the execution with the other values.  Is it the same, except for these? */
static bool repeats(const struct repetition *p, const struct execution *e)
{
	const struct lp_replay replay = { .steps = e->steps, .count = e->count, .strictly = true };
	struct lp_client client = p->client->client;
	struct lp_exploration out = { 0 };
	const struct lp_arena_mark mark = lp_arena_mark(p->arena);
	bool same;

	for (uint32_t i = 0; i < client.calls; i++)
		for (uint32_t a = 0; a < LP_CLIENT_ARGS; a++)
			if (is_opaque(p, i, a))
				client.call[i].arg[a] = p->names.other[index_of(&p->names, client.call[i].arg[a])];
	lp_native_client(p->native, &client);
	lp_explore_replay(p->native->program, &p->options, &replay, p->arena, &out);
	same = out.verdict == LP_VERIFIED;
	for (uint32_t i = 0; same && i < client.calls; i++) {
		const struct call now = call_of(p, i);
		same = corresponds(p, &e->call[i], &now);
	}
	lp_arena_rewind(p->arena, mark);
	return same;
}

/* Values of up to this many are put in every order. */
enum { ALL_ORDERS = 4 };

/* The other values are all greater than the values, or all smaller if there are no greater ones, in the order of the given ranks. */
static void rank(struct renaming *n, const uint32_t *ranks)
{
	const int64_t least = n->value[0], most = n->value[n->count - 1];
	const int64_t first = most < INT64_MAX - n->count ? most + 1 : least - n->count;

	for (uint32_t i = 0; i < n->count; i++)
		n->other[i] = first + ranks[i];
}

/* Chooses the other values in the way with that number, which is below ways().  Returns false if an earlier way puts them in the
 * same order.  First all are equal; then they are in the reverse order; then each rank is a digit of the number, or a random one. */
static bool choose(struct renaming *n, uint32_t way)
{
	uint32_t ranks[LP_CLIENT_CALLS * LP_CLIENT_ARGS], number = way - 2;
	bool occurs[LP_CLIENT_CALLS * LP_CLIENT_ARGS] = { false }, falls = true;

	for (uint32_t i = 0; i < n->count; i++) {
		const uint64_t any = n->count > ALL_ORDERS ? lp_mix(way * UINT64_C(64) + i) : number;
		ranks[i] = (uint32_t)(way > 1 ? any % n->count : way ? n->count - 1 - i : 0);
		number /= n->count;
		occurs[ranks[i]] = true;
		falls &= ranks[i] == n->count - 1 - i;
	}
	rank(n, ranks);
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

	for (uint32_t i = 0; i < n->count && n->count <= ALL_ORDERS; i++)
		all *= n->count;
	return 2 + (n->count > ALL_ORDERS ? 1 << 16 : all);
}

/* An execution that cannot even be repeated with its own values says nothing. */
static bool is_repeatable(struct repetition *p, const struct execution *e)
{
	memcpy(p->names.other, p->names.value, sizeof p->names.other);
	return repeats(p, e);
}

/* Repeats the executions, each in the first two ways, and in as many of the others as there is effort left.  They are distributed
 * among the executions. */
static bool all_repeat(struct repetition *p, uint64_t repetitions, uint64_t *spent)
{
	const uint32_t all = ways(&p->names);
	uint32_t next = 2;

	for (uint32_t i = 0; i < p->executions.count; i++) {
		const struct execution *e = &p->executions.at[i];
		uint64_t left = repetitions / p->executions.count;
		for (uint32_t tried = 0; tried < all && (tried < 2 || left); tried++) {
			const uint32_t way = tried < 2 ? tried : next;
			if (tried >= 2)
				next = next + 1 < all ? next + 1 : 2;
			if (!choose(&p->names, way))
				continue;
			left -= left > 0;
			++*spent;
			if (!repeats(p, e) && is_repeatable(p, e))
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

/* The callbacks are for the exploration itself. */
static struct lp_explore_options quietly(const struct lp_explore_options *options)
{
	struct lp_explore_options o = *options;
	bool (*ignores)(const struct lp_program_error *) = o.callbacks.ignores;

	o.callbacks = (struct lp_explore_callbacks){ .ignores = ignores, .judge = accept };
	o.limits.seconds = 0;
	o.jobs = 1;
	o.team = NULL;
	return o;
}

/* How long each exploration takes at most. */
static const double SECONDS = 5;

/* Explores all executions of the client, and keeps them; or as many random ones, if there are more. */
static void explore(struct repetition *p, uint64_t most)
{
	struct lp_explore_options all = p->options;
	struct lp_exploration out = { 0 };

	all.callbacks.complete = keep;
	all.callbacks.restarted = forget;
	all.callbacks.closure = p;
	all.limits.executions = all.limits.blocked = most;
	all.limits.seconds = SECONDS;
	lp_native_client(p->native, &p->client->client);
	lp_explore_graphs(p->native->program, &all, p->arena, &out);
	if (out.verdict == LP_INCONCLUSIVE) {
		forget(p);
		all.limits.executions = all.limits.blocked = 0;
		all.sampling = (struct lp_sample_options){ .executions = most, .seed = 1 };
		out = (struct lp_exploration){ 0 };
		lp_explore_random(p->native->program, &all, p->arena, &out);
	}
}

/* Explores the client in this way.  Are all executions repeated? */
static bool is_repeated(struct repetition *p, const struct lp_explore_options *options, struct lp_passes_effort effort,
			uint64_t *spent)
{
	p->options = *options;
	explore(p, effort.executions);
	const bool same = all_repeat(p, effort.repetitions, spent);
	forget(p);
	return same;
}

static int compare(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

bool lp_passes_on(struct lp_native *native, const struct lp_explore_options *options, const struct lp_harness *harness,
		  const struct lp_plan_client *client, struct lp_passes_effort effort, uint64_t *spent)
{
	struct lp_arena arena = { 0 };
	struct repetition p = {
		.native = native, .options = quietly(options), .harness = harness, .client = client, .arena = &arena
	};

	for (uint32_t i = 0; i < client->client.calls; i++)
		for (uint32_t a = 0; a < LP_CLIENT_ARGS; a++) {
			const int64_t value = client->client.call[i].arg[a];
			if (is_opaque(&p, i, a) && index_of(&p.names, value) == p.names.count)
				p.names.value[p.names.count++] = value;
		}
	if (!p.names.count)
		return true;
	qsort(p.names.value, p.names.count, sizeof p.names.value[0], compare);

	/* Whether an attempt or an iteration changes anything may depend on values, so all are explored; but not without end. */
	struct lp_explore_options whole = p.options;
	whole.limits.unroll = whole.limits.unroll ? whole.limits.unroll : ROUNDS;
	whole.reduce = (struct lp_reductions){ .symmetry = options->reduce.symmetry,
					       .final_joins = options->reduce.final_joins };
	/* Loops that go round more often, and calls that wait forever, are in executions as the client was explored.  But these must be
	 * feasible. */
	struct lp_explore_options reduced = p.options;
	reduced.reduce.silent_rmw = reduced.reduce.undone = false;
	const bool same = is_repeated(&p, &whole, effort, spent) && is_repeated(&p, &reduced, effort, spent);
	lp_free(p.executions.at);
	lp_arena_close(&arena);
	lp_native_client(native, &client->client);
	return same;
}
