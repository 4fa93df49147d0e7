/* dropped.h -- a value that a call returns, and that nobody looks at. */
#ifndef LP_LOAD_DROPPED_H
#define LP_LOAD_DROPPED_H

#include <stdbool.h>
#include <stdint.h>

/* Does the code that goes on at `from` hand the value in rax, and what it computes from that, to
 * functions only that `ignores` names, by their address, and nowhere else?  So does
 *
 *     srand(time(NULL));      usleep(rand() % 100);
 *
 * Only straight code is looked at, and only registers are followed: false where it cannot be
 * told. */
bool lp_value_is_dropped(uintptr_t from, bool (*ignores)(uintptr_t function));

#endif
