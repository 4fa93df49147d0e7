/* reductions.h -- reductions.def as data (driver.c): which reductions are used, what each relies on, and in which situations it
 * is not used. */
#ifndef LP_EXPLORE_REDUCE_REDUCTIONS_H
#define LP_EXPLORE_REDUCE_REDUCTIONS_H

#include <stdbool.h>

/* Which redundant iterations are kept (omitted_races.h). */
enum lp_careful {
	LP_CARELESS,
	LP_CAREFUL_IF_PLAIN, /* keep those with plain reads */
	LP_CAREFUL,          /* keep all */
};

/* Which reductions are used.  When a fact that a reduction relies on turns out to be false, the exploration restarts without the
 * reduction, or with a weaker form of it (restarts.h). */
struct lp_reductions {
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) bool field;
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	bool recognised;       /* symmetry also uses threads that were started in the same way (like_threads.h) */
	bool stores_seen;      /* keep iterations with stores (overwritten_iterations.h): set when another
	                        * thread may have read from one */
	enum lp_careful careful; /* keep some redundant iterations: set when races could be
	                        * missed otherwise (omitted_races.h) */
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
	LP_WATCHES_GRAPHS = LP_WATCHES_HELPING | LP_WATCHES_OMITTED | LP_WATCHES_ANSWERS, /* by lp_explore_graphs() */
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
	LP_OBSERVING = 128,     /* the caller wants to know what can be observed, and in which
	                         * orders */
	LP_FORWARD = 256,       /* the explorer only goes forward (sample/) */
	LP_IN_THREADS = 512,    /* executions are judged with calls put in one thread; then it matters which
	                         * call performs an operation, also where happens-before does not tell */
};

/* Is the reduction used only if redundant iterations are recognised?  May the explorer, with the reduction, visit
 * executions that the program does not have? */
bool lp_reduction_needs_spin(enum lp_reduction);
bool lp_reduction_is_doubtful(enum lp_reduction);

/* Switches off the reductions that are not used in these situations: `situation` has bits of enum
 * lp_situation. */
void lp_reductions_limit(struct lp_reductions *, unsigned situation);

/* The facts on which the reductions that are switched on rely: bits of enum lp_watched. */
unsigned lp_reductions_watch(const struct lp_reductions *);

#endif
