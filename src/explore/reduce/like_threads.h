/* like_threads.h -- are the threads that are treated as alike really alike?
 *
 *     for (int i = 0; i < N; i++)
 *             pthread_create(&thread[i], NULL, worker, NULL);
 *     for (int i = 0; i < N; i++)
 *             pthread_join(thread[i], NULL);
 *
 * If several executions differ only in the names of like threads, symmetry.h explores one of them.  A program can declare that threads are
 * alike.  The runtime also recognises like threads: those that are started with the same function, and with the same argument or one that the
 * function ignores.  In this case it does not trust the program: everything that could tell the members of a group of like threads apart is
 * looked for, in the code or while graphs are explored.
 *
 * Claim: for every execution G, and every permutation of a group of like threads, the program has an execution G' in which each
 * member does what another one does in G, with the same errors, if in all executions
 *   1  the members run the same function with the same argument, or one that ignores it, and are started by the same thread, their parent;
 *   2  from the first of these starts to the last, the parent performs starts only and calls no library function; and no member accesses
 *      memory that the parent accesses in between, unless a later event of the parent happens before that
 *      access;
 *   3  the program does not ask for the number of the current thread, and has no thread-local variables;
 *   4  no member knows an address of memory of its own: it allocates none, and of its local variables each has an address that is used for
 *      accesses only (privacy.h of the front end), and is not compared by < with another one;
 *   5  a thread that joins members joins all of them; from the first of these joins to the last it performs joins only, and accesses no memory
 *      that is accessed by a member, or by a thread from which a member has learned;
 *   6  no thread looks at the result of a member, or the results of all members are 0;
 *   7  the members neither start, join nor detach threads, register no function to be called at the end of the program, and report no
 *      outcome.
 * If the threads are declared alike, only conditions 2 (without library calls), 5 and 6 are checked; the program promises
 * the others.
 *
 * G' is G with the members renamed, except that the parent starts and joins them in its own order.  Let member m in G' take the role of member n in G.
 * By 1 m has the same code and data as n, and by 3 and 4 no value that depends on its name.  So m requests the same operations as n, because it reads
 * from the same writes.  By 2 the members cannot see a difference in what happens before their starts.  By 5 a thread that joins them cannot see a
 * difference in what they did, and by 6 not in their results.  Between the first join and the last, happens-before in G and in G' differs, but only
 * accesses of the joining thread there could show this.  By 5 and 7 their names are not used otherwise.  Therefore G' is an execution, and its races,
 * frees and threads that wait forever are those of G, renamed.
 *
 * Why it is enough to check the explored graphs.  Let P' be the program in which a thread stops just before it violates one of the conditions.  P'
 * satisfies all conditions, so every execution of P' that is left out is a renaming of one that is explored.  If the program can violate a
 * condition, P' can come to that point, and so does an execution that is explored, perhaps in another member.
 *
 * The checks treat all members of a group alike: if a thread looks at the result of the first member, and the result of the second one
 * is not 0, then in some execution that is left out the result of the first one is not 0.
 *
 * tests/programs/bug/like_threads.c has a program for each condition, except for the library calls of 2, and for 7: no program was found for which
 * these are necessary.
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

/* Shared by processes. */
struct lp_like_facts {
	atomic_bool told_apart;
	atomic_bool recognised; /* there are like threads that the program did not declare */
	/* What the program was seen to do with threads (struct lp_told_apart), in any process. */
	_Atomic uint64_t differs[LP_TOLD_APART / 64], returned[LP_TOLD_APART / 64], asked[LP_TOLD_APART / 64];
};

/* Checks 5 and 7 for an event of the top frame that is explored. */
void lp_like_note(struct lp_explorer *, lp_eid);

/* Checks what the runtime has seen against 4, 6 and 7.  To be called at the end of the execution in
 * the top frame. */
void lp_like_look(struct lp_explorer *);

/* Records that like threads were told apart, or that there is another reason not to use them. */
void lp_like_tell(struct lp_like_facts *);
bool lp_like_is_broken(const struct lp_like_facts *);
/* Weakens the options for the restart after that. */
void lp_like_heed(const struct lp_like_facts *, struct lp_explore_options *);

/* A cache for lp_like_joins(), which is called for every plain access: thousands of these may come between two operations.  The answer
 * for this thread was no at the time when `at` - 1 operations had been performed. */
struct lp_like_joined {
	bool any;              /* some threads were alike */
	uint32_t thread;
	uint64_t at;           /* 0: not known */
};

/* The thread has performed `count` events; all threads together have performed `performed` operations.  Is the thread's last event a join, and
 * has the thread joined some, but not all, members of a group of like threads?  Then `clock` becomes the clock of what happens before these joins
 * and the joins directly before them. */
bool lp_like_joins(struct lp_like_joined *, const struct lp_graph *, uint64_t performed, uint32_t thread, uint32_t count, uint32_t *clock);

#endif
