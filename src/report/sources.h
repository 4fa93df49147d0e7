/* sources.h -- the lines of source around those that a result names. */
#ifndef LP_REPORT_SOURCES_H
#define LP_REPORT_SOURCES_H

struct lp_json;
struct lp_result;

/* An array of { "file", "first": number of the first line, "lines" }.  A file that cannot be
 * read is left out. */
void lp_json_sources(struct lp_json *, const char *name, const struct lp_result *);

#endif
