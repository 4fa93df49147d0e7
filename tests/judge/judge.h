/* judge.h -- decides whether an exploration with reductions covers the one without.
 *
 * Let F be the exploration of a script with everything off, and R one with a set of reductions on.  Loops
 * are bounded in F (script.h: lp_script_bound), since only redundant iterations keep them from going on
 * forever.  R is correct if
 *
 *   1  every observation of F is covered by one of R (observe.h);
 *   2  every observation of R is covered by those of F, for each order of two calls by one of them, if no
 *      thread goes round more often than the bound: a violation that is seen in R is one of the program's;
 *   3  R finds an error exactly if F does.  If no execution has undefined behaviour, R's error is of a kind
 *      that some execution of F has;
 *   4  the number of executions of F is that of the naive enumerator (oracle/naive.h), and so is whether
 *      there is an error;
 *   5  if threads are parked in R, it has as many complete executions as without that: none is visited twice;
 *   6  if `stale` is in the set, as many executions are complete as without it (threads that spin forever do not
 *      count, and not with `twins`, which depends on what has been seen before); or more, if it has restarted and keeps iterations.
 *
 * Within a bound on schedules (bound.h of the explorer), or on loops (limits.unroll), let F and R be the explorations within it; for schedules F is held
 * against all of them by unit/explore/preemptions.  R is correct if
 *
 *   7  every observation of F is covered by one of R, and R finds an error if F does: R may have more than the bound, never less;
 *   8  within a bound on schedules, R has no more graphs than the exploration with the same reductions and without the bound, or few more: some reductions depend
 *      on what was seen before.
 *
 * Threads that spin forever are not in F.  In their place stand those of the exploration with redundant
 * iterations only, and that there are any is compared with the naive enumerator.  Where that exploration does
 * not end either, loops are bounded, and a set may well find threads that spin forever of which nothing stands
 * there.  If they do, the naive enumerator finds an execution in which the same threads have ended, and the
 * others wait, or are stopped by a bound and went round on the last values of all that they read: one in
 * which they went on until then.  If there is none, R has invented it.
 *
 * An exploration that has restarted may keep up to two redundant iterations of a thread (omitted_races.h).  These
 * count as rounds, so the bound on loops may stop a thread before it is known to spin forever.  This does not make R wrong: where
 * R has restarted, is bounded, and does not cover such threads, it is explored again with two more rounds.
 */
#ifndef LP_JUDGE_JUDGE_H
#define LP_JUDGE_JUDGE_H

#include "explore/explore.h"
#include "explore/reduce/reductions.h"

enum {
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) USE_##field = 1 << LP_REDUCES_##SWITCH,
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	USE_ALL = (1 << LP_REDUCTIONS) - 1,
};

enum judged { JUDGED_RIGHT, JUDGED_WRONG, JUDGED_TOO_LARGE, JUDGED_ILL_FORMED };

struct judge_tally {
	uint64_t programs, too_large, ill_formed, executions, observations;
	uint64_t errors, undefined; /* programs with an error, and with undefined behaviour */
	uint64_t explorations, restarts, naive;
	uint64_t forever, unknown;  /* programs in which the set alone says that threads spin forever; with no answer */
	uint64_t sampled;           /* programs for which it was asked whether reductions apply, ... */
	uint64_t applied[LP_REDUCTIONS]; /* ... and in how many they do */
};

/* Which schedules are explored, or which executions. */
struct judge_bound {
	enum { JUDGE_ALL_SCHEDULES, JUDGE_PREEMPTIONS, JUDGE_DELAYS, JUDGE_ROUNDS, JUDGE_LOOPS } by;
	uint32_t most; /* preemptions, delays, or rounds after the first; how often loops go round after the first time */
};

struct judge_options {
	enum lp_model model;
	const unsigned *sets; /* of reductions, as bits */
	unsigned count;
	uint32_t jobs;        /* > 1: R is explored by that many processes, */
	uint32_t ranks;       /* > 1: and on that many machines */
	struct judge_bound bound; /* on schedules sc only: conditions 7 and 8 instead of the others */
	bool naive;           /* hold F against the naive enumerator */
	bool races_ignored;   /* plain accesses are events (sc and tso); F is held against nothing then */
	bool sample;          /* find out which reductions apply */
	bool patient;         /* the program may be large */
	bool loud;            /* say what differs */
};

const char *reduction_name(unsigned number);
/* The set with reductions that need `spin` left out if it is not in. */
unsigned sensible_set(unsigned set);
/* "spin,helping" or "all" or "none" as bits; false if there is no such reduction.  And the inverse. */
bool parse_set(const char *text, unsigned *set);
void print_set(char *out, size_t size, unsigned set);

/* `failed` becomes the first set with which the answer is wrong, if any is. */
enum judged judge(const char *text, const struct judge_options *, struct judge_tally *, unsigned *failed);

#endif
