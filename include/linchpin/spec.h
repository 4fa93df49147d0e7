/* linchpin/spec.h -- sequential specifications, written as C on plain data.
 *
 * A specification says which sequential runs are correct.  It has one function per
 * method.  Given the state, the arguments and the observed result, the function
 * either accepts and changes the state, or rejects, or says that the call would
 * block.  Since the result is given, a specification that allows several results
 * accepts each of them:
 *
 *     static enum lp_answer deq(struct lp_state *q, const struct lp_spec_call *c)
 *     {
 *             if (q->count == 0)
 *                     return lp_answers(c, LP_EMPTY);
 *             const int64_t first = q->at[0];
 *             lp_state_remove(q, 0);
 *             return lp_answers(c, first);
 *     }
 *
 * The result of a call that never returned is unknown: lp_answers() then accepts.
 * When a function rejects or blocks, its changes to the state are discarded.
 *
 * A state is an array of 64-bit words, and equal words must mean equal states: keep
 * sets sorted, and zero the padding of a struct laid over `at`.
 *
 * If a call with a given result may lead to several states, the method has the role LP_CHOOSES.  Its function is
 * called with `choice` = 0, 1, 2, ... until it does not accept.  Each time it accepts, the state that it leaves
 * is a possible successor.
 *
 * Functions must be pure: they write no memory other than the state.
 */
#ifndef LINCHPIN_SPEC_H
#define LINCHPIN_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	LP_MAX_ARGS = 3,
	LP_MAX_PARAMS = 8,
};

/* Arguments and results are 64-bit integers; true is 1 and false is 0.  The lowest integers are special
 * values. */
#define LP_VOID INT64_MIN         /* no result */
#define LP_EMPTY (INT64_MIN + 1)  /* there was nothing to remove */
#define LP_FULL (INT64_MIN + 2)   /* there was no room */
#define LP_NIL (INT64_MIN + 3)    /* no value: never written, no such key */
#define LP_THROWN (INT64_MIN + 64) /* from here up to LP_LOWEST: exceptions (linchpin/values.hpp) */
#define LP_LOWEST (INT64_MIN / 2) /* the lowest proper number */

enum lp_answer {
	LP_REJECTS,
	LP_ACCEPTS,
	LP_BLOCKS, /* the call waits in this state, so it cannot have taken effect here */
};

struct lp_state {
	int64_t *at;
	uint32_t count;
	uint32_t room;
	void (*grow)(struct lp_state *, uint32_t room); /* makes room for at least `room` words */
};

/* A call that overlaps with the call in question: neither of the two had returned before the other one began.
 * Calls of methods with the role LP_READS are left out. */
struct lp_other_call {
	uint32_t method; /* its index in `methods` */
	unsigned roles;  /* the roles of the method */
	const int64_t *arg;
	bool done;       /* the other call precedes the call in question in the run, and did not fail */
};

/* The calls that overlap with a call; see lp_kind.overlaps. */
struct lp_overlap {
	const struct lp_other_call *at;
	uint32_t count;
	uint32_t inserted; /* the number of successful calls with LP_INSERTS that precede the call in the run,
			    * whether they overlap with it or not */
};

/* One call, as the specification sees it. */
struct lp_spec_call {
	const int64_t *arg;
	const int64_t *result; /* NULL: unknown, the call did not return */
	uint32_t args;
	uint32_t results;      /* 0 or 1; methods whose result is LP_VALUES may have more */
	uint32_t thread;
	uint32_t choice;       /* which of several successors is asked for; see LP_CHOOSES */
	const int64_t *param;  /* the parameters, in the order in which the specification names them */

	/* Texts are values, too, and are represented by numbers.  This function returns the number of the
	 * concatenation of two texts, or LP_VOID if one of them is a number; the pointer is NULL if there are no texts. */
	int64_t (*join)(void *texts, int64_t left, int64_t right);
	void *texts;

	const struct lp_overlap *overlap; /* NULL: answer as if no other call overlapped */
};

typedef enum lp_answer (*lp_method_step)(struct lp_state *, const struct lp_spec_call *);

/* The forms of results.  Results in histories are converted to these forms. */
enum lp_shape {
	LP_NOTHING,        /* no result */
	LP_VALUE,
	LP_VALUE_OR_EMPTY, /* a value, or LP_EMPTY; nil in a history becomes LP_EMPTY */
	LP_SUCCESS,        /* 1 (in histories: no result, true or ok) or 0 (in histories: false or full) */
	LP_TRUTH,          /* 1 or 0 */
	LP_VALUES,         /* several values */
};

enum lp_role {
	LP_INSERTS = 1,
	LP_REMOVES = 2,
	LP_OBSERVES = 4, /* with some results, the method never changes the state */
	LP_WHOLE = 8,    /* concerns all keys; matters only if histories are split by key */
	LP_CHOOSES = 16, /* one call may lead to several states */
	LP_READS = 32 | LP_OBSERVES, /* never changes the state */
	LP_REPLACES = 64, /* replaces the value that it sees by its last argument */
	/* For locks and semaphores; a lock has one permit.  A call that takes a permit must take an initial
	 * permit, or one that another call has given back.  If it takes the permit that another call has given
	 * back, what precedes the giving call must happen before what follows the taking call.  LP_SHARES is for
	 * the readers of a reader-writer lock, which take no permits: a writer is ordered after all calls that
	 * gave the lock back, and a reader after all writers that gave it back.  A call that returns false
	 * neither takes nor gives anything. */
	LP_TAKES = 128,
	LP_GIVES = 256,
	LP_SHARES = 512,
};

struct lp_method {
	const char *names; /* "enqueue enq push": the first one is printed */
	uint32_t args;
	enum lp_shape result;
	unsigned roles;
	lp_method_step step;
};

/* Which renamings of values turn every correct run into a correct run: none (LP_DATA_NONE), all
 * (LP_DATA_EQUALITY), or those that keep the order of the values (LP_DATA_ORDER). */
enum lp_independence { LP_DATA_NONE, LP_DATA_EQUALITY, LP_DATA_ORDER };

struct lp_param {
	const char *name;
	int64_t fallback; /* the value of the parameter if the user gives none */
	const char *about;
};

/* An exception with which a call may end instead of returning a result. */
struct lp_thrown {
	int64_t number;
	const char *name;
};

struct lp_kind {
	const char *name;
	const char *about;
	enum lp_independence data;
	bool by_key; /* calls with different first arguments do not affect each other */
	const struct lp_method *methods;
	uint32_t method_count;
	const struct lp_param *params;
	uint32_t param_count;
	void (*begin)(struct lp_state *, const int64_t *param); /* fills in the initial state; NULL: the initial
								 * state has no words */

	/* Returns true if the state is settled; NULL: all states are settled.  A state between two calls that
	 * take effect together, as in a synchronous queue, is not settled.  A run cannot end in such a state, and
	 * the next call must overlap with all calls since the last settled state. */
	bool (*settled)(const struct lp_state *, const int64_t *param);

	/* Writes the state as text, at most `size` bytes including the final 0. NULL: reports show the words of
	 * the state. */
	void (*show)(const struct lp_state *, const int64_t *param, char *out, size_t size);

	const struct lp_thrown *thrown;
	uint32_t thrown_count;

	/* `first` and `then` are two calls that returned, and `first` precedes `then` in the run.  Returns true
	 * if the object must synchronise them, that is, if what precedes the first call must happen before what
	 * follows the second.  Methods are given by their index in `methods`.  NULL: only --sync and the roles of
	 * locks require synchronisation. */
	bool (*orders)(uint32_t first_method, const struct lp_spec_call *first, uint32_t then_method,
		       const struct lp_spec_call *then);

	/* Says that the functions of methods look at lp_spec_call.overlap.  In this case, they must obey two rules.  A call that is
	 * accepted only because other calls overlap with it must not change the state.  And it must also be
	 * accepted if even more calls overlap with it. */
	bool overlaps;
};

/* Returns true if the result stands for an exception. */
static inline bool lp_is_thrown(int64_t result)
{
	return result >= LP_THROWN && result < LP_LOWEST;
}

/* Accepts if the result of the call is `value`, or is unknown; otherwise rejects.  For a call without a result, `value` is
 * LP_VOID. */
static inline enum lp_answer lp_answers(const struct lp_spec_call *c, int64_t value)
{
	if (!c->result || (c->results == 0 && value == LP_VOID))
		return LP_ACCEPTS;
	return c->results == 1 && c->result[0] == value ? LP_ACCEPTS : LP_REJECTS;
}

static inline void lp_state_insert(struct lp_state *s, uint32_t at, int64_t word)
{
	if (s->count == s->room)
		s->grow(s, s->count + 1);
	memmove(s->at + at + 1, s->at + at, sizeof *s->at * (s->count - at));
	s->at[at] = word;
	s->count++;
}

static inline void lp_state_push(struct lp_state *s, int64_t word)
{
	lp_state_insert(s, s->count, word);
}

static inline void lp_state_remove(struct lp_state *s, uint32_t at)
{
	s->count--;
	memmove(s->at + at, s->at + at + 1, sizeof *s->at * (s->count - at));
}

/* Returns the index of the first word of a sorted state that is not below `word`. */
static inline uint32_t lp_state_place(const struct lp_state *s, int64_t word)
{
	uint32_t low = 0, high = s->count;

	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (s->at[middle] < word)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static inline bool lp_state_has(const struct lp_state *s, int64_t word)
{
	const uint32_t at = lp_state_place(s, word);
	return at < s->count && s->at[at] == word;
}

#ifdef __cplusplus
}
#endif

#endif
