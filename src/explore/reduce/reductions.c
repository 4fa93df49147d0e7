/* reductions.c -- reductions.def as data. */
#include "explore/reduce/reductions.h"

#include "explore/explore.h"

enum answers { EXACT, STATES, VERDICTS, DOUBTFUL };

static const struct {
	enum answers answers;
	unsigned unless;
} reductions[LP_REDUCTIONS] = {
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) [LP_REDUCES_##SWITCH] = { answers, unless },
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
};

bool lp_reduction_needs_spin(enum lp_reduction r)
{
	return reductions[r].unless & LP_WITHOUT_SPIN;
}

bool lp_reduction_is_doubtful(enum lp_reduction r)
{
	return reductions[r].answers == DOUBTFUL;
}

void lp_reductions_limit(struct lp_explore_options *o, unsigned situation)
{
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) o->field &= !(situation & (unless));
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
}

unsigned lp_reductions_watch(const struct lp_explore_options *o)
{
	unsigned all = 0;

#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) all |= o->field ? (watched) : 0u;
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	return all;
}
