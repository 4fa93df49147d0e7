/* linchpin.h -- for the peer: an object's harness as plain functions, so that it explores the very
 * same code.  What is not needed to call the methods is left out. */
#ifndef LINCHPIN_H
#define LINCHPIN_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#define LP_VOID 0
#define LP_EMPTY LONG_MIN

#define LP_SPEC(text)
#define LP_ARGS(text)
#define LP_SETUP                                                                            \
	static void peer_setup(void);                                                       \
	static void peer_setup(void)

#define LP_PICK_(a, b, picked, ...) picked
#define LP_METHOD(...) LP_PICK_(__VA_ARGS__, LP_METHOD_1_, LP_METHOD_0_, 0)(__VA_ARGS__)
#define LP_METHOD_0_(name) static long peer_##name(void)
#define LP_METHOD_1_(name, v) static long peer_##name(long v)

#endif
