/* mutant_report.h -- the mutants of an object and their results, as plain data, and the writers for it.
 *
 * `linchpin mutants` fills it in.  Its strings stay the property of the caller.
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

/* Why it may have survived; what is said first excludes what comes later. */
enum lp_mutant_class {
	LP_SURVIVES_SCOPE,         /* clients with one more call kill it */
	LP_SURVIVES_NOT_REACHED,   /* no client gets there */
	LP_SURVIVES_NO_DIFFERENCE, /* where clients get, it does the same */
	LP_SURVIVES_MORE,          /* clients see results that the object does not give: the specification has them */
	LP_SURVIVES_ORDER,         /* a weaker order is enough */
	LP_SURVIVES_FEWER,         /* clients see some of the object's results */
	LP_SURVIVES_SAME,          /* clients see the same results */
	LP_SURVIVES_NOT_COMPARED,
};
const char *lp_mutant_class_name(enum lp_mutant_class);

struct lp_mutant_row {
	const char *name;      /* "queue.c:50/never" */
	const char *operation; /* of frontend/mutants.def: "never" */
	const char *change;    /* what that does */
	const char *detail;    /* "goes on in line 51", or "" */
	const char *path, *function;
	const char *source;    /* the line, or "" */
	uint32_t line;
	enum lp_mutant_state state;
	enum lp_error_kind error; /* killed: of which kind */
	const char *how;       /* the same, with places: "race at queue.c:44 with queue.c:30" */
	const char *client;    /* that shows it: "enqueue(1) | dequeue()" */
	enum lp_mutant_class why; /* survived */
	const char *means;     /* survived: in words */
	const char *reason;    /* undecided */
	const char *command;   /* `linchpin check` of the mutant */
	uint64_t executions, blocked;
	double seconds;
};

struct lp_mutants_result {
	const char *subject;
	const char *claim;     /* of the object itself: "... is a linearizable queue for ..." */
	const char *model;
	const struct lp_mutant_row *rows; /* by place */
	uint32_t count;
	double seconds;
};

uint32_t lp_mutants_count(const struct lp_mutants_result *, enum lp_mutant_state);

/* `verbose`: also those that are killed. */
void lp_terminal_mutants(const struct lp_terminal *, const struct lp_mutants_result *);
void lp_json_mutants(FILE *, const struct lp_mutants_result *);

#endif
