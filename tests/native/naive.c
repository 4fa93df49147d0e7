/* naive.c -- all states that interleavings of an abstract program reach.
 *
 * A state is stuck if the program's end cannot be reached from it.
 */
#include "naive_state.h"

#include <stdlib.h>
#include <string.h>

struct edge {
	uint32_t from, to;
};

struct search {
	struct judge judge;
	uint32_t most;
	uint64_t (*seen)[2];       /* fingerprints: a hash table */
	uint32_t *number;          /* of the state there, plus one */
	uint32_t slots;
	struct edge *edges;
	uint32_t edge_count, edge_room;
	bool *ends;                /* by number: an end can be reached */
};

static void say(struct search *j, const struct state *s)
{
	struct naive_answer *a = j->judge.answer;
	char text[OUTCOME_LENGTH] = "";

	for (int t = 0; t < THREADS; t++) {
		text[2 * t] = (char)('a' + (s->result[t] >> 4 & 15));
		text[2 * t + 1] = (char)('a' + (s->result[t] & 15));
	}
	for (uint32_t i = 0; i < a->outcomes; i++)
		if (!strcmp(a->outcome[i], text))
			return;
	if (a->outcomes == OUTCOMES)
		a->too_large = true;
	else
		memcpy(a->outcome[a->outcomes++], text, sizeof text);
}

static uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

/* The number of the state; `*new` if it was not known. */
static uint32_t number_of(struct search *j, const struct state *s, bool *new)
{
	uint64_t words[sizeof *s / 8], h[2] = { 1, 2 };

	_Static_assert(sizeof *s % 8 == 0, "whole words");
	memcpy(words, s, sizeof *s);
	for (size_t i = 0; i < sizeof *s / 8; i++) {
		h[0] = mix(h[0], words[i]);
		h[1] = mix(h[1], words[i] + 0x55);
	}
	h[0] |= 1; /* 0 is an empty slot */
	uint32_t slot = (uint32_t)h[0] & (j->slots - 1);
	while (j->seen[slot][0] && (j->seen[slot][0] != h[0] || j->seen[slot][1] != h[1]))
		slot = (slot + 1) & (j->slots - 1);
	*new = !j->seen[slot][0];
	if (*new) {
		j->seen[slot][0] = h[0];
		j->seen[slot][1] = h[1];
		j->number[slot] = j->judge.answer->states++;
	}
	return j->number[slot];
}

static void add_edge(struct search *j, uint32_t from, uint32_t to)
{
	if (j->edge_count == j->edge_room) {
		j->edge_room = 2 * j->edge_room + 1024;
		j->edges = realloc(j->edges, j->edge_room * sizeof *j->edges);
		if (!j->edges)
			abort();
	}
	j->edges[j->edge_count++] = (struct edge){ from, to };
}

static uint32_t visit(struct search *j, const struct state *s);

/* All that can come next; true if an end, or an error, can. */
static bool visit_next(struct search *j, const struct state *s, uint32_t number)
{
	bool dropped = false, good = false;

	for (int t = 0; t < THREADS; t++) {
		dropped |= s->status[t] == DROPPED;
		if (s->status[t] != RUNNING || !is_enabled(&j->judge, s, t))
			continue;
		for (int c = choices(&j->judge, s, t); c-- > 0;) {
			struct state after = *s;
			if (step(&j->judge, &after, t, c) && run_alone(&j->judge, &after, t)) {
				const uint32_t to = visit(j, &after);
				if (to != UINT32_MAX)
					add_edge(j, number, to);
			} else {
				good = true; /* at least not stuck */
			}
		}
	}
	return good || dropped;
}

static uint32_t visit(struct search *j, const struct state *s)
{
	bool new;

	if (j->judge.answer->states >= j->most) {
		j->judge.answer->too_large = true;
		return UINT32_MAX;
	}
	const uint32_t number = number_of(j, s, &new);
	if (!new)
		return number;
	if (s->over) {
		j->ends[number] = true;
		if (s->said)
			say(j, s);
	} else {
		j->ends[number] = visit_next(j, s, number);
	}
	return number;
}

/* Is there a state from which no end can be reached? */
static bool is_stuck(struct search *j)
{
	for (bool more = true; more;) {
		more = false;
		for (uint32_t i = 0; i < j->edge_count; i++) {
			const struct edge e = j->edges[i];
			if (j->ends[e.to] && !j->ends[e.from])
				j->ends[e.from] = more = true;
		}
	}
	for (uint32_t i = 0; i < j->judge.answer->states; i++)
		if (!j->ends[i])
			return true;
	return false;
}

void naive_judge(const struct naive_program *p, bool orders, bool slow, uint32_t most, struct naive_answer *out)
{
	struct search j = { .judge = { p, orders, slow, out }, .most = most, .slots = 1 };
	struct state s;

	memset(out, 0, sizeof *out);
	memset(&s, 0, sizeof s);
	while (j.slots < 2 * most)
		j.slots *= 2;
	j.seen = calloc(j.slots, sizeof *j.seen);
	j.number = calloc(j.slots, sizeof *j.number);
	j.ends = calloc(most, sizeof *j.ends);
	if (!j.seen || !j.number || !j.ends)
		abort();
	for (int i = 0; i < 2; i++)
		s.semaphore[i] = (int8_t)p->semaphores[i];
	s.status[0] = RUNNING;
	if (run_alone(&j.judge, &s, 0)) {
		visit(&j, &s);
		if (!out->too_large && is_stuck(&j))
			fail(&j.judge, ERROR_STUCK);
	}
	free(j.seen);
	free(j.number);
	free(j.ends);
	free(j.edges);
}
