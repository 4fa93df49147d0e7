/* ak.h -- the abstraction A_k: only the order within the last k epochs of a history is kept.
 *
 * After Bouajjani, Emmi, Enea and Hamza, "Tractable Refinement Checking for
 * Concurrent Objects", POPL 2015, sections 6 and 7; docs/algorithms/ak.md says what
 * we do differently.
 *
 * Time is cut into epochs 0, 1, 2, ...: the next epoch begins when a call comes directly after
 * a return.  A call spans the epochs from its start to its end.  Call a precedes call b iff the
 * last epoch of a is below the first epoch of b.  A_k forgets the order between epochs that are
 * k or more epochs old.  Let `now` be the current epoch.  If now <= k, epoch e has the place e.
 * Otherwise, it has the place max(e - (now - k), 0).  So places are 0 .. k.  If A_k of a history is
 * wrong, the history is wrong.
 *
 * A monitor is told of calls and returns as they happen.  At each return it answers whether it
 * has found that A_k of the history so far is wrong:
 *
 *     struct lp_ak *m = lp_ak_open(&spec, 2, LP_AK_RULES, &error);
 *     uint64_t t = lp_ak_call(m, method, arg);
 *     ...
 *     if (lp_ak_return(m, t, method, arg, result))
 *             report(lp_ak_violation(m));
 *     lp_ak_close(m);
 *
 * The monitor stores the values that were inserted and not yet removed, and O(k^2) numbers.  With
 * LP_AK_RULES, a call takes time O(k^2) at most, and a return O(k^3), for stacks O(k^4).  Only one
 * thread may use a monitor at a time.  The monitor should be told of calls and returns in the order
 * in which they happened.  If it is told of a call too early, or of a return too late, it may miss
 * violations, but reports no false ones.
 */
#ifndef LP_CHECK_COUNTING_AK_H
#define LP_CHECK_COUNTING_AK_H

#include <stdbool.h>
#include <stdint.h>

#include "check/history/history_check.h"

enum {
	LP_AK_MOST = 64,         /* the largest k */
	LP_AK_MOST_COMPLETE = 8, /* the largest k with LP_AK_COMPLETE, for stacks */
};

/* How thoroughly a monitor checks. */
enum lp_ak_mode {
	LP_AK_RULES,    /* the rules rv, ev, fv and lv below; for queues they find all violations of A_k */
	LP_AK_COMPLETE, /* for stacks: finds all violations of A_k, at a higher cost; otherwise like LP_AK_RULES */
};

enum lp_ak_rule {
	LP_AK_NONE,
	LP_AK_REMOVE,  /* rv: a value that was not inserted is removed, or a value is removed again */
	LP_AK_EMPTY,   /* ev: a call found nothing, although at each moment some value was present */
	LP_AK_FIFO,    /* fv: a value was inserted before another one, but the other one was removed first */
	LP_AK_LIFO,    /* lv: a value is removed while another value is above it */
	LP_AK_FULL,    /* an insertion failed although there is always room */
	LP_AK_ANY,     /* there is no linearization, and no rule says why (LP_AK_COMPLETE, lp_ak_check()) */
	LP_AK_FORMULA, /* a user's formula holds */
	LP_AK_KERNEL,  /* no word of the grammar has these counts */
};

struct lp_ak_violation {
	enum lp_ak_rule rule;
	uint64_t event;    /* the number of calls and returns so far, including the return that revealed the violation */
	uint64_t epoch;    /* the epoch of this return */
	uint32_t from, to; /* the first and the last place of the call that returned */
	uint32_t method;   /* its method */
	/* The values that are concerned; LP_VOID if there are none, or if they are not known.
	 * LP_AK_FIFO: `value` was inserted before `other`, but `other` was removed first.
	 * LP_AK_LIFO: `value` was removed while `other` was above it. */
	int64_t value, other;
};

struct lp_ak;
struct lp_formulae;
struct lp_kernel;

/* Is there a monitor for the specification?  There is one for containers: queue, stack, deque,
 * priority_queue, multiset.  Of the rules, only rv and ev apply to the last three.  False if calls
 * may fail without a reason in the state (lp_spec_is_lenient()). */
bool lp_ak_is_for(const struct lp_spec *spec);
struct lp_ak *lp_ak_open(const struct lp_spec *spec, unsigned k, enum lp_ak_mode mode,
			 struct lp_error *error); /* NULL: error */
void lp_ak_close(struct lp_ak *m);

/* A call begins.  Returns its epoch, which must be passed to lp_ak_return().  If the call never
 * returns, or its result is unknown, lp_ak_return() is not called. */
uint64_t lp_ak_call(struct lp_ak *m, uint32_t method, int64_t arg);

/* A call returned.  `result` has the form of the specification: LP_EMPTY if nothing was found,
 * LP_VOID if there is no result, 0 if an insertion found no room.  Returns true if a violation
 * was found. */
bool lp_ak_return(struct lp_ak *m, uint64_t epoch, uint32_t method, int64_t arg, int64_t result);

/* To be called after calls or returns were lost: forgets everything.  `open` is the largest number of
 * removals that may be in progress.  From now on, the removal of a value whose insertion was not seen is
 * not reported, since the insertion may have been lost.  Epochs that lp_ak_call() returned before become
 * invalid: for calls that are open now, pass LP_AK_UNSEEN to lp_ak_return() instead. */
#define LP_AK_UNSEEN UINT64_MAX
void lp_ak_restart(struct lp_ak *m, uint64_t open);

/* The last violation; its rule is LP_AK_NONE if there was none. */
const struct lp_ak_violation *lp_ak_violation(const struct lp_ak *m);

/* At each time, the values in the object must be distinct.  Returns NULL if they were.  If a value was
 * inserted while it was present, returns a message; the monitor then reports nothing until a restart. */
const char *lp_ak_unsuitable(const struct lp_ak *m);

uint64_t lp_ak_live(const struct lp_ak *m);   /* the number of values that the monitor stores now */
uint64_t lp_ak_events(const struct lp_ak *m); /* the number of calls and returns so far */

const char *lp_ak_rule_name(enum lp_ak_rule rule); /* "fv" */

/* Writes one line of text: "7 was inserted before 8, but 8 was removed first". */
void lp_ak_describe(const struct lp_ak_violation *v, const struct lp_spec *spec, char *text,
		    size_t size);

/* A_k of a recorded history. */
struct lp_ak_options {
	unsigned k;
	enum lp_ak_mode mode;
	const struct lp_formulae *formulae; /* if not NULL: the user's formulae, used instead of the rules */
	const struct lp_kernel *kernel;     /* if not NULL: the user's grammar, used instead of the rules */
	uint32_t every;                     /* formulae, grammars: the number of returns from one check to the next; 0: 1 */
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
	uint64_t events;  /* the number of calls and returns that were checked */
	double seconds;
};

/* Checks A_k of a recorded history: with the given formulae or grammar; otherwise with the monitor
 * of the kind, or with the grammar of the kind (locks, rwlocks, semaphores).  If there is none of
 * these, the function computes A_k of the whole history and searches for a linearization.  Returns
 * false if the history does not fit the specification.  If no violation is found, the history may
 * still be wrong. */
bool lp_ak_check(const struct lp_history *h, const struct lp_spec *spec,
		 const struct lp_ak_options *options, struct lp_ak_result *result,
		 struct lp_error *error);

/* Turns a history into its A_k, by the definition: the times of calls are replaced by places. */
void lp_ak_weaken(struct lp_history *h, unsigned k);

#endif
