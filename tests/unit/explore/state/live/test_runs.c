/* test_runs.c -- formulae on runs: the state explorer against a naive checker, on random objects whose calls may wait.
 *
 *     test_runs [--runs N] [--seed N] [--threads N]
 *
 * Every object is asked a few random formulae, with and without fairness, in all ways that there are.  What the naive checker
 * says does not depend on reductions.  A formula and its negation cannot both hold.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "explore/state/state.h"
#include "explore/state/live/state_graph.h"
#include "../naive_free.h"
#include "../naive_runs.h"
#include "../no_opinion.h"
#include "../object.h"

enum { CALL, RETURN_, IN, CALL_1, RETURN_1, IN_1, ATOMS, FORMULAE = 5 };

static const char *const fixed[] = {
	"response(call1, return1)", "[](in -> <> return)", "<>[] !in1", "precedence(call1, return1)", "[]<> return || <>[] !call",
};

/* ---- a monitor that knows which threads are in a call: a set is that, a bit each ---- */

static uint32_t calls(void *c, uint32_t set, uint32_t t, uint32_t call)
{
	(void)c;
	(void)call;
	return set | 1u << t;
}

static uint32_t returns(void *c, uint32_t set, uint32_t t, int64_t result)
{
	(void)c;
	(void)result;
	return set & ~(1u << t);
}

static uint32_t rename_set(void *c, uint32_t set, const uint8_t *to)
{
	uint32_t out = 0;

	(void)c;
	for (uint32_t t = 0; t < LP_STATE_PROCESSES; t++)
		out |= (set >> t & 1) << to[t];
	return out;
}

static uint64_t look(void *c, uint32_t set, uint32_t t)
{
	(void)c;
	return set >> t & 1;
}

static struct lp_state_monitor monitor(void)
{
	struct lp_state_monitor m = no_opinion;

	m.calls = calls;
	m.returns = returns;
	m.rename = rename_set;
	m.look = look;
	return m;
}

/* ---- formulae ---- */

/* By atom of the formula: which of ours it is. */
struct names {
	uint32_t atom[LP_LTL_ATOMS], count;
};

static uint32_t translate(const struct names *n, uint32_t ours)
{
	uint32_t atoms = 0;

	for (uint32_t i = 0; i < n->count; i++)
		atoms |= (ours >> n->atom[i] & 1) << i;
	return atoms;
}

static uint32_t event(void *closure, uint32_t set, uint32_t process, enum lp_op_kind kind, int64_t what)
{
	const uint32_t any = kind == LP_OP_CALL ? CALL : RETURN_;

	(void)set;
	/* Of calls, call1 is the first one only. */
	return translate(closure, 1u << any | (process || (kind == LP_OP_CALL && what) ? 0 : 1u << (any + CALL_1)));
}

static uint32_t state(void *closure, uint32_t set)
{
	return translate(closure, (uint32_t)(set != 0) << IN | (set & 1) << IN_1);
}

static uint32_t below(uint64_t *seed, uint32_t n)
{
	*seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(*seed >> 33) % n;
}

static void say(char *out, uint32_t size, uint64_t *seed, bool next)
{
	static const char *const atoms[] = { "call", "return", "in", "call1", "return1", "in1" };
	static const char *const one[] = { "!", "[]", "<>", "X " }, *const two[] = { "&&", "||", "->", "U", "W", "R" };

	if (size <= 1) {
		strcat(out, atoms[below(seed, ATOMS)]);
	} else if (below(seed, 2)) {
		strcat(out, one[below(seed, next ? 4 : 3)]);
		say(out, size - 1, seed, next);
	} else {
		const uint32_t left = 1 + below(seed, size - 1);
		strcat(out, "(");
		say(out, left, seed, next);
		sprintf(out + strlen(out), " %s ", two[below(seed, 6)]);
		say(out, size - left, seed, next);
		strcat(out, ")");
	}
}

static void name_atoms(const struct lp_ltl *l, struct names *n, bool *anonymous)
{
	*anonymous = true;
	n->count = l->atoms.count;
	for (uint32_t i = 0; i < l->atoms.count; i++) {
		const char *name = l->atoms.at[i].name;
		const bool first = name[strlen(name) - 1] == '1';
		n->atom[i] = (name[0] == 'c' ? CALL : name[0] == 'r' ? RETURN_ : IN) + (first ? CALL_1 : 0);
		*anonymous &= !first;
	}
}

/* ---- all together ---- */

static bool explored(struct object *o, uint32_t threads, const struct lp_state_runs *runs, unsigned how, uint64_t *states)
{
	struct lp_state_call rules[CALLS] = { { 0 } };
	struct lp_state_options options = {
		.processes = threads, .calls = rules, .call_count = o->count, .runs = runs,
		.symmetry = how & 1, .por = how & 2, .paths = how & 2, .shortest = how & 4,
	};
	const struct lp_state_monitor knows = monitor();
	struct lp_state_counts counts;
	struct lp_arena arena = { 0 };
	struct lp_exploration e;

	lp_explore_states(&o->base, &knows, &options, &arena, &e, &counts);
	const bool right = e.verdict == LP_VERIFIED;
	if (e.verdict == LP_INCONCLUSIVE || counts.unconfirmed || (!right && e.kind != LP_ERROR_FORMULA)) {
		printf("no answer, or steps that cannot be replayed (how %u)\n", how);
		exit(1);
	}
	*states += counts.states;
	lp_arena_close(&arena);
	return right;
}

struct counts {
	uint32_t asked, held;
	uint64_t states[8];
};

/* False if the explorer and the naive checker do not agree. */
static bool try_formula(struct object *o, const struct naive_graph *g, uint32_t threads, const char *text, struct counts *counts)
{
	struct lp_ltl l = { 0 };
	struct lp_ltl_automaton a[2] = { { .states = 0 }, { .states = 0 } };
	struct lp_error error = { .text = "" };
	struct names names;
	struct lp_state_runs runs = { .ltl = &l, .closure = &names, .event = event, .state = state };
	bool good = lp_ltl_parse(&l, text, strlen(text), &runs.formula, &error), holds[2] = { false, false };

	name_atoms(&l, &names, &runs.anonymous);
	for (uint32_t no = 0; no < 2 && good; no++) {
		if (!lp_ltl_automaton(&a[no], &l, lp_ltl_not(&l, runs.formula), &error) || a[no].states > 12)
			break;
		runs.contrary = &a[no];
		for (uint32_t fairness = LP_UNFAIR; fairness <= LP_STRONGLY_FAIR && good; fairness++) {
			runs.fairness = (enum lp_fairness)fairness;
			holds[no] = naive_holds(g, &runs, threads);
			counts->asked++;
			counts->held += holds[no];
			for (unsigned how = 0; how < 8 && good; how++) {
				good = explored(o, threads, &runs, how, &counts->states[how]) == holds[no];
				if (!good)
					printf("%s%s %s with fairness %u, but not if explored so: %u\n", no ? "not " : "", text,
					       holds[no] ? "holds" : "does not hold", fairness, how);
			}
			/* The last one, under strong fairness, is compared with the negation's. */
		}
		runs.formula = lp_ltl_not(&l, runs.formula);
	}
	if (good && holds[0] && holds[1]) {
		printf("%s and its negation both hold\n", text);
		good = false;
	}
	lp_ltl_automaton_close(&a[0]);
	lp_ltl_automaton_close(&a[1]);
	lp_ltl_close(&l);
	return good;
}

/* In the first one a thread may hold a lock until another one opens a gate, which it does only for a moment.  So a thread
 * that wants the lock may never get it, fair as schedules may be; though the lock is free again and again if the gate is seen
 * open.  In the second one calls have accesses that no other thread observes. */
static const struct instruction by_hand[][3][CODE] = {
	{ { { LOCK, 0, CONSTANT, 0, CONSTANT, 1 }, { STORE, 0, CONSTANT, 0, 0, 0 } },
	  { { LOCK, 0, CONSTANT, 0, CONSTANT, 1 }, { AWAIT, 1, CONSTANT, 1, 0, 0 }, { STORE, 0, CONSTANT, 0, 0, 0 } },
	  { { STORE, 1, CONSTANT, 1, 0, 0 }, { STORE, 1, CONSTANT, 0, 0, 0 } } },
	{ { { LOAD, 0, 0, 0, 0, 0 } }, { { LOAD, 0, 0, 0, 0, 0 }, { STORE, 1, CONSTANT, 1, 0, 0 } }, { { LOAD, 0, 0, 0, 0, 0 } } },
};

static bool try_by_hand(uint32_t threads, struct counts *counts)
{
	static const char *const more[] = { "[](call1 -> X !return1)", "[](call -> X (in1 W return1))", "<>(in && X !in)" };
	bool good = true;

	for (uint32_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++) {
		uint64_t seed = 1;
		struct object o;
		object_generate_waiting(&o, &seed);
		o.count = 3;
		memset(o.calls, 0, sizeof o.calls);
		for (uint32_t c = 0; c < o.count; c++)
			memcpy(o.calls[c].code, by_hand[i][c], sizeof by_hand[i][c]);
		struct naive_graph *g = naive_graph_open(&o, threads, 4000);
		for (uint32_t f = 0; g && f < sizeof fixed / sizeof *fixed; f++)
			good = good && try_formula(&o, g, threads, fixed[f], counts);
		for (uint32_t f = 0; g && f < sizeof more / sizeof *more; f++)
			good = good && try_formula(&o, g, threads, more[f], counts);
		good &= g != NULL;
		naive_graph_close(g);
	}
	return good;
}

/* Thread 1 wants a lock (able where it is free, in state 0), and thread 0 takes it and gives it back, or, if it `spins`, may
 * also go round and round with it.  Nothing ever returns. */
static enum lp_freedom_answer decide(bool spins, enum lp_fairness fairness)
{
	static const uint8_t same[LP_STATE_PROCESSES] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	static const uint8_t to[][2] = { { 1, 1 }, { 0, 2 }, { 1, 1 } };
	struct lp_state_graph g = { .from = 0 };
	struct lp_ltl l = { 0 };
	struct lp_ltl_automaton a;
	struct lp_error error;
	struct lp_lasso lasso;
	struct lp_state_runs runs = { .ltl = &l, .contrary = &a, .fairness = fairness };
	bool fresh;

	for (uint64_t i = 0; i < 3; i++) {
		lp_state_graph_state(&g, (struct lp_fingerprint){ i + 1, i + 1 }, &fresh);
		g.nodes.at[i].busy = 3;
		g.nodes.at[i].able = i ? 1 : 3;
	}
	for (uint32_t i = 0; i < 3; i++) {
		lp_state_graph_from(&g, i);
		for (uint32_t k = 0; k < (spins ? 2 : 1); k++) {
			LP_PUSH(&g.events, 0);
			lp_state_graph_edge(&g, to[i][k], 0, 0, same);
		}
	}
	lp_ltl_parse(&l, "<> return", 9, &runs.formula, &error);
	lp_ltl_automaton(&a, &l, lp_ltl_not(&l, runs.formula), &error);
	const enum lp_freedom_answer answer = lp_runs_decide(&g, &runs, 2, NULL, NULL, &lasso);
	lp_lasso_close(&lasso);
	lp_ltl_automaton_close(&a);
	lp_ltl_close(&l);
	lp_state_graph_close(&g);
	return answer;
}

static bool try_locks(void)
{
	const bool good = decide(false, LP_UNFAIR) == LP_NOT_FREE && decide(false, LP_WEAKLY_FAIR) == LP_NOT_FREE &&
			  decide(false, LP_STRONGLY_FAIR) == LP_FREE && decide(true, LP_STRONGLY_FAIR) == LP_NOT_FREE;

	if (!good)
		printf("a lock that is free again and again\n");
	return good;
}

int main(int argc, char **argv)
{
	uint32_t runs = 100, threads = 2, large = 0;
	uint64_t seed = 1;
	struct counts counts = { 0 };

	for (int i = 1; i + 1 < argc; i += 2) {
		const uint64_t value = strtoull(argv[i + 1], NULL, 10);
		if (!strcmp(argv[i], "--runs"))
			runs = (uint32_t)value;
		else if (!strcmp(argv[i], "--seed"))
			seed = value;
		else
			threads = (uint32_t)value;
	}
	printf("seed %llu\n", (unsigned long long)seed);
	if (!try_locks() || !try_by_hand(threads, &counts))
		return 1;
	for (uint32_t run = 0; run < runs; run++) {
		const uint64_t this = seed;
		struct object o;
		object_generate_waiting(&o, &seed);
		struct naive_graph *g = naive_graph_open(&o, threads, threads == 2 ? 250 : 600);
		large += !g;
		for (uint32_t i = 0; g && i < FORMULAE; i++) {
			char text[1000] = "";
			if (i)
				say(text, 1 + below(&seed, 6), &seed, i % 2);
			else
				strcpy(text, fixed[run % (sizeof fixed / sizeof *fixed)]);
			if (!try_formula(&o, g, threads, text, &counts)) {
				printf("seed %llu\n", (unsigned long long)this);
				return 1;
			}
		}
		naive_graph_close(g);
	}
	printf("%u objects, %u too large; %u questions, %u hold; %llu states, %llu with all reductions\n", runs, large, counts.asked,
	       counts.held, (unsigned long long)counts.states[0], (unsigned long long)counts.states[7]);
	return !(counts.held && counts.held < counts.asked && counts.states[7] < counts.states[0]);
}
