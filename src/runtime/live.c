/* live.c -- a thread's live state: what its future depends on besides memory.
 *
 * The user's frames are judged by the analysis of the machine code (liveness.h).
 * Between them and the switch lie frames of ours.  If the thread waits in a hook
 * for one access, the rest of the hook is a function of the operation and its
 * answer; in a shim it may depend on anything in those frames, so their bytes
 * count, all of them.  Memory is not part of it, but that the thread has written
 * or allocated nothing in between is: by the count of what it has.
 */
#include "runtime/heap.h"

#include "base/hash.h"
#include "load/dropped.h"

static struct lp_registers nobody;
struct lp_registers *rt_entry = &nobody;
uint64_t rt_entries, rt_quiet_entries;

/* For each address of code: is it where a call returns to; on a loop; does the rest of
 * the function not look at what was returned; does it hand that to shims only that do not
 * (or not: what is known once it was asked for)? */
enum { NO_SITE, SITE = 1, SITE_ON_LOOP = 2, SITE_IGNORES = 4, SITE_DROPS = 8, SITE_KEEPS = 16 };

void rt_live_open(const char *path)
{
	rt.liveness = lp_liveness_open(path, rt.object.base, NULL);
	if (!rt.liveness)
		return;
	rt.sites = lp_alloc_zero(rt.object.image.end - rt.object.image.start, 1);
	for (uint32_t i = 0; i < lp_liveness_count(rt.liveness); i++) {
		const struct lp_site *site = lp_liveness_nth(rt.liveness, i);
		const uintptr_t at = rt.object.base + site->pc - rt.object.image.start;
		rt.sites[at] = (uint8_t)(SITE | (site->on_loop ? SITE_ON_LOOP : 0) |
					 (site->result != LP_RESULT_USED ? SITE_IGNORES : 0));
	}
}

void rt_live_close(void)
{
	lp_liveness_close(rt.liveness);
	lp_free(rt.sites);
	rt_entry = &nobody;
}

/* Are the registers that were noted down those of the call that is still going
 * on?  A shim that called back into the user's code has lost them. */
static bool entry_is_right(const struct rt_thread *thread, uintptr_t sp)
{
	const struct lp_registers *entry = &thread->entry;

	return entry->rip == thread->op.pc && entry->rsp > sp &&
	       entry->rsp <= rt_stack_top(rt_id(thread)) &&
	       *(const uintptr_t *)(entry->rsp - 8) == entry->rip;
}

/* Is any frame of the thread at a place that it can come back to?  Code is compiled
 * with frame pointers: a return address lies above each saved one. */
bool rt_live_on_loop(const struct rt_thread *thread)
{
	const uintptr_t top = rt_stack_top(rt_id(thread));
	uintptr_t pc = thread->entry.rip, frame = thread->entry.saved[LP_RBP];
	bool loop = false;

	if (pc != thread->op.pc)
		return false;
	while (lp_object_has(&rt.object, pc)) {
		const uint8_t site = rt.sites[pc - rt.object.image.start];
		if (!(site & SITE))
			return false; /* nothing can be told of that frame */
		loop |= site & SITE_ON_LOOP;
		if (frame < thread->entry.rsp || frame + 16 > top || frame % 8)
			break;
		pc = ((const uintptr_t *)frame)[1];
		frame = ((const uintptr_t *)frame)[0];
	}
	return loop;
}

/* Is what the hook returns, and writes to `size` bytes at p, if p is not 0, of no concern? */
bool rt_live_ignores(const struct rt_thread *thread, uintptr_t p, size_t size)
{
	const struct lp_registers *entry = &thread->entry;

	return entry->rip == thread->op.pc && lp_object_has(&rt.object, entry->rip) &&
	       rt.sites[entry->rip - rt.object.image.start] & SITE_IGNORES &&
	       lp_liveness_ignores(rt.liveness, entry, rt_stack_top(rt_id(thread)), p, size);
}

/* In enter.S: shims to which the number that they are given makes no difference. */
#define INDIFFERENT(is) is(srand) is(srandom) is(srand48) is(sleep) is(usleep)
#define DECLARE(name) extern const char lp_enter_##name[];
INDIFFERENT(DECLARE)

static bool is_indifferent(uintptr_t function)
{
#define IS(name) function == (uintptr_t)lp_enter_##name ||
	return INDIFFERENT(IS) false;
}

bool rt_ignores_result(const void *p, size_t size)
{
	const struct rt_thread *self = rt.self;
	const uintptr_t pc = self ? self->entry.rip : 0;

	if (!self || !rt.sites || !lp_object_has(&rt.object, pc))
		return false;
	uint8_t *site = &rt.sites[pc - rt.object.image.start];
	if (!(*site & (SITE_DROPS | SITE_KEEPS)))
		*site |= lp_value_is_dropped(pc, is_indifferent) ? SITE_DROPS : SITE_KEEPS;
	return (!p && *site & SITE_DROPS) ||
	       (*site & SITE_IGNORES &&
		lp_liveness_ignores(rt.liveness, &self->entry, rt_stack_top(rt_id(self)), (uintptr_t)p,
				    size));
}

static void add_operation(struct lp_fingerprint *print, const struct rt_thread *thread)
{
	const struct lp_op *op = &thread->op;
	const uint64_t small = op->kind | op->size << 8 | op->order << 16 |
			       (uint64_t)op->fail_order << 24 | (uint64_t)op->rmw << 32 |
			       (uint64_t)op->when << 40 | (uint64_t)op->otherwise << 48 |
			       (uint64_t)op->weak << 56;
	const uint64_t words[] = { /* which are 0 more often than not */
		(uint64_t)op->count << 32 | op->target, op->operand.lo, op->operand.hi, op->mask.lo,
		op->mask.hi, op->value.lo, op->value.hi, (uintptr_t)op->name, thread->argument,
		thread->guards,
	};
	uint64_t present = 0;

	lp_fingerprint_word(print, small);
	lp_fingerprint_word(print, op->pc);
	lp_fingerprint_word(print, op->loc);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (!words[i])
			continue;
		present |= UINT64_C(1) << i;
		lp_fingerprint_word(print, words[i]);
	}
	lp_fingerprint_word(print, present);
}

bool rt_live_place(const struct rt_thread *thread, struct lp_fingerprint *print)
{
	const uint8_t *sp = thread->sp;

	if (!rt.liveness || thread->state != RT_WAITING ||
	    !entry_is_right(thread, (uintptr_t)sp) ||
	    !lp_liveness_fingerprint(rt.liveness, &thread->entry, rt_stack_top(rt_id(thread)),
				     print))
		return false;
	add_operation(print, thread);
	if (!thread->simple)
		lp_fingerprint_bytes(print, sp, thread->entry.rsp - (uintptr_t)sp);
	return true;
}

bool rt_live_words(const struct rt_thread *thread, void (*see)(void *closure, uint64_t word),
		   void *closure)
{
	const struct lp_op *op = &thread->op;
	const uintptr_t sp = (uintptr_t)thread->sp;

	if (!rt.liveness || !entry_is_right(thread, sp) ||
	    !lp_liveness_words(rt.liveness, &thread->entry, rt_stack_top(rt_id(thread)), see,
			       closure))
		return false;
	const uint64_t words[] = { op->loc, op->operand.lo, op->operand.hi, op->value.lo,
				   op->value.hi, thread->argument };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		see(closure, words[i]);
	for (uintptr_t at = (sp + 7) & ~(uintptr_t)7; !thread->simple && at < thread->entry.rsp; at += 8)
		see(closure, *(const uint64_t *)at);
	return true;
}

bool rt_live_state(struct lp_program *program, lp_tid t, uint64_t fingerprint[2])
{
	const struct rt_thread *thread = &rt.threads[t];
	struct lp_fingerprint print = LP_FINGERPRINT;
	static const uint64_t no_words[RT_THREAD_WORDS];
	const void *state = rt_state_if_any(thread);
	uint64_t words[RT_THREAD_WORDS] = { 0 };

	(void)program;
	if (!rt_live_place(thread, &print))
		return false;
	lp_fingerprint_word(&print, (uint64_t)thread->changes << 32 | thread->spawned);
	if (state)
		memcpy(words, state, sizeof words);
	words[RT_WORD_OF_OTHERS] = 0;
	if (memcmp(words, no_words, sizeof words)) /* their place comes and goes */
		lp_fingerprint_bytes(&print, words, sizeof words);
	fingerprint[0] = print.a;
	fingerprint[1] = print.b;
	return true;
}
