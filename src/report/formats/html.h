/* html.h -- a result as one self-contained HTML page: no network, no other file.
 *
 * The page is a template (html/page.html, .css, .js), into which the data are inserted as one
 * JSON object:
 *
 *     { "result": ...,      the output of --json for a result; or
 *       "histories": ...,   the output of --json for histories
 *       "recorded": [..],   the calls of each history, by columns
 *       "sources": [..],    the lines that the result names, and those around them
 *       "covered": [..] }   the source files, with --coverage
 */
#ifndef LP_REPORT_FORMATS_HTML_H
#define LP_REPORT_FORMATS_HTML_H

#include <stdbool.h>

struct lp_histories_result;
struct lp_result;

/* Return false if the file cannot be written. */
bool lp_html_result(const char *file, const struct lp_result *);
bool lp_html_histories(const char *file, const struct lp_histories_result *);

#endif
