/* client_text.h -- shows the client of a violation as a program, and as a picture. */
#ifndef LP_REPORT_TEXT_CLIENT_TEXT_H
#define LP_REPORT_TEXT_CLIENT_TEXT_H

#include <stdio.h>

struct lp_json;
struct lp_result_client;
struct lp_terminal;

void lp_terminal_client(const struct lp_terminal *, const struct lp_result_client *);
void lp_json_client(struct lp_json *, const struct lp_result_client *);

/* Prints what each thread of the execution calls, in the colour of the thread: " (T1 enqueue(1), T2 dequeue())".
 * `used` columns of the line are already taken; text that does not fit after them is left out. */
void lp_terminal_threads(const struct lp_terminal *, const struct lp_result_client *, unsigned used);

/* Prints the client on one line, without an end of line: "enqueue(1); dequeue() -> 1 | dequeue() -> 1". */
void lp_client_line(FILE *out, const struct lp_result_client *);

#endif
