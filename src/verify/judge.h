/* judge.h -- judges an execution of a client: the link between the explorers, which know
 * graphs, and check/, which knows calls.
 */
#ifndef LP_VERIFY_JUDGE_H
#define LP_VERIFY_JUDGE_H

#include "check/clients/clients.h"
#include "explore/explore.h"
#include "model/calls.h"
#include "runtime/client.h"

struct lp_fit;
struct lp_native;
struct lp_program_error;
struct lp_refines;

/* How large a violation is.  Sizes are compared first by the number of orders that the client must
 * keep, then by the number of events. */
struct lp_judge_size {
	uint32_t orders, events;
};

/* Which violation ends the exploration.  FIRST: the first one.  MEASURE: none; the exploration only computes the size of the
 * smallest violation (`smallest`).  SMALLEST: the first one that is not larger than `smallest`.  COMPARE: none; the exploration
 * compares results with those of a violation (fit.h). */
enum lp_judge_mode { LP_JUDGE_FIRST, LP_JUDGE_MEASURE, LP_JUDGE_SMALLEST, LP_JUDGE_COMPARE };

struct lp_judge {
	struct lp_native *native;
	const struct lp_model_class *model;
	struct lp_clients *clients;
	struct lp_refines *refines;        /* set if the specification is a program; otherwise NULL */
	const char *program;               /* the name of that program; otherwise NULL */
	const char *counting;              /* the file of --formulae or --grammar, by which counts are judged; or NULL */
	const struct lp_spec *spec;
	const char *property;              /* in words, for messages */
	bool unordered;                    /* the property ignores in which order a thread makes its calls */
	/* The current client, with the method of the specification for each call. */
	const struct lp_client *client;
	uint32_t method[LP_CLIENT_CALLS];
	uint32_t pre;                      /* the number of calls before the threads */
	/* The last execution judged. */
	const struct lp_graph *graph;
	struct lp_calls calls;
	struct lp_observation observation;
	uint32_t call[LP_OBSERVED_CALLS];  /* for each observed call, its number in the client */
	struct lp_refutation why;          /* filled in if the execution was wrong */
	bool one_thread;                   /* the calls would also be wrong if one thread made all of them */
	bool messages;                     /* the calls that `why` orders cannot be put into one thread, because that would order
					    * them more strongly than `why` does (lp_calls_possible_in_threads()).  So the client
					    * orders them by messages between threads */
	enum lp_judge_mode mode;
	struct lp_judge_size smallest;
	struct lp_fit *fit;                /* for --fit, or NULL */
	double deadline;                   /* a time of lp_usage_seconds(); 0: no limit */
	bool patient;                      /* after a request to stop, the judge still finishes the current execution if that is
					    * quick, so that the rest of the exploration can be kept (explore/keep.h) */
	double since;                      /* when the judge was first asked to stop; 0 if it was not */
};

/* The callback of lp_clients_ask(): returns false if the user has interrupted the exploration, time is up, or the limit on
 * memory is reached. */
bool lp_judge_goes_on(void *judge);

/* Fills in the judge's observation of the execution, without judging it. */
void lp_judge_observe(struct lp_judge *, const struct lp_graph *);

/* The callback lp_explore_options.judge; the closure is a struct lp_judge. */
enum lp_judgement lp_judge_execution(void *closure, const struct lp_graph *, bool stuck,
				     struct lp_program_error *);

#endif
