/* passes_on.c -- repeats executions of a client with other values. */
#include "verify/passes_on.h"

#include <string.h>

#include "base/alloc.h"
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

struct repetition {
	struct lp_native *native;
	struct lp_explore_options options;
	const struct lp_harness *harness;
	const struct lp_plan_client *client;
	int64_t most; /* the greatest value that is only passed on */
	struct lp_arena *arena;
	struct {
		LP_VEC(struct execution);
	} executions;
};

typedef int64_t renaming(const struct repetition *, int64_t value);

static int64_t to_one(const struct repetition *p, int64_t value)
{
	(void)p;
	(void)value;
	return 1;
}

static int64_t reversed(const struct repetition *p, int64_t value)
{
	return p->most + 2 - value;
}

static int64_t itself(const struct repetition *p, int64_t value)
{
	(void)p;
	return value;
}

static bool is_opaque(const struct repetition *p, uint32_t call, uint32_t arg)
{
	const struct lp_harness_method *m = &p->harness->methods.at[p->client->method[call]];

	return arg < m->args && m->mode[arg] == LP_ARG_OPAQUE;
}

static bool is_passed(const struct repetition *p, int64_t value)
{
	for (uint32_t i = 0; i < p->client->client.calls; i++)
		for (uint32_t a = 0; a < LP_CLIENT_ARGS; a++)
			if (is_opaque(p, i, a) && p->client->client.call[i].arg[a] == value)
				return true;
	return false;
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

/* Is the call's result that of the execution, or the value that takes its place?  A result may also equal a value by chance. */
static bool corresponds(const struct repetition *p, renaming *other, const struct call *before, const struct call *now)
{
	if (before->state != now->state || now->state != LP_CALL_RETURNED)
		return before->state == now->state;
	return now->result == before->result || (is_passed(p, before->result) && now->result == other(p, before->result));
}

/* Repeats the execution with other values.  Is it the same, except for these? */
static bool repeats(const struct repetition *p, const struct execution *e, renaming *other)
{
	const struct lp_replay replay = { .steps = e->steps, .count = e->count, .strictly = true };
	struct lp_client client = p->client->client;
	struct lp_exploration out = { 0 };
	const struct lp_arena_mark mark = lp_arena_mark(p->arena);
	bool same;

	for (uint32_t i = 0; i < client.calls; i++)
		for (uint32_t a = 0; a < LP_CLIENT_ARGS; a++)
			if (is_opaque(p, i, a))
				client.call[i].arg[a] = other(p, client.call[i].arg[a]);
	lp_native_client(p->native, &client);
	lp_explore_replay(p->native->program, &p->options, &replay, p->arena, &out);
	same = out.verdict == LP_VERIFIED;
	for (uint32_t i = 0; same && i < client.calls; i++) {
		const struct call now = call_of(p, i);
		same = corresponds(p, other, &e->call[i], &now);
	}
	lp_arena_rewind(p->arena, mark);
	return same;
}

/* An execution that cannot even be repeated with its own values says nothing. */
static bool differs(const struct repetition *p, const struct execution *e)
{
	return (!repeats(p, e, to_one) || !repeats(p, e, reversed)) && repeats(p, e, itself);
}

/* How often loops go round, if the user does not say. */
enum { ROUNDS = 8 };

/* The callbacks are for the exploration itself.  Reductions leave out attempts and iterations that change nothing, but that may
 * depend on values; so they are off. */
static struct lp_explore_options quietly(const struct lp_explore_options *options)
{
	struct lp_explore_options o = *options;
	bool (*ignores)(const struct lp_program_error *) = o.callbacks.ignores;

	o.callbacks = (struct lp_explore_callbacks){ .ignores = ignores };
	o.limits.seconds = 0;
	o.limits.unroll = o.limits.unroll ? o.limits.unroll : ROUNDS;
	o.reduce = (struct lp_reductions){ .symmetry = options->reduce.symmetry, .final_joins = options->reduce.final_joins };
	o.jobs = 1;
	o.team = NULL;
	return o;
}

/* Explores all executions of the client, and keeps them; or as many random ones, if there are more. */
static void explore(struct repetition *p, struct lp_passes_effort effort)
{
	struct lp_explore_options all = p->options;
	struct lp_exploration out = { 0 };

	all.callbacks.complete = keep;
	all.callbacks.restarted = forget;
	all.callbacks.closure = p;
	all.limits.executions = all.limits.blocked = effort.most;
	lp_native_client(p->native, &p->client->client);
	if (!effort.random)
		lp_explore_graphs(p->native->program, &all, p->arena, &out);
	if (effort.random || out.verdict == LP_INCONCLUSIVE) {
		forget(p);
		all.limits.executions = all.limits.blocked = 0;
		all.sampling = (struct lp_sample_options){ .executions = effort.most, .seed = 1 };
		out = (struct lp_exploration){ 0 };
		lp_explore_random(p->native->program, &all, p->arena, &out);
	}
}

bool lp_passes_on(struct lp_native *native, const struct lp_explore_options *options, const struct lp_harness *harness,
		  const struct lp_plan_client *client, struct lp_passes_effort effort, uint64_t *budget)
{
	struct lp_arena arena = { 0 };
	struct repetition p = { .native = native, .options = quietly(options), .harness = harness, .client = client, .arena = &arena };
	uint32_t opaque = 0;
	bool same = true;

	for (uint32_t i = 0; i < client->client.calls; i++)
		for (uint32_t a = 0; a < LP_CLIENT_ARGS; a++)
			if (is_opaque(&p, i, a)) {
				const int64_t value = client->client.call[i].arg[a];
				p.most = opaque++ && p.most > value ? p.most : value;
			}
	if (!opaque || !*budget)
		return true;
	effort.most = effort.most < *budget ? effort.most : *budget;
	explore(&p, effort);
	*budget -= *budget < p.executions.count ? *budget : p.executions.count;
	for (uint32_t i = 0; i < p.executions.count && same; i++)
		same = !differs(&p, &p.executions.at[i]);
	forget(&p);
	lp_free(p.executions.at);
	lp_arena_close(&arena);
	lp_native_client(native, &client->client);
	return same;
}
