/* weaker_spec.h -- finds a more lenient variant of the specification that allows the violation.
 *
 * Many correct rings are not linearizable queues: they report "full" or "empty" while another call is half-way.  A specification
 * has parameters that allow this (docs/specifications.md, Failures).  A user who does not know them takes the report for a bug of
 * the object.  So the history of a violation is judged again with each parameter that lets overlapping calls explain a failure.
 * The parameter `failing` is not tried: it allows every failure, even one that is certainly a bug.
 */
#ifndef LP_VERIFY_VIEW_WEAKER_SPEC_H
#define LP_VERIFY_VIEW_WEAKER_SPEC_H

struct lp_arena;
struct lp_observation;
struct lp_refutation;
struct lp_spec;

/* `o` is not linearizable by `spec`, which the user wrote as `text`; `why` says why.  Returns a text such as "with --spec
 * queue:bounded=2,weak this history is allowed: ...", or NULL if no parameter of a built-in kind suffices.  If several parameters
 * suffice, the text names the one that allows the least, which is the one that the kind lists first. */
const char *lp_weaker_spec(const struct lp_spec *spec, const char *text, const struct lp_observation *,
			   const struct lp_refutation *why, struct lp_arena *);

#endif
