/* live_state.c -- a thread's live state: everything on which its future depends, besides memory.
 *
 * The program keeps its live state in frames (frontend/abi.h): the place in each function, and the
 * values that are live there.  Between the innermost frame and the switch to the explorer are frames
 * of the runtime.  If the thread waits in a hook for one access, the rest of the hook depends only
 * on the operation and its answer.  The rest of a shim may depend on any byte of these frames, so all of
 * them count.  Memory is not part of the live state, but the numbers of the thread's writes and
 * allocations are.  So if a thread has the same live state twice, it has neither written nor allocated
 * anything in between.
 *
 * Code outside the program, such as a library, has no frames.  If such code has called the program
 * back, and so lies between two frames, the live state is not known.
 */
#include "runtime/memory/heap.h"

#include "base/error.h"
#include "base/hash.h"
#include "frontend/load/site_names.h"
#include "frontend/system_file.h"
#include "program/process.h"

uint64_t rt_entries, rt_quiet_entries;

static inline void note_entry(const void *cfa)
{
	rt.self->entered = (struct rt_entered){ rt.current->top, rt_site(), (uintptr_t)cfa };
}

/* Clears the stack below, so that functions which are called next have the same bytes where their
 * frames have no values: the observer has run on this stack before, and has left addresses and
 * counts behind. */
void rt_wipe_below(void)
{
	typedef uint64_t two __attribute__((vector_size(16), aligned(8), may_alias));
	const two pattern = { RT_UNWRITTEN, RT_UNWRITTEN };
	uint64_t below[128];

	for (size_t i = 0; i < sizeof below / sizeof *below; i += 8) {
		two *const at = (two *)(below + i);
		at[0] = at[1] = at[2] = at[3] = pattern;
	}
	__asm__ volatile("" ::"r"(below) : "memory");
}

uintptr_t rt_enter(const void *cfa)
{
	if (!rt.self || !rt.current->top)
		return 0;
	note_entry(cfa);
	rt_wipe_below();
	return (uintptr_t)rt_site();
}

static bool is_users(const struct lp_site *site)
{
	const struct lp_source *source = site ? lp_site_source(rt.module, site) : NULL;

	return source && source->line && !lp_is_system_file(lp_module_text(rt.module, source->file));
}

uintptr_t rt_user_pc(uintptr_t pc)
{
	const struct lp_live_frame *frame = rt.self ? rt.current->top : NULL;

	if (is_users(lp_site_of_module(rt.module, pc)))
		return pc;
	while (frame && !is_users(frame->site))
		frame = frame->up;
	return frame ? (uintptr_t)frame->site : pc;
}

void rt_enter_hook(const struct lp_site *site, const void *cfa)
{
	if (!rt.self || !rt.current->top)
		return;
	rt_at(site);
	note_entry(cfa);
}

/* Was the frame's function called by the function of the next frame, and not by code in between? */
static inline bool is_called_by_next(const struct lp_live_frame *frame)
{
	return frame->up->site->kind == LP_SITE_CALL && lp_object_has_code(&rt.loaded.object, frame->from);
}

/* Is a function of the thread at a place to which it can come back? */
bool rt_live_on_loop(void)
{
	const struct lp_live_frame *frame = rt.current->top;
	unsigned flags = 0;

	for (; frame; frame = frame->up) {
		flags |= frame->site->flags;
		if (frame->up && !is_called_by_next(frame))
			return false;
	}
	return flags & LP_SITE_LOOP;
}

bool rt_live_ignores(const struct lp_site *site)
{
	const struct lp_live_frame *frame = rt.current->top;

	while (site->result == LP_RESULT_PASSED_ON) {
		if (!frame || !frame->up || !is_called_by_next(frame))
			return false; /* the caller of the outermost function may use the result */
		frame = frame->up;
		site = frame->site;
	}
	return site->result == LP_RESULT_UNUSED;
}

bool rt_ignores_result(void)
{
	const struct lp_site *site = rt.self ? rt_site() : NULL;

	return site && site->kind == LP_SITE_MODEL &&
	       (site->flags & LP_SITE_DROPPED || rt_live_ignores(site));
}

/* The destination of live words: a fingerprint, or a function. */
struct sink {
	struct lp_fingerprint *print; /* or NULL */
	const struct lp_processes *relative; /* or NULL: addresses are fed as they are, and frames of ours are */
	void (*see)(void *closure, uint64_t word);
	void *closure;
};

static inline __attribute__((always_inline)) uint64_t as_fed(const struct sink *out, uint64_t word)
{
	return out->relative ? lp_processes_relative(out->relative, word) : word;
}

void rt_feed_bytes(struct lp_fingerprint *print, const struct lp_processes *relative, const void *from, size_t size)
{
	const char *at = from;

	for (; relative && size >= 8; at += 8, size -= 8) {
		uint64_t word;
		memcpy(&word, at, 8);
		lp_fingerprint_word(print, lp_processes_relative(relative, word));
	}
	lp_fingerprint_bytes(print, at, size);
}

static inline __attribute__((always_inline)) void feed_bytes(const struct sink *out, uintptr_t from,
							     uintptr_t to)
{
	LP_HOLDS(from <= to);
	if (out->print) {
		rt_feed_bytes(out->print, out->relative, (const void *)from, to - from);
		return;
	}
	for (from &= ~(uintptr_t)7; from < to; from += 8)
		out->see(out->closure, *(const uint64_t *)from);
}

static inline __attribute__((always_inline)) bool feed_frame(const struct sink *out,
							     const struct lp_live_frame *frame)
{
	if (frame->site->lives == LP_LIVE_UNKNOWN)
		return false;
	LP_HOLDS(frame->site >= rt.module->sites && frame->site < rt.module->sites + rt.module->site_count);
	const uint32_t *live = rt.module->live + frame->site->live;
	const uint32_t *const end = live + frame->site->lives;

	if (out->print) {
		lp_fingerprint_word(out->print, (uintptr_t)frame);
		lp_fingerprint_word(out->print, frame->site->same);
	}
	while (live < end) {
		const uint64_t slot = frame->slot[*live & ~LP_LIVE_MEMORY];
		if (*live++ & LP_LIVE_MEMORY)
			feed_bytes(out, slot, slot + *live++);
		else if (out->print)
			lp_fingerprint_word(out->print, as_fed(out, slot));
		else
			out->see(out->closure, slot);
	}
	return true;
}

/* Adds the runtime's frames, if their further behaviour depends on them. */
static inline __attribute__((always_inline)) bool feed_ours(const struct sink *out,
							    const struct rt_thread *thread)
{
	const struct rt_entered *entered = &thread->entered;
	const uintptr_t sp = (uintptr_t)thread->sp;

	if (thread->simple)
		return true;
	/* The program has called another shim since, from a function that this shim has called. */
	if (entered->top != thread->top || (uintptr_t)entered->site != thread->op.pc ||
	    entered->sp <= sp || entered->sp > rt_stack_top(rt_id(thread)))
		return false;
	LP_HOLDS(rt_in_stacks(sp) && (sp - RT_STACKS) / rt.layout.stack_stride == rt_id(thread));
	if (!out->relative)
		feed_bytes(out, sp, entered->sp);
	return true;
}

static inline __attribute__((always_inline)) bool feed(const struct sink *out,
						       const struct rt_thread *thread)
{
	if (!thread->top)
		return false;
	for (const struct lp_live_frame *frame = thread->top; frame; frame = frame->up) {
		LP_HOLDS(!frame->up || frame->up > frame || !rt_in_stacks((uintptr_t)frame)); /* stacks grow downwards */
		if ((frame->up && !is_called_by_next(frame)) || !feed_frame(out, frame))
			return false;
	}
	return feed_ours(out, thread);
}

/* Names are text of ours: their addresses depend on how this program was linked. */
static inline __attribute__((always_inline)) uint64_t name_as_fed(const struct sink *out, const char *name)
{
	struct lp_fingerprint text = LP_FINGERPRINT;

	if (!out->relative || !name)
		return (uintptr_t)name;
	lp_fingerprint_bytes(&text, name, strlen(name));
	return lp_fingerprint_end(text).a;
}

static inline __attribute__((always_inline)) void feed_operation(const struct sink *out, const struct rt_thread *thread)
{
	const struct lp_op *op = &thread->op;
	const uint64_t small = op->kind | (uint64_t)op->size << 8 | (uint64_t)op->order << 16 |
			       (uint64_t)op->fail_order << 24 | (uint64_t)op->rmw << 32 |
			       (uint64_t)op->when << 40 | (uint64_t)op->otherwise << 48 |
			       (uint64_t)op->weak << 56;
	LP_HOLDS(thread->state == RT_WAITING && thread->top);
	const uint64_t words[] = { /* most of them are usually 0 */
		(uint64_t)op->count << 32 | op->target, as_fed(out, op->operand.lo), as_fed(out, op->operand.hi), op->mask.lo,
		op->mask.hi, as_fed(out, op->value.lo), as_fed(out, op->value.hi), name_as_fed(out, op->name),
		as_fed(out, thread->argument), thread->guards,
	};
	uint64_t present = 0;

	lp_fingerprint_word(out->print, small);
	lp_fingerprint_word(out->print, op->pc == (uintptr_t)thread->top->site ? thread->top->site->same : as_fed(out, op->pc));
	lp_fingerprint_word(out->print, as_fed(out, op->loc));
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (!words[i])
			continue;
		present |= UINT64_C(1) << i;
		lp_fingerprint_word(out->print, words[i]);
	}
	lp_fingerprint_word(out->print, present);
}

static inline __attribute__((always_inline)) bool feed_place(const struct sink *out, const struct rt_thread *thread)
{
	if (thread->state != RT_WAITING || !feed(out, thread))
		return false;
	feed_operation(out, thread);
	return true;
}

bool rt_live_place(const struct rt_thread *thread, const struct lp_processes *relative, struct lp_fingerprint *print)
{
	return relative ? feed_place(&(struct sink){ .print = print, .relative = relative }, thread) :
			  feed_place(&(struct sink){ .print = print }, thread);
}

bool rt_live_words(const struct rt_thread *thread, void (*see)(void *closure, uint64_t word),
		   void *closure)
{
	const struct lp_op *op = &thread->op;
	const struct sink sink = { .see = see, .closure = closure };
	const uint64_t words[] = { op->loc, op->operand.lo, op->operand.hi, op->value.lo,
				   op->value.hi, thread->argument };

	if (!feed(&sink, thread))
		return false;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		see(closure, words[i]);
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
	LP_HOLDS(t < RT_THREADS && !rt.self); /* a thread that runs has no live state to look at */
	if (!rt_live_place(thread, NULL, &print))
		return false;
	lp_fingerprint_word(&print, (uint64_t)thread->changes << 32 | thread->spawned);
	if (state)
		memcpy(words, state, sizeof words);
	words[RT_WORD_OF_OTHERS] = 0;
	if (memcmp(words, no_words, sizeof words)) /* these words may or may not have a place */
		lp_fingerprint_bytes(&print, words, sizeof words);
	fingerprint[0] = print.a;
	fingerprint[1] = print.b;
	return true;
}
