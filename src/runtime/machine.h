/* machine.h -- inside the runtime: the machine, which runs the program under test.
 *
 * There is one machine per process, because hooks have no argument that could identify a machine.
 * Its state has two parts:
 *
 *   what lasts     the loaded object, the names of threads, the saved states
 *   an execution   struct rt_execution, struct rt_thread, and memory at fixed
 *                  addresses: stacks, heap, heap shadow, block tables, state
 *
 * save() copies only the second part.  Every region of memory has a used prefix, whose length is
 * part of the execution; the rest of the region has no meaning.
 *
 *     stacks   0x200000000000   one per thread; thread-locals at the top
 *     heap     0x2100d5000000   one slab per thread; neither half of an address in the first
 *                               slab is a number that programs use (state_tidy.c)
 *     state    0x240000000000   rt_state() memory and errors
 *     shadow   0x250000000000   two bits for each byte from the stacks to the heap's end (heap.h)
 *     blocks   0x260000000000   one table of blocks per thread
 *
 * Memory at 0x10000000 records what was reached in all executions (coverage_flags.c).
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

#define RT_THREADS 1024 /* the most threads of one execution, ended ones included: an id is never
                         * used again (P2) */
#define RT_NO_THREAD UINT32_MAX
#define RT_GUARD (64 << 10) /* bytes at the low end of a stack whose access faults; a multiple of
                             * every page size */

#define RT_STACKS UINT64_C(0x200000000000)
#define RT_HEAP UINT64_C(0x2100d5000000)
#define RT_STATE UINT64_C(0x240000000000)
#define RT_STATE_SIZE (UINT64_C(1) << 28)
#define RT_SHADOW UINT64_C(0x250000000000)
#define RT_BLOCKS UINT64_C(0x260000000000)

enum rt_thread_state {
	RT_ABSENT,  /* the thread does not exist: the whole record is zero */
	RT_NEW,     /* the thread exists, but has not run yet: its stack is empty */
	RT_WAITING, /* its pending operation is `op`, and its context `sp` */
	RT_STOPPED, /* it stays at `op` forever: END, ERROR or BLOCK */
};

/* Where the program last called a shim, or a hook that is not `simple` (struct rt_thread). */
struct rt_entered {
	const struct lp_live_frame *top;
	const struct lp_site *site;
	uintptr_t sp;       /* the caller's stack pointer: the runtime uses the bytes below it */
};

/* The record of a thread. */
struct rt_thread {
	void *sp;
	struct lp_op op;
	void *(*start)(void *);
	void *arg, *result;
	uint32_t state;     /* enum rt_thread_state */
	uint32_t spawned;   /* the number of threads that it has started so far */
	uint32_t series;    /* the number of the first child of the current series.  A series is a list of children that the thread
	                     * has started one after the other, without other operations or calls in between */
	uint64_t calls;     /* lp_current.calls when the thread started its last child */
	uint32_t heap_used; /* how many bytes of its slab are used */
	uint32_t blocks;    /* the number of blocks in its table */
	uint32_t changes;   /* how many plain writes outside its stack, allocations and frees it has
	                     * made */
	uintptr_t lent, lent_end; /* the part of its stack that other threads use (stacks.c); 0: none */
	uint16_t guards;    /* how many calls of rt_atomic(true) still wait for their rt_atomic(false) */
	bool recognisable;  /* other threads may be recognised to be like it */
	bool joined;        /* another thread has waited for its end */
	bool simple;        /* what the current hook still does depends only on `op`, the answer and
	                     * `argument` */
	uintptr_t argument; /* hooks/atomics.h */
	struct lp_live_frame *top; /* its innermost frame, while it does not run */
	struct rt_entered entered;
	uintptr_t known;    /* the beginning of the part of its stack for which the shadow is valid */
};

/* The mutable state other than threads and regions. */
struct rt_execution {
	uint32_t threads;    /* threads with lower ids may exist; all others are RT_ABSENT */
	uint32_t state_used; /* the bytes of RT_STATE that are used; the others are zero */
	uint32_t outcome_size, output_size;
	uint64_t heap_total;
};

/* The most thread-local words of libraries that the program itself accesses; libstdc++ has two. */
#define RT_FOREIGN 16

/* Places that must still be added to the text of an error (heap.c). */
struct rt_complaint {
	uintptr_t made, freed;
};

/* The place of an owner's execution state (rt_state()). */
struct rt_place {
	const void *owner;
	uint32_t offset, size;
};

/* A saved state (save.c): the offset at which it begins, with images of threads, and the offset of the
 * rest of the state. */
struct rt_mark {
	uint32_t begin, state;
};

struct rt_limits {
	size_t stack;       /* bytes per stack */
	unsigned slab_bits; /* log2 of the size of a heap slab */
	uint64_t heap;      /* bytes of all slabs together */
	uint64_t steps;     /* plain accesses between two operations */
	double seconds;     /* seconds without a hook or an operation */
};

/* How the machine runs for the state explorer (native_process.c). */
struct rt_process_mode {
	bool anonymous;            /* threads are processes, whose ids have no meaning */
	uintptr_t arena;           /* the arena of the blocks that can be renamed (arena.c), or 0 */
};

/* The loaded object, and what is known about its parts. */
struct rt_loaded {
	bool open;
	struct lp_object object;
	struct lp_symbols *symbols;
	uint8_t *variables;        /* by address in the image: is the byte in a variable? */
};

/* The layout of stacks and thread-locals in memory. */
struct rt_layout {
	size_t stack_stride;       /* the distance from one stack to the next */
	size_t tls_room;           /* the bytes at the top of each stack that thread-locals take */
	uint8_t *main_tls;         /* thread 0's thread-locals after the constructors */
	uint32_t foreign_count;    /* how many elements of `foreign` are used */
	uintptr_t foreign[RT_FOREIGN]; /* the addresses of thread-local words of libraries */
};

/* What was seen of the program, in all executions so far. */
struct rt_seen {
	uint8_t *reached;          /* by site: enum lp_reached (sites.h), for this process (coverage_flags.c) */
	struct {
		LP_VEC(uint8_t);
	} mutants;                 /* by mutant: enum lp_mutant_seen (frontend/abi.h) */
	struct rt_doubts *doubts;  /* shared by processes: native_doubts.c */
	bool unhooked;             /* code without hooks has run, and may have written to any memory */
};

/* The ids of threads.  A thread has the same id in all executions. */
struct rt_family {
	struct rt_names *names;    /* shared by processes: agreed_names.c */
	lp_tid known;              /* how many ids were handed out so far */
	struct {
		LP_VEC(lp_tid);
	} children[RT_THREADS];    /* [parent].at[n] is the id of its n-th child */
};

/* The outcome and output of the program; their sizes are part of the execution. */
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
	uint32_t image[RT_THREADS]; /* 1 + the offset in `bytes` of a copy of the thread, or 0 */
};

struct rt_machine {
	struct lp_program program; /* must be the first member: the machine is a program */

	/* Members that every hook uses. */
	struct rt_thread *self;    /* the thread whose coroutine is running; NULL: the explorer runs */
	void *explorer;            /* the explorer's context, while a thread runs */
	struct lp_response answer;   /* the answer to the operation that is being resumed */
	uint64_t budget;           /* plain accesses left until the next operation */
	uint64_t writes;           /* the number of plain writes outside the stack of `self`, in all
	                            * executions */
	uintptr_t own_stack;       /* the beginning of the stack of `self` */
	size_t stack_room;         /* the bytes of a stack without its thread-locals */
	bool setting_up;
	struct rt_process_mode process;
	const struct lp_module *module; /* the module of the program; NULL if none is loaded */
	struct lp_current *current;     /* the current frame and call, in the memory of that module */
	struct rt_layout layout;
	struct rt_seen seen;

	/* The execution. */
	struct rt_execution now;
	struct rt_thread threads[RT_THREADS];
	struct rt_complaint complaint;
	struct lp_program_error told; /* the observer fills in errors here */

	/* State that lasts. */
	struct lp_runtime_options options;
	struct rt_limits limits;
	struct rt_loaded loaded;
	struct rt_family family;
	struct rt_said said;
	uint64_t progress;         /* the number of operations so far, for the watch on endless
	                            * loops */
	struct rt_saves saves;
};

extern struct rt_machine rt;
extern const struct lp_program_class rt_class;

/* describe.c */
extern const char rt_wake_owner[RT_THREADS]; /* machine.c: the owners of the wake-up words in
                                              * execution state */
extern const struct lp_memory_class rt_memory_class;
void rt_describe_pc(struct lp_program *, uintptr_t pc, char *out, size_t size);
void rt_describe_loc(struct lp_program *, uintptr_t loc, uintptr_t pc, char *out, size_t size);

static inline lp_tid rt_id(const struct rt_thread *thread)
{
	return (lp_tid)(thread - rt.threads);
}

/* Local variables are filled with this pattern, eight bytes at a time.  When a thread starts, and whenever
 * it is resumed, the part of its free stack that the next few calls need is filled, too.  So the value of
 * uninitialised memory does not depend on other executions. */
#define RT_UNWRITTEN UINT64_C(0xb5ad4eceda1ce2a9)
#define RT_WIPED_AT_BIRTH 2048
#define RT_WIPED 128

static inline bool rt_in_stacks(uintptr_t p)
{
	return p - RT_STACKS < RT_THREADS * rt.layout.stack_stride;
}

/* Is the address in the stack of the running thread?  Thread-locals do not count as part of the stack: their owner can
 * always reach them again. */
static inline bool rt_in_own_stack(uintptr_t p)
{
	return p - rt.own_stack < rt.stack_room;
}

/* The end of a thread's stack without thread-locals, which is the beginning of its thread-locals. */
static inline uintptr_t rt_stack_top(lp_tid t)
{
	return RT_STACKS + (t + 1) * rt.layout.stack_stride - rt.layout.tls_room;
}

/* The end of the thread's stack and thread-locals. */
static inline uintptr_t rt_stack_end(lp_tid t)
{
	return RT_STACKS + (t + 1) * rt.layout.stack_stride;
}

/* The site of the running function: that of its current call, or of its last presented operation;
 * NULL if no function of the program is running. */
static inline const struct lp_site *rt_site(void)
{
	return rt.current->top ? rt.current->top->site : NULL;
}

/* Hooks call this before they present an operation or an error. */
static inline void rt_at(const struct lp_site *site)
{
	if (rt.current->top)
		rt.current->top->site = site;
}

/* The same, for code that hooks and shims share.  `pc` is the address of the site, or 0 if the site is not known. */
static inline void rt_at_pc(uintptr_t pc)
{
	if (pc)
		rt_at((const struct lp_site *)pc);
}

/* live_state.c */
/* The same as rt_at(), for a hook that is not `simple`.  `cfa` is the stack pointer of the hook's
 * caller. */
void rt_enter_hook(const struct lp_site *, const void *cfa);
__attribute__((noinline)) void rt_wipe_below(void);
bool rt_live_on_loop(void); /* is the current site of the running thread in a loop? */
/* Is the result of the call at that site unused, in the running function and in its callers? */
bool rt_live_ignores(const struct lp_site *);
bool rt_live_state(struct lp_program *, lp_tid, uint64_t fingerprint[2]);
/* The fingerprint of a thread that has ended: of the results of its calls (client.c). */
bool rt_end_state(struct lp_program *, lp_tid, uint64_t fingerprint[2]);
struct lp_processes;
/* Adds the thread's place in the code and its live values to the fingerprint, but not what the thread has written or
 * passed to shims so far.  If the processes are not NULL, adds only what is the same wherever the program was loaded, and
 * in another build of linchpin. */
bool rt_live_place(const struct rt_thread *, const struct lp_processes *, struct lp_fingerprint *);
void rt_feed_bytes(struct lp_fingerprint *, const struct lp_processes *, const void *from, size_t size);
/* Calls `see` for every whole word that is part of the live state.  Returns false if the live state is not known. */
bool rt_live_words(const struct rt_thread *, void (*see)(void *closure, uint64_t word),
		   void *closure);

/* stacks.c: stops the running thread unless it may access [p, p+size), which is in a stack. */
void rt_check_stack(uintptr_t p, size_t size, bool write, uintptr_t pc);
/* The same as rt_check_stack(), except that the bytes need not have been written. */
void rt_check_stack_live(uintptr_t p, size_t size, bool write, uintptr_t pc);
/* For bytes in a stack: were some of them never written? */
bool rt_stack_is_unwritten(uintptr_t p, size_t size);
/* Are these bytes in a part of a stack for which the shadow is valid? */
bool rt_is_known_stack(uintptr_t p, size_t size);
/* To be called when the running thread ends: its stack is no longer used. */
void rt_end_stack(void);
/* To be called before code without hooks runs, which has its variables below `sp`. */
void rt_stack_forget_below(uintptr_t sp);
/* Passes the pending operation of rt.self to the explorer.  Returns when the explorer has stored its answer
 * in rt.answer. */
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
/* Does the runtime recognise like threads?  The threads of an object's clients are declared alike
 * instead. */
static inline bool rt_recognises(void)
{
	return !rt.options.client && !rt.options.reuse;
}
void rt_returned(void); /* agreed_names.c: notes that the current thread has returned a result that
                         * is not 0 */
void rt_begin_thread(struct rt_thread *, void *(*start)(void *), void *arg);
/* A record in saved state to which the pending operation can point. */
struct lp_program_error *rt_new_error(void);

/* tls.c */
void rt_tls_begin(lp_tid);
bool rt_is_foreign(uintptr_t p);

/* regions.c */
#define RT_THREAD_WORDS 16
const void *rt_state_owner(uintptr_t loc); /* the owner of that rt_state() memory; NULL: none */
bool rt_regions_open(struct lp_error *);
void rt_guard_stack(lp_tid); /* to be called before the thread runs */
void rt_regions_close(void);

/* save.c */
/* To be called when the record or the stack of the thread changes, or may change while it runs. */
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
void rt_doubts_keep(void); /* all doubts noted so far belong to the set-up */
void rt_doubts_leave(void); /* what this process notes from now on is its own, until it ends */
/* rt_doubts_write() writes all doubts as bytes; rt_doubts_merge() adds those of another machine. */
void rt_doubts_write(struct lp_bytes *);
bool rt_doubts_merge(struct lp_cursor *);

/* agreed_names.c: the names on which forked processes, and several machines, agree. */
extern const struct lp_shared_class rt_shared_class;
bool rt_names_open(struct lp_error *);
void rt_names_close(void);
/* rt_names_write() writes the names as bytes.  rt_names_merge() takes the names of another process, which
 * must begin with the names that this process already has. */
void rt_names_write(struct lp_bytes *);
bool rt_names_merge(struct lp_cursor *);
/* The id of a thread's n-th child, where n is at most one more than the largest n of the earlier
 * calls for that thread; RT_NO_THREAD if there are too many threads. */
lp_tid rt_child_id(lp_tid parent, uint32_t n);

/* With --reuse (reuse.c): takes a freed block of that size and returns its address, or 0 if there
 * is none. */
uintptr_t rt_reuse_take(size_t size, uintptr_t pc);
void rt_reuse_give_back(uintptr_t p, uintptr_t pc);
/* Makes sure that the owner has a place that is large enough: if none of the places from number `*known` on is such a place, hands
 * out a new one.  Calls `learn` for every place from number `*known` on, and sets `*known` to the number of places. */
void rt_new_place(const void *owner, size_t size, uint32_t *known,
		  void (*learn)(const struct rt_place *));

/* signals.c: faults of the program, and the watch on endless loops. */
bool rt_signals_open(struct lp_error *);

/* From now on the calling thread is executed one instruction at a time, to find out whether it is in an endless loop
 * (computing.h).  Returns false if this is impossible. */
bool rt_signals_watch(void);
#define RT_PERHAPS_ENDLESS "the thread makes more than %llu plain accesses without an operation on shared memory, perhaps without end"
void rt_signals_close(void);

/* The observer and the runtime run on the thread's stack.  They must not overflow it, because they
 * cannot be stopped in the middle of their work. */
#define RT_STACK_RESERVE (12 << 10)
_Noreturn void rt_stack_overflow(uintptr_t pc);
static inline void rt_need_stack(uintptr_t pc)
{
	if (__builtin_expect((uintptr_t)__builtin_frame_address(0) - rt.own_stack < RT_GUARD + RT_STACK_RESERVE, 0))
		rt_stack_overflow(pc);
}

/* heap.c: stops the thread if [p, p+size) must not be read or, with `write`, written. */
void rt_check_heap(uintptr_t p, size_t size, bool write, uintptr_t pc);
void rt_check_live(uintptr_t p, size_t size, bool write, uintptr_t pc); /* checks only that the
                                                                         * block is live and has
                                                                         * these bytes */
void rt_copy_shadow(uintptr_t to, uintptr_t from, size_t size);
void rt_complete_error(struct lp_program_error *);
void rt_check_elsewhere(uintptr_t p, size_t size, bool write, uintptr_t pc);

/* leaks.c: rt_check_leaks() stops the main thread, which is at its end, if memory is leaked.
 * rt_note_pointer() records an atomic location into which an address of the heap was stored. */
void rt_check_leaks(void);
void rt_note_pointer(uintptr_t loc);

#endif
