/* mutation.h -- an object with one small change, such as programmers make by mistake.
 *
 * frontend/mutants.def has the kinds of changes.  They are made in the program as clang hands it over, before anything
 * else is done to it: what comes out is what would come out of a source with that change.  A mutant is known by its
 * place in the source:
 *
 *     queue.c:50/never       the condition in line 50
 *     queue.c:50#2/never     the second one of several in that line, by column
 *
 * Instructions that stand for the same place of the source are changed together: the copies of a template, and those
 * that clang makes of an operation whose memory order is a parameter, one for each order.  Each expansion of a macro
 * has mutants of its own.
 */
#ifndef LP_FRONTEND_IR_MUTANTS_MUTATION_H
#define LP_FRONTEND_IR_MUTANTS_MUTATION_H

#include "frontend/ir/ir.h"

/* All mutants, a line each: name, operator, path, line, function, and what is done in particular, separated by tabs.
 * The program stays as it is, but calls lp_mutant_seen() where a mutant would differ. */
bool lp_ir_list_mutants(struct lp_ir *, const char *path, struct lp_error *);

/* Makes the program the mutant of that name; `found` says whether there is one. */
bool lp_ir_mutate(struct lp_ir *, const char *name, bool *found, struct lp_error *);

#endif
