/* naive.c -- an explicit-state checker without any reduction. */
#include "naive.h"

#include <stdlib.h>
#include <string.h>

#include "naive_spec.h"
#include "object_kind.h"

enum { MOST_WAYS = 400, THREADS = 3, IDLE = 255 };

struct state {
	struct object_memory memory;
	struct process process[THREADS]; /* of a call; call is IDLE if in none */
	uint8_t made[THREADS];           /* calls, if each is made once: a bit each */
	uint16_t ways;
	struct naive_way way[MOST_WAYS]; /* sorted */
};

struct search {
	const struct object *object;
	struct naive_spec *spec;
	uint32_t threads;
	struct state **seen, **work; /* all of them; those to go on from */
	uint32_t count, room, waiting;
	bool wrong, too_large;
};

static size_t size_of(const struct state *s)
{
	return sizeof *s - sizeof s->way + s->ways * sizeof *s->way;
}

static uint64_t hash(const struct state *s)
{
	const uint8_t *bytes = (const uint8_t *)s;
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < size_of(s); i++)
		h = (h ^ bytes[i]) * 1099511628211u;
	return h;
}

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct naive_way));
}

static void normalise(struct state *s)
{
	uint16_t kept = 0;

	qsort(s->way, s->ways, sizeof *s->way, compare);
	for (uint16_t i = 0; i < s->ways; i++)
		if (!kept || compare(&s->way[kept - 1], &s->way[i]))
			s->way[kept++] = s->way[i];
	s->ways = kept;
}

/* Every way in which calls under way can take effect, too. */
static void close_ways(struct search *x, struct state *s)
{
	for (uint16_t i = 0; i < s->ways; i++)
		for (uint32_t t = 0; t < x->threads; t++) {
			struct naive_way next[64];
			const uint32_t n = naive_effects(x->spec, &s->way[i], t, next);
			for (uint32_t k = 0; k < n; k++) {
				uint16_t j = 0;
				while (j < s->ways && compare(&s->way[j], &next[k]))
					j++;
				if (j == MOST_WAYS)
					x->too_large = true;
				else if (j == s->ways)
					s->way[s->ways++] = next[k];
			}
		}
	normalise(s);
}

static void add(struct search *x, const struct state *s)
{
	if (2 * x->count >= x->room) {
		x->too_large = true;
		return;
	}
	uint64_t slot = hash(s) % x->room;
	for (; x->seen[slot]; slot = (slot + 1) % x->room)
		if (size_of(x->seen[slot]) == size_of(s) && !memcmp(x->seen[slot], s, size_of(s)))
			return;
	struct state *copy = malloc(size_of(s));
	memcpy(copy, s, size_of(s));
	x->seen[slot] = copy;
	x->count++;
	x->work[x->waiting++] = copy;
}

static void call(struct search *x, const struct state *from, uint32_t t)
{
	for (uint32_t c = 0; c < x->object->count && !x->wrong; c++) {
		if (from->made[t] >> c & 1)
			continue;
		struct state *s = malloc(sizeof *s);
		memcpy(s, from, size_of(from));
		if (x->object->once)
			s->made[t] |= (uint8_t)(1u << c);
		s->process[t] = object_begin(x->object, c);
		for (uint16_t i = 0; i < s->ways; i++)
			s->way[i].call[t] = (uint8_t)(c + 1);
		close_ways(x, s);
		add(x, s);
		free(s);
	}
}

static void leave(struct search *x, struct state *s, uint32_t t, int64_t result)
{
	uint16_t kept = 0;

	for (uint16_t i = 0; i < s->ways; i++)
		if (naive_returned(x->spec, &s->way[i], t, result))
			s->way[kept++] = s->way[i];
	s->ways = kept;
	normalise(s);
	s->process[t] = (struct process){ .call = IDLE };
	if (!kept)
		x->wrong = true;
	else
		add(x, s);
}

static void step(struct search *x, const struct state *from, uint32_t t)
{
	const struct lp_op op = object_op(x->object, from->process[t]);
	struct state *s = malloc(sizeof *s);
	struct lp_response answer = { .failed = false };

	memcpy(s, from, size_of(from));
	if (op.kind == LP_OP_RETURN) {
		leave(x, s, t, (int64_t)op.operand.lo);
	} else if (op.kind == LP_OP_POINT) {
		s->process[t] = object_after(x->object, s->process[t], &answer);
		add(x, s);
	} else {
		const enum object_access went = object_access(&s->memory, &op, &answer);
		x->wrong |= went == OBJECT_WRONG;
		x->too_large |= went == OBJECT_TOO_LARGE;
		s->process[t] = object_after(x->object, s->process[t], &answer);
		if (went == OBJECT_DONE)
			add(x, s);
	}
	free(s);
}

static void step_from(struct search *x, const struct state *s)
{
	for (uint32_t t = 0; t < x->threads && !x->wrong && !x->too_large; t++)
		if (s->process[t].call == IDLE)
			call(x, s, t);
		else
			step(x, s, t);
}

enum naive_verdict naive_check(const struct object *object, uint32_t threads, uint32_t most_states)
{
	struct search x = { .object = object, .threads = threads, .room = 2 * most_states };
	struct state *s = calloc(1, sizeof *s);

	x.seen = calloc(x.room, sizeof(struct state *));
	x.spec = naive_spec_open(object);
	object_memory_begin(object, &s->memory);
	for (uint32_t t = 0; t < THREADS; t++)
		s->process[t] = (struct process){ .call = IDLE };
	s->ways = 1;
	naive_begin(x.spec, &s->way[0]);
	x.work = calloc(x.room, sizeof(struct state *));
	add(&x, s);
	while (x.waiting && !x.wrong && !x.too_large)
		step_from(&x, x.work[--x.waiting]);
	for (uint32_t i = 0; i < x.room; i++)
		free(x.seen[i]);
	free(x.seen);
	free(x.work);
	free(s);
	naive_spec_close(x.spec);
	return x.wrong ? NAIVE_WRONG : x.too_large ? NAIVE_TOO_LARGE : NAIVE_RIGHT;
}
