/* mutation.h -- an object with one small change, such as programmers make by mistake.
 *
 * frontend/mutants.def lists the kinds of changes.  A change is made before any optimisation, and before hooks are
 * inserted, so the result is the same as for a source with that change.  A mutant is named by its place in the source:
 *
 *     queue.c:50/never       the condition in line 50
 *     queue.c:50#2/never     the second of several conditions in that line, by column
 *
 * Instructions that come from one place in the source are changed together: those of all instances of a template, and the copies of
 * an operation whose memory order is a parameter (clang makes one for each order).  Each expansion of a macro has its own mutants.
 */
#ifndef LP_FRONTEND_IR_MUTANTS_MUTATION_H
#define LP_FRONTEND_IR_MUTANTS_MUTATION_H

#include "frontend/ir/ir.h"

/* Lists all mutants, one per line: name, operator, path, line, function, and details, separated by tabs.  The program
 * is not changed, except that it calls lp_mutant_seen() where a mutant would differ. */
bool lp_ir_list_mutants(struct lp_ir *, const char *path, struct lp_error *);

/* Turns the program into the mutant of that name.  `*found` says whether there is such a mutant. */
bool lp_ir_mutate(struct lp_ir *, const char *name, bool *found, struct lp_error *);

#endif
