/* weaker_spec.h -- would a more lenient variant of the specification allow what was found?
 *
 * Many correct rings are not linearizable queues: they report "full" or "empty" while another call is half-way.  A
 * user who does not know the parameters for that (docs/specifications.md, Failures) takes the report for a bug of
 * the object.  So the history of a violation is judged once more with each parameter that lets calls that overlap explain
 * a failure.  Not with `failing`: it allows every failure, also one that is a bug of the object beyond doubt.
 */
#ifndef LP_VERIFY_VIEW_WEAKER_SPEC_H
#define LP_VERIFY_VIEW_WEAKER_SPEC_H

struct lp_arena;
struct lp_observation;
struct lp_refutation;
struct lp_spec;

/* "with --spec queue:bounded=2,weak this history is allowed: ..."; NULL if no parameter of a built-in kind suffices.  The
 * observation is not linearizable by `spec`, which the user wrote as `text`, because of `why`.  Of several parameters it names the
 * one that the kind lists first: kinds list those that allow less before those that allow more. */
const char *lp_weaker_spec(const struct lp_spec *spec, const char *text, const struct lp_observation *,
			   const struct lp_refutation *why, struct lp_arena *);

#endif
