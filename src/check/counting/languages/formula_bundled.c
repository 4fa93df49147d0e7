/* formula_bundled.c -- rv, ev, fv and lv as text.
 *
 * Figure 4 of the paper, with two changes.  Its before(x, y) says that no y lies within
 * the places up to i; but a y that only begins there overlaps x.  And removals that
 * have not returned are considered: a value that stays may have been taken by one,
 * so a value that stays is told against only while there is none.
 */
#include <string.h>

#include "check/counting/languages/formula.h"
#include "spec/spec.h"

#define COMMON                                                                              \
	"let total(x, i, j) = sum a in i..j: sum b in a..j: #(x, a, b);\n"                  \
	"let begun(x, i) = sum a in 0..i: sum b in a..k: #(x, a, b);\n"                     \
	"let before(x, y) = some i in 0..k-1:\n"                                            \
	"    total(x, 0, i) > 0 and total(x, 0, k) = total(x, 0, i) and begun(y, i) = 0;\n" \
	"let match(x, y) = Inserts(x) and Removes(y) and SameVal(x, y);\n"                  \
	"let stays(x) = Inserts(x) and not (exists y: Removes(y) and SameVal(x, y))\n"      \
	"    and not (exists y: Removes(y) and Pending(y));\n"                              \
	"\n"                                                                                \
	"violation rv = exists y: Removes(y) and HasVal(y)\n"                               \
	"    and (total(y, 0, k) > 1 and (forall x: match(x, y) -> total(x, 0, k) = 1 and not Pending(x))\n" \
	"         or not (exists x: match(x, y)) or (exists x: match(x, y) and before(y, x)));\n"  \
	"violation ev = exists x, y: Inserts(x) and EmptyVal(y) and before(x, y)\n"         \
	"    and (stays(x) or (exists z: match(x, z) and before(y, z)));\n"

static const char queue_text[] = COMMON
	"violation fv = exists x1, x2, y2: match(x2, y2) and Inserts(x1) and before(x1, x2)\n"
	"    and (stays(x1) or (exists y1: match(x1, y1) and before(y2, y1)));\n";

static const char stack_text[] = COMMON
	"violation lv = exists x1, y1, x2: match(x1, y1) and Inserts(x2) and before(x1, x2)\n"
	"    and before(x2, y1) and (stays(x2) or (exists y2: match(x2, y2) and before(y1, y2)));\n";

const char *lp_formulae_bundled(const struct lp_kind *kind)
{
	if (!strcmp(kind->name, "queue"))
		return queue_text;
	if (!strcmp(kind->name, "stack"))
		return stack_text;
	return NULL;
}
