/* relax_parts.h -- the layout of a relaxed state: the state of the specification, and the owed calls
 * (relax.h).
 *
 *     count, state (count words), then for each owed call: number << 1 | kind, its ages
 *
 * The owed calls are sorted, so that equal states have equal words.
 */
#ifndef LP_CHECK_QUASI_RELAX_PARTS_H
#define LP_CHECK_QUASI_RELAX_PARTS_H

#include "check/quasi/relax.h"

enum lp_owed { LP_LATER, LP_SOONER };

static inline uint32_t lp_owed_words(const struct lp_relax *q) { return 1 + q->ages; }
static inline enum lp_owed lp_owed_kind(const int64_t *w) { return (enum lp_owed)(*w & 1); }
static inline uint32_t lp_owed_number(const int64_t *w) { return (uint32_t)(*w >> 1); }

static inline uint32_t lp_owed_method(const struct lp_relax *q, const int64_t *w)
{
	const uint32_t number = lp_owed_number(w);

	return number >= LP_RELAX_UNSEEN ? number - LP_RELAX_UNSEEN : q->events[number].method;
}

static inline bool lp_relax_in_class(const struct lp_relax *q, uint32_t class, uint32_t method)
{
	return q->rule->classes[class].methods >> method & 1;
}

/* Are both methods in exactly the same classes? */
bool lp_relax_same_group(const struct lp_relax *, uint32_t method, uint32_t other);

/* Copies the owed calls of a relaxed state to `owed`. */
void lp_owed_take(const struct lp_state *from, struct lp_state *owed);
/* To be called when P continues with a call of the method: increases the ages of the owed calls that share a
 * class with the method. */
void lp_owed_age(const struct lp_relax *, struct lp_state *owed, uint32_t method);
void lp_owed_add(const struct lp_relax *, struct lp_state *owed, uint32_t number, enum lp_owed);
void lp_owed_remove(const struct lp_relax *, struct lp_state *owed, uint32_t at);

/* Receives relaxed states: `then` is called for each, and `inner` and `out` are room to build them. */
struct lp_relax_sink {
	struct lp_state *inner, *out;
	void (*then)(void *closure, const struct lp_state *);
	void *closure;
};

/* R continues with the call.  Calls sink->then() for every relaxed state to which this leads.  In these states
 * the calls in `owed` are owed. */
void lp_relax_place(const struct lp_relax *, const struct lp_state *from, const struct lp_relax_event *,
		    const struct lp_state *owed, const struct lp_relax_sink *);

#endif
