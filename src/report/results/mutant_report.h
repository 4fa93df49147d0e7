/* mutant_report.h -- the mutants of an object and the verdicts about them, as plain data, and the
 * writers for these data.
 *
 * `linchpin mutants` fills in the structures.  Their strings belong to the caller.
 */
#ifndef LP_REPORT_RESULTS_MUTANT_REPORT_H
#define LP_REPORT_RESULTS_MUTANT_REPORT_H

#include <stdio.h>

#include "report/result.h"

struct lp_terminal;

enum lp_mutant_state {
	LP_MUTANT_UNDECIDED,
	LP_MUTANT_KILLED,
	LP_MUTANT_SURVIVED,
};

/* Why a mutant may have survived.  If several reasons apply, the first one in this list is given. */
enum lp_mutant_class {
	LP_SURVIVES_SCOPE,         /* clients with one more call kill it */
	LP_SURVIVES_NOT_REACHED,   /* no client reaches the changed place */
	LP_SURVIVES_NO_DIFFERENCE, /* clients reach the changed place, but only with values for which
				    * the changed code does the same */
	LP_SURVIVES_MORE,          /* clients see results that the unchanged object does not return, and
				    * the specification allows these results */
	LP_SURVIVES_ORDER,         /* a weaker order is enough */
	LP_SURVIVES_FEWER,         /* clients see only some of the results of the unchanged object */
	LP_SURVIVES_SAME,          /* clients see the same results as with the unchanged object */
	LP_SURVIVES_NOT_COMPARED,  /* the results could not be compared */
};
const char *lp_mutant_class_name(enum lp_mutant_class);

struct lp_mutant_row {
	const char *name;      /* "queue.c:50/never" */
	const char *operation; /* a kind of mutants.def: "never" */
	const char *change;    /* what the change does */
	const char *detail;    /* more about the change, such as "continues in line 51"; or "" */
	const char *path, *function;
	const char *source;    /* the line, or "" */
	uint32_t line;
	enum lp_mutant_state state;
	enum lp_error_kind error; /* killed: the kind of the violation */
	const char *how;       /* killed: the violation with places, "race at queue.c:44 with
			        * queue.c:30" */
	const char *client;    /* killed: a client that shows the violation, "enqueue(1) | dequeue()" */
	enum lp_mutant_class why; /* survived */
	const char *means;     /* survived: the reason in words */
	const char *reason;    /* undecided: the reason */
	const char *command;   /* `linchpin check` of the mutant */
	uint64_t executions, blocked;
	double seconds;
};

struct lp_mutants_result {
	const char *subject;
	const char *claim;     /* the claim about the object itself: "... is a linearizable queue for
			        * ..." */
	const char *model;
	const struct lp_mutant_row *rows; /* sorted by their place in the source */
	uint32_t count;
	double seconds;
};

uint32_t lp_mutants_count(const struct lp_mutants_result *, enum lp_mutant_state);

/* Prints the mutants; a verbose terminal also shows those that were killed. */
void lp_terminal_mutants(const struct lp_terminal *, const struct lp_mutants_result *);
void lp_json_mutants(FILE *, const struct lp_mutants_result *);

#endif
