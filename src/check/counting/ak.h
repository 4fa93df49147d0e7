/* ak.h -- the abstraction A_k: only the order within the last k epochs of a history is kept.
 *
 * After Bouajjani, Emmi, Enea and Hamza, "Tractable Refinement Checking for
 * Concurrent Objects", POPL 2015, sections 6 and 7; docs/algorithms/ak.md says what
 * we do differently.
 *
 * Time is cut into epochs 0, 1, 2, ...: a call that follows a return begins the next
 * one.  A call spans the epochs from its start to its end, and precedes another iff
 * its last epoch is below the other's first one.  A_k forgets the order between
 * epochs that are k or more epochs old: epoch e has the place max(e - (now - k), 0),
 * and places are 0 .. k.  A violation in A_k of a history is a violation of the history.
 *
 * A monitor is fed with calls and returns as they happen, and answers at each return
 * whether A_k of the history so far is still correct:
 *
 *     struct lp_ak *m = lp_ak_open(&spec, 2, LP_AK_RULES, &error);
 *     uint64_t t = lp_ak_call(m, method, arg);
 *     ...
 *     if (lp_ak_return(m, t, method, arg, result))
 *             report(lp_ak_violation(m));
 *     lp_ak_close(m);
 *
 * It keeps the values that were inserted and not yet removed, plus O(k^2) memory.  With
 * LP_AK_RULES a call costs at most O(k^2), and a return O(k^3), for stacks O(k^4).  Only one
 * thread may use it at a time.  Calls and returns must be fed in the order in which they happened;
 * a call that is fed early, or a return that is fed late, only hides violations.
 */
#ifndef LP_CHECK_COUNTING_AK_H
#define LP_CHECK_COUNTING_AK_H

#include <stdbool.h>
#include <stdint.h>

#include "check/history/history_check.h"

enum {
	LP_AK_MOST = 64, /* the largest k */
	LP_AK_MOST_COMPLETE = 8,
};

/* How thoroughly a monitor checks. */
enum lp_ak_mode {
	LP_AK_RULES,    /* the rules below; for queues they are complete */
	LP_AK_COMPLETE, /* everything that A_k can show, at a higher cost (stacks) */
};

enum lp_ak_rule {
	LP_AK_NONE,
	LP_AK_REMOVE,  /* rv: a value that was not inserted is removed, or a value is removed again */
	LP_AK_EMPTY,   /* ev: found empty, although some value was present all the time */
	LP_AK_FIFO,    /* fv: a value overtakes one that was inserted before it */
	LP_AK_LIFO,    /* lv: a value is removed from below another one */
	LP_AK_FULL,    /* an insertion failed although there is always room */
	LP_AK_ANY,     /* LP_AK_COMPLETE: there is no linearization, and no rule applies */
	LP_AK_FORMULA, /* a user's formula holds */
	LP_AK_KERNEL,  /* no word of the grammar has these counts */
};

struct lp_ak_violation {
	enum lp_ak_rule rule;
	uint64_t event;    /* the number of calls and returns, including this one */
	uint64_t epoch;    /* the epoch at that time */
	uint32_t from, to; /* the places of the call that returned */
	uint32_t method;
	/* Values concerned, LP_VOID if there are none.  FIFO: `value` was inserted
	 * before `other`, which was removed first.  LIFO: `value` was removed from
	 * below `other`. */
	int64_t value, other;
};

struct lp_ak;
struct lp_formulae;
struct lp_kernel;

/* For kinds that hold values and give them out: queue, stack, deque, priority_queue,
 * multiset; the last three have the rules rv and ev only. */
bool lp_ak_is_for(const struct lp_spec *spec);
struct lp_ak *lp_ak_open(const struct lp_spec *spec, unsigned k, enum lp_ak_mode mode,
			 struct lp_error *error); /* NULL: error */
void lp_ak_close(struct lp_ak *m);

/* A call begins.  Returns its epoch, for lp_ak_return().  If the call never returns, or its
 * result is unknown, lp_ak_return() is not called. */
uint64_t lp_ak_call(struct lp_ak *m, uint32_t method, int64_t arg);

/* The call returned.  `result` is as the specification has it: LP_EMPTY, LP_VOID for
 * none, 0 for an insertion that found no room.  Returns true if a violation was found. */
bool lp_ak_return(struct lp_ak *m, uint64_t epoch, uint32_t method, int64_t arg, int64_t result);

/* To be called after events were lost: forgets everything.  At most `open` removals may be in
 * progress.  From now on, the removal of a value whose insertion was not seen is not reported,
 * since the insertion may be among the lost events.  Epochs that were returned before become
 * invalid: for calls that are open now, pass LP_AK_UNSEEN to lp_ak_return(). */
#define LP_AK_UNSEEN UINT64_MAX
void lp_ak_restart(struct lp_ak *m, uint64_t open);

/* The last violation; its rule is LP_AK_NONE if there was none. */
const struct lp_ak_violation *lp_ak_violation(const struct lp_ak *m);

/* Values in the object must be distinct.  Returns NULL if they were.  If a value was inserted
 * while it was present, returns a message; then nothing is reported until a restart. */
const char *lp_ak_unsuitable(const struct lp_ak *m);

uint64_t lp_ak_live(const struct lp_ak *m);   /* the number of values kept now */
uint64_t lp_ak_events(const struct lp_ak *m);

const char *lp_ak_rule_name(enum lp_ak_rule rule); /* "fv" */

/* One line: "7 was inserted before 8, but 8 was removed first". */
void lp_ak_describe(const struct lp_ak_violation *v, const struct lp_spec *spec, char *text,
		    size_t size);

/* A_k of a recorded history. */
struct lp_ak_options {
	unsigned k;
	enum lp_ak_mode mode;
	const struct lp_formulae *formulae; /* used instead of the rules, if not NULL */
	const struct lp_kernel *kernel;     /* a grammar, if not NULL; locks have their own */
	uint32_t every;                     /* formulae, grammars: the number of returns from one check to the next; 0: check at each return */
	double seconds;                     /* 0: no limit */
	lp_check_go_on go_on;               /* NULL: not asked */
	void *closure;
};

struct lp_ak_result {
	bool violated;
	struct lp_ak_violation violation;
	uint32_t call;    /* the call whose return revealed the violation */
	char method[64];  /* "counters", "formulae", "grammar", "definition" */
	char reason[256]; /* why it is a violation, or why there is no answer; otherwise "" */
	uint64_t events;  /* checked */
	double seconds;
};

/* Feeds the history to the monitor of its kind, or to the grammar of its kind (locks,
 * rwlocks, semaphores).  If there is neither, computes A_k of the whole history and searches
 * for a linearization.  Returns false if the history does not fit the specification.  If no
 * violation is found, the history may still be wrong. */
bool lp_ak_check(const struct lp_history *h, const struct lp_spec *spec,
		 const struct lp_ak_options *options, struct lp_ak_result *result,
		 struct lp_error *error);

/* Turns a history into its A_k, by the definition: times become places. */
void lp_ak_weaken(struct lp_history *h, unsigned k);

#endif
