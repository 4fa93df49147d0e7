/* shared_laws.h -- the laws of counting that all containers obey, as text (docs/counting.md): rv holds if a removal
 * is wrong, and ev if a report that the object is empty is wrong.
 *
 * The laws are those of figure 4 of Bouajjani, Emmi, Enea and Hamza (POPL 2015), with two changes.  By before(x, y),
 * there is a place i such that all calls x have ended by place i.  In the paper it also says that no call y both
 * begins and ends at the places up to i.  But a call y that only begins at one of these places may overlap x.  So
 * here before(x, y) says that no call y begins at these places.  The second
 * change is for removals that have not returned: one of them may have removed a value that seems to stay.  So
 * stays(x) only holds if there is no pending removal.
 */
#ifndef LP_SPEC_KINDS_SHARED_LAWS_H
#define LP_SPEC_KINDS_SHARED_LAWS_H

#define LP_CONTAINER_LAWS                                                                      \
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

#endif
