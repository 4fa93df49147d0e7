/* mutants.h -- mutants of an object: the list, and the verdict about each.
 *
 * A mutant of kind ORDER changes the memory order of a site in the loaded object.  All other mutants are compiled by
 * linchpin-fe, from the intermediate representation that it has kept.  Each mutant runs in its own process with a time
 * limit, since a mutant may crash or loop forever.
 */
#ifndef LP_CLI_MUTANTS_MUTANTS_H
#define LP_CLI_MUTANTS_MUTANTS_H

#include "base/alloc.h"
#include "report/results/mutant_report.h"
#include "verify/orders/trial.h"
#include "verify/task/observe.h"

/* The stages in which a mutant is tried. */
enum lp_mutant_stage {
	LP_STAGE_CHECK,   /* is the mutant wrong for the clients that were asked for? */
	LP_STAGE_COMPARE, /* do these clients see results other than those of the unchanged object? */
	LP_STAGE_LARGER,  /* is the mutant wrong for clients with one more call? */
};

/* How the results that clients see with the mutant differ from those with the unchanged object. */
enum lp_mutant_likeness {
	LP_LIKENESS_UNKNOWN,
	LP_LIKENESS_SAME,
	LP_LIKENESS_FEWER,
	LP_LIKENESS_ORDERS, /* the clients see no new results, but some results occur with an order between calls with
			     * which the unchanged object does not return them */
	LP_LIKENESS_MORE,
};

/* The outcome of a stage, in memory that is shared with the process that runs it. */
struct lp_mutant_answer {
	bool done;
	enum lp_mutant_state state;       /* CHECK, LARGER */
	enum lp_mutant_likeness likeness; /* COMPARE */
	enum lp_error_kind error;         /* of a violation */
	char how[208], client[256];
	char reason[1024];                /* why the mutant is undecided, or could not be compared */
	char result[256];                 /* MORE: a result that the unchanged object does not return */
	uint64_t executions, blocked;
	double seconds;
};

struct lp_mutant {
	const char *name, *operation, *change, *means, *detail, *path, *function;
	uint32_t line;
	bool compiled;           /* linchpin-fe compiles the mutant: its kind is not ORDER */
	uint32_t choice;         /* ORDER: the index of the choice */
	enum lp_order order;     /* ORDER: the new order */
	unsigned seen;           /* bits of enum lp_mutant_seen */
	struct lp_mutant_answer answer, compared, larger; /* in the stages CHECK, COMPARE and LARGER */
};

struct lp_mutants {
	const struct lp_options *options;
	struct lp_check check;           /* the object itself, verified */
	struct lp_arena arena;           /* texts that outlive the object, when a mutant is loaded in its place */
	struct lp_site_choices choices;  /* the memory orders that mutants of kind ORDER change */
	struct lp_trial trial;           /* runs the object with other memory orders, and records how choices were
					  * reached */
	uint8_t *source;                 /* for each choice, the order in the source */
	struct {
		LP_VEC(struct lp_mutant);
	} all;
	char folder[64], kept[80];       /* the intermediate representation that linchpin-fe has kept: compile.h */
	bool looked;                     /* the `seen` of the compiled mutants is known */
	double limit;                    /* the time limit for each mutant, in seconds */
	const char *larger;              /* the argument of --ops for clients with one more call; NULL if the object
					  * does not verify with them */
	struct lp_sightings results;      /* the results that clients of the object see */
	bool comparable;                 /* `results` is complete */
	const char *over;                /* why no more mutants are tried: the user has interrupted; or NULL */
};

/* Returns true if the user has interrupted the command.  Keeps the reason in `over`, because a later exploration resets the
 * record of the interrupt. */
bool lp_mutants_over(struct lp_mutants *);

/* ---- mutant_list.c ---- */

/* Lists all mutants of the selected kinds, sorted by place.  The object must have been explored. */
bool lp_mutants_list(struct lp_mutants *, struct lp_error *);

/* ---- mutant_trial.c ---- */

/* Runs the trial in this process, which cannot be used for anything else afterwards. */
void lp_mutant_try(struct lp_mutants *, const struct lp_mutant *, enum lp_mutant_stage, struct lp_mutant_answer *);
/* Lists the compiled mutants, and writes what executions see of them: for each of the first `room` mutants one byte,
 * with bits of enum lp_mutant_seen. */
bool lp_mutants_look(struct lp_mutants *, uint8_t *seen, uint32_t room, struct lp_error *);
/* Sets the options of a stage in `out`, a copy of the command's options. */
void lp_mutants_options(const struct lp_mutants *, enum lp_mutant_stage, struct lp_options *out);

/* ---- mutant_results.c ---- */

/* Explores the selected clients, and collects all results that they see.  Returns false if some results may be
 * missing. */
bool lp_mutants_observe(struct lp_check *, struct lp_sightings *);
/* Says how `one` differs from `other`, and writes to `first` a result of `one` that shows the difference, if there is one. */
enum lp_mutant_likeness lp_mutants_compare(const struct lp_sightings *one, const struct lp_sightings *other, char *first,
					   size_t size);

/* ---- mutant_jobs.c ---- */

/* Tries the mutants for which `wanted` returns true, several at a time. */
bool lp_mutants_try_all(struct lp_mutants *, enum lp_mutant_stage, bool (*wanted)(const struct lp_mutant *),
			struct lp_error *);

#endif
