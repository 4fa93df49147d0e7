/* machine.c -- coroutines that stop at every operation: program.h on native code.
 *
 * A thread's next operation is written into its record by the hook that was
 * called, which then switches to the explorer; when the explorer switches back, the answer is in
 * rt.answer.  So a step costs two switches of stacks and one copy of an operation, but no system
 * call.
 *
 * A thread starts to run when it is first asked for (pending or resume), not at its SPAWN: by then
 * the explorer knows the thread, so the observer may be told about it.
 */
#include "runtime/machine.h"
#include "base/error.h"
#include "runtime/coverage_flags.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "frontend/load/site_names.h"
#include "runtime/memory/heap.h"
#include "runtime/runtime.h"
#include "runtime/ignored.h"

static struct lp_current no_program;
struct rt_machine rt = { .current = &no_program };

void rt_forget_program(void)
{
	memset(&rt, 0, sizeof rt);
	rt.loaded.object.fd = -1;
	rt.current = &no_program;
}

/* The arguments of main().  They are not part of the execution, because programs are assumed not to
 * change them. */
static char *program_arguments[] = { (char *)"program", NULL };
static char *program_environment[] = { NULL };

bool rt_running(void)
{
	return rt.self && !rt.setting_up;
}

bool rt_entered(void)
{
	return rt.self != NULL;
}

bool rt_compared(void)
{
	return rt.self && rt.process.anonymous;
}

lp_tid rt_me(void)
{
	return rt.self ? rt_id(rt.self) : 0;
}

lp_tid rt_self(void)
{
	if (rt.self && rt.process.anonymous)
		rt_error(LP_ERROR_UNSUPPORTED, (uintptr_t)rt_site(), NULL,
			 "something that depends on which thread calls: threads have no names here");
	return rt_me();
}

__attribute__((noinline)) /* debuggers also stop here: debug.c */
_Noreturn void rt_stop(void)
{
	struct rt_thread *self = rt.self;
	LP_HOLDS(self->op.kind == LP_OP_END || self->op.kind == LP_OP_ERROR || self->op.kind == LP_OP_BLOCK);

	self->state = RT_STOPPED;
	self->sp = NULL;
	lp_context_leave(rt.explorer);
}

/* Makes the `size` bytes below `top` unwritten. */
static inline void wipe(uintptr_t top, size_t size)
{
	typedef uint64_t four __attribute__((vector_size(32), aligned(8), may_alias));
	const four pattern = { RT_UNWRITTEN, RT_UNWRITTEN, RT_UNWRITTEN, RT_UNWRITTEN };
	LP_HOLDS(top % 8 == 0 && size % sizeof pattern == 0);

	for (size_t i = 32; i <= size; i += 32)
		*(four *)(top - i) = pattern;
}

/* Runs the thread until its next operation: everything that a coroutine does
 * happens inside this call. */
static inline __attribute__((always_inline)) void run(struct rt_thread *thread)
{
	LP_HOLDS(!rt.self && thread->sp); /* coroutines do not nest */
	const uintptr_t sp = (uintptr_t)thread->sp & ~(uintptr_t)7;
	const uintptr_t floor = RT_STACKS + rt_id(thread) * rt.layout.stack_stride + RT_GUARD + RT_WIPED;
	LP_HOLDS(sp < rt_stack_top(rt_id(thread)) && sp >= floor - RT_GUARD - RT_WIPED); /* on its own stack */

	if (sp > floor)
		wipe(sp, RT_WIPED);
	rt_touch(rt_id(thread));
	rt.self = thread;
	rt.own_stack = RT_STACKS + rt_id(thread) * rt.layout.stack_stride;
	rt.current->top = thread->top;
	rt.current->locals = (uint8_t *)rt_stack_top(rt_id(thread));
	rt.budget = rt.limits.steps;
	rt.progress++;
	lp_context_switch(&rt.explorer, thread->sp);
	thread->top = rt.current->top;
	rt.self = NULL;
	LP_HOLDS(thread->state == RT_WAITING || thread->state == RT_STOPPED);
	if (__builtin_expect(rt.complaint.made != 0, 0))
		rt_complete_error((struct lp_program_error *)thread->op.error);
}

static void thread_entry(void)
{
	struct rt_thread *self = rt.self;
	LP_HOLDS(self->start || (self == &rt.threads[0] && !rt.setting_up)); /* only main() has no start
	                                                                      * function */

	if (self != &rt.threads[0] || rt.setting_up)
		rt_exit(self->start(self->arg));
	int (*main_function)(int, char **, char **) =
		(int (*)(int, char **, char **))rt.loaded.object.main;
	const int status = main_function(1, program_arguments, program_environment);
	rt_end_stack();
	rt_finish(status);
}

void rt_begin_thread(struct rt_thread *thread, void *(*start)(void *), void *arg)
{
	const lp_tid t = rt_id(thread);

	LP_HOLDS(t < RT_THREADS && (thread->state == RT_ABSENT || !t));
	*thread = (struct rt_thread){ .state = RT_NEW, .start = start, .arg = arg,
				      .heap_used = thread->heap_used, .blocks = thread->blocks,
				      .known = rt_stack_top(t) };
	rt_touch(t);
	if (t >= rt.now.threads)
		rt.now.threads = t + 1;
}

static void start_thread(struct rt_thread *thread)
{
	const lp_tid t = rt_id(thread);

	LP_HOLDS(thread->state == RT_NEW && t < rt.now.threads);
	LP_HOLDS(rt_stack_top(t) % 16 == 0); /* the ABI requires this */
	if (rt.layout.tls_room)
		rt_tls_begin(t);
	rt_guard_stack(t);
	wipe(rt_stack_top(t), RT_WIPED_AT_BIRTH);
	thread->sp = lp_context_prepare((void *)rt_stack_top(t), thread_entry);
	run(thread);
}

struct lp_program_error *rt_new_error(void)
{
	static const char owners[RT_THREADS]; /* only their addresses matter */
	LP_HOLDS(rt.self && rt_id(rt.self) < RT_THREADS);
	struct lp_program_error *error = rt_own_state(&owners[rt_id(rt.self)], sizeof *error);

	rt.self->op = (struct lp_op){ .kind = LP_OP_ERROR, .error = error };
	return error;
}

static _Noreturn void wait_forever(uintptr_t pc, uint32_t count)
{
	rt.self->op = (struct lp_op){ .kind = LP_OP_BLOCK, .pc = pc, .count = count };
	for (;;) /* its variables remain, because other threads may know them */
		rt_present();
}

/* Signal handlers run on a stack of their own, which is abandoned. */
static _Noreturn void cut_off(uintptr_t pc)
{
	rt.complaint = (struct rt_complaint){ 0 };
	if (rt_in_stacks((uintptr_t)__builtin_frame_address(0)))
		wait_forever(pc, 1);
	rt.self->op = (struct lp_op){ .kind = LP_OP_BLOCK, .pc = pc, .unreported = 1 };
	rt_stop();
}

_Noreturn void rt_error(enum lp_error_kind kind, uintptr_t pc, const void *loc, const char *format, ...)
{
	va_list arguments;
	LP_HOLDS(rt.self && kind != LP_ERROR_NONE);

	if (lp_native_cuts_off(kind, pc))
		cut_off(pc);
	struct lp_program_error *error = rt_new_error();
	*error = (struct lp_program_error){ .kind = kind, .loc = (uintptr_t)loc, .pc = pc };
	va_start(arguments, format);
	vsnprintf(error->text, sizeof error->text, format, arguments);
	va_end(arguments);
	rt.self->op.pc = pc;
	rt_stop();
}

/* For constructors: the only thread performs the operation at once. */
static struct lp_response perform_alone(const struct lp_op *op)
{
	struct lp_response answer = { .failed = false };
	void *loc = (void *)op->loc;
	LP_HOLDS(rt.setting_up || !rt.self);

	switch ((enum lp_op_kind)op->kind) {
	case LP_OP_LOAD:
	case LP_OP_RMW:
		answer.value = lp_value_read(loc, op->size);
		answer.failed = !lp_op_holds(op, answer.value);
		if (answer.failed && op->otherwise != LP_ELSE_FAIL)
			rt_error(LP_ERROR_DEADLOCK, op->pc, loc, "a constructor waits forever");
		if (op->kind == LP_OP_RMW && !answer.failed) {
			answer.wrote = lp_op_result(op, answer.value);
			lp_value_write(loc, answer.wrote, op->size);
		}
		break;
	case LP_OP_STORE:
		answer.wrote = op->operand;
		lp_value_write(loc, op->operand, op->size);
		break;
	case LP_OP_SPAWN:
	case LP_OP_JOIN:
	case LP_OP_BLOCK:
		rt_error(LP_ERROR_UNSUPPORTED, op->pc, NULL, "a constructor starts or awaits threads");
	default:
		break;
	}
	return answer;
}

/* Writes a value of a shim to a variable of the program, which may be in another thread's stack. */
static void write_at(uintptr_t loc, struct lp_value value, unsigned size)
{
	LP_HOLDS(size && size <= 16 && loc);
	lp_value_write((void *)loc, value, size);
	if (rt_in_stacks(loc))
		rt_touch((lp_tid)((loc - RT_STACKS) / rt.layout.stack_stride));
}

static struct lp_response ask(const struct lp_op *op, bool simple)
{
	if (rt.setting_up || !rt.self)
		return perform_alone(op);
	LP_HOLDS(op->size <= 16 && !(op->size & (op->size - 1))); /* a power of two, or no access */
	rt.self->op = *op;
	rt.self->simple = simple;
	rt.self->argument = 0;
	rt_present();
	const struct lp_response answer = rt.answer;
	if (op->kind == LP_OP_STORE)
		write_at(op->loc, op->operand, op->size);
	else if (op->kind == LP_OP_RMW && !answer.failed)
		write_at(op->loc, answer.wrote, op->size);
	return answer;
}

struct lp_response rt_op(const struct lp_op *op)
{
	return ask(op, false);
}

struct lp_response rt_simple_op(const struct lp_op *op)
{
	return ask(op, true);
}

struct lp_value rt_load(const char *name, uintptr_t pc, const void *loc, unsigned size,
			enum lp_order order)
{
	return rt_op(&(struct lp_op){ .kind = LP_OP_LOAD, .size = (uint8_t)size,
				      .order = (uint8_t)order, .loc = (uintptr_t)loc, .pc = pc,
				      .name = name }).value;
}

void rt_store(const char *name, uintptr_t pc, void *loc, unsigned size, enum lp_order order,
	      struct lp_value value)
{
	rt_op(&(struct lp_op){ .kind = LP_OP_STORE, .size = (uint8_t)size,
			       .order = (uint8_t)order, .loc = (uintptr_t)loc, .pc = pc,
			       .operand = value, .name = name });
}

void rt_fence(uintptr_t pc, enum lp_order order)
{
	rt_op(&(struct lp_op){ .kind = LP_OP_FENCE, .order = (uint8_t)order, .pc = pc });
}

uint32_t rt_choose(const char *name, uintptr_t pc, uint32_t count)
{
	const uint64_t chosen = rt_op(&(struct lp_op){ .kind = LP_OP_CHOOSE, .count = count, .pc = pc, .name = name }).value.lo;

	LP_HOLDS(chosen < count);
	return (uint32_t)chosen;
}

_Noreturn void rt_block(uintptr_t pc)
{
	wait_forever(pc, 0);
}

static bool ignores_argument(void *(*start)(void *))
{
	for (uint64_t i = 0; i < rt.module->ignoring_count; i++)
		if ((uintptr_t)rt.module->ignoring[i] == (uintptr_t)start)
			return true;
	return false;
}

/* 1 + the last thread that the current one has started with the same function and argument, if it has done
 * nothing else since; or 0. */
static uint32_t recognise(const struct rt_thread *self, void *(*start)(void *), const void *arg)
{
	for (uint32_t n = self->spawned; n-- > self->series;) {
		const lp_tid child = rt_child_id(rt_id(self), n);
		LP_HOLDS(child < rt.now.threads);
		const struct rt_thread *other = &rt.threads[child];
		if (other->recognisable && other->start == start && (other->arg == arg || ignores_argument(start)))
			return child + 1;
	}
	return 0;
}

lp_tid rt_spawn(const char *name, uintptr_t pc, void *(*start)(void *), void *arg, uint32_t like)
{
	struct rt_thread *self = rt.self;
	const bool recognisable = like == RT_RECOGNISE && rt_recognises() && !rt.module->tells_threads_apart;

	if (rt.current->calls != self->calls + 1)
		self->series = self->spawned;
	if (like == RT_RECOGNISE)
		like = recognisable ? recognise(self, start, arg) : 0;
	LP_HOLDS(!like || rt_thread_exists(like - 1));
	const lp_tid child = rt_child_id(rt_id(self), self->spawned);
	if (child == RT_NO_THREAD)
		rt_error(LP_ERROR_UNSUPPORTED, pc, NULL, "more than %d threads", RT_THREADS);
	LP_HOLDS(child > rt_id(self) && self->series <= self->spawned); /* ids are handed out in order */
	rt_op(&(struct lp_op){ .kind = LP_OP_SPAWN, .target = child, .pc = pc, .name = name,
			       .elder = like, .operand = lp_value((uintptr_t)arg),
			       .value = lp_value(recognisable && like) });
	self->spawned++;
	self->calls = rt.current->calls;
	rt_begin_thread(&rt.threads[child], start, arg);
	rt.threads[child].recognisable = recognisable;
	return child;
}

_Noreturn void rt_exit(void *result)
{
	rt_run_key_destructors();
	rt_end_stack();
	rt.self->result = result;
	if (result)
		rt_returned();
	rt.self->op = (struct lp_op){ .kind = LP_OP_END };
	rt_stop();
}

_Noreturn void rt_finish(int status)
{
	(void)status;
	rt_run_atexit();
	if (rt.options.leaks) {
		rt_entries++; /* the result depends on everything that other threads have done */
		rt_check_leaks();
	}
	rt.self->op = (struct lp_op){ .kind = LP_OP_END, .final = 1 };
	rt_stop();
}

void *rt_join(const char *name, uintptr_t pc, lp_tid target, enum lp_else otherwise)
{
	if (otherwise != LP_ELSE_WAIT)
		rt_entries++; /* the join may not take place */
	rt_op(&(struct lp_op){ .kind = LP_OP_JOIN, .target = target, .pc = pc, .name = name,
			       .otherwise = (uint8_t)otherwise });
	LP_HOLDS(target < rt.now.threads && rt.threads[target].op.kind == LP_OP_END);
	rt.threads[target].joined = true;
	rt_touch(target);
	return rt.threads[target].result;
}

bool rt_thread_exists(lp_tid t)
{
	return t < rt.now.threads && rt.threads[t].state != RT_ABSENT;
}

bool rt_option_spurious(void)
{
	return rt.options.spurious;
}

bool rt_option_nondet(int64_t *lo, int64_t *hi)
{
	*lo = rt.options.nondet.low;
	*hi = rt.options.nondet.high;
	return rt.options.nondet.given;
}

/* There is one recursive lock for all atomic sections. */
void rt_atomic(bool begin, uintptr_t pc)
{
	static const char owner;
	uint64_t *word = rt_own_state(&owner, sizeof *word);
	struct lp_op op = { .kind = LP_OP_RMW, .size = 8, .order = LP_SC, .rmw = LP_XCHG,
			    .when = LP_IF_EQUAL, .otherwise = LP_ELSE_WAIT, .internal = true, .lock = true,
			    .loc = (uintptr_t)word, .mask = { UINT64_MAX, UINT64_MAX },
			    .pc = pc, .operand = { 1, 0 }, .name = "__VERIFIER_atomic_begin" };

	if (!begin && !rt.self->guards)
		rt_error(LP_ERROR_MUTEX, pc, NULL, "__VERIFIER_atomic_end() without __VERIFIER_atomic_begin()");
	if (begin && rt.self->guards++)
		return;
	if (!begin && --rt.self->guards)
		return;
	if (!begin) {
		op.kind = LP_OP_STORE;
		op.operand.lo = 0;
		op.name = "__VERIFIER_atomic_end";
	}
	rt_op(&op);
}

uint64_t *rt_thread_words(lp_tid t)
{
	LP_HOLDS(t < RT_THREADS);
	return rt_own_state(&rt.threads[t], RT_THREAD_WORDS * sizeof(uint64_t));
}

uint64_t *rt_thread_words_if_any(lp_tid t)
{
	return rt_state_if_any(&rt.threads[t]);
}

/* These are never written: their addresses identify memory from rt_own_state(). */
const char rt_wake_owner[RT_THREADS];

uint64_t *rt_wake_word(lp_tid t)
{
	LP_HOLDS(t < RT_THREADS);
	return rt_own_state(&rt_wake_owner[t], sizeof(uint64_t));
}

void rt_concerns_main(void)
{
	if (rt.self && rt.self != &rt.threads[0])
		rt.program.main_concerned = true;
	rt_differs();
}

void rt_changed(void)
{
	if (rt.self)
		rt.self->changes++;
}

void rt_output(const char *text, size_t size)
{
	if (!rt.options.echo)
		return;
	if (rt.now.output_size + size > rt.said.output_room) {
		rt.said.output_room = (uint32_t)(rt.now.output_size + size) * 2;
		rt.said.output = lp_realloc(rt.said.output, rt.said.output_room);
	}
	memcpy(rt.said.output + rt.now.output_size, text, size);
	rt.now.output_size += (uint32_t)size;
}

LP_API void lp_shim_lp_outcome(const char *text)
{
	const size_t size = strlen(text) + 1;

	rt_read(text, size, RT_PC);
	if (size > rt.said.outcome_room) {
		rt.said.outcome_room = (uint32_t)size * 2;
		rt.said.outcome = lp_realloc(rt.said.outcome, rt.said.outcome_room);
	}
	rt_differs();
	if (size != rt.now.outcome_size || memcmp(rt.said.outcome, text, size))
		rt_changed();
	memcpy(rt.said.outcome, text, size);
	rt.now.outcome_size = (uint32_t)size;
}

LP_API unsigned lp_shim_lp_choose(unsigned count)
{
	if (!count)
		rt_block(RT_PC);
	if (count > 1 && !rt_running())
		rt_note_use(RT_USE_FIXED, "lp_choose", RT_PC);
	return rt_choose("lp_choose", RT_PC, count);
}

static void machine_reset(struct lp_program *program)
{
	(void)program;
	LP_HOLDS(!rt.self && !rt.setting_up);
	rt_restore_beginning();
	rt_begin_thread(&rt.threads[0], NULL, NULL);
}

static lp_tid machine_threads(struct lp_program *program)
{
	(void)program;
	return rt.family.known;
}

static const struct lp_op *machine_pending(struct lp_program *program, lp_tid t)
{
	struct rt_thread *thread = &rt.threads[t];

	(void)program;
	if (t >= RT_THREADS || thread->state == RT_ABSENT)
		return NULL;
	if (thread->state == RT_NEW)
		start_thread(thread);
	return &thread->op;
}

static void machine_resume(struct lp_program *program, lp_tid t, const struct lp_response *answer)
{
	struct rt_thread *thread = &rt.threads[t];

	if (thread->state != RT_WAITING) {
		machine_pending(program, t);
		if (thread->state != RT_WAITING)
			LP_BUG("thread %u cannot go on", t);
	}
	LP_HOLDS(thread->state == RT_WAITING && t < rt.now.threads);
	rt.answer = *answer;
	run(thread);
}

static bool machine_initial(struct lp_program *program, uintptr_t loc, unsigned size,
			    struct lp_value *value)
{
	(void)program;
	LP_HOLDS(size && size <= 16);
	*value = lp_value_read((const void *)loc, size);
	if (rt_in_heap(loc))
		return rt_heap_may(loc, size, false) || !rt_heap_untouched(loc, size);
	return !rt_in_stacks(loc) || !rt_stack_is_unwritten(loc, size);
}

static bool machine_lives(struct lp_program *program, uintptr_t loc, size_t size)
{
	(void)program;
	return !rt_in_heap(loc) || rt_heap_may(loc, size, true);
}

static const char *machine_outcome(struct lp_program *program)
{
	(void)program;
	return rt.now.outcome_size ? rt.said.outcome : NULL;
}

/* The thread that owns the memory, in its slab or its stack.  The top bit of a place distinguishes
 * the two. */
static bool machine_owner(struct lp_program *p, uintptr_t loc, lp_tid *thread, uintptr_t *place)
{
	(void)p;
	if (rt_in_heap(loc)) {
		*thread = rt_slab(loc);
		*place = rt_slab_offset(loc);
		LP_HOLDS(*thread < RT_THREADS);
		return true;
	}
	if (rt_in_stacks(loc)) {
		*thread = (lp_tid)((loc - RT_STACKS) / rt.layout.stack_stride);
		*place = UINT64_C(1) << 63 | (loc - RT_STACKS) % rt.layout.stack_stride;
		return true;
	}
	return false;
}

static uintptr_t machine_placed(struct lp_program *p, lp_tid thread, uintptr_t place)
{
	const uint64_t in_stack = UINT64_C(1) << 63;

	(void)p;
	LP_HOLDS(thread < RT_THREADS);
	return place & in_stack ? RT_STACKS + thread * rt.layout.stack_stride + (place & ~in_stack) : rt_slab_start(thread) + place;
}

static uint64_t machine_noise(struct lp_program *program)
{
	(void)program;
	return rt_entries + rt.current->calls - rt_quiet_entries;
}

static void machine_trial(struct lp_program *program, bool begins)
{
	(void)program;
	rt_coverage_trial(begins);
}

const struct lp_program_class rt_class = {
	.shared = &rt_shared_class,
	.reset = machine_reset,
	.threads = machine_threads,
	.pending = machine_pending,
	.resume = machine_resume,
	.initial = machine_initial,
	.lives = machine_lives,
	.owner = machine_owner,
	.placed = machine_placed,
	.save = rt_save,
	.restore = rt_restore,
	.forget = rt_forget,
	.save_cost = rt_save_cost,
	.live_state = rt_live_state,
	.end_state = rt_end_state,
	.noise = machine_noise,
	.trial = machine_trial,
	.outcome = machine_outcome,
	.describe_pc = rt_describe_pc,
	.describe_loc = rt_describe_loc,
	.memory = &rt_memory_class,
};
