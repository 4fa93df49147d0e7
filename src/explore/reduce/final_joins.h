/* final_joins.h -- the end of main(), when it is the same every time.
 *
 *     for (int i = 0; i < n; i++)
 *         pthread_join(thread[i], NULL);
 *     return 0;
 *
 * Performing these joins in every execution can take longer than everything else that is new in the
 * execution.  Let U be the last event of the first thread before these joins.  What the first thread does after U is a function of
 * what it did before, of the memory that it reads, and of the answers of the runtime.  So the
 * machine watches the end of main() once.  Suppose that the first thread, from U to the end of the
 * thread, only joins threads, reads memory plainly, and leaves functions whose variables no other thread has
 * used: it makes no other call into the runtime, and no write.  Then the first thread does exactly the same
 * in every execution in which
 *
 *   - its last event is U, with the same past;
 *   - all other threads have ended, none of them by ending the program;
 *   - none of them has joined or detached a thread, or registered a function to be called at exit:
 *     the runtime records these elsewhere than in memory that the first thread reads;
 *   - none of them has used a local variable of the first thread;
 *   - no other thread has ever written to the bytes that the first thread read after U, and these bytes are not in a
 *     location of the graph.
 *
 * Such an execution counts as complete without the joins.  A join orders only later events of the first thread, and no model looks at these; no
 * thread is left that could race; and the first thread reads only what it has written itself. (If the end of main() has an error, this is found when
 * it is watched; such an end does not become known.) While other threads can still go on, the joins wait, because nothing depends on them.
 *
 * If another thread has been dropped, at a false assumption or at a bound, the execution counts as blocked without the joins.  But that thread may
 * have written or freed what the first thread would read.  So the last three conditions must hold in this case, too; otherwise the joins are performed.
 */
#ifndef LP_EXPLORE_REDUCE_FINAL_JOINS_H
#define LP_EXPLORE_REDUCE_FINAL_JOINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "graph/note.h"

struct lp_machine;

struct lp_final_joins_read {
	uint32_t index; /* the index of the join after which the read took place */
	uintptr_t loc;
	size_t size;
};

struct lp_final_joins {
	bool on;
	uint64_t known; /* the uid of the event U after which the end of main() is known; 0: no end is known */
	/* The end that is being watched.  It begins after the event U with uid `from` and index `first` - 1.  If `from` is 0, none is being watched.
	 * The events with indices from `first` to `next` - 1 have been watched.  When the program goes back, `next` goes back, too. */
	uint64_t from;
	uint32_t first, next;
	uint64_t noise; /* the program's noise before the first thread was resumed last */
	struct { LP_VEC(struct lp_final_joins_read); } reads;
};

void lp_final_joins_close(struct lp_final_joins *);

/* The machine calls these two functions before and after it resumes the first thread with the answer to event e. */
void lp_final_joins_resumes(struct lp_machine *, const struct lp_graph *, lp_eid e);
void lp_final_joins_resumed(struct lp_machine *);
/* To be called between these two calls, when the first thread reads plainly, or does anything else. */
void lp_final_joins_read(struct lp_final_joins *, uintptr_t loc, size_t size);
void lp_final_joins_disturbed(struct lp_final_joins *);
/* The first thread has come to its end, which becomes its event number `index`. */
void lp_final_joins_ended(struct lp_final_joins *, uint32_t index);

/* Is the first thread's last event the U of an end of main() that is known? */
static inline bool lp_final_joins_begins(const struct lp_final_joins *t, const struct lp_graph *g)
{
	const struct lp_thread *first = &g->threads.at[0];
	return t->known && first->count && lp_graph_note(g, LP_LAST(first))->uid == t->known;
}

/* To be called when the first thread is at the beginning of a known end of main(), and no other thread can go on.  Do the last three
 * conditions above hold? */
bool lp_final_joins_holds(const struct lp_machine *);

#endif
