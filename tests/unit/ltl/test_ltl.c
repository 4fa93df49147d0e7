/* test_ltl.c -- random formulae: the automaton against the definition, and the parser against its own text.
 *
 * A formula and its negation are translated.  On a random run that ends in a cycle, the automaton of the formula accepts if,
 * and only if, the formula holds (by a naive evaluator that follows the definition letter by letter, and by ltl_word.h); that
 * of the negation if it does not.  Whether an automaton accepts such a run is a question of cycles in their product.
 *
 *     test_ltl [--runs N] [--seed N]
 */
#include <stdlib.h>
#include <string.h>

#include "../../expect.h"
#include "base/alloc.h"
#include "base/error.h"
#include "ltl/ltl.h"
#include "ltl/ltl_automaton.h"
#include "ltl/ltl_word.h"

enum { ATOMS = 3, LETTERS = 7, TEXT = 4000 };

static uint64_t seed = 1;

static uint32_t random_below(uint32_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % n;
}

struct word {
	uint32_t letter[LETTERS], count, loop;
};

static uint32_t after(const struct word *w, uint32_t i)
{
	return i + 1 < w->count ? i + 1 : w->loop;
}

/* ---- surface syntax, with a meaning of its own ---- */

struct tree {
	char op; /* a: atom; 1 0 ! & | > = (iff) G F X U W R */
	uint32_t atom;
	struct tree *a, *b;
};

static struct tree *random_tree(uint32_t size)
{
	static const char leaves[] = "aaaaaa10", one[] = "!GFX", two[] = "&|>=UWR";
	struct tree *t = lp_alloc_zero(1, sizeof *t);

	t->atom = random_below(ATOMS);
	if (size <= 1) {
		t->op = leaves[random_below(8)];
	} else if (random_below(2)) {
		t->op = one[random_below(4)];
		t->a = random_tree(size - 1);
	} else {
		const uint32_t left = 1 + random_below(size - 1);
		t->op = two[random_below(7)];
		t->a = random_tree(left);
		t->b = random_tree(size - left);
	}
	return t;
}

static void drop(struct tree *t)
{
	if (!t)
		return;
	drop(t->a);
	drop(t->b);
	lp_free(t);
}

static void say(const struct tree *t, char *out)
{
	char *end = out + strlen(out);
	const char *infix = t->op == '&' ? "&&" : t->op == '|' ? "||" : t->op == '>' ? "->" : t->op == '=' ? "<->" :
			    t->op == 'U' ? "U" : t->op == 'W' ? "W" : "R";

	if (!t->a) {
		sprintf(end, t->op == 'a' ? "p%u" : t->op == '1' ? "true" : "false", t->atom);
		return;
	}
	strcat(end, t->b ? "(" : t->op == 'G' ? "[]" : t->op == 'F' ? "<>" : t->op == 'X' ? "X " : "!");
	say(t->a, out);
	if (t->b) {
		sprintf(out + strlen(out), " %s ", infix);
		say(t->b, out);
		strcat(out, ")");
	}
}

static bool means(const struct tree *t, const struct word *w, uint32_t i);

/* Is there a letter at which `b` holds, with `a` at all before it?  After that many, letters come again. */
static bool until(const struct tree *a, bool not_a, const struct tree *b, bool not_b, const struct word *w, uint32_t i)
{
	for (uint32_t k = 0; k <= 2 * LETTERS; k++, i = after(w, i)) {
		if (means(b, w, i) != not_b)
			return true;
		if (a && means(a, w, i) == not_a)
			return false;
	}
	return false;
}

static bool means(const struct tree *t, const struct word *w, uint32_t i)
{
	switch (t->op) {
	case 'a':
		return w->letter[i] >> t->atom & 1;
	case '1':
		return true;
	case '0':
		return false;
	case '!':
		return !means(t->a, w, i);
	case '&':
		return means(t->a, w, i) && means(t->b, w, i);
	case '|':
		return means(t->a, w, i) || means(t->b, w, i);
	case '>':
		return !means(t->a, w, i) || means(t->b, w, i);
	case '=':
		return means(t->a, w, i) == means(t->b, w, i);
	case 'X':
		return means(t->a, w, after(w, i));
	case 'F':
		return until(NULL, false, t->a, false, w, i);
	case 'G':
		return !until(NULL, false, t->a, true, w, i);
	case 'U':
		return until(t->a, false, t->b, false, w, i);
	case 'W':
		return until(t->a, false, t->b, false, w, i) || !until(NULL, false, t->a, true, w, i);
	default: /* a R b = !(!a U !b) */
		return !until(t->a, true, t->b, true, w, i);
	}
}

/* ---- does the automaton accept? ---- */

/* Nodes: a letter, which is read next, and a state.  `reach` is by pairs of nodes. */
struct product {
	const struct lp_ltl_automaton *a;
	const struct word *w;
	uint32_t nodes;
	bool *reach;
};

static void walk(struct product *p, uint32_t from, uint32_t node)
{
	const uint32_t i = node / p->a->states, q = node % p->a->states;

	for (uint32_t e = p->a->first.at[q]; e < p->a->first.at[q + 1]; e++) {
		const uint32_t to = after(p->w, i) * p->a->states + p->a->edges.at[e].to;
		if (!lp_ltl_edge_reads(&p->a->edges.at[e], p->w->letter[i]) || p->reach[from * p->nodes + to])
			continue;
		p->reach[from * p->nodes + to] = true;
		walk(p, from, to);
	}
}

/* Is there a cycle through the node with, for each until, an edge that does not postpone it?  All edges between nodes that
 * reach each other and it are on one. */
static bool is_accepting(const struct product *p, uint32_t node)
{
	uint32_t met = 0;

	if (!p->reach[node * p->nodes + node])
		return false;
	for (uint32_t from = 0; from < p->nodes; from++) {
		const uint32_t i = from / p->a->states, q = from % p->a->states;
		if (!p->reach[node * p->nodes + from] || !p->reach[from * p->nodes + node])
			continue;
		for (uint32_t e = p->a->first.at[q]; e < p->a->first.at[q + 1]; e++) {
			const uint32_t to = after(p->w, i) * p->a->states + p->a->edges.at[e].to;
			if (lp_ltl_edge_reads(&p->a->edges.at[e], p->w->letter[i]) && p->reach[to * p->nodes + node])
				met |= ~p->a->edges.at[e].postpones;
		}
	}
	const uint32_t all = p->a->untils == 32 ? UINT32_MAX : (UINT32_C(1) << p->a->untils) - 1;
	return (met & all) == all;
}

static bool accepts(const struct lp_ltl_automaton *a, const struct word *w)
{
	struct product p = { a, w, w->count * a->states, NULL };
	bool found = false;

	p.reach = lp_alloc_zero((size_t)p.nodes * p.nodes, sizeof *p.reach);
	for (uint32_t node = 0; node < p.nodes; node++)
		walk(&p, node, node);
	for (uint32_t node = 0; node < p.nodes && !found; node++)
		found = (node == 0 || p.reach[node]) && is_accepting(&p, node);
	lp_free(p.reach);
	return found;
}

static struct word random_word(void)
{
	struct word w = { .count = 1 + random_below(LETTERS) };

	w.loop = random_below(w.count);
	for (uint32_t i = 0; i < w.count; i++)
		w.letter[i] = random_below(1 << ATOMS);
	return w;
}

/* The letters of the word for the order in which the formula has its atoms. */
static struct word renamed(const struct word *w, const struct lp_ltl *l)
{
	struct word out = { .count = w->count, .loop = w->loop };

	for (uint32_t i = 0; i < w->count; i++)
		for (uint32_t a = 0; a < l->atoms.count; a++)
			out.letter[i] |= (w->letter[i] >> (l->atoms.at[a].name[1] - '0') & 1) << a;
	return out;
}

/* False: something is wrong with the formula on some word. */
static bool try_formula(const struct tree *t, bool loud)
{
	char text[TEXT] = "";
	struct lp_ltl l = { 0 };
	struct lp_ltl_automaton yes = { 0 }, no = { 0 };
	struct lp_error error = { .text = "" };
	lp_ltl_id f;
	bool good = true;

	say(t, text);
	if (!lp_ltl_parse(&l, text, strlen(text), &f, &error)) {
		EXPECT(!loud, "%s", error.text);
		lp_ltl_close(&l);
		return false;
	}
	if (lp_ltl_automaton(&yes, &l, f, &error) && lp_ltl_automaton(&no, &l, lp_ltl_not(&l, f), &error) &&
	    yes.states < 60 && no.states < 60)
		for (uint32_t i = 0; i < 8 && good; i++) {
			const struct word w = random_word(), r = renamed(&w, &l);
			const bool holds = means(t, &w, 0);
			good = lp_ltl_holds(&l, f, r.letter, r.count, r.loop) == holds && accepts(&yes, &r) == holds &&
			       accepts(&no, &r) != holds;
			EXPECT(good || !loud, "%s: it should %s, the evaluator says %d, the automata %d and %d", text,
			       holds ? "hold" : "not hold", lp_ltl_holds(&l, f, r.letter, r.count, r.loop), accepts(&yes, &r),
			       accepts(&no, &r));
		}
	claims++;
	lp_ltl_automaton_close(&yes);
	lp_ltl_automaton_close(&no);
	lp_ltl_close(&l);
	return good;
}

/* A part of it that is wrong, too, if there is one. */
static const struct tree *shrink(const struct tree *t)
{
	for (uint32_t i = 0; i < 200; i++) {
		if (t->a && !try_formula(t->a, false))
			return shrink(t->a);
		if (t->b && !try_formula(t->b, false))
			return shrink(t->b);
	}
	return t;
}

static void try_messages(void)
{
	static const char *const texts[][2] = {
		{ "[](p -> <>", "--ltl: a formula is expected at the end\n  [](p -> <>\n            ^" },
		{ "p q", "--ltl: an operator, or the end, is expected\n  p q\n    ^" },
		{ "response(p)", "--ltl: the pattern has two formulae: ',' is expected\n  response(p)\n            ^" },
		{ "call(enqueue t1)", "--ltl: ',' or ')' is expected\n  call(enqueue t1)\n               ^" },
		{ "(p", "--ltl: ')' is expected\n  (p\n    ^" },
		{ "", "--ltl: a formula is expected at the end\n  \n  ^" },
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct lp_ltl l = { 0 };
		struct lp_error error = { .text = "" };
		lp_ltl_id f;
		EXPECT(!lp_ltl_parse(&l, texts[i][0], strlen(texts[i][0]), &f, &error));
		EXPECT(!strcmp(error.text, texts[i][1]), "%s", error.text);
		lp_ltl_close(&l);
	}
}

/* Patterns are what they stand for. */
static void try_patterns(void)
{
	static const char *const same[][2] = {
		{ "absence(p)", "[]!p" }, { "existence(p)", "<>p" }, { "universality(p)", "G p" },
		{ "response(p, q)", "[](p -> <>q)" }, { "precedence(p, q)", "!q W p" }, { "recurrence(p)", "[]<>p" },
		{ "persistence(p)", "F G p" }, { "a -> b -> c", "a -> (b -> c)" }, { "a U b U c", "a U (b U c)" },
		{ "a && b || c && d", "(a && b) || (c && d)" }, { "!a U b", "(!a) U b" }, { "not a and b", "!a && b" },
		{ "call(m, t1) = 3", "call( m,t1 )==3" },
	};

	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		struct lp_ltl l = { 0 };
		struct lp_error error = { .text = "" };
		lp_ltl_id f = 0, g = 0;
		EXPECT(lp_ltl_parse(&l, same[i][0], strlen(same[i][0]), &f, &error), "%s", error.text);
		EXPECT(lp_ltl_parse(&l, same[i][1], strlen(same[i][1]), &g, &error), "%s", error.text);
		EXPECT(f == g, "%s is not %s", same[i][0], same[i][1]);
		lp_ltl_close(&l);
	}
}

int main(int argc, char **argv)
{
	uint32_t runs = 20000;

	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--runs"))
			runs = (uint32_t)strtoul(argv[i + 1], NULL, 10);
		else
			seed = strtoull(argv[i + 1], NULL, 10);
	}
	printf("seed %llu\n", (unsigned long long)seed);
	try_messages();
	try_patterns();
	for (uint32_t i = 0; i < runs && !failures; i++) {
		struct tree *t = random_tree(1 + random_below(9));
		if (!try_formula(t, true))
			try_formula(shrink(t), true);
		drop(t);
	}
	return expect_status();
}
