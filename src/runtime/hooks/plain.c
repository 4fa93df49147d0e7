/* plain.c -- the unusual cases of plain accesses, and accesses to ranges of any size. */
#include "runtime/hooks/plain.h"

#include "base/error.h"

/* Is the access part of a copy?  A copy may read uninitialised bytes. */
static bool is_copy(uintptr_t pc)
{
	return pc && ((const struct lp_site *)pc)->kind == LP_SITE_COPY;
}

static void check_live(uintptr_t loc, size_t size, bool write, uintptr_t pc)
{
	if (rt_in_heap(loc))
		rt_check_live(loc, size, write, pc);
	else if (rt_in_stacks(loc))
		rt_check_stack_live(loc, size, write, pc);
	else
		rt_check_elsewhere(loc, size, write, pc);
}

void rt_check_plain(uintptr_t loc, size_t size, bool write, uintptr_t pc)
{
	if (!write && is_copy(pc))
		check_live(loc, size, false, pc);
	else if (rt_in_heap(loc))
		rt_check_heap(loc, size, write, pc);
	else if (rt_in_stacks(loc))
		rt_check_stack(loc, size, write, pc);
	else
		rt_check_elsewhere(loc, size, write, pc);
}

void rt_live(const void *p, size_t size, uintptr_t pc)
{
	check_live((uintptr_t)p, size, false, pc);
}

/* The thread is watched from now on: it may be in an endless loop (signals.c). */
__attribute__((noinline)) void rt_out_of_budget(uintptr_t pc)
{
	LP_HOLDS(!rt.budget);
	rt.budget = UINT64_MAX;
	if (!rt_signals_watch())
		rt_error(LP_ERROR_UNSUPPORTED, pc, NULL, RT_PERHAPS_ENDLESS, (unsigned long long)rt.limits.steps);
}

/* ---- events ---- */

static _Noreturn void stop_as_told(uintptr_t pc)
{
	LP_HOLDS(rt.told.kind != LP_ERROR_NONE); /* the observer has filled in the error */
	*rt_new_error() = rt.told;
	rt_at_pc(pc);
	rt_stop();
}

/* The access may need several operations.  Then the live state includes the runtime's frames. */
static void begin_event(struct rt_access *a)
{
	LP_HOLDS(a->answer == LP_PLAIN_EVENT || a->answer == LP_PLAIN_RACE); /* all other accesses are made in
	                                                                      * memory at once */
	if (a->answer == LP_PLAIN_RACE)
		stop_as_told(a->pc);
	a->simple = a->simple && a->piece.shared && a->piece.size == a->size;
	if (a->simple)
		return;
	if (a->cfa)
		rt_enter_hook((const struct lp_site *)a->pc, a->cfa);
	rt_wipe_below();
}

static void present(const struct rt_access *a, enum lp_op_kind kind, enum lp_order order,
		    struct lp_value operand)
{
	LP_HOLDS(a->piece.size && a->piece.size <= 16 && !(a->piece.size & (a->piece.size - 1)));
	rt.self->op = (struct lp_op){ .kind = (uint8_t)kind, .size = (uint8_t)a->piece.size,
				      .order = (uint8_t)order, .loc = a->loc, .pc = a->pc,
				      .operand = operand };
	rt.self->simple = a->simple;
	rt.self->argument = 0;
	rt_at_pc(a->pc);
	(void)*(const volatile uint8_t *)a->loc; /* an invalid address faults here, where the fault is reported for the
	                                          * thread */
	rt_present();
}

static void load_piece(const struct rt_access *a, enum lp_order order, void *to)
{
	present(a, LP_OP_LOAD, order, lp_value(0));
	lp_value_write(to, rt.answer.value, (unsigned)a->piece.size);
}

static void store_piece(const struct rt_access *a, enum lp_order order, const void *from)
{
	const struct lp_value value = lp_value_read(from, (unsigned)a->piece.size);

	present(a, LP_OP_STORE, order, value);
	rt_wrote(a->loc, a->piece.size);
	lp_value_write((void *)a->loc, value, (unsigned)a->piece.size);
	rt_stored(a->loc, (unsigned)a->piece.size, value);
}

/* Asks the observer about what is left of the range after its first piece.  Returns false if that needs no
 * events. */
static bool has_more_events(struct rt_access *a)
{
	struct lp_observer *observer = rt.program.observer;

	LP_HOLDS(a->piece.size && a->piece.size <= a->size);
	a->loc += a->piece.size;
	a->size -= a->piece.size;
	if (!a->size)
		return false;
	const struct lp_plain_range range = { rt_id(rt.self), a->write, a->loc, a->size, a->pc };
	a->answer = observer->access(observer, &range, &a->piece, &rt.told);
	if (a->answer == LP_PLAIN_RACE)
		stop_as_told(a->pc);
	return a->answer == LP_PLAIN_EVENT;
}

bool rt_is_constant(uintptr_t loc)
{
	if (!lp_object_has(&rt.loaded.object, loc))
		return false;
	for (unsigned i = 0; i < rt.loaded.object.data_count; i++)
		if (loc - rt.loaded.object.data[i].start < rt.loaded.object.data[i].end - rt.loaded.object.data[i].start)
			return false;
	return true;
}

__attribute__((noinline)) void rt_load_event(struct rt_access *a, void *to)
{
	uint8_t *at = to;

	LP_HOLDS(a->size && !a->write);
	begin_event(a);
	if (!rt_is_constant(a->loc)) {
		do {
			if (a->piece.shared)
				load_piece(a, LP_PLAIN, at);
			else
				memcpy(at, (const void *)a->loc, a->piece.size);
			at += a->piece.size;
		} while (has_more_events(a));
	}
	memmove(at, (const void *)a->loc, a->size);
}

__attribute__((noinline)) void rt_store_event(struct rt_access *a, const void *from)
{
	const uint8_t *at = from;

	LP_HOLDS(a->size && a->write);
	if (a->answer == LP_PLAIN_RACE && a->size <= 16 && !(a->size & (a->size - 1))) {
		rt.told.wrote = lp_value_read(from, (unsigned)a->size);
		rt.told.has_wrote = true;
	}
	begin_event(a);
	do {
		if (a->piece.shared) {
			store_piece(a, LP_PLAIN, at);
		} else {
			rt_wrote(a->loc, a->piece.size);
			memcpy((void *)a->loc, at, a->piece.size);
		}
		at += a->piece.size;
	} while (has_more_events(a));
	if (!a->size)
		return;
	rt_wrote(a->loc, a->size);
	memcpy((void *)a->loc, at, a->size);
}

/* ---- private ---- */

static void begin_private(uintptr_t loc, size_t size, bool write, uintptr_t pc)
{
	if (!rt.self || !size)
		return;
	rt_check_access(loc, size, write, pc);
	if (write)
		rt_wrote(loc, size);
}

void rt_read_private(void *to, const void *p, size_t size, uintptr_t pc)
{
	begin_private((uintptr_t)p, size, false, pc);
	memcpy(to, p, size);
}

void rt_write_private(void *p, const void *from, size_t size, uintptr_t pc)
{
	begin_private((uintptr_t)p, size, true, pc);
	memcpy(p, from, size);
}

void rt_copy_private(void *to, const void *from, size_t size, uintptr_t pc)
{
	begin_private((uintptr_t)from, size, false, pc); /* a copy may read bytes that were never written */
	begin_private((uintptr_t)to, size, true, pc);
	if (rt.self && size)
		rt_copy_shadow((uintptr_t)to, (uintptr_t)from, size);
	memmove(to, from, size);
}

void rt_fill_private(void *p, uint8_t byte, size_t size, uintptr_t pc)
{
	begin_private((uintptr_t)p, size, true, pc);
	memset(p, byte, size);
}

static bool is_private(const struct rt_access *a)
{
	return ((const struct lp_site *)a->pc)->flags & LP_SITE_PRIVATE;
}

/* ---- volatile: relaxed atomic accesses, where hardware would make them so ---- */

static bool is_atomic_anyway(const struct rt_access *a)
{
	return !(a->loc % a->size) && !rt_is_beyond(a->loc);
}

void rt_load_special(struct rt_access *a, void *to)
{
	if (is_private(a)) {
		rt_read_private(to, (const void *)a->loc, a->size, a->pc);
		return;
	}
	rt_entries++;
	if (!is_atomic_anyway(a)) {
		rt_load_plain(to, a->loc, a->size, a->pc, a->simple, a->cfa);
		return;
	}
	rt_check_access(a->loc, a->size, false, a->pc);
	LP_HOLDS(a->piece.shared && a->piece.size == a->size && a->loc % a->size == 0); /* one piece, and one event */
	if (rt.setting_up)
		memcpy(to, (const void *)a->loc, a->size);
	else
		load_piece(a, LP_RLX, to);
}

void rt_store_special(struct rt_access *a, const void *from)
{
	if (is_private(a)) {
		rt_write_private((void *)a->loc, from, a->size, a->pc);
		return;
	}
	rt_entries++;
	if (!is_atomic_anyway(a)) {
		rt_store_plain(a->loc, from, a->size, a->pc, a->simple, a->cfa);
		return;
	}
	rt_check_access(a->loc, a->size, true, a->pc);
	LP_HOLDS(a->piece.shared && a->piece.size == a->size && a->loc % a->size == 0); /* one piece, and one event */
	if (!rt.setting_up) {
		store_piece(a, LP_RLX, from);
		return;
	}
	rt_wrote(a->loc, a->size);
	memcpy((void *)a->loc, from, a->size);
}

/* ---- ranges, for shims ---- */

/* The bytes of a range that are kept in the runtime's frames while its pieces are presented. */
enum { HELD = 4096, CHUNK = 256 };

static __attribute__((noinline)) void read_events(struct rt_access *a)
{
	void *const p = (void *)a->loc;
	const size_t size = a->size;

	if (size > HELD)
		rt_error(LP_ERROR_UNSUPPORTED, a->pc, p,
			 "a library function reads %zu bytes at once that other threads may write", size);
	uint8_t values[size];
	rt_load_event(a, values);
	if (!rt_is_constant((uintptr_t)p))
		memcpy(p, values, size);
}

void rt_read(const void *p, size_t size, uintptr_t pc)
{
	const uintptr_t loc = (uintptr_t)p;
	struct lp_plain_piece piece;

	if (!size || rt_is_beyond(loc))
		return;
	rt_check_access(loc, size, false, pc);
	const enum lp_plain answer = rt_tell(loc, size, false, pc, &piece);
	if (answer != LP_PLAIN_OK && answer != LP_PLAIN_OWN)
		read_events(&(struct rt_access){ loc, pc, size, piece, answer, false, false, NULL });
}

void rt_write(void *p, const void *from, size_t size, uintptr_t pc)
{
	if (size)
		rt_store_plain((uintptr_t)p, from, size, pc, false, NULL);
}

/* Is the range memory without events, which the observer has now been told of? */
static bool is_plain_memory(uintptr_t loc, size_t size, bool write, uintptr_t pc)
{
	struct lp_plain_piece piece;
	const enum lp_plain answer = rt_tell(loc, size, write, pc, &piece);

	if (answer == LP_PLAIN_RACE)
		stop_as_told(pc);
	return answer != LP_PLAIN_EVENT;
}

static __attribute__((noinline)) void fill_chunks(uintptr_t loc, uint8_t byte, size_t size,
						  uintptr_t pc)
{
	const size_t chunk = size < CHUNK ? size : CHUNK;
	uint8_t values[chunk];

	memset(values, byte, chunk);
	for (size_t done = 0, n; done < size; done += n) {
		n = size - done < chunk ? size - done : chunk;
		rt_store_plain(loc + done, values, n, pc, false, NULL);
	}
}

void rt_fill(void *p, uint8_t byte, size_t size, uintptr_t pc)
{
	const uintptr_t loc = (uintptr_t)p;

	if (!size)
		return;
	if (!rt_is_beyond(loc)) {
		rt_check_access(loc, size, true, pc);
		if (!is_plain_memory(loc, size, true, pc)) {
			fill_chunks(loc, byte, size, pc);
			return;
		}
		rt_wrote(loc, size);
	}
	memset(p, byte, size);
}

/* Loads a chunk, or stores it; the range has been checked before. */
static void move_chunk(uintptr_t loc, uint8_t *values, size_t size, bool write, uintptr_t pc)
{
	struct rt_access a = { .loc = loc, .pc = pc, .size = size, .write = write };

	LP_HOLDS(size && size <= CHUNK);
	a.answer = rt_tell(loc, size, write, pc, &a.piece);
	if (a.answer == LP_PLAIN_OK || a.answer == LP_PLAIN_OWN)
		memcpy(write ? (void *)loc : values, write ? values : (const void *)loc, size);
	else if (write)
		rt_store_event(&a, values);
	else
		rt_load_event(&a, values);
}

/* Between two chunks, as between any two bytes of a memmove(), other threads may run. */
static __attribute__((noinline)) void copy_chunks(uintptr_t to, uintptr_t from, size_t size,
						  uintptr_t pc)
{
	const size_t chunk = size < CHUNK ? size : CHUNK;
	uint8_t values[chunk];

	for (size_t done = 0, n; done < size; done += n) {
		n = size - done < chunk ? size - done : chunk;
		const size_t at = to < from ? done : size - done - n;
		move_chunk(from + at, values, n, false, pc);
		move_chunk(to + at, values, n, true, pc);
		rt_copy_shadow(to + at, from + at, n);
	}
}

void rt_copy(void *to, const void *from, size_t size, uintptr_t pc)
{
	if (__builtin_expect(rt.layout.foreign_count, 0) && rt_is_foreign((uintptr_t)from)) {
		rt_write(to, from, size, pc);
		return;
	}
	if (__builtin_expect(rt.layout.foreign_count, 0) && rt_is_foreign((uintptr_t)to)) {
		rt_read(from, size, pc);
	} else if (size && rt.self) {
		check_live((uintptr_t)from, size, false, pc);
		check_live((uintptr_t)to, size, true, pc);
		const bool plain_from = is_plain_memory((uintptr_t)from, size, false, pc);
		if (!is_plain_memory((uintptr_t)to, size, true, pc) || !plain_from) {
			copy_chunks((uintptr_t)to, (uintptr_t)from, size, pc);
			return;
		}
		rt_copy_shadow((uintptr_t)to, (uintptr_t)from, size);
	}
	memmove(to, from, size);
}
