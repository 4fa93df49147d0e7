/* families_lists.c -- linked structures, blocks and stack objects that others come to know of. */
#include "family.h"

static void put_pop(struct mixer *m, unsigned t, bool plain)
{
	const bool again = chance(m, 50);
	const unsigned label = m->g.label++; /* a thread may pop twice */

	if (again)
		put(m, t, "Q%u:", label);
	put(m, t, "r8 = load.%s x", acq(m));
	put(m, t, "if r8 == 0 goto out");
	if (chance(m, 30))
		return;
	put(m, t, plain ? "r9 = pload n@r8" : "r9 = load.rlx n@r8");
	put(m, t, "r10 = cas.%s.rlx x r8 r9", both(m));
	if (again)
		put(m, t, "if r10 != r8 goto Q%u", label);
	else
		put(m, t, "if r10 != r8 goto out");
	put(m, t, "r2 = r8");
	if (chance(m, 50))
		put(m, t, "free n@r8");
}

/* Treiber's push and pop of what each thread allocates for itself. */
void put_stack(struct mixer *m, unsigned a, unsigned b)
{
	const bool plain = chance(m, 60);
	const unsigned pushes = 1 + below(&m->g, 2);

	for (unsigned i = 0; i < pushes; i++) {
		const unsigned t = i ? b : a;
		put(m, t, "r5 = alloc n@");
		put(m, t, "P:");
		put(m, t, "r6 = load.%s x", chance(m, 70) ? "rlx" : acq(m));
		put(m, t, plain ? "pstore n@ r6" : "store.rlx n@ r6");
		put(m, t, "r7 = cas.%s.%s x r6 r5", rel(m), fails(m));
		put(m, t, "if r7 != r6 goto P");
	}
	put_pop(m, b, plain);
	if (m->threads > 2 && chance(m, 60))
		put_pop(m, m->threads - 1, plain);
}

/* Michael and Scott's queue.  Its nodes are the threads' own, that of the first thread is the dummy; the
 * values v@ are plain. */
static void put_enqueue(struct mixer *m, unsigned t)
{
	const bool checks = chance(m, 30);

	put(m, t, "r5 = me");
	put(m, t, "pstore v@ 1");
	put(m, t, "E:");
	put(m, t, "r6 = load.%s y", acq(m));
	put(m, t, "r7 = load.%s n@r6", acq(m));
	if (checks) {
		put(m, t, "r8 = load.%s y", acq(m));
		put(m, t, "if r8 != r6 goto E");
	}
	put(m, t, "if r7 == 0 goto F");
	put(m, t, "cas.%s.rlx y r6 r7", rel(m));
	put(m, t, "goto E");
	put(m, t, "F:");
	put(m, t, "r7 = cas.%s.%s n@r6 0 r5", rel(m), fails(m));
	put(m, t, "if r7 != 0 goto E");
	if (!chance(m, 10))
		put(m, t, "cas.%s.rlx y r6 r5", rel(m));
}

static void put_dequeue(struct mixer *m, unsigned t)
{
	put(m, t, "D:");
	put(m, t, "r6 = load.%s x", acq(m));
	put(m, t, "r7 = load.%s y", acq(m));
	put(m, t, "r8 = load.%s n@r6", acq(m));
	if (chance(m, 30)) {
		put(m, t, "r9 = load.%s x", acq(m));
		put(m, t, "if r9 != r6 goto D");
	}
	put(m, t, "if r8 == 0 goto out");
	put(m, t, "if r6 != r7 goto K");
	put(m, t, "cas.%s.rlx y r7 r8", rel(m));
	put(m, t, "goto D");
	put(m, t, "K:");
	put(m, t, "r9 = pload v@r8");
	put(m, t, "r10 = cas.%s.rlx x r6 r8", both(m));
	put(m, t, "if r10 != r6 goto D");
	put(m, t, "r2 = r8");
}

void put_queue(struct mixer *m, unsigned a, unsigned b)
{
	put_init(m, "init x 65536");
	put_init(m, "init y 65536");
	put_enqueue(m, a);
	if (chance(m, 60))
		put_dequeue(m, b);
	else
		put_enqueue(m, b);
}

/* Something is offered, and withdrawn if it is not taken. */
void put_offers(struct mixer *m, unsigned a, unsigned b)
{
	const bool again = chance(m, 40);

	put(m, a, "pstore d 1");
	if (again)
		put(m, a, "O:");
	put(m, a, "r3 = cas.%s.rlx x 0 1", rel(m));
	put(m, a, "if r3 != 0 goto out");
	if (chance(m, 50))
		put(m, a, "r4 = load.%s y", acq(m));
	put(m, a, "r3 = cas.%s.%s x 1 0", both(m), fails(m));
	put(m, a, "if r3 == 1 goto %s", again ? "O" : "out");
	put(m, a, "r2 = 7");
	put_data(m, a, true);
	put(m, b, "r0 = load.%s x", acq(m));
	put(m, b, "if r0 != 1 goto out");
	put(m, b, "r3 = cas.%s.%s x 1 2", both(m), fails(m));
	put(m, b, "if r3 != 1 goto out");
	put(m, b, "r2 = pload d");
	if (chance(m, 40))
		put(m, b, "store.%s x 0", rel(m));
}

/* A local variable that another thread uses, while its scope lasts if all goes well. */
void put_local(struct mixer *m, unsigned a, unsigned b)
{
	const bool waits = !chance(m, 25), loops = chance(m, 60), plain = chance(m, 60);

	put_init(m, "stack n");
	put(m, a, "r5 = alloc n@");
	put(m, a, plain ? "pstore n@ 1" : "store.rlx n@ 1");
	put(m, a, "store.%s x r5", rel(m));
	if (waits) {
		put(m, a, "W:");
		put(m, a, "r3 = load.%s y", acq(m));
		put(m, a, loops ? "if r3 == 0 goto W" : "if r3 == 0 goto out");
	}
	if (chance(m, 40))
		put(m, a, plain ? "r2 = pload n@" : "r2 = load.rlx n@");
	put(m, a, "free n@");
	put(m, b, "V:");
	put(m, b, "r8 = load.%s x", acq(m));
	put(m, b, "if r8 == 0 goto %s", chance(m, 40) ? "V" : "out");
	if (plain)
		put(m, b, chance(m, 50) ? "r2 = pload n@r8" : "pstore n@r8 3");
	else
		put(m, b, chance(m, 50) ? "r2 = load.rlx n@r8" : "store.rlx n@r8 3");
	put(m, b, "store.%s y 1", rel(m));
}

/* Readers count themselves in and out; a writer that finds some gives way. */
void put_readers(struct mixer *m, unsigned a, unsigned b)
{
	const bool again = chance(m, 50);

	if (again)
		put(m, a, "R:");
	put(m, a, "r3 = add.%s x 1", both(m));
	put(m, a, "if r3 < 8 goto S");
	put(m, a, "sub.%s x 1", chance(m, 50) ? "rlx" : both(m));
	put(m, a, "goto %s", again ? "R" : "out");
	put(m, a, "S:");
	put(m, a, "r2 = pload d");
	put(m, a, "sub.%s x 1", rel(m));
	put(m, b, "R:");
	put(m, b, "r3 = cas.%s.%s x 0 8", both(m), fails(m));
	put(m, b, "if r3 != 0 goto %s", chance(m, 50) ? "R" : "out");
	put(m, b, "pstore d 1");
	put(m, b, chance(m, 60) ? "sub.%s x 8" : "store.%s x 0", rel(m));
}

/* The thread may learn that the memory is ready; its live state is the same if it does not. */
static void put_told(struct mixer *m, unsigned t)
{
	if (chance(m, 60))
		put(m, t, "r0 = load.%s x", acq(m));
	put(m, t, "r0 = 0");
}

/* a allocates memory, says that it is ready, and where it is; b waits for what a writes there, and may not have been told. */
void put_telling(struct mixer *m, unsigned a, unsigned b)
{
	const bool late = chance(m, 50);

	put(m, a, "r3 = alloc n@");
	put(m, a, "pstore n@ 0");
	if (chance(m, 30)) {
		put(m, a, "r1 = load.rlx z");
		put_maybe(m, a, "r1", "pstore n@ 3");
	}
	put(m, a, "store.%s x 1", rel(m));
	put(m, a, "store.%s y r3", chance(m, 60) ? "rlx" : rel(m));
	if (chance(m, 80))
		put(m, a, "store.%s n@ 1", rel(m));
	if (!late)
		put_told(m, b);
	put(m, b, "r6 = load.%s y", chance(m, 60) ? "rlx" : acq(m));
	if (late)
		put_told(m, b);
	put(m, b, "if r6 == 0 goto out");
	put(m, b, "L:");
	put(m, b, "r2 = load.%s n@r6", acq(m));
	put(m, b, "if r2 %s goto L", chance(m, 80) ? "== 0" : "!= 1");
}
