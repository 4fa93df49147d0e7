/* abi.h -- between instrumented code and the runtime.
 *
 * Every access of the user's source to memory that another thread might know of is a call of
 * one of the hooks below: the hook is the access.  Which access it is, a site says: one record a
 * call, constant, part of the program.  What the optimiser does afterwards can neither
 * remove nor merge calls, so that what is seen is the source.
 *
 * A thread's live state is its list of frames.  Every function with a site has one, in its own
 * stack frame; it holds the values that are live at any of the function's sites, each
 * written where it is computed.  Which of them are live now, the frame's site says:
 *
 *     lp_current.top --> | up   | --> the caller's frame, ... NULL
 *                        | site |     where the function is: at a hook, or at a call
 *                        | from |     the return address: is the caller ours?
 *                        | slot | 0 .. n-1, eight bytes each
 *
 * A function links its frame when it is entered and unlinks it before it returns; after a
 * landing pad, or a call that returns twice, it makes its frame the top again.  It sets `site`
 * before it calls another function; hooks are given theirs, and set it if they must.
 *
 * Values are passed as unsigned integers of the access' size.  Where no integer has that size, the
 * value is in private memory, which no other thread can know of.
 */
#ifndef LP_FRONTEND_ABI_H
#define LP_FRONTEND_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LP_ABI_VERSION 4

enum lp_site_kind {
	LP_SITE_CALL,         /* of a function of the program's, or through a pointer */
	LP_SITE_MODEL,        /* of a function that the runtime provides: lp_shim_NAME */
	LP_SITE_LIBRARY,      /* of any other function */
	LP_SITE_LOAD,         /* plain accesses */
	LP_SITE_STORE,
	LP_SITE_COPY,         /* also a load that may read bytes that were never written: padding */
	LP_SITE_FILL,
	LP_SITE_ATOMIC_LOAD,
	LP_SITE_ATOMIC_STORE,
	LP_SITE_RMW,
	LP_SITE_CAS,
	LP_SITE_FENCE,
	LP_SITE_ASSEMBLY,     /* not understood: `name` says what, "inline assembly ('hlt')" */
	LP_SITE_OBJECT,       /* a local variable begins or ends */
};

/* What becomes of the value that a site returns: something may look at it; nothing in this
 * activation does, but it may be part of what the function returns; nothing does. */
enum lp_site_result { LP_RESULT_USED, LP_RESULT_PASSED_ON, LP_RESULT_UNUSED };

enum lp_site_flag {
	LP_SITE_WEAK = 1,     /* CAS */
	LP_SITE_VOLATILE = 2,
	LP_SITE_LOOP = 4,     /* can be reached again in the same activation of the function, or the
	                       * function is recursive; or an atomic load of what is swapped on a loop */
	LP_SITE_UNKNOWN = 8,  /* LIBRARY: neither modelled nor harmless */
	LP_SITE_DROPPED = 16, /* MODEL: what it returns goes to functions only to which it makes no
	                       * difference, as in srand(time(NULL)) */
	LP_SITE_PRIVATE = 32, /* plain accesses, OBJECT: memory that no other thread can know of */
	LP_SITE_INSTRUCTION = 64, /* atomic accesses, FENCE: an instruction of the processor, written as such;
	                       * the source gives it no memory order */
};

/* Where in the source, and into which function that was inlined. */
struct lp_source {
	uint32_t file, function; /* texts: see lp_module; the path is absolute where known */
	uint32_t line, column;
	uint32_t inlined_at;     /* index of a struct lp_source, or 0: not inlined */
};

struct lp_site {
	uint8_t kind;         /* enum lp_site_kind */
	uint8_t size;         /* of the access, if 1, 2, 4, 8 or 16; else 0 */
	uint8_t order;        /* enum lp_order; LP_PLAIN: no atomic access */
	uint8_t fail_order;   /* CAS */
	uint8_t rmw;          /* enum lp_rmw */
	uint8_t result;       /* enum lp_site_result */
	uint8_t flags;        /* enum lp_site_flag */
	uint8_t unused;
	uint32_t live, lives; /* lp_module.live[live .. live + lives - 1] */
	uint32_t source;      /* index of a struct lp_source; 0: unknown */
	uint32_t variable;    /* text: what is accessed, "q->head" (ir/names.h), or 0 */
	uint32_t type;        /* text: the type of that, or 0 */
	uint32_t name;        /* text: the function that is called, or what is not understood; or 0 */
	uint32_t object;      /* text: the type (ir/names.h) of what the access is in, or MODEL: of what is allocated; or 0 */
	uint32_t offset;      /* of the access, in that, in bytes */
	uint32_t same;        /* index: the site that stands for it in live states (ir/state/same_sites.h); often its own */
};

/* An entry of a site's live list: a slot of the frame.  With LP_LIVE_MEMORY the slot has the
 * address of a local variable, all of whose bytes are live; the next entry is its size. */
#define LP_LIVE_MEMORY UINT32_C(0x80000000)
/* Instead of their number: it is not known what is live. */
#define LP_LIVE_UNKNOWN UINT32_MAX

struct lp_live_frame {
	struct lp_live_frame *up;
	const struct lp_site *site;
	uintptr_t from;
	uint64_t slot[];
};

/* What the runtime exchanges when another thread goes on. */
struct lp_current {
	struct lp_live_frame *top;
	uint8_t *locals;      /* its thread-local variables: a copy of lp_module.locals */
	uint64_t calls;       /* how often a function was called that is not the program's */
};

/* A variable or constant of static storage duration; or a thread-local variable, in the image that
 * threads begin with. */
struct lp_variable {
	void *at;
	uint64_t size;
};

struct lp_start { /* a constructor, or a destructor */
	void (*function)(void);
	uint32_t priority;
};

/* ---- what was executed ----
 *
 * A flag is one byte: code that is reached sets it to 1.  Flags lie at a fixed address, LP_FLAGS, where the
 * runtime has memory for them before any code of the program runs.  They are no part of the program's
 * state: going back to a saved state leaves them as they are.  Setting one is a store, not an operation.
 *
 * A place of the source is known by a list of flags: it was executed if any of them is set. */
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
	uint32_t file, line;     /* the file need not be the function's */
	uint32_t fails;          /* what is there can only end in an error: abort(), a failed assertion */
	struct lp_flag_list flags;
};

/* An if, an operand of && or ||, a loop's condition, ?:, or a switch. */
struct lp_covered_branch {
	uint32_t function;
	uint32_t file, line, column;
	uint32_t ways, way_count;
};

struct lp_covered_way {
	uint32_t label;          /* text: "line 31", where it leads, or "end"; "case 3", "default" */
	uint32_t fails;
	uint32_t flag;
};

/* A jump back to where a loop begins. */
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
	const void *locals;              /* the image that a thread's variables begin with */
	uint64_t locals_size, locals_align;
	uint32_t tells_threads_apart;    /* it asks which thread it is on, or has thread-locals */
	uint32_t assembly;               /* text: assembly outside of functions, in words, or 0 */
	struct lp_coverage coverage;
};

/* ---- the hooks ---- */

typedef unsigned __int128 lp_u128;

/* What a CAS returns: the value that it found, and whether it wrote. */
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

/* Of 1, 2, 4 and 8 bytes: the site says which. */
struct lp_found lp_cas(LP_HOOK_SITE, void *p, uint64_t expected, uint64_t wanted);
/* `expected` is private memory, which gets the value that was found; true if it wrote. */
bool lp_cas16(LP_HOOK_SITE, void *p, lp_u128 *expected, lp_u128 wanted);
void lp_fence(LP_HOOK_SITE);

/* Plain accesses of any size, from or to private memory. */
void lp_read(LP_HOOK_SITE, void *to, const void *p, size_t);
void lp_write(LP_HOOK_SITE, void *p, const void *from, size_t);
/* Both sides are known to others. */
void lp_copy(LP_HOOK_SITE, void *to, const void *from, size_t);
void lp_fill(LP_HOOK_SITE, void *p, uint8_t value, size_t);

/* A local variable that is accessed by hooks begins, with bytes that are undefined.  LP_STACK_ROOM bytes
 * before and behind it are nothing's, or not.  It ends. */
#define LP_STACK_ROOM 16
void lp_object_begins(LP_HOOK_SITE, void *p, size_t, bool roomy);
void lp_object_ends(LP_HOOK_SITE, void *p, size_t);
/* The stack below p is not in use: after an unwinding, or the end of arrays of variable length. */
void lp_stack_unwound(void *p);
/* va_start() was called: the arguments are in memory that is no object's. */
void lp_arguments_begin(void *list);
/* A private variable begins: its bytes are to be the same in all executions. */
void lp_private_begins(void *p, size_t);

/* What is about to be read of a private variable has been written, or not. */
void lp_defined(LP_HOOK_SITE, bool written);

/* `size` bytes at p are about to be accessed, and have to be within the local variable. */
void lp_within(LP_HOOK_SITE, const void *p, size_t size, const void *variable, size_t whole, bool write);

/* Something is about to be executed that is not understood: assembly, or a function that is
 * not modelled. */
void lp_not_understood(LP_HOOK_SITE);
/* A function called __VERIFIER_atomic_... begins, ends. */
void lp_atomic_begins(LP_HOOK_SITE);
void lp_atomic_ends(LP_HOOK_SITE);
/* A place where a mutant differs from the program (ir/mutants/mutants.h): bits of enum lp_mutant_seen. */
enum lp_mutant_seen { LP_MUTANT_REACHED = 1, LP_MUTANT_DIFFERS = 2 };
void lp_mutant_seen(uint32_t mutant, uint32_t seen);
/* A thread-local variable of a library, not of the program. */
void lp_foreign_local(void *p);

#endif
