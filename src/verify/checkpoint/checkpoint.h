/* checkpoint.h -- --checkpoint and --resume: an exploration that another process continues.
 *
 * A checkpoint contains an identity (the version, the program, the options); the number of clients that were explored completely,
 * and the counts of these explorations; that state of the runtime which outlives executions; and what is left of the current
 * client's exploration (explore/keep.h).
 */
#ifndef LP_VERIFY_CHECKPOINT_CHECKPOINT_H
#define LP_VERIFY_CHECKPOINT_CHECKPOINT_H

#include "base/digest.h"
#include "explore/keep.h"
#include "verify/checkpoint/checkpoint_file.h"

struct lp_options;
struct lp_result;
struct lp_task;

/* The sums of all explorations before the current one. */
struct lp_checkpoint_totals {
	uint64_t clients; /* clients that were explored completely; 0 for a program */
	uint64_t executions, blocked, abandoned, cut, distinct;
	bool mistaken;    /* the object was found to tell its callers apart, so all clients are explored once more */
	bool inspects;    /* the object was found to look at its arguments, so all clients are explored once more */
	bool tells_apart; /* the specification, which is a program, was found to tell its callers apart */
	double seconds;   /* the time that all processes have used so far */
};

struct lp_checkpoint {
	struct lp_task *task;
	struct lp_checkpoint_file file;
	struct lp_keep keep;
	struct lp_bytes identity;
	/* The checkpoint that is resumed (`resumes`: there is one).  It is used until the client is reached whose exploration it
	 * continues; then `reached` is set. */
	bool resumes, reached;
	struct lp_checkpoint_totals from;
	struct lp_bytes bytes;
	struct lp_checkpoint_parts parts;
	/* The current exploration. */
	struct lp_checkpoint_totals totals;
	bool resumed;     /* the current exploration continues that of another process */
	bool kept;        /* this process has written a checkpoint */
	bool ended;       /* nothing is left to explore */
	bool over;        /* later explorations are not kept */
	const char *lost; /* why the file could not be written; NULL if it could */
};

/* Sets task->checkpoint if the options ask for it.  To be called when the program is loaded, and before anything is explored.  `spec`
 * is the digest of a specification that is a program; or NULL. */
bool lp_checkpoint_open(struct lp_task *, const struct lp_digest *spec, struct lp_error *);
void lp_checkpoint_close(struct lp_checkpoint *);

/* The following functions do nothing if the checkpoint is NULL. */

/* Did another process explore this client completely?  `clients` is the number of clients before this one. */
bool lp_checkpoint_passes_over(const struct lp_checkpoint *, uint64_t clients);

/* Is this the client that the other process had begun to explore?  `clients` is the number of clients before this one. */
bool lp_checkpoint_reaches(struct lp_checkpoint *, uint64_t clients);

/* To be called before each exploration; the caller passes the totals so far.  If the exploration continues that of another process, the
 * totals become those of the checkpoint. */
void lp_checkpoint_begin(struct lp_checkpoint *, struct lp_checkpoint_totals *);
/* To be called after the exploration, with its result. */
void lp_checkpoint_end(struct lp_checkpoint *, const struct lp_exploration *);

/* To be called when everything was explored.  Returns false, with the error set, if the client of the checkpoint was never reached, because
 * the clients differ from those of the process that wrote the checkpoint. */
bool lp_checkpoint_finish(struct lp_checkpoint *, const struct lp_exploration *last, struct lp_error *);

/* If something is left to explore, adds the command that resumes the exploration to the result.  Otherwise removes the file. */
void lp_checkpoint_show(struct lp_checkpoint *, struct lp_result *);

/* Do the arguments ask for a checkpoint?  If so, the process must restart itself without address space randomisation, because a
 * checkpoint is valid only at the same addresses. */
bool lp_checkpoint_wants(int argc, char **argv);

#endif
