/* machine.h -- inside the runtime: the one program under test, running.
 *
 * There is one machine per process, because hooks have no argument that could name
 * one.  It has two kinds of state:
 *
 *   what lasts     the loaded object, the names of threads, the saved states
 *   an execution   struct rt_execution, struct rt_thread, and memory at fixed
 *                  addresses: stacks, heap, heap shadow, block tables, state
 *
 * The second kind is all that save() copies.  Of every region only a used prefix
 * is meaningful, and its length is part of the execution.
 *
 *     stacks   0x200000000000   one per thread; thread-locals at the top
 *     heap     0x2100d5000000   one slab per thread; neither half of an address in the first
 *                               slab is a number that programs use (state_tidy.c)
 *     state    0x240000000000   rt_state() memory and errors
 *     shadow   0x250000000000   two bits for each byte from the stacks to the heap's end (heap.h)
 *     blocks   0x260000000000   one table of blocks per thread
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
#include "ranks/records.h"
#include "frontend/load/symbols.h"
#include "program/program.h"
#include "runtime/coroutines/context.h"
#include "runtime/rt.h"
#include "runtime/runtime.h"

#define RT_THREADS 1024 /* in one execution, ended ones included: an id is never used again (P2) */
#define RT_NO_THREAD UINT32_MAX
#define RT_GUARD (64 << 10) /* bytes at the low end of a stack that fault: a page of any size */

#define RT_STACKS UINT64_C(0x200000000000)
#define RT_HEAP UINT64_C(0x2100d5000000)
#define RT_STATE UINT64_C(0x240000000000)
#define RT_STATE_SIZE (UINT64_C(1) << 28)
#define RT_SHADOW UINT64_C(0x250000000000)
#define RT_BLOCKS UINT64_C(0x260000000000)

enum rt_thread_state {
	RT_ABSENT,  /* zero; all other fields are zero, too */
	RT_NEW,     /* exists, and has not run yet: its stack is empty */
	RT_WAITING, /* at `op`, its context is `sp` */
	RT_STOPPED, /* at `op`, forever: END, ERROR or BLOCK */
};

/* Where the program last called a shim, or a hook that is not `simple`. */
struct rt_entered {
	const struct lp_live_frame *top;
	const struct lp_site *site;
	uintptr_t sp;       /* the caller's stack pointer: the bytes below it are used by the runtime */
};

struct rt_thread {
	void *sp;
	struct lp_op op;
	void *(*start)(void *);
	void *arg, *result;
	uint32_t state;     /* enum rt_thread_state */
	uint32_t spawned;   /* the number of its children so far */
	uint32_t series;    /* the first of them after which it has performed nothing but starts of threads, and called nothing else */
	uint64_t calls;     /* lp_current.calls when it started the last one */
	uint32_t heap_used; /* the bytes of its slab that are used */
	uint32_t blocks;    /* the number of blocks in its table */
	uint32_t changes;   /* how many plain writes outside its stack, allocations and frees it made */
	uintptr_t lent, lent_end; /* the part of its stack that other threads use (stacks.c), or 0 */
	uint16_t guards;    /* depth of functions that run atomically */
	bool recognisable;  /* others may be recognised to be like it */
	bool joined;        /* another thread has waited for its end */
	bool simple;        /* the rest of the hook depends only on `op`, its answer and `argument` */
	uintptr_t argument;
	struct lp_live_frame *top; /* its innermost frame, while it does not run */
	struct rt_entered entered;
	uintptr_t known;    /* where the part of its stack begins for which the shadow is valid */
};

/* The mutable state other than threads and regions. */
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
	size_t stack;       /* bytes per stack */
	unsigned slab_bits; /* log2 of a heap slab */
	uint64_t heap;      /* bytes of heap in all */
	uint64_t steps;     /* plain accesses between two operations */
	double seconds;     /* without a hook or an operation */
};

/* For the state explorer: native_process.c. */
struct rt_process_mode {
	bool anonymous;            /* threads are processes, whatever their ids */
	uintptr_t arena;           /* the blocks that can be renamed: arena.c; or 0 */
};

/* The object that is loaded, and what is known of its parts. */
struct rt_loaded {
	bool open;
	struct lp_object object;
	struct lp_symbols *symbols;
	uint8_t *variables;        /* by address in the image: is it in a variable? */
};

/* How stacks and thread-locals lie in memory. */
struct rt_layout {
	size_t stack_stride;       /* from one stack to the next */
	size_t tls_room;           /* bytes at the top of each that thread-locals have */
	uint8_t *main_tls;         /* thread 0's thread-locals after the constructors */
	uint32_t foreign_count;    /* the used elements of `foreign` */
	uintptr_t foreign[RT_FOREIGN]; /* thread-locals of libraries: words */
};

/* What was seen of the program, in all executions so far. */
struct rt_seen {
	uint8_t *reached;          /* by site: enum lp_reached (sites.h); of this process: coverage_flags.c */
	struct {
		LP_VEC(uint8_t);
	} mutants;                 /* by mutant: enum lp_mutant_seen (frontend/abi.h) */
	struct rt_doubts *doubts;  /* shared by processes: native_doubts.c */
	bool unhooked;             /* code without hooks has run, and may have written to any memory */
};

/* Names of threads, which are the same in all executions. */
struct rt_family {
	struct rt_names *names;    /* shared by processes: agreed_names.c */
	lp_tid known;              /* ids handed out so far */
	struct {
		LP_VEC(lp_tid);
	} children[RT_THREADS];    /* [parent].at[n] is the id of its n-th child */
};

/* What the program has said; the sizes are part of the execution. */
struct rt_said {
	char *outcome, *output;
	uint32_t outcome_room, output_room;
};

/* The saved states (save.c). */
struct rt_saves {
	struct {
		LP_VEC(uint8_t);
	} bytes;
	struct {
		LP_VEC(struct rt_mark);
	} marks;
	struct rt_mark beginning;  /* the mark of the initial state */
	uint32_t image[RT_THREADS]; /* 1 + offset in `bytes` of a copy of the thread, or 0 */
};

struct rt_machine {
	struct lp_program program; /* first: the machine is a program */

	/* What every hook uses. */
	struct rt_thread *self;    /* the thread whose coroutine is running; NULL: the explorer's */
	void *explorer;            /* the explorer's context, while self is set */
	struct lp_response answer;   /* the answer to the operation that is being resumed */
	uint64_t budget;           /* plain accesses left until the next operation */
	uint64_t writes;           /* plain ones outside the stack of `self`, ever */
	uintptr_t own_stack;       /* where the stack of `self` begins */
	size_t stack_room;         /* bytes of a stack without its thread-locals */
	bool setting_up;
	struct rt_process_mode process;
	const struct lp_module *module; /* the module of the program; NULL if none is loaded */
	struct lp_current *current;     /* what is running, in the memory of that module */
	struct rt_layout layout;
	struct rt_seen seen;

	/* The execution. */
	struct rt_execution now;
	struct rt_thread threads[RT_THREADS];
	struct rt_complaint complaint;
	struct lp_program_error told; /* for the observer to fill in */

	/* What lasts. */
	struct lp_runtime_options options;
	struct rt_limits limits;
	struct rt_loaded loaded;
	struct rt_family family;
	struct rt_said said;
	uint64_t progress;         /* operations so far; for the watch */
	struct rt_saves saves;
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

/* Local variables are filled with this pattern, eight bytes at a time.  When a thread starts, and whenever
 * it is resumed, the free part of its stack is filled, too, as far as the next few calls need it.  So a
 * read of uninitialised memory does not depend on other executions. */
#define RT_UNWRITTEN UINT64_C(0xb5ad4eceda1ce2a9)
#define RT_WIPED_AT_BIRTH 2048
#define RT_WIPED 128

static inline bool rt_in_stacks(uintptr_t p)
{
	return p - RT_STACKS < RT_THREADS * rt.layout.stack_stride;
}

/* Thread-locals are not part of it: their owner can always reach them again. */
static inline bool rt_in_own_stack(uintptr_t p)
{
	return p - rt.own_stack < rt.stack_room;
}

/* Where the stack proper of a thread ends, and its thread-locals begin. */
static inline uintptr_t rt_stack_top(lp_tid t)
{
	return RT_STACKS + (t + 1) * rt.layout.stack_stride - rt.layout.tls_room;
}

/* The end of the thread's stack and thread-locals. */
static inline uintptr_t rt_stack_end(lp_tid t)
{
	return RT_STACKS + (t + 1) * rt.layout.stack_stride;
}

/* The site of the running function: its current call, or its last operation that was presented; NULL
 * if no function of the program is running. */
static inline const struct lp_site *rt_site(void)
{
	return rt.current->top ? rt.current->top->site : NULL;
}

/* To be called by a hook before it presents an operation or an error. */
static inline void rt_at(const struct lp_site *site)
{
	if (rt.current->top)
		rt.current->top->site = site;
}

/* The same for code that hooks and shims share; 0: not known. */
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
/* Is the result of the call at that site unused, in the running function and in its callers? */
bool rt_live_ignores(const struct lp_site *);
bool rt_live_state(struct lp_program *, lp_tid, uint64_t fingerprint[2]);
/* Of a thread that is at its end: what its calls have returned (client.c). */
bool rt_end_state(struct lp_program *, lp_tid, uint64_t fingerprint[2]);
/* Only its place in the code and what is live, not what it has written or passed to shims so far. */
struct lp_processes;
/* With processes: only what is the same wherever they were loaded, and in another build of this program. */
bool rt_live_place(const struct rt_thread *, const struct lp_processes *, struct lp_fingerprint *);
void rt_feed_bytes(struct lp_fingerprint *, const struct lp_processes *, const void *from, size_t size);
/* Calls `see` for every whole word that is part of the live state; false if the live state is not known. */
bool rt_live_words(const struct rt_thread *, void (*see)(void *closure, uint64_t word),
		   void *closure);

/* stacks.c: stops the running thread unless it may access [p, p+size), which is in a stack. */
void rt_check_stack(uintptr_t p, size_t size, bool write, uintptr_t pc);
/* The same, but the bytes need not have been written. */
void rt_check_stack_live(uintptr_t p, size_t size, bool write, uintptr_t pc);
/* Is any of these bytes of a stack one that was never written? */
bool rt_stack_is_unwritten(uintptr_t p, size_t size);
/* Are these bytes in a part of a stack for which the shadow is valid? */
bool rt_is_known_stack(uintptr_t p, size_t size);
/* The running thread ends: its stack is no longer used. */
void rt_end_stack(void);
/* Code without hooks is about to run, and will have its variables below `sp`. */
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
	if (kind != LP_OP_SPAWN)
		self->series = self->spawned;
	lp_context_switch(&self->sp, rt.explorer);
}

/* machine.c: presents the thread's last operation, and does not return. */
_Noreturn void rt_stop(void);
void rt_forget_program(void); /* resets all of `rt` */
/* Are threads recognised to be alike?  Those of an object's clients are declared to be. */
static inline bool rt_recognises(void)
{
	return !rt.options.client && !rt.options.reuse;
}
void rt_returned(void); /* agreed_names.c: the current thread, with a result that is not 0 */
void rt_begin_thread(struct rt_thread *, void *(*start)(void *), void *arg);
/* A record in saved state, for the pending operation to point to. */
struct lp_program_error *rt_new_error(void);

/* tls.c */
void rt_tls_begin(lp_tid);
bool rt_is_foreign(uintptr_t p);

/* regions.c */
#define RT_THREAD_WORDS 16
const void *rt_state_owner(uintptr_t loc); /* the owner of that rt_state() memory; NULL: none */
bool rt_regions_open(struct lp_error *);
void rt_guard_stack(lp_tid); /* before the thread runs */
void rt_regions_close(void);

/* save.c */
/* The record or the stack of the thread changes, or may change while it runs. */
static inline void rt_touch(lp_tid t)
{
	rt.saves.image[t] = 0;
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
void rt_doubts_keep(void); /* what was executed so far belongs to the set-up */
/* All of them, as bytes; and adds those of another machine. */
void rt_doubts_leave(void); /* what this process notes from now on is its own, until it ends */
void rt_doubts_write(struct lp_bytes *);
bool rt_doubts_merge(struct lp_cursor *);

/* agreed_names.c: names that forked processes agree on, and those of several machines. */
extern const struct lp_shared_class rt_shared_class;
bool rt_names_open(struct lp_error *);
void rt_names_close(void);
/* As bytes; and takes those of another process, which must begin with the names that there are already. */
void rt_names_write(struct lp_bytes *);
bool rt_names_merge(struct lp_cursor *);
/* The id of a thread's n-th child, where n is at most one more than in any earlier call for that
 * thread; RT_NO_THREAD if there are too many threads. */
lp_tid rt_child_id(lp_tid parent, uint32_t n);

/* Freed memory, with --reuse: a block of that size, or 0 (reuse.c). */
uintptr_t rt_reuse_take(size_t size, uintptr_t pc);
void rt_reuse_give_back(uintptr_t p, uintptr_t pc);
/* Calls `learn` for every place from the `*known`-th on; the last one is the owner's, perhaps with another
 * size. */
void rt_new_place(const void *owner, size_t size, uint32_t *known,
		  void (*learn)(const struct rt_place *));

/* signals.c: faults of the program, and the watch on endless loops. */
bool rt_signals_open(struct lp_error *);

/* Finds out whether the thread that calls is in an endless loop, while it goes on (computing.h).  False if that cannot be done. */
bool rt_signals_watch(void);
#define RT_PERHAPS_ENDLESS "the thread makes more than %llu plain accesses without an operation on shared memory, perhaps without end"
void rt_signals_close(void);

/* The observer and the runtime run on the thread's stack.  They must not overflow it, because they
 * could not be stopped halfway. */
#define RT_STACK_RESERVE (12 << 10)
_Noreturn void rt_stack_overflow(uintptr_t pc);
static inline void rt_need_stack(uintptr_t pc)
{
	if (__builtin_expect((uintptr_t)__builtin_frame_address(0) - rt.own_stack < RT_GUARD + RT_STACK_RESERVE, 0))
		rt_stack_overflow(pc);
}

/* heap.c: stops the thread if [p, p+size) must not be read (written). */
void rt_check_heap(uintptr_t p, size_t size, bool write, uintptr_t pc);
void rt_check_live(uintptr_t p, size_t size, bool write, uintptr_t pc); /* bounds only */
void rt_copy_shadow(uintptr_t to, uintptr_t from, size_t size);
void rt_complete_error(struct lp_program_error *);
void rt_check_elsewhere(uintptr_t p, size_t size, bool write, uintptr_t pc);

/* leaks.c: rt_check_leaks() stops the main thread, which is at its end, if memory is leaked.
 * rt_note_pointer() records an atomic location into which an address of the heap was stored. */
void rt_check_leaks(void);
void rt_note_pointer(uintptr_t loc);

#endif
