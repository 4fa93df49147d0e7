/* heap_gone.c -- objects whose processes look at blocks that are gone (explore/state/state_tidy.c).
 *
 * All calls are reads of a register that is always 0.  A, B and C are blocks of one word, which
 * is 0; the first word points to A at first.  What would go unnoticed, or be reported, if
 * blocks stood for each other that must not:
 *
 *   0  a process that has found A, B and C there finds A and B equal, both gone;
 *   1  one has A, another puts B, which was gone, back: then the first finds A there;
 *   2  one has A, another writes B, which is gone: then A is no longer 0;
 *   3  one has A, another frees B, which is gone: then A must not be read.
 *
 *   4  one has the first block of a chain, and reads the third one when memory has left all three behind;
 *   5  one has a block that memory has left behind, with two that it points to: these differ;
 *   6  it puts one of these back, where another process finds it.
 *
 * The second word says how far it is: 1 before A is replaced, 2 when B is there.  Who finds it
 * 0 after it has found a block has found A.
 */
#include "heap_object.h"

#include <string.h>

enum { GONE = 4, MOST = 7 };

static const struct instruction finds_three[CODE] = {
	{ LOAD, 0, 0, 0 }, { LOAD, 1, 0, 0 }, { LOAD, 2, 0, 0 }, { EQUAL, 2, 1, 2 },
	{ IF_SET, 2, 0, 0 }, { EQUAL, 2, 0, 1 }, { IF_SET, 2, 0, 0 }, { ADD, 2, 1, 0 },
	{ RETURN, 2, 0, 0 },
};

static const struct instruction finds_again[CODE] = {
	{ LOAD, 0, 0, 0 }, { LOAD, 1, 1, 0 }, { IF_SET, 1, 0, 0 }, { LOAD, 1, 0, 0 },
	{ EQUAL, 2, 0, 1 }, { IF_SET, 2, 0, 0 }, { LOAD, 1, 0, 0 }, { EQUAL, 2, 0, 1 },
	{ RETURN, 2, 0, 0 },
};

static const struct instruction reads_late[CODE] = {
	{ LOAD, 0, 0, 0 }, { LOAD, 1, 1, 0 }, { IF_SET, 1, 0, 0 }, { LOAD, 1, 0, 0 },
	{ EQUAL, 2, 0, 1 }, { IF_SET, 2, 0, 0 }, { GET, 2, 0, 0 }, { RETURN, 2, 0, 0 },
};

static const struct instruction replaces[CODE] = { { ALLOC, 0, 1, 0 }, { STORE, 0, 0, 0 } };

static const struct instruction replaces_and_says[CODE] = {
	{ ADD, 1, 1, 0 }, { STORE, 1, 1, 0 }, { ALLOC, 0, 1, 0 }, { STORE, 0, 0, 0 },
	{ ADD, 1, 1, 0 }, { STORE, 1, 1, 0 },
};

/* Replaces B by C, and then does something to B. */
static const struct instruction after_that[CODE] = {
	{ ADD, 1, 2, 0 }, { ADD, 2, 3, 0 }, { CAS, 1, 1, 2 }, { LOAD, 0, 0, 0 },
	{ ALLOC, 1, 1, 0 }, { STORE, 0, 1, 0 },
};

static const struct instruction something[GONE] = {
	{ END, 0, 0, 0 }, { STORE, 0, 0, 0 }, { PUT, 0, 0, 2 }, { FREE, 0, 0, 0 },
};

/* ---- chains (explore/state/state_hops.c) ---- */

static const struct instruction begins_chain[CODE] = {
	{ LOAD, 0, 0, 0 }, { IF_SET, 0, 0, 0 }, { ALLOC, 0, 2, 0 }, { STORE, 0, 0, 0 },
};

/* Two more blocks, with 0 and 1 in them; the first word then points to the last. */
static const struct instruction extends_chain[CODE] = {
	{ LOAD, 0, 0, 0 }, { IF_NULL, 0, 0, 0 }, { ALLOC, 1, 2, 0 }, { PUT, 0, 1, 1 }, { ALLOC, 0, 2, 0 },
	{ PUT, 1, 1, 0 }, { ADD, 2, 1, 0 }, { PUT, 0, 0, 2 }, { STORE, 0, 0, 0 },
};

static const struct instruction leaves_chain[CODE] = {
	{ LOAD, 0, 0, 0 }, { IF_NULL, 0, 0, 0 }, { ALLOC, 1, 2, 0 }, { GET, 2, 0, 0 }, { IF_NULL, 2, 0, 0 },
	{ PUT, 0, 1, 1 }, { STORE, 0, 1, 0 }, { STORE, 1, 2, 0 },
};

static const struct instruction reads_third[CODE] = {
	{ LOAD, 0, 0, 0 }, { IF_NULL, 0, 0, 0 }, { LOAD, 1, 1, 0 }, { IF_SET, 1, 0, 0 }, { LOAD, 1, 1, 0 },
	{ IF_NULL, 1, 0, 0 }, { GET, 1, 0, 1 }, { GET, 1, 1, 1 }, { GET, 2, 1, 0 }, { RETURN, 2, 0, 0 },
};

/* A block that points to two others, which have 1 and 0 in them. */
static const struct instruction begins_fork[CODE] = {
	{ LOAD, 0, 1, 0 }, { IF_SET, 0, 0, 0 }, { ALLOC, 0, 2, 0 }, { ALLOC, 1, 1, 0 }, { PUT, 0, 0, 1 },
	{ ADD, 2, 1, 0 }, { PUT, 1, 0, 2 }, { ALLOC, 1, 1, 0 }, { PUT, 0, 1, 1 }, { STORE, 0, 0, 0 },
};

static const struct instruction leaves_fork[CODE] = { { ADD, 1, 1, 0 }, { STORE, 0, 0, 0 }, { STORE, 1, 1, 0 } };

static const struct instruction compares_tines[CODE] = {
	{ LOAD, 0, 0, 0 }, { IF_NULL, 0, 0, 0 }, { LOAD, 1, 1, 0 }, { IF_NULL, 1, 0, 0 }, { GET, 1, 0, 0 },
	{ GET, 2, 0, 1 }, { EQUAL, 2, 1, 2 }, { RETURN, 2, 0, 0 },
};

static const struct instruction puts_tine_back[CODE] = {
	{ LOAD, 0, 0, 0 }, { IF_NULL, 0, 0, 0 }, { LOAD, 1, 1, 0 }, { IF_NULL, 1, 0, 0 }, { GET, 1, 0, 0 },
	{ STORE, 1, 1, 0 },
};

/* Numbers are no tines. */
static const struct instruction reads_tine[CODE] = {
	{ LOAD, 0, 1, 0 }, { ADD, 1, 1, 0 }, { EQUAL, 2, 0, 1 }, { IF_SET, 2, 0, 0 }, { IF_NULL, 0, 0, 0 },
	{ GET, 1, 0, 0 }, { RETURN, 1, 0, 0 },
};

static void open_chain(struct object *o, const struct instruction *a, const struct instruction *b,
		       const struct instruction *c, const struct instruction *d)
{
	const struct instruction *code[] = { a, b, c, d };

	o->count = d ? 4 : 3;
	for (uint32_t i = 0; i < o->count; i++)
		memcpy(o->calls[i].code, code[i], sizeof o->calls[i].code);
}

bool object_special(struct object *o, uint32_t i)
{
	if (i >= MOST)
		return false;
	object_open(o);
	o->spec = "register";
	if (i == 4)
		open_chain(o, begins_chain, extends_chain, leaves_chain, reads_third);
	else if (i == 5)
		open_chain(o, begins_fork, leaves_fork, compares_tines, NULL);
	else if (i == 6)
		open_chain(o, begins_fork, leaves_fork, puts_tine_back, reads_tine);
	if (i >= GONE)
		return true;
	o->cells = 1;
	o->count = 3;
	memcpy(o->calls[0].code, i == 0 ? finds_three : i == 1 ? finds_again : reads_late,
	       sizeof reads_late);
	memcpy(o->calls[1].code, i ? replaces_and_says : replaces, sizeof replaces);
	memcpy(o->calls[2].code, i ? after_that : replaces, sizeof replaces);
	if (i)
		o->calls[2].code[6] = something[i];
	return true;
}
