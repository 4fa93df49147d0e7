/* study_done.h -- rows of a study that are done, for --checkpoint and --resume.
 *
 * A row is known by a digest of its command and of its object's file, so that a row of which either has changed is run again.
 * The expected verdict may change: it is compared again each time.
 */
#ifndef LP_CLI_STUDY_STUDY_DONE_H
#define LP_CLI_STUDY_STUDY_DONE_H

#include "base/digest.h"
#include "cli/study/study_answer.h"
#include "verify/checkpoint/checkpoint_file.h"

struct lp_options;

struct lp_study_done {
	struct lp_checkpoint_file file; /* `path` NULL: rows are not kept */
	double every, next;       /* seconds between two checkpoints, and when the next one is due */
	struct lp_digest *keys;   /* of each row */
	struct lp_study_answer *answers;
	bool *done;
	uint32_t count;
};

/* `answers` and `done` are those of the rows: those that are in the file of --resume are filled in. */
bool lp_study_done_open(struct lp_study_done *, const struct lp_options *, const struct lp_study_rows *, const char *zoo, struct lp_arena *,
			struct lp_error *);
void lp_study_done_close(struct lp_study_done *);

/* Some rows are done: writes them if that is due, or `now`.  When all are done, the file is removed.  False if it cannot be written. */
bool lp_study_done_keep(struct lp_study_done *, bool now, struct lp_error *);

#endif
