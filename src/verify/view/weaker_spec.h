/* weaker_spec.h -- finds a more lenient variant of the specification that allows the violation.
 *
 * Many correct ring buffers are not linearizable queues: they report "full" or "empty" while another call is in progress.
 * Specifications have parameters that allow this (docs/specifications.md, Failures).  A user who does not know these parameters takes
 * the report for a bug of the object.  So the history of a violation is judged again with each parameter that allows a failure if
 * an overlapping call explains it.  The parameter `failing` is not tried: it allows every failure, even one that is certainly a
 * bug.
 */
#ifndef LP_VERIFY_VIEW_WEAKER_SPEC_H
#define LP_VERIFY_VIEW_WEAKER_SPEC_H

struct lp_arena;
struct lp_observation;
struct lp_refutation;
struct lp_spec;

/* The observation is not linearizable by `spec`, which the user wrote as `text`; `why` is the reason.  Returns a text such as "with
 * --spec queue:bounded=2,weak this history is allowed: ...".  Returns NULL if no parameter of the kind suffices.  If several
 * suffice, the text names the one that allows the least; a kind lists this one before those that allow more. */
const char *lp_weaker_spec(const struct lp_spec *spec, const char *text, const struct lp_observation *,
			   const struct lp_refutation *why, struct lp_arena *);

#endif
