/* traits.h -- what the checkers know about a built-in kind beyond its sequential runs.
 *
 * A specification (linchpin/spec.h) says which runs are correct, and that is all that the searches need.  The faster
 * methods also use facts that cannot be seen from it: that values leave first in, first out; which method inserts;
 * that a state can be read off a result.  These facts are claims of the kind, made in its file (src/spec/kinds/), and
 * the checkers ask for them, never for the name of a kind.
 *
 * Of a user's kind nothing is known: its methods have no verb, and it may look at which thread calls.
 */
#ifndef LP_SPEC_TRAITS_H
#define LP_SPEC_TRAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "linchpin/spec.h"

/* What a method does, for checkers that know.  A kind has at most one method for each verb. */
enum lp_verb {
	LP_VERB_OTHER,
	LP_VERB_INSERT,     /* its first argument */
	LP_VERB_TAKE,       /* removes a value, the one that leaves next, and gives it */
	LP_VERB_PEEK,       /* gives that value, which stays */
	LP_VERB_IS_EMPTY,
	LP_VERB_SIZE,
	LP_VERB_PUSH_FRONT,
	LP_VERB_PUSH_BACK,
	LP_VERB_POP_FRONT,
	LP_VERB_POP_BACK,
	LP_VERB_ERASE,      /* removes the value or key that is its first argument */
	LP_VERB_CONTAINS,
	LP_VERB_READ,       /* of a cell, which keeps what was written last */
	LP_VERB_WRITE,
	LP_VERB_CAS,
	LP_VERB_SWAP,
	LP_VERB_APPEND,     /* makes new texts: see lp_spec_call.join */
	LP_VERB_LOCK,
	LP_VERB_UNLOCK,
};

/* Which value leaves next.  To claim one means: values come and go by methods with the roles LP_INSERTS and LP_REMOVES
 * alone, and all others only look. */
enum lp_discipline {
	LP_LEAVES_NONE,     /* it is not a container */
	LP_LEAVES_FIRST_IN, /* first in, first out */
	LP_LEAVES_LAST_IN,
	LP_LEAVES_EITHER_END,
	LP_LEAVES_BY_ORDER, /* the least, or the greatest if parameter max is set */
	LP_LEAVES_ANY,
};

/* What a method does to a replica of the object, where that does not depend on what is there (check/weak). */
enum lp_replica_effect { LP_EFFECT_NONE, LP_EFFECT_SETS, LP_EFFECT_ERASES, LP_EFFECT_ADDS };

/* What its result says about the replica. */
enum lp_replica_look {
	LP_SAYS_UNKNOWN,   /* the effect depends on what is there, or is not known: not for replicated objects */
	LP_SAYS_NOTHING,
	LP_SAYS_VALUE,     /* of the key */
	LP_SAYS_HELD,      /* the truth of: the key is there */
	LP_SAYS_NOT_HELD,
	LP_SAYS_SUM,
	LP_SAYS_SUM_AFTER, /* with the call's own amount */
	LP_SAYS_ALL,       /* which keys are there, with their values if there are `pairs` */
	LP_SAYS_EMPTY,     /* the truth of: no key is there */
	LP_SAYS_SIZE,      /* how many there are */
};

struct lp_method_traits {
	enum lp_verb verb;
	enum lp_replica_effect effect;
	enum lp_replica_look look;
	int amount; /* LP_EFFECT_ADDS: 0 if it is the argument */
};

struct lp_traits {
	const struct lp_method_traits *methods; /* as many as the kind has; NULL: nothing is known of them */
	enum lp_discipline leaves;
	bool by_thread; /* who calls matters: equal calls of two threads cannot be exchanged */
	bool numbers;   /* it computes with its arguments, which must be numbers */
	bool counts;    /* a state is pairs of value and count */
	bool pairs;     /* a state, and a result that lists it, is pairs of key and value */
	bool repeats;   /* a value may be there several times */
	uint32_t overlap_params; /* bit i: parameter i, if it is not 0, makes steps look at calls that overlap */
	bool indexed;   /* a first argument is one of the components 0 .. n-1, n being a parameter */

	/* The laws of A_k (docs/counting.md), and the grammar of the runs, which is to be freed and NULL if the
	 * parameters are too large.  NULL: there are none. */
	const char *formulae;
	char *(*grammar)(const int64_t *param);

	/* If an accepted call in an unknown state tells what the state is after it: puts that into `to`, which is
	 * empty.  NULL: calls are not checked live from states. */
	bool (*tells)(struct lp_state *to, const struct lp_method *, const struct lp_spec_call *);
};

/* A kind as its file defines it; kinds.def lists them. */
struct lp_builtin {
	struct lp_kind kind;
	const char *aliases; /* other names, separated by spaces; NULL: none */
	struct lp_traits traits;
};

#define LP_KIND(name) extern const struct lp_builtin lp_kind_##name;
#include "spec/kinds.def"
#undef LP_KIND

bool lp_kind_is_builtin(const struct lp_kind *kind);

/* Never NULL. */
const struct lp_traits *lp_kind_traits(const struct lp_kind *kind);

enum lp_verb lp_kind_verb(const struct lp_kind *kind, uint32_t method);

/* The method with that verb, or LP_NO_METHOD (spec.h). */
uint32_t lp_kind_method(const struct lp_kind *kind, enum lp_verb verb);

#endif
