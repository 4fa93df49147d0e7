/* reductions.h -- reductions.def as data (driver.c): which reductions are used, what each relies on, and where it is not used. */
#ifndef LP_EXPLORE_REDUCE_REDUCTIONS_H
#define LP_EXPLORE_REDUCE_REDUCTIONS_H

#include <stdbool.h>

/* Which redundant iterations are kept (omitted_races.h). */
enum lp_careful {
	LP_CARELESS,
	LP_CAREFUL_IF_PLAIN, /* those with plain reads */
	LP_CAREFUL,          /* all */
};

/* Which reductions are used.  When a fact that one relies on turns out to be false, the exploration restarts with fewer, or with
 * weaker ones (restarts.h). */
struct lp_reductions {
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) bool field;
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	bool recognised;       /* with symmetry: threads that were started likewise are alike, too (like_threads.h) */
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

/* Where a reduction may have to be left out. */
enum lp_situation {
	LP_WITHOUT_SPIN = 1,    /* redundant iterations are not recognised */
	LP_WITH_REUSE = 2,      /* memory that was freed is allocated again */
	LP_WITH_RACES = 4,      /* races are ignored, plain accesses are events */
	LP_WITH_FIT = 8,        /* is a stronger property satisfied? */
	LP_WITH_COVERAGE = 16,  /* what is reached? */
	LP_COUNTING = 32,       /* executions are counted: not only a verdict about all clients is asked for */
	LP_LOOKING = 64,        /* which operations are performed at all, and how? */
	LP_OBSERVING = 128,     /* what can be seen, and in which orders? */
	LP_FORWARD = 256,       /* the explorer only goes forward (sample/) */
};

/* Is it used only where redundant iterations are recognised?  May it visit executions that the program does not have? */
bool lp_reduction_needs_spin(enum lp_reduction);
bool lp_reduction_is_doubtful(enum lp_reduction);

/* Switches off what is not used there: `situation` has bits of enum lp_situation. */
void lp_reductions_limit(struct lp_reductions *, unsigned situation);

/* What the reductions that are switched on rely on: bits of enum lp_watched. */
unsigned lp_reductions_watch(const struct lp_reductions *);

#endif
