/* product.h -- a specification, determinised: what a linearizable object may have done so far.
 *
 * While processes call and return forever, a *set* holds every way in which the calls so
 * far can have taken effect: pairs of a state of the specification and, for each process,
 * whether its call is still to take effect, or has, and with which result.  A history is
 * linearizable as long as its set is not empty.  Sets are hash-consed: a set is a number,
 * equal numbers are equal sets, and steps are remembered.
 *
 * Calls take effect as late as possible, when some call returns: by then it, and any of the
 * others before it, must have (Lowe, "Testing for linearizability", 2017, calls this
 * just-in-time linearization).  So sets grow at returns only, and shrink there.
 *
 * What a call returns that takes effect before it returns must be guessed: one of the results
 * that such calls were ever seen to return, or none of them.  Where a result is seen for the
 * first time, sets made before may lack something: LP_PRODUCT_LEARNT, and whoever explores
 * begins again.
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
#define LP_PRODUCT_LEARNT (UINT32_MAX - 1) /* begin again: lp_product_again() */
#define LP_PRODUCT_DOUBTS (UINT32_MAX - 2) /* no way is left, by the results seen so far */

struct lp_product_call {
	uint32_t method; /* of the specification */
	uint32_t args;
	int64_t arg[LP_PRODUCT_ARGS];
};

/* `calls` are all that processes can make, and must outlive the product, as the spec. */
struct lp_product *lp_product_open(const struct lp_spec *, uint32_t threads,
				   const struct lp_product_call *calls, uint32_t count);
void lp_product_close(struct lp_product *); /* NULL is fine */

/* Calls may be out of order by that much: relax.h.  To be said before anything else; the rule
 * must outlive the product.
 *
 * Then what is right depends on calls that are yet to come, and so on what they may return.
 * If results are values that were put in, all of them are known.  Else there are doubts:
 * when nothing more is learnt, lp_product_settle(), and begin again. */
void lp_product_relax(struct lp_product *, const struct lp_quasi *);
/* Was something called right by that which was not worked out to its end? */
bool lp_product_is_tired(const struct lp_product *);
void lp_product_settle(struct lp_product *);

/* Before the processes, one call after the other.  False if the specification does not
 * allow that. */
bool lp_product_before(struct lp_product *, const struct lp_product_call *, int64_t result);

/* Forgets all sets, and keeps the results seen. */
void lp_product_again(struct lp_product *);

/* No process is in a call. */
uint32_t lp_product_begin(struct lp_product *);
uint32_t lp_product_calls(struct lp_product *, uint32_t set, uint32_t thread, uint32_t call);
uint32_t lp_product_returns(struct lp_product *, uint32_t set, uint32_t thread, int64_t result);

/* Process i becomes number to[i]. */
uint32_t lp_product_rename(struct lp_product *, uint32_t set, const uint8_t *to);
/* A number that depends on what the set says of the process, but not on the names of
 * processes. */
uint64_t lp_product_look(struct lp_product *, uint32_t set, uint32_t thread);
/* Is every way of `a` one of `b`? */
bool lp_product_within(struct lp_product *, uint32_t a, uint32_t b);
/* May the call of the process wait forever, as far as the specification knows? */
bool lp_product_may_wait(struct lp_product *, uint32_t set, uint32_t thread);

/* Sets, ways, and states of the specification. */
struct lp_product_counts {
	uint64_t sets, ways, states;
};
struct lp_product_counts lp_product_counts(const struct lp_product *);

#endif
