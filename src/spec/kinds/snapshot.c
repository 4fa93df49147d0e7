/* snapshot.c -- an atomic snapshot: its components are written one by one, and read together. */
#include "spec/kinds/shared_steps.h"

enum { COMPONENTS, INIT };

static void begin(struct lp_state *s, const int64_t *param)
{
	for (int64_t i = 0; i < param[COMPONENTS]; i++)
		lp_state_push(s, param[INIT]);
}

static enum lp_answer update(struct lp_state *s, const struct lp_spec_call *c)
{
	if (c->arg[0] < 0 || c->arg[0] >= s->count)
		return LP_REJECTS;
	s->at[c->arg[0]] = c->arg[1];
	return LP_ACCEPTS;
}

static enum lp_answer scan(struct lp_state *s, const struct lp_spec_call *c)
{
	if (!c->result)
		return LP_ACCEPTS;
	if (c->results != s->count)
		return LP_REJECTS;
	return memcmp(c->result, s->at, sizeof *s->at * s->count) ? LP_REJECTS : LP_ACCEPTS;
}

/* The result of a scan is the state. */
static bool tells(struct lp_state *to, const struct lp_method *m, const struct lp_spec_call *c)
{
	for (uint32_t i = 0; m->result == LP_VALUES && i < c->results; i++)
		lp_state_push(to, c->result[i]);
	return m->result == LP_VALUES;
}

static const struct lp_method methods[] = {
	{ "update write", 2, LP_NOTHING, LP_INSERTS, update },
	{ "scan read snapshot", 0, LP_VALUES, LP_READS, scan },
};

static const struct lp_param params[] = {
	[COMPONENTS] = { "n", 2, "number of components" },
	[INIT] = { "init", 0, "the first value of each" },
};

const struct lp_builtin lp_kind_snapshot = {
	.kind = { .name = "snapshot", .about = "components written one by one, read all at once",
		  .data = LP_DATA_EQUALITY, .begin = begin,
		  .methods = methods, .method_count = LP_COUNT(methods),
		  .params = params, .param_count = LP_COUNT(params) },
	.traits = { .indexed = true, .tells = tells },
};
