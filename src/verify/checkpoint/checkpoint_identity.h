/* checkpoint_identity.h -- the identity of a checkpoint: a text with one line for each thing that must be the same when the checkpoint
 * is resumed. */
#ifndef LP_VERIFY_CHECKPOINT_CHECKPOINT_IDENTITY_H
#define LP_VERIFY_CHECKPOINT_CHECKPOINT_IDENTITY_H

#include "base/digest.h"
#include "base/error.h"
#include "ranks/bytes.h"

struct lp_task;

/* `spec` is the digest of a specification that is a program; or NULL. */
void lp_checkpoint_identify(struct lp_task *, const struct lp_digest *spec, struct lp_bytes *);
/* Writes only those lines of an identity that name the command and the build of linchpin. */
void lp_checkpoint_identify_build(const char *command, struct lp_bytes *);
/* Returns the digest of the contents of a file; a file that cannot be read counts as empty. */
struct lp_digest lp_checkpoint_digest(const char *path);

/* Are the two identities equal?  If not, the error names the first difference. */
bool lp_checkpoint_is_same(const char *path, struct lp_cursor then, struct lp_cursor now, struct lp_error *);

#endif
