/* bug_hwqueue_once.c -- the queue of Herlihy and Wing, whose dequeue says "empty" after one
 * fruitless scan.  That is wrong whatever the memory orders, even under --model sc: slots
 * reserved after it has looked at `back` are not scanned, and may be full by then. */
#define ONE_SCAN
#include "hwqueue.c"
