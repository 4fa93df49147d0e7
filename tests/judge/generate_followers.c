/* generate_followers.c -- random programs of like threads whose attempts rest on what is out of date.
 *
 *     three or four times:                       and perhaps once or twice:
 *     again:  r0 = load x                        again:  r0 = load y
 *             r1 = load y                                r1 = load z
 *             if r0 == r1 goto out                       if r1 != r0 goto ...
 *             r2 r3 = cas x r0 r0+1                      r2 r3 = cas z r0 r0+1
 *             if r3 == 0 goto again                      ...
 *
 * There may also be a thread that waits for k, which a thread sets once its attempt has succeeded: it waits forever if no thread does, or if k is taken.
 *
 * x, y and z are the head, the tail and the last link of a queue; or counters, one of which threads swap after having
 * looked at the others; or slots, of which a thread empties the first that it finds full; or x is the top of a stack of the threads' own nodes.  Some programs keep to that, others have something in
 * between: exits, writes that are made only sometimes, values that come back, data, memory of their own.
 */
#include "generate_judged.h"
#include "generator.h"
#include "whole.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum manner { RELAXED, CAREFUL, SEQ_CST, MIXED, MANNERS };

struct followers {
	struct generator g;
	enum manner manner;
	bool back;      /* values come back */
	bool weak;      /* some compare-and-swaps are */
	bool waits;     /* a thread waits for k, which attempts set */
	bool addresses; /* x and y hold them: like threads must not calculate with them */
	unsigned spice; /* in percent: places with something that is unusual */
};

static const char *take_order(struct followers *f)
{
	static const char *const orders[MANNERS] = { "rlx", "acq", "sc" };

	return f->manner == MIXED ? load_order(&f->g) : orders[f->manner];
}

static const char *give_order(struct followers *f)
{
	static const char *const orders[MANNERS] = { "rlx", "rel", "sc" };

	return f->manner == MIXED ? store_order(&f->g) : orders[f->manner];
}

static const char *swap_order(struct followers *f)
{
	static const char *const orders[MANNERS] = { "rlx", "acqrel", "sc" };

	return f->manner == MIXED ? rmw_order(&f->g) : orders[f->manner];
}

static const char *fail_order(struct followers *f)
{
	static const char *const orders[] = { "rlx", "acq", "sc" };

	return f->manner == MIXED ? orders[below(&f->g, 3)] : f->manner == SEQ_CST ? "sc" : "rlx";
}

static bool spiced(struct followers *f)
{
	return below(&f->g, 100) < f->spice;
}

static const char *any_of(struct followers *f, const char *const *texts, unsigned count)
{
	return texts[below(&f->g, count)];
}

/* ---- statements ---- */

static void put_load(struct followers *f, const char *reg, const char *loc)
{
	fprintf(f->g.out, "  %s = load.%s %s\n", reg, take_order(f), loc);
}

static void put_cas(struct followers *f, const char *regs, const char *loc, const char *values)
{
	const char *order = swap_order(f), *fails = fail_order(f);
	const bool weak = f->weak && one_in(&f->g, 3);

	fprintf(f->g.out, "  %s %s.%s.%s %s %s\n", regs, weak ? "wcas" : "cas", order, fails, loc, values);
}

/* Swaps, or starts the attempt again. */
static void put_try(struct followers *f, unsigned id, const char *loc, const char *values)
{
	put_cas(f, "r2 r3 =", loc, values);
	fprintf(f->g.out, "  if r3 == 0 goto A%u\n", id);
}

static void put_store(struct followers *f, const char *loc, const char *value)
{
	fprintf(f->g.out, "  store.%s %s %s\n", give_order(f), loc, value);
}

/* A write that others look at. */
static void put_change(struct followers *f)
{
	static const char *const locs[] = { "y", "y", "z", "x" }, *const values[] = { "0 1", "1 2", "1 0", "0 2" },
			  *const stored[] = { "1", "2", "0" };
	const char *loc = f->addresses ? "z" : any_of(f, locs, 4), *value = any_of(f, stored, f->back ? 3 : 2);

	switch (below(&f->g, 4)) {
	case 0:
		put_store(f, loc, value);
		break;
	case 1:
		put_cas(f, "r6 r5 =", loc, any_of(f, values, f->back ? 4 : 2));
		break;
	case 2:
		fprintf(f->g.out, "  r6 = xchg.%s %s %s\n", swap_order(f), loc, value);
		break;
	default:
		fprintf(f->g.out, "  r6 = add.%s %s 1\n", swap_order(f), loc);
		break;
	}
}

/* Plain data and blocks. */
static void put_data(struct followers *f)
{
	static const char *const lines[] = { "r4 = pload d", "r4 = pload d", "r4 = pload d", "pstore d 1", "r4 = load.rlx b", "free b", "free d" };
	const unsigned id = f->g.label++;
	const bool guarded = one_in(&f->g, 2);

	if (guarded)
		fprintf(f->g.out, "  if r%u != 1 goto D%u\n", below(&f->g, 2), id);
	fprintf(f->g.out, "  %s\n", any_of(f, lines, 7));
	if (guarded)
		fprintf(f->g.out, "  D%u:\n", id);
}

/* Something that attempts seldom do, in attempt `id`; r0 and r1 have been read. */
static void put_spice(struct followers *f, unsigned id)
{
	FILE *out = f->g.out;
	const unsigned value = below(&f->g, 3);

	switch (below(&f->g, 13)) {
	case 0:
		put_fence(&f->g);
		break;
	case 1:
		put_load(f, "r5", "x");
		fprintf(out, "  if r5 != r0 goto A%u\n", id);
		break;
	case 2:
		fprintf(out, "  r5 = choose 2\n  if r5 == 1 goto %s\n", one_in(&f->g, 2) ? "out" : "S");
		break;
	case 3:
	case 4:
		put_data(f);
		break;
	case 5:
		fprintf(out, "  pstore k@ r0\n");
		break;
	case 6:
	case 7: /* perhaps only if something has been read */
		if (one_in(&f->g, 2)) {
			fprintf(out, "  if r1 == %u goto B%u\n", value, f->g.label);
			put_change(f);
			fprintf(out, "  B%u:\n", f->g.label++);
		} else {
			put_change(f);
		}
		break;
	case 8:
		fprintf(out, "  I%u:\n", f->g.label);
		put_load(f, "r1", one_in(&f->g, 2) ? "y" : "z");
		fprintf(out, "  if r1 == %u goto I%u\n", value % 2, f->g.label++);
		break;
	case 9:
		fprintf(out, "  %s r1 != %u\n", one_in(&f->g, 2) ? "assert" : "assume", 1 + value);
		break;
	case 10:
		fprintf(out, "  if r1 == %u goto A%u\n", value, id);
		break;
	default:
		fprintf(out, "  if r1 == %u goto out\n", value);
		break;
	}
}

static void put_spices(struct followers *f, unsigned id)
{
	for (unsigned most = 2; most-- > 0 && spiced(f);)
		put_spice(f, id);
}

/* ---- attempts ---- */

/* Looks at two or three counters, and swaps one of them. */
static void put_counters(struct followers *f, const char *loc, unsigned id)
{
	static const char *const other[] = { "y", "z", "y", "x" }, *const desired[] = { "r0 r0+1", "r0 r0+1", "r0 r0+2", "r0 r1+1" },
			  *const back[] = { "r0 1-r0", "r0 r1", "r0 0", "r0 1", "r0 r0+1" };

	put_load(f, "r0", loc);
	put_spices(f, id);
	for (unsigned n = below(&f->g, 3); n-- > 0;)
		put_load(f, "r1", any_of(f, other, 4));
	put_spices(f, id);
	put_cas(f, "r2 r3 =", loc, f->back ? any_of(f, back, 5) : any_of(f, desired, 4));
	if (one_in(&f->g, 12))
		fputs("  if r3 == 0 goto out\n", f->g.out);
	else
		fprintf(f->g.out, "  if r3 == 0 goto A%u\n", id);
}

/* Michael and Scott's queue, where the next node is one number further. */
static void put_take(struct followers *f, unsigned id)
{
	FILE *out = f->g.out;

	put_load(f, "r0", "x");
	put_load(f, "r1", "y");
	if (one_in(&f->g, 2)) {
		put_load(f, "r4", "z");
		fprintf(out, "  if r0 != r1 goto K%u\n  if r4 == r0 goto out\n", id);
		put_cas(f, one_in(&f->g, 2) ? "r6 =" : "", "y", "r1 r4");
		fprintf(out, "  goto A%u\n  K%u:\n", id, id);
	} else {
		fprintf(out, "  if r0 == r1 goto out\n");
	}
	put_spices(f, id);
	put_try(f, id, "x", "r0 r0+1");
}

static void put_insert(struct followers *f, unsigned id)
{
	FILE *out = f->g.out;

	put_load(f, "r0", "y");
	put_load(f, "r1", "z");
	fprintf(out, "  if r0 == r1 goto K%u\n", id);
	if (one_in(&f->g, 3))
		put_cas(f, "", "y", "r0 r1");
	fprintf(out, "  goto A%u\n  K%u:\n", id, id);
	put_spices(f, id);
	put_try(f, id, "z", "r0 r0+1");
	put_cas(f, "", "y", "r0 r0+1");
}

/* Two ways through an attempt, which swap different counters.  Which of them is taken y says, which is 0, 1 and 2 in turn. */
static void put_branches(struct followers *f, unsigned id)
{
	static const char *const after[] = { "z r0+20", "z 20", "x 7" }, *const desired[] = { "r0 r0+1", "r0 1" },
			  *const other[] = { "z 0 5", "z r4 r4+5", "z r4 6" },
			  *const first[] = { "store.rlx w 1", "r6 = add.rlx w 1", "pstore k@ 1", "store.rlx k@ r0", "r6 = choose 2" };
	FILE *out = f->g.out;

	put_load(f, "r0", "x");
	if (!one_in(&f->g, 4))
		fprintf(out, "  if r0 != 0 goto out\n");
	if (one_in(&f->g, 3))
		put_load(f, "r4", "z");
	put_load(f, "r1", "y");
	const unsigned value = one_in(&f->g, 4) ? 2 : 1;
	fprintf(out, "  if r1 == %u goto H%u\n  if r1 == %u goto W%u\n", value, id, 3 - value, id);
	put_spices(f, id);
	if (one_in(&f->g, 2))
		fprintf(out, "  %s\n", any_of(f, first, 5));
	fprintf(out, "  W%u:\n", id);
	put_cas(f, "r2 r3 =", "x", any_of(f, desired, 2));
	const char *order = give_order(f), *what = any_of(f, after, f->back ? 3 : 2);
	fprintf(out, "  if r3 == 0 goto A%u\n  %s.%s %s\n  goto S\n", id, one_in(&f->g, 3) ? "xchg" : "store", order, what);
	fprintf(out, "  H%u:\n", id);
	put_spices(f, id);
	put_cas(f, "r6 r5 =", any_of(f, other, 3), "");
	fprintf(out, "  if r5 == 0 goto A%u\n", id);
}

/* A stack of the threads' own nodes, x being its top. */
static void put_push(struct followers *f, unsigned id)
{
	const bool plain = one_in(&f->g, 2);

	put_load(f, "r0", "x");
	fputs(plain ? "  pstore n@ r0\n" : "  store.rlx n@ r0\n", f->g.out);
	put_spices(f, id);
	put_try(f, id, "x", "r0 r7");
}

static void put_pop(struct followers *f, unsigned id)
{
	put_load(f, "r0", "x");
	fprintf(f->g.out, "  if r0 == 0 goto out\n");
	put_load(f, "r1", "n@r0");
	put_try(f, id, "x", "r0 r1");
}

/* Moves the tail, y, if it lags, and starts again. */
static void put_catch_up(struct followers *f, unsigned id, const char *unless, const char *values)
{
	fprintf(f->g.out, "  if %s goto K%u\n", unless, id);
	put_cas(f, "", "y", values);
	fprintf(f->g.out, "  goto A%u\n  K%u:\n", id, id);
}

/* The nodes are the threads' own here as well; that of the first thread is the first node. */
static void put_enqueue(struct followers *f, unsigned id)
{
	put_load(f, "r0", "y");
	put_load(f, "r1", "n@r0");
	put_catch_up(f, id, "r1 == 0", "r0 r1");
	put_try(f, id, "n@r0", "0 r7");
	put_cas(f, "", "y", "r0 r7");
}

static void put_dequeue(struct followers *f, unsigned id)
{
	put_load(f, "r0", "x");
	put_load(f, "r4", "y");
	put_load(f, "r1", "n@r0");
	fprintf(f->g.out, "  if r1 == 0 goto out\n");
	put_catch_up(f, id, "r0 != r4", "r4 r1");
	put_try(f, id, "x", "r0 r1");
}

/* Herlihy and Wing's queue: empties the first slot that is full. */
static void put_scan(struct followers *f, unsigned id)
{
	static const char *const slots[] = { "x", "y", "z" }, *const left[] = { "0", "0", "0", "3", "r0+2" };
	const unsigned first = below(&f->g, 3), count = 2 + below(&f->g, 2);
	FILE *out = f->g.out;

	for (unsigned i = 0; i < count; i++) {
		const char *slot = slots[(first + i) % 3], *empty = f->back ? any_of(f, left, 5) : "0";
		const unsigned next = f->g.label++;
		put_load(f, "r0", slot);
		fprintf(out, "  if r0 == 0 goto N%u\n", next);
		put_spices(f, id);
		if (one_in(&f->g, 3)) {
			char values[16];
			snprintf(values, sizeof values, "r0 %s", empty);
			put_cas(f, "r2 r3 =", slot, values);
			fprintf(out, "  if r3 != 0 goto T%u\n", id);
		} else {
			fprintf(out, "  r2 = xchg.%s %s %s\n  if r2 != 0 goto T%u\n", swap_order(f), slot, empty, id);
		}
		fprintf(out, "  N%u:\n", next);
	}
	if (one_in(&f->g, 3))
		fputs("  r0 = 0\n  goto out\n", out);
	else
		fprintf(out, "  goto A%u\n", id);
	fprintf(out, "  T%u:\n  r0 = r2\n", id);
}

/* ---- threads ---- */

/* Looks at two locations, which another thread fills in this order; the thread that finds only the first one full has succeeded. */
static void put_looks(struct followers *f, unsigned id)
{
	FILE *out = f->g.out;

	put_load(f, "r0", "x");
	put_load(f, "r1", "y");
	fprintf(out, "  if r1 == %u goto S\n", below(&f->g, 3));
	put_spices(f, id);
	fprintf(out, "  if r0 != 1 goto A%u\n", id);
}

enum sort { COUNTERS, TAKE, INSERT, PUSH, POP, ENQUEUE, DEQUEUE, SCAN, BRANCHES, LOOKS, CHANGES, COUNTS_UP, FILLS, WAITS };

/* What a thread waits for that is not like the others. */
static void put_set(struct followers *f)
{
	if (one_in(&f->g, 2))
		put_store(f, "k", "1");
	else
		put_cas(f, "r8 r9 =", "k", "0 1");
}

static void put_wait(struct followers *f)
{
	fputs("  A:\n", f->g.out);
	if (one_in(&f->g, 2))
		put_cas(f, "r0 r3 =", "k", "0 2");
	else
		put_load(f, "r3", "k");
	fputs("  if r3 == 0 goto A\n", f->g.out);
}


static void put_attempt(struct followers *f, enum sort sort)
{
	static const char *const swapped[] = { "x", "x", "y" };
	const unsigned id = f->g.label++;

	fprintf(f->g.out, "  A%u:\n", id);
	switch (sort) {
	case COUNTERS:
		put_counters(f, any_of(f, swapped, 3), id);
		break;
	case TAKE:
		put_take(f, id);
		break;
	case INSERT:
		put_insert(f, id);
		break;
	case PUSH:
		put_push(f, id);
		break;
	case POP:
		put_pop(f, id);
		break;
	case ENQUEUE:
		put_enqueue(f, id);
		break;
	case DEQUEUE:
		put_dequeue(f, id);
		break;
	case SCAN:
		put_scan(f, id);
		break;
	case BRANCHES:
		put_branches(f, id);
		break;
	case LOOKS:
		put_looks(f, id);
		break;
	case CHANGES:
	case COUNTS_UP:
	case FILLS:
	case WAITS:
		break;
	}
	if (f->waits && !one_in(&f->g, 4))
		put_set(f);
	/* Results are known at the end only: else they were part of the state in which an attempt begins. */
	fputs(one_in(&f->g, 2) ? "  S:\n  r10 = r0\n" : "  S:\n  r10 = 1\n", f->g.out);
	if (one_in(&f->g, 2))
		fputs("  r11 = r1\n", f->g.out);
	if (spiced(f))
		one_in(&f->g, 3) ? put_data(f) : put_change(f);
}

static char *thread_of(struct followers *f, enum sort sort, bool twice)
{
	char *text;

	f->g.out = open_text(&text);
	fputs("thread\n", f->g.out);
	if (sort == PUSH || sort == ENQUEUE)
		fputs(sort == PUSH && one_in(&f->g, 2) ? "  r7 = alloc n@\n" : "  r7 = me\n", f->g.out);
	if (spiced(f) && one_in(&f->g, 3))
		put_change(f);
	if (sort == CHANGES) {
		put_change(f);
	} else if (sort == COUNTS_UP) {
		put_store(f, "y", "1");
		put_store(f, "y", "2");
	} else if (sort == FILLS) {
		put_store(f, "x", "1");
		put_store(f, one_in(&f->g, 2) ? "y" : "z", one_in(&f->g, 3) ? "1" : "2");
	} else if (sort == WAITS) {
		put_wait(f);
	} else {
		put_attempt(f, sort);
	}
	if (twice) {
		fputs("  r15 = choose 1\n", f->g.out);
		put_change(f);
	}
	fputs("  out:\n", f->g.out);
	fclose(f->g.out);
	return text;
}

static void put_threads(struct followers *f, FILE *out, enum sort sort, unsigned count)
{
	char *text = count ? thread_of(f, sort, spiced(f) && one_in(&f->g, 4)) : NULL;

	for (unsigned t = 0; t < count; t++)
		fputs(text, out);
	free(text);
}

/* What the others do. */
static enum sort other_sort(struct followers *f, enum sort sort)
{
	static const enum sort partner[] = { COUNTERS, INSERT, TAKE, POP, PUSH, DEQUEUE, ENQUEUE, FILLS, COUNTS_UP, FILLS };

	if (sort != COUNTERS && !one_in(&f->g, 6))
		return partner[sort];
	return one_in(&f->g, 3) && sort <= INSERT ? COUNTERS : CHANGES;
}

/* How many are like each other, and how many are of another sort, which may come first. */
static void put_all(struct followers *f, FILE *out, enum sort sort)
{
	static const struct { unsigned like, others; } counts[] = { { 3, 0 }, { 3, 0 }, { 3, 0 }, { 4, 0 }, { 3, 1 }, { 2, 1 }, { 2, 2 }, { 2, 2 } };
	const unsigned n = sort == BRANCHES ? 4 : sort == LOOKS ? 5 : sort == SCAN ? 2 + below(&f->g, 4) : below(&f->g, sizeof counts / sizeof *counts);
	f->waits &= counts[n].like + counts[n].others < 4; /* locations of their own are for four threads */
	const bool first = sort == BRANCHES || sort == LOOKS || one_in(&f->g, 2);
	const enum sort other = other_sort(f, sort);

	if (first)
		put_threads(f, out, other, counts[n].others);
	put_threads(f, out, WAITS, f->waits);
	put_threads(f, out, sort, counts[n].like);
	if (!first)
		put_threads(f, out, other, counts[n].others);
	f->g.threads = counts[n].like + counts[n].others + f->waits;
}

char *generate_followers(uint64_t seed)
{
	struct followers f = { .g = { .state = lp_mix(seed + 67), .relaxed = 50, .locs = 3 } };
	char *text;

	f.manner = (enum manner)below(&f.g, MANNERS);
	f.back = one_in(&f.g, 6);
	f.weak = one_in(&f.g, 8);
	f.spice = one_in(&f.g, 4) ? 0 : 15 + below(&f.g, 40);
	f.waits = one_in(&f.g, 4);
	const enum sort sort = one_in(&f.g, 3) ? COUNTERS : one_in(&f.g, 2) ? BRANCHES : (enum sort)below(&f.g, LOOKS + 1);
	f.addresses = sort >= PUSH && sort <= DEQUEUE;
	FILE *out = open_text(&text);
	if (sort == ENQUEUE || sort == DEQUEUE)
		fputs("init x 65536\ninit y 65536\n", out);
	else if (sort == SCAN && one_in(&f.g, 2))
		fputs("init x 1\ninit z 2\n", out);
	else if (sort != BRANCHES && one_in(&f.g, 3))
		fprintf(out, "init y %u\n", 1 + below(&f.g, 2));
	put_all(&f, out, sort);
	put_end(out, f.addresses ? "x" : sort == BRANCHES ? "xzw" : sort == SCAN ? "xyz" : "xz", f.g.threads, "ab");
	fclose(out);
	return text;
}
