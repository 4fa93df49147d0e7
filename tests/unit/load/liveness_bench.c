/* liveness_bench.c -- hooks that see, and garble, what they interrupt. */
#define _GNU_SOURCE /* dlinfo */
#include "liveness_bench.h"

#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench bench;

/* As pushed by hook_common below. */
struct capture {
	uint64_t argument[6];
	uint64_t saved[LP_SAVED_COUNT];
	uint64_t rip;
};

uint64_t bench_junk; /* what a hook leaves in the caller-saved registers */
static uintptr_t stack_top;
static sigjmp_buf give_up;
static uint64_t others; /* state of the environment's and the garbler's generators */
static uint64_t garbler;

static uint64_t next(uint64_t *state)
{
	*state += UINT64_C(0x9e3779b97f4a7c15);
	return lp_mix(*state);
}

/* Op and size are in the id: op * 16 + size. */
#define HOOK(name, op, size)                              \
	".globl " #name "\n"                              \
	#name ": movl $(" #op " * 16 + " #size "), %eax\n" \
	"jmp hook_common\n"
#define EVERY_SIZE(prefix, suffix, op)                                              \
	HOOK(prefix##8##suffix, op, 1) HOOK(prefix##16##suffix, op, 2)              \
	HOOK(prefix##32##suffix, op, 4) HOOK(prefix##64##suffix, op, 8)
#define PLAIN(name, op)                                                             \
	HOOK(name##1, op, 1) HOOK(name##2, op, 2) HOOK(name##4, op, 4) HOOK(name##8, op, 8) \
	HOOK(name##16, op, 0)

__asm__(".text\n"
	PLAIN(__tsan_read, 0) PLAIN(__tsan_write, 1)
	PLAIN(__tsan_unaligned_read, 0) PLAIN(__tsan_unaligned_write, 1)
	EVERY_SIZE(__tsan_atomic, _load, 2) EVERY_SIZE(__tsan_atomic, _store, 3)
	EVERY_SIZE(__tsan_atomic, _exchange, 4) EVERY_SIZE(__tsan_atomic, _fetch_add, 5)
	EVERY_SIZE(__tsan_atomic, _compare_exchange_strong, 6)
	EVERY_SIZE(__tsan_atomic, _compare_exchange_weak, 6)
	EVERY_SIZE(__tsan_atomic, _compare_exchange_val, 7)
	EVERY_SIZE(__tsan_atomic, _fetch_or, 8) EVERY_SIZE(__tsan_atomic, _fetch_and, 9)
	EVERY_SIZE(__tsan_atomic, _fetch_xor, 10) EVERY_SIZE(__tsan_atomic, _fetch_sub, 11)
	HOOK(__tsan_atomic_thread_fence, 12, 0) HOOK(__tsan_func_entry, 12, 0)
	HOOK(__tsan_func_exit, 12, 0) HOOK(__tsan_init, 12, 0) HOOK(__tsan_read_range, 12, 0)
	HOOK(__tsan_write_range, 12, 0) HOOK(__tsan_vptr_update, 12, 0) HOOK(__tsan_vptr_read, 12, 0)
	"hook_common:\n"
	"pushq %r15\n pushq %r14\n pushq %r13\n pushq %r12\n pushq %rbp\n pushq %rbx\n"
	"pushq %r9\n pushq %r8\n pushq %rcx\n pushq %rdx\n pushq %rsi\n pushq %rdi\n"
	"movq %rsp, %rdi\n movl %eax, %esi\n"
	"subq $8, %rsp\n call bench_hook\n addq $56, %rsp\n"
	"popq %rbx\n popq %rbp\n popq %r12\n popq %r13\n popq %r14\n popq %r15\n"
	"movq bench_junk(%rip), %rcx\n"
	"movq %rcx, %rdx\n movq %rcx, %rsi\n movq %rcx, %rdi\n movq %rcx, %r8\n movq %rcx, %r9\n"
	"movq %rcx, %r10\n movq %rcx, %r11\n"
	"movq %rcx, %xmm0\n movq %rcx, %xmm1\n movq %rcx, %xmm2\n movq %rcx, %xmm3\n"
	"movq %rcx, %xmm4\n movq %rcx, %xmm5\n movq %rcx, %xmm6\n movq %rcx, %xmm7\n"
	"movq %rcx, %xmm8\n movq %rcx, %xmm9\n movq %rcx, %xmm10\n movq %rcx, %xmm11\n"
	"movq %rcx, %xmm12\n movq %rcx, %xmm13\n movq %rcx, %xmm14\n movq %rcx, %xmm15\n"
	"ret\n");

static uint64_t *word(uintptr_t address)
{
	return (uint64_t *)address;
}

/* Live bytes of the word at `address`, by the site whose frame's top is `cfa`. */
static uint64_t live_mask(const struct lp_site *site, uintptr_t cfa, uintptr_t address)
{
	for (uint32_t i = 0; site && i < site->word_count; i++)
		if (cfa + (uintptr_t)(intptr_t)site->words[i].at == address)
			return site->words[i].mask;
	return 0;
}

static void garble_word(uint64_t *w, uint64_t live)
{
	*w = (*w & live) | (next(&garbler) & ~live);
	bench.bytes_dead += (uint64_t)__builtin_popcountll(~live) / 8;
	bench.bytes_live += (uint64_t)__builtin_popcountll(live) / 8;
}

static bool is_save(const struct lp_site *site, uintptr_t cfa, uintptr_t address)
{
	for (unsigned r = 0; r < LP_SAVED_COUNT; r++)
		if (site->saved[r] && cfa + (uintptr_t)(intptr_t)site->saved[r] == address)
			return true;
	return false;
}

/* Overwrites all that is dead, in all frames.  A register that a function has not
 * saved is its caller's: there its fate is decided. */
static void garble(struct capture *c)
{
	uint64_t *place[LP_SAVED_COUNT];
	bool keep[LP_SAVED_COUNT] = { false };
	uintptr_t rip = c->rip, rsp = (uintptr_t)(&c->rip + 1), callee_cfa = 0;
	const struct lp_site *site, *callee = NULL;

	for (unsigned r = 0; r < LP_SAVED_COUNT; r++)
		place[r] = &c->saved[r];
	while ((site = lp_liveness_site(bench.liveness, rip))) {
		const uintptr_t cfa = (site->cfa_from_rbp ? *place[LP_RBP] : rsp) +
				      (uintptr_t)(intptr_t)site->cfa_offset;
		uintptr_t from = site->dynamic ? cfa + (uintptr_t)(intptr_t)site->fixed : rsp;

		if (callee && callee->incoming && site->outgoing)
			from = cfa;
		for (uintptr_t at = from; at + 8 < cfa; at += 8)
			if (!is_save(site, cfa, at))
				garble_word(word(at), live_mask(site, cfa, at) |
						      live_mask(callee, callee_cfa, at));
		for (unsigned r = 0; r < LP_SAVED_COUNT; r++) {
			keep[r] |= site->live >> r & 1;
			if (!site->saved[r])
				continue; /* the caller's as well */
			if (!keep[r] && !(site->kept >> r & 1))
				garble_word(place[r], 0);
			place[r] = word(cfa + (uintptr_t)(intptr_t)site->saved[r]);
			keep[r] = live_mask(site, cfa, (uintptr_t)place[r]) != 0;
		}
		bench.frames_known++;
		callee = site;
		callee_cfa = cfa;
		rip = *word(cfa - 8);
		rsp = cfa;
	}
	if (!callee)
		bench.frames_unknown++;
}

static uint64_t truncated(uint64_t value, unsigned size)
{
	return size == 8 ? value : value & ((UINT64_C(1) << (8 * size)) - 1);
}

static uint64_t fetch(uintptr_t at, unsigned size)
{
	uint64_t value = 0;

	memcpy(&value, (void *)at, size);
	return value;
}

static void put(uintptr_t at, uint64_t value, unsigned size)
{
	memcpy((void *)at, &value, size);
}

/* Performs the hook's operation on memory that others write, too. */
static uint64_t perform(const struct capture *c, enum bench_op op, unsigned size)
{
	const uintptr_t at = c->argument[0];
	const uint64_t value = c->argument[1];

	if (op >= BENCH_LOAD && op < BENCH_OTHER && bench.seed && next(&others) % 3 == 0)
		put(at, next(&others) % 7, size);
	const uint64_t old = op >= BENCH_LOAD && op < BENCH_OTHER ? fetch(at, size) : 0;

	switch (op) {
	case BENCH_PLAIN_READ:
		return fetch(at, size);
	case BENCH_LOAD:
		if (bench.zero_loads) {
			bench.zero_loads--;
			return 0;
		}
		return old;
	case BENCH_STORE:
		put(at, value, size);
		return 0;
	case BENCH_EXCHANGE:
		put(at, value, size);
		return old;
	case BENCH_ADD:
		put(at, old + value, size);
		return old;
	case BENCH_SUB:
		put(at, old - value, size);
		return old;
	case BENCH_OR:
		put(at, old | value, size);
		return old;
	case BENCH_AND:
		put(at, old & value, size);
		return old;
	case BENCH_XOR:
		put(at, old ^ value, size);
		return old;
	case BENCH_CAS: {
		const uint64_t expected = fetch(c->argument[1], size);
		if (bench.failing) {
			bench.failing--;
			put(c->argument[1], next(&others), size);
			return 0;
		}
		if (old == expected)
			put(at, c->argument[2], size);
		else
			put(c->argument[1], old, size);
		return old == expected;
	}
	case BENCH_CAS_VAL:
		if (bench.failing) {
			bench.failing--;
			return truncated(~value, size);
		}
		if (old == truncated(value, size))
			put(at, c->argument[2], size);
		return old;
	default:
		return 0;
	}
}

static struct bench_moment moment_of(const struct capture *c, enum bench_op op)
{
	struct lp_registers at = { .rip = c->rip, .rsp = (uintptr_t)(&c->rip + 1) };
	struct bench_moment moment = { .rip = c->rip, .op = op, .live = LP_FINGERPRINT };

	memcpy(at.saved, c->saved, sizeof at.saved);
	moment.known = lp_liveness_fingerprint(bench.liveness, &at, stack_top, &moment.live);
	moment.on_loop = lp_liveness_on_loop(bench.liveness, &at, stack_top);
	return moment;
}

/* Garbles, and sees to it that the fingerprint does not notice. */
static void garble_unnoticed(struct capture *c, enum bench_op op)
{
	const struct bench_moment before = moment_of(c, op);

	garble(c);
	const struct bench_moment after = moment_of(c, op);
	if (before.known != after.known || before.live.a != after.live.a || before.live.b != after.live.b)
		bench.failure = "the fingerprint depends on something dead";
}

uint64_t bench_hook(struct capture *c, unsigned id);
uint64_t bench_hook(struct capture *c, unsigned id)
{
	const enum bench_op op = id / 16;
	const unsigned size = id % 16;

	if (!bench.liveness)
		return 0; /* constructors */
	if (bench.count < BENCH_MOMENTS)
		bench.moments[bench.count++] = moment_of(c, op);
	const uint64_t result = perform(c, op, size);
	lp_fingerprint_word(&bench.trace, id);
	lp_fingerprint_word(&bench.trace, op < BENCH_OTHER && !bench.no_addresses ? c->argument[0] : 0);
	lp_fingerprint_word(&bench.trace, result);
	if (op >= BENCH_STORE && op < BENCH_OTHER && op != BENCH_CAS)
		lp_fingerprint_word(&bench.trace, truncated(c->argument[1], size));
	if (bench.garble) {
		garble_unnoticed(c, op);
		bench_junk = next(&garbler);
	}
	if (!bench.fuel--) {
		bench.failure = "it does not end";
		siglongjmp(give_up, 1);
	}
	return result;
}

/* Functions outside the object, of which the analysis knows nothing. */
uint64_t ext_many(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f,
		  uint64_t g, uint64_t h);
uint64_t ext_many(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f,
		  uint64_t g, uint64_t h)
{
	const uint64_t all[] = { a, b, c, d, e, f, g, h };

	for (unsigned i = 0; i < 8; i++)
		lp_fingerprint_word(&bench.trace, all[i]);
	return a + 3 * b + g + 7 * h;
}

uint64_t ext_variadic(int count, ...);
uint64_t ext_variadic(int count, ...)
{
	va_list list;
	uint64_t sum = 0;

	va_start(list, count);
	while (count--)
		sum = sum * 3 + va_arg(list, uint64_t);
	va_end(list);
	lp_fingerprint_word(&bench.trace, sum);
	return sum;
}

uint64_t ext_call(uint64_t (*function)(uint64_t), uint64_t argument);
__attribute__((noinline)) uint64_t ext_call(uint64_t (*function)(uint64_t), uint64_t argument)
{
	return function(argument) + 1;
}

static void crashed(int signal)
{
	bench.failure = signal == SIGFPE ? "arithmetic signal" : "crash";
	siglongjmp(give_up, 1);
}

__attribute__((noinline)) static uint64_t call(uint64_t (*function)(uint64_t, uint64_t), uint64_t a,
					       uint64_t b)
{
	stack_top = (uintptr_t)__builtin_frame_address(0);
	const uint64_t result = function(a, b);
	__asm__ volatile("" ::: "memory");
	return result;
}

bool bench_run(uint64_t (*function)(uint64_t, uint64_t), uint64_t a, uint64_t b)
{
	static char signal_stack[64 * 1024];
	const stack_t alternative = { .ss_sp = signal_stack, .ss_size = sizeof signal_stack };
	struct sigaction action = { .sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_NODEFER };

	sigaltstack(&alternative, NULL);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	sigaction(SIGFPE, &action, NULL);
	sigaction(SIGILL, &action, NULL);
	bench.trace = (struct lp_fingerprint)LP_FINGERPRINT;
	bench.count = 0;
	bench.failure = NULL;
	others = bench.seed;
	garbler = ~bench.seed;
	bench_junk = 0;
	if (!sigsetjmp(give_up, 1))
		lp_fingerprint_word(&bench.trace, call(function, a, b));
	return !bench.failure;
}

bool bench_compile(const char *folder, const char *compiler, const char *flags, const char *suffix,
		   const char *text, struct bench_object *out)
{
	static unsigned number;
	char source[160], command[1024];
	struct lp_error error;
	struct link_map *map;

	*out = (struct bench_object){ 0 };
	snprintf(out->path, sizeof out->path, "%s/%u.so", folder, number);
	snprintf(source, sizeof source, "%s/%u.%s", folder, number++, suffix);
	FILE *file = fopen(source, "w");
	if (!file)
		return false;
	fputs(text, file);
	fclose(file);
	snprintf(command, sizeof command,
		 "%s %s -w -fsanitize=thread -fno-omit-frame-pointer -fno-jump-tables -fPIC "
		 "-fno-stack-protector -fcf-protection=none -c %s -o %s.o && "
		 "%s -shared -Wl,-Bsymbolic %s.o -o %s",
		 compiler, flags, source, out->path, compiler, out->path, out->path);
	if (system(command)) {
		fprintf(stderr, "failed: %s\n", command);
		return false;
	}
	bench.liveness = NULL;
	out->handle = dlopen(out->path, RTLD_NOW | RTLD_LOCAL);
	if (!out->handle || dlinfo(out->handle, RTLD_DI_LINKMAP, &map)) {
		fprintf(stderr, "%s\n", dlerror());
		return false;
	}
	out->liveness = lp_liveness_open(out->path, map->l_addr, &error);
	if (!out->liveness)
		fprintf(stderr, "%s\n", error.text);
	bench.liveness = out->liveness;
	return out->liveness != NULL;
}

void bench_drop(struct bench_object *object)
{
	bench.liveness = NULL;
	lp_liveness_close(object->liveness);
	if (object->handle)
		dlclose(object->handle);
	*object = (struct bench_object){ 0 };
}
