/* bug_lazylist_order.c -- the lazy list with release and acquire instead of seq_cst: two
 * threads that insert in different places, and then look for what the other one has inserted,
 * may both miss it. */
#define ORDER_WEAK
#include "lazylist.c"
