/* map.c -- a map.  Its state is a list of pairs of key and value, sorted by key.
 *
 * Nil stands for no value.  The parameter `init` is the value of missing keys.  If it is nil, a put of nil removes
 * the key.
 */
#include "spec/kinds/shared_entries.h"
#include "spec/kinds/shared_steps.h"

enum { INIT };

static uint32_t key_place(const struct lp_state *s, int64_t key)
{
	return lp_entry_place(s, 2, key);
}

static int64_t value_of(const struct lp_state *s, const struct lp_spec_call *c)
{
	const uint32_t at = key_place(s, c->arg[0]);
	return lp_entry_is(s, at, c->arg[0]) ? s->at[at + 1] : c->param[INIT];
}

static bool has(const struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_entry_is(s, key_place(s, c->arg[0]), c->arg[0]);
}

static void unset(struct lp_state *s, const struct lp_spec_call *c)
{
	const uint32_t at = key_place(s, c->arg[0]);

	if (lp_entry_is(s, at, c->arg[0]))
		lp_pair_remove(s, at);
}

static void set(struct lp_state *s, const struct lp_spec_call *c, int64_t value)
{
	const uint32_t at = key_place(s, c->arg[0]);

	unset(s, c);
	if (value != LP_NIL || c->param[INIT] != LP_NIL)
		lp_pair_add(s, at, c->arg[0], value);
}

static enum lp_answer get(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, value_of(s, c));
}

static enum lp_answer put(struct lp_state *s, const struct lp_spec_call *c)
{
	set(s, c, c->arg[1]);
	return LP_ACCEPTS;
}

static enum lp_answer put_if_absent(struct lp_state *s, const struct lp_spec_call *c)
{
	if (has(s, c))
		return lp_answers(c, 0);
	set(s, c, c->arg[1]);
	return lp_answers(c, 1);
}

static enum lp_answer append(struct lp_state *s, const struct lp_spec_call *c)
{
	const int64_t old = value_of(s, c);

	const int64_t both = old == LP_NIL ? c->arg[1] : c->join ? c->join(c->texts, old, c->arg[1]) : LP_VOID;

	if (both == LP_VOID)
		return LP_REJECTS; /* numbers cannot be appended to each other */
	set(s, c, both);
	return LP_ACCEPTS;
}

static enum lp_answer cas(struct lp_state *s, const struct lp_spec_call *c)
{
	if (value_of(s, c) != c->arg[1])
		return lp_answers(c, 0);
	set(s, c, c->arg[2]);
	return lp_answers(c, 1);
}

static enum lp_answer remove_key(struct lp_state *s, const struct lp_spec_call *c)
{
	if (!has(s, c))
		return lp_answers(c, 0);
	unset(s, c);
	return lp_answers(c, 1);
}

static enum lp_answer contains(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, has(s, c));
}

static enum lp_answer entries(struct lp_state *s, const struct lp_spec_call *c)
{
	return c->result ? lp_entries_answer(s, c, 2) : LP_ACCEPTS;
}

enum { GET, PUT, PUT_IF_ABSENT, APPEND, CAS, REMOVE, CONTAINS, ENTRIES };

static const struct lp_method methods[] = {
	[GET] = { "get read find lookup load", 1, LP_VALUE, LP_READS, get },
	[PUT] = { "put write set store insert", 2, LP_NOTHING, LP_INSERTS, put },
	[PUT_IF_ABSENT] = { "put_if_absent insert_if_absent", 2, LP_TRUTH, LP_INSERTS | LP_OBSERVES, put_if_absent },
	[APPEND] = { "append", 2, LP_NOTHING, 0, append },
	[CAS] = { "cas compare_and_set replace", 3, LP_TRUTH, LP_OBSERVES | LP_REPLACES, cas },
	[REMOVE] = { "remove delete erase", 1, LP_TRUTH, LP_REMOVES | LP_OBSERVES, remove_key },
	[CONTAINS] = { "contains has", 1, LP_TRUTH, LP_READS, contains },
	[ENTRIES] = { "entries read_all get_all", 0, LP_VALUES, LP_READS | LP_WHOLE, entries },
};

static const struct lp_method_traits method_traits[LP_COUNT(methods)] = {
	[GET] = { LP_VERB_READ, LP_EFFECT_NONE, LP_SAYS_VALUE, 0 },
	[PUT] = { LP_VERB_WRITE, LP_EFFECT_SETS, LP_SAYS_NOTHING, 0 },
	[APPEND] = { .verb = LP_VERB_APPEND },
	[CAS] = { .verb = LP_VERB_CAS },
	[REMOVE] = { LP_VERB_ERASE, LP_EFFECT_ERASES, LP_SAYS_HELD, 0 },
	[CONTAINS] = { LP_VERB_CONTAINS, LP_EFFECT_NONE, LP_SAYS_HELD, 0 },
	[ENTRIES] = { LP_VERB_OTHER, LP_EFFECT_NONE, LP_SAYS_ALL, 0 },
};

static const struct lp_param params[] = {
	[INIT] = { "init", LP_NIL, "the value of a key that was never put" },
};

/* A value that was put is in the map.  So is a value that was read, unless it is the value of missing
 * keys. */
static bool tells(struct lp_state *to, const struct lp_method *m, const struct lp_spec_call *c)
{
	if (m == &methods[PUT])
		return put(to, c) == LP_ACCEPTS;
	if (m != &methods[GET] || c->results != 1 || c->result[0] == c->param[INIT])
		return false;
	lp_state_push(to, c->arg[0]);
	lp_state_push(to, c->result[0]);
	return true;
}

const struct lp_builtin lp_kind_map = {
	.kind = { .name = "map", .about = "a value for each key", .data = LP_DATA_EQUALITY, .by_key = true,
		  .methods = methods, .method_count = LP_COUNT(methods),
		  .params = params, .param_count = LP_COUNT(params) },
	.traits = { .methods = method_traits, .pairs = true, .tells = tells },
};
