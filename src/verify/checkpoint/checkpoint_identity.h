/* checkpoint_identity.h -- what a checkpoint is of, as text: a line for each thing that must be the same. */
#ifndef LP_VERIFY_CHECKPOINT_CHECKPOINT_IDENTITY_H
#define LP_VERIFY_CHECKPOINT_CHECKPOINT_IDENTITY_H

#include "base/digest.h"
#include "base/error.h"
#include "ranks/bytes.h"

struct lp_task;

void lp_checkpoint_identify(struct lp_task *, struct lp_bytes *);
/* The command, and linchpin itself, only. */
void lp_checkpoint_identify_build(const char *command, struct lp_bytes *);
/* Of the contents; that of nothing if it cannot be read. */
struct lp_digest lp_checkpoint_digest(const char *path);

/* Are they the same?  If not, the error names the first difference. */
bool lp_checkpoint_is_same(const char *path, struct lp_cursor then, struct lp_cursor now, struct lp_error *);

#endif
