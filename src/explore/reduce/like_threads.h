/* like_threads.h -- are the threads that are treated as alike really alike?
 *
 *     for (int i = 0; i < N; i++)
 *             pthread_create(&thread[i], NULL, worker, NULL);
 *     for (int i = 0; i < N; i++)
 *             pthread_join(thread[i], NULL);
 *
 * If several executions differ only in the names of like threads, symmetry.h explores one of them.  A program can declare that threads are
 * alike.  The runtime also recognises like threads: those that are started with the same function, and with the same argument or one that the
 * function ignores.  For recognised threads, it is checked that they really are alike: everything that could tell the members of such a
 * group apart is looked for, in the code or while graphs are explored.
 *
 * Claim: for every execution G, and every permutation of a group of like threads, the program has an execution G' in which the members have
 * exchanged their roles in G by this permutation, with the same errors, if in all executions
 *   1  the members run the same function with the same argument, or one that ignores it, and are started by the same thread, their parent;
 *   2  from the first of these starts to the last, the parent performs no operations but starts, and calls no library function; and no member
 *      accesses memory that the parent accesses between these starts, unless a later event of the parent happens before the member's
 *      access;
 *   3  the program does not ask for the number of the current thread, and has no thread-local variables;
 *   4  no member knows an address of memory of its own: it allocates no memory, and the addresses of its local variables are used only
 *      for accesses (privacy.h of the front end), and are not compared by < with other addresses;
 *   5  a thread that joins members joins all of them; from the first of these joins to the last it performs joins only, and accesses no memory
 *      that is accessed by a member, or by a thread whose events happen before events of a member;
 *   6  no thread looks at the result of a member, or the results of all members are 0;
 *   7  the members neither start, join nor detach threads, register no function to be called at the end of the program, and report no
 *      outcome.
 * If the threads are declared alike, only conditions 2 (without library calls), 5 and 6 are checked; the program promises
 * that the other conditions hold.
 *
 * G' is G with the members renamed, except that the parent starts and joins them in its own order.  Let member m in G' take the role of member n in
 * G.  By 1 m has the same code and data as n, and by 3 and 4 m has no value that depends on its name.  So m requests the same operations as n,
 * because m reads from the same writes as n.  By 2 the members cannot see a difference in what happens before their starts.  By 5 a thread that
 * joins the members cannot see a difference in what they did, and by 6 it cannot see a difference in their results.  Between the first join and the
 * last, happens-before differs between G and G', but only accesses that the joining thread makes between these joins could show this, and by 5 there
 * are none.  By 5 and 7 the names of the members are not used otherwise.  Therefore G' is an execution, and its races, frees and threads that wait
 * forever are those of G, renamed.
 *
 * Why it is enough to check the explored graphs.  Let P' be the program in which a thread stops just before it violates one of the conditions.  P'
 * satisfies all conditions, so every execution of P' that is left out is a renaming of one that is explored.  If the program can violate a
 * condition, some execution of P' comes to that point.  So an explored execution comes to that point, too, perhaps with another member in
 * the same role.
 *
 * The checks treat all members of a group alike.  Suppose, for example, that a thread looks at the result of the first member, and that the result of
 * the second member is not 0.  Then in some execution that is left out, the result of the first member is not 0.
 *
 * tests/programs/bug/like_threads.c has a program for each condition that shows that it is needed, except for the library calls of 2, and for 7: no
 * such program was found for these.
 *
 * If a condition fails, the exploration restarts: first without recognised like threads, and if a condition fails again,
 * without declared ones.
 */
#ifndef LP_EXPLORE_REDUCE_LIKE_THREADS_H
#define LP_EXPLORE_REDUCE_LIKE_THREADS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "graph/graph.h"
#include "program/program.h"

struct lp_explore_options;
struct lp_explorer;

/* What was seen in all executions; several processes may share it. */
struct lp_like_facts {
	atomic_bool told_apart; /* a condition turned out to be false */
	atomic_bool recognised; /* there are like threads that the program did not declare */
	/* What the program was seen to do with threads (struct lp_told_apart), in any process. */
	_Atomic uint64_t differs[LP_TOLD_APART / 64], returned[LP_TOLD_APART / 64], asked[LP_TOLD_APART / 64];
};

/* Checks 5 and 7 for an event of the top frame that is explored. */
void lp_like_note(struct lp_explorer *, lp_eid);

/* Checks the conditions that concern what the runtime has seen (struct lp_told_apart): 4, 6 and 7.  To be called at the end of the
 * execution in the top frame. */
void lp_like_look(struct lp_explorer *);

/* Records that a condition is false.  The facts may be NULL. */
void lp_like_tell(struct lp_like_facts *);
/* Was this recorded, so that the exploration must restart? */
bool lp_like_is_broken(const struct lp_like_facts *);
/* If so, weakens the options for the restart. */
void lp_like_heed(const struct lp_like_facts *, struct lp_explore_options *);

/* A cache for lp_like_joins(), which is called for every plain access: thousands of accesses may come between two operations.  If `at` is
 * not 0, the answer for `thread` was no when `at` - 1 operations had been performed. */
struct lp_like_joined {
	bool any;              /* some threads were treated as alike */
	uint32_t thread;
	uint64_t at;           /* 0: not known */
};

/* The thread has performed `count` events; all threads together have performed `performed` operations.  Is the thread's last event a join, and
 * has the thread joined some, but not all, members of a group of like threads?  If so, `clock` becomes the clock of what happens before the
 * uninterrupted sequence of joins that ends with this event. */
bool lp_like_joins(struct lp_like_joined *, const struct lp_graph *, uint64_t performed, uint32_t thread, uint32_t count, uint32_t *clock);

#endif
