/* html.h -- a result as one HTML page that needs nothing else: no network, no other file.
 *
 * The page is written by hand (html/page.html, .css, .js); here its data are put in, as one
 * JSON object:
 *
 *     { "result": ...,      as of --json; or
 *       "histories": ...,   as of --json
 *       "recorded": [..],   of each history the calls, in columns
 *       "sources": [..] }   the lines around those that the result names
 */
#ifndef LP_REPORT_FORMATS_HTML_H
#define LP_REPORT_FORMATS_HTML_H

#include <stdbool.h>

struct lp_histories_result;
struct lp_result;

/* False if the file cannot be written. */
bool lp_html_result(const char *file, const struct lp_result *);
bool lp_html_histories(const char *file, const struct lp_histories_result *);

#endif
