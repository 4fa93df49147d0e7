/* ltl.h -- formulae of linear temporal logic (Pnueli, 1977).
 *
 * A formula says something about an infinite sequence of letters.  An atom is a statement that holds, or does not hold, at a
 * point of the sequence.  A letter is the set of atoms that hold at one point; it has a bit for each of at most LP_LTL_ATOMS
 * atoms.  Formulae are kept in negation normal form, in which only atoms are negated.  Equal formulae have equal numbers.
 *
 *     [] f  G f   f always             f U g   f until g holds, and g will hold
 *     <> f  F f   f eventually         f W g   f U g, or f always
 *     X f         f at the next point  f R g   g up to and including the first point where f holds, or g always
 *     ! && || -> <->   the first three may also be written as not, and, or
 *
 *     absence(f)         [] !f                    response(f, g)     [] (f -> <> g)
 *     existence(f)       <> f                     precedence(f, g)   !g W f   (no g before the first f)
 *     universality(f)    [] f                     recurrence(f)      [] <> f
 *     persistence(f)     <> [] f
 *
 * The names are those of Dwyer, Avrunin and Corbett (ICSE 1999), and of Manna and Pnueli.  Unary operators bind most
 * tightly, then U, W and R (right-associative), then &&, then ||, then -> (right-associative), then <->.
 *
 * Ownership: a struct lp_ltl owns its formulae, whose numbers are valid until the struct is closed.
 */
#ifndef LP_LTL_LTL_H
#define LP_LTL_LTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct lp_error;

enum { LP_LTL_ATOMS = 32, LP_LTL_ARGS = 3, LP_LTL_NAME = 48 };

enum lp_ltl_op {
	LP_LTL_FALSE,
	LP_LTL_TRUE,
	LP_LTL_ATOM, /* `a` is the number of an atom */
	LP_LTL_NOT,  /* the negation of the atom with the number `a` */
	LP_LTL_AND,  /* `a` and `b` are formulae, here and below */
	LP_LTL_OR,
	LP_LTL_NEXT, /* X a */
	LP_LTL_UNTIL,
	LP_LTL_RELEASE,
};

typedef uint32_t lp_ltl_id;

struct lp_ltl_node {
	enum lp_ltl_op op;
	lp_ltl_id a, b;
	lp_ltl_id contrary; /* 1 + the number of the negation, if lp_ltl_not() has made it; otherwise 0 */
	bool next;          /* the formula contains X */
};

/* An atom as the user writes it: name(arg, ...) = value.  The arguments and the value are optional. */
struct lp_ltl_atom {
	char name[LP_LTL_NAME], arg[LP_LTL_ARGS][LP_LTL_NAME], value[LP_LTL_NAME];
	uint32_t args, place; /* the number of arguments, and the offset of the atom in the text, in bytes */
};

struct lp_ltl {
	struct { LP_VEC(struct lp_ltl_node); } nodes;
	struct { LP_VEC(struct lp_ltl_atom); } atoms;
};

void lp_ltl_close(struct lp_ltl *);

/* Parses a formula, and sets `*formula` to its number.  If the text is not a formula, returns false; the message of the error
 * is then followed by a line with the text, and a line with a caret under the position. */
bool lp_ltl_parse(struct lp_ltl *, const char *text, size_t size, lp_ltl_id *formula, struct lp_error *);
/* Sets an error of the same form, for an atom at offset `place` whose name is not known.  Returns false. */
bool lp_ltl_fail(const char *text, size_t size, uint32_t place, struct lp_error *, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Return the number of a formula that is made from others, and of the negation of a formula. */
lp_ltl_id lp_ltl_make(struct lp_ltl *, enum lp_ltl_op, lp_ltl_id a, lp_ltl_id b);
lp_ltl_id lp_ltl_not(struct lp_ltl *, lp_ltl_id);
/* Does the formula contain X?  If it does not, repeating a letter of the sequence does not change whether the formula holds. */
bool lp_ltl_has_next(const struct lp_ltl *, lp_ltl_id);

#endif
