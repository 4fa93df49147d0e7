/* script.h -- programs written as a few lines of text, for testing explorers.
 *
 *     init x 0                        # the default
 *     thread                          # threads are numbered from 1
 *       store.rlx x 1
 *       store.rel y r0+1              # a register, a constant, or two of these with an operator
 *     thread
 *       r0 = load.acq y
 *       if r0 != 1 goto out
 *       r1 = load.rlx x
 *       out:
 *     final                           # run by thread 0, which spawns and joins all
 *       r0 = load.rlx x
 *       outcome 2:r0 2:r1 0:r0        # thread:register
 *
 * The other lines ( [d =] means that the register to be set may be left out):
 *
 *     [d =] add.O x E    also sub, and, or, xor, xchg
 *     [d [s] =] cas.O.O x E E     success and failure order, expected, desired; d is
 *                                 the value read, s whether it succeeded; wcas: weak
 *     [d =] await.O x E           a load that waits for a value; also `x != E`, `x >= E`
 *     [d =] require.O x E         a load; executions with other values are dropped
 *     fence.O     lock m     unlock m     yield
 *     [d =] trylock m             d is 0 if the thread has taken m, and 1 if m was held
 *     wait s     post s           a semaphore, which begins with its initial value
 *     [d =] alloc b     free b    the life of a location begins and ends (see below)
 *     d = me                      the address of what the thread itself has allocated
 *     [d =] pload x     pstore x E        plain accesses
 *     d = E     d = choose N      if E C E goto L     goto L     L:
 *     d = choose 1                marks the beginning of another call
 *     assume E C E     assert E C E       C is == != < <= > >= (unsigned)
 *     spawn                       starts the next thread of the text, which then does not start at the beginning
 *     join                        waits for the end of that thread.  A thread with `spawn` has no jumps, at most one
 *                                 line of each kind, and `join` after `spawn`
 *
 * Threads may have locations of their own.  In place of a location x there may be n@, the thread's own n;
 * or n@d, the n of the thread whose address (see `me`) is in register d.  If d holds no address, n@d is the
 * n of thread 0.  Like threads have their own locations at the same places, so a thread that only compares
 * addresses with each other, and does no arithmetic on them, cannot tell like threads apart.
 *
 * Loads, stores, RMWs, awaits, requires and plain accesses may be to a part of a location: x[4:2] is
 * two bytes of x, from byte 4 on (counted from 0).  A part begins at a multiple of its size.
 *
 * Locations live as long as the program, unless lines say otherwise.  `alloc b` is a calloc():
 * b holds its initial value from there on, written plainly by this thread, and `alloc n@`
 * gives the thread's address.  After `free b` every access is a use after free.  Such accesses are
 * detected as under the native runtime: the program detects accesses that follow the free in the order
 * in which threads are resumed, and the observer detects other accesses that do not happen before the
 * free.  A location that is allocated must be allocated only once, and not be accessed before.
 * Otherwise the error is "unsupported", or "out of bounds" for n@d if d holds no address.
 *
 * `stack n` in front of the threads says that n@ is on each thread's stack: `alloc n@` is then the
 * declaration of a local variable, and `free n@` the end of its scope.  There is at most one such name.
 *
 * O is rlx, acq, rel, acqrel or sc; lines may also be separated by ';'.
 * Registers are r0 to r15 of each thread and begin as 0.  Locations hold 8 bytes.
 *
 * A script is plain data, which may be changed and printed.  The caller of lp_script_parse() owns
 * the script.  A program runs a script, which must outlive the program.
 */
#ifndef LP_PROGRAM_SCRIPT_H
#define LP_PROGRAM_SCRIPT_H

#include "base/error.h"
#include "base/vec.h"
#include "program/program.h"

#define LP_SCRIPT_REGS 16
#define LP_SCRIPT_NO_REG 255
#define LP_SCRIPT_NAME 24
#define LP_SCRIPT_OWNERS 5 /* the most threads, including the first, if threads have locations of their own */
#define LP_SCRIPT_ME UINT64_C(0x10000) /* the address of thread 0; those of the other threads follow */

enum lp_script_kind {
	LP_LINE_LOAD,
	LP_LINE_STORE,
	LP_LINE_RMW,
	LP_LINE_CAS,
	LP_LINE_WCAS,
	LP_LINE_AWAIT,
	LP_LINE_REQUIRE,
	LP_LINE_FENCE,
	LP_LINE_LOCK,
	LP_LINE_TRYLOCK,
	LP_LINE_WAIT,
	LP_LINE_POST,
	LP_LINE_UNLOCK, /* the last line that is atomic */
	LP_LINE_YIELD,
	LP_LINE_ALLOC,
	LP_LINE_FREE,
	LP_LINE_PLOAD,
	LP_LINE_PSTORE, /* the last line that names a location */
	LP_LINE_SET,
	LP_LINE_CHOOSE,
	LP_LINE_ME,
	LP_LINE_IF,
	LP_LINE_GOTO,
	LP_LINE_LABEL,
	LP_LINE_ASSUME,
	LP_LINE_ASSERT,
	LP_LINE_SPAWN, /* thread 0 gets its lines of this kind and the next from the parser, and not from the text */
	LP_LINE_JOIN,
};

/* A register or a constant. */
struct lp_script_atom {
	bool is_reg;
	uint64_t number;
};

/* An atom, or two atoms with an operator. */
struct lp_script_expr {
	char op; /* 0 (only `a`) or one of + - * & | ^ */
	struct lp_script_atom a, b;
};

/* Which location a line accesses: a shared one, the thread's own, or that of the thread
 * whose address is in a register. */
enum lp_script_whose { LP_WHOSE_ALL, LP_WHOSE_MINE, LP_WHOSE_NAMED };

enum lp_script_compare { LP_CMP_EQ, LP_CMP_NE, LP_CMP_LE, LP_CMP_GE, LP_CMP_LT, LP_CMP_GT };

struct lp_script_line {
	uint8_t kind;       /* enum lp_script_kind */
	uint8_t order, fail_order;
	uint8_t rmw;        /* enum lp_rmw */
	uint8_t compare;    /* enum lp_script_compare; AWAIT: EQ, NE or GE only */
	uint8_t dest, flag; /* registers set, or LP_SCRIPT_NO_REG */
	uint8_t whose;      /* enum lp_script_whose */
	uint8_t owner;      /* LP_WHOSE_NAMED: the register with the thread's address */
	uint8_t from, size; /* the bytes of the location that the line accesses; size 0: all */
	bool loop;          /* the line, or its `same`, is inside the span of a backward jump; or the line loads a location that a
	                     * compare-and-swap in such a span changes (derived) */
	bool unused;        /* no register that the line sets is ever looked at (derived) */
	uint16_t live;      /* registers whose value before the line matters (derived) */
	uint32_t same;      /* the first line that does the same as this one, and is followed by the same lines (derived) */
	uint32_t loc;       /* index in locs; if threads have their own locations of that name, the index of thread 0's */
	uint32_t target;    /* IF, GOTO: index of the label's line; SPAWN, JOIN: thread */
	uint32_t source;    /* line number in the text; 0 if none */
	struct lp_script_expr a, b;
	char label[LP_SCRIPT_NAME];
};

struct lp_script_loc {
	char name[LP_SCRIPT_NAME]; /* "n@2" if it is thread 2's own */
	uint64_t initial;
	uint32_t owner;            /* 1 + the thread to which the location belongs; 0: it is shared */
	bool allocated;            /* some line allocates the location (derived) */
};

struct lp_script_block {
	LP_VEC(struct lp_script_line);
	uint16_t live_at_end; /* registers named in the outcome */
};

struct lp_script_outcome {
	uint32_t thread;
	uint8_t reg;
};

struct lp_script {
	struct { LP_VEC(struct lp_script_loc); } locs;
	struct { LP_VEC(struct lp_script_block); } blocks; /* [0] is main */
	struct { LP_VEC(struct lp_script_outcome); } outcome;
	uint32_t stack; /* 1 + the first location on a thread's stack; 0: none */
};

/* Returns NULL if the text is wrong; `error` (which may be NULL) then names the line and the reason. */
struct lp_script *lp_script_parse(const char *text, struct lp_error *error);
void lp_script_drop(struct lp_script *);

/* Returns the script as text that parses to an equal script; the caller frees the text. */
char *lp_script_print(const struct lp_script *);

/* Fills in the derived fields of lines: targets of jumps, loops, liveness.  To be
 * called after a script was changed by hand.  Returns false if a label is missing. */
bool lp_script_derive(struct lp_script *, struct lp_error *error);

/* Does a line of that kind occur in the thread? */
bool lp_script_has(const struct lp_script *, uint32_t thread, enum lp_script_kind);

/* Do threads a and b run the same lines?  Then they are declared alike if b is started
 * right after a. */
bool lp_script_alike(const struct lp_script *, uint32_t a, uint32_t b);

/* Does the line name a location? */
static inline bool lp_script_names_loc(const struct lp_script_line *line)
{
	return line->kind <= LP_LINE_PSTORE && line->kind != LP_LINE_FENCE &&
	       line->kind != LP_LINE_YIELD;
}

struct lp_program *lp_script_open(const struct lp_script *);
void lp_script_close(struct lp_program *);

/* Bounds loops: a thread that has jumped back `rounds` times is stopped at its next backward jump,
 * as by a false assumption.  0, the default: no bound. */
void lp_script_bound(struct lp_program *, uint32_t rounds);

/* How often the thread has jumped back, and the value of one of its registers. */
uint32_t lp_script_rounds(struct lp_program *, lp_tid);
uint64_t lp_script_register(struct lp_program *, lp_tid, unsigned reg);

/* Location i of every script is at this address. */
static inline uintptr_t lp_script_address(uint32_t loc)
{
	return 0x1000 + (uintptr_t)64 * loc;
}

#endif
