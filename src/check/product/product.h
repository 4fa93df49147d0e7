/* product.h -- a determinised specification: all ways in which the calls so far can have taken effect.
 *
 * Processes call and return forever.  A *way* is a state of the specification and, for each
 * process, whether its call has taken effect, and with which result.  A *set* holds all ways that
 * are possible after the calls and returns so far.  The history is linearizable as long as its
 * set is not empty.  Sets are hash-consed: a set is represented by a number, and equal sets have
 * equal numbers.  A step leads from a set to the set after a call or a return.  The result of each
 * step is stored, and sets that differ only in the numbers of processes share these results.
 *
 * Calls take effect as late as possible, when some call returns: that call must then have taken
 * effect, and any other open calls may take effect before it (Lowe, "Testing for linearizability",
 * 2017, calls this just-in-time linearization).  So when a process makes a call, only the call itself is
 * added to the ways of the set; all other changes happen at returns.
 *
 * If the specification has the parameter `contended`, a set also has a bit for each process.  The bit is set
 * if the open call of the process has overlapped with another call.  Such a call may fail without taking
 * effect.  So a set in which fewer bits are set allows fewer continuations.
 *
 * If a call takes effect before it returns, its result must be guessed: either it is one of the results
 * that the same call has returned in the exploration so far, or it is a new one.  When a result is seen for
 * the first time, the sets that were computed before may be incomplete.  So the answer is then
 * LP_PRODUCT_LEARNT, and the exploration must restart.
 */
#ifndef LP_CHECK_PRODUCT_PRODUCT_H
#define LP_CHECK_PRODUCT_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>


struct lp_product;
struct lp_quasi;
struct lp_spec;

enum { LP_PRODUCT_THREADS = 16, LP_PRODUCT_ARGS = 3 };

#define LP_PRODUCT_WRONG UINT32_MAX        /* no way is left */
#define LP_PRODUCT_LEARNT (UINT32_MAX - 1) /* a new result was seen: call lp_product_again() and restart */
#define LP_PRODUCT_DOUBTS (UINT32_MAX - 2) /* no way is left, with the results seen so far */

struct lp_product_call {
	uint32_t method; /* the index of the method in the specification */
	uint32_t args;
	int64_t arg[LP_PRODUCT_ARGS];
};

/* `calls` are all calls that processes can make.  They and the specification must outlive the product. */
struct lp_product *lp_product_open(const struct lp_spec *, uint32_t threads,
				   const struct lp_product_call *calls, uint32_t count);
void lp_product_close(struct lp_product *); /* NULL is fine */

/* From now on, the property is quasi-linearizability with these factors (relax.h).  To be called before all
 * other functions; the factors must outlive the product.
 *
 * Whether a run is quasi-linearizable depends on the results that future calls may have.  If results are values
 * that were inserted, all possible results are known.  Otherwise answers may be LP_PRODUCT_DOUBTS.  When an
 * exploration has ended without learning a new result, call lp_product_settle(), and then restart the
 * exploration. */
void lp_product_relax(struct lp_product *, const struct lp_quasi *);
/* Was some computation of relax.h cut short, so that "correct" may be wrong? */
bool lp_product_is_tired(const struct lp_product *);
/* States that all possible results are known now. */
void lp_product_settle(struct lp_product *);

/* Adds a call that was made before the processes started.  Such calls were made one after the other.  Returns
 * false if the specification rejects the call. */
bool lp_product_before(struct lp_product *, const struct lp_product_call *, int64_t result);

/* Forgets the last result that was learnt.  This is for an exploration by several operating-system processes: if
 * another of these processes reports an event that comes earlier in the exploration, the result counts as not
 * learnt.  To be called before lp_product_again(). */
void lp_product_unlearn(struct lp_product *);

/* Forgets all sets, but not the results that were seen. */
void lp_product_again(struct lp_product *);

/* Returns the first set, in which no process is in a call. */
uint32_t lp_product_begin(struct lp_product *);
/* Return the set after a step: the process makes the call with this index, or its call returns with this result. */
uint32_t lp_product_calls(struct lp_product *, uint32_t set, uint32_t thread, uint32_t call);
uint32_t lp_product_returns(struct lp_product *, uint32_t set, uint32_t thread, int64_t result);

/* Returns the set with renumbered processes: process i becomes process to[i]. */
uint32_t lp_product_rename(struct lp_product *, uint32_t set, const uint8_t *to);
/* Returns the look of a process: a number that depends on what the set says about the process, but not on
 * the numbers of processes. */
uint64_t lp_product_look(struct lp_product *, uint32_t set, uint32_t thread);
/* Does set `b` allow everything that set `a` allows?  True if each way of `a` is a way of `b`, or results from a way of `b`
 * when open calls take effect.  If the specification has the parameter `contended`, each bit that is set in `a` must also be
 * set in `b`. */
bool lp_product_within(struct lp_product *, uint32_t a, uint32_t b);
/* Does the specification allow the open call of the process to wait forever? */
bool lp_product_may_wait(struct lp_product *, uint32_t set, uint32_t thread);

/* The numbers of sets, of ways, and of states of the specification so far. */
struct lp_product_counts {
	uint64_t sets, ways, states;
};
struct lp_product_counts lp_product_counts(const struct lp_product *);

#endif
