/* abi.h -- the interface between instrumented code and the runtime.
 *
 * Every access in the source to memory that another thread might know is replaced by a call of
 * one of the hooks below, which performs the access.  Each call passes a site: a constant record
 * that describes the access.  The optimiser, which runs afterwards, can neither remove
 * nor merge these calls, so the runtime sees the accesses of the source.
 *
 * A thread's live state is its list of frames.  Every activation of a function that contains sites has a frame, inside its stack
 * frame.  The frame has slots for the values that are live at the function's sites; a value is written to its slot where it is
 * computed.  The frame's current site says which slots are live now:
 *
 *     lp_current.top --> | up   | --> the caller's frame, ... NULL
 *                        | site |     where the function is: at a hook, or at a call
 *                        | from |     the return address, which shows whether the caller is code of the program
 *                        | slot | 0 .. n-1, eight bytes each
 *
 * A function links its frame when it is entered and unlinks it before it returns.  After a landing pad, or a call that returns
 * twice (setjmp), the function makes its frame the top again.  A function sets `site` before it calls another function, but not
 * before it calls a hook: hooks get the site as an argument, and set it themselves if necessary.
 *
 * Hooks get and return values as unsigned integers of the access's size.  If no integer has that size, the value is in private
 * memory, which no other thread can know.
 */
#ifndef LP_FRONTEND_ABI_H
#define LP_FRONTEND_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LP_ABI_VERSION 6

enum lp_site_kind {
	LP_SITE_CALL,         /* a call of a function of the program, or of any function through a pointer */
	LP_SITE_MODEL,        /* a call of a function that the runtime provides: lp_shim_NAME */
	LP_SITE_LIBRARY,      /* a call of any other function */
	LP_SITE_LOAD,         /* LOAD, STORE, COPY and FILL are plain accesses */
	LP_SITE_STORE,
	LP_SITE_COPY,         /* a copy; or a load that may read bytes that were never written, such as padding */
	LP_SITE_FILL,
	LP_SITE_ATOMIC_LOAD,
	LP_SITE_ATOMIC_STORE,
	LP_SITE_RMW,
	LP_SITE_CAS,
	LP_SITE_FENCE,
	LP_SITE_ASSEMBLY,     /* inline assembly that is not understood; lp_site.name describes it: "inline assembly ('hlt')" */
	LP_SITE_OBJECT,       /* the lifetime of a local variable begins or ends */
};

/* How the result of a site is used.  USED: this activation of the function may use it.  PASSED_ON: this activation at most returns
 * it, as its own result or a part of it.  UNUSED: it is never used. */
enum lp_site_result { LP_RESULT_USED, LP_RESULT_PASSED_ON, LP_RESULT_UNUSED };

enum lp_site_flag {
	LP_SITE_WEAK = 1,     /* CAS: it may fail spuriously */
	LP_SITE_VOLATILE = 2,
	LP_SITE_LOOP = 4,     /* the site can be reached again in the same activation of the function; or
	                       * the function is recursive; or the site is an atomic load from the location of a compare-exchange
	                       * that is in a loop */
	LP_SITE_UNKNOWN = 8,  /* LIBRARY: the function is neither modelled nor harmless */
	LP_SITE_DROPPED = 16, /* MODEL: the result is used only by functions for which it makes no difference, as in
			       * srand(time(NULL)) */
	LP_SITE_PRIVATE = 32, /* plain accesses, OBJECT: no other thread can know the memory */
	LP_SITE_INSTRUCTION = 64, /* atomic accesses, FENCE: the operation is a processor instruction in inline assembly, so the
				   * source gives no memory order for it */
};

/* A place in the source.  If its function was inlined, `inlined_at` is the place of the call. */
struct lp_source {
	uint32_t file, function; /* texts: see lp_module; `file` is an absolute path where that is known */
	uint32_t line, column;
	uint32_t inlined_at;     /* index of a struct lp_source, or 0: not inlined */
};

struct lp_site {
	uint8_t kind;         /* enum lp_site_kind */
	uint8_t size;         /* the size of the access, if it is 1, 2, 4, 8 or 16; else 0 */
	uint8_t order;        /* enum lp_order; LP_PLAIN: not an atomic access */
	uint8_t fail_order;   /* CAS: the order of a failure */
	uint8_t rmw;          /* enum lp_rmw */
	uint8_t result;       /* enum lp_site_result */
	uint8_t flags;        /* enum lp_site_flag */
	uint8_t unused;
	uint32_t live, lives; /* the live list: lp_module.live[live .. live + lives - 1] */
	uint32_t source;      /* index of a struct lp_source; 0: unknown */
	uint32_t variable;    /* text: what is accessed, such as "q->head" (ir/access/names.h); 0: unknown */
	uint32_t type;        /* text: the type of the variable; 0: unknown */
	uint32_t name;        /* text: the function that is called, or a description of what is not understood; 0: neither */
	uint32_t object;      /* text: the type of the object that is accessed, or, for MODEL, allocated (ir/access/names.h); 0: unknown */
	uint32_t offset;      /* the offset of the access in that object, in bytes */
	uint32_t same;        /* the index of the site that represents this one in live states (ir/state/same_sites.h): usually that
			       * of the site itself */
};

/* An entry of a site's live list is the index of a slot of the frame.  If LP_LIVE_MEMORY is added to the index, the slot has the
 * address of a local variable, all of whose bytes are live; the next entry is the size of the variable. */
#define LP_LIVE_MEMORY UINT32_C(0x80000000)
/* The value of lp_site.lives if it is not known what is live. */
#define LP_LIVE_UNKNOWN UINT32_MAX

struct lp_live_frame {
	struct lp_live_frame *up;
	const struct lp_site *site;
	uintptr_t from;
	uint64_t slot[];
};

/* Data of the current thread, which the runtime replaces when it switches to another thread. */
struct lp_current {
	struct lp_live_frame *top;
	uint8_t *locals;      /* the thread's thread-local variables: a copy of lp_module.locals */
	uint64_t calls;       /* number of calls of functions outside the program */
};

/* A variable or constant of static storage duration, or a thread-local variable.  For a thread-local variable, `at` is its place in
 * the initial image of thread-locals. */
struct lp_variable {
	void *at;
	uint64_t size;
	uint32_t name, type; /* texts: `name` is the linker's name, which only thread-locals have here; `type` is as in
			      * ir/access/names.h, or 0 */
};

struct lp_start { /* a constructor, or a destructor */
	void (*function)(void);
	uint32_t priority;
};

/* ---- what was executed ----
 *
 * A flag is one byte; the code that the flag stands for sets it to 1 when it is executed.  Flags are at a fixed address, LP_FLAGS,
 * where the runtime provides memory before any code of the program runs.  Flags are not part of the program's state: restoring a
 * saved state does not change them.  A flag is set by an ordinary store, which is not an operation of the program.
 *
 * A place in the source has a list of flags: the place was executed if any of these flags is set. */
#define LP_FLAGS UINT64_C(0x10000000)

struct lp_flag_list {
	uint32_t at, count;      /* lp_coverage.lists[at .. at + count - 1] */
};

struct lp_covered_function {
	uint32_t name, file;     /* texts: see lp_module */
	uint32_t line;
	uint32_t entered;        /* a flag */
};

struct lp_covered_line {
	uint32_t function;       /* index */
	uint32_t file, line;     /* the file may differ from that of the function */
	uint32_t fails;          /* not 0: the code of the line can only end in an error, such as abort() or a failed assertion */
	struct lp_flag_list flags;
};

/* An if, an operand of && or ||, a loop's condition, ?:, or a switch. */
struct lp_covered_branch {
	uint32_t function;
	uint32_t file, line, column;
	uint32_t ways, way_count;
};

struct lp_covered_way {
	uint32_t label;          /* text: "case 3" or "default" for a way of a switch; otherwise the line to which the way leads,
				  * "line 31"; "end" if it leads to no line */
	uint32_t fails;          /* not 0: the way can only lead to an error */
	uint32_t flag;
};

/* A loop: a jump back to its beginning. */
struct lp_covered_loop {
	uint32_t function;
	uint32_t file, line, column;
	struct lp_flag_list entered, repeated;
};

struct lp_coverage {
	uint32_t flag_count, function_count, line_count, branch_count, loop_count, unused;
	const uint32_t *lists;
	const struct lp_covered_function *functions;
	const struct lp_covered_line *lines;
	const struct lp_covered_branch *branches;
	const struct lp_covered_way *ways;
	const struct lp_covered_loop *loops;
};

/* How a program can tell its threads apart. */
enum lp_tells_apart {
	LP_TELLS_WHO = 1,        /* the program asks for the current thread, or has thread-locals */
	LP_TELLS_NUMBER = 4,     /* in addition to LP_TELLS_WHO: the thread is identified by a number */
	LP_TELLS_ADDRESSES = 2,  /* the program looks at addresses in a thread's stack
				  * (ir/state/addresses.h) */
};

/* The program, as the runtime finds it: the symbol lp_module. */
struct lp_module {
	uint32_t version;
	uint32_t site_count, source_count, variable_count, constructor_count, destructor_count;
	struct lp_current *current;
	struct lp_site *sites;
	const struct lp_source *sources; /* [0] is empty */
	const char *texts;               /* a text is an offset in here; 0 is "" */
	const uint32_t *live;
	const struct lp_variable *variables;
	const struct lp_start *constructors, *destructors; /* by priority */
	const void *locals;              /* the initial image of a thread's thread-locals */
	uint64_t locals_size, locals_align;
	uint32_t tells_threads_apart;    /* bits of enum lp_tells_apart */
	uint32_t assembly;               /* text: describes the assembly outside of functions; 0: there is none */
	const void *const *ignoring;     /* functions of the program that have one argument and ignore it */
	uint64_t ignoring_count;
	struct lp_coverage coverage;
};

/* ---- the hooks ---- */

typedef unsigned __int128 lp_u128;

/* What a CAS returns: the value that it read; and, in `wrote`, 1 if it has written, otherwise 0. */
struct lp_found {
	uint64_t value;
	uint64_t wrote;
};

#define LP_HOOK_SITE const struct lp_site *site

#define LP_HOOKS_OF_SIZE(n, type)                                                        \
	type lp_load##n(LP_HOOK_SITE, const void *p);                                    \
	void lp_store##n(LP_HOOK_SITE, void *p, type value);                             \
	type lp_atomic_load##n(LP_HOOK_SITE, const void *p);                             \
	void lp_atomic_store##n(LP_HOOK_SITE, void *p, type value);                      \
	type lp_rmw##n(LP_HOOK_SITE, void *p, type operand);

LP_HOOKS_OF_SIZE(1, uint8_t)
LP_HOOKS_OF_SIZE(2, uint16_t)
LP_HOOKS_OF_SIZE(4, uint32_t)
LP_HOOKS_OF_SIZE(8, uint64_t)
LP_HOOKS_OF_SIZE(16, lp_u128)

/* A compare-exchange of 1, 2, 4 or 8 bytes; the size is in the site. */
struct lp_found lp_cas(LP_HOOK_SITE, void *p, uint64_t expected, uint64_t wanted);
/* A compare-exchange of 16 bytes.  `expected` is private memory, and is set to the value that was read.
 * Returns true if the compare-exchange has written. */
bool lp_cas16(LP_HOOK_SITE, void *p, lp_u128 *expected, lp_u128 wanted);
void lp_fence(LP_HOOK_SITE);

/* Plain accesses of any size: lp_read() copies from p to private memory, lp_write() from private memory to p. */
void lp_read(LP_HOOK_SITE, void *to, const void *p, size_t);
void lp_write(LP_HOOK_SITE, void *p, const void *from, size_t);
/* Plain accesses of any size, without private memory: other threads may know `to`, `from` and p. */
void lp_copy(LP_HOOK_SITE, void *to, const void *from, size_t);
void lp_fill(LP_HOOK_SITE, void *p, uint8_t value, size_t);

/* Called when the lifetime of a local variable begins or ends, if hooks access the variable.  At the beginning, the variable's
 * bytes are undefined.  If `roomy`, the LP_STACK_ROOM bytes before the variable, and those after it, belong to no object. */
#define LP_STACK_ROOM 16
void lp_object_begins(LP_HOOK_SITE, void *p, size_t, bool roomy);
void lp_object_ends(LP_HOOK_SITE, void *p, size_t);
/* The stack below p is no longer used, because it was unwound, or because the lifetime of an array of variable length has ended. */
void lp_stack_unwound(void *p);
/* va_start() was called for `list`.  The arguments of the list are in memory that belongs to no object. */
void lp_arguments_begin(void *list);
/* The lifetime of a private variable begins.  The hook gives its bytes values that are the same in all executions. */
void lp_private_begins(void *p, size_t);

/* A private variable is about to be read.  `written` says whether its bytes have been written. */
void lp_defined(LP_HOOK_SITE, bool written);

/* `size` bytes at p are about to be accessed.  The hook checks that they are within the local variable at `variable`, which has
 * `whole` bytes. */
void lp_within(LP_HOOK_SITE, const void *p, size_t size, const void *variable, size_t whole, bool write);

/* Code that is not understood is about to run: assembly, or a function that is not modelled. */
void lp_not_understood(LP_HOOK_SITE);
/* A function whose name begins with __VERIFIER_atomic_ begins or ends. */
void lp_atomic_begins(LP_HOOK_SITE);
void lp_atomic_ends(LP_HOOK_SITE);
/* Called where a mutant differs from the program (ir/mutants/mutation.h).  `seen` has bits of enum lp_mutant_seen. */
enum lp_mutant_seen { LP_MUTANT_REACHED = 1, LP_MUTANT_DIFFERS = 2 };
void lp_mutant_seen(uint32_t mutant, uint32_t seen);
/* The program has taken the address p of a thread-local variable that belongs to a library. */
void lp_foreign_local(void *p);

#endif
