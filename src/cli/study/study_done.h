/* study_done.h -- keeps the finished rows of a study, for --checkpoint and --resume.
 *
 * A row is identified by a digest of its command, of the files that the command names, and of the files that those
 * files include by paths relative to their own folders.  If the digest has changed, the row is run again.  The expected verdict is not part of
 * the digest, because answers are compared with it each time.
 */
#ifndef LP_CLI_STUDY_STUDY_DONE_H
#define LP_CLI_STUDY_STUDY_DONE_H

#include "base/digest.h"
#include "cli/study/study_answer.h"
#include "verify/checkpoint/checkpoint_file.h"

struct lp_options;

struct lp_study_done {
	struct lp_checkpoint_file file; /* if `path` is NULL, rows are not kept */
	double every, next;       /* seconds between two checkpoints, and when the next one is due */
	struct lp_digest *keys;   /* for each row */
	struct lp_study_answer *answers;
	bool *done;
	uint32_t count;
};

/* `answers` and `done` have an element for each row.  The function fills in the elements of the rows that are in the
 * file of --resume. */
bool lp_study_done_open(struct lp_study_done *, const struct lp_options *, const struct lp_study_rows *, const char *zoo, struct lp_arena *,
			struct lp_error *);
void lp_study_done_close(struct lp_study_done *);

/* To be called after rows were finished.  Writes all finished rows if a checkpoint is due or `now` is set; removes the
 * file when all rows are finished.  Returns false if the file cannot be written. */
bool lp_study_done_keep(struct lp_study_done *, bool now, struct lp_error *);

#endif
