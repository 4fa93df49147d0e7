/* ignore_rules.h -- what --only and --ignore are given: "uninitialised@ring.c:42,leak".
 *
 * A rule is KIND, KIND@FILE, KIND@FILE:LINE or KIND@FUNCTION, where KIND is a kind of errors.def, with hyphens or blanks
 * between its words, or * for any.  A place is a file if there is a dot or a slash in it; a function has its own name, without
 * those of classes and namespaces.  @FILE stands for the rules of
 * a file, several in a line or one, with comments from # to the end of the line.
 */
#ifndef LP_VERIFY_TASK_IGNORE_RULES_H
#define LP_VERIFY_TASK_IGNORE_RULES_H

#include <stdbool.h>

#include "runtime/ignored.h"

struct lp_arena;
struct lp_error;

/* Adds the rules of the option's argument; texts live in the arena, rules.at is for lp_free().  `ignore`: they say what is
 * ignored, and not what is not. */
bool lp_ignore_rules_parse(struct lp_finding_rules *rules, const char *text, bool ignore, struct lp_arena *arena,
			   struct lp_error *error);

#endif
