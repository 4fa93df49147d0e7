/* sources.h -- the source lines that a result names, and the lines around them. */
#ifndef LP_REPORT_SOURCES_H
#define LP_REPORT_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

struct lp_json;
struct lp_result;

/* Reads the text of a line such as "queue.c:31", without blanks around it.  Returns false if the
 * line cannot be read. */
bool lp_source_line(const struct lp_result *, const char *where, char *out, size_t size);

/* Writes an array of { "file", "first", "lines" }, where "first" is the number of the first line.
 * Files that cannot be read are left out. */
void lp_json_sources(struct lp_json *, const char *name, const struct lp_result *);

#endif
