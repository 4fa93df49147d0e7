/* ltl_automaton.c -- from a formula to its automaton (ltl_automaton.h). */
#include "ltl/ltl_automaton.h"

#include "base/alloc.h"
#include "base/error.h"

enum { MOST_PARTS = 64, MOST_STATES = 4096, MOST_EDGES = 1 << 16, MOST_UNTILS = 32, MOST_WORK = 1 << 20 };

struct making {
	struct lp_ltl_automaton *out;
	const struct lp_ltl *l;
	lp_ltl_id part[MOST_PARTS]; /* the formulae that states are sets of */
	uint32_t parts;
	uint8_t until[MOST_PARTS];  /* by part: which until it is */
	struct {
		LP_VEC(uint64_t);
	} sets; /* by state */
	uint32_t work;
	bool full;
};

/* A way to make formulae hold, as far as it is worked out. */
struct way {
	uint64_t now, done, next; /* parts: to be dealt with, dealt with, for the next letter */
	uint32_t must, must_not, postpones;
};

static uint32_t part_of(struct making *m, lp_ltl_id f)
{
	uint32_t i = 0;

	while (i < m->parts && m->part[i] != f)
		i++;
	if (i < m->parts)
		return i;
	m->full |= i == MOST_PARTS;
	if (m->full)
		return 0;
	m->part[m->parts++] = f;
	if (m->l->nodes.at[f].op == LP_LTL_UNTIL) {
		m->full |= m->out->untils == MOST_UNTILS;
		m->until[i] = (uint8_t)m->out->untils++;
	}
	return i;
}

static uint64_t bit_of(struct making *m, lp_ltl_id f)
{
	return UINT64_C(1) << part_of(m, f);
}

static uint32_t state_of(struct making *m, uint64_t set)
{
	uint32_t i = 0;

	while (i < m->sets.count && m->sets.at[i] != set)
		i++;
	m->full |= i == MOST_STATES;
	if (i == m->sets.count && !m->full)
		LP_PUSH(&m->sets, set);
	return i;
}

static bool allows(const struct lp_ltl_edge *a, const struct lp_ltl_edge *b)
{
	return a->to == b->to && !(a->must & ~b->must) && !(a->must_not & ~b->must_not) && !(a->postpones & ~b->postpones);
}

/* One that another of the state allows as well is left out. */
static void add_edge(struct making *m, const struct way *w)
{
	const uint32_t first = LP_LAST(&m->out->first);
	const struct lp_ltl_edge e = { w->must, w->must_not, state_of(m, w->next), w->postpones };
	uint32_t kept = first;

	m->full |= m->out->edges.count >= MOST_EDGES;
	for (uint32_t i = first; i < m->out->edges.count; i++)
		if (allows(&m->out->edges.at[i], &e))
			return;
	for (uint32_t i = first; i < m->out->edges.count; i++)
		if (!allows(&e, &m->out->edges.at[i]))
			m->out->edges.at[kept++] = m->out->edges.at[i];
	m->out->edges.count = kept;
	LP_PUSH(&m->out->edges, e);
}

static void work_out(struct making *m, struct way w);

/* Both of the two are tried: `a` now; or `b` now, and `part` next. */
static void branch(struct making *m, const struct way *w, uint64_t a, uint64_t b, uint64_t next, uint32_t postpones)
{
	struct way other = *w;

	other.now |= a;
	work_out(m, other);
	other = *w;
	other.now |= b;
	other.next |= next;
	other.postpones |= postpones;
	work_out(m, other);
}

static void work_out(struct making *m, struct way w)
{
	w.now &= ~w.done;
	m->full |= m->work++ == MOST_WORK;
	if (m->full)
		return;
	if (!w.now) {
		if (!(w.must & w.must_not))
			add_edge(m, &w);
		return;
	}
	const uint32_t part = (uint32_t)__builtin_ctzll(w.now);
	const uint64_t self = UINT64_C(1) << part;
	const struct lp_ltl_node n = m->l->nodes.at[m->part[part]];
	w.done |= self;
	switch (n.op) {
	case LP_LTL_FALSE:
		return;
	case LP_LTL_TRUE:
		break;
	case LP_LTL_ATOM:
		w.must |= UINT32_C(1) << n.a;
		break;
	case LP_LTL_NOT:
		w.must_not |= UINT32_C(1) << n.a;
		break;
	case LP_LTL_AND:
		w.now |= bit_of(m, n.a) | bit_of(m, n.b);
		break;
	case LP_LTL_NEXT:
		w.next |= bit_of(m, n.a);
		break;
	case LP_LTL_OR:
		branch(m, &w, bit_of(m, n.a), bit_of(m, n.b), 0, 0);
		return;
	case LP_LTL_UNTIL:
		branch(m, &w, bit_of(m, n.b), bit_of(m, n.a), self, UINT32_C(1) << m->until[part]);
		return;
	case LP_LTL_RELEASE:
		branch(m, &w, bit_of(m, n.a) | bit_of(m, n.b), bit_of(m, n.b), self, 0);
		return;
	}
	work_out(m, w);
}

bool lp_ltl_automaton(struct lp_ltl_automaton *out, const struct lp_ltl *l, lp_ltl_id f, struct lp_error *error)
{
	struct making m = { .out = out, .l = l };

	*out = (struct lp_ltl_automaton){ .untils = 0 };
	state_of(&m, bit_of(&m, f));
	for (uint32_t i = 0; i < m.sets.count && !m.full; i++) {
		LP_PUSH(&out->first, out->edges.count);
		work_out(&m, (struct way){ .now = m.sets.at[i] });
		const uint32_t width = out->edges.count - LP_LAST(&out->first);
		out->widest = width > out->widest ? width : out->widest;
	}
	LP_PUSH(&out->first, out->edges.count);
	out->states = m.sets.count;
	lp_free(m.sets.at);
	if (!m.full)
		return true;
	lp_ltl_automaton_close(out);
	return lp_fail(error, "the formula is too large: more than %d parts, or %d states of its automaton", MOST_PARTS, MOST_STATES);
}

void lp_ltl_automaton_close(struct lp_ltl_automaton *a)
{
	lp_free(a->edges.at);
	lp_free(a->first.at);
	*a = (struct lp_ltl_automaton){ .untils = 0 };
}
