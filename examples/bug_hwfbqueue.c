/* bug_hwfbqueue.c -- the array queue with both ends in one word, with a slip of the pen: a
 * dequeue that has drawn the front looks at the back, where nothing is ever put. */
#define MINE(ends) (uint32_t)(ends)
#include "hwfbqueue.c"
