/* genmc.h -- for linchpin: programs written for the peer without its own headers.
 *
 * What changes no meaning is left out: marks for helping and confirming compare-and-swaps, and
 * for loops.  Hazard pointers, persistent memory and the like are not here. */
#ifndef PEER_GENMC_H
#define PEER_GENMC_H

#include <pthread.h>
#include <stdbool.h>

typedef pthread_t __VERIFIER_thread_t;

void __VERIFIER_assume(int);
#define __VERIFIER_assume(condition) __VERIFIER_assume((condition) ? 1 : 0)
int __VERIFIER_nondet_int(void);
pthread_t __VERIFIER_spawn(void *(*)(void *), void *);
pthread_t __VERIFIER_spawn_symmetric(void *(*)(void *), void *, pthread_t);

#define __VERIFIER_join_symmetric(thread) pthread_join(thread, NULL)
#define __VERIFIER_local_write(statement) do { statement; } while (0)
#define __VERIFIER_final_write(statement) do { statement; } while (0)
#define __VERIFIER_helped_CAS(cas) do { cas; } while (0)
#define __VERIFIER_helping_CAS(cas) do { cas; } while (0)
#define __VERIFIER_speculative_read(read) (read)
#define __VERIFIER_confirming_read(read) (read)
#define __VERIFIER_confirming_CAS(cas) (cas)
#define __VERIFIER_final_CAS(cas) (cas)
#define __VERIFIER_optional(statement) do { } while (0)

#endif
