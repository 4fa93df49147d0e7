/* final_joins.h -- the end of main(), when it is the same every time.
 *
 *     for (int i = 0; i < n; i++)
 *         pthread_join(thread[i], NULL);
 *     return 0;
 *
 * To perform that in every execution can take longer than all else that is new in it.  What
 * the first thread does after its last operation U is a function of what it did before, of
 * the memory that it reads, and of whatever else it asks for.  So it is watched once, by the
 * machine: if between U and its end it does nothing but join threads, read memory plainly, and
 * leave functions whose variables no other thread has used (no other call into the runtime, no
 * write), then it will do just that whenever
 *
 *   - its last event is U, the same event with the same past;
 *   - all other threads have ended, none of them by ending the program;
 *   - none of them has joined or detached a thread, nor left anything to be done at exit: what
 *     the runtime keeps of that is no memory that the first thread reads;
 *   - none of them has used a local variable of the first thread;
 *   - no other thread has ever written to the bytes that it read, and they are no location.
 *
 * Joins order only what the first thread does after them, which is nothing that a model looks at; no thread is left to race with; and the reads are
 * of what the thread itself has written: the execution is complete, and as good as it
 * would be in full.  (What was found there the first time was found then: an error is
 * no such end.)  While other threads go on, the joins can wait: nothing depends on them.
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
	uint32_t index; /* of the join after which it took place */
	uintptr_t loc;
	size_t size;
};

struct lp_final_joins {
	bool on;
	uint64_t known; /* the U of the end that is known; 0: none is */
	/* What is being watched: from U = `from`, event number `first` - 1, on, up to and without
	 * event number `next`.  When the program goes back so does that. */
	uint64_t from;
	uint32_t first, next;
	uint64_t noise; /* the program's, before the thread went on */
	struct { LP_VEC(struct lp_final_joins_read); } reads;
};

void lp_final_joins_close(struct lp_final_joins *);

/* Around the operation of the first thread that event e is: it is about to go on, and has
 * gone on. */
void lp_final_joins_resumes(struct lp_machine *, const struct lp_graph *, lp_eid e);
void lp_final_joins_resumed(struct lp_machine *);
/* Meanwhile it reads plainly; or does anything else. */
void lp_final_joins_read(struct lp_final_joins *, uintptr_t loc, size_t size);
void lp_final_joins_disturbed(struct lp_final_joins *);
/* It has come to its end, which becomes its event number `index`. */
void lp_final_joins_ended(struct lp_final_joins *, uint32_t index);

/* Is the first thread at the beginning of an end that is known? */
static inline bool lp_final_joins_begins(const struct lp_final_joins *t, const struct lp_graph *g)
{
	const struct lp_thread *first = &g->threads.at[0];
	return t->known && first->count && lp_graph_note(g, LP_LAST(first))->uid == t->known;
}

/* Then: will it come to pass, the other threads having ended? */
bool lp_final_joins_holds(const struct lp_machine *);

#endif
