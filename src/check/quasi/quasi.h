/* quasi.h -- quasi-linearizability: an order of the calls that is close to a correct run.
 *
 * Definition 4 of Adhikari, Street, Wang, Liu and Zhang, "Verifying a quantitative
 * relaxation of linearizability via refinement" (STTT 2016), after Afek, Korland and
 * Yanovsky (OPODIS 2010).  There must be two orders P and R of the calls.  P respects the
 * order of the history, and the specification accepts R.  Calls belong to classes, which may
 * overlap, and each class has a factor.  In each class of a call, the place of the call in P
 * differs from its place in R by at most the factor.  Places are counted within the class.
 *
 *     P   enq(1)  enq(2)  deq->2  deq->1        dequeues: each moves by 1,
 *     R   enq(1)  enq(2)  deq->1  deq->2        enqueues: none moves
 *
 * docs/quasi.md says how we read this definition: a call changes places only with calls of the same
 * classes, failed calls are in no class, and a history is correct if some continuation of it is correct.
 */
#ifndef LP_CHECK_QUASI_QUASI_H
#define LP_CHECK_QUASI_QUASI_H

#include <stdbool.h>
#include <stdint.h>

struct lp_error;
struct lp_spec;

enum { LP_MAX_CLASSES = 80 };

/* A text for reports. */
#define LP_QUASI_READING "calls change places within their class, also with calls that are yet to " \
			 "come (docs/quasi.md)"

#define LP_ANY_DISTANCE UINT32_MAX

struct lp_quasi {
	uint32_t count;
	struct {
		uint64_t methods; /* bit m: calls of method m belong to the class */
		uint32_t factor;  /* the factor, or LP_ANY_DISTANCE */
	} classes[LP_MAX_CLASSES];
};

/* Parses classes and factors, such as "dequeue=2,enqueue+front=1,*=4": a class of one method, a class of
 * several methods, and the class of all methods.  A factor is a number or "any".  A method that is in none
 * of the given classes gets a class of its own with factor 0. */
bool lp_quasi_parse(struct lp_quasi *quasi, const char *text, const struct lp_spec *spec,
		    struct lp_error *error);

#endif
