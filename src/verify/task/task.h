/* task.h -- what commands that explore native code share: from options to a loaded program
 * and its explorer, and from the result of the exploration to the report.
 */
#ifndef LP_VERIFY_TASK_TASK_H
#define LP_VERIFY_TASK_TASK_H

#include "base/alloc.h"
#include "cli/options.h"
#include "explore/sample/sample_aside.h"
#include "explore/explore.h"
#include "report/result.h"
#include "report/results/coverage_report.h"
#include "report/text/progress.h"
#include "runtime/ignored.h"
#include "runtime/runtime.h"

struct lp_checkpoint;

enum { LP_TASK_SCOPE = 32 };

struct lp_task {
	const struct lp_options *options;
	const char *file;
	struct lp_runtime_options runtime;
	struct lp_explore_options explore;
	struct lp_ignored ignored;    /* --only and --ignore */
	struct lp_native native;
	struct lp_progress_line line;
	struct lp_sample_aside aside; /* a sample of the current exploration, for the progress line */
	struct lp_estimate *estimate; /* if not NULL, explorations only estimate the number of graphs */
	double start;
	double pass;                  /* for a forecast: the CPU time when the last pass began */
	bool replayed;                /* a single execution was replayed: its cost is not shown */
	bool unconfirmed;             /* a violation could not be replayed */
	bool unwritten;               /* the trace could not be written */
	struct lp_arena arena;        /* everything that the result points to */
	const char **warnings;        /* the warnings of the result, with room for two more */
	struct lp_result_scope scope[LP_TASK_SCOPE];
	uint32_t scope_count;
	struct lp_cover *cover;       /* what was reached, after lp_coverage_take() (coverage.h) */
	struct lp_checkpoint *checkpoint; /* --checkpoint, --resume (checkpoint.h); or NULL */
	const char *by;               /* the clients whose executions `cover` describes: "up to 4 calls"; or
	                               * NULL */
};

/* The kinds of operations (enum lp_op_kind) in traces. */
enum { LP_OP_NAMES = LP_OP_FREE + 1 };
extern const char *const lp_op_names[LP_OP_NAMES];

bool lp_task_given(const struct lp_task *, enum lp_option_id);
uint64_t lp_task_count(const struct lp_task *, enum lp_option_id);

/* Is this a rank other than rank 0?  Rank 0 compiles, decides and shows results. */
bool lp_task_follows(const struct lp_task *);
/* To be called after the last exploration that all ranks make together.  Only rank 0 returns; the other ranks end here. */
void lp_task_part(const struct lp_task *);

/* Parses the options, and loads the program, or, with `client`, the object.  Returns false, with the error set, if that fails.
 * Call lp_task_close() in either case. */
bool lp_task_open(struct lp_task *, const struct lp_options *, bool client, struct lp_error *);
/* The same as lp_task_open(), for an object whose states are explored: the model is sc unless --model is given. */
bool lp_task_open_sc(struct lp_task *, const struct lp_options *, struct lp_error *);
void lp_task_close(struct lp_task *);

/* Fills in `file`, `runtime`, `explore` and `ignored` from the command line; `model` is the default of --model. */
bool lp_task_take_options(struct lp_task *, enum lp_model model, struct lp_error *);
/* Takes the compiler flags: first those that a compilation database (database.h) has for the file, if there is one, then those
 * after `--`. */
bool lp_task_take_flags(struct lp_task *, struct lp_error *);

/* Returns which circumstances prevent the use of some reductions, as bits of enum lp_situation. */
unsigned lp_task_situation(const struct lp_task *);

/* lp_task_explore() explores with the explorer that the options select.  Call lp_task_begin() before the first exploration of the
 * task, and lp_task_end() after the last. */
void lp_task_begin(struct lp_task *);
void lp_task_explore(struct lp_task *, struct lp_exploration *out);
void lp_task_end(struct lp_task *);

/* If more memory was used than allowed, the result becomes inconclusive, unless it is a violation. */
void lp_task_obey_memory(struct lp_exploration *);

/* If a weak compare-exchange fails spuriously in the violation, searches for a short time for a violation of the same kind without
 * such failures.  If there is one, it takes the place of the first. */
void lp_task_spare_failures(struct lp_task *, struct lp_exploration *);

/* Replays the steps of an execution; `out` is the result, as from lp_explore_replay(). */
void lp_task_repeat(struct lp_task *, const struct lp_step *, uint32_t count, struct lp_exploration *out);

/* Replays the execution of a violation, and uses the steps of the replay.  The program is then in its final
 * state.  If the replay does not end with the same violation, a warning says so. */
void lp_task_confirm(struct lp_task *, struct lp_exploration *);

/* Removes from an execution the steps for which keeps() returns false.  No other step may refer to these steps. */
typedef bool (*lp_task_keeps)(const struct lp_step *, const void *closure);
void lp_task_keep_steps(struct lp_task *, struct lp_exploration *, lp_task_keeps, const void *closure);

/* If --trace is given, writes the execution of a violation to the file that the option names.  The caller has set the command in
 * `trace`, and the client if there is one.  If the file cannot be written, a warning says so. */
struct lp_trace;
void lp_task_trace(struct lp_task *, const struct lp_exploration *, struct lp_trace *trace);

/* Returns the seconds since the task was opened. */
double lp_task_seconds(const struct lp_task *);

/* Adds a line to the scope. */
void lp_task_scope(struct lp_task *, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Fills in the result of an exploration, except for the scope, the time, and what the command itself adds. */
void lp_task_result(struct lp_task *, const struct lp_exploration *, struct lp_result *);

/* Completes the result, shows it, and returns the exit status. */
int lp_task_show(struct lp_task *, struct lp_result *);

#endif
