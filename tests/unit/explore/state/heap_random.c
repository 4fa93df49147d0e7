/* heap_random.c -- small random objects with a heap: how they are made. */
#include "heap_object.h"

#include <string.h>

#include "base/hash.h"

static uint32_t pick(uint64_t *seed, uint32_t count)
{
	*seed += UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(lp_mix(*seed) % count);
}

static void add_call(struct object *o, uint8_t method, uint8_t argument,
		     const struct instruction *code, size_t size)
{
	struct object_call *c = &o->calls[o->count++];

	c->method = method;
	c->argument = argument;
	memcpy(c->code, code, size);
}

/* Treiber's.  The last call may free what it has taken: others may be looking at it. */
static void stack_object(struct object *o, uint64_t *seed)
{
	static const struct instruction push[] = {
		{ ARGUMENT, 0, 0, 0 }, { ALLOC, 1, 2, 0 }, { PUT, 1, 0, 0 }, { LOAD, 2, 0, 0 },
		{ PUT, 1, 1, 2 }, { CAS, 0, 2, 1 }, { RETURN, 0, 0, 0 },
	};
	static const struct instruction pop[] = {
		{ LOAD, 0, 0, 0 }, { IF_NULL, 0, 0, 0 }, { GET, 1, 0, 1 }, { CAS, 0, 0, 1 },
		{ GET, 2, 0, 0 }, { RETURN, 2, 0, 0 }, { END, 0, 0, 0 },
	};

	o->spec = "stack";
	o->empty = true;
	add_call(o, 0, 1, push, sizeof push);
	if (pick(seed, 2))
		add_call(o, 0, 2, push, sizeof push);
	add_call(o, 1, 0, pop, sizeof pop);
	if (!pick(seed, 3)) {
		struct object_call *c = &o->calls[o->count - 1];
		c->code[5] = (struct instruction){ FREE, 0, 0, 0 };
		c->code[6] = (struct instruction){ RETURN, 2, 0, 0 };
	}
}

/* A cell is never written: there is a new one for every value. */
static void register_object(struct object *o)
{
	static const struct instruction read[] = {
		{ LOAD, 0, 0, 0 }, { GET, 1, 0, 0 }, { RETURN, 1, 0, 0 },
	};
	static const struct instruction write[] = {
		{ ARGUMENT, 0, 0, 0 }, { ALLOC, 1, 1, 0 }, { PUT, 1, 0, 0 }, { STORE, 0, 1, 0 },
		{ RETURN, 0, 0, 0 },
	};

	o->spec = "register";
	o->cells = 1;
	add_call(o, 0, 0, read, sizeof read);
	add_call(o, 1, 1, write, sizeof write);
	add_call(o, 1, 2, write, sizeof write);
}

static void counter_object(struct object *o, uint64_t *seed)
{
	static const struct instruction read[] = {
		{ LOAD, 0, 0, 0 }, { GET, 1, 0, 0 }, { RETURN, 1, 0, 0 },
	};
	static const struct instruction add[] = {
		{ LOAD, 0, 0, 0 }, { GET, 1, 0, 0 }, { ADD, 1, 1, 0 }, { ALLOC, 2, 1, 0 },
		{ PUT, 2, 0, 1 }, { CAS, 0, 0, 2 }, { ADD, 1, VALUES - 1, 0 }, { RETURN, 1, 0, 0 },
	};

	o->spec = "counter:k=4";
	o->cells = 1;
	if (pick(seed, 2))
		add_call(o, 0, 0, read, sizeof read);
	add_call(o, 5, 0, add, sizeof add);
	add_call(o, 5, 0, add, sizeof add);
}

/* There is a spare cell, which is written and changes places with the other: what was gone comes
 * back, and a process that reads the old one may be late. */
static void spare_object(struct object *o)
{
	static const struct instruction read[] = {
		{ LOAD, 0, 0, 0 }, { GET, 1, 0, 0 }, { RETURN, 1, 0, 0 },
	};
	static const struct instruction write[] = {
		{ LOAD, 1, 1, 0 }, { AWAIT, 1, 0, 0 }, { CAS, 1, 1, 2 }, { ARGUMENT, 0, 0, 0 },
		{ PUT, 1, 0, 0 }, { LOAD, 2, 0, 0 }, { STORE, 0, 1, 0 }, { STORE, 1, 2, 0 },
		{ RETURN, 0, 0, 0 },
	};

	o->spec = "register";
	o->cells = 2;
	add_call(o, 0, 0, read, sizeof read);
	add_call(o, 1, 1, write, sizeof write);
	add_call(o, 1, 2, write, sizeof write);
}

/* A register whose versions point to later ones.  A read follows some of them, which may be wrong. */
static void chain_object(struct object *o, uint64_t *seed)
{
	static const struct instruction read[] = {
		{ LOAD, 0, 0, 0 }, { IF_NULL, 0, 0, 0 }, { GET, 1, 0, 0 }, { RETURN, 1, 0, 0 },
	};
	static const struct instruction read_next[] = {
		{ LOAD, 0, 0, 0 }, { IF_NULL, 0, 0, 0 }, { GET, 1, 0, 1 }, { IF_NULL, 1, 0, 0 },
		{ GET, 2, 1, 0 }, { RETURN, 2, 0, 0 },
	};
	static const struct instruction read_third[] = {
		{ LOAD, 0, 0, 0 }, { IF_NULL, 0, 0, 0 }, { GET, 1, 0, 1 }, { IF_NULL, 1, 0, 0 },
		{ GET, 0, 1, 1 }, { GET, 2, 1, 0 }, { IF_NULL, 0, 0, 0 }, { GET, 2, 0, 0 }, { RETURN, 2, 0, 0 },
	};
	static const struct instruction write[] = {
		{ ARGUMENT, 2, 0, 0 }, { ALLOC, 1, 2, 0 }, { PUT, 1, 0, 2 }, { LOAD, 0, 0, 0 }, { CAS, 0, 0, 1 },
		{ IF_NULL, 0, 0, 0 }, { PUT, 0, 1, 1 },
	};

	o->spec = "register";
	add_call(o, 1, 1, write, sizeof write);
	add_call(o, 1, 2, write, sizeof write);
	switch (pick(seed, 3)) {
	case 0:
		add_call(o, 0, 0, read, sizeof read);
		break;
	case 1:
		add_call(o, 0, 0, read_next, sizeof read_next);
		break;
	default:
		add_call(o, 0, 0, read_third, sizeof read_third);
	}
	if (pick(seed, 2))
		add_call(o, 1, 2, write, sizeof write);
}

static uint32_t length(const struct object_call *c)
{
	uint32_t n = 0;

	while (n < CODE - 2 && c->code[n].kind != END)
		n++;
	return n;
}

static void change(struct object *o, uint64_t *seed)
{
	static const uint8_t kinds[] = { LOAD, STORE, GET, PUT, FREE, ALLOC };
	struct object_call *c = &o->calls[pick(seed, o->count)];
	const uint32_t n = length(c), i = pick(seed, n);
	struct instruction *in = &c->code[i];
	const struct instruction this = *in;

	switch (pick(seed, 5)) {
	case 0:
		in->b = (uint8_t)pick(seed, 2);
		break;
	case 1: /* two steps the other way round */
		if (i + 2 < n) {
			in[0] = in[1];
			in[1] = this;
		}
		break;
	case 2:
		if (in->kind == CAS)
			*in = (struct instruction){ STORE, this.a, this.c, 0 };
		break;
	case 3:
		if (i + 1 < n && n > 2)
			memmove(in, in + 1, sizeof *in * (CODE - 1 - i));
		break;
	default:
		if (n + 3 < CODE) {
			memmove(in + 1, in, sizeof *in * (CODE - 2 - i));
			*in = (struct instruction){ kinds[pick(seed, sizeof kinds)],
						    (uint8_t)pick(seed, 2), (uint8_t)pick(seed, 2),
						    (uint8_t)pick(seed, 2) };
			in->b = (uint8_t)(in->b + (in->kind == ALLOC));
		}
	}
}

void object_generate(struct object *o, uint64_t *seed)
{
	object_open(o);
	switch (pick(seed, 7)) {
	case 0:
	case 1:
		stack_object(o, seed);
		break;
	case 2:
		register_object(o);
		break;
	case 3:
		counter_object(o, seed);
		break;
	case 4:
	case 5:
		chain_object(o, seed);
		break;
	default:
		spare_object(o);
	}
	if (o->count > 2 && pick(seed, 2)) /* few calls, for more threads */
		o->calls[1] = o->calls[--o->count];
	for (uint32_t n = pick(seed, 3); n > 0; n--)
		change(o, seed);
}

void object_generate_quasi(struct object *o, uint64_t *seed)
{
	object_open(o);
	stack_object(o, seed);
	o->relaxed = true;
	o->factor[1] = 1 + pick(seed, 2);
	for (uint32_t n = pick(seed, 2); n > 0; n--)
		change(o, seed);
}
