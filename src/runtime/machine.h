/* machine.h -- inside the runtime: the one program under test, running.
 *
 * There is one machine in a process: the hooks have no argument that could say
 * which.  It holds two kinds of state:
 *
 *   what lasts     the loaded object, the names of threads, the saved states
 *   an execution   struct rt_execution, struct rt_thread, and memory at fixed
 *                  addresses: stacks, heap, heap shadow, block tables, state
 *
 * The second kind is all that save() copies.  Of every region only a used prefix
 * is meaningful, and its length is part of the execution.
 *
 *     stacks   0x200000000000   one a thread; thread-locals at the top
 *     heap     0x2100d5000000   one slab a thread; neither half of an address in the first
 *                               of them is a number that programs use (state_tidy.c)
 *     state    0x240000000000   rt_state() memory and errors
 *     shadow   0x250000000000   two bits for each byte from the stacks to the heap's end (heap.h)
 *     blocks   0x260000000000   one table of blocks a thread
 *
 * At 0x10000000 is what was reached in all executions (coverage_flags.c).
 */
#ifndef LP_RUNTIME_MACHINE_H
#define LP_RUNTIME_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"
#include "frontend/abi.h"
#include "frontend/load/object.h"
#include "frontend/load/symbols.h"
#include "program/program.h"
#include "runtime/context.h"
#include "runtime/rt.h"
#include "runtime/runtime.h"

#define RT_THREADS 1024 /* in one execution, ended ones included: an id is never used again (P2) */
#define RT_NOBODY UINT32_MAX
#define RT_GUARD (64 << 10) /* bytes at the low end of a stack that fault: a page of any size */

#define RT_STACKS UINT64_C(0x200000000000)
#define RT_HEAP UINT64_C(0x2100d5000000)
#define RT_STATE UINT64_C(0x240000000000)
#define RT_STATE_SIZE (UINT64_C(1) << 28)
#define RT_SHADOW UINT64_C(0x250000000000)
#define RT_BLOCKS UINT64_C(0x260000000000)

enum rt_thread_state {
	RT_ABSENT,  /* zero: the rest is zero, too */
	RT_NEW,     /* exists, and has not run: its stack is empty */
	RT_WAITING, /* at `op`, its context is `sp` */
	RT_STOPPED, /* at `op`, forever: END, ERROR or BLOCK */
};

/* Where the program called a shim last, or a hook that is not `simple`. */
struct rt_entered {
	const struct lp_live_frame *top;
	const struct lp_site *site;
	uintptr_t sp;       /* of the caller: bytes below are ours */
};

struct rt_thread {
	void *sp;
	struct lp_op op;
	void *(*start)(void *);
	void *arg, *result;
	uint32_t state;     /* enum rt_thread_state */
	uint32_t spawned;   /* children so far */
	uint32_t heap_used; /* of its slab */
	uint32_t blocks;    /* in its table */
	uint32_t changes;   /* plain writes outside its stack, allocations, frees */
	uintptr_t lent, lent_end; /* of its stack: what other threads use (stacks.c), or 0 */
	uint16_t guards;    /* depth of functions that run atomically */
	bool joined;        /* another thread has waited for its end */
	bool simple;        /* the rest of the hook depends on `op`, its answer and ... */
	uintptr_t argument; /* ... this */
	struct lp_live_frame *top; /* its innermost frame, while it does not run */
	struct rt_entered entered;
	uintptr_t known;    /* where the part of its stack begins that the shadow tells of */
};

/* What is mutable, beside threads and regions. */
struct rt_execution {
	uint32_t threads;    /* ids below may exist; those above are RT_ABSENT */
	uint32_t state_used; /* RT_STATE bytes beyond are zero */
	uint32_t outcome_size, output_size;
	uint64_t heap_total;
};

/* Thread-local words of libraries that the program uses itself; libstdc++ has two. */
#define RT_FOREIGN 16

/* Places that an error's text still lacks (heap.c). */
struct rt_complaint {
	uintptr_t made, freed;
};

/* Where the execution state of an owner is (rt_state()). */
struct rt_place {
	const void *owner;
	uint32_t offset, size;
};

/* Where a saved state begins, and, behind images of threads, what else there is of it (save.c). */
struct rt_mark {
	uint32_t begin, state;
};

struct rt_limits {
	size_t stack;       /* bytes a stack */
	unsigned slab_bits; /* log2 of a heap slab */
	uint64_t heap;      /* bytes of heap in all */
	uint64_t steps;     /* plain accesses between two operations */
	double seconds;     /* without hook or operation */
};

struct rt_machine {
	struct lp_program program; /* first: the machine is a program */

	/* The hot part. */
	struct rt_thread *self;    /* on whose coroutine we are; NULL: the explorer's */
	void *explorer;            /* the explorer's context, while self is set */
	struct lp_response answer;   /* to the operation being resumed */
	uint64_t budget;           /* plain accesses left until the next operation */
	uintptr_t own_stack;       /* where the stack of `self` begins */
	size_t stack_room;         /* bytes of a stack but for its thread-locals */
	uint32_t foreign_count;    /* of `foreign` */
	bool setting_up;
	bool anonymous;            /* threads are processes: native_process.c */
	uintptr_t arena;           /* where blocks are that can be renamed: arena.c; or 0 */
	const struct lp_module *module; /* of the program; NULL: none is loaded */
	struct lp_current *current;     /* of that module */
	uint8_t *reached;               /* by site: enum lp_reached (sites.h); of this process: coverage_flags.c */
	struct {
		LP_VEC(uint8_t);
	} mutants;                      /* by mutant: enum lp_mutant_seen (frontend/abi.h) */
	struct rt_execution now;
	struct rt_thread threads[RT_THREADS];
	struct rt_complaint complaint;
	struct lp_program_error told; /* for the observer to fill in */

	/* What lasts. */
	struct rt_limits limits;
	struct lp_object object;
	struct lp_symbols *symbols;
	uint8_t *variables;        /* by address in the image: is it in a variable? */
	bool open;
	struct lp_runtime_options options;
	struct rt_names *names;    /* shared by processes: agreed_names.c */
	struct rt_doubts *doubts;  /* likewise: native_doubts.c */
	lp_tid known_threads;      /* ids handed out so far */
	struct {
		LP_VEC(lp_tid);
	} children[RT_THREADS];    /* [parent].at[n] is the id of its n-th child */
	uint8_t *main_tls;         /* thread 0's thread-locals after the constructors */
	size_t stack_stride, tls_room;
	uintptr_t foreign[RT_FOREIGN]; /* thread-locals of libraries: words */
	char *outcome, *output;
	uint32_t outcome_room, output_room;
	uint64_t progress;         /* operations so far; for the watch */
	struct {
		LP_VEC(uint8_t);
	} saved;
	struct {
		LP_VEC(struct rt_mark);
	} marks;                   /* of the saved states */
	struct rt_mark beginning;  /* of the initial state */
	uint32_t image[RT_THREADS]; /* 1 + where in `saved` a copy of the thread is, or 0: save.c */
	bool unhooked;             /* code without hooks has run, and may have written to any memory */
};

extern struct rt_machine rt;
extern const struct lp_program_class rt_class;

/* describe.c */
extern const char rt_wake_owner[RT_THREADS]; /* machine.c: whose wake-ups are execution state */
extern const struct lp_memory_class rt_memory_class;
void rt_describe_pc(struct lp_program *, uintptr_t pc, char *out, size_t size);
void rt_describe_loc(struct lp_program *, uintptr_t loc, uintptr_t pc, char *out, size_t size);

static inline lp_tid rt_id(const struct rt_thread *thread)
{
	return (lp_tid)(thread - rt.threads);
}

/* Local variables begin with this, eight bytes at a time; and so does, at a thread's birth and
 * whenever it goes on, as much of the free part of its stack as the next few calls need.  What a
 * thread reads before writing it then does not depend on other executions. */
#define RT_UNWRITTEN UINT64_C(0xb5ad4eceda1ce2a9)
#define RT_WIPED_AT_BIRTH 2048
#define RT_WIPED 128

static inline bool rt_in_stacks(uintptr_t p)
{
	return p - RT_STACKS < RT_THREADS * rt.stack_stride;
}

/* Thread-locals are not part of it: their owner can always come back to them. */
static inline bool rt_in_own_stack(uintptr_t p)
{
	return p - rt.own_stack < rt.stack_room;
}

/* Where the stack proper of a thread ends, and its thread-locals begin. */
static inline uintptr_t rt_stack_top(lp_tid t)
{
	return RT_STACKS + (t + 1) * rt.stack_stride - rt.tls_room;
}

/* Where all that belongs to the thread ends. */
static inline uintptr_t rt_stack_end(lp_tid t)
{
	return RT_STACKS + (t + 1) * rt.stack_stride;
}

/* Where the running function is: at a call of its own, or where the last operation of its was
 * presented; NULL if no function of the program is running. */
static inline const struct lp_site *rt_site(void)
{
	return rt.current->top ? rt.current->top->site : NULL;
}

/* A hook is to present an operation, or an error. */
static inline void rt_at(const struct lp_site *site)
{
	if (rt.current->top)
		rt.current->top->site = site;
}

/* The same for what hooks and shims have in common; 0: not known. */
static inline void rt_at_pc(uintptr_t pc)
{
	if (pc)
		rt_at((const struct lp_site *)pc);
}

/* live_state.c */
/* rt_at() of a hook that is not `simple`; `cfa` is its caller's stack pointer. */
void rt_enter_hook(const struct lp_site *, const void *cfa);
__attribute__((noinline)) void rt_wipe_below(void);
bool rt_live_on_loop(void); /* of the running thread */
/* Does nothing depend on what the call at that site returns, in the running function or in its
 * callers? */
bool rt_live_ignores(const struct lp_site *);
bool rt_live_state(struct lp_program *, lp_tid, uint64_t fingerprint[2]);
/* Only where it is and what is live, not what it has written or told shims so far. */
bool rt_live_place(const struct rt_thread *, struct lp_fingerprint *);
/* Tells of all words that are part of it, whole; false if it cannot be told. */
bool rt_live_words(const struct rt_thread *, void (*see)(void *closure, uint64_t word),
		   void *closure);

/* stacks.c: stops the running thread unless it may access [p, p+size), which is in a stack. */
void rt_check_stack(uintptr_t p, size_t size, bool write, uintptr_t pc);
/* The same, but the bytes need not have been written. */
void rt_check_stack_live(uintptr_t p, size_t size, bool write, uintptr_t pc);
/* Is any of these bytes of a stack one that was never written? */
bool rt_stack_is_unwritten(uintptr_t p, size_t size);
/* Does the shadow tell of these bytes of a stack, if they are that? */
bool rt_is_known_stack(uintptr_t p, size_t size);
/* The running thread's stack is over. */
void rt_end_stack(void);
/* Code without hooks is to run, and will have its variables below. */
void rt_stack_forget_below(uintptr_t sp);
/* Gives the pending operation of rt.self to the explorer.  Returns when it has been
 * answered: rt.answer. */
static inline __attribute__((always_inline)) void rt_present(void)
{
	struct rt_thread *self = rt.self;
	const uint8_t kind = self->op.kind;

	self->state = RT_WAITING;
	if (kind == LP_OP_LOAD || kind == LP_OP_RMW || kind == LP_OP_YIELD)
		self->op.loop = rt_live_on_loop();
	lp_context_switch(&self->sp, rt.explorer);
}

/* machine.c: the same for the last one. */
_Noreturn void rt_stop(void);
void rt_forget_program(void); /* all of `rt` is as at first */
void rt_begin_thread(struct rt_thread *, void *(*start)(void *), void *arg);
/* A record in saved state, for the pending operation to point to. */
struct lp_program_error *rt_new_error(void);

/* tls.c */
void rt_tls_begin(lp_tid);
bool rt_is_foreign(uintptr_t p);

/* regions.c */
#define RT_THREAD_WORDS 16
const void *rt_state_owner(uintptr_t loc); /* who has it from rt_state(); NULL: nobody */
bool rt_regions_open(struct lp_error *);
void rt_guard_stack(lp_tid); /* before the thread runs */
void rt_regions_close(void);

/* save.c */
/* The record or the stack of the thread changes, or may while it runs. */
static inline void rt_touch(lp_tid t)
{
	rt.image[t] = 0;
}
uint32_t rt_save(struct lp_program *);
void rt_restore(struct lp_program *, uint32_t mark);
void rt_forget(struct lp_program *, uint32_t mark);
size_t rt_save_cost(struct lp_program *);
void rt_save_beginning(void);
void rt_restore_beginning(void);

/* native_doubts.c */
struct rt_doubts;
bool rt_doubts_open(struct lp_error *);
void rt_doubts_close(void);
void rt_doubts_keep(void); /* what was executed so far is the set-up's */

/* agreed_names.c: names that forked processes agree on. */
bool rt_names_open(struct lp_error *);
void rt_names_close(void);
/* The id of a thread's n-th child, where n is at most one more than ever asked for;
 * RT_NOBODY if there are too many threads. */
lp_tid rt_child_id(lp_tid parent, uint32_t n);

/* Freed memory, with --reuse: a block of that size, or 0 (reuse.c). */
uintptr_t rt_reuse_take(size_t size, uintptr_t pc);
void rt_reuse_give_back(uintptr_t p, uintptr_t pc);
/* Tells `learn` of every place from the `*known`-th on, of which the last but perhaps for
 * its size is the owner's. */
void rt_new_place(const void *owner, size_t size, uint32_t *known,
		  void (*learn)(const struct rt_place *));

/* signals.c: faults of the program, and the watch on endless loops. */
bool rt_signals_open(struct lp_error *);
void rt_signals_close(void);

/* The observer, and we, run on the thread's stack, and must not be the ones to find
 * it full: they could not be stopped in mid-work. */
#define RT_STACK_RESERVE (12 << 10)
_Noreturn void rt_stack_overflow(uintptr_t pc);
static inline void rt_need_stack(uintptr_t pc)
{
	if (__builtin_expect((uintptr_t)__builtin_frame_address(0) - rt.own_stack < RT_GUARD + RT_STACK_RESERVE, 0))
		rt_stack_overflow(pc);
}

/* heap.c: stops the thread if [p, p+size) is not memory to be read (written). */
void rt_check_heap(uintptr_t p, size_t size, bool write, uintptr_t pc);
void rt_check_live(uintptr_t p, size_t size, bool write, uintptr_t pc); /* bounds only */
void rt_copy_shadow(uintptr_t to, uintptr_t from, size_t size);
void rt_complete_error(struct lp_program_error *);
void rt_check_elsewhere(uintptr_t p, size_t size, bool write, uintptr_t pc);

/* leaks.c: stops the main thread, which is at its end, if memory is lost; and is told of
 * atomic locations that get an address of the heap. */
void rt_check_leaks(void);
void rt_note_pointer(uintptr_t loc);

#endif
