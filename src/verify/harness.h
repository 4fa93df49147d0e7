/* harness.h -- an object's harness (linchpin.h), parsed and checked. */
#ifndef LP_VERIFY_HARNESS_H
#define LP_VERIFY_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "runtime/client.h"

struct lp_error;
struct lp_kind;
struct lp_spec;
struct lp_tuples;

/* What the object may do with an argument.  This determines which values must be tried. */
enum lp_arg_mode {
	LP_ARG_OPAQUE,  /* the object does not inspect the argument: all arguments are different */
	LP_ARG_EQUAL,   /* the object compares arguments for equality: every choice of which arguments are equal is tried */
	LP_ARG_ORDERED, /* the object compares arguments by <: every weak order of the arguments is tried */
	LP_ARG_FIXED,   /* the values that the user gave are tried */
};

/* What LP_AFTER demands: before a call of one method, the same thread must have called another method, `method`. */
struct lp_harness_need {
	uint32_t method;
	bool truth; /* the call of `method` must have returned a value other than 0 */
};

enum { LP_HARNESS_NEEDS = 4, LP_HARNESS_VALUES = 16, LP_HARNESS_PRE_CALLS = 8 };

struct lp_harness_method {
	const char *name;
	void *(*body)(void *);
	uint32_t args, spec_method; /* the number of arguments; the method of the specification */
	uint32_t role; /* the number of the method's role (LP_ROLE), from 1; 0: none */
	struct lp_harness_need need[LP_HARNESS_NEEDS];
	uint32_t needs;
	enum lp_arg_mode mode[LP_CLIENT_ARGS];
	int64_t value[LP_HARNESS_VALUES]; /* for LP_ARG_FIXED: the values */
	uint32_t values;
};

typedef void *lp_harness_block(void *);

/* A call of a client that the user has given as text. */
struct lp_harness_call {
	uint32_t method, thread;
	int64_t arg[LP_CLIENT_ARGS];
};

struct lp_harness_calls {
	LP_VEC(struct lp_harness_call);
};

struct lp_harness_blocks {
	LP_VEC(lp_harness_block *);
};

struct lp_harness_proposition {
	const char *name;
	lp_harness_block *body;
};

struct lp_harness {
	struct lp_spec *spec;
	const char *spec_text;
	struct {
		LP_VEC(struct lp_harness_method);
	} methods;
	uint32_t roles;
	bool own;       /* the user wrote the specification */
	bool anonymous; /* there is no sequential specification, because the harness is that of a program that serves as a specification */
	bool gc;        /* unreachable memory is reclaimed */
	struct lp_harness_calls pre;
	struct lp_harness_blocks invariants, teardowns;
	struct {
		LP_VEC(struct lp_harness_proposition);
	} propositions;
	const struct lp_tuples *tuples; /* the names of results that consist of several values (base/tuples.h); or NULL */
};

/* Parses the entries of a harness, which must outlive it.  `own` is the kind that the user has defined (LP_SPEC_OWN).  If the
 * harness defines none, `own` is the kind that is used if the harness names no specification; it may be NULL.  `spec`, if it is not
 * NULL, replaces the specification of the harness. */
bool lp_harness_open(struct lp_harness *, const struct lp_harness_entry *const *entries,
		     uint32_t count, const struct lp_kind *own, const char *spec,
		     struct lp_error *);
void lp_harness_close(struct lp_harness *);

/* Does the harness have LP_ROLE or LP_AFTER? */
bool lp_harness_has_rules(const struct lp_harness *);

/* If calls compare values, do they also compare them with the initial value of the object?  Those of a register do. */
bool lp_harness_compares_initial(const struct lp_harness *);

/* Returns the name of a method that returns several values; NULL if there is no such method. */
const char *lp_harness_gives_several(const struct lp_harness *);

/* Does the harness name a specification?  Does the harness define a specification of its own? */
bool lp_harness_has_spec(const struct lp_harness_entry *const *entries, uint32_t count);
bool lp_harness_has_own_spec(const struct lp_harness_entry *const *entries, uint32_t count);

/* Parses calls such as "enqueue(1); enqueue(2) | dequeue()", where | separates threads, which are numbered from 1. Arguments that are left
 * out become 1, 2, 3, ... in turn. */
bool lp_harness_calls(const struct lp_harness *, const char *text, struct lp_harness_calls *,
		      struct lp_error *);

/* The specification's kind. */
const struct lp_kind *lp_harness_kind(const struct lp_harness *);

/* Write text to `out`, and return `out`.  A call is written as "enqueue(1)".  A result is written as "2", "empty" or "[1, 2]"; it
 * is "" if the method returns nothing. */
const char *lp_harness_say_call(const struct lp_harness *, uint32_t method, const int64_t *arg,
				char *out, size_t size);
const char *lp_harness_say_result(const struct lp_harness *, uint32_t method, int64_t result,
				  char *out, size_t size);

/* Returns the index of the method with that name; UINT32_MAX if there is none. */
uint32_t lp_harness_method(const struct lp_harness *, const char *name, size_t length);

#endif
