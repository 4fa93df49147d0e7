/* states_ltl.c -- formulae of `linchpin states` (states_ltl.h).
 *
 * The monitor of a formula only records which method each thread is in, and accepts every result.  A set of this monitor is an
 * array of numbers, one for each thread: 0 if the thread is in no call, otherwise 1 + the method, or 1 if the formula does not mention methods.
 */
#include "cli/states/states_ltl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/hash_index.h"
#include "cli/states/states_free.h"

enum { ANY = -1 };

struct meaning {
	enum { CALLS, RETURNS, IS_IN, PROPOSITION } kind;
	int32_t method, thread; /* or ANY; threads from 0 */
	bool has_arg;
	int64_t arg;
	const char *value; /* what it returns; NULL: whatever that is */
};

struct row {
	uint8_t at[LP_STATE_PROCESSES];
};

struct lp_states_ltl {
	struct lp_ltl ltl;
	struct lp_ltl_automaton contrary;
	struct lp_state_runs runs;
	const struct lp_harness *harness;
	const struct lp_menu *menu;
	const char *text;
	uint32_t threads;
	struct meaning meaning[LP_LTL_ATOMS];
	uint32_t proposition[LP_LTL_ATOMS];
	bool by_method;
	uint32_t seen; /* the atoms that held somewhere, except propositions */
	struct { LP_VEC(struct row); } rows; /* by set */
	struct lp_hash_index index;
};

/* ---- what atoms mean ---- */

static bool fail(const struct lp_states_ltl *s, const struct lp_ltl_atom *a, struct lp_error *error, const char *what,
		 const char *word)
{
	return lp_ltl_fail(s->text, strlen(s->text), a->place, error, what, word);
}

static int32_t method_named(const struct lp_states_ltl *s, const char *name)
{
	for (uint32_t m = 0; m < s->harness->methods.count; m++)
		if (!strcmp(s->harness->methods.at[m].name, name))
			return (int32_t)m;
	return ANY;
}

/* A thread, a method, or the argument of a call. */
static bool take_argument(struct lp_states_ltl *s, const struct lp_ltl_atom *a, const char *arg, struct meaning *m,
			  struct lp_error *error)
{
	char *end;

	if (arg[0] == 't' && arg[1] >= '0' && arg[1] <= '9') {
		const unsigned long thread = strtoul(arg + 1, &end, 10);
		if (*end || !thread || thread > s->threads)
			return fail(s, a, error, "there is no thread '%s' (see --threads)", arg);
		m->thread = (int32_t)thread - 1;
		s->runs.anonymous = false;
		return true;
	}
	m->arg = strtoll(arg, &end, 10);
	m->has_arg = !*end;
	if (m->has_arg)
		return m->kind == CALLS || fail(s, a, error, "only call() has an argument such as '%s'", arg);
	m->method = method_named(s, arg);
	return m->method != ANY || fail(s, a, error, "'%s' is neither a method of the harness nor a thread (t1, t2, ...)", arg);
}

static bool take_proposition(struct lp_states_ltl *s, const struct lp_ltl_atom *a, struct lp_menu *menu, struct lp_error *error)
{
	const struct lp_harness *h = s->harness;

	for (uint32_t i = 0; i < h->propositions.count; i++)
		if (!strcmp(h->propositions.at[i].name, a->name) && !a->args && !a->value[0]) {
			s->proposition[s->runs.propositions++] = (uint32_t)(a - s->ltl.atoms.at);
			LP_PUSH(&menu->calls, ((struct lp_menu_call){ .body = h->propositions.at[i].body }));
			return true;
		}
	return fail(s, a, error, "'%s' is none of call(), return() and in(), and no LP_PROPOSITION of the harness", a->name);
}

static bool take_atom(struct lp_states_ltl *s, uint32_t number, struct lp_menu *menu, struct lp_error *error)
{
	const struct lp_ltl_atom *a = &s->ltl.atoms.at[number];
	struct meaning *m = &s->meaning[number];

	*m = (struct meaning){ .kind = PROPOSITION, .method = ANY, .thread = ANY };
	if (!strcmp(a->name, "call"))
		m->kind = CALLS;
	else if (!strcmp(a->name, "return"))
		m->kind = RETURNS;
	else if (!strcmp(a->name, "in"))
		m->kind = IS_IN;
	else
		return take_proposition(s, a, menu, error);
	for (uint32_t i = 0; i < a->args; i++)
		if (!take_argument(s, a, a->arg[i], m, error))
			return false;
	if (a->value[0] && m->kind != RETURNS)
		return fail(s, a, error, "only return() has a value such as '%s'", a->value);
	m->value = a->value[0] ? a->value : NULL;
	s->by_method |= m->kind != CALLS && (m->method != ANY || m->value);
	return true;
}

/* ---- where they hold ---- */

static const struct row *row_of(const struct lp_states_ltl *s, uint32_t set)
{
	return &s->rows.at[set];
}

static bool returns_that(const struct lp_states_ltl *s, const struct meaning *m, uint32_t method, int64_t result)
{
	char text[160];

	return !m->value || !strcmp(lp_harness_say_result(s->harness, method, result, text, sizeof text), m->value);
}

static uint32_t event(void *closure, uint32_t set, uint32_t process, enum lp_op_kind kind, int64_t what)
{
	struct lp_states_ltl *s = closure;
	const uint32_t method = kind == LP_OP_CALL ? s->menu->method.at[what] : row_of(s, set)->at[process] - 1u;
	uint32_t atoms = 0;

	for (uint32_t i = 0; i < s->ltl.atoms.count; i++) {
		const struct meaning *m = &s->meaning[i];
		if (m->kind != (kind == LP_OP_CALL ? CALLS : RETURNS) || (m->thread != ANY && m->thread != (int32_t)process) ||
		    (m->method != ANY && m->method != (int32_t)method))
			continue;
		if (kind == LP_OP_CALL ? !m->has_arg || s->menu->calls.at[what].arg[0] == m->arg : returns_that(s, m, method, what))
			atoms |= UINT32_C(1) << i;
	}
	s->seen |= atoms;
	return atoms;
}

static bool is_in(const struct lp_states_ltl *s, const struct meaning *m, const struct row *row)
{
	for (uint32_t t = 0; t < s->threads; t++)
		if (row->at[t] && (m->thread == ANY || m->thread == (int32_t)t) &&
		    (m->method == ANY || m->method + 1 == row->at[t]))
			return true;
	return false;
}

static uint32_t state(void *closure, uint32_t set)
{
	struct lp_states_ltl *s = closure;
	uint32_t atoms = 0;

	for (uint32_t i = 0; i < s->ltl.atoms.count; i++)
		if (s->meaning[i].kind == IS_IN && is_in(s, &s->meaning[i], row_of(s, set)))
			atoms |= UINT32_C(1) << i;
	s->seen |= atoms;
	return atoms;
}

/* ---- the monitor ---- */

static uint32_t set_of(struct lp_states_ltl *s, struct row row)
{
	struct lp_fingerprint print = LP_FINGERPRINT;
	uint32_t set;

	lp_fingerprint_bytes(&print, row.at, sizeof row.at);
	struct lp_hash_probe probe = lp_hash_probe(&s->index, print.a);
	while ((set = lp_hash_next(&s->index, &probe)) != LP_HASH_NONE)
		if (!memcmp(&s->rows.at[set], &row, sizeof row))
			return set;
	lp_hash_add(&s->index, print.a, s->rows.count);
	LP_PUSH(&s->rows, row);
	return s->rows.count - 1;
}

static uint32_t begin(void *closure)
{
	return set_of(closure, (struct row){ { 0 } });
}

static uint32_t calls(void *closure, uint32_t set, uint32_t process, uint32_t call)
{
	struct lp_states_ltl *s = closure;
	struct row row = *row_of(s, set);

	row.at[process] = (uint8_t)(s->by_method ? 1 + s->menu->method.at[call] : 1);
	return set_of(s, row);
}

static uint32_t returns(void *closure, uint32_t set, uint32_t process, int64_t result)
{
	struct row row = *row_of(closure, set);

	(void)result;
	row.at[process] = 0;
	return set_of(closure, row);
}

static uint32_t rename_set(void *closure, uint32_t set, const uint8_t *to)
{
	struct lp_states_ltl *s = closure;
	const struct row from = *row_of(s, set);
	struct row row = from;

	for (uint32_t t = 0; t < s->threads; t++)
		row.at[to[t]] = from.at[t];
	return set_of(s, row);
}

static uint64_t look(void *closure, uint32_t set, uint32_t process)
{
	return row_of(closure, set)->at[process];
}

struct lp_state_monitor lp_states_ltl_monitor(struct lp_states_ltl *s)
{
	struct lp_state_monitor m = lp_states_any_result;

	m.closure = s;
	m.begin = begin;
	m.calls = calls;
	m.returns = returns;
	m.rename = rename_set;
	m.look = look;
	return m;
}

/* ---- the whole ---- */

struct lp_states_ltl *lp_states_ltl_open(const char *text, enum lp_fairness fairness, const struct lp_harness *harness,
					 struct lp_menu *menu, uint32_t threads, struct lp_error *error)
{
	struct lp_states_ltl *s = lp_alloc_zero(1, sizeof *s);
	bool good;

	s->text = text;
	s->harness = harness;
	s->menu = menu;
	s->threads = threads;
	s->runs = (struct lp_state_runs){ .ltl = &s->ltl, .contrary = &s->contrary, .fairness = fairness, .anonymous = true,
					  .closure = s, .event = event, .state = state, .proposition = s->proposition };
	good = lp_ltl_parse(&s->ltl, text, strlen(text), &s->runs.formula, error);
	for (uint32_t i = 0; good && i < s->ltl.atoms.count; i++)
		good = take_atom(s, i, menu, error);
	good = good && lp_ltl_automaton(&s->contrary, &s->ltl, lp_ltl_not(&s->ltl, s->runs.formula), error);
	if (good)
		return s;
	lp_states_ltl_close(s);
	return NULL;
}

void lp_states_ltl_close(struct lp_states_ltl *s)
{
	if (!s)
		return;
	lp_ltl_close(&s->ltl);
	lp_ltl_automaton_close(&s->contrary);
	lp_free(s->rows.at);
	lp_hash_close(&s->index);
	lp_free(s);
}

const struct lp_state_runs *lp_states_ltl_runs(const struct lp_states_ltl *s)
{
	return &s->runs;
}

uint32_t lp_states_ltl_size(const struct lp_states_ltl *s)
{
	return s->contrary.states;
}

/* Appends an atom as it is written in formulae. */
static size_t say_atom(const struct lp_ltl_atom *a, char *out, size_t size)
{
	size_t used = (size_t)snprintf(out, size, "%s(", a->name);

	for (uint32_t i = 0; i < a->args && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", a->arg[i]);
	if (used < size)
		used += (size_t)snprintf(out + used, size - used, ")%s%s", a->value[0] ? " = " : "", a->value);
	return used;
}

const char *lp_states_ltl_unseen(const struct lp_states_ltl *s, char *out, size_t size)
{
	size_t used = 0;

	out[0] = 0;
	for (uint32_t i = 0; i < s->ltl.atoms.count && used + 2 < size; i++) {
		if (s->meaning[i].kind == PROPOSITION || s->seen >> i & 1)
			continue;
		used += (size_t)snprintf(out + used, size - used, "%s", used ? "; " : "");
		used += say_atom(&s->ltl.atoms.at[i], out + used, size - used);
	}
	return out;
}
