/* linchpin.h -- what a program under test may say to linchpin.
 *
 * Programs need nothing of this to be verified.  The functions exist only while
 * linchpin runs the program; nothing is to be linked.
 */
#ifndef LINCHPIN_H
#define LINCHPIN_H

#ifdef __cplusplus
extern "C" {
#endif

/* Records the outcome of the execution; the last call counts.  Reports list all
 * outcomes with the number of executions that end in each. */
void lp_outcome(const char *text);

/* Any of 0 .. count-1: every one of them is explored. */
unsigned lp_choose(unsigned count);

#ifdef __cplusplus
}
#endif

#endif
