/* brief_name.h -- shortens names of C++ templates, so that they fit into a line of a report.
 *
 * "queue<long, policy::reclaimer<epoch_based<...> > >" becomes "queue<...>": arguments in angle brackets are
 * left out where they are long.  Types of one template that differ only in such arguments get the same name.
 */
#ifndef LP_FRONTEND_BRIEF_NAME_H
#define LP_FRONTEND_BRIEF_NAME_H

#include <stddef.h>

/* The room for a shortened name of a type or variable, and for a name before it is shortened. */
enum { LP_BRIEF_NAME = 112, LP_LONG_NAME = 2048 };

/* Writes the shortened name to `out`.  A name that does not fit is cut. */
void lp_brief_name(const char *name, char *out, size_t size);

#endif
