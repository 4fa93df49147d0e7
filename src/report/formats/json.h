/* json.h -- writing JSON, and results as JSON.
 *
 *     struct lp_json j = lp_json_on(stdout);
 *     lp_json_begin(&j, NULL, '{');
 *     lp_json_text(&j, "verdict", "verified");
 *     lp_json_begin(&j, "steps", '[');
 *     lp_json_number(&j, NULL, 7);       // elements of an array have no name
 *     lp_json_end(&j);
 *     lp_json_end(&j);                   // {"verdict":"verified","steps":[7]}
 *
 * The output is valid JSON (RFC 8259) for all strings: control characters are escaped,
 * and bytes that are not UTF-8 become U+FFFD.
 */
#ifndef LP_REPORT_FORMATS_JSON_H
#define LP_REPORT_FORMATS_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct lp_result;

enum { LP_JSON_DEPTH = 16 };

struct lp_json {
	FILE *out;
	unsigned depth;
	bool in_html;               /* "<" in texts is escaped, so that the output can be put into a
				     * <script> of a page */
	bool filled[LP_JSON_DEPTH]; /* for each open object or array: it is not empty, so a comma
				     * must precede the next element */
	char closer[LP_JSON_DEPTH];
};

struct lp_json lp_json_on(FILE *out);
void lp_json_begin(struct lp_json *, const char *name, char opener); /* '{' or '[' */
void lp_json_end(struct lp_json *);
void lp_json_text(struct lp_json *, const char *name, const char *text); /* NULL: null */
void lp_json_number(struct lp_json *, const char *name, uint64_t number);
void lp_json_real(struct lp_json *, const char *name, double number);
void lp_json_bool(struct lp_json *, const char *name, bool truth);

void lp_json_ready(struct lp_json *, const char *name, const char *json); /* writes a text that is
									   * already JSON */

/* Write a result as one JSON object: lp_json_result() on a line of its own, lp_json_put_result() as
 * a member of the object that is being written. */
void lp_json_result(FILE *out, const struct lp_result *);
void lp_json_put_result(struct lp_json *, const char *name, const struct lp_result *);

#endif
