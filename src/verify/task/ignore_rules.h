/* ignore_rules.h -- the arguments of --only and --ignore: "uninitialised@ring.c:42,leak".
 *
 * A rule is KIND, KIND@FILE, KIND@FILE:LINE or KIND@FUNCTION.  KIND is a kind of errors.def, with hyphens or blanks
 * between its words, or * for any kind.  The part after @ is a file if it contains a dot or a slash.  A function is given without
 * the names of classes and namespaces.  @FILE without a KIND stands for the rules that FILE contains: one or more in a
 * line, with comments from # to the end of the line.
 */
#ifndef LP_VERIFY_TASK_IGNORE_RULES_H
#define LP_VERIFY_TASK_IGNORE_RULES_H

#include <stdbool.h>

#include "runtime/ignored.h"

struct lp_arena;
struct lp_error;

/* Adds the rules of the option's argument.  `ignore`: these are the rules of --ignore, otherwise of --only.  Texts are in
 * the arena; the caller frees rules->at with lp_free(). */
bool lp_ignore_rules_parse(struct lp_finding_rules *rules, const char *text, bool ignore, struct lp_arena *arena,
			   struct lp_error *error);

#endif
