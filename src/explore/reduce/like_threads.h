/* like_threads.h -- are the threads that are treated as alike really alike?
 *
 *     for (int i = 0; i < N; i++)
 *             pthread_create(&thread[i], NULL, worker, NULL);
 *     for (int i = 0; i < N; i++)
 *             pthread_join(thread[i], NULL);
 *
 * symmetry.h explores one of the executions that differ in the names of like threads.  A program can declare that threads are alike;
 * the runtime also recognises it where a thread is started with the same function and argument as the one before.  Then nothing
 * is taken on trust: whatever could tell the members of a group of like threads apart is looked for, in the code or while graphs are explored.
 *
 * Claim: for every execution G, and every permutation of a group of like threads, the program has an execution G' in which each
 * member does what another one does in G, with the same errors, if in all executions
 *   1  the members run the same function with the same argument, or one that ignores it, and are started by the same thread, their parent;
 *   2  from the first of these starts to the last, the parent performs starts only and calls no library function; and no member accesses
 *      memory that the parent accesses in between, unless a later event of the parent happens before that;
 *   3  the program does not ask for the number of the current thread, and has no thread-local variables;
 *   4  no member knows an address of memory of its own: it allocates none, and of its local variables each has an address that is used for
 *      accesses only (privacy.h of the front end), and is not compared by < with another one;
 *   5  a thread that joins members joins all of them; from the first of these joins to the last it performs joins only, and accesses no memory
 *      that a member, or what a member has learned of, accesses;
 *   6  the result of no member is looked at, or those of all members are 0;
 *   7  the members neither start, join nor detach threads, register nothing that is done at the end of the program, and report no outcome.
 * Of threads that are declared alike, 2, 5 and 6 are looked for (without the calls of 2); the rest remains the program's promise.
 *
 * G' is G with the members renamed, except that the parent starts and joins them in its own order.  Each member is in G' where
 * another one is in G: by 1 with the same code and data, by 3 and 4 with no value that depends on its name.  So it asks for the same
 * operations, as the writes it reads are the same.  By 2 what happens before the start of a member is the same for all members, as far as
 * they can see; by 5 so is what a thread that joins them sees of them, and by 6 what it is told.  Between the first join and the last
 * the happens-before of G and G' differs, but only accesses there could see that.  By 5 and 7 their names are not used otherwise.  Therefore G' is an
 * execution, and its races, frees and threads that wait forever are those of G, renamed.
 *
 * Why it is enough to look at graphs that are explored.  Let P' be the program in which a thread stops where it does what is excluded above.  P'
 * has all these properties, so the executions that are left out are renamed ones of those that are explored.  If the program can do
 * something excluded, so can P' come to that point, and an execution that is explored does, perhaps by another member.
 *
 * What is excluded has to be the same for all members: if the first one's result is looked at, and the second one's is not 0, then in an
 * execution that is left out the first one's is not.
 *
 * tests/programs/bug/like_threads.c has a program for each condition; none was found that needs the calls of 2, or that what 7 excludes is excluded.
 *
 * If one fails, the exploration restarts: first without the threads that were recognised, then without those that are declared.
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

/* Takes notice of an event of the top frame, which is explored: 5 and 7. */
void lp_like_note(struct lp_explorer *, lp_eid);

/* The same of what the runtime has seen: 4, 6 and 7.  The top frame is at its end. */
void lp_like_look(struct lp_explorer *);

/* Something has told like threads apart, or it is better not to have any. */
void lp_like_tell(struct lp_like_facts *);
bool lp_like_is_broken(const struct lp_like_facts *);
/* How to begin again after that. */
void lp_like_heed(const struct lp_like_facts *, struct lp_explore_options *);

/* What was found when this was last asked: with `at` - 1 operations performed, the thread was not between such joins.  Accesses come
 * in thousands between two operations. */
struct lp_like_joined {
	bool any;              /* some threads have been alike */
	uint32_t thread;
	uint64_t at;           /* 0: not known */
};

/* The thread has performed `count` events, of `performed` operations of all threads.  Is the last of them a join, and has it joined
 * some of a group of like threads, and not the others?  Then `clock` becomes what happens before these joins, and those directly before them. */
bool lp_like_joins(struct lp_like_joined *, const struct lp_graph *, uint64_t performed, uint32_t thread, uint32_t count, uint32_t *clock);

#endif
