/* test_hooks.c -- the hooks of frontend/abi.h, called by a program that is written by hand.
 *
 * No compiler and no front end: what goes wrong here is wrong in the runtime.
 */
#include "../driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "../handmade/program.h"
#include "runtime/machine.h"

static struct driver d;

static void *variable(enum variable v)
{
	return rt.module->variables[v].at;
}

static uint64_t value(enum variable v)
{
	uint64_t word;

	memcpy(&word, variable(v), sizeof word);
	return word;
}

static void begin(enum scenario s)
{
	driver_reset(&d);
	*(int *)variable(SCENARIO) = (int)s;
}

static void ends_well(enum scenario s)
{
	begin(s);
	EXPECT(driver_run(&d, 0), "scenario %d: %s: %s", s, d.kind, d.text);
}

static void goes_wrong(enum scenario s, const char *kind, const char *text)
{
	begin(s);
	EXPECT(!driver_run(&d, 0) && d.kind && !strcmp(d.kind, kind) && strstr(d.text, text),
	       "scenario %d: %s: %s", s, d.kind ? d.kind : "no error", d.text);
	EXPECT(!strcmp(d.where, "queue.c:31"), "scenario %d: at %s", s, d.where);
}

/* Values go through the events: the driver's cells, not memory, have them. */
static void plain_accesses(void)
{
	for (int events = 0; events < 2; events++) {
		d.plain_events = events;
		ends_well(PIECES);
		EXPECT(value(WORD) == 0x33445566, "%llx", (unsigned long long)value(WORD));
		EXPECT(!value(OTHER), "%llu bytes are wrong", (unsigned long long)value(OTHER));
		EXPECT(events ? d.steps > 1000 : d.steps == 0, "%lu operations", d.steps);
	}
	d.plain_events = false;
}

static struct {
	uintptr_t loc;
	size_t size;
	unsigned count;
} freed;

static bool on_freed(struct lp_observer *o, lp_tid thread, uintptr_t loc, size_t size, uintptr_t pc,
		     struct lp_program_error *error)
{
	(void)o, (void)thread, (void)pc, (void)error;
	freed.loc = loc;
	freed.size = size;
	freed.count++;
	return true;
}

static void local_variables(void)
{
	goes_wrong(UNWRITTEN, "uninitialised", "never written");
	ends_well(WRITTEN);
	goes_wrong(ENDED, "use after free", "which has ended");
	goes_wrong(UNWOUND, "use after free", "which has ended"); /* at the second load */
	EXPECT(value(WORD) == 1, "%llu", (unsigned long long)value(WORD));
	goes_wrong(PRIVATE_AFTER, "use after free", "which has ended"); /* at the second load */
	EXPECT(value(WORD) > 1, "the first load was wrong, too");

	d.observer.freed = on_freed;
	ends_well(LENT);
	EXPECT((uint32_t)value(OTHER) == 7, "%u", (unsigned)value(OTHER));
	EXPECT(freed.count == 1 && freed.size == 4, "%u frees of %zu bytes", freed.count, freed.size);
	goes_wrong(LENT_TOO_LATE, "use after free", "thread 0");
}

/* What the shadow has of a stack is saved with the thread, whatever happens to it then. */
static void saved_shadow(void)
{
	struct lp_value v;

	begin(LENT);
	driver_run(&d, 1); /* the other thread has begun */
	const uint32_t mark = d.program->class->save(d.program);
	EXPECT(driver_run(&d, 0), "%s: %s", d.kind, d.text);
	d.program->class->restore(d.program, mark);
	EXPECT(!d.program->class->initial(d.program, freed.loc, 4, &v), "it was written");
	d.cell_count = 0;
	EXPECT(driver_run(&d, 0), "%s: %s", d.kind, d.text);
	EXPECT((uint32_t)value(OTHER) == 7, "%u", (unsigned)value(OTHER));
	d.program->class->forget(d.program, mark);
}

/* How many different live states the eight loads of the loop have; -1: they are not known. */
static int states(enum scenario s)
{
	uint64_t seen[8][2];
	int known = 0;

	begin(s);
	for (int i = 0; i < 8; i++) {
		const struct lp_op *op = lp_program_pending(d.program, 0);
		bool again = false;
		EXPECT(op->kind == LP_OP_LOAD && op->order == LP_ACQ && op->loop, "operation %u", op->kind);
		if (!d.program->class->live_state(d.program, 0, seen[known]))
			return -1;
		for (int k = 0; k < known; k++)
			again |= !memcmp(seen[k], seen[known], sizeof seen[k]);
		known += !again;
		driver_step(&d, 0);
	}
	return known;
}

static void live_states(void)
{
	EXPECT(states(SPIN_SLOT) == 2, "%d", states(SPIN_SLOT));
	EXPECT(states(SPIN_MEMORY) == 2, "%d", states(SPIN_MEMORY));
	EXPECT(states(SPIN_UNKNOWN) == -1, "%d", states(SPIN_UNKNOWN));

	uint64_t print[2];
	begin(CALLED_BACK);
	const struct lp_op *op = lp_program_pending(d.program, 0);
	EXPECT(op->kind == LP_OP_LOAD && !op->loop, "operation %u", op->kind);
	EXPECT(!d.program->class->live_state(d.program, 0, print), "there is code in between");
}

static void atomic_accesses(void)
{
	static const struct lp_op expected[] = {
		{ .kind = LP_OP_RMW, .order = LP_ACQREL, .rmw = LP_ADD, .unused = true },
		{ .kind = LP_OP_RMW, .order = LP_ACQREL, .rmw = LP_ADD }, /* the caller looks at it */
		{ .kind = LP_OP_RMW, .order = LP_ACQREL, .rmw = LP_ADD },
		{ .kind = LP_OP_RMW, .order = LP_ACQREL, .rmw = LP_XCHG, .when = LP_IF_EQUAL, .weak = true,
		  .unused = true },
		{ .kind = LP_OP_STORE, .order = LP_REL },
		{ .kind = LP_OP_LOAD, .order = LP_RLX },
		{ .kind = LP_OP_STORE, .order = LP_RLX },
	};
	char place[64];

	begin(ATOMICS);
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		const struct lp_op *op = lp_program_pending(d.program, 0), *e = &expected[i];
		EXPECT(op->kind == e->kind && op->order == e->order && op->rmw == e->rmw && op->when == e->when &&
		       op->weak == e->weak && op->unused == e->unused && op->size == 8, "operation %zu", i);
		d.program->class->describe_pc(d.program, op->pc, place, sizeof place);
		EXPECT(!strcmp(place, "queue.c:31"), "operation %zu: %s", i, place);
		driver_step(&d, 0);
	}
	EXPECT(value(WORD) == 4, "%llu", (unsigned long long)value(WORD));
}

/* Orders are read from the site at each call. */
static void changed_order(void)
{
	struct lp_site *site = NULL;

	for (uint32_t i = 0; i < rt.module->site_count; i++)
		if (rt.module->sites[i].kind == LP_SITE_ATOMIC_STORE)
			site = &rt.module->sites[i];
	site->order = LP_SC;
	begin(ATOMICS);
	while (lp_program_pending(d.program, 0)->kind != LP_OP_STORE)
		driver_step(&d, 0);
	EXPECT(lp_program_pending(d.program, 0)->order == LP_SC, "the order was not changed");
	site->order = LP_REL;
}

static void note_doubt(void *closure, const struct lp_doubt_met *met)
{
	EXPECT(met->doubt == LP_DOUBT_UNSEEN, "%s", met->text);
	strcat(strcat(closure, met->text), "; ");
}

static void doubts(void)
{
	char seen[1024] = "";

	ends_well(NOT_UNDERSTOOD);
	lp_native_doubts(&d.native, note_doubt, seen);
	EXPECT(!strcmp(seen, "queue.c:31: inline assembly ('mfence') is not modelled; queue.c:31: calls 'strange', "
		       "which linchpin does not model: its accesses to shared memory are not seen; "), "%s", seen);
	lp_native_forget(&d.native);
	seen[0] = '\0';
	lp_native_doubts(&d.native, note_doubt, seen);
	EXPECT(!*seen, "%s", seen);
}

int main(int count, char **arguments)
{
	struct lp_error error = { .text = "" };

	(void)count;
	if (!driver_open_compiled(&d, arguments[1], &error)) {
		printf("FAIL cannot open: %s\n", error.text);
		return 1;
	}
	plain_accesses();
	local_variables();
	saved_shadow();
	live_states();
	atomic_accesses();
	changed_order();
	doubts();
	ends_well(LOCALS);
	EXPECT(value(WORD) == 123, "%llu", (unsigned long long)value(WORD));
	driver_close(&d);
	return expect_status();
}
