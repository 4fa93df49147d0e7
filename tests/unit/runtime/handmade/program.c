/* program.c -- a program as the front end would make it, written by hand (frontend/abi.h).
 *
 * What main() does, `scenario` says, which the test sets before the first step.  Every scenario is a
 * function of its own; test_hooks.c has what must come of it.
 */
#include "handmade/program.h"

#include <pthread.h>

#include "frontend/abi.h"
#include "program/program.h"

int lp_shim_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int lp_shim_pthread_join(pthread_t, void **);
void *lp_shim_malloc(size_t);

int main(void);
static struct lp_current current;

/* ---- variables ---- */

static int scenario;
static uint64_t word, other;
static _Alignas(16) uint8_t bytes[2048];
static uint8_t copied[2048];
static int constructed;

static const struct lp_variable variables[] = {
	{ &scenario, sizeof scenario, 0, 0 }, { &word, sizeof word, 0, 0 },     { bytes, sizeof bytes, 0, 0 },
	{ copied, sizeof copied, 0, 0 },      { &other, sizeof other, 0, 0 },  
	{ &constructed, sizeof constructed, 0, 0 },
};

/* ---- sites ---- */

static const char texts[] = "\0/home/me/queue.c\0enqueue\0/usr/include/c++/12/atomic\0load\0inline assembly ('mfence')\0strange\0";
enum { FILE_OF_MINE = 1, ENQUEUE = 18, SYSTEM_FILE = 26, LOAD = 53, MFENCE = 58, STRANGE = 85 };

static const struct lp_source sources[] = {
	{ 0 },
	{ FILE_OF_MINE, ENQUEUE, 31, 1, 0 },
	{ SYSTEM_FILE, LOAD, 400, 1, 1 }, /* inlined there */
};

static const uint32_t live[] = { 0, 1, LP_LIVE_MEMORY | 1, 8 };
enum { SLOT_0 = 0, SLOT_1 = 1, MEMORY_1 = 2 };

enum {
	CALL, CALL_IGNORED, MODEL, PLAIN, COPIES, VOLATILE, OBJECT, LOAD_ACQ, LOAD_LOOP, LOAD_MEMORY,
	LOAD_UNKNOWN, STORE_REL, ADD, ADD_PASSED_ON, CAS_WEAK, ASSEMBLY, LIBRARY, SITES
};

#define ATOMIC(k, o) .kind = k, .size = 8, .order = o, .source = 2
static struct lp_site sites[SITES] = {
	[CALL] = { .kind = LP_SITE_CALL, .source = 1 },
	[CALL_IGNORED] = { .kind = LP_SITE_CALL, .result = LP_RESULT_UNUSED, .source = 1 },
	[MODEL] = { .kind = LP_SITE_MODEL, .source = 1 },
	[PLAIN] = { .kind = LP_SITE_LOAD, .source = 1 },
	[COPIES] = { .kind = LP_SITE_COPY, .source = 1 },
	[VOLATILE] = { .kind = LP_SITE_LOAD, .flags = LP_SITE_VOLATILE, .source = 1 },
	[OBJECT] = { .kind = LP_SITE_OBJECT, .source = 1 },
	[LOAD_ACQ] = { ATOMIC(LP_SITE_ATOMIC_LOAD, LP_ACQ) },
	[LOAD_LOOP] = { ATOMIC(LP_SITE_ATOMIC_LOAD, LP_ACQ), .flags = LP_SITE_LOOP, .live = SLOT_0,
			.lives = 1 },
	[LOAD_MEMORY] = { ATOMIC(LP_SITE_ATOMIC_LOAD, LP_ACQ), .flags = LP_SITE_LOOP, .live = MEMORY_1,
			  .lives = 2 },
	[LOAD_UNKNOWN] = { ATOMIC(LP_SITE_ATOMIC_LOAD, LP_ACQ), .flags = LP_SITE_LOOP,
			   .lives = LP_LIVE_UNKNOWN },
	[STORE_REL] = { ATOMIC(LP_SITE_ATOMIC_STORE, LP_REL) },
	[ADD] = { ATOMIC(LP_SITE_RMW, LP_ACQREL), .rmw = LP_ADD },
	[ADD_PASSED_ON] = { ATOMIC(LP_SITE_RMW, LP_ACQREL), .rmw = LP_ADD, .result = LP_RESULT_PASSED_ON },
	[CAS_WEAK] = { ATOMIC(LP_SITE_CAS, LP_ACQREL), .fail_order = LP_RLX, .flags = LP_SITE_WEAK,
		       .result = LP_RESULT_UNUSED },
	[ASSEMBLY] = { .kind = LP_SITE_ASSEMBLY, .name = MFENCE, .source = 1 },
	[LIBRARY] = { .kind = LP_SITE_LIBRARY, .flags = LP_SITE_UNKNOWN, .name = STRANGE, .source = 1 },
};

/* ---- frames ---- */

/* Every function has two slots. */
#define ENTER                                                                       \
	uint64_t room[5] = { (uintptr_t)current.top, (uintptr_t)&sites[CALL],       \
			     (uintptr_t)__builtin_return_address(0) };              \
	struct lp_live_frame *const frame = (struct lp_live_frame *)room;                     \
	current.top = frame
#define LEAVE current.top = frame->up
#define AT(name) (frame->site = &sites[name])

/* ---- scenarios ---- */

static void pieces(void)
{
	uint8_t values[1024], back[1024];

	for (unsigned i = 0; i < sizeof values; i++)
		values[i] = (uint8_t)(i * 7);
	lp_store8(&sites[PLAIN], bytes, 0x1122334455667788);
	word = lp_load4(&sites[PLAIN], bytes + 2); /* not aligned: in pieces */
	lp_write(&sites[COPIES], bytes + 3, values, sizeof values);
	lp_read(&sites[COPIES], back, bytes + 3, sizeof back);
	lp_copy(&sites[COPIES], copied + 1, bytes + 3, 1024);
	lp_copy(&sites[COPIES], copied + 5, copied + 1, 1024); /* overlapping */
	lp_fill(&sites[COPIES], bytes, 9, 1500);
	other = 0;
	for (unsigned i = 0; i < sizeof values; i++)
		other += back[i] != values[i] || copied[5 + i] != values[i];
	for (unsigned i = 0; i < 1500; i++)
		other += bytes[i] != 9;
}

static void unwritten(unsigned written)
{
	uint8_t local[8];

	lp_object_begins(&sites[OBJECT], local, sizeof local, false);
	for (unsigned i = 0; i < written; i++)
		lp_store1(&sites[PLAIN], &local[i], 1);
	word = lp_load2(&sites[COPIES], &local[3]);
	word = lp_load2(&sites[PLAIN], &local[3]);
	lp_object_ends(&sites[OBJECT], local, sizeof local);
}

static void ended(void)
{
	uint8_t local[8];

	lp_object_begins(&sites[OBJECT], local, sizeof local, false);
	lp_store1(&sites[PLAIN], &local[1], 1);
	word = lp_load1(&sites[PLAIN], &local[1]);
	lp_object_ends(&sites[OBJECT], local, sizeof local);
	word = lp_load1(&sites[PLAIN], &local[1]);
}

/* Private memory is where the variable was. */
static void private_after(void)
{
	uint8_t local[8];

	lp_object_begins(&sites[OBJECT], local, sizeof local, false);
	lp_object_ends(&sites[OBJECT], local, sizeof local);
	lp_private_begins(local, 4);
	word = lp_load1(&sites[PLAIN], &local[3]);
	word = lp_load1(&sites[PLAIN], &local[4]);
}

static void unwound(void)
{
	uint8_t local[8];

	lp_object_begins(&sites[OBJECT], local, sizeof local, false);
	lp_store1(&sites[PLAIN], &local[3], 1);
	lp_store1(&sites[PLAIN], &local[5], 1);
	lp_stack_unwound(local + 4);
	word = lp_load1(&sites[PLAIN], &local[5]);
	word = lp_load1(&sites[PLAIN], &local[3]);
}

static void *user(void *p)
{
	ENTER;
	lp_atomic_load8(&sites[LOAD_ACQ], &word);
	lp_store4(&sites[PLAIN], p, 7);
	LEAVE;
	return NULL;
}

/* Another thread writes to a local variable, which ends when that is done, or before. */
static void lent(struct lp_live_frame *frame, bool too_early)
{
	uint32_t local;
	pthread_t thread;

	lp_object_begins(&sites[OBJECT], &local, sizeof local, false);
	AT(MODEL);
	current.calls++;
	lp_shim_pthread_create(&thread, NULL, user, &local);
	if (too_early)
		lp_object_ends(&sites[OBJECT], &local, sizeof local);
	AT(MODEL);
	current.calls++;
	lp_shim_pthread_join(thread, NULL);
	other = lp_load4(&sites[PLAIN], &local);
	lp_object_ends(&sites[OBJECT], &local, sizeof local);
}

/* Slot 0 changes every second time round, slot 1 each time. */
static void spin(struct lp_live_frame *frame, int site)
{
	uint64_t memory = 0;

	for (uint64_t i = 0; i < 8; i++) {
		frame->slot[0] = i / 2 % 2;
		frame->slot[1] = site == LOAD_MEMORY ? (uintptr_t)&memory : i;
		memory = i / 4;
		lp_atomic_load8(&sites[site], &word);
	}
}

static __attribute__((noinline)) uint64_t add(int site)
{
	ENTER;
	const uint64_t before = lp_rmw8(&sites[site], &word, 5);
	LEAVE;
	return before;
}

static void atomics(struct lp_live_frame *frame)
{
	AT(CALL_IGNORED);
	add(ADD_PASSED_ON);
	AT(CALL);
	add(ADD_PASSED_ON);
	AT(CALL_IGNORED);
	add(ADD);
	lp_cas(&sites[CAS_WEAK], &word, 15, 1);
	lp_atomic_store8(&sites[STORE_REL], &word, 3);
	lp_load8(&sites[VOLATILE], &word);
	lp_store8(&sites[VOLATILE], &word, 4);
}

/* As a shim that calls the program back: the frames between cannot be told. */
static void called_back(struct lp_live_frame *frame)
{
	frame->site = &sites[MODEL];
	uint64_t room[5] = { (uintptr_t)frame, (uintptr_t)&sites[CALL], (uintptr_t)main };
	current.top = (struct lp_live_frame *)room;
	lp_atomic_load8(&sites[LOAD_LOOP], &word);
	current.top = frame;
}

static void not_understood(void)
{
	lp_not_understood(&sites[ASSEMBLY]);
	lp_not_understood(&sites[LIBRARY]);
	if (word)
		lp_not_understood(&sites[LIBRARY]);
}

int main(void)
{
	ENTER;
	switch ((enum scenario)scenario) {
	case PIECES: pieces(); break;
	case UNWRITTEN: unwritten(4); break;
	case WRITTEN: unwritten(5); break;
	case ENDED: ended(); break;
	case UNWOUND: unwound(); break;
	case PRIVATE_AFTER: private_after(); break;
	case LENT: lent(frame, false); break;
	case LENT_TOO_LATE: lent(frame, true); break;
	case SPIN_SLOT: spin(frame, LOAD_LOOP); break;
	case SPIN_MEMORY: spin(frame, LOAD_MEMORY); break;
	case SPIN_UNKNOWN: spin(frame, LOAD_UNKNOWN); break;
	case ATOMICS: atomics(frame); break;
	case CALLED_BACK: called_back(frame); break;
	case LOCALS: word = *(uint64_t *)(current.locals + 8) + (uint64_t)constructed; break;
	case NOT_UNDERSTOOD: not_understood(); break;
	}
	LEAVE;
	return 0;
}

/* ---- the module ---- */

static void construct(void)
{
	ENTER;
	lp_store4(&sites[PLAIN], &constructed, 100);
	lp_store8(&sites[PLAIN], current.locals + 8, 23);
	LEAVE;
}

static const struct lp_start constructors[] = { { construct, 65535 } };
static const uint64_t locals[2] = { 1, 2 };

__attribute__((visibility("default"))) const struct lp_module lp_module = {
	.version = LP_ABI_VERSION,
	.site_count = SITES,
	.source_count = 3,
	.variable_count = sizeof variables / sizeof *variables,
	.constructor_count = 1,
	.current = &current,
	.sites = sites,
	.sources = sources,
	.texts = texts,
	.live = live,
	.variables = variables,
	.constructors = constructors,
	.locals = locals,
	.locals_size = sizeof locals,
	.locals_align = 8,
};
