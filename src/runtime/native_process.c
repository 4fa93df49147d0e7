/* native_process.c -- native threads as automata (program/process.h).
 *
 * All processes are the same thread of the machine, number 1, on one stack: the bytes of a process
 * are put there, the process runs to its next operation, and its bytes are copied away again.  So
 * equal processes have equal bytes, even if these contain addresses of the process's own stack.
 *
 * A step begins with memory as the set-up has left it, and not with the explorer's current memory.
 * The process learns about the explorer's memory only through answers, because
 *   - every access to memory outside its own stack is an operation (the observer requires this);
 *   - state that shims keep outside the program's memory either concerns only the process, and then
 *     belongs to it (RT_STATE; for locks in blocks, held.h), or is refused (rt_state(), rt_self());
 *   - the explorer decides which blocks exist, and where (arena.h);
 *   - the process cannot give an address of its stack away: storing one is refused.
 *
 * Two processes are in the same local state if their live states (live_state.c) are equal.  If a live
 * state is not known, all bytes must be equal instead.  An idle process has a fresh stack, except for
 * its thread-locals.
 */
#include "runtime/native_process.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash_index.h"
#include "runtime/memory/arena.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/held.h"

enum { SLOT = 1 };

struct local {
	struct rt_thread thread;
	struct lp_program_error *error;
	uint8_t *stack, *state; /* the bytes of its stack, and those of RT_STATE */
	uint32_t stack_size, state_size;
	uint64_t rank;
};

struct processes {
	struct lp_processes base; /* first */
	struct lp_observer observer;
	uint32_t mark;            /* the saved state of the machine after the set-up */
	void *(*sequence)(void *);
	uint8_t *state;           /* RT_STATE after the set-up */
	uint32_t state_size;
	struct {
		LP_VEC(struct local);
	} locals;
	struct {
		LP_VEC(struct lp_fingerprint);
	} prints;                 /* by local */
	struct lp_hash_index by_print; /* locals */
	struct {
		LP_VEC(uintptr_t);
	} roots;                  /* words that point into the arena after the set-up */
	struct {
		LP_VEC(uint8_t);
	} slots;                  /* the slots into which the last requested local state points */
	size_t bytes;
};

static struct processes processes; /* there is one machine, so there is one set of processes */

/* ---- the observer ---- */

static bool is_own(uintptr_t loc)
{
	const uintptr_t start = RT_STACKS + SLOT * rt.layout.stack_stride;

	return loc - start < rt.layout.stack_stride;
}

static enum lp_plain refuse(struct lp_program_error *error, uintptr_t loc, uintptr_t pc,
			    const char *text)
{
	*error = (struct lp_program_error){ .kind = LP_ERROR_UNSUPPORTED, .loc = loc, .pc = pc };
	snprintf(error->text, sizeof error->text, "%s", text);
	return LP_PLAIN_RACE;
}

/* Every access is an event, in pieces that can be locations. */
static enum lp_plain observe_access(struct lp_observer *o, const struct lp_plain_range *range, struct lp_plain_piece *piece,
				    struct lp_program_error *error)
{
	(void)o;
	if (range->thread != SLOT || is_own(range->loc))
		return LP_PLAIN_OK;
	if (rt_in_stacks(range->loc))
		return refuse(error, range->loc, range->pc, "an access to a local variable of the set-up");
	*piece = (struct lp_plain_piece){ 1, true };
	while (piece->size < 8 && piece->size * 2 <= range->size && range->loc % (piece->size * 2) == 0)
		piece->size *= 2;
	return LP_PLAIN_EVENT;
}

static void observe_allocated(struct lp_observer *o, lp_tid t, uintptr_t loc, size_t size,
			      uintptr_t pc)
{
	(void)pc;
	(void)o;
	(void)t;
	(void)loc;
	(void)size;
}

static bool observe_freed(struct lp_observer *o, lp_tid t, uintptr_t loc, size_t size,
			  uintptr_t pc, struct lp_program_error *error)
{
	(void)o;
	(void)t;
	(void)loc;
	(void)size;
	(void)pc;
	(void)error;
	return true;
}

/* ---- from the machine to a local state ---- */

/* A process that waits forever does nothing any more.  Its stack, which other threads do not know (see above), is
 * dropped, because bytes on it that are never read would make equal processes different. */
static void stop_if_blocked(struct rt_thread *thread)
{
	if (thread->op.kind != LP_OP_BLOCK)
		return;
	thread->state = RT_STOPPED;
	thread->sp = NULL;
}

static void give_up(struct rt_thread *thread, const char *text)
{
	LP_HOLDS(!rt.self); /* the thread has been left */
	rt.self = thread;
	struct lp_program_error *error = rt_new_error();
	rt.self = NULL;
	*error = (struct lp_program_error){ .kind = LP_ERROR_UNSUPPORTED, .pc = thread->op.pc };
	snprintf(error->text, sizeof error->text, "%s", text);
	thread->state = RT_STOPPED;
}

static bool is_stack_address(uint64_t word)
{
	const uint64_t address = word & ((UINT64_C(1) << 48) - 1);

	return rt_in_stacks(address);
}

static bool gives_stack_away(const struct lp_op *op)
{
	return (op->kind == LP_OP_STORE || op->kind == LP_OP_RMW) && op->size >= 8 &&
	       (is_stack_address(op->operand.lo) || is_stack_address(op->operand.hi));
}

/* The explorer keeps what the operation has written, so it is undone here, also in RT_STATE. */
static void unwrite(const struct lp_op *done)
{
	const uintptr_t at = done->loc - RT_STATE;

	if ((done->kind != LP_OP_STORE && done->kind != LP_OP_RMW) || at >= RT_STATE_SIZE)
		return;
	for (unsigned i = 0; i < done->size; i++)
		((uint8_t *)RT_STATE)[at + i] =
			at + i < processes.state_size ? processes.state[at + i] : 0;
}

/* What the process has in RT_STATE that was not there at first. */
static void add_state(struct lp_fingerprint *print, const struct lp_processes *relative)
{
	LP_HOLDS(rt.now.state_used % 8 == 0 && processes.state_size % 8 == 0);
	for (uint32_t i = 0; i < rt.now.state_used; i += 8) {
		uint64_t now, before = 0;
		memcpy(&now, (uint8_t *)RT_STATE + i, 8);
		if (i < processes.state_size)
			memcpy(&before, processes.state + i, 8);
		if (now != before) {
			lp_fingerprint_word(print, i);
			rt_feed_bytes(print, relative, &now, 8);
		}
	}
}

static void add_thread_locals(struct lp_fingerprint *print, const struct lp_processes *relative)
{
	if (rt.layout.tls_room)
		rt_feed_bytes(print, relative, (void *)rt_stack_top(SLOT), rt.layout.tls_room);
}

/* A process that has stopped is its last operation: an error, or a failed assumption. */
static void add_stopped(struct lp_fingerprint *print, const struct lp_processes *relative, const struct lp_op *op)
{
	lp_fingerprint_word(print, op->kind | (uint64_t)op->count << 32);
	rt_feed_bytes(print, relative, &op->pc, sizeof op->pc);
	if (op->error) {
		lp_fingerprint_bytes(print, op->error->text, strlen(op->error->text));
		rt_feed_bytes(print, relative, &op->error->pc, sizeof op->error->pc);
	}
}

/* With processes: only what is the same wherever they were loaded, as far as that can be told. */
static struct lp_fingerprint fingerprint(const struct rt_thread *thread, const struct lp_processes *relative)
{
	struct lp_fingerprint print = LP_FINGERPRINT;

	if (thread->state == RT_STOPPED) {
		add_stopped(&print, relative, &thread->op);
		return print;
	}
	if (thread->op.kind == LP_OP_CALL) {
		lp_fingerprint_word(&print, 1);
	} else if (!rt_live_place(thread, relative, &print)) {
		struct rt_thread record = *thread;
		record.changes = 0;
		record.entered = (struct rt_entered){ 0 }; /* nothing depends on this then */
		print = (struct lp_fingerprint)LP_FINGERPRINT;
		rt_feed_bytes(&print, relative, &record, sizeof record);
		rt_feed_bytes(&print, relative, thread->sp, rt_stack_end(SLOT) - (uintptr_t)thread->sp);
	}
	add_thread_locals(&print, relative);
	add_state(&print, relative);
	return print;
}

static uint8_t *copy_of(const void *from, size_t size)
{
	uint8_t *copy = lp_alloc(size + 1);

	memcpy(copy, from, size);
	processes.bytes += size;
	return copy;
}

static struct local take_away(const struct rt_thread *thread)
{
	struct local l = { .thread = *thread };

	l.thread.changes = 0;
	if (thread->op.kind == LP_OP_ERROR && thread->op.error) {
		l.error = (void *)copy_of(thread->op.error, sizeof *l.error);
		l.thread.op.error = l.error;
	}
	if (thread->state != RT_WAITING)
		return l;
	LP_HOLDS(rt_stack_end(SLOT) - (uintptr_t)thread->sp <= rt.layout.stack_stride);
	l.stack_size = (uint32_t)(rt_stack_end(SLOT) - (uintptr_t)thread->sp);
	l.stack = copy_of(thread->sp, l.stack_size);
	l.state_size = rt.now.state_used;
	l.state = copy_of((void *)RT_STATE, l.state_size);
	return l;
}

/* An idle process is in the state of the first idle process, except for its thread-locals. */
static void make_idle(struct local *l)
{
	const struct local *first = &processes.locals.at[processes.base.idle];
	const size_t kept = rt.layout.tls_room;
	uint8_t *stack = lp_alloc(first->stack_size + 1);

	LP_HOLDS(first->stack_size >= kept && l->stack_size >= kept && first->thread.op.kind == LP_OP_CALL);
	memcpy(stack, first->stack, first->stack_size - kept);
	memcpy(stack + first->stack_size - kept, l->stack + l->stack_size - kept, kept);
	lp_free(l->stack);
	l->stack = stack;
	l->stack_size = first->stack_size;
	l->thread = first->thread;
}

static lp_local intern(const struct rt_thread *thread)
{
	LP_HOLDS(thread == &rt.threads[SLOT] && !rt.self);
	rt_held_tidy();
	const struct lp_fingerprint print = fingerprint(thread, NULL);
	struct lp_hash_probe probe = lp_hash_probe(&processes.by_print, print.a);
	uint32_t id;

	while ((id = lp_hash_next(&processes.by_print, &probe)) != LP_HASH_NONE)
		if (processes.prints.at[id].a == print.a && processes.prints.at[id].b == print.b)
			return id;
	struct local l = take_away(thread);
	if (l.stack && processes.locals.count && thread->op.kind == LP_OP_CALL)
		make_idle(&l);
	LP_HOLDS(processes.locals.count == processes.prints.count);
	lp_hash_add(&processes.by_print, print.a, processes.locals.count);
	l.rank = lp_fingerprint_end(fingerprint(thread, &processes.base)).a;
	LP_PUSH(&processes.prints, print);
	LP_PUSH(&processes.locals, l);
	processes.bytes += sizeof l + sizeof print;
	return processes.locals.count - 1;
}

/* ---- steps ---- */

static const struct lp_op *process_pending(struct lp_processes *p, lp_local local)
{
	(void)p;
	LP_HOLDS(local < processes.locals.count);
	return &processes.locals.at[local].thread.op;
}

/* Clears the stack below, so that new frames of the process begin with zeroes instead of bytes of another process.
 * Otherwise a variable that is not set yet would make equal processes different, depending on the order in which
 * processes run. */
static void clear_below(uintptr_t sp)
{
	enum { WINDOW = 1 << 14 };
	const uintptr_t start = RT_STACKS + SLOT * rt.layout.stack_stride;

	memset((void *)(sp - start > WINDOW ? sp - WINDOW : start), 0, sp - start > WINDOW ? WINDOW : sp - start);
}

static void put_in_place(const struct local *l)
{
	LP_HOLDS(l->stack && l->thread.state == RT_WAITING && is_own((uintptr_t)l->thread.sp));
	rt_restore(&rt.program, processes.mark);
	LP_HOLDS((uintptr_t)l->thread.sp + l->stack_size == rt_stack_end(SLOT));
	rt.threads[SLOT] = l->thread;
	rt.now.threads = SLOT + 1;
	clear_below((uintptr_t)l->thread.sp);
	memcpy(l->thread.sp, l->stack, l->stack_size);
	memcpy((void *)RT_STATE, l->state, l->state_size);
	if (rt.now.state_used < l->state_size)
		rt.now.state_used = l->state_size;
}

static lp_local process_step(struct lp_processes *p, lp_local local, const struct lp_response *answer)
{
	struct rt_thread *thread = &rt.threads[SLOT];
	const struct lp_op done = processes.locals.at[local].thread.op;

	(void)p;
	LP_HOLDS(local < processes.locals.count && rt.process.anonymous);
	put_in_place(&processes.locals.at[local]);
	rt_class.resume(&rt.program, SLOT, answer);
	unwrite(&done);
	stop_if_blocked(thread);
	if (gives_stack_away(&thread->op))
		give_up(thread, "the address of a local variable is given to other threads");
	else if (thread->op.kind == LP_OP_RETURN && rt_arena_slot(thread->op.operand.lo) < RT_SLOTS)
		give_up(thread, "a call returns the address of a block, which may be moved");
	else if (thread->op.kind == LP_OP_END || thread->op.kind == LP_OP_SPAWN ||
		 thread->op.kind == LP_OP_JOIN)
		give_up(thread, "a call starts, awaits or ends a thread");
	return intern(thread);
}

static struct lp_value process_initial(struct lp_processes *p, uintptr_t loc, unsigned size)
{
	(void)p;
	rt_restore(&rt.program, processes.mark);
	return lp_value_read((void *)loc, size);
}

static void note_slot(void *closure, uint64_t word)
{
	const uint32_t slot = rt_arena_slot(word);

	(void)closure;
	LP_HOLDS(slot <= RT_SLOTS);
	if (slot < RT_SLOTS)
		LP_PUSH(&processes.slots, (uint8_t)slot);
}

static uint64_t note_held(const void *closure, uint64_t address)
{
	(void)closure;
	note_slot(NULL, address);
	return address;
}

/* Notes pointers in all words of its stack, or of its thread-locals. */
static void note_range(uintptr_t from, uintptr_t to)
{
	for (from = (from + 7) & ~(uintptr_t)7; from < to; from += 8)
		note_slot(NULL, *(const uint64_t *)from);
}

static const uint8_t *process_slots(struct lp_processes *p, lp_local local, uint32_t *count)
{
	const struct local *l = &processes.locals.at[local];
	const struct rt_thread *thread = &rt.threads[SLOT];

	(void)p;
	LP_HOLDS(local < processes.locals.count);
	processes.slots.count = 0;
	if (l->stack) {
		put_in_place(l);
		if (thread->op.kind != LP_OP_CALL && !rt_live_words(thread, note_slot, NULL)) {
			processes.slots.count = 0;
			note_range((uintptr_t)thread->sp, rt_stack_top(SLOT));
			note_slot(NULL, thread->op.loc);
			note_slot(NULL, thread->op.operand.lo);
			note_slot(NULL, thread->op.operand.hi);
			note_slot(NULL, thread->op.value.lo);
			note_slot(NULL, thread->op.value.hi);
			note_slot(NULL, thread->argument);
		}
		note_range(rt_stack_top(SLOT), rt_stack_end(SLOT));
		rt_held_each(note_held, NULL);
	}
	*count = processes.slots.count;
	return processes.slots.at;
}

/* A value that does not point into a slot in use is left over and never read. */
static uint64_t moved(uint64_t word, const uint8_t *to)
{
	const uint32_t slot = rt_arena_slot(word);

	if (slot == RT_SLOTS)
		return word;
	LP_HOLDS(to[slot] == UINT8_MAX || to[slot] < RT_SLOTS);
	return to[slot] == UINT8_MAX ? 0 : word + ((uint64_t)to[slot] - slot) * RT_SLOT_SIZE;
}

static uint64_t move_held(const void *to, uint64_t address)
{
	return moved(address, to);
}

static lp_local process_moved(struct lp_processes *p, lp_local local, const uint8_t *to)
{
	struct rt_thread *thread = &rt.threads[SLOT];
	struct lp_op *op = &thread->op;

	(void)p;
	LP_HOLDS(local < processes.locals.count);
	if (!processes.locals.at[local].stack)
		return local;
	put_in_place(&processes.locals.at[local]);
	for (uintptr_t at = ((uintptr_t)thread->sp + 7) & ~(uintptr_t)7; at < rt_stack_end(SLOT); at += 8)
		*(uint64_t *)at = moved(*(uint64_t *)at, to);
	op->loc = moved(op->loc, to);
	op->operand = (struct lp_value){ moved(op->operand.lo, to), moved(op->operand.hi, to) };
	op->value = (struct lp_value){ moved(op->value.lo, to), moved(op->value.hi, to) };
	thread->argument = moved(thread->argument, to);
	rt_held_each(move_held, to);
	return intern(thread);
}

static void process_describe_pc(struct lp_processes *p, uintptr_t pc, char *out, size_t size)
{
	(void)p;
	rt_class.describe_pc(&rt.program, pc, out, size);
}

static void process_describe_loc(struct lp_processes *p, uintptr_t loc, uintptr_t pc, char *out, size_t size)
{
	(void)p;
	rt_class.describe_loc(&rt.program, loc, pc, out, size);
}

static struct lp_fingerprint process_name(struct lp_processes *p, lp_local local)
{
	(void)p;
	return processes.prints.at[local];
}

static uint64_t process_rank(struct lp_processes *p, lp_local local)
{
	(void)p;
	return processes.locals.at[local].rank;
}

static const struct lp_processes_class process_class = {
	process_pending, process_step, process_initial, process_slots, process_moved,
	process_describe_pc, process_describe_loc, &rt_memory_class, process_name, process_rank,
};

/* ---- the set-up ---- */

static bool set_up_fails(const struct lp_program_error *why, struct lp_error *error)
{
	char place[160];

	lp_symbols_place(rt.loaded.symbols, why->pc, place, sizeof place);
	return lp_fail(error, "the set-up goes wrong at %s: %s: %s", place, lp_error_name(why->kind), why->text);
}

/* Answers an operation from memory: thread 0 is alone. */
static bool answer_alone(const struct lp_op *op, struct lp_response *answer, struct lp_error *error)
{
	*answer = (struct lp_response){ .failed = false };
	switch ((enum lp_op_kind)op->kind) {
	case LP_OP_LOAD:
	case LP_OP_RMW:
		answer->value = lp_value_read((void *)op->loc, op->size);
		answer->failed = !lp_op_holds(op, answer->value);
		if (answer->failed && op->otherwise != LP_ELSE_FAIL)
			return lp_fail(error, "the set-up waits forever");
		answer->wrote = lp_op_result(op, answer->value);
		return true;
	case LP_OP_STORE:
		answer->wrote = op->operand;
		return true;
	case LP_OP_FENCE:
	case LP_OP_YIELD:
		return true;
	case LP_OP_CHOOSE:
		return op->count <= 1 || lp_fail(error, "the set-up makes choices");
	case LP_OP_ERROR:
		return set_up_fails(op->error, error);
	case LP_OP_BLOCK:
	case LP_OP_SPAWN:
	case LP_OP_JOIN:
	case LP_OP_END:
	case LP_OP_CALL:
	case LP_OP_RETURN:
	case LP_OP_POINT:
	case LP_OP_ALLOC:
	case LP_OP_FREE:
		break;
	}
	return lp_fail(error, "the set-up starts threads, or ends");
}

static bool set_up(struct lp_error *error)
{
	struct lp_response answer;
	const struct lp_op *op;

	lp_program_reset(&rt.program);
	rt_arena_open();
	while (op = lp_program_pending(&rt.program, 0), op->kind != LP_OP_CALL) {
		if (!answer_alone(op, &answer, error))
			return false;
		lp_program_resume(&rt.program, 0, &answer);
	}
	return true;
}

/* Marks the heap as initialised, because calls may write memory that the set-up has only allocated,
 * and the shadow will not be updated. */
static void make_heap_initialised(void)
{
	for (uint32_t i = 0; i < rt.threads[0].blocks; i++) {
		const struct rt_block *b = &rt_blocks(0)[i];
		if (!b->freed)
			for (uint32_t at = 0; at < b->size; at++)
				rt_heap_wrote(rt_slab_start(0) + b->start + at, 1);
	}
}

static void find_roots(uintptr_t from, uintptr_t to)
{
	LP_HOLDS(from <= to);
	for (from = (from + 7) & ~(uintptr_t)7; from + 8 <= to; from += 8)
		if (rt_arena_slot(*(const uint64_t *)from) < RT_SLOTS)
			LP_PUSH(&processes.roots, from);
}

static void describe_memory(void)
{
	struct lp_processes *p = &processes.base;

	for (unsigned i = 0; i < rt.loaded.object.data_count; i++)
		find_roots(rt.loaded.object.data[i].start, rt.loaded.object.data[i].end);
	find_roots(rt_slab_start(0), rt_slab_start(0) + rt.threads[0].heap_used);
	p->image = rt.loaded.object.image.start;
	p->image_size = rt.loaded.object.image.end - rt.loaded.object.image.start;
	p->heap = rt.process.arena;
	p->slots = RT_SLOTS;
	p->slot_size = RT_SLOT_SIZE;
	p->roots = processes.roots.at;
	p->root_count = processes.roots.count;
}

void rt_processes_begin(void *(*sequence)(void *))
{
	processes.sequence = sequence;
}

bool lp_native_processes(struct lp_native *native, const struct lp_client *before,
			 const struct lp_menu_call *calls, uint32_t count,
			 struct lp_processes **out, struct lp_error *error)
{
	processes = (struct processes){ .base = { .class = &process_class },
					.observer = { observe_access, observe_allocated,
						      observe_freed } };
	lp_native_client(native, before);
	rt_client_menu(calls, count);
	rt.program.observer = &processes.observer;
	*out = &processes.base;
	if (!set_up(error))
		return false;
	LP_HOLDS(processes.sequence); /* the set-up ends where the client begins: rt_processes_begin() */
	describe_memory();
	make_heap_initialised();
	rt_arena_share();
	processes.state_size = rt.now.state_used;
	processes.state = copy_of((void *)RT_STATE, rt.now.state_used);
	processes.mark = rt_save(&rt.program);
	rt.process.anonymous = true;
	rt_begin_thread(&rt.threads[SLOT], processes.sequence, NULL);
	lp_program_pending(&rt.program, SLOT);
	processes.base.idle = intern(&rt.threads[SLOT]);
	return true;
}

void lp_native_processes_close(struct lp_processes *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < processes.locals.count; i++) {
		lp_free(processes.locals.at[i].stack);
		lp_free(processes.locals.at[i].state);
		lp_free(processes.locals.at[i].error);
	}
	lp_free(processes.locals.at);
	lp_free(processes.prints.at);
	lp_hash_close(&processes.by_print);
	lp_free(processes.state);
	lp_free(processes.slots.at);
	lp_free(processes.roots.at);
	processes = (struct processes){ .mark = 0 };
	rt.process.anonymous = false;
	rt.process.arena = 0;
	rt.program.observer = NULL;
}

uint32_t lp_native_locals(const struct lp_processes *p, size_t *bytes)
{
	(void)p;
	*bytes = processes.bytes;
	return processes.locals.count;
}
