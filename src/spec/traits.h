/* traits.h -- what the checkers know about a built-in kind beyond its sequential runs.
 *
 * A specification (linchpin/spec.h) says which runs are correct, and that is all that the searches need.  The faster
 * methods also use facts that the functions of a specification do not show: that values leave first in, first out;
 * which method inserts; that a result determines the state.  The file of a kind (src/spec/kinds/) states these facts.
 * A checker asks for a fact, never for the name of a kind.
 *
 * About a user's kind no such facts are known: its methods have no verb, and its steps may depend on the calling thread.
 */
#ifndef LP_SPEC_TRAITS_H
#define LP_SPEC_TRAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "linchpin/spec.h"

/* What a method does.  A kind has at most one method for each verb. */
enum lp_verb {
	LP_VERB_OTHER,
	LP_VERB_INSERT,     /* inserts its first argument; see `scored` */
	LP_VERB_TAKE,       /* removes the value that leaves next, and returns it */
	LP_VERB_STEAL,      /* does what LP_VERB_TAKE does: a queue may have a second method that removes values.  A kind with such
			     * a method has LP_LEAVES_NONE, because most checkers expect a single method that removes values */
	LP_VERB_PEEK,       /* returns the value that leaves next, without removing it */
	LP_VERB_IS_EMPTY,
	LP_VERB_SIZE,
	LP_VERB_PUSH_FRONT,
	LP_VERB_PUSH_BACK,
	LP_VERB_POP_FRONT,
	LP_VERB_POP_BACK,
	LP_VERB_ERASE,      /* removes the value or key that is its first argument */
	LP_VERB_CONTAINS,
	LP_VERB_READ,       /* returns the value that a cell holds: the value that was written last */
	LP_VERB_WRITE,
	LP_VERB_CAS,
	LP_VERB_SWAP,
	LP_VERB_APPEND,     /* appends a text to a text, which makes a new text (lp_spec_call.join) */
	LP_VERB_LOCK,
	LP_VERB_UNLOCK,
};

/* Which value leaves next.  If it is not LP_LEAVES_NONE, only methods with the roles LP_INSERTS and LP_REMOVES
 * insert and remove values; all other methods change nothing. */
enum lp_discipline {
	LP_LEAVES_NONE,     /* the kind is not a container, or its values leave in another way */
	LP_LEAVES_FIRST_IN, /* first in, first out */
	LP_LEAVES_LAST_IN,
	LP_LEAVES_EITHER_END,
	LP_LEAVES_BY_ORDER, /* the least value, or the greatest if the parameter `max` is set */
	LP_LEAVES_ANY,
};

/* What a method does to a replica of the object (check/weak), if the effect does not depend on the contents of the
 * replica. */
enum lp_replica_effect { LP_EFFECT_NONE, LP_EFFECT_SETS, LP_EFFECT_ERASES, LP_EFFECT_ADDS };

/* What the result of a method says about the contents of the replica. */
enum lp_replica_look {
	LP_SAYS_UNKNOWN,   /* the method cannot be used for replicated objects, because its effect depends on the
			    * contents or is not known */
	LP_SAYS_NOTHING,
	LP_SAYS_VALUE,     /* the value of the key */
	LP_SAYS_HELD,      /* true iff the key is present */
	LP_SAYS_NOT_HELD,  /* true iff the key is absent */
	LP_SAYS_SUM,       /* the sum before the call */
	LP_SAYS_SUM_AFTER, /* the sum after the call, which includes its own amount */
	LP_SAYS_ALL,       /* which keys are present, with their values if the kind has `pairs` */
	LP_SAYS_EMPTY,     /* true iff no key is present */
	LP_SAYS_SIZE,      /* the number of keys */
};

struct lp_method_traits {
	enum lp_verb verb;
	enum lp_replica_effect effect;
	enum lp_replica_look look;
	int amount; /* LP_EFFECT_ADDS: the number that is added; 0: the number is the argument */
};

struct lp_traits {
	const struct lp_method_traits *methods; /* one for each method of the kind; NULL if nothing is known about them */
	enum lp_discipline leaves;
	bool by_thread; /* steps depend on the calling thread, so equal calls of two threads cannot be exchanged */
	bool numbers;   /* the specification computes with its arguments, which must be numbers */
	bool counts;    /* a state is a list of pairs of value and count */
	bool scored;    /* LP_VERB_INSERT inserts its second argument; its first argument is the score of this value.  LP_VERB_TAKE
			 * removes a value with the least score, or with the greatest if the parameter `max` is set.  Such a kind has
			 * LP_LEAVES_NONE */
	bool pairs;     /* a state, and a result that lists it, consists of pairs of key and value */
	bool repeats;   /* a value may be present several times */
	uint32_t overlap_params; /* bit i: if parameter i is not 0, steps look at overlapping calls */
	bool indexed;   /* the first argument of a method is the number of a component, 0 .. n - 1, where n is a parameter */

	/* `formulae` are the laws of A_k (docs/counting.md).  grammar() returns the grammar of the runs, which the
	 * caller frees, or NULL if the parameters are too large.  Each of the two is NULL if the kind has none. */
	const char *formulae;
	char *(*grammar)(const int64_t *param);

	/* Does a call that was accepted in an unknown state determine the state after the call?  If so, the function
	 * writes this state to `to`, which must be empty.  NULL: the monitor cannot find the state of an object that
	 * was already in use. */
	bool (*tells)(struct lp_state *to, const struct lp_method *, const struct lp_spec_call *);
};

/* A built-in kind, defined in a file of kinds/ and listed in kinds.def. */
struct lp_builtin {
	struct lp_kind kind;
	const char *aliases; /* other names, separated by spaces; NULL: none */
	struct lp_traits traits;
};

#define LP_KIND(name) extern const struct lp_builtin lp_kind_##name;
#include "spec/kinds.def"
#undef LP_KIND

bool lp_kind_is_builtin(const struct lp_kind *kind);

/* Returns the traits of the kind; the result is never NULL. */
const struct lp_traits *lp_kind_traits(const struct lp_kind *kind);

/* Returns the verb of a method; LP_VERB_OTHER if the kind is not built in. */
enum lp_verb lp_kind_verb(const struct lp_kind *kind, uint32_t method);

/* Returns the method with this verb; LP_NO_METHOD (spec.h) if there is none. */
uint32_t lp_kind_method(const struct lp_kind *kind, enum lp_verb verb);

#endif
