/* Threads that poll under one lock, each till the other has done its part.  Continued fairly, one
 * that found the lock taken waited for it forever, or the others had two turns each while it
 * waited: and a thread was said to be in an endless loop.  With -DTRYLOCK somebody sees the lock, so
 * that attempts are kept.
 *
 * expect sc,rc11 --no-attempts: inconclusive, says "more than 20000 operations"
 * expect sc,rc11 -- -DTRYLOCK: inconclusive, says "more than 20000 operations"
 * expect sc --preemptions 1 --no-attempts: inconclusive, says "more than 20000 operations"
 * expect sc --preemptions 1: verified
 * expect rc11: verified
 */
#include "../programs/ok/poll_in_turns.c"
