/* plain.h -- plain accesses: checks them, reports them to the observer, and presents some as
 * events.
 *
 * The observer answers in one of three ways.  Nearly always it accepts the access, which is then made in
 * memory; the code for this case is inlined into the hooks.  If the observer finds a race, the thread stops.
 * If the access must become events, the range is presented to the explorer location by location; bytes that
 * are in no location are accessed in memory.  A load is assembled from the answers.  A store is written to
 * memory only after its operation has been performed, because until then memory may hold the location's
 * initial value.
 */
#ifndef LP_RUNTIME_HOOKS_PLAIN_H
#define LP_RUNTIME_HOOKS_PLAIN_H

#include "runtime/memory/heap.h"

#define RT_INLINE static inline __attribute__((always_inline))

/* An access that is a race or (in part) an event, with the observer's answer and the first piece of the
 * range (struct lp_plain_piece). */
struct rt_access {
	uintptr_t loc, pc;
	size_t size;
	struct lp_plain_piece piece;
	enum lp_plain answer;
	bool write;
	bool simple;     /* the hook makes only this access, and has no other arguments */
	const void *cfa; /* the canonical frame address of the hook; NULL: a shim makes the access,
	                  * and has recorded where it was called */
};

/* plain.c: stops the thread if it must not make the access. */
void rt_check_plain(uintptr_t loc, size_t size, bool write, uintptr_t pc);
/* To be called when the thread has made very many accesses without an operation: from now on it is watched, because it
 * may be in an endless loop. */
void rt_out_of_budget(uintptr_t pc);
/* Two functions for an access that the observer has not accepted.  They load into `to`, or store the bytes at `from`.  Only the
 * caller accesses the memory at `to` and `from`. */
void rt_load_event(struct rt_access *, void *to);
void rt_store_event(struct rt_access *, const void *from);
/* Accesses to memory that no other thread can access: they are checked, but not reported. */
void rt_read_private(void *to, const void *p, size_t size, uintptr_t pc);
void rt_write_private(void *p, const void *from, size_t size, uintptr_t pc);
void rt_copy_private(void *to, const void *from, size_t size, uintptr_t pc);
void rt_fill_private(void *p, uint8_t byte, size_t size, uintptr_t pc);
/* Accesses to a volatile variable, or to a private one; the site says which of the two. */
void rt_load_special(struct rt_access *, void *to);
void rt_store_special(struct rt_access *, const void *from);

/* Are these bytes in a local variable of the thread, and has the thread written them?  For accesses
 * to stacks the answer is nearly always yes. */
RT_INLINE bool rt_is_written_stack(uintptr_t p, size_t size)
{
	uint64_t bits;

	if (!rt_in_own_stack(p) || p < rt.self->known)
		return false;
	memcpy(&bits, rt_shadow(p), sizeof bits);
	return (~bits & rt_shadow_mask(p, size)) == 0;
}

RT_INLINE void rt_check_access(uintptr_t loc, size_t size, bool write, uintptr_t pc)
{
	if (size <= 16 && (rt_in_heap(loc) ? rt_heap_may(loc, size, write) :
			   rt_in_variable(loc, size) || rt_is_written_stack(loc, size)))
		return;
	if (rt_in_heap(loc) || rt_in_stacks(loc) || rt_is_nowhere(loc) || lp_object_has(&rt.loaded.object, loc))
		rt_check_plain(loc, size, write, pc);
}

/* Reports an access that passed its checks to the observer. */
RT_INLINE enum lp_plain rt_tell(uintptr_t loc, size_t size, bool write, uintptr_t pc, struct lp_plain_piece *piece)
{
	struct lp_observer *observer = rt.program.observer;

	if (rt.setting_up)
		return LP_PLAIN_OK;
	if (__builtin_expect(!--rt.budget, 0))
		rt_out_of_budget(pc);
	rt_need_stack(pc);
	*piece = (struct lp_plain_piece){ size, true };
	const struct lp_plain_range range = { rt_id(rt.self), write, loc, size, pc };
	const enum lp_plain answer = observer->access(observer, &range, piece, &rt.told);
	if (write && !rt_in_own_stack(loc)) {
		rt.writes++;
		rt.self->changes += answer != LP_PLAIN_OWN;
	}
	return answer;
}

/* Does the runtime ignore accesses to this memory? */
RT_INLINE bool rt_is_beyond(uintptr_t loc)
{
	return !rt.self || (__builtin_expect(rt.layout.foreign_count, 0) && rt_is_foreign(loc));
}

RT_INLINE void rt_load_plain(void *to, uintptr_t loc, size_t size, uintptr_t pc, bool simple,
			     const void *cfa)
{
	struct lp_plain_piece piece;

	if (!rt_is_beyond(loc)) {
		rt_check_access(loc, size, false, pc);
		const enum lp_plain answer = rt_tell(loc, size, false, pc, &piece);
		if (__builtin_expect(answer != LP_PLAIN_OK && answer != LP_PLAIN_OWN, 0)) {
			rt_load_event(&(struct rt_access){ loc, pc, size, piece, answer, false,
							   simple, cfa }, to);
			return;
		}
	}
	memcpy(to, (const void *)loc, size);
}

RT_INLINE void rt_store_plain(uintptr_t loc, const void *from, size_t size, uintptr_t pc, bool simple,
			      const void *cfa)
{
	struct lp_plain_piece piece;

	if (!rt_is_beyond(loc)) {
		rt_check_access(loc, size, true, pc);
		const enum lp_plain answer = rt_tell(loc, size, true, pc, &piece);
		if (__builtin_expect(answer != LP_PLAIN_OK && answer != LP_PLAIN_OWN, 0)) {
			rt_store_event(&(struct rt_access){ loc, pc, size, piece, answer, true,
							    simple, cfa }, from);
			return;
		}
		rt_wrote(loc, size);
	}
	memcpy((void *)loc, from, size);
}

#endif
