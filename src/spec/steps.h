/* steps.h -- the methods of the built-in kinds, and how their states begin. */
#ifndef LP_SPEC_STEPS_H
#define LP_SPEC_STEPS_H

#include "linchpin/spec.h"

/* Declares every step of the table; some serve several kinds. */
#define LP_KIND(name, data, by_key, begin, settled, about)
#define LP_PARAM(name, fallback, about)
#define LP_METHOD(step, names, args, result, roles) \
	enum lp_answer step(struct lp_state *, const struct lp_spec_call *);
#define LP_END(name)
#include "spec/kinds.def"
#undef LP_KIND
#undef LP_PARAM
#undef LP_METHOD
#undef LP_END

void lp_register_begin(struct lp_state *s, const int64_t *param);
void lp_counter_begin(struct lp_state *s, const int64_t *param);
void lp_lock_begin(struct lp_state *s, const int64_t *param);
void lp_semaphore_begin(struct lp_state *s, const int64_t *param);
void lp_presence_begin(struct lp_state *s, const int64_t *param);
void lp_snapshot_begin(struct lp_state *s, const int64_t *param);

bool lp_queue_settled(const struct lp_state *s, const int64_t *param);

#endif
