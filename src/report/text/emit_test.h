/* emit_test.h -- writes a client as a C program for `linchpin run`, with an assertion
 * that fails. */
#ifndef LP_REPORT_TEXT_EMIT_TEST_H
#define LP_REPORT_TEXT_EMIT_TEST_H

#include <stdbool.h>
#include <stdio.h>

struct lp_result;

/* Texts that the program contains besides the client. */
struct lp_emitted {
	const char *object; /* the path of the object's source, which the program includes */
	const char *run;    /* "linchpin run client.c": a command that finds the violation */
	const char *native; /* "cc -pthread client.c": a command that builds the program
			     * without linchpin */
};

void lp_emit_test(FILE *, const struct lp_result *, const struct lp_emitted *);

#endif
