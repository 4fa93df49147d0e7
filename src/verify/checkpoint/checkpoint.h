/* checkpoint.h -- --checkpoint and --resume: an exploration that goes on in another process.
 *
 * What is in a checkpoint: what it is of (the version, the program, the options), the clients that were explored completely, with their
 * counts, what all executions have left behind in the runtime, and what is left of the current client's exploration (explore/keep.h).
 */
#ifndef LP_VERIFY_CHECKPOINT_CHECKPOINT_H
#define LP_VERIFY_CHECKPOINT_CHECKPOINT_H

#include "explore/keep.h"
#include "verify/checkpoint/checkpoint_file.h"

struct lp_options;
struct lp_result;
struct lp_task;

/* Of the explorations before the current one. */
struct lp_checkpoint_totals {
	uint64_t clients; /* explored completely; of a program: 0 */
	uint64_t executions, blocked, abandoned, cut, distinct;
	bool mistaken;    /* the object was found to tell its callers apart: all clients are explored once more */
	bool tells_apart; /* the specification, which is a program, does */
	double seconds;   /* of all processes so far */
};

struct lp_checkpoint {
	struct lp_task *task;
	const char *path;
	struct lp_keep keep;
	struct lp_bytes identity;
	/* What is continued, until that is reached. */
	bool resumes, reached;
	struct lp_checkpoint_totals from;
	struct lp_bytes bytes;
	struct lp_checkpoint_parts parts;
	/* Of the current exploration. */
	struct lp_checkpoint_totals totals;
	bool resumed;     /* it continues one */
	bool kept;        /* by this process */
	bool ended;       /* there is nothing to go on with */
	bool over;        /* what is explored from now on is of no concern */
	bool there;       /* the file is there, and is ours */
	const char *lost; /* it could not be written: why; or NULL */
};

/* Can it be written, and is there none yet?  An old one may be hours of work. */
bool lp_checkpoint_is_free(const char *path, struct lp_error *);

/* If the options ask for it: task->checkpoint.  When the program is loaded, and nothing is explored. */
bool lp_checkpoint_open(struct lp_task *, struct lp_error *);
void lp_checkpoint_close(struct lp_checkpoint *);

/* All of the following do nothing if there is none: NULL. */

/* Is this client, of which so many were explored before, among those that were explored completely by another process? */
bool lp_checkpoint_passes_over(const struct lp_checkpoint *, uint64_t clients);

/* Is it the client that another process was at? */
bool lp_checkpoint_reaches(struct lp_checkpoint *, uint64_t clients);

/* Before an exploration: what was explored before, which becomes what another process had explored, if this one continues that. */
void lp_checkpoint_begin(struct lp_checkpoint *, struct lp_checkpoint_totals *);
/* After it, with what has come of it. */
void lp_checkpoint_end(struct lp_checkpoint *, const struct lp_exploration *);

/* All was explored that is kept.  False if what was to be continued was not reached: the clients are others than those of the checkpoint. */
bool lp_checkpoint_finish(struct lp_checkpoint *, const struct lp_exploration *last, struct lp_error *);

/* Adds to the result how to go on, or removes the file if there is nothing left. */
void lp_checkpoint_show(struct lp_checkpoint *, struct lp_result *);

/* Does the process begin again without chance in addresses?  What another process has explored is of no use otherwise. */
bool lp_checkpoint_wants(int argc, char **argv);

#endif
