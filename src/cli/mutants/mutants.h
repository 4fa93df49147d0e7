/* mutants.h -- mutants of an object: the list, and the verdict about each.
 *
 * Mutants of kind ORDER change the memory orders of sites in the loaded object.  linchpin-fe compiles all others from
 * the intermediate representation that it has kept.  Each mutant runs in its own process with a time limit, since
 * a mutant may crash or loop forever.
 */
#ifndef LP_CLI_MUTANTS_MUTANTS_H
#define LP_CLI_MUTANTS_MUTANTS_H

#include "base/alloc.h"
#include "report/results/mutant_report.h"
#include "verify/orders/trial.h"
#include "verify/task/observe.h"

/* What is tried, and how far. */
enum lp_mutant_stage {
	LP_STAGE_CHECK,   /* is it wrong for the clients that were asked for? */
	LP_STAGE_COMPARE, /* do these clients see other results than those of the object? */
	LP_STAGE_LARGER,  /* is it wrong for clients with one more call? */
};

/* How the results differ from those of the object. */
enum lp_mutant_likeness {
	LP_LIKENESS_UNKNOWN,
	LP_LIKENESS_SAME,
	LP_LIKENESS_FEWER,
	LP_LIKENESS_ORDERS, /* the same ones, but for clients for which the object does not have them */
	LP_LIKENESS_MORE,
};

/* Shared with the process that finds it out. */
struct lp_mutant_answer {
	bool done;
	enum lp_mutant_state state;       /* CHECK, LARGER */
	enum lp_mutant_likeness likeness; /* COMPARE */
	enum lp_error_kind error;         /* of a violation */
	char how[208], client[256];
	char reason[1024];                /* why it is undecided, or could not be compared */
	char result[256];                 /* MORE: what is seen */
	uint64_t executions, blocked;
	double seconds;
};

struct lp_mutant {
	const char *name, *operation, *change, *means, *detail, *path, *function;
	uint32_t line;
	bool compiled;           /* not ORDER */
	uint32_t choice;         /* ORDER: of the choices, */
	enum lp_order order;     /* and what it has */
	unsigned seen;           /* bits of enum lp_mutant_seen */
	struct lp_mutant_answer answer, compared, larger; /* of the stages */
};

struct lp_mutants {
	const struct lp_options *options;
	struct lp_check check;           /* the object itself, verified */
	struct lp_arena arena;           /* texts that outlive the object, when a mutant is loaded in its place */
	struct lp_site_choices choices;
	struct lp_trial trial;           /* how choices were reached */
	uint8_t *source;                 /* orders as they are, by choice */
	struct {
		LP_VEC(struct lp_mutant);
	} all;
	char folder[64], kept[80];       /* what linchpin-fe has kept: compile.h */
	bool looked;                     /* it is known what was seen of those that are compiled */
	double limit;                    /* seconds for each */
	const char *larger;              /* for --ops: one more call; NULL if the object does not verify then */
	struct lp_sightings results;      /* the results that clients of the object see */
	bool comparable;                 /* these are all */
	const char *over;                /* why there is no more to be tried: the user has interrupted; or NULL */
};

/* Has the user interrupted?  Remembers the answer, which later explorations would reset. */
bool lp_mutants_over(struct lp_mutants *);

/* ---- mutant_list.c ---- */

/* All mutants of the kinds that are meant, by place.  The object has been explored. */
bool lp_mutants_list(struct lp_mutants *, struct lp_error *);

/* ---- mutant_trial.c ---- */

/* Runs the trial in this process, which cannot be used for anything else afterwards. */
void lp_mutant_try(struct lp_mutants *, const struct lp_mutant *, enum lp_mutant_stage, struct lp_mutant_answer *);
/* Lists the mutants that are compiled, and what executions see of them (a byte each, `room` at most). */
bool lp_mutants_look(struct lp_mutants *, uint8_t *seen, uint32_t room, struct lp_error *);
/* The options of a stage: `out` is a copy of the command's. */
void lp_mutants_options(const struct lp_mutants *, enum lp_mutant_stage, struct lp_options *out);

/* ---- mutant_results.c ---- */

/* Explores the clients that are meant, and keeps all that they see.  False if that may not be all. */
bool lp_mutants_observe(struct lp_check *, struct lp_sightings *);
/* Compares the two sets of results, and finds the first results that differ. */
enum lp_mutant_likeness lp_mutants_compare(const struct lp_sightings *one, const struct lp_sightings *other, char *first,
					   size_t size);

/* ---- mutant_jobs.c ---- */

/* Tries the mutants for which `wanted` returns true, several at a time. */
bool lp_mutants_try_all(struct lp_mutants *, enum lp_mutant_stage, bool (*wanted)(const struct lp_mutant *),
			struct lp_error *);

#endif
