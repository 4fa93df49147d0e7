/* reductions.h -- reductions.def as data (driver.c): which reductions are used, what each relies on, and in which situations it
 * is not used. */
#ifndef LP_EXPLORE_REDUCE_REDUCTIONS_H
#define LP_EXPLORE_REDUCE_REDUCTIONS_H

#include <stdbool.h>

/* Which redundant iterations may be kept.  Not all of these are kept: see omitted_races.h. */
enum lp_careful {
	LP_CARELESS,         /* none */
	LP_CAREFUL_IF_PLAIN, /* those with plain reads */
	LP_CAREFUL,          /* any redundant iteration */
};

/* Which reductions are used.  When a fact that a reduction relies on turns out to be false, the exploration restarts without the
 * reduction, or with a weaker form of it (restarts.h). */
struct lp_reductions {
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) bool field;
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	bool recognised;       /* threads that were started in the same way count as alike (symmetry.h) even if the program does not declare this
	                        * (like_threads.h) */
	bool stores_seen;      /* redundant iterations with stores are kept (overwritten_iterations.h).  Set for a restart after
	                        * another thread may have read from such a store */
	enum lp_careful careful; /* which redundant iterations may be kept.  Set for a restart when a race may have been missed (omitted_races.h) */
};

enum lp_reduction {
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) LP_REDUCES_##SWITCH,
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	LP_REDUCTIONS
};

/* Facts about all executions (driver.h), which are watched while graphs are explored. */
enum lp_watched {
	LP_WATCHES_HELPING = 1, /* helping.h */
	LP_WATCHES_OMITTED = 2, /* omitted_races.h */
	LP_WATCHES_ANSWERS = 4, /* answers.h */
	LP_WATCHES_GRAPHS = LP_WATCHES_HELPING | LP_WATCHES_OMITTED | LP_WATCHES_ANSWERS, /* the facts that lp_explore_graphs() can record */
};

/* Situations in which some reductions cannot be used. */
enum lp_situation {
	LP_WITHOUT_SPIN = 1,    /* redundant iterations are not recognised */
	LP_WITH_REUSE = 2,      /* memory that was freed is allocated again */
	LP_WITH_RACES = 4,      /* races are ignored, plain accesses are events */
	LP_WITH_FIT = 8,        /* the check also asks whether the object satisfies a stronger
	                         * property (--fit) */
	LP_WITH_COVERAGE = 16,  /* the check also records which code is reached (--coverage) */
	LP_COUNTING = 32,       /* the number of executions matters, and not only a verdict about all clients */
	LP_LOOKING = 64,        /* the caller wants to know which operations are performed, and how */
	LP_OBSERVING = 128,     /* the caller wants to know which results can be observed, and in which
	                         * orders of the calls */
	LP_FORWARD = 256,       /* the explorer only goes forward (sample/) */
	LP_IN_THREADS = 512,    /* executions are also judged with several calls put into one thread.  Then it matters which
	                         * call performs an operation, even if happens-before is the same */
};

/* Is the reduction used only if redundant iterations are recognised? */
bool lp_reduction_needs_spin(enum lp_reduction);
/* May the explorer visit executions that the program does not have, if it uses the reduction? */
bool lp_reduction_is_doubtful(enum lp_reduction);

/* Switches off the reductions that are not used in these situations: `situation` has bits of enum
 * lp_situation. */
void lp_reductions_limit(struct lp_reductions *, unsigned situation);

/* The facts on which the reductions that are switched on rely: bits of enum lp_watched. */
unsigned lp_reductions_watch(const struct lp_reductions *);

#endif
