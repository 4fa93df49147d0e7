/* liveness.h -- what a thread's future depends on while it waits in a hook.
 *
 * The user's code calls a hook (__tsan_*, a shim) for whatever others can see,
 * and is suspended there.  Its future then depends on shared memory, on what the
 * hook returns, on the chain of return addresses, and in each frame on the
 * registers and stack bytes that are *live*: read before they are overwritten.
 * Everything else is left over from the past.  Liveness is computed once, from
 * the machine code of the loaded object.
 *
 * Conservative: what the analysis cannot tell is live, and a function that it does
 * not understand has no sites.  Relied upon, besides the System V ABI at calls that
 * leave the object: the code was made by a compiler from a program that, up to
 * here, has kept within its objects, and a callee leaves alone the part of its
 * caller's frame that it was given no pointer to.
 *
 *     high   +-------------------+
 *            | stack arguments   |   cfa + 0 ...      (the caller's frame)
 *     cfa -> +-------------------+
 *            | return address    |   cfa - 8
 *            | saved registers   |
 *            | locals, spills    |
 *     rsp -> +-------------------+   after the call has returned
 *     low
 *
 * x86-64.  Elsewhere nothing is known: there are no sites.
 * Immutable after opening; any number of threads may ask.
 */
#ifndef LP_LOAD_LIVENESS_H
#define LP_LOAD_LIVENESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hash.h"

/* The registers that a call preserves, besides rsp. */
enum lp_saved { LP_RBX, LP_RBP, LP_R12, LP_R13, LP_R14, LP_R15, LP_SAVED_COUNT };

/* A user thread's registers as they will be when the hook has returned. */
struct lp_registers {
	uintptr_t rip; /* the hook's return address */
	uintptr_t rsp; /* above that return address */
	uintptr_t saved[LP_SAVED_COUNT];
};

/* Eight stack bytes at cfa + at, of which those under the mask are live. */
struct lp_live_word {
	int32_t at; /* a multiple of 8 */
	uint64_t mask;
};

/* What becomes of what a call returns in rax: something may look at it; nothing in this
 * activation does, but it may still be there when the function returns; nothing does. */
enum lp_result_use { LP_RESULT_USED, LP_RESULT_PASSED_ON, LP_RESULT_UNUSED };

/* The moment at which a certain call returns. */
struct lp_site {
	uint32_t pc;          /* the return address, from the load base */
	bool on_loop;         /* can be reached again within the function's activation,
	                       * or the function calls itself, perhaps through others */
	bool cfa_from_rbp;    /* cfa = rbp + cfa_offset; otherwise rsp + cfa_offset */
	bool dynamic;         /* all bytes between rsp and cfa + fixed are live, too: the
	                       * frame's size is known at run time only */
	bool incoming;        /* unknown bytes of the stack arguments are live */
	bool outgoing;        /* the callee may have been given stack arguments */
	uint8_t result;       /* enum lp_result_use */
	uint8_t live;         /* registers whose contents are live; bits by enum lp_saved */
	uint8_t pinned;       /* of these, the ones that are a function of the cfa */
	int32_t cfa_offset;
	int32_t fixed;
	uint8_t kept;         /* registers that still hold what they held in the caller */
	int32_t saved[LP_SAVED_COUNT]; /* the caller's register r is at cfa + saved[r], and
	                                * will be restored from there; 0: only in r itself.
	                                * These slots are not among the live words: whether
	                                * they are live, the caller's site says */
	const struct lp_live_word *words;
	uint32_t word_count;
};

struct lp_liveness;

/* Analyses the shared object, which is loaded at `load_base`.  NULL if the file
 * cannot be read.  Code that is not understood is no error. */
struct lp_liveness *lp_liveness_open(const char *so_path, uintptr_t load_base,
				     struct lp_error *);
void lp_liveness_close(struct lp_liveness *); /* NULL is fine */

/* The site that a call returns to; NULL if unknown: then nothing may be assumed. */
const struct lp_site *lp_liveness_site(const struct lp_liveness *, uintptr_t return_address);

/* The number of sites, and any one of them. */
uint32_t lp_liveness_count(const struct lp_liveness *);
const struct lp_site *lp_liveness_nth(const struct lp_liveness *, uint32_t n);

/* Feeds `out` with all that the thread's future depends on after the hook's return:
 * return addresses, live registers, live stack bytes of all frames, up to the
 * thread's entry function.  False if that cannot be told.
 *
 * Not included, to be added by the caller: the pending operation itself (address,
 * operands, what it will return) and how far into the hook the thread has come.
 *
 * `stack_top` is the highest address of the thread's stack that may be looked at.
 * The entry function has been called from outside the object; if between its
 * frame and `stack_top` there is another frame of the object (the user's code has
 * been called back by a function that is not his) the answer is false.  That
 * part is searched word by word: keep it small. */
bool lp_liveness_fingerprint(const struct lp_liveness *, const struct lp_registers *at_hook,
			     uintptr_t stack_top, struct lp_fingerprint *out);

/* Is the thread's future the same whatever the hook returns in rax, and whatever it writes
 * to the `size` bytes at p, if p is not 0?  False if that cannot be told. */
bool lp_liveness_ignores(const struct lp_liveness *, const struct lp_registers *at_hook,
			 uintptr_t stack_top, uintptr_t p, size_t size);

/* The words that it would feed, but for return addresses and where frames are: `see` is
 * told of each, whole, where any of its bytes is live. */
bool lp_liveness_words(const struct lp_liveness *, const struct lp_registers *at_hook,
		       uintptr_t stack_top, void (*see)(void *closure, uint64_t word),
		       void *closure);

/* Can the thread come back to this chain of return addresses: is a site of the
 * chain on a loop?  Also true where a frame is unknown. */
bool lp_liveness_on_loop(const struct lp_liveness *, const struct lp_registers *at_hook,
			 uintptr_t stack_top);

#endif
