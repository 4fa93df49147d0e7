/* fake_rt.c -- see fake_rt.h. */
#include "fake_rt.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_rt fake = { .threads = 1, .lo = 0, .hi = 2 };

/* What is not freed stays where it is: addresses are never used twice. */
enum { HEAP = 1 << 20, BLOCKS = 4096, STATES = 512, STATE = 1 << 18 };

static _Alignas(4096) char heap[HEAP];
static size_t heap_used;
static struct {
	char *at;
	size_t size;
	bool live;
} blocks[BLOCKS];
static unsigned block_count;

static _Alignas(16) char state[STATE];
static size_t state_used;
static struct {
	const void *owner;
	void *at;
	size_t size;
} states[STATES];
static unsigned state_count;

void fake_forget(void)
{
	fake.access_count = fake.op_count = 0;
	fake.output_size = 0;
	fake.choice_count = fake.choice_next = 0;
	fake.text[0] = '\0';
	memset(fake.uses, 0, sizeof fake.uses);
}

void fake_choose(unsigned count, const uint32_t *choices)
{
	memcpy(fake.choices, choices, count * sizeof *choices);
	fake.choice_count = count;
	fake.choice_next = 0;
}

static _Noreturn void stop(const char *kind)
{
	fake.stopped = kind;
	if (!fake.stop) {
		fprintf(stderr, "unexpected stop: %s: %s\n", kind, fake.text);
		abort();
	}
	longjmp(*fake.stop, 1);
}

bool rt_running(void)
{
	return true;
}

bool rt_entered(void)
{
	return true;
}

bool rt_held_applies(const void *lock)
{
	(void)lock;
	return false;
}

void *rt_held_data(const void *lock)
{
	(void)lock;
	abort();
}

bool rt_compared(void)
{
	return false;
}

lp_tid rt_me(void)
{
	return rt_self();
}

lp_tid rt_self(void)
{
	return fake.self;
}

struct lp_response rt_op(const struct lp_op *op)
{
	struct lp_response answer = { .failed = false };

	fake.ops[fake.op_count++ % 4096] = *op;
	if (op->kind == LP_OP_LOAD || op->kind == LP_OP_RMW) {
		answer.value = lp_value_read((void *)op->loc, op->size);
		answer.failed = !lp_op_holds(op, answer.value);
		if (answer.failed && op->otherwise == LP_ELSE_WAIT)
			stop("wait");
		if (answer.failed && op->otherwise == LP_ELSE_DROP)
			stop("drop");
	}
	if (op->kind == LP_OP_STORE)
		answer.wrote = op->operand;
	if (op->kind == LP_OP_RMW && !answer.failed)
		answer.wrote = lp_op_result(op, answer.value);
	if (op->kind == LP_OP_STORE || (op->kind == LP_OP_RMW && !answer.failed))
		lp_value_write((void *)op->loc, answer.wrote, op->size);
	return answer;
}

struct lp_response rt_simple_op(const struct lp_op *op)
{
	return rt_op(op);
}

uint32_t rt_choose(const char *name, uintptr_t pc, uint32_t count)
{
	const uint32_t choice =
		fake.choice_next < fake.choice_count ? fake.choices[fake.choice_next++] : 0;

	(void)name, (void)pc;
	if (fake.at_choice)
		fake.at_choice();
	if (choice >= count)
		stop("choice out of range");
	return choice;
}

_Noreturn void rt_block(uintptr_t pc)
{
	(void)pc;
	stop("block");
}

_Noreturn void rt_error(enum lp_error_kind kind, uintptr_t pc, const void *loc, const char *format, ...)
{
	va_list args;

	(void)pc, (void)loc;
	va_start(args, format);
	vsnprintf(fake.text, sizeof fake.text, format, args);
	va_end(args);
	stop(lp_error_name(kind));
}

static void note_access(const void *p, size_t size, bool write)
{
	fake.accesses[fake.access_count++ % 4096] =
		(struct fake_access){ (uintptr_t)p, size, write };
}

static int find_block(const void *p)
{
	for (unsigned i = 0; i < block_count; i++)
		if (blocks[i].at == (const char *)p)
			return (int)i;
	return -1;
}

bool rt_on_own_stack(const void *p)
{
	(void)p;
	return false;
}

void rt_live(const void *p, size_t size, uintptr_t pc)
{
	(void)size;
	if ((uintptr_t)p < 4096)
		rt_error(LP_ERROR_OUT_OF_BOUNDS, pc, p, "null");
	for (unsigned i = 0; i < block_count; i++)
		if ((const char *)p >= blocks[i].at &&
		    (const char *)p < blocks[i].at + blocks[i].size && !blocks[i].live)
			rt_error(LP_ERROR_USE_AFTER_FREE, pc, p, "freed");
}

uintptr_t rt_enter(const void *cfa)
{
	(void)cfa;
	return 1;
}

uintptr_t rt_user_pc(uintptr_t pc)
{
	return pc;
}

void rt_describe_type(const char *name, char *out, size_t size)
{
	snprintf(out, size, "%s", name);
}

void rt_read(const void *p, size_t size, uintptr_t pc)
{
	(void)pc;
	note_access(p, size, false);
}

void rt_write(void *p, const void *from, size_t size, uintptr_t pc)
{
	(void)pc;
	note_access(p, size, true);
	memcpy(p, from, size);
}

void rt_fill(void *p, uint8_t byte, size_t size, uintptr_t pc)
{
	(void)pc;
	note_access(p, size, true);
	memset(p, byte, size);
}

void rt_copy(void *to, const void *from, size_t size, uintptr_t pc)
{
	(void)pc;
	note_access(from, size, false);
	note_access(to, size, true);
	memmove(to, from, size);
}

void *rt_heap_alloc(size_t size, size_t align, bool zeroed, uintptr_t pc)
{
	const size_t start = (heap_used + align - 1) & ~(align - 1);

	if (size > HEAP - start || block_count == BLOCKS)
		rt_error(LP_ERROR_OUT_OF_MEMORY, pc, NULL, "the test's heap is full");
	heap_used = start + size + 16;
	memset(heap + start, zeroed ? 0 : 0xaa, size);
	blocks[block_count].at = heap + start;
	blocks[block_count].size = size;
	blocks[block_count++].live = true;
	return heap + start;
}

bool rt_heap_live(const void *block)
{
	const int i = find_block(block);

	return i >= 0 && blocks[i].live;
}

void rt_heap_free(void *block, uintptr_t pc)
{
	const int i = find_block(block);

	if (i < 0)
		rt_error(LP_ERROR_INVALID_FREE, pc, block, "not a block");
	if (!blocks[i].live)
		rt_error(LP_ERROR_DOUBLE_FREE, pc, block, "freed before");
	blocks[i].live = false;
}

size_t rt_heap_size(const void *block)
{
	const int i = find_block(block);

	return i < 0 ? 0 : blocks[i].size;
}

bool rt_heap_owns(const void *p)
{
	return (const char *)p >= heap && (const char *)p < heap + HEAP;
}

bool rt_is_constant(uintptr_t loc)
{
	return !rt_heap_owns((const void *)loc); /* formats of the tests are literals otherwise */
}

bool rt_thread_exists(lp_tid t)
{
	return t < fake.threads;
}

/* The thread's whole life is in here; its end is a stop of its own. */
lp_tid rt_spawn(const char *name, uintptr_t pc, void *(*start)(void *), void *arg, uint32_t like)
{
	const lp_tid child = fake.threads++;

	(void)name, (void)pc, (void)like;
	const char *outer = fake.stopped;
	const char *how = FAKE_STOPS({
		fake.self = child;
		rt_exit(start(arg));
	});
	if (strcmp(how, "exit")) {
		fprintf(stderr, "thread %u stopped: %s: %s\n", child, how, fake.text);
		abort();
	}
	fake.stopped = outer;
	return child;
}

_Noreturn void rt_exit(void *result)
{
	rt_run_key_destructors();
	fake.results[fake.self] = result;
	stop("exit");
}

uint64_t rt_entries, rt_quiet_entries;

void *rt_join(const char *name, uintptr_t pc, lp_tid t, enum lp_else otherwise)
{
	(void)name, (void)pc, (void)otherwise;
	return fake.results[t];
}

_Noreturn void rt_finish(int status)
{
	rt_run_atexit();
	fake.status = status;
	stop("finish");
}

/* As in the runtime, a request for more than before gets new memory: objects of
 * several types may live at an address one after the other. */
void *rt_state(const void *owner, size_t size)
{
	unsigned i = 0;

	while (i < state_count && states[i].owner != owner)
		i++;
	if (i == state_count || states[i].size < size) {
		if (i == STATES || size > STATE - state_used)
			abort();
		state_count += i == state_count;
		states[i].owner = owner;
		states[i].size = size;
		states[i].at = state + state_used;
		state_used += (size + 15) & ~(size_t)15;
	}
	return states[i].at;
}

void *rt_own_state(const void *owner, size_t size)
{
	return rt_state(owner, size);
}

void *rt_state_if_any(const void *owner)
{
	for (unsigned i = 0; i < state_count; i++)
		if (states[i].owner == owner)
			return states[i].at;
	return NULL;
}

static const char word_owners[128];

uint64_t *rt_thread_words(lp_tid t)
{
	return rt_state(&word_owners[t], 16 * sizeof(uint64_t));
}

uint64_t *rt_thread_words_if_any(lp_tid t)
{
	return rt_state_if_any(&word_owners[t]);
}

uint64_t *rt_wake_word(lp_tid t)
{
	static const char owners[128];

	return rt_state(&owners[t], sizeof(uint64_t));
}

void rt_output(const char *text, size_t size)
{
	if (size > sizeof fake.output - fake.output_size)
		abort();
	memcpy(fake.output + fake.output_size, text, size);
	fake.output_size += size;
}

bool rt_option_spurious(void)
{
	return fake.spurious;
}

bool rt_option_nondet(int64_t *lo, int64_t *hi)
{
	*lo = fake.lo;
	*hi = fake.hi;
	return fake.given;
}

void rt_note_use(enum rt_use use, const char *what, uintptr_t pc)
{
	(void)what, (void)pc;
	fake.uses[use]++;
}

bool rt_ignores_result(void)
{
	return fake.ignores;
}

void rt_atomic(bool begin, uintptr_t pc)
{
	(void)begin, (void)pc;
}

void rt_fence(uintptr_t pc, enum lp_order order)
{
	(void)pc, (void)order;
}

void rt_tells_apart(void)
{
}

void rt_asks_for_result(lp_tid t)
{
	(void)t;
}

void rt_concerns_main(void)
{
}

void rt_changed(void)
{
	/* The state of a thread is not asked for here. */
}
