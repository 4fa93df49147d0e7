/* liveness_calls.h -- what is known of functions outside the object.
 *
 * The hooks and shims follow the System V ABI like everybody, but more can be said
 * of them than of an unknown function: how many arguments they look at, that
 * none is on the stack, and what they do with a pointer to the caller's stack.
 * Without the latter, each compare-and-swap would let its `expected` escape.
 */
#ifndef LP_LOAD_LIVENESS_CALLS_H
#define LP_LOAD_LIVENESS_CALLS_H

#include <stdbool.h>
#include <stdint.h>

struct lp_call_facts {
	bool returns;
	bool twice;        /* may return a second time (setjmp) */
	bool no_stack;     /* exactly `stack_bytes` of stack arguments are read */
	uint8_t stack_bytes;
	uint8_t arguments; /* integer registers looked at; 6: all */
	/* Argument number `pointer` (-1: none) is a pointer of which nothing is kept:
	 * `reads` bytes behind it may be read, `writes` bytes may be written. */
	int8_t pointer;
	uint8_t reads, writes;
	bool reads_on;     /* it reads an unknown number of bytes from the pointer on */
};

/* `name` NULL: a function of which nothing is known. */
struct lp_call_facts lp_call_facts(const char *name);

#endif
