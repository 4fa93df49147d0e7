/* client_text.h -- the client of a violation: as a program, and as a picture. */
#ifndef LP_REPORT_TEXT_CLIENT_TEXT_H
#define LP_REPORT_TEXT_CLIENT_TEXT_H

#include <stdio.h>

struct lp_json;
struct lp_result_client;
struct lp_terminal;

void lp_terminal_client(const struct lp_terminal *, const struct lp_result_client *);
void lp_json_client(struct lp_json *, const struct lp_result_client *);

/* " (T1 enqueue(1), T2 dequeue())": what each thread of the execution calls, in its colour, as far as there is room behind the
 * `used` columns of the line. */
void lp_terminal_threads(const struct lp_terminal *, const struct lp_result_client *, unsigned used);

/* On one line: "enqueue(1); dequeue() -> 1 | dequeue() -> 1", without an end of line. */
void lp_client_line(FILE *out, const struct lp_result_client *);

#endif
